// From the syntax to gaps: how much space, whether a line may begin there and at which column, and which tokens begin
// statements or cells. gaps.def describes the nodes; this unit handles everything that depends on context.
#include "lang/format/tokens.hpp"

#include <algorithm>
#include <array>

namespace assay::format {
namespace {

constexpr std::uint16_t kLevels = 32;  // ranks for each enclosing bracket
constexpr std::uint16_t kTrailing = 0, kPath = 1, kPart = 2, kComma = 4, kOrder = 5, kOperators = 8;

enum class Family : std::uint8_t {
  none,
  head,
  type,
  input,
  let,
  fn,
  table,
  hook,
  gate,
  dimension,
  cap,
  adjustment,
  output,
  flag,
  advice,
  context,
  level,
  context_weight,
  field,
};

struct NodeRow {
  bool line = false, block = false, bracket = false, breaks = false;
  Family family = Family::none;
  std::uint8_t level = 0;
  Anchor::From from = Anchor::From::statement;
  std::int8_t delta = 0;
};

constexpr std::size_t kKinds = 256;
consteval std::array<NodeRow, kKinds> node_rows() {
  std::array<NodeRow, kKinds> rows{};
#define ASSAY_DECLARATION(word, rule, ...) rows[static_cast<std::size_t>(Syn::item_##rule)].line = true;
#include "lang/syntax/declarations.def"
#define ASSAY_LINE(node, family_)                        \
  rows[static_cast<std::size_t>(Syn::node)].line = true; \
  rows[static_cast<std::size_t>(Syn::node)].family = Family::family_;
#define ASSAY_BLOCK(node) rows[static_cast<std::size_t>(Syn::node)].block = true;
#define ASSAY_BRACKET(node) rows[static_cast<std::size_t>(Syn::node)].bracket = true;
#define ASSAY_BREAK(node, level_, from_, delta_)                        \
  rows[static_cast<std::size_t>(Syn::node)].breaks = true;              \
  rows[static_cast<std::size_t>(Syn::node)].level = level_;             \
  rows[static_cast<std::size_t>(Syn::node)].from = Anchor::From::from_; \
  rows[static_cast<std::size_t>(Syn::node)].delta = delta_;
#include "lang/format/gaps.def"
  return rows;
}
constexpr std::array<NodeRow, kKinds> kNodeRows = node_rows();
const NodeRow& row_of(Syn kind) { return kNodeRows[static_cast<std::size_t>(kind)]; }

Cell cell_in(Syn kind, Syn around) {
#define ASSAY_CELL(node, inside, cell) \
  if (kind == Syn::node && around == Syn::inside) return Cell::cell;
#include "lang/format/gaps.def"
  return Cell::none;
}

// How tightly an operator binds, as in lang/syntax/operators.def.
constexpr std::uint16_t operator_level(std::string_view spelling) {
  const char first = spelling.empty() ? '\0' : spelling.front();
#define ASSAY_OPERATOR(word, form, level, association) \
  if (first == word[0] && spelling == word) return level;
#include "lang/syntax/operators.def"
#undef ASSAY_OPERATOR
  return 0;  // no test: it is asked about operators
}

// A node that encloses the current one.
struct Frame {
  Syn kind = Syn::root;
  std::uint32_t node = 0, next = 0;
  std::uint32_t first = 0, last = 0;                // tokens; `last` of statements only
  std::uint32_t open = kNone;                       // the bracket that contains its children
  std::uint16_t depth = 0;                          // nested brackets in the enclosing statement
  std::uint32_t bracket = kNone;                    // the innermost of those
  std::uint32_t choice = 0, where = 0, record = 0;  // index + 1 in Style
  std::uint32_t statement = kNone;                  // the first token of the last one in this block
};

class Styler {
 public:
  Styler(Tokens& tokens, const std::vector<Node>& nodes, Budget& budget)
      : tokens_(tokens), list_(tokens.list), nodes_(nodes), budget_(budget) {}

