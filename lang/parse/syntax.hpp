// The interface between the grammar and the tree builder: the matched rules as one flat list of nodes in source order
// (lang/parse/syntax.def), and the problems found. It does not use PEGTL, so that the grammar is compiled in one place
// only, and holds no text, only offsets. A rule that fails removes its nodes; a node ends with its last token.
#pragma once

#include "lang/text/budget.hpp"
#include "lang/text/source.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

enum class Syn : std::uint8_t {
  root,  // the whole text
  mark,  // brackets, commas, the words of declarations
#define ASSAY_SYNTAX(rule) rule,
#include "lang/parse/syntax.def"
#undef ASSAY_SYNTAX
};

// Whether a rule is a declaration inside a rubric.
constexpr bool is_item(Syn kind) {
  switch (kind) {
#define ASSAY_DECLARATION(word, rule, ...) case Syn::item_##rule:
#include "lang/syntax/declarations.def"
    return true;
    default: return false;
  }
}

struct Node {
  Syn kind;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t next = 0;  // index of the first node that is not inside this one
};

// What a commit point of the grammar expected; lang/parse/parse_explain.cpp has the words.
enum class Wanted : std::uint8_t {
  thing,  // described by its text
  expression,
  operand,  // after an operator
  name,
  equals,
  closing,    // ) ] }
  row_end,    // |
  block_end,  // the } of a declaration's block
  text_end,
  raw_end,
  escape,
  number_end,
  in_after_not,
  after_is,
  when_,        // flag, advice, incomplete without a condition
  declaration,  // in a rubric
  part,         // in a dimension's block
  top,          // in a file
  end_of_text,
  depth,  // nothing: the nesting is too deep
};
struct Expected {
  Wanted wanted;
  const char* text;  // "a name", "'=' and a value"
};

// A problem as a value, before it is sorted among the others by place.
struct Problem {
  Code code;
  Span at;
  std::string message;
  std::string label = {};
  std::string help = {};
  Span note_at = {};
  std::string note = {};
};

struct RoughToken;
struct SyntaxFailure {};  // thrown by a commit point, caught by the recovery around each declaration

// A declaration in the list of nodes, and what it cost: parse() keeps those that an edit leaves alone.
struct ItemNodes {
  std::uint32_t node;        // its first one
  std::uint32_t begin, end;  // of its text with the blanks and comments behind it
  std::uint64_t steps;
};

class Syntax {
 public:
  Syntax(const Sources& sources, std::uint32_t file, Budget& budget)
      : text_(sources.file(file).text), file_(file), budget_(budget) {
    nodes_.push_back({Syn::root, 0, static_cast<std::uint32_t>(text_.size()), 1});
  }

  // ---- called while the grammar matches
  void open(Syn kind, std::uint32_t at) {
    budget_.step();
    if (nodes_.size() >= charged_) charge();
    nodes_.push_back({kind, at, at, std::exchange(open_, static_cast<std::uint32_t>(nodes_.size()))});
  }
  void close(std::uint32_t at) {
    Node& node = nodes_[open_];
    node.end = &node == &nodes_.back() ? at : nodes_.back().end;
    open_ = std::exchange(node.next, static_cast<std::uint32_t>(nodes_.size()));
    nodes_.front().next = node.next;
  }
  void drop() {
    const std::uint32_t dropped = std::exchange(open_, nodes_[open_].next);
    nodes_.erase(nodes_.begin() + dropped, nodes_.end());
  }
  void fail(const Expected& expected, std::uint32_t at);
  struct State {
    std::size_t nodes;
    std::uint32_t open;
  };
  State save() const { return {nodes_.size(), open_}; }
  void restore(const State& state);
  // After a declaration that begins with the first node since `state`: notes it.
  void note_item(const State& state, std::uint32_t begin, std::uint32_t end, std::uint64_t steps_before);
  std::uint32_t resume(std::uint32_t begin);  // after a failure in the declaration that begins there: where to continue

  // ---- for the builder
  std::string_view text() const { return text_; }
  std::uint32_t file() const { return file_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<Node> take_nodes() { return std::move(nodes_); }  // once, when nothing else is asked
  // The declarations outside of any other one.
  const std::vector<ItemNodes>& items() const { return items_; }
  std::vector<ItemNodes> take_items() { return std::move(items_); }
  // Replaces what was matched, in a parse that matches only a part of the text.
  void adopt(std::vector<Node> nodes, std::vector<ItemNodes> items);
  std::vector<Problem>& problems() { return problems_; }
  Budget& budget() { return budget_; }

 private:
  void charge();
  std::vector<std::uint32_t> opened() const;  // the nodes that are being matched, the innermost last
  void explain(const Expected& expected, std::uint32_t at);
  bool explain_swallowed(const Expected& expected, std::uint32_t at);
  std::uint32_t braces_of_text() const;
  std::string fix_it(const Expected& expected, const RoughToken& token, const RoughToken& before,
                     Problem& problem) const;  // lang/parse/parse_hints.cpp

  std::string_view text_;
  std::uint32_t file_;
  std::vector<Node> nodes_;
  std::vector<ItemNodes> items_;
  std::uint32_t open_ = 0;  // the innermost node that is being matched: its `next` is the one around it
  std::vector<Problem> problems_;
  Budget& budget_;
  std::size_t charged_ = 0;  // nodes
  std::uint32_t failed_at_ = 0;
  std::int64_t quiet_until_ = -1;  // an error up to here follows from the one before
  bool outside_ = false;           // the failed declaration is outside any rubric and belongs inside one
};

// ---- rough tokens, for messages and recovery
struct RoughToken {
  enum class Tag { end, word, number, text, sign } tag;
  std::uint32_t begin, end;
};
std::string_view shown(std::string_view text, const RoughToken& token);  // as it is written
RoughToken rough_token(std::string_view text, std::uint32_t at);         // the first at or behind `at`
std::uint32_t skip_blanks(std::string_view text, std::uint32_t at);
bool begins_declaration(std::string_view text, const RoughToken& word);
bool first_in_line(std::string_view text, std::uint32_t at);
const std::vector<std::string_view>& declaration_words();
// The word of declarations here for one of other languages; empty: none.
std::string_view declaration_word_for(std::string_view foreign);

// f"…" of other languages: the letters before such a text, and the replacement.
bool is_text_prefix(std::string_view word);
std::string prefix_help(std::string_view text);

// Bytes that no rubric may contain: reports them; false if there are any.
bool check_bytes(const Sources& sources, std::uint32_t file, std::vector<Problem>& problems, Budget& budget);

}  // namespace assay
