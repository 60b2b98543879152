// See grade_rows.hpp.
#include "lang/mend/blocks/grade_rows.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace assay::mending {

double Grade::low() const {
  double least = 1e300;
  for (const std::string& limit : limits) least = std::min(least, std::strtod(limit.c_str(), nullptr));
  return rest ? -1e300 : least;
}
double Grade::high() const {
  double most = -1e300;
  for (const std::string& limit : limits) most = std::max(most, std::strtod(limit.c_str(), nullptr));
  return most;
}

bool says_nothing(std::string_view word) {
  if (word.size() == 1 && std::isupper(static_cast<unsigned char>(word[0])) != 0) return false;  // the grade A
  return among(
      in_lower_case(word),
      {"min",     "max",     "from",    "to",    "grade",  "name",   "label", "score", "at",        "least",  "if",
       "when",    "then",    "and",     "or",    "more",   "than",   "up",    "case",  "return",    "points", "is",
       "elif",    "elsif",   "elseif",  "over",  "above",  "under",  "below", "less",  "higher",    "lower",  "the",
       "a",       "get",     "gets",    "of",    "result", "rating", "be",    "value", "bands",     "band",   "minimum",
       "maximum", "between", "percent", "level", "text",   "title",  "bound", "limit", "threshold", "equal",  "fewer",
       "greater", "low",     "high",    "start", "end",    "upper",  "for",   "are",   "as"});
}
bool is_rest(std::string_view word) {
  return among(in_lower_case(word), {"otherwise", "else", "default", "rest", "_", "other", "others", "anything",
                                     "everything", "anyone", "true", "always"});
}

