// The meaning of a rubric: names resolved, types inferred, the scoring pipeline written out as ordinary named
// expressions. `check` makes a Model, `compile` reads it; neither sees the other's input. There is one kind of
// expression for everything: a composite is a weighted_sum, a cap is a choice of a minimum, a band is a lookup. So the
// compiler and the VM know no words of the rubric language, and a new word only affects the checker.
//
// Evaluating a rubric is a function: its parameters are the slots (the inputs of the record), the weights and the
// history; items are named values computed from them, each at most once, in dependency order, and only if needed.
#pragma once

#include "lang/model/lookup_table.hpp"
#include "lang/text/budget.hpp"
#include "lang/text/source.hpp"
#include "lang/value/type.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

enum class Builtin : std::uint16_t {
#define ASSAY_BUILTIN(id, ...) id,
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
};

enum class Op : std::uint8_t {
  constant,     // value
  local,        // index: a local of the function (parameters come first), or of the rubric for item expressions
  slot,         // index: a slot of the rubric
  weight,       // index: a weight of the rubric (a number given at evaluation time, or its default)
  raw_history,  // the list of earlier input records of the rubric (records of its slots)
  item,         // index: an item of the rubric
  let_in,       // index: local; args[0] = its value, args[1] = body
  choice,       // args[0] when args[1] is true, else args[2]
  and_,
  or_,
  xor_,  // three-valued, args[0], args[1]
  not_,
  eq,
  ne,  // deep equality, args of one type; missing when either is missing
  lt,
  le,
  gt,
  ge,          // numbers, or texts by code point
  in_range,    // args[0] number, args[1] range
  in_list,     // args[0] item, args[1] list
  in_map,      // args[0] text, args[1] map: is it a key
  is_missing,  // never missing
  is_kind,     // whether args[0], either or any, has the type that the AskedKind `index` tests; never missing
  as_kind,     // args[0] if it has that type, otherwise missing
  retype,      // args[0] as another type, which its value is known to have
  default_,    // args[0], or args[1] when that is missing
  add,
  sub,
  mul,
  div,
  pow,
  neg,
  concat,  // two lists of one type
  make_range,  // args[0] .. args[1]; either may be a missing constant: unbounded; open bounds in `index` bits 0 (low), 1 (high)
  make_record,  // args: the fields in the order of the type; never missing itself
  field,        // args[0] . fields[index]; missing of missing
  make_list,    // args: items
  make_map,     // args: values; names: keys
  map_get,      // args[0] map, args[1] text: missing when absent
  any_get,      // args[0] any, args[1] text or whole: a member or item of it, as any; missing if there is none
  list_get,     // args[0] list, args[1] whole, from 0: missing when outside
  call,         // function `index`, args
  builtin,      // Builtin `index`, args; numeric min/max take numbers or one list; results as documented in the .def
  apply,        // rubric `index` on the input record args[0]; the result has the rubric's verdict type. With `self` the
                // rubric's own weights are those in force, otherwise its defaults. Its history is empty.
  hook,         // hook `index`, args
  loop,         // loop
  lookup,       // table `index`, args: keys → the number of the first matching row (from 0), or missing
  pick,         // args[0]: row number; args[1]: a constant list with an item for each row (column of a table)
  join_text,    // parts; args
  weighted_sum,  // args: n values then n weights; missing when any value is
  adjust,        // args[0]: list of {name: text, amount: number, reason: text}; args[1]: cap or missing: each name once
                 // (the first), amounts that are missing or <= 0 left out, then the total cut to the cap from the end
  compact,       // args[0]: list, without its missing items
};

struct Loop;

struct TextSegment {
  std::string literal;
  int arg = -1;       // index in args, or -1: a literal
  int decimals = -1;  // for a number: fixed decimals; -1: shortest; -100 - n: n significant digits
};

