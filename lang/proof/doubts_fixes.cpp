// See doubts.hpp: shares that are compared with points, and edits that resolve a warning about a condition. They bring its numbers to another scale or to those of its
// prose, reverse its operators, exchange its case with another one, or remove it.
#include "lang/proof/doubts.hpp"
#include "lang/proof/prose.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <optional>

namespace assay {

const Known* Doubts::constant_side(const Known& left, const Known& right, const Known*& other) {
  const auto single = [](const Known& k) {
    return finite(k.range) && compare(k.range.low, k.range.high) == 0 && !k.missing;
  };
  other = single(right) ? &left : &right;
  return single(right) ? &right : single(left) ? &left : nullptr;
}

// The condition with its numbers on the scale of what they are compared with, and in the other forms.
std::vector<Fix> Doubts::other_forms_of(const Seen& seen) const {
  std::vector<Fix> fixes;
  const ast::Expr* node = seen.claim.node;
  if (node->kind == ast::ExprKind::unary && node->text == "not") node = node->args[0].get();
  bool passes = seen.claim.asked == Asked::gate || seen.claim.asked == Asked::rule;
  if (node->kind == ast::ExprKind::binary && node->args.size() == 2) {
    for (const std::size_t side : {1U, 0U}) {
      const Interval& range = side == 1 ? seen.left.range : seen.right.range;
      Fix fix = rescaled(*node->args[side], range, pool_);
      // count(xs) >= 6 of a list of 3 is on no other scale
      const bool counted =
          node->args[1 - side]->text == "count" && !range.high.missing() && compare(range.high, whole(10)) < 0;
      if (!fix.empty() && !counted) fixes.push_back(std::move(fix));
    }
  }
  for (const Surroundings::Statement& stated : around_.statements) {
    const Span whole = stated.declaration;
    if (node->span.file != whole.file || node->span.begin < whole.begin || node->span.end > whole.end) continue;
    std::vector<Fix> said = as_stated(seen, stated.prose);
    fixes.insert(fixes.begin(), said.begin(), said.end());
    passes = stated.passes;
  }
  // A strict bound below all values: the lowest of them may be the one that is meant not to count. A bound beyond all of
  // them, wins >= 10 of 8: their end.
  const Known* other = nullptr;
  if (const Known* constant = constant_side(seen.left, seen.right, other); constant && seen.holds != seen.fails) {
    const std::size_t side = constant == &seen.left ? 0 : 1;
    const Interval& range = other->range;
    const std::string_view op = side == 1 ? std::string_view(node->text) : turned(node->text);
    const Number end = op == (seen.holds ? ">" : "<=")   ? range.low
                       : op == (seen.holds ? "<" : ">=") ? range.high
                                                         : kMissing;
    if (!end.missing() && node->args.size() == 2 && node->args[side]->kind == ast::ExprKind::number)
      fixes.push_back({{node->args[side]->span, shortest_text(end)}});
  }
  // x == 0, where a record may lack x
  if (node->kind == ast::ExprKind::binary && node->text == "==" && seen.left.missing && !seen.right.missing)
    fixes.push_back({{node->span, std::string(sources_.text(node->args[0]->span)) + " is missing"}});
  if (deciding_side(seen) == nullptr) other_forms(*node, passes, seen.claim.asked == Asked::part, fixes);
  // all / part >= 80%, where part / all is meant
  for (const ast::ExprPtr& side : node->args) {
    if (!side || side->kind != ast::ExprKind::binary || side->text != "/") continue;
    fixes.push_back({{side->args[0]->span, std::string(sources_.text(side->args[1]->span))},
                     {side->args[1]->span, std::string(sources_.text(side->args[0]->span))}});
  }
  return fixes;
}

// The side of 'attempt <= 3 or ill' that always holds by itself, beside one about something else: then 'and' is not meant.
const Doubts::Seen* Doubts::deciding_side(const Seen& seen) const {
  const ast::Expr& node = *seen.claim.node;
  if (node.kind != ast::ExprKind::binary || node.text != "or") return nullptr;
  const auto about = [this](const ast::Expr& e) {
    return sources_.text((e.kind == ast::ExprKind::binary ? *e.args[0] : e).span);
  };
  if (about(*node.args[0]) == about(*node.args[1])) return nullptr;
  const auto side = std::find_if(seen_.begin(), seen_.end(), [&node](const Seen& part) {
    const bool own = part.claim.node == node.args[0].get() || part.claim.node == node.args[1].get();
    return own && part.claim.asked == Asked::part && part.met && part.holds && !part.fails && !part.missing;
  });
  return side == seen_.end() ? nullptr : &*side;
}

// For a share that is compared with points, and a side that holds by itself.
std::string Doubts::correction(const Seen& seen) const {
  if (const Seen* side = deciding_side(seen))
    return words(side->claim.node->span) + " holds by itself" + why(*side) + "; correct it, or leave the condition out";
  const Known* other = nullptr;
  const Known* constant = constant_side(seen.left, seen.right, other);
  if (constant == nullptr || !finite(other->range)) return {};
  const Number n = constant->range.low;
  const bool share = sign(other->range.low) >= 0 && compare(other->range.high, whole(1)) == 0;
  if (share && compare(n, whole(1)) > 0 && compare(n, whole(100)) <= 0)
    return "a share of 1 is compared with a share: write " + shortest_text(n) + "%";
  return {};
}

const Doubts::Seen* Doubts::seen_condition(const ast::Expr& condition) {
  const bool first = conditions_.empty();
  for (std::size_t i = 0; first && i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    if (is_condition(seen.claim.asked) && seen.first != nullptr && seen.function == nullptr)
      conditions_.emplace(seen.claim.node, i);
  }
  const auto at = conditions_.find(&condition);
  return at == conditions_.end() ? nullptr : &seen_[at->second];
}

bool Doubts::implies(const ast::Expr& a, const ast::Expr& b) {
  const Seen *one = seen_condition(a), *other = seen_condition(b);
  if (one == nullptr || other == nullptr || one->rubric != other->rubric || !one->holds) return false;
  known_.enter(one->rubric, nullptr);
  known_.assume(*one->first, Outcome::holds);
  const Known then = known_.here(*other->first);
  return known_.possible() && !then.missing && !then.no;
}

// bonus complete = 5 when errors == 0 and fixed >= 3, where a check rejects what has fixed > errors.
void Doubts::against_checks(int index) {
  std::vector<const Seen*> rules;
  for (const Seen& seen : seen_) {
    if (seen.claim.asked == Asked::rule && seen.rubric == index && seen.first != nullptr && seen.holds && seen.fails)
      rules.push_back(&seen);
  }
  constexpr std::size_t kMost = 20;
  if (rules.empty() || rules.size() > kMost) return;
  for (const Seen& seen : seen_) {
    const bool asked = is_condition(seen.claim.asked) && seen.claim.asked != Asked::rule &&
                       seen.claim.asked != Asked::filter && seen.claim.asked != Asked::repeat;
    const ast::Expr& node = *seen.claim.node;
    if (!asked || seen.rubric != index || seen.first == nullptr || seen.function != nullptr || !seen.holds ||
        !seen.here_holds || told(node.span))
      continue;
    const auto rejects = [&](const Seen* rule, Outcome outcome) {
      known_.enter(index, nullptr);
      known_.assume(*seen.first, outcome);
      if (!known_.possible()) return false;
      const Known then = known_.here(*rule->first);
      return !then.yes && !then.missing;
    };
    for (const Seen* rule : rules) {
      const bool holding = rejects(rule, Outcome::holds);
      if (!holding && (!seen.fails || !rejects(rule, Outcome::does_not_hold))) continue;
      Diagnostic& d =
          report(holding ? Code::always_false : Code::always_true, node.span,
                 std::string(effect(seen.claim.asked, !holding)) + ": a check rejects every record for which " +
                     words(node.span) + (holding ? " holds" : " does not hold"),
                 "correct the condition, or the check");
      d.notes.push_back(diagnostics_.note(rule->claim.node->span, "the check"));
      break;
    }
  }
  for (const Seen& seen : seen_) {  // marks[5], after check count(marks) == 5
    const Span span = seen.claim.node->span;
    if (seen.claim.asked != Asked::call || seen.rubric != index || seen.first == nullptr || !seen.may_be_given ||
        seen.first->op != Op::list_get || seen.function != nullptr || told(span))
      continue;
    for (const Seen* rule : rules) {
      known_.enter(index, nullptr);
      known_.assume(*rule->first, Outcome::does_not_fail);
      if (!known_.possible() || known_.here(*seen.first).given) continue;
      Diagnostic& d =
          report(Code::always_missing, span, words(span) + " is always missing: a check leaves the list no such place",
                 "the first item is [0], and last(list) the last one");
      d.notes.push_back(diagnostics_.note(rule->claim.node->span, "the check"));
      break;
    }
  }
}

void Doubts::gates_together(int index) {
  passed_together(index, Asked::gate);
  passed_together(index, Asked::rule);
}

// Whether no record passes all of these conditions, though each one passes some.
bool Doubts::exclude_each_other(int index, const std::vector<const Seen*>& conditions) {
  bool alone = true, all = true;
  for (const bool turned : {false, true}) {
    known_.enter(index, nullptr);
    for (std::size_t i = 0; i < conditions.size() && known_.possible(); ++i) {
      known_.assume(*conditions[turned ? conditions.size() - 1 - i : i]->first, Outcome::holds);
      alone = alone && (i > 0 || known_.possible());
    }
    all = all && known_.possible();
  }
  return alone && !all;
}

// Each of several gates, or of several checks, passes some record, and none passes all. A check that is not known passes.
void Doubts::passed_together(int index, Asked asked) {
  std::vector<const Seen*> gates;
  for (const Seen& seen : seen_) {
    if (seen.claim.asked != asked || seen.rubric != index || seen.first == nullptr || !seen.holds) continue;
    if (asked == Asked::gate || !seen.missing) gates.push_back(&seen);
  }
  constexpr std::size_t kMost = 20;
  if (gates.size() > kMost) return;
  std::erase_if(gates, [this](const Seen* gate) { return told(gate->claim.node->span); });
  std::vector<const Seen*> excluded;
  for (std::size_t i = 1; i < gates.size() && excluded.empty(); ++i) {
    for (std::size_t k = 0; k < i && excluded.empty(); ++k) {
      if (exclude_each_other(index, {gates[i], gates[k]})) excluded = {gates[i], gates[k]};
    }
  }
  if (excluded.empty() && gates.size() > 2 && exclude_each_other(index, gates)) {
    excluded = gates;
    for (const Seen* gate : gates) {  // without those that take no part in it
      std::vector<const Seen*> others = excluded;
      std::erase(others, gate);
      if (exclude_each_other(index, others)) excluded = std::move(others);
    }
    std::reverse(excluded.begin(), excluded.end());
  }
  if (excluded.empty()) return;
  hopeless_ = hopeless_ || asked == Asked::gate;
  const ast::Expr& node = *excluded.front()->claim.node;
  const std::string kind = asked == Asked::gate ? "gate" : "check";
  std::vector<Fix> fixes;
  std::string all;
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    if (i > 0) all += i + 1 < excluded.size() ? ", " : " and ";
    all += words(excluded[i]->claim.node->span);
    if (excluded.size() == 2) other_forms(*excluded[i]->claim.node, true, false, fixes);
  }
  Diagnostic& d = report(
      Code::always_false, node.span,
      "no record passes " +
          (excluded.size() == 2 ? "both this " + kind + " and an earlier one: " : "all of these " + kind + "s: ") +
          all + " never hold together",
      asked == Asked::gate ? "correct one of them: an eligible record passes all gates"
                           : "correct one of them: a check names what every record must meet");
  for (std::size_t i = 1; i < excluded.size(); ++i)
    d.notes.push_back(diagnostics_.note(excluded[i]->claim.node->span, (i == 1 ? "the other " : "and this ") + kind));
  offer(diagnostics_, d, fixes);
}

