// See sense_checker.hpp. Compares how a value is computed with what its name says: a 'warmest' that is the smallest of
// several numbers, a 'pass_rate' that is a share of the failures.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace assay {

namespace {

// The loop of f(x for …) and f([x for …]).
const ast::Loop* loop_of(const ast::Expr& call) {
  if (call.loop) return call.loop.get();
  const bool inner = call.args.size() == 1 && call.args[0] && call.args[0]->loop;
  return inner ? call.args[0]->loop.get() : nullptr;
}

}  // namespace

std::vector<SenseChecker::Named> SenseChecker::named_values(const RubricContext& rc) {
  std::vector<Named> all;
  const auto add = [&all](std::string_view kind, const std::string& name, const ast::Text& prose, const ast::Expr* e) {
    if (e != nullptr) all.push_back({kind, name, name + " " + plain_words(prose), e, {}, plain_words(prose)});
  };
  static const ast::Text kNoProse;
  const auto where = [&add](const ast::Body& body) {
    for (const ast::Where& w : body.where) add("value", w.name.text, kNoProse, w.expr.get());
  };
  for (const ast::Item* item : rc.items) {
    if (const auto* let = std::get_if<ast::Let>(&item->node)) {
      add("value", let->name.text, let->prose, let->body.expr.get());
      where(let->body);
    }
    if (const auto* output = std::get_if<ast::Output>(&item->node)) {
      const ast::Expr* e = output->body.expr.get();
      if (e != nullptr && e->kind != ast::ExprKind::name) add("output", output->name.text, output->prose, e);
      where(output->body);
    }
    if (const auto* gate = std::get_if<ast::Gate>(&item->node))
      add("gate", gate->name.text, gate->prose, gate->body.expr.get());
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && !flag->loop && flag->label.plain())
      add("flag", flag->label.str(), flag->prose, flag->when.get());
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node);
        amount && !amount->loop && amount->label.plain())
      add(row_of(amount->kind).word, amount->label.str(), amount->prose, amount->body.expr.get());
    if (const auto* composite = std::get_if<ast::Composite>(&item->node))
      add("composite", "composite", kNoProse, composite->body.expr.get());
  }
  std::vector<const DimensionItems*> dimensions;
  each_dimension(rc.dimensions.all, dimensions);
  for (const DimensionItems* d : dimensions) {
    add("dimension", d->node->name.text, d->node->prose, d->node->body.expr.get());
    where(d->node->body);
  }
  std::map<std::string_view, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != "output") by_name[all[i].name].push_back(i);
  }
  for (const ast::Item* item : rc.items) {
    const auto* output = std::get_if<ast::Output>(&item->node);
    if (output == nullptr) continue;
    const ast::Expr* e = output->body.expr.get();
    if (e != nullptr && e->kind != ast::ExprKind::name) continue;
    const auto shown = by_name.find(e != nullptr ? e->text : output->name.text);
    for (const std::size_t i : shown == by_name.end() ? std::vector<std::size_t>() : shown->second) {
      all[i].said += " " + output->name.text + " " + plain_words(output->prose);
      all[i].shown_as.push_back(output->name.text);
    }
  }
  return all;
}

// Whether a text may say that the low end of a value is the good one, "1 is clean, 5 is dead", or something good is what has
// little of it: let clean_km = sum(r.km for r in rivers when r.quality <= 2)
bool SenseChecker::good_is_low(const RubricContext& rc, const std::string& path) {
  const auto names_ends = [](const std::string& text) {
    const std::vector<std::string> words = words_of(text);
    const auto digits = [](const std::string& word) { return word.find_first_not_of("0123456789") == word.npos; };
    return low_end_said(text) > 0 || (std::count_if(words.begin(), words.end(), digits) == 2 && end_said(text) <= 0);
  };
  if (names_ends(prose_of(rc, path))) return true;
  for (const ast::Item* item : rc.items) {
    const WrittenParts parts = written_parts(*item);
    bool reads = false;
    for (const ast::Expr* e : parts.exprs)
      each_expr(budget_, *e, [&](const ast::Expr& of) { reads = reads || (is_path(of) && of.text == path); });
    if (reads && std::any_of(parts.texts.begin(), parts.texts.end(),
                             [&](const ast::Text* text) { return names_ends(plain_words(*text)); }))
      return true;
  }
  return std::any_of(named_.begin(), named_.end(), [&](const Named& value) {
    std::string others;  // words of its name that are not of the value's
    for (const std::string& word : words_of(value.name)) {
      if (!has_word(word, words_of(path))) others += word + " ";
    }
    const bool good = says(others, WordRole::good) || says(others, WordRole::best);
    const bool bad = says(others, WordRole::bad) || says(others, WordRole::last);
    if (good == bad || says(others, WordRole::turns)) return false;
    bool low = false;
    each_expr(budget_, *value.e, [&](const ast::Expr& e) {
      const bool order =
          e.kind == ast::ExprKind::binary && !opposite_of(e.text).empty() && e.args[1]->kind == ast::ExprKind::number;
      low = low || (order && is_path(*e.args[0]) && e.args[0]->text == path && (e.text.front() == '<') == good);
    });
    return low;
  });
}

