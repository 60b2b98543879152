// Reads the keys of a declaration that is itself a block: { weight: 40%, text: "…" }, and the levels of a criterion.
// What a key means says keys.def.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/mend/types/types.hpp"
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

// ---- what a key means

enum class Role : std::uint8_t {
  unknown,
  name,
  levels,
  parts,
  range,
  weight,
  points,
  missing,
  cap,
  choices,
  items,
  fields,
  unit,
  type,
  fallback,
  optional,
  required,
  above,
  below,
  low,
  high,
  subject,
  path,
  target,
  value,
  most,
  per,
  unless,
  when,
  decimals,
  text,
  other
};
struct KeyWords {
  Role role;
  std::string_view of, words;
};
constexpr KeyWords kKeys[] = {
#define ASSAY_KEY(role, of, words) {Role::role, of, words},
#include "lang/mend/statements/keys.def"
#undef ASSAY_KEY
};

bool holds(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}
std::string without_separators(std::string_view key) {
  std::string plain = in_lower_case(key);
  std::erase_if(plain, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return plain;
}
Role role_of(std::string_view key, std::string_view word) {
  const std::string plain = without_separators(key);
  const auto* found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const KeyWords& row) {
    return row.role != Role::other && (row.of.empty() || holds(row.of, word)) && holds(row.words, plain);
  });
  return found == std::end(kKeys) ? Role::unknown : found->role;
}

bool says_yes(std::string_view value) { return among(in_lower_case(value), {"true", "yes"}); }
bool says_no(std::string_view value) { return among(in_lower_case(value), {"false", "no"}); }

// ---- types of inputs

// enum: [red, green], of texts; empty: of something else.
std::string choices_in(const Tokens& tokens, const BlockItem& item) {
  std::string all;
  for (const BlockItem& one : item.inside) {
    const bool alone = one.key.empty() && one.inside.empty() && one.value.end == one.value.begin + 1;
    const Token& token = tokens[one.value.begin];
    if (!alone || !(token.is_text() || token.kind == Token::Kind::word)) return {};
    all += (all.empty() ? "" : ", ") + text_of(raw(tokens, one.value));
  }
  return all;
}

// Whether all words of a type are the language's: none is the name of another one.
bool names_no_type(const std::string& type) {
  const Tokens words(type);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool word = words[i].kind == Token::Kind::word && !words.is(i + 1, ":");
    if (word && !among(words[i].shown, {"number", "whole", "text", "bool", "one", "of", "list", "set", "map", "default",
                                        "optional", "true", "false", "judged", "measured"}))
      return false;
  }
  return true;
}

// The type that an item says, with its policy: 'number', { type: number, minimum: 0 }; empty: it says none.
std::string type_in(const Tokens& tokens, const BlockItem& item) {
  Facts facts;
  if (!item.value.empty() && !read_rest(tokens, "input", item.value, facts)) return {};
  if (!item.inside.empty() && !read_keys(tokens, "input", item, "", facts)) return {};
  return type_of(facts);
}

// properties: { a: …, b: … } as a record; empty: a field has no type. `required`: the fields that have to be there; null:
// all of them.
std::string record_in(const Tokens& tokens, const BlockItem& fields, const BlockItem* required) {
  std::string all;
  for (const BlockItem& field : fields.inside) {
    Facts facts;
    facts.optional = required != nullptr && !lists(tokens, *required, field.key);
    const bool read = !field.key.empty() && (field.value.empty() || read_rest(tokens, "input", field.value, facts)) &&
                      (field.inside.empty() || read_keys(tokens, "input", field, "", facts));
    const std::string type = read ? type_of(facts) : std::string();
    if (type.empty()) return {};
    all += (all.empty() ? "" : ", ") + as_name(field.key) + ": " + type;
  }
  return all.empty() ? all : "{ " + all + " }";
}

// What has to be, of the value and the limits of a gate: 'age >= 18'.
std::string within_limits(const Facts& facts) {
  if (facts.value.empty() || (facts.low.empty() && facts.high.empty())) return facts.value;
  if (!facts.low.empty() && !facts.high.empty() && !facts.above && !facts.below)
    return facts.value + " in " + facts.low + ".." + facts.high;
  const std::string least = facts.low.empty() ? "" : facts.value + (facts.above ? " > " : " >= ") + facts.low;
  const std::string most = facts.high.empty() ? "" : facts.value + (facts.below ? " < " : " <= ") + facts.high;
  return least + (least.empty() || most.empty() ? "" : " and ") + most;
}

// ---- the keys of one declaration

