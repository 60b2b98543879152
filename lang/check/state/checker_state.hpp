// The checker's intermediate data: bodies and their locals, functions, tables and their instances, a rubric with its
// names, items and dimensions, and the state of one run, shared by all parts.
#pragma once

#include "lang/check/state/name_map.hpp"
#include "lang/check/state/notes.hpp"
#include "lang/check/state/reports.hpp"
#include "lang/model/model.hpp"
#include "lang/proof/doubts.hpp"
#include "lang/syntax/ast.hpp"

#include <assay/importer.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace assay {

// One body being checked: a function, an item, a rule. Locals are numbered throughout the body.
struct Local {
  std::string name;
  TypeId type = kUnknown;
  bool optional = false;
  int id = 0;
  Expr* constant = nullptr;
};
// The type of x where the test `x is number` has been decided.
struct Answer {
  std::string place;       // the value's key: a name, or a part of one
  TypeId type = kUnknown;  // its type; unknown: this place cannot be reached
  AskedKind asked = AskedKind::number;
  bool given = false;  // it is not missing
};
struct Context {
  int rubric = -1;
  int locals = 0;
  std::vector<Local> scope;
  std::vector<Answer> answers;  // the last one of a place counts
  int instance = -1;            // index in Declared::instances, for the body of a function
  // Locals that hold an item of a list inside the function's own argument, and locals that hold a list of such items:
  // the items are smaller than the argument, so a recursive call on one of them ends.
  std::set<int> items_below, lists_below;
};

// A condition's width: what may follow it without being part of it is the parser's matter; here only types.
using Build = std::function<Expr*(Context&)>;

struct PendingItem {
  Build build;
  enum class State : std::uint8_t { waiting, building, built } state = State::waiting;
  bool used = false;
};

struct FnDecl {
  const ast::Fn* node = nullptr;
  int rubric = -1;
  bool used = false;
  bool copy = false;           // of another one, for a cohort
  std::vector<int> instances;  // in Declared::instances
};
// The rows of a CSV file: only the beginning of each cell in the text. A cell is read when it is needed.
struct CsvRows {
  ast::Rows head;  // without rows: only the names of the columns
  std::uint32_t file = 0;
  std::vector<bool> texts;            // columns of texts, whatever the form of their cells
  std::vector<std::uint32_t> begins;  // of the cells, row by row
  std::size_t size() const { return head.columns.empty() ? 0 : begins.size() / head.columns.size(); }
};
struct CsvCell {
  std::string_view text;
  Span span;
};
struct TableDecl {
  const ast::Table* node = nullptr;  // for bands: a node without rows, to call them by
  int rubric = -1;
  bool used = false;
  int state = 0;  // 0 not built, 1 building, 2 built
  int instances = 0;
  int table = -1;                 // index in Model::tables
  int row_item = -1;              // for bands: the item that builds it
  int key_decimals = -1;          // for bands over the score: the decimals of the scale
  std::vector<ast::Name> params;  // the keys
  std::vector<TypeId> keys;
  std::vector<std::string> columns;
  struct Column {
    TypeId type = kUnknown;
    bool optional = false;
    bool constant = true;
    std::span<Value> values;              // constant columns; owned by the model
    Expr* list = nullptr;                 // of these values, once an expression reads one
    Expr* json = nullptr;                 // the same, each as its JSON
    std::vector<const ast::Expr*> cells;  // otherwise
  };
  std::vector<Column> results;
  struct Asked {                  // the keys that all calls look up in a column
    TypeId type = kUnknown;       // of those that are not constant
    bool choices = false;         // some have a type with choices
    bool computed = false;        // some are numbers that are not constant
    const Expr* value = nullptr;  // the only one of these that a value of the rubric computes; else null
    std::set<std::string, std::less<>> constants;
  };
  std::vector<Asked> asked;
  Expr* rows = nullptr;                // without keys: a constant list of records
  bool doubted = false;                // it lacks rows, and that is noted
  std::vector<char> serve_missing;     // rows that only a missing key reaches; empty: none
  bool asked_missing = false;          // some key that is looked up may be missing
  bool withheld = false;               // bands over a score that may be missing: then there is no band
  const ast::Rows* written = nullptr;  // where these rows stand in the rubric
};
struct Instance {  // a function for given argument types
  int decl = -1;   // index in Declared::fns
  int function = -1;
  std::vector<TypeId> params;
  std::vector<bool> optional;
  bool result_optional = true;
  int state = 0;  // 1 building, 2 built
  bool recursive = false;
};

struct TableInstance {  // a table with formulas, for given key types
  int decl = -1, rubric = -1, function = -1;
  std::vector<TypeId> params;
  std::vector<bool> optional;
  bool built = false, result_optional = true;
};

// A `default`, and whether it had an effect in some call of its function, or in some pass over a loop's state.
struct Default {
  Span word;
  bool useful = false;
};

// Declarations of a rubric or a file other than values.
struct DeclaredNames {
  NameMap fns, tables, hooks;
  std::map<std::string, std::pair<const ast::TypeDecl*, int>, std::less<>> types;  // node, rubric
};

struct DimensionItems {
  int raw = -1;  // before caps and missing policy
  int value = -1, score = -1, contribution = -1;
  int given = -1;  // bool: whether it is backed by evidence
  const ast::Dimension* node = nullptr;
  std::string path;  // "safety.risky_change"
  int weight = -1;   // index in weights, -1: advisory
  bool skip = false;
  bool points = false;
  Interval beyond;  // what its formula can be, where that does not fit its points; otherwise without ends
  std::vector<DimensionItems> parts;
};

