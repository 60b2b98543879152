// Types: the words of types.def, brackets around them, alternatives, limits and policies in any order.
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"

#include <cctype>

namespace assay::mending {
namespace {

enum class Role : std::uint8_t { base, plural, list, set, map, choice, maybe, record, nothing };

struct TypeWords {
  Role role;
  std::string_view words, meaning;
};
constexpr TypeWords kTypeWords[] = {
#define ASSAY_TYPE_WORDS(role, words, meaning) {Role::role, words, meaning},
#include "lang/mend/types/types.def"
#undef ASSAY_TYPE_WORDS
};

const TypeWords* type_words(Role role, std::string_view word) {
  for (const TypeWords& row : kTypeWords) {
    if (row.role != role) continue;
    std::string_view words = row.words;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (words.substr(0, end) == word) return &row;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return nullptr;
}
bool is_type_word(Role role, std::string_view word) { return type_words(role, word) != nullptr; }
std::string_view base_of(std::string_view word) {
  const TypeWords* row = type_words(Role::base, word);
  return row == nullptr ? std::string_view() : row->meaning;
}
std::string_view closing_bracket(std::string_view open) { return open == "(" ? ")" : open == "[" ? "]" : "}"; }

}  // namespace

bool declares_value(const Tokens& tokens, std::size_t i) {
  if (!tokens[i].value() || tokens[i].kind == Token::Kind::number) return false;
  const std::string_view next = tokens[i + 1].shown;
  if (among(next, {":", "=", "(", "{"})) return true;
  if (says_rule(tokens, i, i + 1)) return false;  // 'whole, even number'
  if (among(next, {"as", "is", "optional", "one"}) || !base_of(next).empty()) return true;
  for (const Role role : {Role::list, Role::set, Role::map, Role::choice, Role::maybe, Role::record}) {
    if (is_type_word(role, next)) return true;
  }
  return tokens.declaration({"type", "rubric"}, next) != kNone;
}

bool Type::nothing() const {
  return at_ < end_ && !tokens_[at_].is_text() && is_type_word(Role::nothing, tokens_[at_].shown);
}

bool Type::begins_type() const {
  const std::string_view word = tokens_[at_].shown;
  return at_ < end_ && !tokens_[at_].is_text() && (!base_of(word).empty() || is_type_word(Role::list, word));
}

// Whether a word here is no type: none of another language, and none that the rubric declares.
bool Type::free_name(std::size_t i) const {
  if (i >= end_ || tokens_[i].kind != Token::Kind::word || is_reserved(tokens_[i].shown)) return false;
  const std::string_view word = tokens_[i].shown;
  for (const TypeWords& row : kTypeWords) {
    if (is_type_word(row.role, word)) return false;
  }
  if (among(word, {"any", "optional", "required", "one"})) return false;
  for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
    if (tokens_[k].starts && among(tokens_[k].shown, {"type", "rubric"}) && tokens_.is(k + 1, word)) return false;
  }
  return true;
}

// How many names of no type stand between two tokens, divided by commas and the like; 0: something else does.
std::size_t Type::names_in(std::size_t begin, std::size_t end) const {
  std::size_t names = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const bool divides = among(tokens_[i].shown, {",", "|", "/", "or", ";"});
    if (!divides && !free_name(i)) return 0;
    names += divides ? 0 : 1;
  }
  return names;
}

bool Type::read() {
  currency();
  limit_before();
  base_ = literal();
  if (base_.empty() && !failed_) base_ = kind(depth_);
  std::size_t steps = 0;
  while (!failed_ && at_ < end_ && !base_.empty() && ++steps < 60) {
    if (tokens_[at_].kind == Token::Kind::text && at_ + 1 >= end_ && tokens_[at_ - 1].kind != Token::Kind::sign) break;
    modifier();
  }
  if (prose_.empty() && !unit_.empty() && !tokens_[at_].is_text()) prose_ = '"' + unit_ + '"';
  const bool limited = !low_.empty() || !high_.empty();
  return !failed_ && !base_.empty() && steps < 60 && (!limited || (is_number() && low_ != high_));
}

