// Checker: warnings about sums: a term that stands twice, or that makes the whole missing.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/words.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay {

namespace {

// The default that a rubric gives an input somewhere: "(tips default 0)". Empty: none, or it asks whether it is given.
std::string default_of(std::string_view file, const std::string& name) {
  const std::string before = name + " default ";
  const std::size_t at = file.find(before);
  const bool asked = file.find(name + " is given") != file.npos || file.find(name + " is missing") != file.npos;
  if (at == file.npos || asked || (at > 0 && is_name_character(file[at - 1]))) return {};
  std::size_t end = at + before.size();
  while (end < file.size() && (is_name_character(file[end]) || file[end] == '.')) ++end;
  return "(" + std::string(file.substr(at, end - at)) + ")";
}

}  // namespace

// let total = pay + tips, where tips are optional, and count as 0 elsewhere: tips default 0.
void DoubtChecker::doubt_lost_sums(RubricContext& rc) {
  const std::string_view file = sources_.file(rc.node->span.file).text;
  std::map<std::string, std::string> meant_by;  // by input
  for (const ast::Body* body : bodies_of(rc)) {
    std::set<const ast::Expr*> replaced;  // parts of a value with a default
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::binary && e.text == "default")
        each_expr(budget_, *e.args[0], [&replaced](const ast::Expr& part) { replaced.insert(&part); });
    });
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (e.kind != ast::ExprKind::binary || e.text != "+") return;
      for (const ast::ExprPtr& side : e.args) doubt_open_choice(rc, *side, replaced);
      for (const ast::ExprPtr& side : e.args) {
        const auto input = rc.last_inputs.find(side->text);
        if (side->kind != ast::ExprKind::name || replaced.count(side.get()) > 0 || input == rc.last_inputs.end() ||
            input->second->policy.tag != ast::PolicyTag::optional)
          continue;
        const auto [at, fresh] = meant_by.emplace(side->text, std::string());
        if (fresh) at->second = default_of(file, side->text);
        const std::string& meant = at->second;
        if (meant.empty()) continue;
        doubt(
            Code::lost_sum, side->span, rc.index,
            "a record may lack '" + side->text + "', and then this sum is missing as well; elsewhere it has a default",
            "write " + meant);
        if (is_own(side->span, rc.index)) state_.noted.doubts.back().fixes = {{{side->span, meant}}};
      }
    });
  }
}

// price + extra, of let extra = 6.5 when express: without it the sum is missing.
void DoubtChecker::doubt_open_choice(RubricContext& rc, const ast::Expr& side,
                                     const std::set<const ast::Expr*>& replaced) {
  if (side.kind != ast::ExprKind::name || replaced.count(&side) > 0 || state_.noted.considered.count(side.text) > 0)
    return;
  for (const ast::Item* item : rc.items) {
    const auto* let = std::get_if<ast::Let>(&item->node);
    const ast::Expr* e = let != nullptr && let->name.text == side.text ? let->body.expr.get() : nullptr;
    const bool open = e != nullptr && e->kind == ast::ExprKind::choice && (e->args.size() < 3 || !e->args[2]) &&
                      e->args[0]->kind == ast::ExprKind::number;
    if (!open || !is_own(e->span, rc.index)) continue;
    const auto told = [e](const Doubt& d) { return d.code == Code::lost_sum && d.span.begin == e->span.begin; };
    if (std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), told)) continue;
    doubt(
        Code::lost_sum, e->span, rc.index,
        "'" + side.text + "' is missing unless " + short_text(e->args[1]->span) + ", and then so is every sum with it",
        FixIt("write " + source_text(e->span) + " else 0", source_text(e->span) + " else 0", false));
  }
}

