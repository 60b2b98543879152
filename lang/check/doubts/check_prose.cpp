// Checker: conditions beside the prose of their declaration. "At least 3 sources" and sources > 3 cannot both be meant.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/comments.hpp"
#include "lang/check/words/refused.hpp"
#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay {

namespace {

// Whether two numbers may be one quantity in different units, or of whole numbers with other bounds (> 2 and >= 3). In a
// number like "45,000" a digit is missed more easily than a unit of tenths.
bool may_agree(Number a, Number b, bool other_unit, bool tenths, NumberPool& pool) {
  const Number low = compare(a, b) < 0 ? a : b, high = compare(a, b) < 0 ? b : a;
  const bool counts = is_whole(low) && is_whole(high);
  if (sign(low) <= 0 || (counts && compare(sub(high, low, pool), whole(1)) <= 0)) return true;
  if (!other_unit) return false;
  static constexpr std::int64_t kFactors[] = {
      7,         10,        12,         24,        30,         52,          60,           100,    365,
      366,       1000,      1024,       1'440,     3'600,      10'000,      60'000,       86'400, 604'800,
      1'000'000, 3'600'000, 86'400'000, 1'048'576, 60'000'000, 604'800'000, 1'000'000'000};
  return std::any_of(std::begin(kFactors), std::end(kFactors), [&](std::int64_t factor) {
    return (factor != 10 || tenths) && compare(mul(low, whole(factor), pool), high) == 0;
  });
}

// "Too few answers" of "Too few answers: {answers}"; not given: the values in the text do not stand at its end.
ast::Text lead_of(const ast::Text& prose) {
  ast::Text lead;
  if (prose.plain() || prose.parts.empty() || prose.parts[0].expr) return lead;
  std::string text = prose.parts[0].literal;
  const std::size_t end = text.find_last_not_of(' ');
  if (end == text.npos || std::string_view(":(,;").find(text[end]) == std::string_view::npos) return lead;
  const std::size_t said = text.find_last_not_of(" :(,;");
  for (std::size_t i = 1; i < prose.parts.size(); ++i) {
    for (const std::string& word : words_of(prose.parts[i].literal)) {
      if (!has_word("of it only", word)) return lead;
    }
  }
  if (said == text.npos) return lead;
  lead.parts.emplace_back().literal = text.substr(0, said + 1);
  lead.span = prose.span;
  lead.given = true;
  return lead;
}

// What denies the word behind it: "unsigned", "Not signed", "no_licence".
constexpr std::string_view kNegations[] = {" not ", " no ",  " no_",      " not_",   " un",
                                           " non",  " non_", " without ", " never ", "n't "};

// Whether a text says the name behind its number: "Fewer than 300 words", of text_words.
bool counts_same(std::string_view prose, std::string_view path) {
  const std::string words = in_lower_case(prose);
  std::string name = in_lower_case(path.substr(path.find_last_of("._") == path.npos ? 0 : path.find_last_of("._") + 1));
  std::size_t at = words.find_last_of("0123456789");
  if (at == words.npos) return false;
  for (++at; at < words.size() && words[at] == ' ';) ++at;
  std::size_t end = at;
  while (end < words.size() && is_name_character(words[end])) ++end;
  std::string said = words.substr(at, end - at);
  if (said.ends_with('s')) said.pop_back();
  if (name.ends_with('s')) name.pop_back();
  return !said.empty() && said == name;
}

// Whether the number of a text is that of a value, or of a list that is counted: "five pieces", of pieces.
bool counts_noun(std::string_view prose, const ast::Expr& value, NumberPool& pool) {
  const bool counts = value.kind == ast::ExprKind::call && value.text == "count" && value.loop &&
                      !value.loop->clauses.empty() && value.loop->clauses[0].expr;
  const ast::Expr& path = is_call(value, "count") ? *value.args[0] : counts ? *value.loop->clauses[0].expr : value;
  const auto said = numbers_with_words(prose, pool);
  return is_path(path) && said.size() == 1 && said[0].second.size() > 2 && said[0].second == path.text;
}

// "It has not rained for three days or more", of days_since_rain: what is denied is what the value counts from.
std::optional<SaidBound> lasting_said(std::string_view prose, std::string_view value, NumberPool& pool) {
  const std::string text = in_lower_case(prose);
  const std::size_t at = text.find(" for ");
  const std::vector<std::string> words = words_of(std::string_view(text).substr(0, at)), names = words_of(value);
  const auto from =
      std::find_if(names.begin(), names.end(), [](const auto& w) { return has_word("since without", w); });
  const bool named = std::any_of(from, names.end(), [&words](const std::string& name) {
    return std::any_of(words.begin(), words.end(), [&name](const auto& w) { return w == name || akin(w, name); });
  });
  if (at == text.npos || !named || !has_word("not no never nobody nothing", words)) return std::nullopt;
  return bound_said(std::string_view(text).substr(at + 1), pool);
}

// "Within 10 cm of the centre", of distance_cm >= 10; "within 5%", of deviation <= 0.5%: the same number, or one of the same
// kind.
std::optional<SaidBound> within_said(const std::string& prose, const ast::Expr& literal, NumberPool& pool) {
  const std::vector<std::string> words = words_of(prose);
  const std::vector<SaidNumber> said = numbers_said(prose, pool);
  const bool percent = literal.text.ends_with('%');
  Number number;
  if (words.size() < 2 || words[0] != "within" || said.size() != 1 || numbers_said(words[1], pool).empty() ||
      has_word("not no never nobody none nothing without unless", words) ||
      !parse_decimal(literal.text.substr(0, literal.text.size() - (percent ? 1 : 0)), number, pool, true))
    return std::nullopt;
  if (said[0].percent != percent || (!percent && compare(number, said[0].value) != 0)) return std::nullopt;
  return SaidBound{"<=", said[0]};
}

}  // namespace

const ast::Let* DoubtChecker::let_named(const RubricContext& rc, std::string_view name) {
  const auto [all, fresh] = lets_.try_emplace(&rc);
  for (const ast::Item* item : fresh ? rc.items : std::vector<const ast::Item*>()) {
    if (const auto* let = std::get_if<ast::Let>(&item->node)) all->second.emplace(let->name.text, let);
  }
  const auto at = all->second.find(name);
  return at == all->second.end() ? nullptr : at->second;
}

FormulaOf DoubtChecker::formulas_of(const RubricContext& rc) {
  return [this, &rc](std::string_view name) -> const ast::Expr* {
    const ast::Let* let = let_named(rc, name);
    return let == nullptr || !let->body.where.empty() ? nullptr : let->body.expr.get();
  };
}

const Unit* DoubtChecker::unit_of_value(const ast::Expr& e, const RubricContext& rc) {
  return assay::unit_of_value(rc, e, formulas_of(rc));
}

// gate safe = accidents > 0 "No accident"; flag unsourced when sources != 0 "No sources".
bool DoubtChecker::doubt_stated_none(const ast::Expr& condition, const ast::Text& prose, Stated stated,
                                     int rubric_index) {
  const bool denied = condition.kind == ast::ExprKind::unary && condition.text == "not";
  const ast::Expr& e = denied ? *condition.args[0] : condition;
  const std::vector<std::string> words = words_of(prose.plain() ? prose.str() : "");
  if (e.kind != ast::ExprKind::binary || stated == Stated::rule || words.size() != 2 || words[0] != "no") return false;
  const ast::Expr &path = *e.args[0], &zero = *e.args[1];
  if (path.kind != ast::ExprKind::name && path.kind != ast::ExprKind::field) return false;
  const bool some = zero.text == "0" && (denied ? e.text == "==" : e.text == ">" || e.text == "!=");
  const std::string name = in_lower_case(path.text);
  constexpr std::size_t kStem = 4;
  // "No sources" may say why a gate fails, but what is bad passes where there is none of it.
  const bool meant_none = stated == Stated::applies || sense_of(path.text).good < 0;
  if (zero.kind != ast::ExprKind::number || !some || !meant_none || words[1].size() < kStem ||
      !name.starts_with(words[1].substr(0, std::max(kStem, words[1].size() - 2))))
    return false;
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
        "bring the two into line");
  if (is_own(condition.span, rubric_index))
    state_.noted.doubts.back().fixes = {{{condition.span, source_text(path.span) + " == 0"}}};
  return true;
}