// Whether what a function takes the largest or smallest of are marks, of which the high ones are good.
bool SenseChecker::holds_marks(const RubricContext& rc, const ast::Expr& call, const ast::Expr& of) {
  const auto mark = [&](const ast::Expr& e) {
    if (end_ < 0 || ranked_low(rc, e.text) || (is_path(e) && good_is_low(rc, e.text))) return false;
    if (has_word(kPlaces, words_of(e.text))) return false;
    const bool dimension = e.kind == ast::ExprKind::name && rc.dimensions.by_name.count(e.text) > 0;
    return dimension || (is_path(e) && (says(e.text, WordRole::mark) || sense_of(e.text).good > 0));
  };
  if (of.kind == ast::ExprKind::list)
    return !of.args.empty() && std::all_of(of.args.begin(), of.args.end(), [&mark](const auto& e) { return mark(*e); });
  return mark(of.loop && !call.loop ? *of.args[0] : of);
}

// let warmest = min(readings); let weakest = first(p.name for p in parts by higher p.score)
void SenseChecker::doubt_extreme(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const bool several = e.args.size() == 2 && (e.text == "first" || e.text == "last");  // first(3, […])
  const bool of_some = e.args.size() > 1 && (e.text == "min" || e.text == "max");      // min(first, second)
  if (e.kind != ast::ExprKind::call || (e.args.size() != 1 && !several && !of_some) || !e.args[0]) return;
  if (of_some && !std::all_of(e.args.begin(), e.args.end(), [](const auto& arg) { return arg && is_path(*arg); }))
    return;
  const ast::Loop* loop = several ? e.args[1]->loop.get() : loop_of(e);
  const bool extreme = e.text == "min" || e.text == "max";
  const bool ordered = (e.text == "first" || e.text == "last") && loop != nullptr && loop->order.size() == 1;
  const bool question = (e.text == "any" || e.text == "all") && value.kind != "composite";
  std::vector<std::string> names = value.shown_as;
  names.push_back(value.name);
  // "The best of three tries counts"
  const std::vector<std::string> said = words_of(value.said);
  for (std::size_t i = 0; i + 1 < said.size() && value.kind == "dimension"; ++i) {
    const bool whole =
        has_word("counts decides of", said[i + 1]) || (i + 2 < said.size() && has_word("counts decides", said[i + 2]));
    if (whole && i > 0 && said[i - 1] == "the" &&
        (is_word(said[i], WordRole::finest) || is_word(said[i], WordRole::weakest)))
      names.push_back(said[i]);
  }
  std::string meant, by;
  for (const std::string& name : names) {
    const std::string before = meant;
    const std::vector<std::string> words = words_of(name);
    if (question && words.size() > 1) {  // gate all_signed = any(s.signed for s in sheets)
      const bool every = words[0] == "all" || words[0] == "every", some = words[0] == "any" || words[0] == "some";
      if (e.text == "any" && every) meant = "all";
      if (e.text == "all" && some) meant = "any";
      // flag contains_nuts when all(i.nuts for i in ingredients)
      const bool holds = words.size() == 2 && has_word("contains includes", words[0]) && e.loop &&
                         e.args[0]->kind == ast::ExprKind::field && e.args[0]->text == words[1];
      if (e.text == "all" && holds) meant = "any";
    }
    if (meant != before) by = name;
    if (!extreme && !ordered) continue;
    const ast::Expr& of = ordered ? *loop->order[0].expr : *e.args[0];
    const bool marks = holds_marks(rc, e, of) && !of_school(rc);
    const bool dated = is_path(of) && says(of.text, WordRole::dated);
    const bool high = says(name, WordRole::topmost) ||
                      ((marks || (value.kind == "dimension" && extreme && end_ >= 0 && !of_school(rc))) &&
                       says(name, WordRole::finest)) ||
                      (dated && says(name, WordRole::recent));
    const bool low = says(name, WordRole::lowermost) || (marks && says(name, WordRole::weakest)) ||
                     (dated && says(name, WordRole::oldest));
    const bool without = is_path(of) && has_word("without since", words_of(of.text));  // driest by days_without_rain
    if (high == low || without || says(name, WordRole::turns)) continue;               // "largest_allowed"
    if (names_low_end(rc, value, name, of)) continue;
    const bool takes_high = ordered ? (e.text == "first") == loop->order[0].higher : e.text == "max";
    if (takes_high != high) by = name;
    if (takes_high != high) meant = ordered ? (loop->order[0].higher ? "lower" : "higher") : high ? "max" : "min";
  }
  if (meant.empty()) return;
  if (ordered) {
    const ast::OrderKey& key = loop->order[0];
    const std::string order = meant + " " + source_text(key.expr->span);
    return tell(rc, Code::against_name, key.span,
                "'" + by + "' takes the " + (e.text == "first" ? "first" : "last") + " by '" + source_text(key.span) +
                    "', which is not what its name says",
                "write " + order, {{{key.span, order}}});
  }
  const bool named = by == value.name || std::count(value.shown_as.begin(), value.shown_as.end(), by) > 0;
  tell(rc, Code::against_name, e.span,
       "'" + (named ? by : value.name) + "' is computed by '" + e.text + "', which is not what its " +
           (named ? "name says" : "text says: '" + by + "'"),
       "write '" + meant + "'", {{{e.word, meant}}});
}