std::string Type::limits() const {
  if (!low_.empty() && !high_.empty() && !above_ && !below_) return " " + low_ + ".." + high_;
  return (low_.empty() ? "" : (above_ ? " > " : " >= ") + low_) +
         (high_.empty() ? "" : (below_ ? " < " : " <= ") + high_);
}

std::string Type::written() const {
  std::string result = base_;
  if (share_ && low_.empty() && high_.empty()) result += " 0..1";
  if (is_number()) result += limits();
  if (!default_.empty()) result += " default " + fitting();
  else if (optional_) result += " optional";
  if (!source_.empty()) result += " " + std::string(source_);
  return result + (prose_.empty() ? "" : " " + prose_);
}

// The default in the form of the base: "false" → false for a bool, "5" → 5 for a number, red → "red" for a text.
std::string Type::fitting() const {
  const bool quoted = default_[0] == '"';
  const std::string inner = quoted ? default_.substr(1, default_.size() - 2) : default_;
  const std::string lower = in_lower_case(inner);
  if (base_ == "bool") {
    if (among(lower, {"true", "yes", "1", "on"})) return "true";
    if (among(lower, {"false", "no", "0", "off"})) return "false";
  }
  const bool number = base_.substr(0, 6) == "number" || base_.substr(0, 5) == "whole";
  if (number && quoted && !inner.empty() && inner.find_first_not_of("0123456789.-") == inner.npos) return inner;
  if (base_.substr(0, 4) == "list" || base_.substr(0, 3) == "set")
    return among(default_, {"{}", "set", "()", "empty", "none"}) ? "[]" : default_;
  if (base_.substr(0, 3) == "map" && among(default_, {"[]", "empty", "dict"})) return "{}";
  const bool word = !inner.empty() && std::isalpha(static_cast<unsigned char>(inner[0])) != 0;
  if (!quoted && word && base_.substr(0, 6) == "one of" && base_.find("\"" + inner + "\"") != base_.npos)
    return "\"" + inner + "\"";
  return default_;
}

// ---- kinds

// A type that is only the value that it has by default: 5, true, "x", []. Empty: it is none.
std::string Type::literal() {
  const Token& t = tokens_[at_];
  if (depth_ > 0 || at_ + 1 != end_ - (tokens_[end_ - 1].is_text() && end_ - at_ > 1 ? 1 : 0)) {
    if (!(is("[") && tokens_.is(at_ + 1, "]") && at_ + 2 == end_)) return {};
  }
  const bool number = t.kind == Token::Kind::number, condition = one({"true", "false", "True", "False"});
  const bool list = is("["), text = t.is_text();
  if (!number && !condition && !list && !text) return {};
  doubtful_ = true;
  default_ = list ? "[]" : text ? as_text(t.shown) : in_lower_case(t.shown);
  at_ += list ? 2 : 1;
  return number ? "number" : condition ? "bool" : list ? "list of text" : "text";
}

std::string Type::in_quotes(const Tokens& tokens, std::size_t i) {
  const std::string_view shown = tokens[i].shown;
  if (!tokens[i].is_text() || shown.size() < 3 || shown.find('\\') != shown.npos) return {};
  const Tokens said(shown.substr(1, shown.size() - 2));
  const std::size_t end = said.size() - 1;
  Type type(said, {}, 0, end);
  // A word alone may be a value as well: "date", "set".
  const bool plain = among(said[0].shown, {"number", "whole", "text", "bool", "integer", "int", "float", "string",
                                           "str", "boolean", "double", "decimal"});
  const bool begins = end > 1 ? type.begins_type() || among(said[0].shown, {"one", "enum", "set", "map"}) : plain;
  if (!begins || !type.read() || type.at() != end || type.doubtful() || !type.prose_.empty()) return {};
  return type.written();
}