// hours <= 2, and "Delivered within 2 days".
bool DoubtChecker::doubt_stated_unit(const ast::Expr& condition, const ast::Text& prose, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty() || !prose.plain()) return false;
  const bool left = condition.args[0]->kind == ast::ExprKind::number;
  const ast::Expr &literal = *condition.args[left ? 0 : 1], &other = *condition.args[left ? 1 : 0];
  Number number;
  if (literal.kind != ast::ExprKind::number || !parse_decimal(literal.text, number, numbers(), true)) return false;
  const std::optional<SaidMeasure> said = measure_said(prose.str(), numbers());
  const Unit* named = unit_of_value(other, rubric(rubric_index));
  static constexpr std::int64_t kSlips[] = {10, 100, 1'000, 60, 3'600};
  if (!said || !named || said->unit->of != named->of || said->unit->size == named->size) return false;
  const Number meant = div(mul(said->value, whole(said->unit->size), numbers()), whole(named->size), numbers());
  // The number of another unit, or one whose point is at another place.
  const Number ratio = sign(number) > 0 && sign(meant) > 0 ? div(number, meant, numbers()) : whole(1);
  const bool slipped = std::any_of(std::begin(kSlips), std::end(kSlips), [&](std::int64_t factor) {
    return compare(ratio, whole(factor)) == 0 || compare(mul(ratio, whole(factor), numbers()), whole(1)) == 0;
  });
  if (compare(said->value, number) != 0 && !slipped) return false;
  const std::string text = shortest_text(meant);
  doubt(Code::contradicts_prose, literal.span, rubric_index,
        "'" + short_text(other.span) + "' is compared with " + literal.text + ", and " + source_says("the text", prose),
        FixIt("write " + text + ": the unit of the name is another one", text, false));
  return true;
}