namespace {

// The distance of two neighbours among the values that these limits are written for: 1, or 0.1 beside 79.9.
double step_of(const std::vector<Grade>& grades) {
  double step = 1;
  for (const Grade& grade : grades) {
    for (const std::string& limit : grade.limits) {
      const std::size_t point = limit.find('.');
      const std::size_t digits = point == limit.npos ? 0 : limit.size() - point - 1;
      step = std::min(step, std::pow(10.0, -static_cast<double>(digits)));
    }
  }
  return step;
}

// The row of a range that ends where this one begins; null: there is none.
const Grade* row_below(const std::vector<Grade>& grades, double low) {
  const auto found = std::find_if(grades.begin(), grades.end(), [low](const Grade& other) {
    return (other.range() || other.upper()) && other.high() == low;
  });
  return found == grades.end() ? nullptr : &*found;
}

// Decides what 'above 80' and '80 to 100' mean beside the other rows, from the highest down: 80 belongs to the row whose
// sign says so, and to the upper one where none does. False: values between two rows belong to neither, or to both.
bool settle(std::vector<Grade>& grades) {
  const double step = step_of(grades) * 1.000001;
  bool sure = true;
  for (std::size_t k = 0; k < grades.size(); ++k) {
    Grade& grade = grades[k];
    if (grade.rest || grade.upper()) continue;
    const double low = grade.low();
    const Grade* below = row_below(grades, low);
    const std::string sign = below == nullptr ? "" : below->range() ? below->high_sign : below->sign;
    if (grade.worded && grade.open() && sign == "<") grade.sign = ">=";
    if (!grade.worded && grade.open() && sign == "<") sure = false;
    if (grade.sign.empty() && sign == "<=") grade.sign = ">";
    if (k + 1 == grades.size() || !grades[k + 1].range()) continue;
    const double before = grades[k + 1].high();
    if (grade.worded && grade.open() && before < low) grade.sign = ">=", sure = false;
    sure = sure && low - before <= step && before <= low;
  }
  return sure;
}

// Ranges that rise, with the rest behind them: the rest lies above, so the upper ends count. False: they are not so.
bool rises_to_rest(const std::vector<Grade>& grades) {
  for (std::size_t k = 0; k < grades.size(); ++k) {
    const bool last = k + 1 == grades.size();
    if (grades[k].rest != last) return false;
    if (!last && !grades[k].range() && !grades[k].upper()) return false;
    if (k > 0 && !last && grades[k].high() <= grades[k - 1].high()) return false;
  }
  return grades.size() > 2 && grades[grades.size() - 2].range();
}

// The same rows with their upper ends; false: values between two of them belong to neither, or to both.
bool upper_ends(std::vector<Grade>& grades) {
  const double step = step_of(grades) * 1.000001;
  const auto end = [](const Grade& grade, bool high) {  // as written
    const bool last = (std::strtod(grade.limits.back().c_str(), nullptr) == grade.high()) == high;
    return last ? grade.limits.back() : grade.limits.front();
  };
  bool sure = grades[0].upper() || grades[0].low() == 0;
  for (std::size_t k = 0; k + 1 < grades.size(); ++k) {
    Grade& grade = grades[k];
    const Grade& next = grades[k + 1];
    const double high = grade.high();
    std::string sign = grade.upper() ? grade.sign : grade.high_sign, limit = end(grade, true);
    if (!next.rest && next.range()) {
      sure = sure && next.low() - high <= step && next.low() >= high;
      if (sign.empty() && !next.open()) sign = "<", limit = end(next, false);  // 0..49, 50..79: up to 50
    }
    grade.sign = sign.empty() ? "<=" : sign;
    grade.limits = {std::move(limit)};
  }
  return sure;
}

// What a share of the whole scale, 90%, is in points; empty: the scale does not begin at 0.
std::string points_of(const Tokens& tokens, const std::string& share) {
  std::size_t i = 0;
  while (i + 3 < tokens.size() && !(tokens[i].starts && tokens.is(i, "scale"))) ++i;
  const bool scale = i + 3 < tokens.size();
  if (!scale || tokens.is(i + 3, "100")) return share;
  if (!tokens.is(i + 1, "0") || tokens[i + 3].kind != Token::Kind::number) return {};
  const double end = std::strtod(std::string(tokens[i + 3].shown).c_str(), nullptr);
  std::array<char, 32> points{};
  std::snprintf(points.data(), points.size(), "%.9g", std::strtod(share.c_str(), nullptr) * end / 100);
  return points.data();
}

// ">= 80" and "80+" as the keys of a mapping.
bool limit_in_quotes(std::string_view text, Grade& grade) {
  std::string_view sign;
  for (const std::string_view one : {">=", "<=", ">", "<"}) {
    if (sign.empty() && text.starts_with(one)) sign = one;
  }
  std::string_view number = text.substr(sign.size());
  if (sign.empty() && number.ends_with('+')) sign = ">=", number.remove_suffix(1);
  number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
  if (sign.empty() || number.empty() || number.find_first_not_of("0123456789.-") != number.npos) return false;
  grade.sign = sign;
  grade.limits.emplace_back(number);
  return true;
}

// The last of the words that fill a cell up to its bar, where some of them would say nothing alone; the first if there
// are other tokens in it, or no other words.
std::size_t end_of_words(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::size_t last = begin;
  bool more = false, nothing = false;
  for (std::size_t i = begin; i < end && !tokens.is(i, "|"); ++i) {
    if (tokens[i].kind != Token::Kind::word) return begin;
    (says_nothing(tokens[i].shown) ? nothing : more) = true;
    last = i;
  }
  return more && nothing ? last : begin;
}

// '60 >=' among '>= 90' and '>= 30' is a lower limit, with its sign on the wrong side.
void turn_back(std::vector<Grade>& grades) {
  const auto lower = [](const Grade& g) { return !g.turned && !g.upper() && !g.rest && !g.range(); };
  const auto upper = [](const Grade& g) { return !g.turned && g.upper(); };
  const bool some_lower = std::any_of(grades.begin(), grades.end(), lower);
  const bool some_upper = std::any_of(grades.begin(), grades.end(), upper);
  for (Grade& grade : grades) {
    if (!grade.turned || grade.range() || grade.sign.empty() || some_lower == some_upper) continue;
    if (grade.upper() == some_lower) grade.sign.front() = some_lower ? '>' : '<';
  }
}

// Whether upper limits stand among lower ones, of which another sign may be meant.
bool mixes_signs(const std::vector<Grade>& grades) {
  std::size_t changes = 0;
  for (std::size_t k = 1; k < grades.size(); ++k) {
    if (grades[k].rest || grades[k - 1].rest) continue;
    changes += grades[k].upper() != grades[k - 1].upper() ? 1 : 0;
  }
  return changes > 1;
}

}  // namespace

