// Finds parts of a rubric that can have no effect, or cannot be intended: conditions that always or never hold,
// comparisons beyond the range of a value, calls that are always missing, filters that silently drop items, redundant
// sort keys. Reported as warnings, and only if proved for every record (see known.hpp).
#pragma once

#include "lang/proof/fixes.hpp"
#include "lang/proof/known/known.hpp"
#include "lang/syntax/ast.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay {

enum class Asked : std::uint8_t {  // the role of a written expression
#define ASSAY_CONDITION(role, always, never) role,
#include "lang/proof/conditions.def"
  lossy_filter,  // in a loop whose items count: an unknown condition drops an item
  lossy_repeat,  // the same of 'while': it ends the loop
  part,          // a comparison, or a test for missing, anywhere
  call,          // a call of a function that may return nothing
};

struct Claim {
  Asked asked = Asked::part;
  const ast::Expr* node = nullptr;  // as written …
  const Expr* value = nullptr;      // … and its meaning; the same text may have several
  bool any_arguments = false;       // in a function whose arguments have no declared types
};

// The places of written expressions, for edits of the text around them.
struct Surroundings {
  std::unordered_map<const ast::Expr*, const ast::Expr*>
      cases;                                                // a condition: its choice; a choice in an 'else': its own
  std::vector<Span> told;                                   // places that have a warning already
  std::map<std::string, Fix> optional;                      // an input: the edit that declares it optional
  std::unordered_map<const ast::Expr*, Span> declarations;  // for a condition: the declaration that only consists of it
  std::set<std::string> replaced;                           // inputs with a fallback: missing v
  struct Statement {
    Span declaration;
    std::string prose;
    bool passes;  // it states what must hold, as a gate does; false: why something applies, as a cap does
  };
  std::vector<Statement> statements;  // declarations of conditions with prose
};

class Doubts {
 public:
  // `settings`: see Knowledge. `considered`: names whose missing case the rubric handles. `file`: whose orders are
  // examined.
  Doubts(const Model& model, const Sources& sources, Diagnostics& diagnostics, Budget& budget,
         const std::unordered_set<const Expr*>& settings, const std::set<std::string>& considered,
         const Surroundings& around)
      : model_(model),
        sources_(sources),
        diagnostics_(diagnostics),
        budget_(budget),
        known_(model, budget, settings),
        settings_(settings),
        considered_(considered),
        around_(around) {}

  void claims(const std::vector<Claim>& claims);
  void ranks(const RubricModel& rubric, int index, std::uint32_t file);
  void gates_together(int rubric);  // finds gates that exclude each other, and checks that do
  void gates_implied(int rubric);   // and those that others imply
  void gates_leave(int rubric);     // and those that together leave one value of a number
  void idle_parts(int rubric);      // finds parts of conditions that change nothing beside another one
  void against_checks(int rubric);  // finds conditions that hold only for records that a check rejects
  bool implies(const ast::Expr& a, const ast::Expr& b);  // of conditions: wherever the first one holds, the second does
  Knowledge& knowledge() { return known_; }
  bool hopeless() const { return hopeless_; }  // some gate never passes
  bool told(Span condition) const;             // whether a part of it has a warning

 private:
  struct Seen {  // results for a written expression, over all its meanings
    Claim claim;
    std::size_t order = 0;
    bool met = false, here_holds = false;
    bool holds = false, fails = false, missing = false;  // possible results
    bool may_be_given = false;                           // for a call
    const Expr* lost = nullptr;                          // the possibly missing value in a filter
    const Expr* lost_list = nullptr;                     // the loop whose items it is one of
    const Expr* first = nullptr;
    int rubric = -1;
    const Function* function = nullptr;
    Known left, right;  // the sides of a comparison
  };
  bool exclude_each_other(int rubric, const std::vector<const Seen*>& conditions);
  void passed_together(int rubric, Asked asked);
  struct Bound;
  struct Part;
  std::vector<Part> compared_parts(const Seen& seen) const;
  std::vector<Bound> bounds_of_gates(int rubric) const;
  bool says_number(Span condition, Number n) const;
  static const char* effect(Asked asked, bool holds);  // of a condition that always or never holds
  static bool is_condition(Asked asked);
  const Seen* seen_condition(const ast::Expr& condition);
  void walk(const Expr& e);
  void walk_loop(const Expr& e);
  void take(const Expr& e);
  void look(Seen& seen, const Expr& e);
  const Expr* may_be_lost(const Expr& e);
  const Expr* lost_in(const Expr& e);
  bool items_lost(const Expr& list);
  void reads(TypeId type);
  void report_condition(const Seen& seen);
  bool report_part(const Seen& seen);
  bool report_percent(const Seen& seen);
  bool report_share(const Seen& seen);
  bool counts_points(const Expr& e, const Known& known, Number literal, int rubric) const;
  std::string counted_in(const ast::Expr& e) const;
  bool report_text_order(const Seen& seen);
  void report_never_missing(const Seen& seen);
  void ask_for_value(const Seen& seen, std::vector<Fix>& fixes) const;
  bool report_call(const Seen& seen);
  void report_filter(const Seen& seen);
  std::string why(const Seen& seen) const;
  std::string correction(const Seen& seen) const;
  const Seen* deciding_side(const Seen& seen) const;
  std::string words(Span span) const;
  std::vector<std::string_view> in_their_order(const Expr& e, int rubric, bool& written) const;
  Fix without_key(Span key) const;
  const Expr* behind(const Expr& value, int rubric) const;
  std::string bound_of_grade(const Expr& grade, std::string_view text, const std::string& sign, int rubric) const;
  std::string number_behind(const Expr& grade, int rubric) const;
  bool follows(const Expr& e, int rubric, const std::vector<std::uint32_t>& keys);
  Diagnostic& report(Code code, Span at, std::string message, FixIt help);
  // The side of a comparison that is one number, or null.
  static const Known* constant_side(const Known& left, const Known& right, const Known*& other);
  std::vector<Fix> other_forms_of(const Seen& seen) const;
  std::vector<Fix> other_cases(const ast::Expr& condition) const;
  void leave_out(const ast::Expr& condition, std::vector<Fix>& fixes) const;
  std::vector<Fix> as_stated(const Seen& seen, const std::string& prose) const;

  const Model& model_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  Budget& budget_;
  Knowledge known_;
  mutable NumberPool pool_;  // of numbers in suggestions
  const std::unordered_set<const Expr*>& settings_;
  const std::set<std::string>& considered_;
  const Surroundings& around_;
  std::unordered_set<TypeId> read_;               // types of values that a record holds
  std::set<int> each_;                            // parts of cohorts, whose slots hold computed values
  std::unordered_set<const Expr*> chained_;       // choices that other cases stand before
  std::unordered_set<const Expr*> first_;         // conditions of cases and filters that none stands before
  std::unordered_set<const Expr*> proved_given_;  // loops whose conditions leave no item that a record may lack
  const Expr* lost_list_ = nullptr;               // see Seen
  std::map<int, const LoopClause*> loop_locals_;  // of the loops around: the items, and values named in them
  std::vector<Seen> seen_;
  std::unordered_map<const Expr*, std::vector<std::size_t>> by_value_;
  int rubric_ = -1;
  const Function* function_ = nullptr;
  bool hopeless_ = false;
  bool unreached_ = false;  // what is looked at stands behind cases that take everything
  std::vector<Span> reported_;
  std::unordered_map<const ast::Expr*, std::size_t> conditions_;  // in seen_, of the rubric itself
};

inline const Expr& without_not(const Expr& e) { return e.op == Op::not_ ? *e.args[0] : e; }

}  // namespace assay