// One of several values: max(a, b), min([a, b]), a when a < b else b.
struct SenseChecker::Chosen {
  const ast::Expr* e = nullptr;
  std::vector<const ast::Expr*> of;
  bool high = false;  // the largest of them
  Fix turned;
};

void SenseChecker::choices_in(const ast::Expr& all, std::vector<Chosen>& found) const {
  each_expr(budget_, all, [&](const ast::Expr& e) {
    const bool call = e.kind == ast::ExprKind::call && !e.loop && (e.text == "min" || e.text == "max");
    if (call) {
      Chosen one{&e, {}, e.text == "max", {{e.word, e.text == "max" ? "min" : "max"}}};
      const ast::Expr& list = e.args.size() == 1 ? formula_of(*e.args[0]) : e;
      const bool written = e.args.size() > 1 || list.kind == ast::ExprKind::list;
      for (const ast::ExprPtr& arg : written ? list.args : e.args) one.of.push_back(arg.get());
      const bool literal = std::any_of(one.of.begin(), one.of.end(), [](const auto* x) { return !is_path(*x); });
      if (!literal) found.push_back(std::move(one));
    }
    const bool looped = e.kind == ast::ExprKind::call && e.loop && (e.text == "min" || e.text == "max");
    if (looped && !e.args.empty() && is_path(*e.args[0]))
      found.push_back({&e, {e.args[0].get()}, e.text == "max", {{e.word, e.text == "max" ? "min" : "max"}}});
    const ast::Loop* loop = e.kind == ast::ExprKind::call && e.args.size() == 1 ? loop_of(e) : nullptr;
    const bool ordered = (e.text == "first" || e.text == "last") && loop != nullptr && loop->order.size() == 1;
    if (ordered && is_path(*loop->order[0].expr)) {
      const ast::OrderKey& key = loop->order[0];
      const std::string order = (key.higher ? "lower " : "higher ") + source_text(key.expr->span);
      found.push_back({&e, {key.expr.get()}, (e.text == "first") == key.higher, {{key.span, order}}});
    }
    if (e.kind != ast::ExprKind::choice || e.args.size() != 3 || !e.args[2]) return;
    const ast::Expr &first = *e.args[0], &asked = *e.args[1], &second = *e.args[2];
    const std::string_view other = turned(asked.text);
    if (asked.kind != ast::ExprKind::binary || other == asked.text || !is_path(first) || !is_path(second)) return;
    const std::string a = source_text(first.span), b = source_text(second.span);
    const std::string left = source_text(asked.args[0]->span), right = source_text(asked.args[1]->span);
    if (!(left == a && right == b) && !(left == b && right == a)) return;
    found.push_back({&e, {&first, &second}, (asked.text[0] == '>') == (left == a), {{asked.word, std::string(other)}}});
  });
}

// Whether all of the values are marks, of which the high ones are good.
bool SenseChecker::better_if_high(RubricContext& rc, const Chosen& one) {
  const auto low_first = [&](const ast::Expr* e) {
    return ranked_low(rc, e->text) || good_is_low(rc, e->text) || has_word(kPlaces, words_of(e->text));
  };
  if (end_ < 0 || by_grades_ < 0 || of_school(rc) || std::any_of(one.of.begin(), one.of.end(), low_first)) return false;
  return std::all_of(one.of.begin(), one.of.end(), [&](const ast::Expr* e) {
    const bool dimension = e->kind == ast::ExprKind::name && rc.dimensions.by_name.count(e->text) > 0;
    const int good = sense_of(e->text).good;
    return dimension || good > 0 || (good == 0 && (says(e->text, WordRole::mark) || moves_with(rc, e->text, 1)));
  });
}

// What a word says of one of several values: 1 the largest, -1 the smallest, 0 neither.
int SenseChecker::comparative(RubricContext& rc, const Chosen& one, const std::string& word) {
  static constexpr std::string_view kMoments =
      "start end finish begin started ended finished date due deadline open close opens closes arrival departure";
  const auto any = [&one](const auto& is) {
    return std::any_of(one.of.begin(), one.of.end(), [&is](const ast::Expr* e) { return is(e->text); });
  };
  const bool large = is_word(word, WordRole::larger) || is_word(word, WordRole::topmost);
  const bool small = is_word(word, WordRole::lesser) || is_word(word, WordRole::lowermost);
  if (large || small) {
    // The higher rank is 1, and the cheaper offer the one with more discount.
    const bool placed = any([&](const std::string& name) {
      return has_word(kPlaces, words_of(name)) || (of_school(rc) && has_word("grade mark", words_of(name)));
    });
    const bool plain =
        has_word("higher lower larger smaller bigger greater lesser highest lowest largest smallest", word);
    const bool turned =
        any([](const std::string& name) { return says(name, WordRole::turns) || says(name, WordRole::reduces); });
    // The lower end of what two ranges share is the larger one of their lower ends.
    const std::string_view ends = large ? "high higher highest upper max maximum to end ceiling"
                                        : "low lower lowest min minimum from start floor";
    const bool shared = std::all_of(one.of.begin(), one.of.end(),
                                    [ends](const ast::Expr* e) { return has_word(ends, words_of(e->text)); });
    return placed || shared || (!plain && turned) ? 0 : large ? 1 : -1;
  }
  const bool moments = std::all_of(one.of.begin(), one.of.end(), [](const ast::Expr* e) {
    return has_word(kMoments, words_of(e->text)) &&
           !has_word("before left remaining until since ago", words_of(e->text));
  });
  if (moments && has_word("later latest", word)) return 1;
  if (moments && has_word("earlier earliest", word)) return -1;
  if ((is_word(word, WordRole::finest) || is_word(word, WordRole::weakest)) && better_if_high(rc, one))
    return is_word(word, WordRole::finest) ? 1 : -1;
  return 0;
}