std::string Type::kind(int depth) {
  if (failed_ || depth > 6 || at_ >= end_) return fail();
  std::string result = simple(depth);
  while (!failed_ && at_ < end_) {
    const bool apart =
        tokens_[at_].begin > tokens_[at_ - 1].end && (depth > 0 || result.substr(0, 4) == "list");  // its default
    if (is("[") && tokens_.is(at_ + 1, "]") && !apart) {
      at_ += 2;
      result = "list of " + result;
    } else if (is("|") || (depth == 0 && (is("or") || is("/")) &&
                           (tokens_[at_ + 1].kind == Token::Kind::word ||
                            (tokens_[at_ + 1].is_text() && result.starts_with("one of"))))) {
      ++at_;
      if (nothing()) {
        ++at_;
        optional_ = true;
      } else if (take({"zero"})) {  // positive integer or zero
        above_ = false;
      } else if (tokens_[at_].is_text() && result.substr(0, 6) == "one of") {
        result.insert(result.size() - 1, ", " + as_text(tokens_[at_++].shown));
      } else {
        std::string other = simple(depth + 1);
        while (is("[") && tokens_.is(at_ + 1, "]")) {  // text | text[]
          at_ += 2;
          other = "list of " + other;
        }
        if (other != result) result += " or " + other;
      }
    } else {
      break;
    }
  }
  return result;
}

std::string Type::inside(int depth) {  // [ kind ], < kind >, ( kind )
  const bool angle = is("<");
  if (!angle && !is("[") && !is("(")) return fail();
  ++at_;
  std::string result = bounded(kind(depth + 1));
  while (!failed_ && take({","})) {  // tuple[int, ...], tuple[int, int]
    if (take({"."}) || take({".."})) {
      take({"."}), take({".."});
    } else if (kind(depth + 1) != result) {
      failed_ = true;
    }
  }
  if (!take({angle ? ">" : "]", ")"})) failed_ = true;
  return result;
}

std::string Type::simple(int depth) {
  if (depth > 6 || at_ >= end_) return fail();
  const bool article = one({"a", "an"}) && tokens_[at_ + 1].kind == Token::Kind::word && !tokens_.is(at_ + 1, "or") &&
                       words_of_choice(at_, false) <= at_ + 1;
  if (article || is(".")) ++at_;  // .number() of a schema
  if (one({"several", "many", "multiple", "some"}) && type_words(Role::plural, tokens_[at_ + 1].shown) != nullptr)
    ++at_;
  if (one({"unique", "distinct"}) && among(tokens_[at_ + 1].shown, {"list", "array", "lists", "List", "Array"})) {
    ++at_;
    const std::string all = simple(depth + 1);
    return all.substr(0, 8) == "list of " ? "set of " + all.substr(8) : fail();
  }
  const Token& t = tokens_[at_];
  if (const std::size_t behind = tokens_.behind_interval(at_);
      depth == 0 && behind != kNone && behind <= end_ && (is("]") || t.partner != behind - 1))
    return "number";  // [0, 100)
  const bool opens = one({"(", "[", "{"});
  const bool value = tokens_[at_ + 1].is_text() || tokens_[at_ + 1].kind == Token::Kind::number;
  if (t.is_text()) {  // "a" | "b", "a", "b"
    const std::string_view inner = t.shown.substr(1, t.shown.size() - 2);
    if (t.shown.size() > 2 && !base_of(inner).empty() &&
        (at_ + 1 >= end_ || !among(tokens_[at_ + 1].shown, {"|", ",", "or", "/"}))) {  // "x": "number"
      ++at_;
      return std::string(base_of(inner));
    }
    if (depth == 0) return choices("");
    ++at_;
    return "one of (" + as_text(t.shown) + ")";
  }
  if (t.kind == Token::Kind::number && among(tokens_[at_ + 1].shown, {"|", ",", "/", "or"})) return numbers("");
  if (opens && value && !tokens_.is(at_ + 2, ":") && !tokens_.is(at_ + 2, "..")) {
    const std::string_view close = closing_bracket(t.shown);
    ++at_;
    return choices(close);
  }
  if (is("[") && tokens_.is(at_ + 1, "]")) {  // []T
    at_ += 2;
    return "list of " + kind(depth + 1);
  }
  if (depth == 0 && one({"[", "("}) && t.partner != kNone && names_in(at_ + 1, t.partner) > 1) {  // [light, dark]
    const std::string_view close = closing_bracket(t.shown);
    ++at_;
    return choices(close);
  }
  if (is("[")) return "list of " + inside(depth);
  if (is("{") && t.partner != kNone && among(plain_key(at_ + 1), {"type", "kind"}) && tokens_.is(at_ + 2, ":")) {
    // A record may have a field of that name.
    const std::size_t begin = at_;
    const bool alone = at_ + 4 == t.partner && !tokens_[at_ + 1].is_text() && depth > 0;
    std::string result = alone ? std::string() : described();
    if (!alone && !failed_) return result;
    at_ = begin, failed_ = false;
  }
  if (is("{") && depth == 0 && t.partner != kNone && tokens_.is(at_ + 2, ",")) {  // { chain, family, stall }
    bool names = true;                                                            // of texts: nothing reads a field
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
      names = names && !(tokens_.is(i, name_) && tokens_.is(i + 1, "."));
    for (std::size_t i = at_ + 1; i < t.partner; ++i)
      names = names && (tokens_.is(i, ",") ? tokens_[i - 1].kind == Token::Kind::word : free_name(i));
    if (names) {
      ++at_;
      return choices("}");
    }
  }
  if ((is("{") || is("(")) && t.partner != kNone) return record(depth);
  if (t.kind != Token::Kind::word) return fail();
  if (!low_.empty() && (t.shown == name_ || t.shown == "x")) return ++at_, "number";  // 0 <= x <= 10
  return of_word(depth);
}