  Style take() {
    style_.choice_at.resize(list_.size());
    style_.where_at.resize(list_.size());
    style_.record_at.resize(list_.size());
    for (std::uint32_t t = 0; t < list_.size(); ++t) list_[t].gap.space = plain_space(t);
    stack_.push_back({Syn::root, 0, nodes_.front().next});
    for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
      while (stack_.back().next <= i) stack_.pop_back();
      budget_.step();
      while (token_ + 1 < list_.size() && list_[token_].begin < nodes_[i].begin) ++token_;
      if (list_[token_].begin != nodes_[i].begin) continue;  // inside a quoted text
      visit(i);
    }
    return std::move(style_);
  }

 private:
  std::string_view shown(std::uint32_t token) const { return tokens_.shown(token); }
  bool is(std::uint32_t token, char sign) const {
    return list_[token].end == list_[token].begin + 1 && tokens_.text[list_[token].begin] == sign;
  }

  // The space determined by the characters alone.
  std::uint8_t plain_space(std::uint32_t token) const {
    if (token == 0 || list_[token].tag == Token::Tag::end) return 0;
    const char now = sign(token), before = sign(token - 1);
    if (now == ',' || now == ')' || now == ']' || now == ':' || now == '.') return 0;
    if (before == '(' || before == '[' || before == '.') return 0;
    return before == '{' && now == '}' ? 0 : 1;
  }
  // The only character of a token, '.' for ".." as well; 0: another token.
  char sign(std::uint32_t token) const {
    const std::string_view text = shown(token);
    return text.size() == 1 || text == ".." ? text.front() : '\0';
  }

  // The last token of a node.
  std::uint32_t last_of(const Node& node) const {
    const auto behind = std::partition_point(list_.begin() + token_, list_.end() - 1,
                                             [&](const Token& token) { return token.begin < node.end; });
    return std::max(static_cast<std::uint32_t>(behind - list_.begin()), token_ + 1) - 1;
  }

  Frame& around() { return stack_.back(); }

  void visit(std::uint32_t index) {
    const Node& node = nodes_[index];
    const NodeRow& row = row_of(node.kind);
    Frame& parent = around();
    if (node.kind == Syn::mark) return mark(parent);
    Frame frame;
    frame.kind = node.kind;
    frame.node = index;
    frame.next = node.next;
    frame.first = token_;
    frame.bracket = parent.open != kNone ? parent.open : parent.bracket;
    frame.depth = static_cast<std::uint16_t>(parent.depth + (parent.open != kNone ? 1 : 0));
    if (row.line) {
      frame.last = last_of(node);
      frame.depth = 0;
      frame.bracket = kNone;
      list_[token_].statement = true;
      list_[token_].last = frame.last;
      list_[token_].row = node.kind == Syn::row;
      list_[token_].family = static_cast<std::uint8_t>(row.family);
      begin_cells(frame);
      parent.statement = token_;
    }
    const Cell cell = cell_in(node.kind, parent.kind);
    if (cell != Cell::none) list_[token_].cell = cell;
    if (row.breaks) may_break(token_, frame.depth, row.level, anchor(row, parent, frame));
    special(node, parent, frame);
    if (node.next > index + 1) stack_.push_back(frame);
  }

  Anchor anchor(const NodeRow& row, const Frame& parent, const Frame& frame) const {
    if (row.from == Anchor::From::bracket) return clause_anchor(frame);
    if (row.from == Anchor::From::statement) return {Anchor::From::statement, row.delta, kNone};
    const bool left = row.delta < 0 && bare(parent.first);
    return {Anchor::From::token, row.delta < 0 && !left ? std::int8_t{0} : row.delta, parent.first};
  }

  // Whether the token follows '=' or a word, so that a continuing operator fits to its left.
  bool bare(std::uint32_t token) const {
    return token > 0 && (is(token - 1, '=') || list_[token - 1].tag == Token::Tag::word);
  }