class Keys {
 public:
  Keys(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent, Facts& facts)
      : tokens_(tokens), word_(word), item_(item), indent_(indent), facts_(facts) {
    const auto bounds = [](const BlockItem& one) {
      return among(in_lower_case(one.key), {"weight", "share", "min", "minimum", "low", "from"});
    };
    bounds_ = is_part() && std::any_of(item.inside.begin(), item.inside.end(), bounds);
  }
  bool read(const BlockItem& one);  // false: nothing that such a declaration has
  bool finish();                    // false: its keys do not go together

 private:
  bool is_part() const { return word_ == "dimension" || word_ == "criterion"; }
  bool read_block_of(Role role, const BlockItem& one);
  bool read_value_of(Role role, const BlockItem& one);
  bool read_nameless(const BlockItem& one);
  bool read_part(const BlockItem& one);

  const Tokens& tokens_;
  std::string_view word_;
  const BlockItem& item_;
  const std::string& indent_;
  Facts& facts_;
  bool bounds_ = false;  // 'max' is the end of a range, and not points
  std::string per_, most_, unless_, unit_;
  std::vector<BlockItem> levels_;
  std::vector<BlockItem> caps_;
};

bool Keys::read_nameless(const BlockItem& one) {
  if (one.value.empty()) return false;
  const bool single = one.value.end == one.value.begin + 1, first = one.all.begin == item_.inside.front().all.begin;
  const Token& token = tokens_[one.value.begin];
  if (word_ == "cap" && single && token.kind == Token::Kind::word && facts_.name.empty())
    return facts_.name = token.shown, true;
  if (among(word_, {"deduction", "bonus", "cap"}) && token.kind == Token::Kind::number && facts_.value.empty() &&
      (single || is_points(tokens_[one.value.end - 1].shown)))
    return facts_.value = token.shown, true;  // { 5, when: late }
  if (!single || !token.is_text()) return false;
  (facts_.name.empty() && facts_.text.empty() && first ? facts_.name : facts_.text) =
      facts_.name.empty() && facts_.text.empty() && first ? plain_value(tokens_, one)
                                                          : text_of(plain_value(tokens_, one));
  return true;
}

// A criterion by its own name; an unknown word with one word, yes or no is none, 'inverse: true'.
bool Keys::read_part(const BlockItem& one) {
  const std::size_t first = one.all.begin;
  const bool declared = tokens_.is(first, "criterion") || tokens_.is(first, "dimension");
  if (!declared && names_no_part(in_lower_case(one.key))) return false;
  const bool single = one.inside.empty() && one.value.end == one.value.begin + 1;
  const Token& value = tokens_[one.value.begin];
  // "colour": "red" says something of it, in one word
  const bool word = value.kind == Token::Kind::word || (value.is_text() && value.shown.find(' ') == value.shown.npos);
  if (single && !declared && (word || says_yes(value.shown) || says_no(value.shown))) return false;
  const std::string part =
      declare(tokens_, tokens_.is(first, "dimension") ? "dimension" : "criterion", one, indent_ + "  ").text;
  if (!part.empty()) facts_.parts.push_back(part);
  return !part.empty();
}

// A key that holds a block.
bool Keys::read_block_of(Role role, const BlockItem& one) {
  switch (role) {
    case Role::levels: return read_levels(tokens_, one.inside, facts_);
    case Role::parts:
      for (const BlockItem& part : one.inside)
        facts_.parts.push_back(declare(tokens_, "criterion", part, indent_ + "  ").text);
      return true;
    case Role::choices: return !(facts_.choices = choices_in(tokens_, one)).empty();
    case Role::items: return !(facts_.items = type_in(tokens_, one)).empty();
    case Role::fields: {
      const auto required = std::find_if(item_.inside.begin(), item_.inside.end(), [](const BlockItem& other) {
        return role_of(other.key, "input") == Role::required && !other.inside.empty();
      });
      facts_.type = record_in(tokens_, one, required == item_.inside.end() ? nullptr : &*required);
      return !facts_.type.empty();
    }
    case Role::required: return word_ == "input";  // of its fields
    case Role::fallback: return !(facts_.fallback = raw(tokens_, {one.all.begin + 2, one.all.end})).empty();
    case Role::cap: return caps_.push_back(one), true;
    default: return is_part() && !one.key.empty() && role == Role::unknown && read_part(one);
  }
}