// What begins with a word.
std::string Type::of_word(int depth) {
  const std::string_view word = tokens_[at_].shown;
  const std::size_t next = at_ + 1;
  const bool opens = next < end_ && among(tokens_[next].shown, {"[", "<", "("});
  if (among(word, {"date", "datetime", "timestamp", "Date", "DateTime"})) {  // no text is subtracted from another
    const std::string_view name = at_ > 1 && tokens_.is(at_ - 1, ":") ? tokens_[at_ - 2].shown : name_;
    bool subtracted = false;
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      const std::size_t first = tokens_.is(i, name) ? tokens_.operand_before(i) : i + 1;
      subtracted = subtracted || (first <= i && (tokens_.is(i + 1, "-") || (first > 0 && tokens_.is(first - 1, "-"))));
    }
    doubtful_ = doubtful_ || subtracted;
    if (subtracted) return ++at_, "number";  // of days, or of seconds
  }
  if (opens && (is_type_word(Role::maybe, word) || among(word, {"optional", "nullable"}))) {
    ++at_;
    optional_ = true;
    return inside(depth);
  }
  if (among(word, {"optional", "Optional", "nullable", "maybe", "required", "mandatory"})) {
    ++at_;
    optional_ = optional_ || (word != "required" && word != "mandatory");
    return kind(depth + 1);
  }
  if (depth == 0 && among(word, {"positive", "nonnegative", "non"}) && limit_in_words()) return kind(depth);
  if (depth == 0 && among(word, {"percentage", "percent", "pct", "ratio", "fraction", "probability", "share"}) &&
      free_name(at_)) {
    ++at_;
    share_ = true;
    doubtful_ = doubtful_ || among(word, {"percentage", "percent", "pct"});  // 0..1, or 0..100
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {                   // sold > 80: of 100
      const bool compared = tokens_.is(i, name_) && among(tokens_[i + 1].shown, {">", ">=", "<", "<=", "==", "in"}) &&
                            tokens_[i + 2].kind == Token::Kind::number;
      if (compared && tokens_[i + 2].shown.find_first_of(".%") == std::string_view::npos &&
          tokens_[i + 2].shown.size() > 1)
        low_ = "0", high_ = "100";
    }
    return "number";
  }
  if (word == "Union" && opens) return united(depth);
  if (word == "Annotated" && opens) {  // its limits follow as modifiers
    at_ += 2;
    return kind(depth + 1);
  }
  const bool misspelt = free_name(at_) && tokens_.is(next + 1, "(") && tokens_[next + 2].is_text();  // on of ("a", "b")
  const bool one_of = (word == "one" || misspelt) && tokens_.is(next, "of");
  if (one_of || is_type_word(Role::choice, word)) {
    at_ += one_of ? 2 : 1;
    return choices_in_words();
  }
  if (base_of(word) == "text" && (tokens_.is(next, "one") || tokens_.is(next, "either"))) {  // text one of (…)
    ++at_;
    return of_word(depth + 1);
  }
  if (base_of(word) == "text" && next < end_ && tokens_.is(next, ",")) {
    ++at_;
    if (std::string all = choices_of_text(depth); !all.empty() || failed_) return all;
    --at_;
  }
  if (is_type_word(Role::list, word)) return collection("list of ", depth);
  if (is_type_word(Role::set, word)) return collection("set of ", depth);
  if (is_type_word(Role::map, word)) return mapping(depth);
  const std::size_t braces = tokens_.is(next, "of") || tokens_.is(next, "with") ? next + 1 : next;
  if (is_type_word(Role::record, word) && braces < end_ && among(tokens_[braces].shown, {"{", "("})) {
    at_ = braces;
    return record(depth);
  }
  if (next < end_ && tokens_.is(next, "{") && free_name(at_)) {  // list of task { … }
    ++at_;
    return record(depth);
  }
  if (std::size_t named = next; is_type_word(Role::record, word) || free_name(at_)) {
    ++at_;
    if (names_fields(named)) return record_in_words(named);
    --at_;
  }
  if (const TypeWords* row = type_words(Role::plural, word); row != nullptr) {
    ++at_;
    return "list of " + std::string(row->meaning);
  }
  if (depth == 0 && next + 1 < end_ && among(in_lower_case(word), {"yes", "true", "y"}) &&
      among(in_lower_case(tokens_[next + 1].shown), {"no", "false", "n"})) {
    if (at_ + 4 < end_ && among(tokens_[at_ + 3].shown, {"|", "/", ",", "or"}) &&
        words_of_choice(at_ + 4, false) > at_ + 4)
      return choices("");  // yes/no/partly
    at_ += 3;
    return "bool";
  }
  const std::size_t last = free_name(at_) ? words_of_choice(at_, false) : at_;
  const bool alternatives = last > at_ && last < end_ && among(tokens_[last].shown, {"|", "/", ",", "or"});
  if (depth == 0 && alternatives && free_name(last + 1)) return choices("");  // a | b
  std::string result = named();
  const bool behind = at_ < end_ && is_type_word(Role::list, tokens_[at_].shown) && !tokens_.is(at_ + 1, "of");
  if (behind) ++at_;  // finding list
  return (behind ? "list of " : "") + result;
}