  void may_break(std::uint32_t token, std::uint16_t depth, std::uint16_t level, const Anchor& at) {
    Gap& gap = list_[token].gap;
    if (gap.breakable && !gap.only_author) return;  // the outer node has set it
    gap.breakable = true;
    gap.only_author = false;
    gap.rank = static_cast<std::uint16_t>(std::min(depth, std::uint16_t{1000}) * kLevels + level);
    gap.anchor = at;
  }

  // Nodes that a row of gaps.def cannot describe.
  void special(const Node& node, const Frame& parent, Frame& frame) {
    switch (node.kind) {
      case Syn::args:
      case Syn::params:
      case Syn::index: list_[token_].gap.space = 0; break;
      case Syn::prefix:
      case Syn::sum_prefix:
        if (is(token_, '-')) list_[token_ + 1].gap.space = 0;
        break;
      case Syn::op:
      case Syn::sum_op:
      case Syn::not_in: binary(node, parent); break;
      case Syn::run: ranges(frame.node); break;
      case Syn::literal_range: literal_range(frame.node); break;
      case Syn::choice: choice(frame); break;
      case Syn::arm_else: style_.choices[parent.choice - 1].parts.push_back(token_); break;
      case Syn::arm_when: style_.choices[parent.choice - 1].aligned.push_back(token_); break;
      case Syn::where: where(node, frame); break;
      case Syn::text: prose(parent); break;
      case Syn::decimals:
        if (parent.kind == Syn::item_output) trailing(token_, Cell::decimals);
        break;
      case Syn::weight:
      case Syn::points:
        if (list_[token_ + 1].tag == Token::Tag::number && list_[token_ + 1].end == node.end)
          list_[token_ + 1].cell = Cell::number;
        break;
      case Syn::order:
        if (parent.kind == Syn::loop) may_break(token_ - 1, frame.depth, kComma, clause_anchor(frame));
        break;
      case Syn::loop_where_part:  // a line may begin before its 'where', and before each further part
        if (shown(token_ - 1) == "where") may_break(token_ - 1, frame.depth, kComma, clause_anchor(frame));
        else may_break(token_, frame.depth, kOrder, clause_anchor(frame));
        break;
      case Syn::rows: style_.tables.push_back(token_); break;
      default: break;
    }
  }

  static Anchor clause_anchor(const Frame& frame) {
    return frame.bracket == kNone ? Anchor{} : Anchor{Anchor::From::bracket, 0, frame.bracket};
  }

  // The cells that follow the first token of a statement.
  void begin_cells(const Frame& frame) {
    const std::uint32_t first = frame.first;
    switch (frame.kind) {
      case Syn::item_version:
      case Syn::item_scale:
      case Syn::item_weights:
      case Syn::item_history:
      case Syn::item_adjustment: list_[first + 1].cell = Cell::value; break;
      case Syn::level:
        if (frame.last != first + 2) break;
        list_[first + 1].cell = Cell::number;
        list_[first + 2].cell = Cell::option;
        break;
      case Syn::context_weight:
        if (frame.last == first + 2) list_[first + 2].cell = Cell::number;
        break;
      default: break;
    }
  }

  void binary(const Node& node, const Frame& parent) {
    const bool two = node.kind == Syn::not_in;
    const std::string_view spelling = two ? std::string_view("not in") : shown(token_);
    if (spelling == "^") {
      list_[token_].gap.space = 0;
      list_[token_ + 1].gap.space = 0;
      return;
    }
    if (spelling == "..") return;
    const std::size_t width = two ? 6 : spelling.size();
    const int delta = bare(parent.first) ? -static_cast<int>(width) - 1 : 0;
    const Anchor at{Anchor::From::token, static_cast<std::int8_t>(delta), parent.first};
    may_break(token_, parent.depth, static_cast<std::uint16_t>(kOperators + operator_level(spelling)), at);
  }