// gate within_budget = requested > budget, and "The request is within the budget".
bool DoubtChecker::doubt_stated_name(const ast::Expr& condition, const ast::Text& prose, Stated stated,
                                     int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty() || !prose.plain()) return false;
  const auto path = [](const ast::Expr& e) { return e.kind == ast::ExprKind::name || e.kind == ast::ExprKind::field; };
  if (stated == Stated::rule || !path(*condition.args[0]) || !path(*condition.args[1])) return false;
  const std::vector<std::string> words = words_of(prose.str());
  // "At least as many rooms as are needed" names what is measured first.
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "as" && has_word("many much few little long high large big good fast old", words[i + 1]))
      return false;
  }
  const auto named = [](const ast::Expr& e, std::string_view word) {
    const std::vector<std::string> parts = words_of(e.text);
    return word.size() > 2 && std::find(parts.begin(), parts.end(), word) != parts.end();
  };
  const std::optional<SaidOf> said = bound_of_name(words, stated == Stated::passes, [&](std::string_view word) {
    const bool left = named(*condition.args[0], word), right = named(*condition.args[1], word);
    return left == right ? 0 : left ? -1 : 1;
  });
  if (!said) return false;
  // hours <= limit, and "Within the hours of its zone"
  static constexpr std::string_view kLimits = "limit limits maximum max most allowed allowance permitted quota cap";
  if (said->side < 0 && has_word(kLimits, words_of(condition.args[1]->text))) return false;
  // What is said of the other side.
  const std::string_view op = said->side > 0 ? std::string_view(condition.text) : turned(condition.text);
  if (op.front() == said->op.front()) return false;
  const std::string meant(said->side > 0 ? said->op : turned(said->op));
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
        "bring the two into line");
  if (is_own(condition.span, rubric_index)) state_.noted.doubts.back().fixes = {{{condition.word, meant}}};
  return true;
}

// gate handed_in = sessions >= 6 "At least 6 essays", where 'essays' is another input; count(authors) >= 6 "… references"
bool DoubtChecker::doubt_stated_noun(const ast::Expr& condition, const ast::Text& prose, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty() || !prose.plain()) return false;
  const bool counts = is_call(*condition.args[0], "count");
  const ast::Expr &path = counts ? *condition.args[0]->args[0] : *condition.args[0], &literal = *condition.args[1];
  Number number;
  RubricContext& rc = rubric(rubric_index);
  const auto own = path.kind == ast::ExprKind::name ? rc.last_inputs.find(path.text) : rc.last_inputs.end();
  if (own == rc.last_inputs.end() || literal.kind != ast::ExprKind::number ||
      !parse_decimal(literal.text, number, numbers(), true))
    return false;
  const auto said = numbers_with_words(prose.str(), numbers());
  if (said.size() != 1 || said[0].first.percent || compare(said[0].first.value, number) != 0) return false;
  const std::string& noun = said[0].second;
  const auto other = rc.last_inputs.find(noun);
  const std::vector<std::string> words = words_of(prose.str()),
                                 mine = words_of(path.text + " " +
                                                 (own->second->prose.plain() ? own->second->prose.str() : ""));
  constexpr std::size_t kStem = 4;  // "reviewed", of reviews
  const auto about = [&](const std::string& w) {
    return has_word(path.text, w) || (w.size() >= kStem && path.text.starts_with(w.substr(0, kStem)));
  };
  if (other == rc.last_inputs.end() || noun == path.text || unit_of(noun) != nullptr ||
      std::any_of(words.begin(), words.end(), about) || std::find(mine.begin(), mine.end(), noun) != mine.end())
    return false;
  const auto type_of = [&](std::string_view name) {
    return model(rc).items[static_cast<std::size_t>(rc.by_name.inputs.find(name)->second)].type;
  };
  const TypeKind kind = counts ? TypeKind::list : TypeKind::number;
  if (types_.kind(type_of(noun)) != kind || types_.kind(type_of(path.text)) != kind) return false;
  doubt(Code::contradicts_prose, path.span, rubric_index,
        "this asks for '" + path.text + "', and " + source_says("the text", prose),
        FixIt("write " + noun, noun, false));
  return true;
}