// Behind 'one of', 'enum' and the like.
std::string Type::choices_in_words() {
  take({"of"});
  take({":"});
  const std::string_view open = tokens_[at_].shown;
  if (!one({"(", "[", "{", "<"})) return choices("");
  ++at_;
  const bool list = open == "(" && take({"["});
  std::string result = choices(list ? "]" : open == "<" ? ">" : closing_bracket(open));
  if (list && !take({")"})) failed_ = true;
  return result;
}

std::string Type::united(int depth) {
  at_ += 2;
  std::string result;
  while (!failed_ && at_ < end_ && !take({"]"})) {
    if (take({","})) continue;
    if (nothing()) {
      ++at_;
      optional_ = true;
    } else {
      result += (result.empty() ? "" : " or ") + kind(depth + 1);
    }
  }
  return result;
}

std::string Type::collection(std::string_view head, int depth) {
  ++at_;
  if (one({"[", "<"})) return std::string(head) + inside(depth);
  if (is("(") && !tokens_.is(at_ + 2, ":")) return std::string(head) + inside(depth);
  if (is("(") || is("{")) return std::string(head) + record(depth);
  if (std::size_t named = at_; !is("of") && names_fields(named)) return std::string(head) + record_in_words(named);
  if (std::size_t named = at_;
      is("of") && tokens_.is(at_ + 2, ":") && !tokens_[at_ + 1].first && names_fields(named))  // list of day: whole, …
    return std::string(head) + record_in_words(named);
  if (take({"of"})) {
    const bool optional = take({"optional"});
    return std::string(head) + (optional ? "optional " : "") + plural(depth);
  }
  if (at_ < end_ && !one({"default", "optional", "=", "missing"})) return fail();
  doubtful_ = true;  // list default []: of texts, as far as anybody can tell
  return std::string(head) + "text";
}