// A key that holds a value.
bool Keys::read_value_of(Role role, const BlockItem& one) {
  const std::string value = plain_value(tokens_, one), key = in_lower_case(one.key);
  const bool weighs = role == Role::weight || role == Role::points;
  if (weighs && one.value.end == one.value.begin + 2 && tokens_[one.value.begin].kind == Token::Kind::number &&
      tokens_[one.value.end - 1].is_text()) {  // weight 60% "Right?"
    (role == Role::weight ? facts_.weight : facts_.points) = tokens_[one.value.begin].shown;
    facts_.text = as_text(tokens_[one.value.end - 1].shown);
    return true;
  }
  const auto limit = [&](std::string& end, bool& open, bool excluded) {
    if (excluded && says_yes(value)) return open = true;  // exclusiveMinimum: true beside minimum: 0
    if (excluded && says_no(value)) return true;
    end = value;
    if (excluded) open = true;
    return true;
  };
  switch (role) {
    case Role::name: return facts_.name = value, true;
    case Role::weight: return facts_.weight = value, true;
    case Role::points: return facts_.points = value, true;
    case Role::missing: return facts_.missing = value, true;
    case Role::cap: return caps_.push_back(one), true;
    case Role::unit: return unit_ = value, true;
    case Role::type:
      if (facts_.type.empty()) facts_.type = value;
      return true;
    case Role::items: return facts_.items = value, true;
    case Role::fallback:
      facts_.fallback = one.value.empty() ? raw(tokens_, {one.all.begin + 2, one.all.end}) : raw(tokens_, one.value);
      return !facts_.fallback.empty();
    case Role::optional: return facts_.optional = says_yes(value), true;
    case Role::required: return facts_.optional = says_no(value), true;
    case Role::low: return limit(facts_.low, facts_.above, false);
    case Role::high: return limit(facts_.high, facts_.below, false);
    case Role::above: return limit(facts_.low, facts_.above, true);
    case Role::below: return limit(facts_.high, facts_.below, true);
    case Role::path: return facts_.path = value, true;
    case Role::target: return facts_.name = value, true;
    case Role::subject:
    case Role::value: return facts_.value = value, true;
    case Role::most: return most_ = value, true;
    case Role::per: return per_ = value, true;
    case Role::unless: return unless_ = value, true;
    case Role::when: return facts_.when = value, true;
    case Role::decimals: return facts_.decimals = value, true;
    case Role::text: {
      const std::string text = text_of(value);  // a title and a description are one text
      const bool more = is_part() && facts_.text.size() > 1 && text.size() > 1;
      facts_.text = more ? facts_.text.substr(0, facts_.text.size() - 1) + ": " + text.substr(1) : text;
      return true;
    }
    default: break;
  }
  // score: 3, of a cap: what is limited, and at what
  const bool names = word_ == "cap" && facts_.value.empty() && facts_.name.empty() &&
                     tokens_[one.value.begin].kind == Token::Kind::number &&
                     (among(key, {"score", "deductions", "bonuses"}) ||
                      tokens_.declaration({"dimension", "criterion"}, one.key) != kNone);
  if (names) facts_.name = one.key, facts_.value = value;
  return names || (is_part() && !one.key.empty() && read_part(one));
}

bool Keys::read(const BlockItem& item) {
  if (is_part() && is_level(tokens_, item)) return levels_.push_back(item), true;
  if (is_part() && read_clause(tokens_, item, facts_)) return true;
  BlockItem one = item;
  bool several = false;  // at 60 when late: no key alone
  for (std::size_t i = one.value.begin + 1; i < one.value.end; ++i)
    several = several || among(tokens_[i].shown, {"when", "if", "because"});
  if (one.key.empty() && one.value.end > one.value.begin + 1 && !several &&
      among(tokens_[one.value.begin].shown, {"require", "when", "if", "at", "message", "reason", "because", "text"}))
    one.key = tokens_[one.value.begin++].shown;  // message "Too late"
  if (one.key.empty()) return read_nameless(one);
  Role role = role_of(one.key, word_);
  if (role == Role::points && bounds_ && among(in_lower_case(one.key), {"max", "maximum"})) role = Role::high;
  if (role == Role::levels && one.inside.empty()) role = Role::range;
  const bool range = role == Role::range || (role == Role::levels && in_lower_case(one.key) == "scale") ||
                     (role == Role::choices && in_lower_case(one.key) == "values");
  if (range && read_range(tokens_, one, facts_)) return true;
  if (role == Role::range) return false;
  return !one.inside.empty() && (one.value.empty() || is_part()) ? read_block_of(role, one) : read_value_of(role, one);
}

