// The syntax of a rubric file as a plain value: the text as written, in order, with the place of every part. Nothing
// here is resolved or checked, and no later stage adds to it: `check` builds a Model instead.
#pragma once

#include "lang/syntax/ast_expr.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/budget.hpp"
#include "lang/text/source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace assay::ast {

// ---- kinds: types as written
enum class KindTag { number, whole, boolean, text, one_of, list, set, map, record, any, either, named };
enum class Bound { less, less_equal, greater, greater_equal };  // "number > 0": greater
struct Kind;
using KindPtr = std::unique_ptr<Kind>;
enum class PolicyTag { required, optional, default_, missing, skip, required_when };
struct Policy {
  PolicyTag tag = PolicyTag::required;
  ExprPtr expr;  // default_, missing: the value; required_when: the condition
  Span span;
};
struct KindField {
  Name name;
  KindPtr kind;
  Policy policy;
  Text prose;
};
struct Kind {
  KindTag tag;
  Span span;
  ExprPtr low, high;                              // number a..b
  std::vector<std::pair<Bound, ExprPtr>> bounds;  // number >= a < b
  std::vector<Text> choices;                      // one of
  KindPtr element;                                // list, set, map
  std::vector<KindPtr> alternatives;              // either: a or b …
  bool brackets = false;                          // it is in parentheses
  bool optional_items = false;                    // list
  std::vector<KindField> fields;                  // record; 'a, b: kind' is expanded to two fields
                                                  // (their kind is parsed twice)
  std::string name;                               // named
};

// ---- tables: rows of cells between bars; the first row names the columns
struct CellBound {
  Bound bound;
  ExprPtr expr;
};
struct CellPattern {  // an alternative of a key cell: a value, a range, a bound, 'missing' or 'otherwise'
  enum class Tag { value, bound, missing, otherwise } tag = Tag::value;
  ExprPtr expr;  // value (a range is a value)
  std::vector<CellBound> bounds;
  Span span;
};
struct Cell {  // key cells use patterns; a cell of a single expression also fits the other columns
  std::vector<CellPattern> patterns;
  Span span;
};
struct Rows {
  std::vector<Name> columns;
  std::vector<std::vector<Cell>> rows;
  Span span;
};