namespace {

// Whether two gates bound one value on the same side: hours >= 5 and hours >= 50. That there is something at all (> 0) is
// a reason of its own.
bool bound_alike(const Sources& sources, const ast::Expr& weak, const ast::Expr& strong) {
  const auto bound = [](const ast::Expr& e) {
    return e.kind == ast::ExprKind::binary && e.args.size() == 2 && e.args[1]->kind == ast::ExprKind::number &&
           (e.text == ">" || e.text == ">=" || e.text == "<" || e.text == "<=");
  };
  if (!bound(weak) || !bound(strong) || weak.text[0] != strong.text[0]) return false;
  const bool some = weak.text == ">" ? weak.args[1]->text == "0" : weak.text == ">=" && weak.args[1]->text == "1";
  return !some && sources.text(weak.args[0]->span) == sources.text(strong.args[0]->span);
}

}  // namespace

// A gate that holds wherever another one does: hours >= 5 beside hours >= 50. Both have to hold, so it changes nothing.
void Doubts::gates_implied(int index) {
  std::vector<const Seen*> gates;
  for (const Seen& seen : seen_) {
    const bool asks = seen.claim.asked == Asked::gate && seen.rubric == index && seen.first != nullptr;
    if (asks && seen.holds && seen.fails && !told(seen.claim.node->span)) gates.push_back(&seen);
  }
  constexpr std::size_t kMost = 20;
  if (gates.size() > kMost) return;
  const auto implies = [this, index](const Seen& one, const Seen& other) {
    known_.enter(index, nullptr);
    known_.assume(*one.first, Outcome::holds);
    const Known then = known_.here(*other.first);
    return known_.possible() && then.yes && !then.no && !then.missing;
  };
  for (const Seen* weak : gates) {
    for (const Seen* strong : gates) {
      if (weak == strong || !bound_alike(sources_, *weak->claim.node, *strong->claim.node) ||
          !implies(*strong, *weak) || implies(*weak, *strong))
        continue;
      const ast::Expr &node = *weak->claim.node, &other = *strong->claim.node;
      Diagnostic& d = report(Code::always_true, node.span,
                             "this gate changes nothing: " + words(node.span) + " holds wherever " + words(other.span) +
                                 " does, which a gate asks as well",
                             "write what it is about, or leave it out");
      d.notes.push_back(diagnostics_.note(other.span, "the other gate"));
      break;
    }
  }
}