namespace {

// A term of a sum, and whether it is subtracted.
struct SumTerm {
  const ast::Expr* e;
  bool taken;
};

// The terms of a + b - c, from the last to the first; the sums within it are noted.
std::vector<SumTerm> terms_of_sum(const ast::Expr& e, std::set<const ast::Expr*>& inner) {
  std::vector<SumTerm> terms;
  const ast::Expr* left = &e;
  for (; is_binary(*left, "+") || is_binary(*left, "-"); left = left->args[0].get()) {
    terms.push_back({left->args[1].get(), left->text == "-"});
    inner.insert(left->args[0].get());
  }
  terms.push_back({left, false});
  return terms;
}

// The only one of the inputs that are declared with a term which is not in its sum: passives of promoters + promoters +
// detractors; or the only field of its record: r.tax of r.gross - r.fees - r.fees.
std::string term_left_out(const RubricContext& rc, const std::vector<SumTerm>& terms, const ast::Expr& term) {
  const bool field = term.kind == ast::ExprKind::field && term.args[0]->kind == ast::ExprKind::name;
  const std::string base = field ? term.args[0]->text : std::string();
  if (!field && term.kind != ast::ExprKind::name) return {};
  const auto input = rc.last_inputs.find(field ? base : term.text);
  if (input == rc.last_inputs.end()) return {};
  std::vector<std::string> beside;
  for (const ast::Name& name : input->second->names) {
    if (!field) beside.push_back(name.text);
  }
  if (field && input->second->kind) {
    for (const ast::KindField& one : input->second->kind->fields) beside.push_back(one.name.text);
  }
  std::erase_if(beside, [&](const std::string& name) {
    return std::any_of(terms.begin(), terms.end(), [&](const SumTerm& t) {
      return t.e->kind == term.kind && t.e->text == name && (!field || t.e->args[0]->text == base);
    });
  });
  constexpr std::size_t kFewest = 3;
  const std::size_t all =
      field && input->second->kind ? input->second->kind->fields.size() : input->second->names.size();
  return beside.size() != 1 || all < kFewest ? std::string() : field ? base + "." + beside[0] : beside[0];
}

// What may be meant by the second of two equal terms, by its opposite: min(xs) for max(xs), 'lowest' for 'highest'.
std::string opposite_term(const RubricContext& rc, const std::vector<SumTerm>& terms, const ast::Expr& term,
                          const std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kOpposite[] = {
      {"max", "min"}, {"min", "max"}, {"first", "last"}, {"last", "first"}};
  for (const auto& [call, other] : kOpposite) {
    if (term.kind == ast::ExprKind::call && term.text == call) return std::string(other) + text.substr(call.size());
  }
  const auto free = [&terms](std::string_view name) {
    return std::none_of(terms.begin(), terms.end(), [name](const SumTerm& t) { return t.e->text == name; });
  };
  std::string found;
  const auto look = [&](const std::string& name) {
    const auto words = only_difference(term.text, name);
    if (words && free(name) && are_opposites(words->first, words->second)) found = name;
  };
  if (term.kind != ast::ExprKind::name) return {};
  for (const auto& [name, item] : rc.by_name.own) look(std::string(name));
  for (const auto& [name, item] : rc.by_name.inputs) look(std::string(name));
  return found;
}

}  // namespace

// spring + autumn + spring; sum(marks) - highest - highest
void DoubtChecker::doubt_repeated_terms(const RubricContext& rc, const ast::Expr& e,
                                        std::set<const ast::Expr*>& inner) {
  const std::vector<SumTerm> terms = terms_of_sum(e, inner);
  constexpr std::size_t kFewest = 3;
  if (terms.size() < kFewest) return;
  const auto added = std::count_if(terms.begin(), terms.end(), [](const SumTerm& t) { return !t.taken; });
  for (auto at = terms.begin(); at != terms.end(); ++at) {
    const ast::Expr& term = *at->e;
    const std::string text = source_text(term.span);
    const bool again = std::any_of(at + 1, terms.end(), [&](const SumTerm& other) {
      return other.taken == at->taken && other.e->kind == term.kind && source_text(other.e->span) == text;
    });
    if (!again || (!is_path(term) && term.kind != ast::ExprKind::call)) continue;
    std::string meant = term_left_out(rc, terms, term);
    const bool beside = !meant.empty();
    if (!beside) meant = opposite_term(rc, terms, term, text);
    // Twice the margin may be taken off on purpose.
    if (meant.empty() && (at->taken || added < static_cast<std::ptrdiff_t>(kFewest) || !is_path(term))) continue;
    doubt(Code::counted_twice, term.span, rc.index,
          "'" + short_text(term.span) + (at->taken ? "' is taken off twice here" : "' stands in this sum twice"),
          meant.empty() ? FixIt("write 2 * " + short_text(term.span) + " if it counts twice, or leave one out")
          : beside
              ? FixIt("write " + meant + ", which is declared beside the others, in place of one")
              : FixIt("write " + meant + " in place of one, or 2 * " + short_text(term.span) + " if it counts twice"));
    if (!meant.empty() && is_own(e.span, rc.index)) state_.noted.doubts.back().fixes = {{{term.span, meant}}};
    return;
  }
}

// hours * rate + surcharge default 0, which is 0 without a surcharge; spring + autumn + spring.
void DoubtChecker::doubt_sums(RubricContext& rc) {
  const auto optional = [&rc](const ast::Expr& e) {
    const auto input = rc.last_inputs.find(e.text);
    return e.kind == ast::ExprKind::name && input != rc.last_inputs.end() &&
           input->second->policy.tag == ast::PolicyTag::optional;
  };
  const auto sum = [](const ast::Expr& e) {
    return e.kind == ast::ExprKind::binary && (e.text == "+" || e.text == "-");
  };
  for (const ast::Body* body : bodies_of(rc)) {
    std::set<const ast::Expr*> inner;  // sums within sums
    each_expr(budget_, *body->expr, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::binary && e.text == "default" && sum(*e.args[0]) && e.args[1]->text == "0") {
        const ast::Expr& last = *e.args[0]->args[1];
        bool others = false;
        each_expr(budget_, *e.args[0]->args[0], [&](const ast::Expr& part) { others = others || optional(part); });
        if (optional(last) && !others) {
          doubt(Code::lost_sum, e.span, rc.index,
                "without '" + last.text + "' all of this is 0: 'default' replaces the whole sum",
                "parentheses around the last two let it replace only '" + last.text + "'");
          if (is_own(e.span, rc.index))
            state_.noted.doubts.back().fixes = {
                {{last.span, "(" + last.text + " default 0)"}, {{e.span.file, last.span.end, e.span.end}, ""}}};
        }
      }
      if (!sum(e)) return;
      if (inner.count(&e) == 0) doubt_repeated_terms(rc, e, inner);
    });
  }
}

}  // namespace assay