// let lower_mark = max(first, second); let base = max(first, second) "The lower of the two"
void SenseChecker::doubt_comparative(RubricContext& rc, const Named& value) {
  std::vector<Chosen> all;
  choices_in(*value.e, all);
  if (all.size() != 1 || told_at(all[0].e->span) != nullptr || told_at(all[0].turned[0].at) != nullptr) return;
  const Chosen& one = all[0];
  bool kept = true;  // a larger one makes the whole larger
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    const auto holds = [&one](const ast::Expr& of) {
      return of.span.begin <= one.e->span.begin && of.span.end >= one.e->span.end;
    };
    if (&e == one.e || !holds(e)) return;
    const bool turns = (e.kind == ast::ExprKind::unary && e.text == "-") ||
                       ((is_binary(e, "-") || is_binary(e, "/")) && holds(*e.args[1]));
    const bool other = e.kind == ast::ExprKind::call && !has_word("clamp round floor ceil min max", e.text);
    kept = kept && !turns && !other;
  });
  if (!kept) return;
  std::vector<std::string> shared;  // words of the names of all values
  for (const std::string& word : words_of(one.of[0]->text)) {
    const bool in_all = std::all_of(one.of.begin(), one.of.end(), [&word](const ast::Expr* e) {
      const std::vector<std::string> own = words_of(e->text);
      return std::find(own.begin(), own.end(), word) != own.end();
    });
    if (in_all) shared.push_back(word);
  }
  // "The lower of the two": the text of what may be computed from it
  const auto doubted = [&](const std::string& said, int meant, bool name) {
    if (meant == 0 || (meant > 0) == one.high) return false;
    tell(rc, Code::against_name, one.e->span,
         name ? "'" + said + "' is the " + (one.high ? "largest" : "smallest") +
                    " of several values, which is not what its name says"
              : "this is the " + std::string(one.high ? "largest" : "smallest") +
                    " of several values, and the text of '" + value.name + "' says \"" + said + '"',
         one.e->text == "first" || one.e->text == "last" ? "write " + one.turned[0].text
                                                         : "write '" + one.turned[0].text + "'",
         {one.turned});
    return true;
  };
  std::vector<std::string> names = value.shown_as;
  names.push_back(value.name);
  for (const std::string& name :
       core_of(*value.e).span.begin == one.e->span.begin ? names : std::vector<std::string>()) {
    const std::vector<std::string> words = words_of(name);
    int meant = 0;
    bool plain = true;  // higher_mark, worst_of_both; not lower_body, lower_bound
    for (const std::string& word : words) {
      const int said = comparative(rc, one, word);
      if (said != 0 && meant != 0 && said != meant) return;
      if (said != 0) meant = said;
      else
        plain =
            plain && (has_word("of the two both three all them these one value number amount result", word) ||
                      is_word(word, WordRole::mark) || std::find(shared.begin(), shared.end(), word) != shared.end());
    }
    if (plain && !has_word("bound limit end edge quartile", words) && !names_low_end(rc, value, name, *one.of[0]) &&
        doubted(name, meant, true))
      return;
  }
  const std::vector<std::string> words = words_of(value.prose);
  std::string said;
  int meant = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int here = comparative(rc, one, words[i]);
    if (here == 0) continue;
    const auto is = [&words](std::size_t at, std::string_view list) {
      return at < words.size() && has_word(list, words[at]);
    };
    const bool of = i > 0 && words[i - 1] == "the" && is(i + 1, "of") && is(i + 2, "the both these all them");
    const bool whichever = i > 1 && words[i - 1] == "is" && has_word("whichever what", words[i - 2]);
    if ((!of && !whichever) || meant != 0) return;
    meant = here, said = words[i - 1] + " " + words[i];
    said = of ? said + " of " + words[i + 2] : words[i - 2] + " " + said;
    if (of && is(i + 2, "the") && i + 3 < words.size()) said += " " + words[i + 3];
  }
  if (!has_word("not no never except unless than", words)) doubted(said, meant, false);
}

