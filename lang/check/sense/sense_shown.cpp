// See sense_checker.hpp. Compares what a text or a name says of percent with the range of the value.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <set>
#include <variant>

namespace assay {

WrittenParts written_parts(const ast::Item& item) {
  WrittenParts parts;
  const auto expr = [&parts](const ast::ExprPtr& e) {
    if (e) parts.exprs.push_back(e.get());
  };
  std::visit(
      [&](const auto& node) {
        if constexpr (requires { node.prose.parts; }) parts.texts.push_back(&node.prose);
        if constexpr (requires { node.label.parts; }) parts.texts.push_back(&node.label);
        if constexpr (requires { node.text.parts; }) parts.texts.push_back(&node.text);
        if constexpr (requires { node.when.get(); }) parts.when = node.when.get(), expr(node.when);
        if constexpr (requires { node.condition.get(); }) expr(node.condition);
        if constexpr (requires { node.body.expr; }) {
          expr(node.body.expr);
          for (const ast::Where& w : node.body.where) expr(w.expr);
        }
        if constexpr (requires { node.loop->clauses; }) {
          for (std::size_t i = 0; node.loop && i < node.loop->clauses.size(); ++i) expr(node.loop->clauses[i].expr);
        }
        if constexpr (requires { node.keys; }) {
          for (const ast::OrderKey& key : node.keys) expr(key.expr);
        }
      },
      item.node);
  return parts;
}

namespace {

bool is_hundred(const ast::Expr& e) { return e.kind == ast::ExprKind::number && e.text == "100"; }

// x, of x * 100 and 100 * x; null: another expression.
const ast::Expr* times_hundred(const ast::Expr& e) {
  if (!is_binary(e, "*") || is_hundred(*e.args[0]) == is_hundred(*e.args[1])) return nullptr;
  return e.args[is_hundred(*e.args[0]) ? 1 : 0].get();
}

bool says_percent(std::string_view behind) {
  while (behind.starts_with(' ')) behind.remove_prefix(1);
  return behind.starts_with('%') || behind.starts_with("percent") || behind.starts_with("per cent");
}

}  // namespace

// The formula behind a name.
const ast::Expr& SenseChecker::formula_of(const ast::Expr& of) const {
  const auto let = std::find_if(named_.begin(), named_.end(), [&of](const Named& n) {
    return n.kind == "value" && of.kind == ast::ExprKind::name && n.name == of.text;
  });
  return let == named_.end() ? of : *let->e;
}

// Whether a value is a part of one: its range is 0..1, or it divides some of a list by all of it.
bool SenseChecker::is_share(RubricContext& rc, const ast::Expr& e, int level) {
  constexpr int kMostLevels = 4;
  if (level > kMostLevels || e.kind == ast::ExprKind::number) return false;
  const Interval range = slope_.range(rc, e);
  const auto input = e.kind == ast::ExprKind::name ? rc.by_name.inputs.find(e.text) : rc.by_name.inputs.end();
  const bool whole_input =
      input != rc.by_name.inputs.end() && types_[model(rc).items[static_cast<std::size_t>(input->second)].type].whole;
  if (finite(range))
    return !whole_input && sign(range.low) >= 0 && sign(range.high) > 0 && compare(range.high, whole(1)) <= 0;
  if (e.kind == ast::ExprKind::name) {
    const ast::Expr& body = meant_by(e);
    return &body != &e && is_share(rc, body, level + 1);
  }
  const bool one_of = e.kind == ast::ExprKind::call && e.args.size() == 1 && e.args[0] &&
                      has_word("mean median min max first last", e.text);
  if (one_of) return is_path(*e.args[0]) && e.loop && is_share(rc, *e.args[0], level + 1);
  if (is_binary(e, "-")) return e.args[0]->text == "1" && is_share(rc, core_of(*e.args[1]), level + 1);
  if (!is_binary(e, "/")) return false;
  const ast::Expr &part = meant_by(*e.args[0]), &all = meant_by(*e.args[1]);
  if (is_path(part) && is_path(all)) return counts_some(part.text, all.text);
  const auto over = [](const ast::Expr& call) -> const ast::Expr* {
    const bool adds = call.kind == ast::ExprKind::call && (call.text == "count" || call.text == "sum");
    if (!adds) return nullptr;
    if (call.loop) return call.loop->clauses.empty() ? nullptr : call.loop->clauses[0].expr.get();
    return call.args.size() == 1 ? call.args[0].get() : nullptr;
  };
  const ast::Expr *some = over(part), *total = over(all);
  if (some == nullptr || total == nullptr || !part.loop || part.loop->clauses.size() < 2 || part.text != all.text ||
      source_text(some->span) != source_text(total->span))
    return false;
  const bool same =
      part.text == "count" || (all.loop && source_text(part.args[0]->span) == source_text(all.args[0]->span));
  return same && (!all.loop || all.loop->clauses.size() < part.loop->clauses.size());
}

// "Only {coverage decimals 0}% of the weight", which is 0 or 1; "{marks * 100}%" of marks that are 0..100
void SenseChecker::doubt_percents_shown(RubricContext& rc) {
  std::vector<const ast::Text*> texts;
  std::vector<const ast::Expr*> exprs;
  for (const ast::Item* item : rc.items) {
    const WrittenParts parts = written_parts(*item);
    texts.insert(texts.end(), parts.texts.begin(), parts.texts.end());
    exprs.insert(exprs.end(), parts.exprs.begin(), parts.exprs.end());
  }
  const auto large = [&](const ast::Expr& e) {
    const Interval range = slope_.range(rc, e);
    return finite(range) && compare(range.high, whole(10)) > 0;
  };
  Compared numbers_of;
  std::set<std::string> shares;  // what the rubric compares with a percentage, or multiplies by 100 where it is shown
  for (const ast::Expr* root : exprs) {
    each_expr(budget_, *root, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::text) texts.push_back(&e.literal);
      doubt_percent_counted(rc, e);
      const bool compared = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
      if (compared && e.args[1]->kind == ast::ExprKind::number && e.args[1]->text.ends_with('%') && !large(*e.args[0]))
        shares.insert(squeezed(e.args[0]->span));
      Number n;
      if (compared && e.args[0]->kind == ast::ExprKind::name && e.args[1]->kind == ast::ExprKind::number &&
          parse_decimal(e.args[1]->text, n, numbers(), true))
        numbers_of[e.args[0]->text].push_back(n);
    });
  }
  doubt_percent_of_one(rc, numbers_of);
  const auto each_percent = [&texts](const auto& look) {
    for (const ast::Text* text : texts) {
      for (std::size_t i = 0; i + 1 < text->parts.size(); ++i) {
        const ast::TextPart &part = text->parts[i], &behind = text->parts[i + 1];
        if (part.expr && !behind.expr && says_percent(behind.literal)) look(*part.expr);
      }
    }
  };
  each_percent([&](const ast::Expr& e) {
    if (const ast::Expr* of = times_hundred(e); of != nullptr && !large(*of)) shares.insert(squeezed(of->span));
  });
  each_percent([&](const ast::Expr& e) {
    const std::string text = source_text(e.span);
    if (const ast::Expr* of = times_hundred(e)) {
      const Interval range = slope_.range(rc, *of);
      const bool percent =
          is_path(*of) && finite(range) && sign(range.low) == 0 && compare(range.high, whole(100)) == 0;
      if (percent)
        tell(rc, Code::other_unit, e.span, "'" + short_text(of->span) + "' is 0..100, so it is a percentage already",
             "write {" + source_text(of->span) + "}", {{{e.span, source_text(of->span)}}});
      return;
    }
    if (e.kind == ast::ExprKind::number || (shares.count(squeezed(e.span)) == 0 && !is_share(rc, e, 0))) return;
    const bool product = is_path(e) || e.kind == ast::ExprKind::call || is_binary(e, "/") || is_binary(e, "*");
    const std::string meant = (product ? text : "(" + text + ")") + " * 100";
    tell(rc, Code::other_unit, e.span,
         "'" + short_text(e.span) + "' is a share of 0..1, and the text shows it as a percentage",
         "write {" + meant + "}", {{{e.span, meant}}});
  });
  for (const Named& value : named_) {  // output late_percent = late / all
    const bool shown = value.kind == "output" ||
                       std::find(value.shown_as.begin(), value.shown_as.end(), value.name) != value.shown_as.end();
    const ast::Expr& e = core_of(*value.e);
    const std::vector<std::string> words = words_of(value.name);
    const bool percent = !words.empty() && (has_word("percent percentage pct", words.front()) ||
                                            has_word("percent percentage pct", words.back()));
    if (!shown || !percent || is_path(e) || shares.count(value.name) > 0 || !is_share(rc, e, 0)) continue;
    const std::string text = source_text(value.e->span);
    const std::string meant =
        "100 * " + (value.e->kind == ast::ExprKind::call || is_binary(*value.e, "/") ? text : "(" + text + ")");
    tell(rc, Code::other_unit, value.e->span, "'" + value.name + "' is a share of 0..1, and its name speaks of percent",
         "write " + meant, {{{value.e->span, meant}}});
  }
}