struct Expr {
  Op op = Op::constant;
  bool optional = false;  // may be missing at run time
  bool self = false;      // apply
  TypeId type = kUnknown;
  std::uint32_t index = 0;
  Span span;
  Value value = missing_value();  // constant
  std::vector<Expr*> args;
  std::vector<std::string> names;  // make_map: keys; let_in: the name as written, if any
  std::vector<TextSegment> parts;  // join_text
  std::unique_ptr<Loop> loop;
};

enum class Collect : std::uint8_t { list, map, group, sum, count, any, all, min, max, product, mean };

struct LoopClause {
  enum class Kind : std::uint8_t { for_in, when, while_, let } kind = Kind::for_in;
  Expr* expr = nullptr;                 // for_in: a list or a map; when, while_: bool; let: any value
  int first = -1;                       // for_in: local for the index (whole) or key (text), or -1
  int second = -1;                      // for_in: local for the item or value, or -1; let: local for the value
  std::string first_name, second_name;  // as written, for explanations; empty: made by the checker
};
struct LoopOrder {
  bool higher = true;
  Expr* expr = nullptr;  // number, text or bool, or a list of these; missing last in either direction
};
// for clauses … : the value is computed for each combination that passes. The result is missing if an iterated value
// is. Collect::list: a list of all values, including missing ones (a condition `x is given` excludes them). map: later
// keys replace the value, but keep the place. group: text → list. Aggregates: as the built-in functions of that name;
// missing if a value is (any, all: three-valued).
struct Loop {
  std::vector<LoopClause> clauses;  // in order; the first is a for_in
  int state = -1;                   // local that carries the state, or -1
  std::string state_name;
  Expr* start = nullptr;  // evaluated once, before the loop
  Expr* next = nullptr;   // evaluated for each combination that passes, before the value
  Expr* key = nullptr;    // map, group: text
  Expr* value = nullptr;
  std::vector<LoopOrder> order;  // a stable sort of the passing combinations, before collecting
  Collect collect = Collect::list;
};

struct Function {
  std::string name;
  int rubric = -1;             // the body may use its items; -1: none
  std::vector<TypeId> params;  // locals 0 … n-1
  std::vector<std::string> param_names;
  int locals = 0;  // parameters included
  TypeId result = kUnknown;
  Expr* body = nullptr;
};

struct HookModel {
  std::string name;
  std::vector<Field> params;  // optional: may be missing, and the hook is still called
  TypeId result = kUnknown;
  bool result_optional = false;
  bool used = false;   // something calls it
  std::string path;    // of the file; empty: inline
  std::string source;  // Lua text
  Span span;           // of the declaration
  Span source_span;    // of the text, when inline
};

// ---- rubrics
struct Slot {
  std::string name;  // also its path in the record
  TypeId type = kUnknown;
  Presence presence = Presence::required;
  Value fallback = missing_value();  // defaulted
  std::string prose;
  Span span;
};

enum class ItemKind : std::uint8_t {
  input,
  let,
  gate,
  dimension,
  part,
  pipeline,
  band,
  output,
  flag,
  advice,
  rank,
  hidden
};

struct Item {
  ItemKind kind = ItemKind::let;
  std::string name;
  Expr* body = nullptr;
  TypeId type = kUnknown;
  bool optional = false;
  std::string prose;
  Span span;       // of the name in its declaration
  Span source;     // of the defining expression; begin == end: none was written
  int locals = 0;  // number of locals its body uses
};

// A rule that rejects a record if its condition is false (not if it is unknown).
struct Check {
  Expr* body = nullptr;  // a list of {path: text, message: text}, one for each violation; empty: none
  int locals = 0;
  std::string prose;      // what is said of a violation, with "…" for values; empty: nothing
  std::string condition;  // as written
  bool plain = false;     // the prose has no values
};
// `required when`: the record is rejected if the slot is missing and the condition is true.
struct RequiredWhen {
  int slot = 0;
  Expr* condition = nullptr;
  int locals = 0;
  std::string message;
};
// Rules of a rubric that is the type of an input: they run on each of its records, before anything else.
struct Embedded {
  int rubric = 0;
  Expr* body = nullptr;  // a list of {path: text, record: the input record}
  int locals = 0;
};