// let pass_rate = passed / failed; let growth = (new - old) / new
void SenseChecker::doubt_quotient(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (e.kind != ast::ExprKind::binary || e.text != "/") return;
  const ast::Expr *part = e.args[0].get(), &all = *e.args[1];
  if (part->kind == ast::ExprKind::binary && part->text == "*") {  // 100 * passed / failed
    const bool first = part->args[0]->kind == ast::ExprKind::number;
    part = part->args[first ? 1 : 0].get();
  }
  std::string names = value.name;
  for (const std::string& name : value.shown_as) names += " " + name;
  const std::string of = source_text(all.span);
  if (says(names, WordRole::shared) && is_path(*part) && is_path(all) && are_opposites(part->text, all.text)) {
    const std::string both = "(" + source_text(part->span) + " + " + of + ")";
    return tell(rc, Code::against_name, e.span,
                "'" + value.name + "' divides by '" + of + "', and a share is one of all: of both together",
                "write " + source_text(e.args[0]->span) + " / " + both, {{{all.span, both}}});
  }
  // let pass_rate = total / passed
  if (says(names, WordRole::shared) && is_path(*part) && is_path(all) && counts_some(all.text, part->text)) {
    const std::string turned = source_text(part->span);
    return tell(rc, Code::against_name, e.span,
                "'" + value.name + "' divides all by a part of them, and a share is a part of all",
                "write " + of + " / " + turned, {{{part->span, of}, {all.span, turned}}});
  }
  if (says(value.name, WordRole::grows) && part->kind == ast::ExprKind::binary && part->text == "-" &&
      source_text(part->args[0]->span) == of && told_at(part->span) == nullptr) {
    const std::string old = source_text(part->args[1]->span);
    return tell(rc, Code::against_name, all.span,
                "'" + value.name + "' is a share of the new value, and growth is measured against the old one",
                "write / " + old, {{{all.span, old}}});
  }
  // sum(t.hours for t in tasks when t.finished) / count(tasks); sum(c.grade * c.credits for c in courses) / count(courses)
  const ast::Loop* loop = part->kind == ast::ExprKind::call && part->text == "sum" ? part->loop.get() : nullptr;
  const bool count = is_call(all, "count");
  if (loop == nullptr || !count || loop->clauses.size() > 2 || part->args.empty() || !loop->clauses[0].expr ||
      source_text(loop->clauses[0].expr->span) != source_text(all.args[0]->span))
    return;
  const ast::Expr* added = part->args[0].get();
  const bool some = loop->clauses.size() == 2 && loop->clauses[1].kind == ast::ClauseKind::when;
  const bool share = says(names, WordRole::shared) && some && is_path(*added);
  if (added->kind == ast::ExprKind::binary && added->text == "*") {  // by the field that is a weight
    const bool first = says(added->args[0]->text, WordRole::weighs),
               second = says(added->args[1]->text, WordRole::weighs);
    added = first == second ? nullptr : added->args[first ? 0 : 1].get();
    if (added != nullptr && (added->kind != ast::ExprKind::field || loop->clauses.size() != 1)) added = nullptr;
  } else if (!share) {
    added = nullptr;
  }
  if (added == nullptr) return;
  const std::string meant = "sum(" + source_text(added->span) + " " + source_text(loop->clauses[0].span) + ")";
  tell(rc, Code::against_name, all.span,
       share ? "a share of what 'sum' adds up is divided by how many there are: '" + value.name + "' is no share of 1"
             : "a weighted mean divides by the sum of the weights, and this divides by how many there are",
       "write " + meant, {{{all.span, meant}}});
}

// bonus hours = floor(minutes / 60) "A point for each started hour"
void SenseChecker::doubt_rounding(RubricContext& rc, const Named& value) {
  const std::vector<std::string> words = words_of(value.said);
  std::string meant;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool each = has_word("each every per", words[i - 1]);
    if (each && has_word("started begun commenced", words[i])) meant = "ceil";
    if (each && has_word("full complete whole", words[i])) meant = "floor";
    const bool one = i > 1 && has_word("each every", words[i - 2]) && unit_of(words[i - 1]) != nullptr;
    if (one && has_word("started begun commenced", words[i])) meant = "ceil";  // "each hour begun"
    if (words[i - 1] == "rounded" && words[i] == "up") meant = "ceil";
    if (words[i - 1] == "rounded" && words[i] == "down") meant = "floor";
  }
  // "An hour that has begun counts in full", "each hour or part of an hour"
  const std::string prose = " " + in_lower_case(value.said) + " ";
  const bool begun = has_word("begun started commenced", words) && prose.find(" in full") != prose.npos &&
                     has_word("counts count charged paid", words);
  const bool part = prose.find(" or part of ") != prose.npos || prose.find(" or part thereof") != prose.npos;
  if (meant.empty() && (begun || part) && !has_word("not no never only unless until", words)) meant = "ceil";
  if (meant.empty()) return;
  std::vector<const ast::Expr*> calls;
  each_expr(budget_, *value.e, [&calls](const ast::Expr& e) {
    const bool rounds = e.text == "floor" || e.text == "ceil" || e.text == "round" || e.text == "trunc";
    if (e.kind == ast::ExprKind::call && rounds) calls.push_back(&e);
  });
  if (calls.size() != 1 || calls[0]->text == meant || calls[0]->text == "trunc") return;
  tell(rc, Code::against_name, calls[0]->word,
       "'" + value.name + "' is rounded by '" + calls[0]->text + "', which is not what its text says",
       "write '" + meant + "'", {{{calls[0]->word, meant}}});
}

