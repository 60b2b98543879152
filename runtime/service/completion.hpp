// The proposals for a place. While somebody types, the text is broken and tokens tell more than a syntax tree: the
// context comes from the tokens before the place. Types come from the last readable text; the type of what precedes a
// dot, from the text with a name inserted after the dot. Private to complete.cpp and complete_within.cpp.
#pragma once

#include "lang/parse/syntax.hpp"
#include "lang/text/ascii.hpp"
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
    while (begin_ > 0 && is_name_character(text_[begin_ - 1])) --begin_;
    declaration_ = declaration_begin(text_, begin_);
  }

  std::vector<Proposal> all();

 private:
  // ---- tokens before the place, within its declaration

  // False: nothing is proposed here, as inside a comment.
  bool read_tokens();
  std::string_view shown(const RoughToken& token) const;
  std::string_view before(std::size_t back) const;
  // After a word that introduces a new name, a text or a number: there is nothing to choose from.
  bool after_declared_word(std::string_view last) const;
  bool begins_here() const;
  bool names_type(std::string_view) const;
  // ---- proposals

  // Whether the label contains the letters before the place, in order.
  bool fits(std::string_view label) const;
  void add(Proposal proposal);
  void word(std::string_view text, std::string_view detail);
  void declarations();
  // How many blocks are open, even if the end of the rubric is not written yet.
  std::vector<std::string_view> open_blocks() const;  // as the words that begin their declarations
  bool inside_dimension() const;
  Proposal of_symbol(std::size_t index) const;
  // Whether a symbol belongs to the enclosing rubric, to none, or to one that the rubric extends.
  bool visible(const Symbol& symbol);
  template <typename Wanted>
  void symbols(const Wanted& wanted) {
    for (std::size_t i = 0; i < best().names().symbols.size(); ++i) {
      const Symbol& symbol = best().names().symbols[i];
      if (wanted(symbol) && fits(symbol.name) && visible(symbol)) add(of_symbol(i));
    }
  }

  void inputs();
  void dimensions();
  void rubrics();
  void types();
  void values();
  void clauses();
  // Names that the declaration itself binds: rather too many than too few while the text is broken.
  void locals();
  void add_local(std::size_t i);
  void local(std::string_view name);
  // ---- fields

  // The beginning of the operand that ends at `end`: names, fields, calls, indices.
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
  // The texts of the table key in whose column the place is.
  void cell_choices();
  void files();
  // At a key of a table whose rows come from a CSV file: proposes its columns. False: not at such a key.
  bool csv_columns();
  // ---- examples

  struct Level {
    std::string key;  // the word before the bracket
    bool record = false;
  };

  // The keys that lead to the place: "given", "components", …; the last one is the key of the value at the place.
  std::vector<Level> path(std::string& key) const;
  std::vector<std::string> keys_of_record() const;  // below "given" or "expect"
  // The type that they lead to in the record or, when it is expected, in the verdict of the last text without errors.
  TypeId type_of_keys(bool expected) const;
  const ast::Kind* kind_of_input(std::string_view name) const;
  const ast::Kind* record_of(const ast::Kind* kind) const;
  // The type of the field at the place, inside the given record.
  const ast::Kind* kind_of_key() const;
  bool example();
  // The current text, and the last one without errors: analysed on demand.
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
  std::optional<std::set<std::string>> around_;  // the enclosing rubric, and those it extends
};

}  // namespace assay