  // "a..b" is written without spaces, "a - 1 .. a + 1" with them.
  void ranges(std::uint32_t run) {
    constexpr std::uint16_t kSum = operator_level("+"), kProduct = operator_level("*");
    std::uint16_t before = 0;
    std::uint32_t range = kNone;
    for (std::uint32_t i = run + 1; i < nodes_[run].next; i = nodes_[i].next) {
      const Syn kind = nodes_[i].kind;
      if (kind != Syn::op && kind != Syn::not_in) continue;
      const std::string_view spelling =
          kind == Syn::op ? tokens_.text.substr(nodes_[i].begin, nodes_[i].end - nodes_[i].begin) : "not in";
      const std::uint16_t level = operator_level(spelling);
      const bool adds = level == kSum || level == kProduct;
      if (spelling == "..") {
        range = token_at(nodes_[i].begin);
        if (before == kSum || before == kProduct) spaced(range);
      } else if (range != kNone) {
        if (adds) spaced(range);
        range = kNone;
      }
      before = spelling == "^" ? before : level;
    }
  }

  void literal_range(std::uint32_t node) {
    bool sums = false;
    std::uint32_t dots = kNone;
    for (std::uint32_t i = node + 1; i < nodes_[node].next; i = nodes_[i].next) {
      if (nodes_[i].kind == Syn::mark && dots == kNone) dots = token_at(nodes_[i].begin);
      if (nodes_[i].kind != Syn::sum) continue;
      for (std::uint32_t j = i + 1; j < nodes_[i].next; j = nodes_[j].next)
        sums = sums || (nodes_[j].kind == Syn::sum_op && tokens_.text[nodes_[j].begin] != '^');
    }
    if (sums && dots != kNone) spaced(dots);
  }

  void spaced(std::uint32_t range) {
    list_[range].gap.space = 1;
    list_[range + 1].gap.space = 1;
  }

  // The token that begins there, at or after the current one.
  std::uint32_t token_at(std::uint32_t begin) const {
    const auto found = std::partition_point(list_.begin() + token_, list_.end() - 1,
                                            [&](const Token& token) { return token.begin < begin; });
    return static_cast<std::uint32_t>(found - list_.begin());
  }

  void choice(Frame& frame) {
    const Node& node = nodes_[frame.node];
    const std::uint32_t run = frame.node + 1;
    if (run >= node.next || nodes_[run].next >= node.next) return;  // a value without conditions
    style_.choices.push_back({token_, last_of(node) + 1, {}, {}});
    frame.choice = static_cast<std::uint32_t>(style_.choices.size());
    style_.choice_at[token_] = frame.choice;
  }

  void where(const Node& node, Frame& frame) {
    style_.wheres.push_back({token_, last_of(node) + 1, {}, {}});
    frame.where = static_cast<std::uint32_t>(style_.wheres.size());
    style_.where_at[token_] = frame.where;
  }

  // A text that is a direct child of a statement.
  void prose(const Frame& parent) {
    if (!(is_item(parent.kind) || parent.kind == Syn::kind_field) || token_ < parent.first + 2) return;
    if (token_ == parent.last) return trailing(token_, Cell::prose);
    list_[token_].cell = Cell::lead;
  }

  // Marks the trailing part of a statement.
  void trailing(std::uint32_t token, Cell cell) {
    list_[token].gap.space = 2;
    list_[token].cell = cell;
    may_break(token, 0, kTrailing, {});
  }