// let late = handed_in < due; flag low_humidity when humidity > 65
void SenseChecker::doubt_condition(RubricContext& rc, const Named& value) {
  // deduction uninsured = 2 when insured
  const bool amount = value.e->kind == ast::ExprKind::choice && (value.e->args.size() < 3 || !value.e->args[2]);
  const ast::Expr& e = amount ? *value.e->args[1] : *value.e;
  if (is_path(e)) {
    std::string of = e.text;
    for (const std::string_view before : {"has_", "is_", "was_"}) {
      if (of.starts_with(before)) of.erase(0, before.size());
    }
    for (const std::string_view no : {"no_", "not_", "un", "non_", "without_"}) {
      if (value.name != std::string(no) + of || (value.kind != "deduction" && value.kind != "flag")) continue;
      return tell(rc, Code::against_name, e.span,
                  "'" + value.name + "' is for what has '" + source_text(e.span) + "', which is not what its name says",
                  "write not " + source_text(e.span), {{{e.span, "not " + source_text(e.span)}}});
    }
  }
  static constexpr std::string_view kSigns[][2] = {{"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
  const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&e](const auto& s) { return s[0] == e.text; });
  if (e.kind != ast::ExprKind::binary || sign == std::end(kSigns)) return;
  const std::vector<std::string> words = words_of(value.name);
  const bool denied = has_word("not no never un", words);
  std::string_view meant;  // how the left side has to be
  const bool left_due = is_path(*e.args[0]) && says(e.args[0]->text, WordRole::deadline);
  const bool right_due = is_path(*e.args[1]) && says(e.args[1]->text, WordRole::deadline);
  const bool late = says(value.name, WordRole::overdue);
  if (left_due != right_due && late && is_path(*e.args[left_due ? 1 : 0])) meant = right_due ? ">" : "<";
  const bool literal = e.args[1]->kind == ast::ExprKind::number && is_path(*e.args[0]);
  if (literal && words.size() == 2) {  // the adjective, and what it is said of
    const bool large = is_word(words[0], WordRole::large), small = is_word(words[0], WordRole::small);
    const std::vector<std::string> of = words_of(e.args[0]->text);
    const bool same = std::find(of.begin(), of.end(), words[1]) != of.end() || words[1] + "s" == of.back();
    if (large != small && same && !says(e.args[0]->text, WordRole::turns)) meant = large ? ">" : "<";
  }
  // flag overheated when coolant_c < 105, but undersized when cups > 120
  static constexpr std::string_view kBeyond[][3] = {
      {"overheated overheating", "temp temperature c celsius f fahrenheit degrees", ">"},
      {"overloaded overweight", "load weight mass kg g t tons", ">"},
      {"overcrowded", "people persons guests visitors passengers", ">"},
      {"underweight", "weight mass kg g", "<"}};
  for (const auto& row : kBeyond) {
    const std::vector<std::string> of = literal ? words_of(e.args[0]->text) : std::vector<std::string>();
    if (words.size() != 1 || !has_word(row[0], words[0]) || !has_word(row[1], of)) continue;
    const bool rest = has_word("spare reserve balance available headroom capacity empty", of);
    if (!rest && !says(e.args[0]->text, WordRole::turns)) meant = row[2];
  }
  // flag over_budget when spent < budget
  const auto side_named = [&](const ast::Expr& side) {
    const std::vector<std::string> of = words_of(side.text);
    return is_path(side) && words.size() == 2 && std::find(of.begin(), of.end(), words[1]) != of.end();
  };
  if (words.size() == 2 && meant.empty() && side_named(*e.args[0]) != side_named(*e.args[1]) && is_path(*e.args[0]) &&
      is_path(*e.args[1])) {
    const bool right = side_named(*e.args[1]);
    // over_length when length > max_words: the name says what is too long, not what the limit is
    if (!right &&
        has_word("limit max maximum most allowed permitted capacity rated min minimum least required needed target",
                 words_of(e.args[1]->text)))
      return;
    if (has_word("over above exceeds beyond", words[0])) meant = right ? ">" : "<";
    if (has_word("under below within", words[0])) meant = right ? "<" : ">";
  }
  if (meant.empty() || denied || e.text.starts_with(meant)) return;
  const std::string turned = words[0] == "within" ? std::string(meant) + "=" : std::string((*sign)[1]);
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' holds if " + short_text(e.span) + ", which is not what its name says",
       "write '" + turned + "'", {{{e.word, turned}}});
}