struct BandsItems {
  std::string name;
  std::size_t table = 0;  // in Declared::tables
  int row = -1;           // item: the number of the row, before caps
};

// The encoding of significant digits among the decimals of a verdict field, which are 0 or more.
inline int shown_digits(int digits) { return -100 - digits; }
inline int shown_decimals(const ast::Output& output) {
  return output.digits > 0 ? shown_digits(output.digits) : output.decimals;
}

// For a cohort, or the 'each output's of one.
struct CohortContext {
  int parent = -1;                      // of a cohort: its rubric; of its 'each output's: the cohort
  bool each = false;                    // these are the 'each output's
  std::map<int, std::uint32_t> handed;  // … which receive these items of the cohort, in these slots
};

struct DimensionsContext {
  std::vector<DimensionItems> all;
  int levels = 0;  // of parts below the dimensions
  std::map<std::string, DimensionItems*, std::less<>> by_name;
};

struct ItemNames {  // name → item
  NameMap own, inputs, pipeline, gates, contexts;
};

struct TypesContext {
  std::map<std::string, TypeId, std::less<>> ids;
  std::set<std::string, std::less<>> building;
};

struct VerdictContext {
  struct Output {
    std::string name;
    int decimals = -1;
    int item = -1;
  };
  std::vector<Output> outputs;  // in order
  std::vector<std::pair<std::string, int>>
      uncertain;            // bands with 'within', and the item that lists the possible bands
  int why_incomplete = -1;  // item; -1: use 'reason'
};

struct CheckProgress {
  bool items = false;  // declared; constants of declarations are looked up earlier
  bool declared = false, finished = false;
};

struct RubricContext {
  const ast::Rubric* node = nullptr;
  int index = -1;
  CohortContext cohort;
  std::vector<const ast::Item*> items;                            // merged with those of the extended rubric
  std::map<std::string_view, std::vector<const ast::Cap*>> caps;  // of `items`, by what they limit, in order
  int composite_before_caps = -1;                                 // item; -1: no cap limits the composite
  std::vector<BandsItems> bands;
  std::map<std::string_view, const ast::Input*> last_inputs;  // the last one to declare a name
  std::set<std::string, std::less<>> used_inputs;
  std::deque<PendingItem> pending;  // parallel to RubricModel::items; a deque, because building adds more
  std::vector<std::pair<int, const ast::Expr*>> required_when;  // slot, condition
  ItemNames by_name;
  DeclaredNames names;
  DimensionsContext dimensions;
  TypesContext types;
  VerdictContext verdict;
  bool weights_sound = true;  // otherwise their errors are reported, and their sum is not checked
  CheckProgress progress;
};

struct WeightSum {
  std::string sum, total;
  bool percentages = false;
};
struct Doubt {  // a warning to report if there is no error
  Code code;
  Span span;
  std::string message;
  FixIt help;
  const ast::Expr* node = nullptr;  // an expression with its own 'default' is not doubted
  std::vector<Fix> fixes{};         // other edits, the likeliest first
};

// All declarations in the files of a run.
struct Declared {
  std::vector<const ast::Rubric*> rubric_nodes;
  std::map<std::string, const ast::Rubric*, std::less<>> rubric_by_name;
  std::vector<std::unique_ptr<RubricContext>> rubrics;
  NameMap rubric_index;
  DeclaredNames file_names;
  std::deque<FnDecl> fns;
  std::deque<TableDecl> tables;
  std::deque<Instance> instances;
};

// Data about expressions, for the warnings that are proved at the end.
struct Noted {
  std::vector<Claim> claims;
  std::unordered_set<const Expr*> settings;  // constant conditions that come from a name: `let strict = false`
  std::set<const ast::Expr*> answered;       // expressions with a default
  Surroundings around;                       // of expressions
  std::unordered_map<const ast::Expr*, Interval> paths;                 // ranges of names and fields
  std::set<std::string> considered;                                     // names whose missing case something handles
  std::map<std::pair<std::uint32_t, std::uint32_t>, Default> defaults;  // by file and place
  std::vector<Doubt> doubts;                                            // reported if there is no error
  std::vector<Doubt> outside;                                           // of calls, if nothing handles a missing result
  std::vector<const ast::Expr*> same_sides;                             // operators with the same text on both sides
  std::vector<const ast::Expr*> squares;                                // x * x, x + x
};

// The state of one run, to which all parts of the checker refer. Data of a single subject is a member of its part.
struct CheckState {
  Budget& budget;
  Sources& sources;
  const Importer& importer;
  const std::size_t source_bytes;  // the limit for an imported file
  Diagnostics& diagnostics;
  Model& model;
  CheckNotes* notes;  // not owned; null: not needed
  Reports reports;
  Declared declared{};
  Noted noted{};
  std::function<void(RubricContext&)> declare{};                  // declares a rubric when it is first named
  std::unordered_map<const void*, std::size_t> constant_sizes{};  // by their fields or items
  std::deque<ast::Expr> synthetic{};                              // expressions made by the checker
  struct Building {
    int rubric, item;
    Span use;  // where its value was asked for
  };
  std::vector<Building> building{};  // the path of a cycle
  std::uint32_t main_file = 0;
  Knowledge ranges{model, budget, noted.settings};  // of what is built, for narrower types
};

}  // namespace assay