std::string Type::mapping(int depth) {
  ++at_;
  if (is("{")) return simple(depth + 1);
  if (is("(") && tokens_[at_].partner != kNone && among(tokens_[at_ + 2].shown, {"=", ":"})) return record(depth);
  if (take({"of"})) {
    std::string result = plural(depth);
    const bool of_texts = result == "text";
    if (take({"to", "->", "=>"}) || (of_texts && take({":", ","}))) result = plural(depth);
    return "map of " + result;
  }
  if (at_ >= end_ || one({"default", "optional", "="})) {  // of what, nobody knows
    doubtful_ = true;
    return "map of number";
  }
  if (!one({"[", "<", "("})) return fail();
  ++at_;
  kind(depth + 1);
  if (!take({",", "]"})) failed_ = true;
  std::string result = bounded(kind(depth + 1));
  take({"]", ">", ")"});
  return "map of " + result;
}

// { a: number, b: text }, { a number; text b }, { a, b }, in any brackets; where each field is in the form of Assay, as
// it stands.
std::string Type::record(int depth) {
  const std::size_t open = at_, close = tokens_[open].partner;
  if (depth > 6) return fail();
  bool same = is("{");
  const std::string all = fields(open + 1, close, same);
  at_ = close + 1;
  return all.empty() ? fail() : same ? std::string(tokens_.text(open, close)) : "{ " + all + " }";
}

// The fields between two tokens; `same` becomes false where they are in another form than Assay's. Empty: some are none.
std::string Type::fields(std::size_t begin, std::size_t close, bool& same) {
  if (depth_ > 4) return {};
  std::string all;
  const auto divides = [this](std::size_t i) {
    return among(tokens_[i].shown, {",", ";"}) ||
           (among(tokens_[i].shown, {"and", "&"}) && tokens_[i + 1].kind == Token::Kind::word);
  };
  for (std::size_t i = begin; i < close;) {
    if (divides(i) ||
        (among(tokens_[i].shown, {"a", "an"}) && tokens_[i + 1].kind == Token::Kind::word && !tokens_.is(i + 2, ","))) {
      same = same && tokens_.is(i, ",");
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < close && !divides(end) && !tokens_[end].first) end = tokens_.behind(end);
    const Token& first = tokens_[i];
    std::size_t type = i + 1;
    std::string name(first.shown);
    bool optional = false;
    if (tokens_.is(type, "?")) optional = true, ++type;
    const bool sign = type < end && among(tokens_[type].shown, {":", "=", "as", "is"});
    const bool behind = !sign && end == i + 2 && !base_of(first.shown).empty() &&
                        tokens_[type].kind == Token::Kind::word && base_of(tokens_[type].shown).empty();
    if (first.kind != Token::Kind::word && !first.is_text()) return {};
    if (behind) {  // text b
      all += (all.empty() ? "" : ", ") + std::string(tokens_[type].shown) + ": " + std::string(base_of(first.shown));
      same = false;
    } else if (end == i + 1) {  // a, b: number shares the type; a alone is a number, as far as anybody can tell
      const bool shared =
          tokens_.is(end, ",") && tokens_[end + 1].kind == Token::Kind::word && tokens_.is(end + 2, ":");
      all += (all.empty() ? "" : ", ") + name + (shared ? "" : ": number");
      same = same && shared;
      doubtful_ = doubtful_ || !shared;
    } else {
      const bool around = !sign && tokens_.is(type, "(") && tokens_[type].partner + 1 == end;  // kind (text)
      const std::size_t stop = around ? end - 1 : end;
      Type field(tokens_, first.shown, sign || around ? type + 1 : type, stop, depth_ + 1);
      if (!field.read()) return {};
      const std::string written = field.written();
      const std::string_view before = tokens_.text(sign ? type + 1 : type, end - 1);
      same = same && tokens_.is(type, ":") && !optional && written == before;
      all += (all.empty() ? "" : ", ") + name + ": " + written +
             (optional ? " optional" : "");  // fixed?: boolean of TypeScript
      doubtful_ = doubtful_ || field.doubtful();
      if (field.at() != stop && !tokens_[field.at()].is_text()) return {};
      if (field.at() != stop) all += " " + std::string(tokens_[field.at()].shown);
    }
    i = end;
  }
  return all;
}