// A comparison with a number that a gate demands, by itself or beside others.
struct Doubts::Bound {
  const ast::Expr* node;
  const Expr* value;
};

std::vector<Doubts::Bound> Doubts::bounds_of_gates(int index) const {
  std::vector<Bound> bounds;
  for (const Seen& seen : seen_) {
    if (seen.claim.asked != Asked::gate || seen.rubric != index || seen.first == nullptr) continue;
    std::vector<Bound> open = {{seen.claim.node, seen.first}};
    while (!open.empty()) {
      const Bound b = open.back();
      open.pop_back();
      budget_.step();
      if (b.node->kind != ast::ExprKind::binary || b.node->args.size() != 2 || b.value->args.size() != 2) continue;
      const bool both = b.node->text == "and" && b.value->op == Op::and_;
      for (std::size_t i = 2; both && i-- > 0;) open.push_back({b.node->args[i].get(), b.value->args[i]});
      const bool order =
          b.value->op == Op::lt || b.value->op == Op::le || b.value->op == Op::gt || b.value->op == Op::ge;
      if (order && b.node->args[1]->kind == ast::ExprKind::number && !told(b.node->span)) bounds.push_back(b);
    }
  }
  return bounds;
}

// Whether the prose around a condition has this number.
bool Doubts::says_number(Span condition, Number n) const {
  return std::any_of(around_.statements.begin(), around_.statements.end(), [&](const Surroundings::Statement& stated) {
    const Span whole = stated.declaration;
    if (condition.file != whole.file || condition.begin < whole.begin || condition.end > whole.end) return false;
    const std::vector<SaidNumber> said = numbers_said(stated.prose, pool_);
    return std::any_of(said.begin(), said.end(), [n](const SaidNumber& one) { return compare(one.value, n) == 0; });
  });
}