struct WeightModel {
  std::string name;       // a dimension or criterion: "safety" or "safety.risky_change"
  Number value;           // default
  bool settable = false;  // a top-level dimension, which a request may set
  Span span;
};
struct ContextModel {
  std::string name, prose;
  std::vector<std::pair<int, Number>> weights;  // index in weights
};
enum class WeightPolicy : std::uint8_t { fixed, exact, rescaled };

enum class FieldRole : std::uint8_t { key, band, band_attribute, output };
struct VerdictField {
  std::string name;
  int item = 0;
  int decimals = -1;  // -1: numbers unchanged (an input); -2: 12 significant digits; otherwise rounded
  FieldRole role = FieldRole::key;
};

inline constexpr std::string_view kFlagProse = "flags and their prose";  // a hidden item, for explanations

struct RankModel {
  int item = 0;
  bool higher = true;
};

struct LevelModel {
  Number level;
  std::string prose;
};
struct DimensionModel {  // for explanations and documents; items decide all numbers
  std::string name, prose;
  int weight = -1;  // index in weights; -1: advisory
  bool points = false;
  bool judged = false;
  int value = -1;                     // the item that its name refers to
  int score = -1, contribution = -1;  // items
  std::vector<DimensionModel> parts;
  std::vector<LevelModel> levels;
  Span span;
};

struct ExampleModel {
  std::string name;
  std::string given, history, context, weights, expect;  // JSON texts; empty: not given
  bool error = false;
  std::string error_path;
  Span span;
};

struct ScaleModel {
  bool declared = false;
  Interval range;
  int decimals = -1;
  int digits = -1;  // significant digits of all numbers that have no rule of their own; -1: 12
};

struct WeightingModel {
  std::vector<WeightModel> weights;
  WeightPolicy policy = WeightPolicy::fixed;
  Number total;
  std::vector<ContextModel> contexts;
};

struct HistoryModel {
  std::string by;  // slot name; empty: none
  bool used = false;
};

struct VerdictModel {
  std::vector<VerdictField> fields;  // in output order; rubric and version precede them and have no item
  int status = -1;                   // item with a text; -1: always eligible
  TypeId type = kUnknown;            // record of the fields that other expressions use …
  std::vector<int> items;            // … and the item of each
};

// What a rubric tells of a whole run. Both indices are those of pseudo-rubrics; -1: none.
struct CohortModel {
  int rubric = -1;  // of its cohort block, with the slots `records` (list of verdicts) and `rejected`
  // Of the 'each output's of that block, which are computed for one verdict at a time. Its slots are that verdict, its
  // place, and the values of the cohort's items `handed`.
  int each = -1;
  std::vector<int> handed;
  bool places = false;  // an 'each output' needs the place of its record
};

struct RubricModel {
  std::string name, version, prose;
  std::string scoring_hash;  // set once the file's rubric compiles (runtime/rubric/scoring_hash.hpp)
  Span span;
  std::vector<Slot> slots;       // slot 0 is the id
  TypeId input_type = kUnknown;  // record of the slots
  WeightingModel weighting;
  ScaleModel scale;
  HistoryModel history;
  std::vector<Item> items;
  std::vector<DimensionModel> dimensions;
  std::vector<RequiredWhen> required_when;
  std::vector<Embedded> embedded;
  std::vector<Check> checks;
  VerdictModel verdict;
  std::vector<RankModel> rank;
  std::vector<ExampleModel> examples;
  CohortModel cohort;
};

struct Model {
  TypeTable types;
  Arena constants;  // memory of constant values
  std::deque<Expr> expressions;
  std::deque<Function> functions;
  std::deque<LookupTable> tables;
  std::deque<HookModel> hooks;
  std::deque<RubricModel> rubrics;
  int main = -1;  // the last rubric of the file
};

// The text form for `assay show --model`.
std::string dump(const Model& model, Budget budget = Budget::without_limits());

}  // namespace assay
