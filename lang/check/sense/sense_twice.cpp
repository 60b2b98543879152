// See sense_checker.hpp. Finds anything that is counted twice.
#include "lang/check/sense/sense_checker.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace assay {

// A deduction or bonus about one thing.
struct SenseChecker::Adjusts {
  const ast::Item* item = nullptr;
  const ast::Adjustment* node = nullptr;
  std::string condition;  // it is a constant when this holds, or its formula; empty: it grows with the input itself
  std::string path;       // the only input that it grows with; empty: several
};

// As written, without blanks.
std::string SenseChecker::squeezed(Span span) const {
  std::string text = source_text(span);
  std::erase_if(text, is_white_space);
  return text;
}

// The formula of a value that is only the name of another one: let seniority = experience.
const ast::Body& SenseChecker::behind_names(const RubricContext& rc, const ast::Body& body) {
  const ast::Body* of = &body;
  constexpr int kMostNames = 8;
  for (int level = 0; level < kMostNames && of->where.empty() && of->expr->kind == ast::ExprKind::name; ++level) {
    const auto let = std::find_if(rc.items.begin(), rc.items.end(), [of](const ast::Item* item) {
      const auto* node = std::get_if<ast::Let>(&item->node);
      return node != nullptr && node->name.text == of->expr->text && node->body.expr;
    });
    if (let == rc.items.end()) break;
    of = &std::get<ast::Let>((*let)->node).body;
  }
  return *of;
}

// The same record and the same verdict under two names, or another verdict.
void SenseChecker::doubt_examples(RubricContext& rc) {
  std::map<std::string, const ast::Example*> seen;
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Example>(&item->node);
    if (node == nullptr || !node->given || !node->expect || !node->name.plain()) continue;
    std::string all;
    for (const ast::ExprPtr* part : {&node->given, &node->history, &node->context, &node->weights})
      all += (*part ? squeezed((*part)->span) : std::string()) + '|';
    const auto [at, fresh] = seen.emplace(std::move(all), node);
    const std::string name = node->name.str(), other = at->second->name.str();
    if (fresh || other == name) continue;
    const ast::Expr &expect = *node->expect, &before = *at->second->expect;
    if (squeezed(expect.span) == squeezed(before.span)) {
      doubt(Code::repeated_example, node->name.span, rc.index,
            "this example gives and expects the same as \"" + other + '"', "give what its name says, or leave it out");
      continue;
    }
    for (std::size_t i = 0; i < expect.fields.size() && i < expect.args.size(); ++i) {
      for (std::size_t k = 0; k < before.fields.size() && k < before.args.size(); ++k) {
        const ast::Expr &value = *expect.args[i], &earlier = *before.args[k];
        const bool plain = value.kind == ast::ExprKind::number || value.kind == ast::ExprKind::text ||
                           value.kind == ast::ExprKind::boolean;
        if (expect.fields[i].text != before.fields[k].text || !plain || value.kind != earlier.kind) continue;
        Number a, b;
        const bool numbers_read = value.kind == ast::ExprKind::number &&
                                  parse_decimal(value.text, a, numbers(), true) &&
                                  parse_decimal(earlier.text, b, numbers(), true);
        const std::string text = squeezed(earlier.span);
        if (numbers_read ? compare(a, b) == 0 : text == squeezed(value.span)) continue;
        doubt(Code::impossible_expectation, value.span, rc.index,
              "\"" + other + "\" gives the same record, and expects " + expect.fields[i].text + ": " + text,
              "one of them cannot come out: correct what is given, or what is expected");
        state_.noted.doubts.back().ways = {{{value.span, source_text(earlier.span)}}};
      }
    }
  }
}

namespace {

// Where a name stands in a text by itself, from a position on.
std::size_t name_in(std::string_view text, std::string_view name, std::size_t from) {
  for (std::size_t at = text.find(name, from); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name_character(text[at - 1])) && (end == text.size() || !is_name_character(text[end])))
      return at;
  }
  return text.npos;
}

}  // namespace

// gate lights = brakes >= 5, below gate brakes = brakes >= 5: a copy in which only the name was changed.
void SenseChecker::doubt_copies(RubricContext& rc) {
  struct Named {
    std::string kind, name, condition;
  };
  std::vector<Named> earlier;
  const auto is_value = [&rc](const std::string& name) {
    return rc.by_name.inputs.count(name) > 0 || rc.dimensions.by_name.count(name) > 0;
  };
  for (const ast::Item* item : rc.items) {
    const auto* gate = std::get_if<ast::Gate>(&item->node);
    const auto* flag = std::get_if<ast::Flag>(&item->node);
    const ast::Expr* e = nullptr;
    if (gate != nullptr) e = gate->body.where.empty() ? gate->body.expr.get() : nullptr;
    if (flag != nullptr && !flag->loop && flag->label.plain()) e = flag->when.get();
    if (e == nullptr || !is_own(e->span, rc.index)) continue;
    Named here{gate != nullptr ? "gate" : "flag", gate != nullptr ? gate->name.text : flag->label.str(),
               source_text(e->span)};
    for (const Named& other : earlier) {
      if (gate != nullptr && other.kind == here.kind && other.condition == here.condition && !is_value(here.name)) {
        doubt(Code::counted_twice, e->span, rc.index,
              "the gate '" + here.name + "' has the condition of the gate '" + other.name + "', so it changes nothing",
              "write what it is about, or leave it out");
        break;
      }
      const bool own = name_in(here.condition, here.name, 0) != std::string::npos;
      if (other.kind != here.kind || other.condition != here.condition || own || !is_value(here.name) ||
          name_in(here.condition, other.name, 0) == std::string::npos)
        continue;
      std::string meant = here.condition;
      for (std::size_t at = name_in(meant, other.name, 0); at != meant.npos;
           at = name_in(meant, other.name, at + here.name.size()))
        meant.replace(at, other.name.size(), here.name);
      doubt(Code::counted_twice, e->span, rc.index,
            "the " + here.kind + " '" + here.name + "' has the condition of the " + here.kind + " '" + other.name +
                "', and does not read '" + here.name + "'",
            "write " + meant);
      state_.noted.doubts.back().ways = {{{e->span, meant}}};
      break;
    }
    earlier.push_back(std::move(here));
  }
}