// gate enough = pages >= 5 and gate short = pages <= 5: all that passes has 5 pages, which 'pages == 5' would say.
void Doubts::gates_leave(int index) {
  const std::vector<Bound> bounds = bounds_of_gates(index);
  constexpr std::size_t kMost = 20;
  if (bounds.size() > kMost) return;
  const auto one = [](const Known& known) -> std::optional<Number> {
    const bool single = finite(known.range) && compare(known.range.low, known.range.high) == 0;
    return single ? std::optional(known.range.low) : std::nullopt;
  };
  const auto left_by = [&](const std::vector<const Bound*>& held, const Expr& of) {
    known_.enter(index, nullptr);
    for (const Bound* b : held) known_.assume(*b->value, Outcome::holds);
    return known_.possible() ? known_.here(of) : Known();
  };
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Bound &here = bounds[i], &other = bounds[k];
      if (here.node->text[0] == other.node->text[0] ||
          sources_.text(here.node->args[0]->span) != sources_.text(other.node->args[0]->span))
        continue;
      const Expr& of = *here.value->args[0];
      const std::optional<Number> left = one(left_by({&here, &other}, of));
      if (!left || one(left_by({&here}, of)) || one(left_by({&other}, of))) continue;
      const Number n = *left;
      if (says_number(here.node->span, n) && says_number(other.node->span, n)) continue;  // its author knows
      const std::string name(sources_.text(here.node->args[0]->span)), number = shortest_text(n);
      Diagnostic& d = report(Code::one_value, here.node->span,
                             "of " + words(here.node->args[0]->span) + " only " + number + " passes both " +
                                 words(other.node->span) + " and " + words(here.node->span),
                             "correct one of them, or write " + name + " == " + number + " in their place");
      d.notes.push_back(diagnostics_.note(other.node->span, "the other bound"));
      return;
    }
  }
}

