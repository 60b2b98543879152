// Reads the keys of a declaration that is itself a block: { weight: 40%, text: "…" }, and the levels of a criterion.
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <utility>

namespace assay::mending {

namespace {

std::string unescaped(std::string text) {
  for (std::size_t at = text.find("\\\""); at != text.npos; at = text.find("\\\"", at)) text.erase(at, 1);
  return text;
}

std::string plain_value(const Tokens& tokens, const BlockItem& item) {
  return item.value.end == item.value.begin + 1 && tokens[item.value.begin].is_text()
             ? unescaped(without_quotes(tokens, item.value.begin))
             : raw(tokens, item.value);
}

// Words that name how good something is: a level, not a criterion.
bool says_level(std::string_view key) {
  const std::string word = in_lower_case(key.substr(0, key.find(' ')));
  return among(word, {"excellent",    "outstanding", "exemplary",    "distinguished", "very",         "good",
                      "strong",       "proficient",  "accomplished", "advanced",      "satisfactory", "sufficient",
                      "adequate",     "acceptable",  "average",      "fair",          "developing",   "emerging",
                      "basic",        "beginning",   "novice",       "weak",          "poor",         "insufficient",
                      "unacceptable", "bad",         "perfect",      "exceeds",       "meets",        "below",
                      "partial",      "expert",      "high",         "medium",        "low",          "none"});
}

bool read_levels(const Tokens& tokens, const std::vector<BlockItem>& items, Facts& facts) {
  for (const BlockItem& item : items) {
    std::string key = item.key;
    if (in_lower_case(key.substr(0, 6)) == "level ") key = key.substr(6);
    const bool number = !key.empty() && key.find_first_not_of("0123456789.") == key.npos;
    if (number) {
      facts.levels.emplace_back(key, text_of(plain_value(tokens, item)));
    } else if ((in_lower_case(key) == "level" || key.empty()) && item.inside.empty() && !item.value.empty() &&
               tokens[item.value.begin].kind == Token::Kind::number) {                      // level 10 "…"
      if (among(tokens[item.value.begin + 1].shown, {"..", "-", "–", "to"})) return false;  // a level is one number
      facts.levels.emplace_back(tokens[item.value.begin].shown,
                                joined_text(tokens, stripped(tokens, {item.value.begin + 1, item.value.end})));
    } else if (item.value.end == item.value.begin + 1 && tokens[item.value.begin].kind == Token::Kind::number) {
      facts.levels.emplace_back(tokens[item.value.begin].shown, text_of(key));
    } else if (item.inside.empty() && !key.empty() && !item.value.empty()) {  // excellent (6): "Sharp"
      std::string level, text;
      for (std::size_t i = item.value.begin; i < item.value.end; ++i) {
        if (tokens[i].kind == Token::Kind::number && level.empty()) level = tokens[i].shown;
        else if (tokens[i].is_text()) text = as_text(tokens[i].shown);
        else if (tokens[i].value() && !is_points(tokens[i].shown)) {
          text = text_of(raw(tokens, {i, item.value.end}));
          break;
        }
      }
      if (level.empty()) return false;
      facts.levels.emplace_back(level, text.empty() ? text_of(key) : text);
    } else if (item.inside.size() >= 2) {  // { score: 4, text: "…" }
      std::string level, text;
      for (const BlockItem& part : item.inside) {
        const bool digits =
            part.value.end == part.value.begin + 1 && tokens[part.value.begin].kind == Token::Kind::number;
        if (digits && level.empty()) level = raw(tokens, part.value);
        else text = text.empty() ? plain_value(tokens, part) : text + ": " + plain_value(tokens, part);
      }
      if (level.empty()) return false;
      facts.levels.emplace_back(level, text_of(text));
    } else {
      return false;
    }
  }
  return !items.empty();
}

// level 1 "…", 1: "…"
bool is_level(const Tokens& tokens, const BlockItem& item) {
  const std::string key = in_lower_case(item.key);
  const bool number = !key.empty() && key.find_first_not_of("0123456789.") == key.npos;
  const bool alone = key.empty() && item.value.end > item.value.begin + 1 && item.inside.empty() &&
                     tokens[item.value.begin].kind == Token::Kind::number && tokens[item.value.begin + 1].is_text();
  return alone || (number && !item.value.empty()) || key.starts_with("level ") ||
         (key == "level" && !item.value.empty() && tokens[item.value.begin].kind == Token::Kind::number);
}

// What belongs to the head of a dimension and stands in its block without a sign: 'missing skip', 'type number 0..10'.
bool read_clause(const Tokens& tokens, const BlockItem& item, Facts& facts) {
  const std::string_view first = tokens[item.all.begin].shown;
  if (!item.inside.empty() || tokens.is(item.all.begin + 1, ":")) return false;
  if (among(first, {"missing", "advisory"}) && item.all.end <= item.all.begin + 2)
    return read_rest(tokens, "dimension", item.all, facts);
  const bool type = among(first, {"type", "kind"}), number = among(first, {"number", "whole"});
  if ((!type && !number) || !facts.type.empty()) return false;
  facts.type = raw(tokens, stripped(tokens, {item.all.begin + (type ? 1 : 0), item.all.end}));
  return !facts.type.empty();
}

// Words that only mean something of their own in the block of a dimension, and name no criterion.
bool names_no_part(std::string_view key) {
  const std::string_view word = word_of_statement(key.substr(0, key.find(' ')));
  return (!word.empty() && word != "dimension" && word != "criterion") || is_key(key);
}

// range: 0..100, [0, 100], (0, 100): both ends; false: something else.
bool read_range(const Tokens& tokens, const BlockItem& item, Facts& facts) {
  std::vector<std::string> ends;
  for (std::size_t i = item.all.begin; i < item.all.end; ++i) {
    if (tokens[i].is_text()) return false;
    if (tokens[i].kind != Token::Kind::number) continue;
    const bool minus = i > item.all.begin && tokens.is(i - 1, "-") && tokens[i - 2].kind != Token::Kind::number;
    ends.push_back((minus ? "-" : "") + std::string(tokens[i].shown));
  }
  if (ends.size() != 2) return false;
  facts.low = ends[0], facts.high = ends[1];
  return true;
}

// Whether such a declaration has a place for all that its keys say: nothing of it is dropped in silence.
bool says_all(std::string_view word, const Facts& facts) {
  const bool dimension = word == "dimension" || word == "criterion", input = word == "input";
  const bool bounds = !facts.low.empty() || !facts.high.empty();
  if (dimension && (!facts.when.empty() || !facts.decimals.empty() || (bounds && facts.type.empty()))) return false;
  if (input && (!facts.when.empty() || !facts.decimals.empty() || !facts.weight.empty() || !facts.points.empty()))
    return false;
  if (dimension || input) return true;
  if (facts.optional || bounds || !facts.type.empty() || !facts.fallback.empty() || !facts.weight.empty() ||
      !facts.missing.empty())
    return false;
  return word == "output" || facts.decimals.empty();
}

}  // namespace

bool is_key(std::string_view word) {
  return among(in_lower_case(word),
               {"name",       "id",     "key",     "field",   "title",    "label",    "text",      "description",
                "weight",     "points", "type",    "kind",    "when",     "if",       "condition", "target",
                "at",         "amount", "value",   "reason",  "score",    "level",    "criterion", "dimension",
                "question",   "prose",  "share",   "percent", "formula",  "expr",     "check",     "max",
                "min",        "from",   "to",      "default", "grade",    "range",    "message",   "max_points",
                "expression", "rule",   "require", "path",    "decimals", "optional", "required",  "levels"});
}

bool read_keys(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
               Facts& facts) {
  const bool dimension = word == "dimension" || word == "criterion";
  if (dimension && std::all_of(item.inside.begin(), item.inside.end(), [](const BlockItem& i) {
        return !i.key.empty() &&
               (i.key.find_first_not_of("0123456789.") == i.key.npos ||
                (in_lower_case(i.key.substr(0, 5)) == "level" && i.inside.empty()) || says_level(i.key));
      }))
    return read_levels(tokens, item.inside, facts);
  const auto has_key = [&item](std::initializer_list<std::string_view> keys) {
    return std::any_of(item.inside.begin(), item.inside.end(),
                       [&keys](const BlockItem& one) { return among(in_lower_case(one.key), keys); });
  };
  const bool bounds = dimension && has_key({"weight", "share", "min", "minimum", "low", "from"});  // and not points
  std::vector<BlockItem> described;  // levels among the keys
  for (BlockItem one : item.inside) {
    if (dimension && is_level(tokens, one)) {
      described.push_back(std::move(one));
      continue;
    }
    if (dimension && read_clause(tokens, one, facts)) continue;
    bool several = false;  // at 60 when late: no key alone
    for (std::size_t i = one.value.begin + 1; i < one.value.end; ++i)
      several = several || among(tokens[i].shown, {"when", "if", "because"});
    if (one.key.empty() && one.value.end > one.value.begin + 1 && !several &&
        among(tokens[one.value.begin].shown, {"require", "when", "if", "at", "message", "reason", "because", "text"}))
      one.key = tokens[one.value.begin++].shown;  // message "Too late"
    const std::string key = in_lower_case(one.key), value = plain_value(tokens, one);
    const bool levels = among(key, {"levels", "scale", "descriptors", "anchors", "rubric", "scores", "ratings"});
    const bool parts = among(key, {"criteria", "parts", "subcriteria", "criterion", "items", "subdimensions", "sub"});
    if (dimension && levels && !one.inside.empty()) {
      if (!read_levels(tokens, one.inside, facts)) return false;
    } else if (dimension && parts && !one.inside.empty()) {
      for (const BlockItem& part : one.inside)
        facts.parts.push_back(declare(tokens, "criterion", part, indent + "  ").text);
    } else if (among(key, {"range", "scale", "between", "interval", "bounds", "values"}) &&
               (dimension || word == "input") && read_range(tokens, one, facts)) {
      continue;
    } else if (word == "cap" && among(key, {"max", "maximum", "to", "limit", "most", "ceiling"})) {
      facts.value = value;
    } else if (word == "cap" && key.empty() && facts.name.empty() && one.value.end == one.value.begin + 1 &&
               tokens[one.value.begin].kind == Token::Kind::word) {
      facts.name = value;
    } else if (!one.inside.empty() && one.value.empty() && !dimension) {
      return false;
    } else if (among(key, {"name", "id", "key", "field"})) {
      facts.name = value;
    } else if (dimension && among(key, {"weight", "points"}) && one.value.end == one.value.begin + 2 &&
               tokens[one.value.begin].kind == Token::Kind::number && tokens[one.value.end - 1].is_text()) {
      (key == "weight" ? facts.weight : facts.points) = tokens[one.value.begin].shown;
      facts.text = as_text(tokens[one.value.end - 1].shown);  // weight 60% "Right?"
    } else if (among(key, {"weight", "share", "percent", "percentage", "w", "weighting"})) {
      facts.weight = value;
    } else if (among(key, {"points", "max", "max_points", "marks", "maximum"}) && dimension &&
               !(bounds && among(key, {"max", "maximum"}))) {
      facts.points = value;
    } else if (among(key, {"type", "kind"})) {
      facts.type = value;
    } else if (key == "default") {
      facts.fallback = raw(tokens, one.value);
    } else if (key == "optional") {
      facts.optional = value == "true" || value == "yes";
    } else if (key == "required") {
      facts.optional = value == "false" || value == "no";
    } else if (among(key, {"when", "condition", "if", "where", "trigger"})) {
      facts.when = value;
    } else if (among(key, {"value", "formula", "expression", "expr", "calc", "compute"}) ||
               (!dimension &&
                among(key, {"amount", "at", "rule", "points", "check", "by", "limit", "cap", "must", "require"}))) {
      facts.value = value;
    } else if (among(key, {"description", "text", "prose", "label", "reason", "because", "question", "message", "title",
                           "desc", "prompt", "help", "note", "meaning", "about", "summary", "info", "details"})) {
      const std::string text = text_of(value);  // a title and a description are one text
      const bool more = dimension && facts.text.size() > 1 && text.size() > 1;
      facts.text = more ? facts.text.substr(0, facts.text.size() - 1) + ": " + text.substr(1) : text;
    } else if (among(key, {"min", "low", "from", "minimum"})) {
      facts.low = value;
    } else if (among(key, {"max", "high", "to", "maximum"})) {
      facts.high = value;
    } else if (among(key, {"decimals", "round", "precision"})) {
      facts.decimals = value;
    } else if (among(key, {"on", "of", "target", "dimension", "applies_to", "path"}) && word == "cap") {
      facts.name = value;
    } else if (key == "missing") {
      facts.missing = value;
    } else if (dimension && !key.empty()) {  // a criterion by its own name
      const std::size_t first = one.all.begin;
      const bool declared = tokens.is(first, "criterion") || tokens.is(first, "dimension");
      if (!declared && names_no_part(key)) return false;
      const Declared part =
          declare(tokens, tokens.is(first, "dimension") ? "dimension" : "criterion", one, indent + "  ");
      if (part.text.empty()) return false;
      facts.parts.push_back(part.text);
    } else if (key.empty() && facts.value.empty() && among(word, {"deduction", "bonus", "cap"}) &&
               tokens[one.value.begin].kind == Token::Kind::number &&
               (one.value.end == one.value.begin + 1 || is_points(tokens[one.value.end - 1].shown))) {
      facts.value = tokens[one.value.begin].shown;  // { 5, when: late }
    } else if (key.empty() && one.value.end == one.value.begin + 1 && tokens[one.value.begin].is_text()) {
      if (facts.name.empty() && facts.text.empty() && one.all.begin == item.inside.front().all.begin)
        facts.name = value;
      else facts.text = text_of(value);
    } else {
      return false;
    }
  }
  if (!described.empty() && (!facts.parts.empty() || !read_levels(tokens, described, facts))) return false;
  if (dimension && facts.optional && facts.missing.empty()) facts.missing = "skip";
  if (dimension && facts.missing.empty()) facts.missing = std::exchange(facts.fallback, {});
  if (dimension && !facts.high.empty() && facts.value.empty()) {
    const bool number =
        facts.type.empty() || among(in_lower_case(facts.type), {"number", "float", "decimal", "double"});
    if (number || among(in_lower_case(facts.type), {"int", "integer", "whole"}))
      facts.type = (number ? "number " : "whole ") + (facts.low.empty() ? "0" : facts.low) + ".." + facts.high;
  }
  if (word == "deduction" && facts.value.size() > 1 && facts.value[0] == '-') facts.value.erase(0, 1);  // amount: -5
  return says_all(word, facts);
}

}  // namespace assay::mending