// incomplete when coverage > 50%: the more evidence there is, the less it would count.
void DoubtChecker::doubt_coverage(const ast::Expr& condition, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary) return;
  const bool left = condition.args[0]->kind == ast::ExprKind::name && condition.args[0]->text == "coverage";
  const bool right = condition.args[1]->kind == ast::ExprKind::name && condition.args[1]->text == "coverage";
  const bool much = left ? condition.text.starts_with('>') : right && condition.text.starts_with('<');
  if (!much || rubric(rubric_index).by_name.own.count("coverage") > 0) return;
  const std::string meant(opposite_of(condition.text));
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        "'incomplete' withholds the score here if there is much evidence, not if there is little",
        "write '" + meant + "'");
  if (is_own(condition.span, rubric_index)) state_.noted.doubts.back().fixes = {{{condition.word, meant}}};
}

// errors != 0, and "More than two errors".
void DoubtChecker::doubt_stated_number(const ast::Expr& condition, const ast::Text& prose, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || (condition.text != "!=" && condition.text != "==") || !prose.plain())
    return;
  const ast::Expr &path = *condition.args[0], &literal = *condition.args[1];
  const std::optional<SaidBound> said = bound_said(prose.str(), numbers());
  Number number;
  if (!said || said->number.percent || literal.kind != ast::ExprKind::number ||
      !parse_decimal(literal.text, number, numbers(), true))
    return;
  std::string name = in_lower_case(path.text);
  if (name.ends_with('s')) name.pop_back();
  const Number off = sub(number, said->number.value, numbers());
  // count(sources) == 3 "At least 3 sources"
  const Interval range = range_of_name(path, rubric(rubric_index));
  const bool at_end = sign(number) == 0 || (!range.high.missing() && compare(range.high, number) == 0) ||
                      (!range.low.missing() && compare(range.low, number) == 0);
  if (condition.text == "==" && said->demands && !said->either && sign(off) == 0 && !at_end &&
      (said->op == ">=" || said->op == "<=")) {
    doubt(Code::contradicts_prose, condition.span, rubric_index,
          "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
          "write '" + std::string(said->op) + "'");
    if (is_own(condition.span, rubric_index))
      state_.noted.doubts.back().fixes = {{{condition.word, std::string(said->op)}}};
    return;
  }
  const bool near = compare(off, whole(1)) <= 0 && compare(off, whole(-1)) >= 0;
  if (near || name.size() < 3 || in_lower_case(prose.str()).find(name) == std::string::npos) return;
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
        "bring the two into line");
  if (is_own(condition.span, rubric_index))
    state_.noted.doubts.back().fixes = {
        {{condition.word, std::string(said->op)}, {literal.span, shortest_text(said->number.value)}}};
}

// gate insurance = not insured "The driver is insured", and flag unsigned when signed "Not signed".
void DoubtChecker::doubt_stated_truth(const ast::Expr& condition, std::string_view declared, const ast::Text& prose,
                                      Stated stated, int rubric_index) {
  const bool denied = condition.kind == ast::ExprKind::unary && condition.text == "not";
  const ast::Expr& path = denied ? *condition.args[0] : condition;
  if ((path.kind != ast::ExprKind::name && path.kind != ast::ExprKind::field) || !prose.plain()) return;
  if (stated == Stated::rule || denied != (stated == Stated::passes)) return;
  std::string stem = in_lower_case(path.text);
  for (const std::string_view before : {"has_", "is_", "was_", "with_"}) {
    if (stem.starts_with(before)) stem.erase(0, before.size());
  }
  stem = stem.substr(0, stem.find('_')).substr(0, 5);
  if (stem.size() < 4) return;
  const std::string name = in_lower_case(declared), words = " " + in_lower_case(prose.str());
  const std::size_t in_name = name.find(stem), in_words = words.find(stem);
  if (in_name == name.npos || in_words == words.npos || words.find(stem, in_words + 1) != words.npos) return;
  const std::string before_name = " " + name.substr(0, in_name), before_words = words.substr(0, in_words);
  const auto denies = [](const std::string& text) {  // anywhere
    return std::any_of(std::begin(kNegations), std::end(kNegations),
                       [&text](std::string_view no) { return text.find(no) != text.npos; });
  };
  const auto denies_next = [](const std::string& text) {
    return std::any_of(std::begin(kNegations), std::end(kNegations),
                       [&text](std::string_view no) { return text.ends_with(no); });
  };
  if (denied ? denies(before_name) || denies(words + " ") : !denies_next(before_name) || !denies_next(before_words))
    return;
  // "Harmful content", or "Drafts that are plagiarised are disqualified" say why the gate fails; "The driver is insured" says
  // what has to hold.
  const auto has = [&words](std::string_view word) { return words.find(word) != words.npos; };
  const bool states = has(" is ") || has(" has ") || has(" must ") || has(" are ");
  const bool tells_why = has(" that ") || has(" which ") || has(" who ") || has(" if ") || has(" when ") ||
                         has("qualif") || has("exclu") || has("reject") || has("refus") || has("fail") ||
                         has(" whose ") || has(" nobody ") || has(" lost");
  if (denied && (!states || tells_why || sense_of(path.text).good < 0)) return;
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
        "bring the two into line");
  if (!is_own(condition.span, rubric_index)) return;
  const std::string text = source_text(path.span);
  state_.noted.doubts.back().fixes = {{{condition.span, denied ? text : "not " + text}}};
}