// The numbers of the condition as its prose says them.
std::vector<Fix> Doubts::as_stated(const Seen& seen, const std::string& prose) const {
  std::vector<Fix> fixes;
  const ast::Expr* node = seen.claim.node;
  const std::vector<SaidNumber> said = numbers_said(prose, pool_);
  if (node->kind != ast::ExprKind::binary || node->args.size() != 2 || said.empty() || said.size() > 3) return fixes;
  for (const std::size_t side : {1U, 0U}) {
    const ast::Expr& literal = *node->args[side];
    const Interval& range = side == 1 ? seen.left.range : seen.right.range;
    const auto fits = [&](const SaidNumber& n) { return !n.percent && holds(range, n.value); };
    if (literal.kind == ast::ExprKind::range && said.size() == 2 && fits(said[0]) && fits(said[1]))
      fixes.push_back({{literal.args[0]->span, shortest_text(said[0].value)},
                       {literal.args[1]->span, shortest_text(said[1].value)}});
    if (literal.kind != ast::ExprKind::number) continue;
    for (const SaidNumber& n : said) {
      if (std::string text = shortest_text(n.value); fits(n) && text != literal.text)
        fixes.push_back({{literal.span, std::move(text)}});
    }
  }
  return fixes;
}

// The case of this condition in the place of an earlier one, and that one here.
std::vector<Fix> Doubts::other_cases(const ast::Expr& condition) const {
  std::vector<Fix> fixes;
  const auto here = around_.cases.find(&condition);
  if (here == around_.cases.end()) return fixes;
  const auto case_of = [](const ast::Expr& choice) {
    return Span{choice.span.file, choice.args[0]->span.begin, choice.args[1]->span.end};
  };
  constexpr std::size_t kMost = 4;
  const Span mine = case_of(*here->second);
  for (auto before = around_.cases.find(here->second); before != around_.cases.end() && fixes.size() < kMost;
       before = around_.cases.find(before->second)) {
    const Span theirs = case_of(*before->second);
    fixes.push_back({{theirs, std::string(sources_.text(mine))}, {mine, std::string(sources_.text(theirs))}});
  }
  return fixes;
}

