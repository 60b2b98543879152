// What may be written at a place. Where the text is broken, as it is while somebody writes, tokens tell more than a syntax
// tree: the context is read off those before the place. Types come from the last text that could be read, and those of
// what stands before a dot from the text with a name put in behind it. Private to complete.cpp and complete_within.cpp.
#pragma once

#include "lang/syntax/syntax.hpp"
#include "runtime/service/service_impl.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class Completion {
 public:
  Completion(Service::Impl& impl, const std::string& name, std::size_t at)
      : impl_(impl), name_(name), text_(impl.find(name)->text) {
    at_ = std::min(at, text_.size());
    begin_ = at_;
    while (begin_ > 0 && name_character(text_[begin_ - 1])) --begin_;
    declaration_ = declaration_begin(text_, begin_);
  }

  std::vector<Proposal> all();

 private:
  // ---- tokens before the place, within its declaration

  // False: nothing is proposed here, as in a comment.
  bool read_tokens();
  std::string_view shown(const RoughToken& token) const;
  std::string_view before(std::size_t back) const;
  // A name that is being given, or a text or a number that belongs here: nothing to choose from.
  bool after_declared_word(std::string_view last) const;
  bool begins_here() const;
  bool names_type(std::string_view) const;
  // ---- proposals

  // Whether the letters before the place are in the label, in their order.
  bool fits(std::string_view label) const;
  void add(Proposal proposal);
  void word(std::string_view text, std::string_view detail);
  void declarations();
  // How many blocks are open: of a rubric whose end is not written, too.
  bool open_rubric() const;
  bool inside_dimension() const;
  Proposal of_symbol(std::size_t index) const;
  // Whether a symbol belongs to the rubric around the place, or to none, or to what that one extends.
  bool visible(const Symbol& symbol);
  template <typename Wanted>
  void symbols(const Wanted& wanted) {
    for (std::size_t i = 0; i < best().names.symbols.size(); ++i) {
      const Symbol& symbol = best().names.symbols[i];
      if (wanted(symbol) && fits(symbol.name) && visible(symbol)) add(of_symbol(i));
    }
  }

  void inputs();
  void dimensions();
  void rubrics();
  void types();
  void values();
  void clauses();
  // Names that the declaration itself binds: over-generous rather than missing one while the text is broken.
  void locals();
  void add_local(std::size_t i);
  void local(std::string_view name);
  // ---- fields

  // Where the operand that ends at `end` begins: names, fields, calls, indices.
  std::size_t operand_begin(std::size_t end) const;
  struct Member {
    std::string name;
    TypeId type;
    bool optional;
    std::string prose;
  };
  // Of a record, of the records that a rubric scores, of its verdicts, and of either of several types.
  static std::vector<Member> members(const Model& model, TypeId id);
  void fields_of(const TextAnalysis& analysis, TypeId id, bool keys = false);
  // What closes the brackets that are open at the place.
  std::string closers() const;
  std::size_t next_declaration(std::size_t from) const;
  void fields();
  // Whether the last text without errors begins with what stands before a place.
  bool same_until(std::size_t end) const;
  void inputs_of_record();
  // ---- texts

  void choices_of(const TextAnalysis& analysis, TypeId id);
  void choices_of(const ast::Kind* kind);
  const ast::Kind* named_kind(std::string_view name) const;
  void in_text();
  // The key of a table in whose column the place is: its texts.
  void cell_choices();
  void files();
  // At a key of a table whose rows come from a CSV file, which keys have to name: its columns. False: not there.
  bool csv_columns();
  // ---- examples

  struct Level {
    std::string key;  // before the bracket
    bool record = false;
  };

  // The keys that lead to the place: "given", "components", …; the last is the key whose value stands here.
  std::vector<Level> path(std::string& key) const;
  std::vector<std::string> keys_of_record() const;  // below "given" or "expect"
  // The type that they lead to in the record or, when it is expected, in the verdict of the last text without errors.
  TypeId type_of_keys(bool expected) const;
  const ast::Kind* kind_of_input(std::string_view name) const;
  const ast::Kind* record_of(const ast::Kind* kind) const;
  // The type of the field whose value stands here, within what is given.
  const ast::Kind* kind_of_key() const;
  bool example();
  // The text as it is, and the last one without errors: analysed when they are asked for.
  TextAnalysis& now() const { return *(now_ != nullptr ? now_ : now_ = impl_.analysis(name_)); }
  TextAnalysis& best() const { return *(best_ != nullptr ? best_ : best_ = impl_.best(name_)); }
  mutable TextAnalysis *now_ = nullptr, *best_ = nullptr;
  Service::Impl& impl_;
  const std::string& name_;
  const std::string& text_;
  std::size_t at_ = 0, begin_ = 0, declaration_ = 0, literal_ = 0;
  bool quoted_ = false;
  std::vector<RoughToken> tokens_;
  std::string_view word_;
  std::vector<Proposal> found_;
  std::set<std::string> there_;
  std::optional<std::set<std::string>> around_;  // the rubric around the place, and those it extends
};

}  // namespace assay