// flag too_cold when celsius > 18; incomplete when words > 150 "Too short to be judged"; check words > 900 "Too long"
bool DoubtChecker::doubt_stated_too(const ast::Expr& condition, std::string_view text, bool name, bool applies,
                                    int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty()) return false;
  const bool left = condition.args[0]->kind == ast::ExprKind::number;
  const ast::Expr &literal = *condition.args[left ? 0 : 1], &other = *condition.args[left ? 1 : 0];
  const bool path = other.kind == ast::ExprKind::name || other.kind == ast::ExprKind::field;
  if (literal.kind != ast::ExprKind::number || !path) return false;
  const std::vector<std::string> words = words_of(text);
  const auto too = std::find(words.begin(), words.end(), "too");
  if (too == words.end() || too + 1 == words.end() || std::find(too + 1, words.end(), "too") != words.end())
    return false;
  if (too != words.begin() && has_word("not never nor isn't", *(too - 1))) return false;
  // What is left, or missing, is large where the thing itself is small; so may be what is good.
  const int way = way_said(*(too + 1), other.text, sense_of(other.text).good != 0);
  const bool much = (left ? turned(condition.text) : std::string_view(condition.text)).front() == '>';
  // "Too few games" may be said of a deviation: what is too much, too little or too short has to be what is compared. Of
  // cold days there are many where it is cold.
  const std::vector<std::string> names = words_of(other.text);
  if (way == 0 || says(other.text, WordRole::turns) || (much == (way > 0)) == applies ||
      std::find(names.begin(), names.end(), *(too + 1)) != names.end())
    return false;
  const auto compared = [&names](const std::string& word) {
    constexpr std::size_t kStem = 4;
    return std::any_of(names.begin(), names.end(), [&word](const std::string& own) {
      return own == word ||
             (word.size() >= kStem && own.size() >= kStem && own.substr(0, kStem) == word.substr(0, kStem));
    });
  };
  auto behind = too + 2;
  if (behind != words.end() && has_word("a an", *behind)) ++behind;
  const bool noun = behind != words.end() && !has_word("to for in on at and or by when if than", *behind);
  const bool amount = has_word("few little many much low high", *(too + 1));
  if (noun ? !compared(*behind) : amount && too != words.begin() && std::none_of(words.begin(), too, compared))
    return false;
  // What is too much or too little is beyond the bound: too few when answers < 10.
  const std::string meant(applies ? turned(condition.text).substr(0, 1) : opposite_of(condition.text));
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        (applies ? "this condition is " : "this asks for ") + short_text(condition.span) + ", and its " +
            (name ? "name" : "text") + " says \"" + std::string(text) + "\"",
        "write '" + meant + "'");
  if (is_own(condition.span, rubric_index)) state_.noted.doubts.back().fixes = {{{condition.word, meant}}};
  return true;
}

// The bound of the condition, where a text says whom it turns away or what it allows; empty: it does not.
std::optional<SaidBound> DoubtChecker::stated_verdict(const ast::Expr& value, const std::string& prose, Stated stated,
                                                      int rubric_index) {
  if (stated == Stated::names) return std::nullopt;
  const std::string source = in_lower_case(source_text(value.span));
  std::vector<std::string> own = words_of(source);
  const auto input = rubric(rubric_index).last_inputs.find(value.text);
  if (value.kind == ast::ExprKind::name && input != rubric(rubric_index).last_inputs.end()) {
    const std::vector<std::string> more = words_of(plain_words(input->second->prose));
    own.insert(own.end(), more.begin(), more.end());
  }
  const auto about = [&own](const std::string& word) {
    return std::any_of(own.begin(), own.end(), [&](const std::string& of) { return of == word || akin(of, word); });
  };
  const int good = is_path(value) ? sense_of(value.text).good : 0;
  if (const auto allowed = allowed_said(prose, numbers()); allowed && stated == Stated::passes) {
    if (good > 0 || !about(allowed->noun)) return std::nullopt;
    return SaidBound{"<=", allowed->number};
  }
  std::optional<SaidRefusal> refused = refused_said(prose, numbers());
  if (!refused) return std::nullopt;
  // "At least three papers were rejected" counts what the verdict names; too few absences bar nobody.
  const std::vector<std::string> words = words_of(prose);
  const bool counts_them = std::any_of(words.begin(), words.end(), [&source](const std::string& word) {
    constexpr std::size_t kStem = 4;
    const bool verdict = is_word(word, WordRole::refused) || is_word(word, WordRole::refuses) ||
                         is_word(word, WordRole::refusal) || is_word(word, WordRole::admitted);
    return verdict && source.find(word.substr(0, kStem)) != source.npos;
  });
  const bool little = refused->bound.op.front() == '<';
  if (counts_them || (good != 0 && little != (good > 0))) return std::nullopt;
  if (!refused->counted.empty() &&
      std::none_of(refused->counted.begin(), refused->counted.end(),
                   [&](const std::string& word) { return about(word) || unit_of(word) != nullptr; }))
    return std::nullopt;
  if (stated != Stated::applies) refused->bound.op = opposite_of(refused->bound.op);
  return refused->bound;
}