void Doubts::leave_out(const ast::Expr& condition, std::vector<Fix>& fixes) const {
  const auto whole = around_.declarations.find(&condition);
  if (whole == around_.declarations.end()) return;
  Span span = whole->second;
  const std::string_view text = sources_.file(span.file).text;
  while (span.begin > 0 && (text[span.begin - 1] == ' ' || text[span.begin - 1] == '\t')) --span.begin;
  if (span.begin > 0 && text[span.begin - 1] == '\n') --span.begin;
  fixes.push_back({{span, ""}});
}

// ---- shares of 1 that are compared with percentages or points

namespace {

bool is_percent(const ast::Expr& e) { return e.kind == ast::ExprKind::number && e.text.ends_with('%'); }

// passed / tests, which is a share whatever the two may be; not 100 * passed / tests.
bool is_share(const ast::Expr& e) {
  const auto plain = [](const ast::ExprPtr& part) {
    return part->kind == ast::ExprKind::name || part->kind == ast::ExprKind::field || part->kind == ast::ExprKind::call;
  };
  return e.kind == ast::ExprKind::binary && e.text == "/" && std::all_of(e.args.begin(), e.args.end(), plain);
}

// 100 * part / all, which counts percent.
bool is_in_percent(const ast::Expr& e) {
  if (e.kind != ast::ExprKind::binary || (e.text != "*" && e.text != "/")) return false;
  const auto hundred = [](const ast::Expr& part) { return part.kind == ast::ExprKind::number && part.text == "100"; };
  if (e.text == "*") return hundred(*e.args[0]) || hundred(*e.args[1]);
  return is_in_percent(*e.args[0]);
}

}  // namespace

bool Doubts::report_percent(const Seen& seen) {
  const ast::Expr& node = *seen.claim.node;
  if (!seen.met || seen.first == nullptr || node.kind != ast::ExprKind::binary || node.args.size() != 2) return false;
  for (std::size_t side = 0; side < 2; ++side) {
    const ast::Expr& literal = *node.args[side];
    const Known& other = side == 0 ? seen.right : seen.left;
    const ast::Expr* percent = is_percent(literal) ? &literal : nullptr;
    if (literal.kind == ast::ExprKind::range && literal.args.size() == 2) {
      for (const ast::ExprPtr& end : literal.args) {
        if (is_percent(*end)) percent = end.get();
      }
    }
    if (percent == nullptr || is_percent(*node.args[1 - side]) || is_share(*node.args[1 - side])) continue;
    const std::string digits = percent->text.substr(0, percent->text.size() - 1);
    const bool zero = digits.find_first_not_of("0._") == digits.npos;
    if (!zero && is_in_percent(*node.args[1 - side])) {
      report(Code::percent_of_points, percent->span,
             words(node.args[1 - side]->span) + " counts percent, and " + percent->text + " is a share of 1",
             FixIt("write " + digits, digits, false));
      return true;
    }
    if (zero || !finite(other.range) || compare(other.range.high, whole(10)) < 0) continue;
    if (seen.claim.any_arguments) continue;
    // 60% of a maximum of 20 is 12 points; on a scale of 100 it is 60.
    std::string points = digits;
    NumberPool pool;
    if (Number share; parse_decimal(digits, share, pool, true)) {
      points.clear();
      write_shortest(div(mul(share, other.range.high, pool), whole(100), pool), points);
    }
    report(Code::percent_of_points, percent->span,
           words(node.args[1 - side]->span) + " is" + range_text(other.range) + ", and " + percent->text +
               " is a share of 1",
           FixIt("write " + points + " for points", points, false));
    return true;
  }
  return false;
}

