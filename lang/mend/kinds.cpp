// Types of other languages, put together from what their words say: a base, its limits, whether it may be missing, a
// default. `List[str] = []`, `number (min=0, max=5)?`, `Optional[int] = None`, `VARCHAR(20) NOT NULL DEFAULT 'x'`.
#include "lang/mend/foreign/tokens.hpp"
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cctype>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

struct Base {
  std::string_view words, name;
};
constexpr Base kBases[] = {
    {"number float double decimal numeric real Float Number num Decimal Double f32 f64 NUMERIC DECIMAL FLOAT REAL "
     "money "
     "Numeric DOUBLE float64 float32 BigDecimal",
     "number"},
    {"whole int integer Integer Int long Whole i32 i64 INT INTEGER BIGINT bigint smallint count int64 int32 Long short",
     "whole"},
    {"uint unsigned u8 u16 u32 u64 usize uint32 uint64 NonNegativeInt", "whole >= 0"},
    {"text string str String Text STRING TEXT varchar VARCHAR char nvarchar date datetime timestamp Date DateTime uuid "
     "UUID "
     "email url Str &str EmailStr AnyUrl HttpUrl",
     "text"},
    {"bool boolean Boolean Bool BOOL BOOLEAN logical bit", "bool"}};
const std::initializer_list<std::string_view> kLists = {"list",       "List",      "array",       "Array", "Sequence",
                                                        "seq",        "vector",    "Vec",         "tuple", "Iterable",
                                                        "Collection", "ArrayList", "IEnumerable", "Seq",   "lists"};
const std::initializer_list<std::string_view> kSets = {"set", "Set", "HashSet", "frozenset", "FrozenSet"};
const std::initializer_list<std::string_view> kMaps = {"dict",   "Dict",   "map",     "Map",        "Mapping",
                                                       "Record", "object", "HashMap", "Dictionary", "hash"};
const std::initializer_list<std::string_view> kChoices = {"enum",  "Enum",    "choice", "choices", "oneof", "one_of",
                                                          "oneOf", "Literal", "select", "OneOf",   "ENUM"};
const std::initializer_list<std::string_view> kMaybe = {"Optional", "Maybe", "Option", "Nullable"};
const std::initializer_list<std::string_view> kNulls = {"null", "None", "undefined", "missing",
                                                        "nil",  "NULL", "nothing",   "none"};