bool read_grade(const Tokens& tokens, std::size_t begin, std::size_t end, Grade& grade, std::string* of,
                std::string_view subject) {
  const std::size_t first = begin;
  // 1 (very good): 92 - 100
  const std::size_t close = tokens.is(begin + 1, "(") ? tokens[begin + 1].partner : kNone;
  if (of == nullptr && tokens[begin].kind == Token::Kind::number && close != kNone && close + 1 < end &&
      among(tokens[close + 1].shown, {":", "=", "->", "=>"})) {
    grade.labels = {std::string(tokens[begin].shown), "\"" + raw(tokens, {begin + 2, close}) + "\""};
    begin = close + 2;
  }
  // Behind the first of two numbers an upper limit is that of the second.
  const auto compare = [&grade](std::string_view sign) {
    const bool second = grade.limits.size() == 1 && sign[0] == '<';
    (second ? grade.high_sign : grade.sign) = sign;
  };
  const auto denied = [&](std::size_t i) { return i > begin && among(tokens[i - 1].shown, {"no", "not"}); };
  const auto behind_number = [&](std::size_t i) {
    return i > begin + 1 && (tokens[i - 2].kind == Token::Kind::number || tokens.is(i - 2, "%"));
  };
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens[i];
    const std::string_view s = token.shown;
    if (token.kind == Token::Kind::number) {
      const bool minus = i > begin && tokens.is(i - 1, "-") &&
                         (i < begin + 2 || tokens[i - 2].kind != Token::Kind::number) &&
                         !(tokens[i - 1].first && tokens[i - 1].end < token.begin);  // an item of a list: - 90: A
      std::string number = (minus ? "-" : "") + std::string(s);
      if (number.find_first_not_of("-.0123456789%_") != number.npos) return false;
      if (number.back() == '%') {
        number.pop_back();
        number = points_of(tokens, number);
        if (number.empty()) return false;
      }
      grade.limits.push_back(std::move(number));
      const bool pair = i > begin && i + 3 < end && tokens[i + 2].kind == Token::Kind::number;
      if (pair && tokens.is(i - 1, "(") && tokens.is(i + 3, "]")) grade.sign = ">";  // (50, 80]
      if (pair && tokens.is(i - 1, "[") && tokens.is(i + 3, ")")) grade.high_sign = "<";
    } else if (token.kind == Token::Kind::text || token.kind == Token::Kind::quoted) {
      const std::string text = as_text(s);
      const std::string small = in_lower_case(text.substr(1, text.size() - 2));
      const bool key =
          tokens.is(i + 1, ":") && (says_nothing(std::string_view(text).substr(1, text.size() - 2)) || small == "note");
      const bool marked = token.kind == Token::Kind::quoted && tokens.is(i + 1, "|");  // `>= 80`
      if (of == nullptr && (marked || tokens.is(i + 1, ":")) && limit_in_quotes(small, grade)) continue;
      if (!key) grade.labels.push_back(text);
    } else if (token.kind == Token::Kind::word) {
      const bool key = tokens.is(i + 1, ":") || tokens.is(i + 1, "=");
      if (of != nullptr && among(s, {"cap", "bonus", "deduction", "flag", "gate", "advice", "output", "dimension"}))
        return false;
      static constexpr auto kBounds = {"more",  "less",  "above",   "below", "over", "under", "exceeding", "higher",
                                       "lower", "fewer", "greater", "than",  "at",   "up",    "not",       "no"};
      const bool leads =
          among(s, {"not", "no", "but"}) && i + 1 < end &&
          std::any_of(kBounds.begin(), kBounds.end(), [&](std::string_view word) { return tokens.is(i + 1, word); });
      if (s == "or" && !grade.limits.empty() && (tokens[i + 1].kind == Token::Kind::number || tokens.is(i + 1, ">")))
        return false;  // below 0 or above 5
      if (const std::size_t words = i > begin && tokens.is(i - 1, "|") ? end_of_words(tokens, i, end) : i; words > i) {
        grade.labels.push_back("\"" + std::string(tokens.text(i, words)) + "\"");  // for a museum
        i = words;
      } else if (is_rest(s)) grade.rest = true;
      else if (leads || s == subject) continue;  // but not more than 80
      else if (among(in_lower_case(s), {"above", "over", "exceeds", "exceeding"}) ||
               (tokens.is(i + 1, "than") && among(in_lower_case(s), {"more", "higher", "greater", "better"})))
        compare(denied(i) ? "<=" : ">"), grade.worded = grade.worded || !denied(i);
      else if (among(in_lower_case(s), {"below", "under", "less", "lower", "fewer"}) && behind_number(i) &&
               tokens.is(i - 1, "or"))
        grade.sign = "<=";  // 50 or less
      else if (among(in_lower_case(s), {"below", "under", "less", "fewer"})) compare(denied(i) ? ">=" : "<");
      else if (among(in_lower_case(s), {"max", "maximum"}) || (tokens.is(i, "up") && tokens.is(i + 1, "to")))
        compare("<=");
      else if (of != nullptr && of->empty() && i > begin &&
               among(tokens[i - 1].shown, {"if", "when", "elif", "elsif", "("}))
        *of = s;
      else if (of != nullptr && *of == s) continue;
      else if (says_nothing(s)) continue;
      else if (key && i + 2 < end && of != nullptr) continue;  // a variable that is set
      else {
        std::size_t last = i;
        while (last + 1 < end && tokens[last + 1].kind == Token::Kind::word && !says_nothing(tokens[last + 1].shown) &&
               !is_rest(tokens[last + 1].shown))
          ++last;
        while (last + 1 < end && tokens.is(last + 1, "+")) ++last;    // A+
        if (tokens.text(i, last).find('\t') != s.npos) return false;  // another column
        const bool nothing = last == i && among(s, {"None", "null", "nil"});
        grade.labels.push_back(nothing ? "missing" : "\"" + std::string(tokens.text(i, last)) + "\"");
        i = last;
      }
    } else if (among(s, {">=", ">", "<", "<=", "≥", "≤", "=>"})) {
      const std::string sign = s == "≥" || s == "=>" ? ">=" : s == "≤" ? "<=" : std::string(s);
      // 'score > 80' and '80 < score', '80 <='; of two limits the lower one counts
      const bool turned = s != "=>" && i > begin && tokens[i - 1].kind == Token::Kind::number &&
                          (of != nullptr || tokens[i + 1].kind != Token::Kind::number);
      grade.turned = grade.turned || turned;
      if (turned) grade.sign = sign == "<" ? ">" : sign == "<=" ? ">=" : sign == ">" ? "<" : "<=";
      else compare(sign);
    } else if (s == "=" && i > begin && among(tokens[i - 1].shown, {">", "<"})) {
      (grade.limits.size() == 1 && !grade.high_sign.empty() ? grade.high_sign : grade.sign) += "=";  // > = 5
    } else if (s == "=" && i > begin && tokens.is(i - 1, "..")) {
      compare("<=");  // 240..=300
    } else if (!among(s, {":", ",", "=", "->", "=>", "-", "–", "—", "..", "|", "(", ")",
                          "[", "]", "{", "}",  ";",  "*", "•", "+", "==", "≥", "**"})) {
      return false;
    }
  }
  // low: 0..50
  const bool key = tokens[first].kind == Token::Kind::word && among(tokens[first + 1].shown, {":", "=", "->", "=>"});
  if (of == nullptr && grade.labels.empty() && key && !is_rest(tokens[first].shown) &&
      among(tokens[first].shown, {"low", "high", "lower", "upper"}))
    grade.labels = {"\"" + std::string(tokens[first].shown) + "\""};
  if (grade.limits.size() == 1 && grade.sign.empty()) grade.sign = std::exchange(grade.high_sign, {});
  return true;
}