// Whether a value is a mark of the rubric, or of the record, that counts points.
bool Doubts::counts_points(const Expr& e, const Known& known, Number literal, int rubric) const {
  if (!finite(known.range) || sign(known.range.low) != 0 || rubric < 0) return false;
  const RubricModel& model = model_.rubrics[static_cast<std::size_t>(rubric)];
  const bool large = compare(mul(literal, whole(2), pool_), whole(1)) >= 0;
  const bool hundred = compare(known.range.high, whole(100)) == 0;
  if (known.whole && compare(known.range.high, whole(5)) >= 0) return true;
  if (compare(known.range.high, whole(10)) < 0) return false;
  if (e.op == Op::item) {
    const ItemKind kind = model.items[e.index].kind;
    const bool judged = kind == ItemKind::dimension || kind == ItemKind::part || kind == ItemKind::pipeline;
    return judged && (large || (hundred && compare(mul(literal, whole(5), pool_), whole(1)) >= 0));
  }
  if (e.op != Op::slot || !hundred || !large) return false;
  // Less than 1 of 100 is a usual limit of what should not be.
  static constexpr std::string_view kBad[] = {
      "err",    "fail",  "loss",  "lost",  "defect", "rate",  "miss", "drop", "crash", "bounce", "churn",  "wast",
      "reject", "fault", "delta", "drift", "dev",    "noise", "fals", "bug",  "leak",  "incid",  "return", "complain"};
  std::string name = model.slots[e.index].name;
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return std::none_of(std::begin(kBad), std::end(kBad),
                      [&name](std::string_view bad) { return name.find(bad) != name.npos; });
}

// A number below 1, or a percentage, where points or things are counted.
bool Doubts::report_share(const Seen& seen) {
  const ast::Expr& node = *seen.claim.node;
  if (!seen.met || seen.first == nullptr || seen.claim.any_arguments) return false;
  if (node.kind != ast::ExprKind::binary || node.args.size() != 2) return false;
  const Expr& e = without_not(*seen.first);
  if (!compares(e.op)) return false;
  for (std::size_t side = 0; side < 2; ++side) {
    const ast::Expr& literal = *node.args[side];
    const ast::Expr& other = *node.args[1 - side];
    if (literal.kind != ast::ExprKind::number || other.kind == ast::ExprKind::number) continue;
    const bool percent = is_percent(literal);
    Number n;
    if (!parse_decimal(literal.text.substr(0, literal.text.size() - (percent ? 1 : 0)), n, pool_, true)) continue;
    if (percent) n = div(n, whole(100), pool_);
    if (sign(n) <= 0 || compare(n, whole(1)) >= (percent ? 1 : 0)) continue;
    const Known& known = side == 0 ? seen.right : seen.left;
    const std::string name = words(other.span);
    const bool unbounded = known.whole && !known.range.low.missing() && known.range.high.missing();
    if (unbounded) {
      const std::string of = counted_in(other);
      FixIt fix("compare it with a number of them, or divide it by how many there are");
      if (!of.empty()) {
        const std::string share = std::string(sources_.text(other.span)) + " / " + of;
        const std::string text(sources_.text(literal.span));
        fix = FixIt(fix.words, side == 1 ? share + ' ' + node.text + ' ' + text : text + ' ' + node.text + ' ' + share,
                    false);
      }
      report(Code::percent_of_points, node.span, name + " counts, and " + literal.text + " is a share of 1",
             std::move(fix));
      return true;
    }
    if (percent || !counts_points(*e.args[1 - side], known, n, seen.rubric)) continue;
    // Below 1 of 10 may be what is nearly nothing; that much is rarely asked for.
    const bool at_least = side == 1 ? e.op == Op::ge || e.op == Op::gt : e.op == Op::le || e.op == Op::lt;
    if (!at_least && !known.whole && compare(known.range.high, whole(50)) < 0) continue;
    const std::string points = shortest_text(mul(n, known.range.high, pool_));
    report(Code::percent_of_points, literal.span,
           name + " is" + range_text(known.range) + ", and " + literal.text + " is almost nothing of it",
           FixIt("write " + points + " for " + literal.text + " of " + shortest_text(known.range.high), points, false));
    return true;
  }
  return false;
}

// How many `count(x for x in list when …)` may be at most: "count(list)". Empty: it is no such call.
std::string Doubts::counted_in(const ast::Expr& e) const {
  if (e.kind != ast::ExprKind::call || e.text != "count" || !e.loop || e.loop->clauses.empty()) return {};
  const ast::Clause& over = e.loop->clauses.front();
  if (e.loop->clauses.size() != 2 || e.loop->clauses[1].kind != ast::ClauseKind::when || !over.expr) return {};
  return "count(" + std::string(sources_.text(over.expr->span)) + ")";
}

}  // namespace assay