std::string_view base_of(std::string_view word) {
  for (const Base& row : kBases) {
    std::string_view words = row.words;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (words.substr(0, end) == word) return row.name;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return {};
}

// Reads one type and its policy from tokens; what it does not understand makes it fail.
class Type {
 public:
  Type(const Tokens& tokens, std::string_view name, std::size_t at, std::size_t end)
      : tokens_(tokens), name_(name), at_(at), end_(end) {}

  bool read() {
    base_ = kind(0);
    std::size_t steps = 0;
    while (!failed_ && at_ < end_ && !base_.empty() && ++steps < 60) {
      if (tokens_[at_].kind == Kind::text && at_ + 1 >= end_ && !base_.empty() && tokens_[at_ - 1].kind != Kind::sign)
        break;
      modifier();
    }
    if (prose_.empty() && !unit_.empty() && !tokens_[at_].is_text()) prose_ = '"' + unit_ + '"';
    return !failed_ && !base_.empty() && steps < 60 && (low_.empty() || high_.empty() || low_ != high_);
  }
  std::size_t at() const { return at_; }
  std::string written() const {
    std::string result = base_;
    const bool number = base_ == "number" || base_ == "whole";
    if (number && !low_.empty() && !high_.empty() && !above_ && !below_) {
      result += " " + low_ + ".." + high_;
    } else if (number) {
      if (!low_.empty()) result += (above_ ? " > " : " >= ") + low_;
      if (!high_.empty()) result += (below_ ? " < " : " <= ") + high_;
    }
    if (!default_.empty()) result += " default " + fitting();
    else if (optional_) result += " optional";
    return result + (prose_.empty() ? "" : " " + prose_);
  }
  bool limited_text() const { return base_ != "number" && base_ != "whole" && !(low_.empty() && high_.empty()); }

 private:
  bool is(std::string_view word) const { return at_ < end_ && tokens_.is(at_, word); }
  bool one(std::initializer_list<std::string_view> words) const {
    return at_ < end_ && !tokens_[at_].is_text() && among(tokens_[at_].shown, words);
  }
  bool take(std::initializer_list<std::string_view> words) { return one(words) && (++at_, true); }

  // The default in the form of the base: "false" → false for a bool, "5" → 5 for a number, red → "red" for a text.
  std::string fitting() const {
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
      return default_ == "{}" || default_ == "set" ? "[]" : default_;
    const bool word = std::isalpha(static_cast<unsigned char>(inner[0])) != 0;
    if (!quoted && word && base_.substr(0, 6) == "one of" && base_.find("\"" + inner + "\"") != base_.npos)
      return "\"" + inner + "\"";
    return default_;
  }

  std::string kind(int depth) {
    if (failed_ || depth > 6 || at_ >= end_) return failed_ = true, std::string();
    std::string result = simple(depth);
    while (!failed_ && at_ < end_) {
      if (is("[") && tokens_.is(at_ + 1, "]")) {
        at_ += 2;
        result = "list of " + result;
      } else if (is("|") || (depth == 0 && is("or") && tokens_[at_ + 1].kind == Kind::word)) {
        ++at_;
        if (take(kNulls)) {
          optional_ = true;
        } else if (tokens_[at_].is_text() && result.substr(0, 6) == "one of") {
          result.insert(result.size() - 1, ", " + as_text(tokens_[at_++].shown));
        } else {
          const std::string other = simple(depth + 1);
          if (other != result) result += " or " + other;
        }
      } else {
        break;
      }
    }
    return result;
  }

  std::string inside(int depth) {  // [ kind ], < kind >, ( kind )
    const bool angle = is("<");
    if (!angle && !is("[") && !is("(")) return failed_ = true, std::string();
    ++at_;
    std::string result = kind(depth + 1);
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

  std::string choices(std::string_view close) {
    std::string all;
    while (!failed_ && at_ < end_ && !is(close)) {
      const Token& t = tokens_[at_];
      if (take({",", "|", "/", "or", ";"})) continue;
      if (!t.is_text() && t.kind != Kind::word) return failed_ = true, std::string();
      all += (all.empty() ? "" : ", ") + (t.is_text() ? as_text(t.shown) : "\"" + std::string(t.shown) + "\"");
      ++at_;
    }
    if (!close.empty() && !take({close})) failed_ = true;
    return "one of (" + all + ")";
  }

  std::string simple(int depth) {
    if (depth > 6 || at_ >= end_) return failed_ = true, std::string();
    take({"a", "an"});
    const Token& t = tokens_[at_];
    if (t.is_text()) {  // "a" | "b"
      ++at_;
      return "one of (" + as_text(t.shown) + ")";
    }
    if (one({"(", "[", "{"}) && tokens_[at_ + 1].is_text() && !tokens_.is(at_ + 2, ":")) {
      const std::string_view close = is("(") ? ")" : is("[") ? "]" : "}";
      ++at_;
      return choices(close);
    }
    if (is("[") && tokens_.is(at_ + 1, "]")) {  // []T
      at_ += 2;
      return "list of " + kind(depth + 1);
    }
    if (is("[")) return "list of " + inside(depth);
    if (is("{") && t.partner != kNone && among(plain_key(at_ + 1), {"type", "kind"}) && tokens_.is(at_ + 2, ":"))
      return described();
    if (is("{") && t.partner != kNone) {
      const std::size_t begin = at_;
      at_ = t.partner + 1;
      return std::string(tokens_.text(begin, at_ - 1));
    }
    if (t.kind != Kind::word) return failed_ = true, std::string();
    const std::string_view word = t.shown;
    const std::size_t next = at_ + 1;
    const bool opens = tokens_.is(next, "[") || tokens_.is(next, "<") || tokens_.is(next, "(");
    if ((among(word, kMaybe) && opens) || (among(word, {"optional", "nullable"}) && opens)) {
      ++at_;
      optional_ = true;
      return inside(depth);
    }
    if (among(word, {"optional", "Optional", "nullable", "required", "mandatory"})) {
      ++at_;
      optional_ = optional_ || (word != "required" && word != "mandatory");
      return kind(depth + 1);
    }
    if (among(word, {"Union"}) && opens) {
      at_ += 2;
      std::string result;
      while (!failed_ && at_ < end_ && !take({"]"})) {
        if (take({","})) continue;
        if (take(kNulls)) optional_ = true;
        else result += (result.empty() ? "" : " or ") + kind(depth + 1);
      }
      return result;
    }
    if (among(word, {"Annotated"}) && opens) {  // its limits follow as modifiers
      at_ += 2;
      return kind(depth + 1);
    }
    if (among(word, kChoices) && opens) {
      at_ += 2;
      const bool list = take({"["});
      std::string result = choices(list ? "]" : tokens_.is(next, "[") ? "]" : tokens_.is(next, "<") ? ">" : ")");
      if (list) take({")"});
      return result;
    }
    if (among(word, kChoices) && (tokens_.is(next, ":") || tokens_.is(next, "{"))) {
      at_ += 2;
      if (take({"["})) return choices("]");
      return choices(tokens_.is(next, "{") ? "}" : "");
    }
    if (word == "one" && tokens_.is(next, "of")) {
      at_ += 2;
      take({":"});
      if (take({"("})) return choices(")");
      if (take({"["})) return choices("]");
      if (take({"{"})) return choices("}");
      std::string all;
      while (at_ < end_ && (tokens_[at_].is_text() || (one({",", "|", "or", "/"}) && tokens_[at_ + 1].is_text()))) {
        if (tokens_[at_].is_text()) {
          if (!all.empty() && !one({","}) && tokens_[at_ - 1].is_text()) break;  // the prose
          all += (all.empty() ? "" : ", ") + as_text(tokens_[at_].shown);
        }
        ++at_;
      }
      return "one of (" + all + ")";
    }
    if (among(word, kLists) || among(word, kSets)) {
      const std::string head = among(word, kLists) ? "list of " : "set of ";
      ++at_;
      if (opens) return head + inside(depth);
      if (take({"of"})) {
        const bool optional = take({"optional"});
        return head + (optional ? "optional " : "") + plural(depth);
      }
      return failed_ = true, std::string();
    }
    if (among(word, kMaps)) {
      ++at_;
      if (tokens_.is(next, "{")) return simple(depth + 1);
      if (take({"of"})) {
        std::string result = plural(depth);
        if (take({"to"})) result = plural(depth);
        return "map of " + result;
      }
      if (!opens) return failed_ = true, std::string();
      ++at_;
      kind(depth + 1);
      if (!take({",", "]"})) failed_ = true;
      std::string result = kind(depth + 1);
      take({"]", ">", ")"});
      return "map of " + result;
    }
    return named();
  }

  std::string_view plain_key(std::size_t i) const {
    const std::string_view shown = tokens_[i].shown;
    return tokens_[i].is_text() && shown.size() > 2 ? shown.substr(1, shown.size() - 2) : shown;
  }

  // { "type": "number", "minimum": 0, "maximum": 10, "default": 5 }, of JSON Schema
  std::string described() {
    const std::size_t close = tokens_[at_].partner;
    std::string base;
    for (++at_; !failed_ && at_ < close;) {
      if (take({","})) continue;
      const std::string_view key = plain_key(at_);
      ++at_;
      if (!take({":", "="})) failed_ = true;
      if (key == "type" || key == "kind") {
        base = std::string(base_of(plain_key(at_++)));
      } else if (among(key, {"minimum", "min", "ge"})) {
        limit(low_, above_, false);
      } else if (among(key, {"maximum", "max", "le"})) {
        limit(high_, below_, false);
      } else if (key == "default") {
        fallback();
      } else if (among(key, {"enum", "choices", "options", "values"}) && take({"["})) {
        base = choices("]");
      } else if (among(key, {"optional", "nullable", "required"})) {
        optional_ = optional_ || (key == "required") == one({"false", "False"});
        ++at_;
      } else if (among(key, {"description", "title"}) && tokens_[at_].is_text()) {
        prose_ = as_text(tokens_[at_++].shown);
      } else {
        failed_ = true;
      }
    }
    at_ = close + 1;
    if (base.empty()) failed_ = true;
    return base;
  }

  std::string plural(int depth) {
    const std::string_view word = tokens_[at_].shown;
    if (tokens_[at_].kind == Kind::word && word.size() > 1 && word.back() == 's') {
      if (const std::string_view base = base_of(word.substr(0, word.size() - 1)); !base.empty()) {
        ++at_;
        return std::string(base);
      }
    }
    return kind(depth + 1);
  }

  // number, z.number(), conint(…), a type of the rubric
  std::string named() {
    std::string_view word = tokens_[at_].shown;
    while (tokens_.is(at_ + 1, ".") && tokens_[at_ + 2].kind == Kind::word) {
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
    if (base.empty() && !is_reserved(word)) return std::string(word);
    if (base == "whole >= 0") {
      low_ = "0";
      base = "whole";
    }
    if (base.empty()) failed_ = true;
    if (base == "text" && is("(") && tokens_[at_ + 1].kind == Kind::number && tokens_.is(at_ + 2, ")")) at_ += 3;
    if (base == "text" && (is("(") || is("in") || is("of")) && tokens_[at_ + (is("(") ? 1 : 2)].is_text()) {
      at_ += is("(") ? 1 : 2;
      return choices(tokens_.is(at_ - 1, "[") ? "]" : ")");
    }
    if (base == "number" && is("(") && tokens_[at_ + 1].kind == Kind::number && tokens_.is(at_ + 2, ",") &&
        among(word, {"DECIMAL", "NUMERIC", "decimal", "numeric"}) && tokens_.is(at_ + 4, ")"))
      at_ += 5;  // digits
    return std::string(base);
  }

  bool number(std::string& result) {
    const bool minus = one({"-", "−"}) && tokens_[at_ + 1].kind == Kind::number;
    if (!minus && (at_ >= end_ || tokens_[at_].kind != Kind::number)) return false;
    if (minus) ++at_;
    result = (minus ? "-" : "") + std::string(tokens_[at_].shown);
    ++at_;
    return true;
  }

  void limit(std::string& which, bool& strict, bool is_strict) {
    take({"=", ":", "("});
    strict = is_strict;
    if (!number(which)) failed_ = true;
  }

  void modifier() {
    if (at_ < end_ && tokens_[at_].kind == Kind::word && tokens_[at_].shown == name_) return void(++at_);
    if (take({"description", "title", "label"})) {  // its text stays as the prose
      take({"=", ":", "("});
      if (at_ >= end_ || !tokens_[at_].is_text()) failed_ = true;
      else prose_ = as_text(tokens_[at_++].shown);
      return;
    }
    if (take({"(", ")", "[", "]", "{", "}", ",", ";", ".", "Field", "and", "&", "range", "in", "from", "min_length",
              ">"})) {
      if (tokens_.is(at_ - 1, ">") && at_ < end_ && (tokens_[at_].kind == Kind::number || is("-")))
        limit(low_, above_, true);
      return;
    }
    if (take({"?", "optional", "nullable", "maybe", "Optional", "nullish"})) return void(optional_ = true);
    if (take({"|", "or", "|| "})) {
      if (take(kNulls)) return void(optional_ = true);
      return fallback();
    }
    if (take({"required", "mandatory", "NOT", "not", "NULL", "null", "CHECK", "int", "finite"})) {
      const std::string_view word = tokens_[at_ - 1].shown;
      if (word == "int") base_ = "whole";  // z.number().int()
      if (word == "required" && is("when")) failed_ = true;
      if ((word == "NULL" || word == "null") && !tokens_.is(at_ - 2, "NOT") && !tokens_.is(at_ - 2, "not"))
        optional_ = true;
      return;
    }
    if (one({"positive", "nonnegative"})) {
      above_ = is("positive");
      low_ = "0";
      ++at_;
      return;
    }
    if (take({"min", "minimum", "ge", "gte", ">=", "≥", "Min", "MIN", "low", "lower"}))
      return limit(low_, above_, false);
    if (take({"max", "maximum", "le", "lte", "<=", "≤", "Max", "MAX", "high", "upper"}))
      return limit(high_, below_, false);
    if (take({"gt"})) return limit(low_, above_, true);
    if (take({"lt", "<"})) return limit(high_, below_, true);
    if (take({"between", "BETWEEN"})) {
      limit(low_, above_, false);
      if (!take({"and", "to", "AND", ","})) failed_ = true;
      return limit(high_, below_, false);
    }
    if (is("at") && (tokens_.is(at_ + 1, "least") || tokens_.is(at_ + 1, "most"))) {
      at_ += 2;
      return tokens_.is(at_ - 1, "least") ? limit(low_, above_, false) : limit(high_, below_, false);
    }
    if (is("up") && tokens_.is(at_ + 1, "to")) {
      at_ += 2;
      return limit(high_, below_, false);
    }
    if (take({"=", ":=", "default", "DEFAULT", "??", "default_value", "default_factory"})) return fallback();
    if (at_ > 0 && take({"kg",    "g",    "km",    "m",       "cm",      "mm",     "s",   "ms",     "h", "min",
                         "bpm",   "%",    "€",     "$",       "USD",     "EUR",    "/",   "°C",     "l", "ml",
                         "years", "days", "hours", "minutes", "seconds", "points", "pts", "percent"})) {
      unit_ += tokens_[at_ - 1].shown;
      return;
    }
    std::string low;
    if (number(low)) {
      low_ = low, above_ = false;
      if (!take({"..", "-", "to", "–", ","})) return void(failed_ = true);
      take({"."});
      return limit(high_, below_, false);
    }
    failed_ = true;
  }

  void fallback() {
    take({"=", ":", "is", "to", "("});
    if (take({"Field", "field", "Column", "Query", "attr"})) {  // Field(0, ge=0), Field(default=0), Field(...)
      take({".", "field", "ib"});
      if (!take({"("})) failed_ = true;
      if (take({".."})) return void(take({"."}));
      const bool literal = at_ < end_ && (tokens_[at_].kind == Kind::number || tokens_[at_].is_text() ||
                                          one({"None", "True", "False", "["}));
      return literal ? fallback() : void();
    }
    if (take(kNulls)) return void(optional_ = true);
    if (one({"[", "{"}) && tokens_[at_].partner == at_ + 1) {
      default_ = std::string(tokens_.text(at_, at_ + 1));
      at_ += 2;
      return;
    }
    if (one({"True", "TRUE", "False", "FALSE"})) {
      default_ = in_lower_case(tokens_[at_++].shown);
      return;
    }
    if (number(default_)) return;
    if (at_ >= end_) return void(failed_ = true);
    if (tokens_[at_].is_text()) {
      default_ = as_text(tokens_[at_++].shown);
    } else if (tokens_[at_].kind == Kind::word) {
      if (is("list") && tokens_.is(at_ + 1, ")")) default_ = "[]";  // default_factory=list
      else default_ = std::string(tokens_[at_].shown);
      ++at_;
      if (tokens_.is(at_, ".") || (tokens_.is(at_, "(") && tokens_[at_].begin == tokens_[at_ - 1].end)) failed_ = true;
    } else {
      failed_ = true;
    }
  }

  const Tokens& tokens_;
  std::string_view name_;  // of the input: CHECK (name >= 0)
  std::size_t at_, end_;
  bool failed_ = false;
  std::string base_, low_, high_, default_, prose_, unit_;
  bool above_ = false, below_ = false, optional_ = false;
};

std::string tight(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t') result += c;
  }
  return result;
}

// The end of the type that begins at a token: the next field or declaration, or a word that a type cannot have.
std::size_t type_end(const Tokens& tokens, std::size_t begin, bool field, bool dimension) {
  std::size_t i = begin;
  while (i + 1 < tokens.size()) {
    if (i > begin && (tokens[i].starts || (field && tokens[i].first))) break;
    if (tokens.closes(i) && (tokens[i].partner == kNone || tokens[i].partner < begin)) break;
    if (among(tokens[i].shown, {"measured", "judged", "#"})) break;
    if (dimension && among(tokens[i].shown, {"weight", "points", "advisory", "missing"})) break;
    if (dimension && tokens.is(i, "=") && i > begin) break;
    if (field && tokens.is(i, ",")) break;
    if (tokens[i].kind == Kind::text && i > begin && (i + 1 >= tokens.size() - 1 || tokens[i + 1].first) &&
        !among(tokens[i - 1].shown, {"=", "default", "DEFAULT", ":", ",", "|", "or", "/", "of", ":="}))
      break;  // the prose
    // a '<' is a bracket here
    i = tokens.behind(i);
  }
  return i;
}

}  // namespace

void kinds(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  bool input = false, record = false, dimension = false;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (tokens[i].starts) {
      const std::string_view word = tokens[i].shown;
      input = word == "input", record = word == "type" || word == "input";
      dimension = word == "dimension" || word == "criterion";
    }
    if (!tokens.is(i + 1, ":") || (tokens[i].kind != Kind::word && !tokens[i].is_text())) continue;
    const bool head = i > 0 && tokens[i - 1].starts && (input || dimension);
    const bool more = input && i > 1 && tokens.is(i - 1, ",") && !tokens.closes(i - 2);
    const bool field = record && !head && i > 0 && (tokens.is(i - 1, "{") || tokens.is(i - 1, ",") || tokens[i].first);
    if (!head && !field && !more) continue;
    const std::size_t begin = i + 2, end = type_end(tokens, begin, field && !more, dimension);
    if (end <= begin) continue;
    Type type(tokens, tokens[i].shown, begin, end);
    if (!type.read() || type.limited_text()) continue;
    const std::size_t last = std::min(type.at(), end);
    const std::string written = type.written();
    if (tight(written) == tight(tokens.text(begin, last - 1))) continue;
    out.add(tokens[begin].begin, tokens[last - 1].end, written, true);
  }
}

}  // namespace assay::mending