// with kind: text and severity (whole): where the words before the first field begin; behind them in `at`.
bool Type::names_fields(std::size_t& at) const {
  while (at < end_ &&
         among(tokens_[at].shown, {",", "each", "with", "having", "containing", "of", "the", "a", "an", "fields"}))
    ++at;
  return at > at_ && at + 1 < end_ && !tokens_.is(at - 1, ",") && !tokens_.is(at - 1, "each") && free_name(at) &&
         (among(tokens_[at + 1].shown, {":", "(", "as"}) || !base_of(tokens_[at + 1].shown).empty());
}

// Up to the policy of the whole, or its prose.
std::string Type::record_in_words(std::size_t begin) {
  std::size_t stop = end_, last = begin;
  for (std::size_t i = begin; i + 1 < end_; i = tokens_.behind(i)) {
    if (tokens_.is(i + 1, ":") || tokens_.is(i + 1, "(")) stop = end_, last = i;
    else if (stop == end_ && i > last + 2 && among(tokens_[i].shown, {"default", "optional", "required", "missing"}) &&
             (tokens_.opens(i + 1) || !tokens_.is(i, "default")))
      stop = i;
  }
  if (stop == end_ && tokens_[stop - 1].is_text()) --stop;
  bool same = false;
  const std::string all = fields(begin, stop, same);
  at_ = stop;
  return all.empty() ? fail() : "{ " + all + " }";
}

std::string_view Type::plain_key(std::size_t i) const {
  const std::string_view shown = tokens_[i].shown;
  return tokens_[i].is_text() && shown.size() > 2 ? shown.substr(1, shown.size() - 2) : shown;
}

// { "type": "number", "minimum": 0, "maximum": 10, "default": 5 }, of JSON Schema
std::string Type::described() {
  const std::size_t close = tokens_[at_].partner;
  std::string base;
  bool says_required = false;
  for (++at_; !failed_ && at_ < close;) {
    if (take({","})) continue;
    const std::string_view key = plain_key(at_);
    ++at_;
    if (!take({":", "="})) failed_ = true;
    if (key == "type" || key == "kind") {
      base = std::string(base_of(plain_key(at_++)));
    } else if (among(key, {"minimum", "min", "ge"})) {
      limit(">=");
    } else if (among(key, {"maximum", "max", "le"})) {
      limit("<=");
    } else if (key == "default") {
      fallback();
    } else if (among(key, {"enum", "choices", "options", "values"}) && take({"["})) {
      base = choices("]");
    } else if (among(key, {"optional", "nullable", "required"})) {
      optional_ = optional_ || (key == "required") == one({"false", "False"});
      says_required = true;
      ++at_;
    } else if (among(key, {"description", "title"}) && tokens_[at_].is_text()) {
      prose_ = as_text(tokens_[at_++].shown);
    } else {
      failed_ = true;
    }
  }
  at_ = close + 1;
  if (base.empty()) failed_ = true;
  // What the rubric asks for, 'email is missing', may be missing.
  for (std::size_t k = end_; !says_required && k + 2 < tokens_.size(); ++k)
    optional_ = optional_ || (tokens_.is(k, name_) && tokens_.is(k + 1, "is") &&
                              (tokens_.is(k + 2, "missing") || tokens_.is(k + 2, "given")));
  return base;
}

