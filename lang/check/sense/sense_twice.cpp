// See sense_checker.hpp. Finds anything that is counted twice.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
        state_.noted.doubts.back().fixes = {{{value.span, source_text(earlier.span)}}};
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

// What is doubted about this very expression already; null: nothing.
Doubt* SenseChecker::told_at(Span span) {
  const auto at = std::find_if(state_.noted.doubts.begin(), state_.noted.doubts.end(), [span](const Doubt& d) {
    return d.span.file == span.file && d.span.begin == span.begin && d.span.end == span.end;
  });
  return at == state_.noted.doubts.end() ? nullptr : &*at;
}

// advice "Name three sources" when words < 300, where the advice before has that condition and 'sources' is an input.
void SenseChecker::doubt_copied_advice(RubricContext& rc) {
  std::map<std::string, const ast::Advice*> earlier;  // by condition
  for (const ast::Item* item : rc.items) {
    const auto* advice = std::get_if<ast::Advice>(&item->node);
    if (advice == nullptr || !advice->when || advice->loop) continue;
    const std::string condition = source_text(advice->when->span);
    if (earlier.emplace(condition, advice).second || !advice->text.plain()) continue;
    for (const std::string& word : words_of(advice->text.str())) {
      const bool input = rc.last_inputs.find(word) != rc.last_inputs.end();
      if (!input || name_in(condition, word, 0) != condition.npos) continue;
      tell(rc, Code::counted_twice, advice->when->span,
           "this advice speaks of '" + word + "', and has the condition of the advice " +
               shorten(source_text(earlier.find(condition)->second->text.span), 60),
           "write the condition that it is about", {});
      break;
    }
  }
}

// Two gates with one condition, or two flags of opposite things; and a declaration without a name of its own that stands
// in the rubric twice.
void SenseChecker::doubt_copies(RubricContext& rc) {
  std::map<std::string, const ast::Item*> written;
  for (const ast::Item* item : rc.items) {
    const bool nameless =
        std::holds_alternative<ast::Flag>(item->node) || std::holds_alternative<ast::Cap>(item->node) ||
        std::holds_alternative<ast::Advice>(item->node) || std::holds_alternative<ast::Check>(item->node);
    if (!nameless || !is_own(item->span, rc.index)) continue;
    const auto [at, fresh] = written.emplace(squeezed(item->span), item);
    if (fresh) continue;
    doubt(Code::counted_twice, item->word, rc.index,
          "this " + source_text(item->word) + " says the same as the one in line " +
              std::to_string(sources_.line_of(at->second->word)),
          "write what it is about, or leave it out");
  }
  std::map<std::string, std::pair<std::string_view, std::string>> earlier;  // condition → kind, name
  for (const Named& value : named_) {
    if ((value.kind != "gate" && value.kind != "flag") || !is_own(value.e->span, rc.index)) continue;
    const auto [at, fresh] = earlier.emplace(source_text(value.e->span), std::pair{value.kind, value.name});
    const auto& [kind, name] = at->second;
    if (fresh || kind != value.kind || told_at(value.e->span) != nullptr) continue;
    if (kind == "flag" && !are_opposites(name, value.name)) continue;
    doubt(Code::counted_twice, value.e->span, rc.index,
          "the " + std::string(kind) + " '" + value.name + "' has the condition of the " + std::string(kind) + " '" +
              name + (kind == "gate" ? "', so it changes nothing" : "', which says the opposite"),
          "write what it is about, or leave it out");
  }
}

// composite = (taste + smell + smell) / 3, which leaves out 'look'
void SenseChecker::doubt_left_out(RubricContext& rc, const ast::Composite& node) {
  if (!node.body.expr || !node.body.where.empty()) return;
  std::map<std::string_view, std::vector<const ast::Expr*>> read;
  each_expr(budget_, *node.body.expr, [&read](const ast::Expr& e) {
    if (e.kind == ast::ExprKind::name) read[e.text].push_back(&e);
  });
  const ast::Expr* twice = nullptr;
  std::vector<std::string> left_out;
  for (const DimensionItems& d : rc.dimensions.all) {
    const auto at = read.find(d.node->name.text);
    if (at == read.end() && !d.node->advisory) left_out.push_back(d.node->name.text);
    if (at != read.end() && at->second.size() == 2) twice = twice == nullptr ? at->second[1] : node.body.expr.get();
  }
  if (twice == nullptr || twice == node.body.expr.get() || left_out.size() != 1) return;
  tell(rc, Code::counted_twice, twice->span,
       "'" + twice->text + "' stands twice here, and the composite leaves out '" + left_out[0] + "'",
       "write " + left_out[0], {{{twice->span, left_out[0]}}});
}