namespace {

// Whether the number of a bound in a text counts something else than a value: "Open until 3 p.m.", "One hour of readings",
// "A point for each day, at most ten".
bool counts_other(std::string_view prose, const Unit* of_value) {
  if (says_clock_time(prose)) return true;
  const std::string text = in_lower_case(prose);
  for (const std::string_view most : {", at most", ", up to", ", no more than", ", not more than", ", at least"}) {
    const std::size_t at = text.find(most);
    if (at != text.npos && has_word("each every per", words_of(std::string_view(text).substr(0, at)))) return true;
  }
  const std::vector<std::string> words = words_of(text);
  for (std::size_t i = 0; of_value == nullptr && i + 1 < words.size(); ++i) {
    if (unit_of(words[i]) != nullptr && words[i + 1] == "of" && i + 2 < words.size() && i > 0) return true;
  }
  return false;
}

}  // namespace

// What a warning says of the text that it quotes: its text says "…"; the comment says "…".
std::string DoubtChecker::source_says(const std::string& source, const ast::Text& prose) const {
  return (commented_ ? "the comment" : source) + " says \"" + prose.str() + '"';
}

void DoubtChecker::doubt_prose(const ast::Expr& condition, const ast::Text& prose, Stated stated, int rubric_index) {
  // "60 points or more would have spared you" is about those for whom the condition fails.
  if (stated == Stated::applies && prose.plain() && has_word("would", words_of(prose.str()))) return;
  doubt_stated_range(condition, prose, rubric_index);
  doubt_stated_number(condition, prose, rubric_index);
  doubt_stated_between(condition, prose, rubric_index);
  doubt_stated_difference(condition, prose, rubric_index);
  if (doubt_stated_unit(condition, prose, rubric_index) || doubt_stated_noun(condition, prose, rubric_index) ||
      doubt_stated_name(condition, prose, stated, rubric_index) ||
      doubt_stated_none(condition, prose, stated, rubric_index))
    return;
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty() || !prose.plain()) return;
  const bool left = condition.args[0]->kind == ast::ExprKind::number;
  const ast::Expr &literal = *condition.args[left ? 0 : 1], &other = *condition.args[left ? 1 : 0];
  if (literal.kind != ast::ExprKind::number || other.kind == ast::ExprKind::number) return;
  bool clear = false;  // the text leaves no doubt about who passes
  std::optional<SaidBound> said = stated_verdict(other, prose.str(), stated, rubric_index);
  if (said) clear = true;
  else said = bound_said(prose.str(), numbers());
  if (const auto lasts = said ? std::nullopt : lasting_said(prose.str(), sources_.text(other.span), numbers()); lasts)
    said = lasts, clear = true;
  if (!said) said = within_said(prose.str(), literal, numbers());
  if (!said) return;
  const std::optional<SaidMeasure> measure = measure_said(prose.str(), numbers());
  const Unit* named = unit_of_value(other, rubric(rubric_index));
  if (counts_other(prose.str(), named)) return;
  if (measure && named && relate(*measure->unit, *named) && measure->unit != named) {  // "Three months", of weeks
    const bool same_number = compare(measure->value, said->number.value) == 0 && !said->number.percent;
    if (measure->unit->of != named->of || !same_number) return;
    const Number here = div(mul(measure->value, whole(measure->unit->size), numbers()), whole(named->size), numbers());
    Number written;
    const bool rounded = measure->unit->of == Quantity::speed || measure->unit->of == Quantity::data ||
                         has_word("about around roughly nearly almost approximately", words_of(prose.str()));
    if (!parse_decimal(literal.text, written, numbers(), true) || (rounded && compare(written, here) != 0)) return;
    said->number.value = here;  // "At least eight weeks", of 56 days
  }
  const std::string_view op = left ? turned(condition.text) : std::string_view(condition.text);
  const bool percent = literal.text.ends_with('%');
  Number number;
  if (!parse_decimal(literal.text.substr(0, literal.text.size() - (percent ? 1 : 0)), number, numbers(), true)) return;
  // 0.4 and "40%"
  const Number hundredth = div(said->number.value, whole(100), numbers());
  // 80 of what is called a share, and 0.08 for "80%"
  const std::string_view name = sources_.text(other.span);
  const Interval range = range_of_name(other, rubric(rubric_index));
  const bool of_hundred = said->number.percent && !range.high.missing() && compare(range.high, whole(100)) == 0;
  const bool share = said->number.percent && !percent && !of_hundred &&
                     (name.ends_with("share") || name.ends_with("fraction") || name.ends_with("ratio") ||
                      name.ends_with("rate") || compare(number, whole(1)) <= 0);
  // 0.15 of what goes up to 100, for "15%"
  const bool hundred_times = of_hundred && !percent && compare(number, hundredth) == 0;
  // 72 of what goes up to 120, for "60%"
  const bool of_most = said->number.percent && !percent && !of_hundred && !range.high.missing() &&
                       compare(number, mul(range.high, hundredth, numbers())) == 0;
  const bool same = of_most ? true
                    : share ? compare(number, hundredth) == 0
                            : compare(number, said->number.value) == 0 ||
                                  (!percent && !of_hundred && compare(number, hundredth) == 0);
  if (!same && !percent && of_other_base(other, number, said->number, prose.str(), rubric(rubric_index))) return;
  // The prose of a gate says what has to be, that of a flag or a cap why it applies; some say it the other way round.
  const bool passes = stated == Stated::passes;
  const bool either = !clear && (stated == Stated::rule || (said->either && !(passes && said->must)) ||
                                 passes != (said->demands || said->must));
  if (stated == Stated::names && (op != said->op || same || said->demands)) return;
  if (op == said->op || (either && op == opposite_of(said->op))) {
    const bool other_unit = !counts_same(prose.str(), sources_.text(other.span));
    const bool tenths = !said->number.grouped || named != nullptr || measure;
    const Number off = abs(sub(number, said->number.value, numbers()), numbers());
    const bool next = is_whole(off) && compare(off, whole(1)) == 0;
    // "At least five pieces", and pieces >= 4: of the same sign, and no other bound of whole numbers
    const bool slipped = next && op == said->op && counts_noun(prose.str(), other, numbers());
    const bool agree = !share && !hundred_times && !slipped && !(percent && said->number.percent) &&
                       may_agree(number, said->number.value, other_unit, tenths, numbers());
    if (same || (clear ? agree && other_unit && !next : agree)) return;
  } else if (!same) {
    return;
  }
  const bool as_percent = percent || (said->number.percent && !of_hundred);
  Fix fix;
  // What a text may say either of what passes or of what fails does not turn the condition round.
  const std::string_view meant = either && op.front() != said->op.front() ? opposite_of(said->op) : said->op;
  if (same) fix = {{condition.word, std::string(left ? turned(meant) : meant)}};
  else fix = {{literal.span, shortest_text(said->number.value) + (as_percent ? "%" : "")}};
  const std::string instead = "write " + (same ? "'" + fix[0].text + "'" : fix[0].text);
  doubt(Code::contradicts_prose, condition.span, rubric_index,
        "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
        clear ? instead : "bring the two into line");
  if (is_own(condition.span, rubric_index)) state_.noted.doubts.back().fixes = {std::move(fix)};
}