// ---- items; parts(): the expressions, texts and types whose names mean the same as anywhere in the rubric (lang/names).
// A node without it introduces names of its own, or uses some that are not expressions.
struct Version {
  Text text;
  auto parts() const { return std::tie(text); }
};
struct Scale {
  bool open = false;
  ExprPtr low, high;                              // a..b
  std::vector<std::pair<Bound, ExprPtr>> bounds;  // '>= 0'
  int decimals = -1;
  int digits = -1;
};
struct Weights {
  bool rescaled = false;
  auto parts() const { return std::tuple(); }
};
struct HistoryBy {
  Name name;
};
struct TypeDecl {
  Name name;
  KindPtr kind;
  auto parts() const { return std::tie(kind); }
};
enum class Provenance : std::uint8_t { unsaid, judged, measured };
struct Input {
  std::vector<Name> names;
  KindPtr kind;
  Policy policy;
  Provenance provenance = Provenance::unsaid;  // who supplies it: 'judged', 'measured'
  Span provenance_span;
  Text prose;
  auto parts() const { return std::tie(kind, policy); }
};
struct Check {
  ExprPtr condition;
  std::unique_ptr<Loop> loop;
  ExprPtr path;
  Text prose;
};
struct Let {
  Name name;
  Body body;
  Text prose;
  auto parts() const { return std::tie(body); }
};
struct Param {
  Name name;
  KindPtr kind;
  bool optional = false;
};  // kind may be empty; optional: of a hook
struct Fn {
  Name name;
  std::vector<Param> params;
  Body body;
  Text prose;
  KindPtr result;
};  // result may be empty
struct Table {
  Name name;
  std::vector<Name> params;
  std::vector<bool> texts;  // for each parameter: "code: text", for the cells of a CSV file
  bool keyed = false;
  Rows rows;
  Text from;
  Text prose;
};
struct Hook {
  Name name;
  std::vector<Param> params;
  KindPtr result;
  bool optional = false;
  Text from;
  std::string source;
  Span source_span;
  Text prose;
};
struct Gate {
  Name name;
  Body body;
  Text prose;
  auto parts() const { return std::tie(body); }
};
struct Level {
  ExprPtr number;
  Text prose;
  Span span;
};
struct Dimension {
  bool criterion = false;  // written with this word
  Name name;
  KindPtr kind;  // may be empty
  ExprPtr weight, points;
  bool advisory = false;
  Policy policy;
  Body body;  // body.expr empty: judged, or the sum of its parts
  std::vector<Dimension> parts;
  std::vector<Level> levels;
  Text prose;
  Span span;
};
struct Composite {
  Body body;
  auto parts() const { return std::tie(body); }
};
struct Cap {
  Name target;
  ExprPtr at;
  ExprPtr when;
  Text prose;
};
struct Incomplete {
  ExprPtr when;
  Text prose;
  auto parts() const { return std::tie(when, prose); }
};
struct Adjustment {  // a deduction, a bonus
  AdjustmentKind kind{};
  Text label;  // a bare name becomes a plain text
  Body body;
  std::unique_ptr<Loop> loop;
  Text prose;
};
struct Bands {
  Name name;
  std::vector<Name> params;
  ExprPtr within;  // how far the key may be off; may be empty
  Rows rows;
};
struct Output {
  bool each = false;  // in a cohort: for each of its verdicts
  Name name;
  Body body;  // body.expr empty: shows the value of this name, declared elsewhere
  int decimals = -1;
  int digits = -1;
  Text prose;
  auto parts() const { return std::tie(body); }
};
struct Flag {
  Text label;
  std::unique_ptr<Loop> loop;
  ExprPtr when;
  Text prose;
};  // loop clauses may contain the 'when'
struct Advice {
  Text text;
  std::unique_ptr<Loop> loop;
  ExprPtr when;
};
struct Rank {
  std::vector<OrderKey> keys;
};
struct Item;
struct Cohort {
  std::vector<Item> items;
};
struct ContextWeight {
  Name name;
  ExprPtr weight;
};
struct Context {
  Name name;
  Text prose;
  std::vector<ContextWeight> weights;
};
struct Example {
  Text name;
  ExprPtr given, history, context, weights, expect;  // records and lists of constants; any may be empty
  bool error = false;
  Text error_path;  // 'error at path': the path as plain text
};
template <typename None, typename... Nodes>
using AnyOf = std::variant<Nodes...>;
// clang-format off
using AnyItem = AnyOf<void
#define ASSAY_DECLARATION(word, rule, node, ...) , node
#include "lang/syntax/declarations.def"
    >;
// clang-format on
struct Item {
  Span span;  // the whole declaration
  Span word;  // its first word
  AnyItem node;
};
inline const ItemRow& row_of(const Item& item) { return kItemRows[item.node.index()]; }

struct Rubric {
  Name name;
  Name extends;  // empty text: none
  Text prose;
  std::vector<Item> items;
  Span span;
};
struct Import {
  Text path;
  Span span;
};
struct File {
  std::uint32_t file = 0;
  std::vector<Import> imports;
  std::vector<Item> items;  // types, functions, tables and hooks outside any rubric
  std::vector<Rubric> rubrics;
};

// The text form for `assay show --ast`: one node per line, indented, stable, for comparing versions.
std::string dump(const File& file, Budget budget = Budget::without_limits());

// The same for comparing files: declarations that share a statement are separate, and numbers are represented by their
// value.
struct Line {
  int level = 0;
  std::string text;
  // Of a declaration: "dimension", "correctness". A line without a kind is a part of the preceding declaration.
  std::string kind, name;
  std::string extra, extra_role;  // further text of its line: "advisory", "decimals 2"
  Span extra_span;
  std::string role;  // for a part: "weight", "when", "=", the column of a cell
  Span span;         // for a declaration: its name, or its first word
  Span whole;        // for a declaration: all of it
};
std::vector<Line> lines(const File& file, Budget& budget);

}  // namespace assay::ast