namespace {

// The parts of an expression as written: names, and all other characters but blanks.
std::vector<std::string> lexemes(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_white_space(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    all.emplace_back(text.substr(at, std::max<std::size_t>(end - at, 1)));
    at = std::max(end, at + 1) - 1;
  }
  return all;
}

// A name with one of its words in the place of another: "speaking_raw" for "listening_raw".
std::string with_word(const std::string& name, const std::string& word, const std::string& instead) {
  std::string text;
  std::size_t at = 0;
  while (at <= name.size()) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    const std::string part = name.substr(at, end - at);
    text += (at > 0 ? "_" : "") + (part == word ? instead : part);
    at = end + 1;
  }
  return text;
}

}  // namespace

// let away_points = win when home_goals > away_goals else loss, below home_points: a copy in which not every name was
// changed.
void SenseChecker::doubt_twins(RubricContext& rc) {
  const std::vector<Named>& all = named_;
  const auto is_value = [&rc](const std::string& name) {
    return rc.by_name.inputs.count(name) > 0 || rc.by_name.own.count(name) > 0 || rc.dimensions.by_name.count(name) > 0;
  };
  // Those of one kind whose names are the same but for one word.
  std::map<std::string, std::vector<std::size_t>> groups;
  std::vector<std::vector<std::string>> parts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    parts.push_back(lexemes(source_text(all[i].e->span)));
    const std::vector<std::string> words = words_of(all[i].name);
    for (std::size_t k = 0; k < words.size(); ++k) {
      std::string key(all[i].kind);
      for (std::size_t n = 0; n < words.size(); ++n) key += n == k ? " *" : " " + words[n];
      groups[std::move(key)].push_back(i);
    }
  }
  constexpr std::size_t kNear = 8;  // twins are written near each other
  std::vector<std::set<std::size_t>> near(all.size());
  for (const auto& [key, members] : groups) {
    for (std::size_t n = 0; n < members.size(); ++n) {
      for (std::size_t m = n > kNear ? n - kNear : 0; m < members.size() && m <= n + kNear; ++m) {
        if (m != n) near[members[n]].insert(members[m]);
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Named& here = all[i];
    const bool condition = here.kind == "gate" || here.kind == "flag";
    if (!is_own(here.e->span, rc.index) || (here.e->kind == ast::ExprKind::name && !condition)) continue;
    const std::string_view file = sources_.file(here.e->span.file).text;
    const std::vector<std::string>& mine = parts[i];
    for (const std::size_t k : near[i]) {
      const Named& other = all[k];
      const std::vector<std::string>& before = parts[k];
      const auto words = only_difference(other.name, here.name);
      budget_.step(1 + before.size() / 8);
      if (before.size() != mine.size() || !words) continue;
      const auto& [theirs, own] = *words;
      bool same_form = true, copy = true;
      std::string unread, kept;  // the name that should stand here, and the one that does
      for (std::size_t n = 0; n < before.size() && same_form; ++n) {
        const std::string &a = before[n], &b = mine[n];
        const std::string turned = with_word(a, theirs, own), back = with_word(a, own, theirs);
        copy = copy && a == b;
        const bool field = n > 0 && before[n - 1] == ".";
        if (a == b && turned != a && unread.empty() &&
            (field ? name_in(file, turned, 0) != file.npos : is_value(turned)))
          unread = turned, kept = a;
        same_form = a == b || b == turned || b == back || (is_digit(a[0]) && is_digit(b[0]));
      }
      const bool reads = std::find(mine.begin(), mine.end(), unread) != mine.end();
      // b_total = 0.7 * b.facts + 0.3 * a.style, below a_total of a alone
      const auto of_record = [](const std::vector<std::string>& lexed, const std::string& name) {
        for (std::size_t n = 0; n + 1 < lexed.size(); ++n) {
          if (lexed[n] == name && lexed[n + 1] == ".") return true;
        }
        return false;
      };
      const bool mixed = reads && !copy && of_record(mine, kept) && of_record(mine, unread) &&
                         std::find(before.begin(), before.end(), unread) == before.end();
      if (!same_form || unread.empty() || (reads && !copy && !mixed) || (copy && k > i)) continue;
      std::string meant = source_text(here.e->span);
      for (std::size_t at = 0; at < meant.size();) {
        std::size_t end = at;
        while (end < meant.size() && is_name_character(meant[end])) ++end;
        const std::string name = meant.substr(at, end - at);
        const std::string instead = name == kept ? unread : copy && name == unread ? kept : name;
        meant.replace(at, name.size(), instead);
        at += std::max<std::size_t>(instead.size(), 1);
      }
      Doubt* told = told_at(here.e->span);
      if (told == nullptr)
        tell(rc, Code::counted_twice, here.e->span,
             "the " + std::string(here.kind) + " '" + here.name + "' has the " + (condition ? "condition" : "formula") +
                 " of the " + std::string(here.kind) + " '" + other.name + "'" +
                 (mixed   ? ", and reads '" + kept + "' beside '" + unread + "'"
                  : reads ? ", and only the name was changed"
                          : ", and does not read '" + unread + "'"),
             "write " + meant, {{{here.e->span, meant}}});
      else told->fixes.insert(told->fixes.begin(), {{here.e->span, meant}});
      break;
    }
  }
}

namespace {

// What decides whether two equal formulas are a copy.
struct Formula {
  bool rich = false;                      // a loop, or several operators: nobody writes it twice by chance
  bool numbers = false;                   // its own numbers, which two values may share by chance
  std::vector<std::string> words, asked;  // all of them, and those of its conditions
};

// Whether a formula speaks of a word of a name: "bug" of bugs, "open" of b.open.
bool speaks_of(const std::vector<std::string>& words, const std::string& word) {
  constexpr std::size_t kStem = 4;
  return std::any_of(words.begin(), words.end(), [&word](const std::string& w) {
    const std::string_view a = w.size() < word.size() ? w : word, b = w.size() < word.size() ? word : w;
    return a == b || (a.size() >= kStem && b.starts_with(a)) || (b.starts_with(a) && b.substr(a.size()) == "s");
  });
}

}  // namespace

// let closed_bugs = count(b for b in bugs when b.open), below the same formula of open_bugs.
void SenseChecker::doubt_same_formula(RubricContext& rc) {
  struct Computed {
    std::string_view kind;
    const std::string* name;
    const ast::Expr* e;
    std::string said;
  };
  const auto formula = [this](const ast::Expr& e) {
    Formula f;
    int operators = 0;
    std::vector<const ast::Expr*> asked;
    each_expr(budget_, e, [&](const ast::Expr& part) {
      f.rich = f.rich || part.loop;
      if (part.kind == ast::ExprKind::binary || part.kind == ast::ExprKind::choice) ++operators;
      if (part.kind == ast::ExprKind::number && !has_word("0 1 100", part.text)) f.numbers = true;
      const std::string text =
          part.kind == ast::ExprKind::text && part.literal.plain() ? part.literal.str() : part.text;
      for (std::string& word : words_of(text)) f.words.push_back(std::move(word));
      const bool compares = part.kind == ast::ExprKind::binary && has_word("== != < <= > >= in", part.text);
      if (compares) asked.push_back(&part);
      if (part.kind == ast::ExprKind::choice) asked.push_back(part.args[1].get());
      for (std::size_t i = 0; part.loop && i < part.loop->clauses.size(); ++i) {
        if (part.loop->clauses[i].kind == ast::ClauseKind::when) asked.push_back(part.loop->clauses[i].expr.get());
      }
    });
    for (const ast::Expr* condition : asked) {
      for (std::string& word : words_of(source_text(condition->span))) f.asked.push_back(std::move(word));
    }
    f.rich = f.rich || operators > 1;
    return f;
  };
  std::map<std::string, Computed> earlier;
  for (const ast::Item* item : rc.items) {
    Computed here{};
    const auto* let = std::get_if<ast::Let>(&item->node);
    const auto* output = std::get_if<ast::Output>(&item->node);
    const ast::Body* body = let != nullptr ? &let->body : output != nullptr ? &output->body : nullptr;
    if (body == nullptr || !body->expr || !body->where.empty() || is_path(*body->expr)) continue;
    if (let != nullptr) here = {"value", &let->name.text, body->expr.get(), plain_words(let->prose)};
    else here = {"output", &output->name.text, body->expr.get(), plain_words(output->prose)};
    const auto [at, fresh] = earlier.emplace(squeezed(here.e->span), here);
    const Computed& other = at->second;
    if (fresh || *other.name == *here.name || !is_own(here.e->span, rc.index)) continue;
    const Formula f = formula(*here.e);
    const auto words = only_difference(*other.name, *here.name);
    if (!f.rich || says(here.said + " " + other.said, WordRole::again)) continue;
    // The formula speaks of what one of the two is called after, and not of the other one. A name of one word may be that
    // of any value, such as 'names' for [x.name for x in all].
    const bool several = words && words_of(*here.name).size() > 1;
    const std::vector<std::string>& spoken = several ? f.words : f.asked;
    const bool of_other = words && speaks_of(spoken, words->first) && !speaks_of(f.words, words->second);
    const bool of_own = words && speaks_of(spoken, words->second) && !speaks_of(f.words, words->first);
    const bool copy = !f.numbers && (several || are_opposites(*other.name, *here.name));
    if (!of_other && !of_own && !copy) continue;
    // let most_used = min(…), above let least_used = min(…)
    const bool extreme = here.e->kind == ast::ExprKind::call && has_word("min max", here.e->text);
    const auto fits = [&here](const std::string& word) {
      return here.e->text == "max" ? word == "most" || is_word(word, WordRole::topmost)
                                   : word == "least" || is_word(word, WordRole::lowermost);
    };
    const bool turned =
        extreme && words && are_opposites(words->first, words->second) && fits(words->first) != fits(words->second);
    const bool earlier_wrong = turned ? fits(words->second) : of_own;
    const Computed &wrong = earlier_wrong ? other : here, &right = earlier_wrong ? here : other;
    const auto inside = [&wrong](const Doubt& d) {
      const Span whole = wrong.e->span;
      return d.span.file == whole.file && d.span.begin >= whole.begin && d.span.end <= whole.end;
    };
    if (std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), inside)) continue;
    const std::string call = wrong.e->text == "max" ? "min" : "max";
    tell(rc, Code::counted_twice, wrong.e->span,
         "the " + std::string(wrong.kind) + " '" + *wrong.name + "' has the formula of the " + std::string(right.kind) +
             " '" + *right.name + "', and only the name was changed",
         turned                  ? "write '" + call + "'"
         : right.kind == "value" ? "write what it is about, or " + *right.name + " if the two are the same"
                                 : "write what it is about, or leave one of them out",
         turned ? std::vector<Fix>{{{wrong.e->word, call}}} : std::vector<Fix>());
  }
}