// # Vaccines are kept between 2 and 8 degrees. Above: count(t for t in readings when t in 2..18). What a comment says of a
// condition is a rule, or what it counts: it decides numbers, and not who passes.
void DoubtChecker::doubt_commented(const ast::Expr& condition, Span declaration, RubricContext& rc) {
  const std::string comment = comment_at(sources_.file(declaration.file).text, declaration.begin, declaration.end);
  if (comment.empty() || numbers_said(comment, numbers()).empty()) return;
  static constexpr std::string_view kOpen =
      "was were formerly previously until since raised lowered changed before instead about around roughly usually "
      "typical typically normally average example";
  for (const std::string& sentence : sentences_of(comment)) {
    const auto same = [&condition](const Doubt& d) {
      return d.code == Code::contradicts_prose && d.span.file == condition.span.file &&
             d.span.begin >= condition.span.begin && d.span.end <= condition.span.end;
    };
    std::vector<Doubt>& doubts = state_.noted.doubts;
    if (has_word(kOpen, words_of(sentence)) || std::any_of(doubts.begin(), doubts.end(), same)) continue;
    ast::Text said;
    said.parts.emplace_back().literal = sentence;
    said.given = true;
    commented_ = true;
    doubt_prose(condition, said, Stated::names, rc.index);
    commented_ = false;
  }
}