std::string Type::plural(int depth) {
  const std::string_view word = tokens_[at_].shown;
  if (tokens_[at_].kind == Token::Kind::word) {
    const TypeWords* row = type_words(Role::plural, word);
    if (row != nullptr) {
      ++at_;
      return std::string(row->meaning);
    }
  }
  std::string result = kind(depth + 1);
  // list of number 0..10: the limits are those of its items
  std::string low, high;
  if (result == "number" || result == "whole") {
    while (!failed_ && at_ < end_ && one({">", ">=", "<", "<="})) {
      const std::string sign(tokens_[at_++].shown);
      if (!number(low)) failed_ = true;
      result += " " + sign + " " + low;
    }
    const std::size_t begin = at_;
    if (low_.empty() && high_.empty() && interval()) {
      result += limits();
      low_ = high_ = {}, above_ = below_ = false;
    } else if (number(low)) {
      if (take({"..", "to", "-", "–"}) && number(high)) result += " " + low + ".." + high;
      else at_ = begin;
    }
  }
  return result;
}

// number, z.number(), conint(…), a type of the rubric
std::string Type::named() {
  std::string_view word = tokens_[at_].shown;
  while (tokens_.is(at_ + 1, ".") && tokens_[at_ + 2].kind == Token::Kind::word) {
    at_ += 2;
    word = tokens_[at_].shown;
  }
  ++at_;
  if (among(word, {"positive", "Positive", "nonnegative", "non_negative"}) && !base_of(tokens_[at_].shown).empty()) {
    low_ = "0", above_ = word[0] == 'p' || word[0] == 'P';
    word = tokens_[at_++].shown;
  }
  if (word.size() > 4 && word.substr(0, 3) == "con" && !base_of(word.substr(3)).empty())
    word.remove_prefix(3);  // pydantic
  if (among(word, {"PositiveInt", "PositiveFloat", "NonNegativeFloat"})) {
    low_ = "0", above_ = word[0] == 'P';
    return word == "PositiveInt" ? "whole" : "number";
  }
  std::string_view base = base_of(word);
  const bool usual = among(word, {"score", "mark", "points", "amount", "count", "money", "minutes", "hours", "days"});
  if (usual && tokens_.declaration({"type"}, word) != kNone) base = {};  // a type of the rubric goes first
  if (base.empty() && !is_reserved(word)) return std::string(word);
  if (base == "whole >= 0") {
    low_ = "0";
    base = "whole";
  }
  if (base.empty()) failed_ = true;
  if (base == "whole") take({"number", "numbers", "Number"});  // a whole number
  if (base == "number" && take({"whole", "integer"})) base = "whole";
  if (base == "text" && is("(") && tokens_[at_ + 1].kind == Token::Kind::number && tokens_.is(at_ + 2, ")")) at_ += 3;
  if (base == "text" && (is("(") || is("in") || is("of")) && tokens_[at_ + (is("(") ? 1 : 2)].is_text()) {
    at_ += is("(") ? 1 : 2;
    return choices(tokens_.is(at_ - 1, "[") ? "]" : tokens_.is(at_ - 1, "{") ? "}" : ")");
  }
  if ((base == "whole" || base == "number") && is("in") && one({"in"}) &&
      tokens_[at_ + 2].kind == Token::Kind::number && tokens_.is(at_ + 3, ",") &&
      tokens_.is(at_ + 5, ",")) {  // whole in [1, 2, 3]
    const std::string_view close = closing_bracket(tokens_[at_ + 1].shown);
    at_ += 2;
    return numbers(close);
  }
  if (base == "number" && is("(") && tokens_[at_ + 1].kind == Token::Kind::number && tokens_.is(at_ + 2, ",") &&
      among(word, {"DECIMAL", "NUMERIC", "decimal", "numeric"}) && tokens_.is(at_ + 4, ")"))
    at_ += 5;  // digits
  return std::string(base);
}

}  // namespace assay::mending