namespace {

// The names that a sum adds: a + b + c, sum([a, b, c]). Empty: it adds something else.
std::set<std::string> names_added(const ast::Expr& e) {
  std::set<std::string> names;
  std::vector<const ast::Expr*> open = {&e};
  while (!open.empty()) {
    const ast::Expr& part = *open.back();
    open.pop_back();
    const bool list = part.kind == ast::ExprKind::call && part.text == "sum" && !part.loop && part.args.size() == 1 &&
                      part.args[0]->kind == ast::ExprKind::list && !part.args[0]->loop;
    const bool sum = part.kind == ast::ExprKind::binary && part.text == "+";
    if (part.kind == ast::ExprKind::name) names.insert(part.text);
    else if (!list && !sum) return {};
    for (const ast::ExprPtr& arg : list ? part.args[0]->args : part.args) open.push_back(arg.get());
  }
  return names;
}

}  // namespace

// sum([homework, quizzes, coursework]), where coursework = homework + quizzes
void SenseChecker::doubt_subtotals(RubricContext& rc) {
  std::map<std::string, std::set<std::string>> sums;
  for (const ast::Item* item : rc.items) {
    const auto* let = std::get_if<ast::Let>(&item->node);
    if (!let || !let->body.expr || !let->body.where.empty()) continue;
    if (std::set<std::string> names = names_added(*let->body.expr); names.size() > 1) sums[let->name.text] = names;
  }
  for (const Named& value : named_) {
    const std::set<std::string> names = names_added(core_of(*value.e));
    for (const std::string& name : names) {
      const auto part = sums.find(name);
      if (part == sums.end() || !std::includes(names.begin(), names.end(), part->second.begin(), part->second.end()))
        continue;
      std::vector<Fix> fixes;
      each_expr(budget_, *value.e, [&](const ast::Expr& e) {
        for (std::size_t i = 0; e.kind == ast::ExprKind::list && i < e.args.size(); ++i) {
          if (e.args[i]->text != name || e.args.size() < 2) continue;
          Span span = e.args[i]->span;
          if (i > 0) span.begin = e.args[i - 1]->span.end;
          else span.end = e.args[1]->span.begin;
          fixes.push_back({{span, ""}});
        }
      });
      tell(rc, Code::counted_twice, value.e->span,
           "'" + name + "' is already the sum of others that are added here, so they count twice",
           "leave '" + name + "' out, or its parts", std::move(fixes));
      break;
    }
  }
}