// let ratio = 100 * loan / value, which is compared with 0.9 and 1 alone
void SenseChecker::doubt_percent_of_one(RubricContext& rc, const Compared& compared) {
  for (const Named& value : named_) {
    const auto at = compared.find(value.name);
    if (at == compared.end() || at->second.size() < 2) continue;
    const ast::Expr& e = core_of(*value.e);
    const ast::Expr* product = is_binary(e, "/") ? e.args[0].get() : nullptr;
    const ast::Expr* of = product != nullptr ? times_hundred(*product) : nullptr;
    bool fraction = false, all = true, one = false;
    for (const Number& n : at->second) {
      fraction = fraction || (sign(n) > 0 && compare(n, whole(1)) < 0);
      one = one || compare(n, whole(1)) == 0;
      all = all && sign(n) >= 0 && compare(n, whole(1)) <= 0;
    }
    if (of == nullptr || !fraction || !one || !all) continue;
    const std::string meant = source_text(of->span);
    tell(rc, Code::percent_of_points, product->span,
         "'" + value.name + "' counts percent, and it is only compared with numbers up to 1", "write " + meant,
         {{{product->span, meant}}});
  }
}

// late_percent > 20%, of let late_percent = 100 * late / trips; 100 * fill_percent, of what is 0..100
void SenseChecker::doubt_percent_counted(RubricContext& rc, const ast::Expr& e) {
  if (const ast::Expr* of = times_hundred(e); of != nullptr && is_path(*of)) {
    const Interval range = slope_.range(rc, *of);
    if (!finite(range) || sign(range.low) != 0 || compare(range.high, whole(100)) != 0 ||
        !has_word("percent percentage pct", words_of(of->text)))
      return;
    const std::string meant = source_text(of->span);
    return tell(rc, Code::percent_of_points, e.span,
                "'" + short_text(of->span) + "' counts percent already: it is 0..100", "write " + meant,
                {{{e.span, meant}}});
  }
  const bool from_one = (is_binary(e, "-") || is_binary(e, "+")) && e.args[0]->text == "1" && is_path(*e.args[1]);
  if (from_one) {  // price * (1 - discount), of a discount that is 0..100
    const ast::Expr& of = *e.args[1];
    const Interval range = slope_.range(rc, of);
    const bool percent = has_word("percent percentage pct", words_of(of.text + " " + prose_of(rc, of.text)));
    if (!percent || !finite(range) || sign(range.low) != 0 || compare(range.high, whole(10)) < 0) return;
    const std::string part = source_text(of.span) + " / 100";
    return tell(rc, Code::percent_of_points, of.span,
                "'" + short_text(of.span) + "' counts percent, and all of it is 1 here", "write " + part,
                {{{of.span, part}}});
  }
  const bool compared = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
  if (!compared || e.args[0]->kind != ast::ExprKind::name || e.args[1]->kind != ast::ExprKind::number ||
      !e.args[1]->text.ends_with('%'))
    return;
  const ast::Expr& formula = meant_by(*e.args[0]);
  const bool hundred =
      times_hundred(formula) != nullptr || (is_binary(formula, "/") && times_hundred(*formula.args[0]) != nullptr);
  if (&formula == e.args[0].get() || !hundred || finite(slope_.range(rc, *e.args[0]))) return;
  const std::string meant = e.args[1]->text.substr(0, e.args[1]->text.size() - 1);
  tell(rc, Code::percent_of_points, e.args[1]->span,
       "'" + e.args[0]->text + "' counts percent, and " + e.args[1]->text + " is a share of 1", "write " + meant,
       {{{e.args[1]->span, meant}}});
}

}  // namespace assay