bool Keys::finish() {
  if (!levels_.empty() && (!facts_.parts.empty() || !read_levels(tokens_, levels_, facts_))) return false;
  if (is_part() && facts_.optional && facts_.missing.empty()) facts_.missing = "skip";
  if (is_part() && facts_.missing.empty()) facts_.missing = std::exchange(facts_.fallback, {});
  if (is_part() && !facts_.high.empty() && facts_.value.empty()) {
    const bool number =
        facts_.type.empty() || among(in_lower_case(facts_.type), {"number", "float", "decimal", "double"});
    if (number || among(in_lower_case(facts_.type), {"int", "integer", "whole"}))
      facts_.type = (number ? "number " : "whole ") + (facts_.low.empty() ? "0" : facts_.low) + ".." + facts_.high;
  }
  if (is_part() && facts_.type.empty() && (!facts_.low.empty() || !facts_.high.empty())) return false;
  for (BlockItem& cap : caps_) {
    cap.key = facts_.name;
    cap.all.begin = std::min(cap.all.begin + 2, cap.all.end);  // without 'cap:'
    facts_.more = facts_.name.empty() ? std::string() : declare(tokens_, "cap", cap, indent_).text;
    if (facts_.more.empty()) return false;
  }
  if (!unit_.empty())
    facts_.text =
        facts_.text.empty() ? text_of(unit_) : facts_.text.substr(0, facts_.text.size() - 1) + " (" + unit_ + ")\"";
  if (word_ == "gate") facts_.value = within_limits(facts_);
  if (word_ == "deduction" && facts_.value.size() > 1 && facts_.value[0] == '-')
    facts_.value.erase(0, 1);  // amount: -5
  if (facts_.value.empty()) facts_.value = std::exchange(most_, {});
  if (!per_.empty()) {
    const std::string of = declared_like(tokens_, per_);
    if (of.empty() || facts_.value.empty()) return false;
    facts_.value += " * " + of;
  }
  if (!most_.empty()) facts_.value = "min(" + facts_.value + ", " + most_ + ")";
  if (!unless_.empty()) {
    const std::string denied = negated_text(unless_);
    facts_.when = facts_.when.empty() ? denied : "(" + facts_.when + ") and " + denied;
  }
  return true;
}

}  // namespace

bool is_key(std::string_view word) {
  const std::string plain = without_separators(word);
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](const KeyWords& row) { return row.role == Role::other && holds(row.words, plain); });
}

std::string type_of(const Facts& facts) {
  std::string type = facts.type;
  const std::string word = in_lower_case(type);
  if (!facts.choices.empty()) {
    if (!type.empty() && !among(word, {"text", "string", "str", "enum", "choice", "select", "one of", "category"}))
      return {};
    type = "one of (" + facts.choices + ")";
  }
  if (!facts.items.empty()) {
    if (!type.empty() && !among(word, {"list", "array", "sequence", "set"})) return {};
    type = (word == "set" ? "set of " : "list of ") + facts.items;
  }
  const bool limited = !facts.low.empty() || !facts.high.empty();
  if (type.empty() && limited) type = "number";
  if (type.empty() && !facts.fallback.empty()) {  // default: 2
    const Tokens literal(facts.fallback);
    if (literal.size() != 2) return {};
    type = literal[0].is_text()                                      ? "text"
           : says_yes(literal[0].shown) || says_no(literal[0].shown) ? "bool"
           : literal[0].kind == Token::Kind::number                  ? "number"
                                                                     : "";
  }
  if (type.empty()) return {};
  if (!facts.low.empty() && !facts.high.empty() && !facts.above && !facts.below)
    type += " " + facts.low + ".." + facts.high;
  else {
    if (!facts.low.empty()) type += (facts.above ? " > " : " >= ") + facts.low;
    if (!facts.high.empty()) type += (facts.below ? " < " : " <= ") + facts.high;
  }
  if (!facts.fallback.empty()) type += " default " + facts.fallback;
  else if (facts.optional) type += " optional";
  const Tokens words(type);
  Type read(words, facts.name, 0, words.size() - 1);
  const bool whole = read.read() && read.at() + 1 == words.size() && !read.doubtful();
  if (whole && names_no_type(read.written()) && !(read.says_prose() && !facts.text.empty())) return read.written();
  return limited || !facts.choices.empty() || !facts.items.empty() ? std::string() : type;
}

bool read_keys(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
               Facts& facts, std::vector<Span>* unread) {
  const bool part = word == "dimension" || word == "criterion";
  const auto level = [](const BlockItem& i) {
    return !i.key.empty() && (i.key.find_first_not_of("0123456789.") == i.key.npos ||
                              (in_lower_case(i.key.substr(0, 5)) == "level" && i.inside.empty()) || says_level(i.key));
  };
  if (part && std::all_of(item.inside.begin(), item.inside.end(), level))
    return read_levels(tokens, item.inside, facts);
  Keys keys(tokens, word, item, indent, facts);
  for (const BlockItem& one : item.inside) {
    if (keys.read(one)) continue;
    if (unread == nullptr || one.key.empty()) return false;
    unread->push_back(one.all);
  }
  return keys.finish();
}

}  // namespace assay::mending