// deduction phones = penalty, where a dimension is computed from 2 * correct - penalty
void SenseChecker::doubt_taken_twice(RubricContext& rc) {
  std::map<std::string_view, const ast::Expr*> lets;
  for (const ast::Item* item : rc.items) {
    if (const auto* let = std::get_if<ast::Let>(&item->node); let && let->body.expr)
      lets[let->name.text] = let->body.expr.get();
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* composite = std::get_if<ast::Composite>(&item->node)) doubt_left_out(rc, *composite);
  }
  std::vector<const DimensionItems*> dimensions;
  each_dimension(rc.dimensions.all, dimensions);
  std::map<std::string_view, const ast::Expr*> taken;  // what a dimension subtracts, and the difference
  std::vector<const ast::Expr*> open;
  std::set<std::string_view> seen;
  for (const DimensionItems* d : dimensions) {
    if (d->node->body.expr) open.push_back(d->node->body.expr.get());
  }
  while (!open.empty()) {
    const ast::Expr& body = *open.back();
    open.pop_back();
    each_expr(budget_, body, [&](const ast::Expr& e) {
      const bool minus = e.kind == ast::ExprKind::binary && e.text == "-";
      if (minus && e.args[1]->kind == ast::ExprKind::name) taken.emplace(e.args[1]->text, &e);
      const auto let = e.kind == ast::ExprKind::name ? lets.find(e.text) : lets.end();
      if (let != lets.end() && seen.insert(let->first).second) open.push_back(let->second);
    });
  }
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Adjustment>(&item->node);
    if (!node || node->kind != AdjustmentKind::deduction || node->loop || !node->body.expr || !node->label.plain() ||
        node->body.expr->kind != ast::ExprKind::name ||
        says(node->label.str() + " " + plain_words(node->prose), WordRole::again))
      continue;
    const auto at = taken.find(node->body.expr->text);
    if (at == taken.end()) continue;
    tell(rc, Code::counted_twice, at->second->span,
         "'" + node->body.expr->text + "' is taken off here, and by the deduction '" + node->label.str() + "' again",
         "leave one of them out", {{{at->second->span, source_text(at->second->args[0]->span)}}});
  }
}