void SenseChecker::doubt_twice(RubricContext& rc) {
  const bool contexts = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    return std::holds_alternative<ast::Context>(item->node);
  });
  struct Counts {
    const DimensionItems* d;
    Leans leans;
    std::string text;
  };
  std::vector<Counts> dimensions;
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) {
    const ast::Body& body = d->node->body;
    if (!body.expr || d->weight < 0) continue;
    Counts here{d, slope_.of(rc, body, false), squeezed(behind_names(rc, body).span())};
    for (const Counts& other : dimensions) {
      if (contexts || here.leans.empty() || here.text != other.text) continue;
      doubt(Code::counted_twice, body.expr->span, rc.index,
            "'" + d->node->name.text + "' has the same value as '" + other.d->node->name.text +
                "', so it counts twice under two names",
            "compute it from something else, or give one of them both weights");
      break;
    }
    dimensions.push_back(std::move(here));
  }
  std::vector<Adjusts> earlier;
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Adjustment>(&item->node);
    if (!node || node->loop || !node->body.expr || !node->label.plain()) continue;
    const std::string said = node->label.str() + " " + (node->prose.plain() ? node->prose.str() : "");
    if (says(said, WordRole::again)) continue;
    const ast::Expr& e = *node->body.expr;
    const bool choice = e.kind == ast::ExprKind::choice;
    const bool constant = choice && e.args[0]->kind == ast::ExprKind::number && (e.args.size() < 3 || !e.args[2]);
    Adjusts here{item, node, constant ? squeezed(e.args[1]->span) : std::string(), {}};
    const Leans leans = slope_.of(rc, node->body, true);
    const bool one = leans.size() == 1 && leans.begin()->second.way == Lean::Way::rises;
    if (one && (constant || e.kind == ast::ExprKind::name || (e.kind == ast::ExprKind::binary && e.text == "*")))
      here.path = leans.begin()->first;
    if (here.condition.empty() && here.path.empty() && !leans.empty()) here.condition = squeezed(e.span);  // a formula
    if (here.condition.empty() && here.path.empty()) continue;
    const std::string kind(row_of(node->kind).word), label = node->label.str();
    const auto same = std::find_if(earlier.begin(), earlier.end(), [&here](const Adjusts& other) {
      return here.condition == other.condition && (!here.condition.empty() || here.path == other.path);
    });
    Span line = item->span;
    const std::string_view file = sources_.file(line.file).text;
    while (line.begin > 0 && (file[line.begin - 1] == ' ' || file[line.begin - 1] == '\t')) --line.begin;
    if (line.begin > 0 && file[line.begin - 1] == '\n') --line.begin;
    const Way without = {{line, ""}};
    const std::string thing = here.condition.empty() ? here.path : short_text(constant ? e.args[1]->span : e.span);
    if (same != earlier.end()) {
      const bool both = same->node->kind == node->kind;
      if (!both && excused(said)) continue;
      doubt(Code::counted_twice, e.span, rc.index,
            "the " + kind + " '" + label + "' and the " + std::string(row_of(same->node->kind).word) + " '" +
                same->node->label.str() + "' are for the same: " + thing,
            both ? "leave one of them out, or write the sum as one " + kind
                 : "one of them takes back what the other one does: leave one out");
      if (is_own(e.span, rc.index)) state_.noted.doubts.back().ways = {without};
    }
    const bool taken = node->kind == AdjustmentKind::deduction;
    const auto counts = std::find_if(dimensions.begin(), dimensions.end(), [&](const Counts& of) {
      if (here.path.empty() || excused(said) || of.leans.size() != 1 || of.leans.begin()->first != here.path)
        return false;
      if (of.leans.begin()->second.way != (taken ? Lean::Way::falls : Lean::Way::rises)) return false;
      const ast::Expr& body = *of.d->node->body.expr;
      const bool whole_choice = body.kind == ast::ExprKind::choice;
      if (here.condition.empty()) return !whole_choice;
      return whole_choice && squeezed(body.args[1]->span) == here.condition;
    });
    if (same == earlier.end() && counts != dimensions.end()) {
      doubt(Code::counted_twice, e.span, rc.index,
            "the " + kind + " '" + label + "' is for " + thing + ", which counts in '" + counts->d->node->name.text +
                "' already",
            "leave one of them out");
      if (is_own(e.span, rc.index)) state_.noted.doubts.back().ways = {without};
    }
    earlier.push_back(std::move(here));
  }
}

}  // namespace assay