// let signed = count(s for s in sheets when not s.signed); let passed = count(m for m in marks when m.mark < 50)
void SenseChecker::doubt_counted(RubricContext& rc, const Named& value) {
  const ast::Expr* e = &core_of(*value.e);
  if (e->kind == ast::ExprKind::binary && e->text == "*")
    e = &core_of(*e->args[e->args[0]->kind == ast::ExprKind::number ? 1 : 0]);
  if (e->kind == ast::ExprKind::binary && e->text == "/") e = &core_of(*e->args[0]);
  const ast::Loop* loop = e->kind == ast::ExprKind::call && e->text == "count" ? loop_of(*e) : nullptr;
  if (e->kind == ast::ExprKind::list_loop) loop = e->loop.get();
  if (loop == nullptr || loop->clauses.size() != 2 || loop->clauses[1].kind != ast::ClauseKind::when) return;
  const ast::Expr& condition = *loop->clauses[1].expr;
  const std::vector<std::string> words = words_of(value.name);
  if (condition.kind == ast::ExprKind::field && words.size() == 1 && are_opposites(value.name, condition.text)) {
    const std::string meant = "not " + source_text(condition.span);
    return tell(rc, Code::against_name, condition.span, "'" + value.name + "' counts what is '" + condition.text + "'",
                "write " + meant, {{{condition.span, meant}}});
  }
  if (has_word("not no non without un missing open unless lacks remaining left other", words)) return;
  const bool denied = condition.kind == ast::ExprKind::unary && condition.text == "not";
  if (denied && condition.args[0]->kind == ast::ExprKind::field &&
      std::find(words.begin(), words.end(), condition.args[0]->text) != words.end()) {
    const std::string meant = source_text(condition.args[0]->span);
    return tell(rc, Code::against_name, condition.span,
                "'" + value.name + "' counts what is not '" + condition.args[0]->text + "'", "write " + meant,
                {{{condition.span, meant}}});
  }
  const bool passed = words.size() == 1 && words[0] == "passed", failed = words.size() == 1 && words[0] == "failed";
  static constexpr std::string_view kOther[][2] = {{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}};
  const auto* other = std::find_if(std::begin(kOther), std::end(kOther),
                                   [&condition](const auto& o) { return o[0] == condition.text; });
  if (passed == failed || condition.kind != ast::ExprKind::binary || other == std::end(kOther)) return;
  const ast::Expr &of = *condition.args[0], &literal = *condition.args[1];
  const Interval range = slope_.range(rc, of);
  const bool mark = is_path(of) && literal.kind == ast::ExprKind::number && finite(range) && sign(range.low) == 0 &&
                    (says(of.text, WordRole::mark) || of.kind == ast::ExprKind::name);
  if (!mark || (condition.text.front() == '>') == passed) return;
  tell(rc, Code::against_name, condition.span,
       "'" + value.name + "' counts those with " + short_text(condition.span) + ", which is not what its name says",
       "write '" + std::string((*other)[1]) + "'", {{{condition.word, std::string((*other)[1])}}});
}