// Conditions of this rubric that stand alone in a declaration with prose.
void DoubtChecker::doubt_statements(RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    if (!is_own(item->span, rc.index)) continue;
    const auto about = [&](const ast::ExprPtr& condition, const ast::Text& written, Stated stated,
                           std::string_view name = {}) {
      if (condition) doubt_commented(*condition, item->span, rc);
      const ast::Text lead = lead_of(written);
      const ast::Text& prose = lead.given ? lead : written;
      const bool applies = condition && stated == Stated::applies;
      if (applies && ((prose.plain() && doubt_stated_too(*condition, prose.str(), false, true, rc.index)) ||
                      doubt_stated_too(*condition, name, true, true, rc.index)))
        return;
      if (!condition || !prose.given) return;
      const auto same = [&condition](const Doubt& d) {  // its trend is doubted already
        return d.code == Code::contradicts_prose && d.span.file == condition->span.file &&
               d.span.begin == condition->span.begin && d.span.end == condition->span.end;
      };
      if (std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), same)) return;
      if (!applies && prose.plain() && doubt_stated_too(*condition, prose.str(), false, false, rc.index)) return;
      doubt_stated_truth(*condition, name, prose, stated, rc.index);
      if (written.plain())
        state_.noted.around.statements.push_back({item->span, prose.str(), stated == Stated::passes});
      doubt_prose(*condition, prose, stated, rc.index);
    };
    // output "share below 1 s" = count(s for s in seconds when s < 2) / count(seconds)
    const auto named = [&](const ast::Name& name, const ast::Body& body, const ast::Text& prose) {
      if (!body.expr) return;
      doubt_conversions(name, body, rc.index);
      std::vector<const ast::Expr*> conditions;
      each_expr(budget_, *body.expr, [&conditions](const ast::Expr& e) {
        for (std::size_t i = 0; e.loop && i < e.loop->clauses.size(); ++i) {
          if (e.loop->clauses[i].kind == ast::ClauseKind::when) conditions.push_back(e.loop->clauses[i].expr.get());
        }
      });
      if (conditions.size() != 1) return;
      ast::Text label;
      label.parts.emplace_back().literal = name.text;
      doubt_prose(*conditions[0], prose.plain() && prose.given ? prose : label, Stated::names, rc.index);
      doubt_commented(*conditions[0], item->span, rc);
    };
    if (const auto* advice = std::get_if<ast::Advice>(&item->node); advice && advice->when && advice->text.plain()) {
      const std::optional<SaidBound> said = bound_said(advice->text.str(), numbers());
      // Without a verb that states something it may say what to do: "Name three sources or more", when count(sources) < 3.
      const std::vector<std::string> words = words_of(advice->text.str());
      const bool states = has_word("is are was were has have", words);
      const bool same_way = said && advice->when->kind == ast::ExprKind::binary && !said->op.empty() &&
                            advice->when->text.front() == said->op.front();
      if ((states || same_way) && said && !said->demands && !said->either)
        doubt_prose(*advice->when, advice->text, Stated::applies, rc.index);
    }
    if (const auto* input = std::get_if<ast::Input>(&item->node)) doubt_stated_input(*input, rc.index);
    if (const auto* let = std::get_if<ast::Let>(&item->node)) named(let->name, let->body, let->prose);
    if (const auto* output = std::get_if<ast::Output>(&item->node)) named(output->name, output->body, output->prose);
    if (const auto* gate = std::get_if<ast::Gate>(&item->node))
      about(gate->body.expr, gate->prose, Stated::passes, gate->name.text);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node))
      about(flag->when, flag->prose, Stated::applies, flag->label.plain() ? flag->label.str() : std::string());
    if (const auto* cap = std::get_if<ast::Cap>(&item->node); cap && cap->when) {
      // "At most 40 points" is about the limit, unless the condition counts points
      const bool limit = has_word("point points", words_of(cap->prose.plain() ? cap->prose.str() : "")) &&
                         source_text(cap->when->span).find("point") == std::string::npos;
      if (!limit) about(cap->when, cap->prose, Stated::applies);
    }
    if (const auto* check = std::get_if<ast::Check>(&item->node)) about(check->condition, check->prose, Stated::rule);
    if (const auto* incomplete = std::get_if<ast::Incomplete>(&item->node)) {
      if (incomplete->when) doubt_coverage(*incomplete->when, rc.index);
      about(incomplete->when, incomplete->prose, Stated::applies);
    }
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node)) {
      const ast::ExprPtr& body = amount->body.expr;
      const bool choice = body && body->kind == ast::ExprKind::choice && (body->args.size() < 3 || !body->args[2]);
      if (choice) about(body->args[1], amount->prose, Stated::applies);
    }
  }
}

}  // namespace assay
