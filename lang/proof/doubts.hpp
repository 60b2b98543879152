// What a rubric says that cannot make a difference, or cannot be meant: conditions that always or never hold, comparisons
// beyond what a value can be, calls that are always missing, filters that drop items in silence, orders that repeat
// themselves. Reported as warnings, and only where it is proved for every record (see known.hpp).
#pragma once

#include "lang/proof/known.hpp"
#include "lang/syntax/ast.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace assay {

enum class Asked : std::uint8_t {  // what a written expression decides
#define ASSAY_CONDITION(role, always, never) role,
#include "lang/proof/conditions.def"
  lossy_filter,  // of a loop whose items count: an unknown condition drops an item
  part,          // a comparison, or a question after a missing value, wherever it stands
  call,          // of a function that may give nothing
};

struct Claim {
  Asked asked = Asked::part;
  const ast::Expr* node = nullptr;  // as it was written …
  const Expr* value = nullptr;      // … and what it means; the same text may mean several
  bool any_arguments = false;       // in a function whose arguments have no declared types
};

class Doubts {
 public:
  // `settings`: see Knowledge. `considered`: names of which the rubric says what holds when they are missing. `file`: of
  // which orders are looked at.
  Doubts(const Model& model, const Sources& sources, Diagnostics& diagnostics, Budget& budget,
         const std::unordered_set<const Expr*>& settings, const std::set<std::string>& considered)
      : model_(model),
        sources_(sources),
        diagnostics_(diagnostics),
        budget_(budget),
        known_(model, budget, settings),
        settings_(settings),
        considered_(considered) {}

  void claims(const std::vector<Claim>& claims);
  void ranks(const RubricModel& rubric, int index, std::uint32_t file);
  Knowledge& knowledge() { return known_; }

 private:
  struct Seen {  // of a written expression, over all that it means
    Claim claim;
    std::size_t order = 0;
    bool met = false, here_holds = false;
    bool holds = false, fails = false, missing = false;  // it may
    bool may_be_given = false;                           // a call
    const Expr* lost = nullptr;                          // what may be missing in a filter
    const Expr* first = nullptr;
    int rubric = -1;
    const Function* function = nullptr;
    Known left, right;  // the sides of a comparison
  };
  void walk(const Expr& e);
  void walk_loop(const Expr& e);
  void take(const Expr& e);
  void look(Seen& seen, const Expr& e);
  const Expr* may_be_lost(const Expr& e);
  void reads(TypeId type);
  void report_condition(const Seen& seen);
  bool report_part(const Seen& seen);
  bool report_percent(const Seen& seen);
  bool report_text_order(const Seen& seen);
  void report_never_missing(const Seen& seen);
  bool report_call(const Seen& seen);
  void report_filter(const Seen& seen);
  std::string why(const Seen& seen) const;
  std::string correction(const Seen& seen) const;
  std::string words(Span span) const;
  std::vector<std::string_view> in_their_order(const Expr& e, int rubric, bool& written) const;
  bool follows(const Expr& e, int rubric, const std::vector<std::uint32_t>& keys);
  void report(Code code, Span at, std::string message, WayOut help);

  const Model& model_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  Budget& budget_;
  Knowledge known_;
  const std::unordered_set<const Expr*>& settings_;
  const std::set<std::string>& considered_;
  std::unordered_set<TypeId> read_;  // types of what a record holds
  std::vector<Seen> seen_;
  std::unordered_map<const Expr*, std::vector<std::size_t>> by_value_;
  int rubric_ = -1;
  const Function* function_ = nullptr;
};

}  // namespace assay