Written table_of_grades(std::string_view name, std::string_view of, std::vector<Grade> grades, std::string_view indent,
                        const std::vector<std::string>& header) {
  if (grades.size() < 2) return {};
  turn_back(grades);
  const bool mixed = mixes_signs(grades), rises = rises_to_rest(grades);
  bool sure = !rises || upper_ends(grades);
  // From the highest limit down; rows for what is below a limit, from the lowest up, behind them; the rest at the end.
  std::stable_sort(grades.begin(), grades.end(), [](const Grade& a, const Grade& b) {
    if (a.rest != b.rest) return b.rest;
    if (a.upper() != b.upper()) return b.upper();
    return a.upper() ? a.low() < b.low() : a.low() > b.low();
  });
  if (!rises) sure = settle(grades);
  std::size_t columns = 1;
  for (const Grade& grade : grades) columns = std::max(columns, grade.labels.size());
  static constexpr std::array<std::string_view, 2> kMore = {"label", "note"};
  const std::string in(indent);
  std::string text = "bands " + std::string(name) + "(" + std::string(of) + ") {\n" + in + "  | " + std::string(of) +
                     " | " + std::string(name) + " |";
  if (!header.empty() && header.size() != columns) return {};
  for (std::size_t c = 1; c < columns; ++c)
    text += " " + (header.empty() ? std::string(kMore[c - 1]) : header[c]) + " |";
  for (const Grade& grade : grades) {
    text += "\n" + in + "  | ";
    if (grade.rest) text += "otherwise";
    else if (grade.upper()) text += grade.sign + " " + grade.limits[0];
    else {
      const std::string& low = grade.limits.size() == 2 && std::strtod(grade.limits[1].c_str(), nullptr) <
                                                               std::strtod(grade.limits[0].c_str(), nullptr)
                                   ? grade.limits[1]
                                   : grade.limits[0];
      const std::string& high = &low == grade.limits.data() ? grade.limits.back() : grade.limits.front();
      // The rest is above the highest row, too, where that does not reach the end of a scale.
      const bool ends =
          grade.range() && &grade == grades.data() && grades.back().rest && !among(high, {"1", "10", "100"});
      if (ends && !grade.open() && grade.high_sign != "<") text += low + ".." + high;
      else text += (grade.open() ? "> " : ">= ") + low + (ends ? (grade.high_sign == "<" ? " < " : " <= ") + high : "");
    }
    text += " |";
    for (std::size_t c = 0; c < columns; ++c)
      text += " " + (c < grade.labels.size() ? grade.labels[c] : std::string("missing")) + " |";
  }
  return {text + "\n" + in + "}", sure && !mixed};
}

}  // namespace assay::mending