  // Brackets, commas, '=', ':' and words of declarations.
  void mark(Frame& frame) {
    const NodeRow& row = row_of(frame.kind);
    const char sign = tokens_.text[list_[token_].begin];
    if ((row.bracket || row.block) && frame.open == kNone && (sign == '(' || sign == '[' || sign == '{')) {
      frame.open = token_;
      list_[token_].block = row.block;
      list_[token_].single = frame.kind == Syn::rubric || frame.kind == Syn::item_cohort;
      if (row.bracket) begin_contents();
      if (frame.kind == Syn::record) {
        style_.records.push_back({token_, token_, {}, {}});
        frame.record = static_cast<std::uint32_t>(style_.records.size());
        style_.record_at[token_] = frame.record;
      }
      if (frame.kind == Syn::item_context) list_[token_].cell = Cell::brace;
    } else if (frame.open != kNone && (sign == ')' || sign == ']' || sign == '}')) {
      list_[token_].partner = frame.open;
      list_[frame.open].partner = token_;
      if (frame.record > 0) style_.records[frame.record - 1].end = token_;
      list_[token_].block = row.block;
      frame.open = kNone;
    } else if (sign == ',') {
      comma(frame);
    } else if (sign == '=') {
      if (row.line) list_[token_].cell = Cell::equals;
      if (frame.kind == Syn::where_part) {
        style_.wheres[stack_[stack_.size() - 2].where - 1].aligned.push_back(token_);
      } else if (row.line) {
        // After a text, as in `dimension tone "How it reads" = …`, the line may end before the '='.
        if (tokens_.text[list_[token_ - 1].begin] == '"') may_break(token_, 0, kTrailing, {});
        begin_value(frame);
      }
    } else if (sign == ':' && frame.kind == Syn::keyed) {
      const Frame& record = stack_[stack_.size() - 3];
      if (record.record > 0) style_.records[record.record - 1].aligned.push_back(token_ + 1);
    } else if (sign == ':') {
      if (frame.kind == Syn::item_input || frame.kind == Syn::kind_field || frame.kind == Syn::item_dimension)
        list_[token_ + 1].cell = Cell::kind;
    } else if (shown(token_) == "at") {
      if (frame.kind == Syn::item_cap) list_[token_].cell = Cell::at;
      if (frame.kind == Syn::item_check) may_break(token_, 0, kPath, {});
    }
  }

  // If the author begins a line after a bracket, its contents are indented.
  void begin_contents() {
    Token& content = list_[token_ + 1];
    content.gap.breakable = content.gap.only_author = true;
    content.gap.anchor = {Anchor::From::bracket, 0, token_};
  }

  // A value may begin a line after its '='; a function's value does so before its parameters are broken.
  void begin_value(const Frame& frame) {
    Token& value = list_[token_ + 1];
    value.gap.breakable = true;
    value.gap.only_author = frame.kind != Syn::item_fn;
    value.gap.value = true;
    value.gap.rank = kPath;
    value.gap.anchor = {};
  }

  void comma(Frame& frame) {
    if (frame.kind == Syn::kind_record && frame.statement != kNone) {
      list_[frame.statement].last = token_;
    } else if (frame.kind == Syn::where) {
      style_.wheres[frame.where - 1].parts.push_back(token_ + 1);
      may_break(token_ + 1, frame.depth, kPart, {Anchor::From::token, 0, frame.first + 1});
    } else if (frame.kind == Syn::order) {
      may_break(token_ + 1, frame.depth, kOrder, {Anchor::From::token, 0, frame.first});
    } else if (row_of(frame.kind).bracket && frame.open != kNone) {
      may_break(token_ + 1, static_cast<std::uint16_t>(frame.depth + 1), kComma,
                {Anchor::From::bracket, 0, frame.open});
      if (frame.record > 0) style_.records[frame.record - 1].parts.push_back(token_ + 1);
    }
  }

  Tokens& tokens_;
  std::vector<Token>& list_;
  const std::vector<Node>& nodes_;
  Budget& budget_;
  Style style_;
  std::vector<Frame> stack_;
  std::uint32_t token_ = 0;
};

}  // namespace

Style style_of(Tokens& tokens, const std::vector<Node>& nodes, Budget& budget) {
  return Styler(tokens, nodes, budget).take();
}

}  // namespace assay::format