Fix SenseChecker::without_item(const ast::Item& item) const {
  Span line = item.span;
  const std::string_view file = sources_.file(line.file).text;
  while (line.begin > 0 && (file[line.begin - 1] == ' ' || file[line.begin - 1] == '\t')) --line.begin;
  if (line.begin > 0 && file[line.begin - 1] == '\n') --line.begin;
  return {{line, ""}};
}

// deduction "{p.code}" = 2 when p.broken for p in parcels, and 2 * count(p for p in parcels when p.broken)
void SenseChecker::doubt_loops(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node,
                               std::map<std::string, const ast::Adjustment*>& loops) {
  const ast::Loop* loop = node.loop.get();
  const ast::Expr* e = node.body.expr.get();
  const ast::Expr* condition = nullptr;
  if (loop != nullptr) {
    const bool nothing_else =
        e->kind == ast::ExprKind::choice && (e->args.size() < 3 || !e->args[2] || e->args[2]->text == "0");
    if (nothing_else) condition = e->args[1].get();
  } else {
    if (e->kind == ast::ExprKind::call && e->text == "min" && e->args.size() == 2) e = e->args[0].get();
    for (const ast::ExprPtr& side : e->args) {
      const bool count = side && side->kind == ast::ExprKind::call && side->text == "count" && side->loop;
      if (count && e->kind == ast::ExprKind::binary && e->text == "*") loop = side->loop.get();
    }
  }
  if (loop == nullptr || loop->clauses.empty() || loop->clauses.size() > 2 || !loop->clauses[0].expr) return;
  if (loop->clauses.size() == 2) {
    if (loop->clauses[1].kind != ast::ClauseKind::when || condition != nullptr) return;
    condition = loop->clauses[1].expr.get();
  }
  if (condition == nullptr) return;
  std::string key = std::string(row_of(node.kind).word) + " " + squeezed(loop->clauses[0].expr->span);
  const std::string& item_name = loop->clauses[0].first.text;
  for (const std::string& part : lexemes(source_text(condition->span))) key += " " + (part == item_name ? "" : part);
  const auto [at, fresh] = loops.emplace(std::move(key), &node);
  if (fresh || (at->second->loop != nullptr) == (node.loop != nullptr)) return;
  const std::string word(row_of(node.kind).word);
  tell(rc, Code::counted_twice, node.body.expr->span,
       "this " + word + " and an earlier one are for the same: " + short_text(condition->span) + " in " +
           short_text(loop->clauses[0].expr->span),
       "leave one of them out, or write both as one", {without_item(item)});
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
  std::map<std::string, const ast::Adjustment*> loops;
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Adjustment>(&item->node);
    if (!node || !node->body.expr) continue;
    const std::string said = plain_words(node->label) + " " + plain_words(node->prose);
    if (says(said, WordRole::again)) continue;
    doubt_loops(rc, *item, *node, loops);
    if (node->loop || !node->label.plain()) continue;
    const ast::Expr& e = *node->body.expr;
    const bool choice = e.kind == ast::ExprKind::choice;
    const bool constant = choice && e.args[0]->kind == ast::ExprKind::number && (e.args.size() < 3 || !e.args[2]);
    Adjusts here{item, node, constant ? squeezed(e.args[1]->span) : std::string(), {}};
    const Leans leans = slope_.of(rc, node->body, true);
    const bool one = leans.size() == 1 && leans.begin()->second.direction == Lean::Direction::rises;
    if (one && (constant || e.kind == ast::ExprKind::name || (e.kind == ast::ExprKind::binary && e.text == "*")))
      here.path = leans.begin()->first;
    if (here.condition.empty() && here.path.empty() && !leans.empty()) here.condition = squeezed(e.span);  // a formula
    if (here.condition.empty() && here.path.empty()) continue;
    const std::string kind(row_of(node->kind).word), label = node->label.str();
    const auto same = std::find_if(earlier.begin(), earlier.end(), [&here](const Adjusts& other) {
      return here.condition == other.condition && (!here.condition.empty() || here.path == other.path);
    });
    const Fix without = without_item(*item);
    const std::string thing = here.condition.empty() ? here.path : short_text(constant ? e.args[1]->span : e.span);
    if (same != earlier.end()) {
      const bool both = same->node->kind == node->kind;
      if (!both && excused(said)) continue;
      doubt(Code::counted_twice, e.span, rc.index,
            "the " + kind + " '" + label + "' and the " + std::string(row_of(same->node->kind).word) + " '" +
                same->node->label.str() + "' are for the same: " + thing,
            both ? "leave one of them out, or write the sum as one " + kind
                 : "one of them takes back what the other one does: leave one out");
      if (is_own(e.span, rc.index)) state_.noted.doubts.back().fixes = {without};
    }
    const bool taken = node->kind == AdjustmentKind::deduction;
    const auto counts = std::find_if(dimensions.begin(), dimensions.end(), [&](const Counts& of) {
      if (here.path.empty() || excused(said) || of.leans.size() != 1 || of.leans.begin()->first != here.path)
        return false;
      if (of.leans.begin()->second.direction != (taken ? Lean::Direction::falls : Lean::Direction::rises)) return false;
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
      if (is_own(e.span, rc.index)) state_.noted.doubts.back().fixes = {without};
    }
    earlier.push_back(std::move(here));
  }
}

}  // namespace assay