// let average = a + b / 2; let median_mark = mean(marks); let p95 = percentile(90, times)
void SenseChecker::doubt_named_call(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const std::vector<std::string> words = words_of(value.name);
  const auto has = [&words](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (says(value.name, WordRole::averaged) && e.kind == ast::ExprKind::binary && e.text == "+") {
    const ast::Expr& last = *e.args[1];
    std::int64_t terms = 2;
    const ast::Expr* left = e.args[0].get();
    for (; left->kind == ast::ExprKind::binary && left->text == "+"; left = left->args[0].get()) ++terms;
    if (last.kind == ast::ExprKind::binary && last.text == "/" && last.args[1]->text == std::to_string(terms) &&
        is_path(*last.args[0]) && is_path(*left)) {
      const std::string sum = source_text({e.span.file, e.span.begin, last.args[0]->span.end});
      const std::string meant = "(" + sum + ") / " + last.args[1]->text;
      return tell(rc, Code::against_name, e.span,
                  "only " + short_text(last.args[0]->span) + " is divided by " + last.args[1]->text + " here",
                  "write " + meant, {{{e.span, meant}}});
    }
  }
  // let mean_mark = (first + second + third) / 2
  if (says(value.name, WordRole::averaged) && e.kind == ast::ExprKind::binary && e.text == "/" &&
      e.args[1]->kind == ast::ExprKind::number) {
    std::size_t terms = 1;
    const ast::Expr* left = e.args[0].get();
    bool plain = true;
    for (; left->kind == ast::ExprKind::binary && left->text == "+"; left = left->args[0].get(), ++terms)
      plain = plain && is_path(*left->args[1]);
    const std::string meant = std::to_string(terms);
    if (plain && is_path(*left) && terms > 1 && e.args[1]->text != meant && e.args[1]->text.size() == 1)
      return tell(rc, Code::against_name, e.args[1]->span,
                  "'" + value.name + "' adds " + meant + " values and divides by " + e.args[1]->text, "write " + meant,
                  {{{e.args[1]->span, meant}}});
  }
  if (e.kind != ast::ExprKind::call) return;
  const bool median = has("median") && !says(value.name, WordRole::averaged);
  if (median && e.text == "mean")
    return tell(rc, Code::against_name, e.word,
                "'" + value.name + "' is computed by 'mean', which is not what its name says", "write 'median'",
                {{{e.word, "median"}}});
  if (e.text != "percentile" || e.args.size() != 2 || e.args[0]->kind != ast::ExprKind::number) return;
  for (const std::string& word : words) {
    const bool named = word.size() == 3 && word[0] == 'p' && is_digit(word[1]) && is_digit(word[2]);
    if (!named || word.substr(1) == e.args[0]->text) continue;
    tell(rc, Code::against_name, e.args[0]->span,
         "'" + value.name + "' is the percentile " + e.args[0]->text + ", which is not what its name says",
         "write " + word.substr(1), {{{e.args[0]->span, word.substr(1)}}});
  }
}

// 0.5 * a + 0.3 * b + 0.3 * c, where all are 0..10
void SenseChecker::doubt_linear(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  Number sum = whole(0), highest;
  std::size_t terms = 0;
  for (const ast::Expr* rest = &e; rest != nullptr;) {
    const bool more = rest->kind == ast::ExprKind::binary && rest->text == "+";
    const ast::Expr& term = more ? *rest->args[1] : *rest;
    rest = more ? rest->args[0].get() : nullptr;
    if (term.kind != ast::ExprKind::binary || term.text != "*") return;
    const bool first = term.args[0]->kind == ast::ExprKind::number;
    const ast::Expr &factor = *term.args[first ? 0 : 1], &of = *term.args[first ? 1 : 0];
    if (factor.kind != ast::ExprKind::number || !is_path(of)) return;
    const Interval weight = slope_.range(rc, factor), range = slope_.range(rc, of);
    if (!finite(weight) || !finite(range) || sign(range.low) != 0 || compare(weight.low, whole(1)) >= 0) return;
    if (terms++ > 0 && compare(range.high, highest) != 0) return;
    highest = range.high;
    sum = add(sum, weight.low, numbers());
  }
  const Interval& scale = model(rc).scale.range;
  const Number most = mul(sum, highest, numbers());
  const bool near =
      compare(mul(sum, whole(5), numbers()), whole(4)) >= 0 && compare(mul(sum, whole(4), numbers()), whole(5)) <= 0;
  const bool of_scale = !scale.high.missing() && compare(scale.high, most) == 0;
  if (terms < 3 || !near || of_scale || compare(sum, whole(1)) == 0) return;
  tell(rc, Code::unreached_points, e.span,
       "the weights here add up to " + shortest_text(mul(sum, whole(100), numbers())) + "%, so this goes up to " +
           shortest_text(most) + " where each value goes up to " + shortest_text(highest),
       "correct one of them", {});
}

void SenseChecker::doubt_names(RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    const auto* fn = std::get_if<ast::Fn>(&item->node);
    if (fn == nullptr || !fn->body.expr) continue;
    const std::string prose = plain_words(fn->prose);
    doubt_comparative(rc, {"function", fn->name.text, fn->name.text + " " + prose, fn->body.expr.get(), {}, prose});
  }
  for (const Named& value : named_) {
    doubt_extreme(rc, value);
    doubt_comparative(rc, value);
    doubt_best_of(rc, value);
    doubt_turned_change(rc, value);
    doubt_quotient(rc, value);
    doubt_condition(rc, value);
    doubt_counted(rc, value);
    doubt_named_call(rc, value);
    doubt_linear(rc, value);
    doubt_rounding(rc, value);
    doubt_chosen_grades(rc, value);
    doubt_run(rc, value);
    doubt_words(rc, value);
    doubt_last_of_key(rc, value);
    doubt_taken_first(rc, value);
    doubt_how_many_named(rc, value);
    doubt_base_of_change(rc, value);
    doubt_per_power(rc, value);
    doubt_share_of_others(rc, value);
    each_expr(budget_, *value.e, [&](const ast::Expr& e) { doubt_turned(rc, e), doubt_itself(rc, e); });
    // clamp(sum(marks), 0..10) "What the jury says on average"
    const ast::Expr& core = core_of(*value.e);
    const bool sum = core.kind == ast::ExprKind::call && core.text == "sum" && !core.loop && core.args.size() == 1 &&
                     core.args[0]->kind == ast::ExprKind::name;
    const bool averaged = says(value.said, WordRole::averaged) && !says(value.said, WordRole::summed);
    const auto input = sum ? rc.by_name.inputs.find(core.args[0]->text) : rc.by_name.inputs.end();
    if (!averaged || input == rc.by_name.inputs.end()) continue;
    const Type& list = types_[model(rc).items[static_cast<std::size_t>(input->second)].type];
    const Interval kept = slope_.range(rc, *value.e);
    const bool same = list.kind == TypeKind::list && types_.kind(list.element) == TypeKind::number && finite(kept) &&
                      finite(types_[list.element].range) && compare(kept.high, types_[list.element].range.high) == 0;
    if (same || says(value.name, WordRole::averaged))
      tell(rc, Code::against_name, core.span, "'" + value.name + "' is a sum, and its text speaks of the average",
           "write mean(…)", {{{core.word, "mean"}}});
  }
}

}  // namespace assay
