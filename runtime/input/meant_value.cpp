// Short values alone are looked at, so that a message costs no more than the value it is about.
#include "runtime/input/meant_value.hpp"

#include "lang/number/number.hpp"
#include "lang/number/percent.hpp"
#include "lang/value/interval.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

constexpr std::size_t kLongest = 60;  // bytes

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

template <std::size_t N>
bool one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

constexpr std::string_view kYes[] = {"true", "yes", "y", "t", "1", "on", "x", "ja", "oui", "si"};
constexpr std::string_view kNo[] = {"false", "no", "n", "f", "0", "off", "nein", "non"};
constexpr std::string_view kNone[] = {"nan",
                                      "na",
                                      "n/a",
                                      "none",
                                      "null",
                                      "nil",
                                      "-",
                                      "--",
                                      "?",
                                      ".",
                                      "",
                                      "inf",
                                      "∞",
                                      "+inf",
                                      "-inf",
                                      "#n/a",
                                      "#n/v",
                                      "undefined",
                                      "–",
                                      "—",
                                      "#div/0!",
                                      "#ref!",
                                      "#value!",
                                      "#name?",
                                      "#num!",
                                      "#null!",
                                      "pending",
                                      "tbd",
                                      "missing",
                                      "unknown",
                                      "not available",
                                      "not rated",
                                      "k.a."};

// Signs of currencies, their three capital letters, and blanks: what stands around a number.
std::string without_unit(std::string_view written) {
  std::string text(written);
  for (const std::string_view sign : {"°", "º", "$", "€", "£", "¥", " ", "\xC2\xA0", "\xE2\x80\xAF", "'", "_"}) {
    for (std::size_t at = text.find(sign); at != text.npos; at = text.find(sign)) text.erase(at, sign.size());
  }
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (text.size() > 3 && std::all_of(text.end() - 3, text.end(), capital) && is_digit(text[text.size() - 4]))
    text.erase(text.size() - 3);
  // "12 kg", "5 stars"; but k, M and their like are factors.
  std::size_t unit = text.size();
  while (unit > 0 && (capital(text[unit - 1]) || (text[unit - 1] >= 'a' && text[unit - 1] <= 'z'))) --unit;
  const bool factor =
      text.size() - unit == 1 && std::string_view("kKmMbBGT").find(text[unit]) != std::string_view::npos;
  if (unit > 0 && unit < text.size() && is_digit(text[unit - 1]) && !factor) text.erase(unit);
  if (text.size() > 3 && std::all_of(text.begin(), text.begin() + 3, capital) && is_digit(text[3])) text.erase(0, 3);
  return text;
}

// Whether `mark` separates groups of three digits: 1,234,567.
bool groups_digits(std::string_view text, char mark) {
  const std::size_t first = text.find(mark);
  if (first == text.npos || first == 0 || !is_digit(text[first - 1])) return false;
  for (std::size_t at = first; at != text.npos; at = text.find(mark, at + 1)) {
    if (std::min(text.find_first_of(",.", at + 1), text.size()) - at != 4) return false;
  }
  return true;
}

// As JSON writes numbers. Empty: it is none, or its point and comma say two things.
std::string plain_number(std::string text) {
  const auto commas = std::count(text.begin(), text.end(), ','), points = std::count(text.begin(), text.end(), '.');
  const auto drop = [&text](char mark) { text.erase(std::remove(text.begin(), text.end(), mark), text.end()); };
  if (commas > 0 && (points == 0 || text.rfind(',') < text.find('.')) && groups_digits(text, ',')) {
    drop(',');
  } else if (commas == 1 && (points == 0 || (text.rfind('.') < text.find(',') && groups_digits(text, '.')))) {
    drop('.');
    std::replace(text.begin(), text.end(), ',', '.');
  } else if (commas == 0 && points > 1 && groups_digits(text, '.')) {
    drop('.');
  }
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (negative || text.front() == '+')) text.erase(0, 1);
  const std::size_t zeros = std::min(text.find_first_not_of('0'), text.size());
  if (zeros > 0) text.erase(0, zeros);
  if (text.empty() || !is_digit(text.front())) text.insert(0, zeros > 0 || !text.empty() ? "0" : "");
  if (text.size() > 1 && text.back() == '.') text.pop_back();
  if (negative) text.insert(0, "-");
  return is_json_number(text) ? text : "";
}

bool is_share(const Type& type) {
  return !type.range.high.missing() && compare(type.range.high, Number{1, 1}) == 0 && !type.range.low.missing() &&
         sign(type.range.low) == 0;
}

// "a, b; c" as the items of a list.
std::string as_list(const TypeTable& types, TypeId element, std::string_view text) {
  if (text.empty()) return {};
  const std::size_t mark = text.find_first_of(",;|");
  const char separator = mark == text.npos ? ',' : text[mark];
  const bool numbers = types.kind(element) == TypeKind::number;
  std::string list = "[";
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view item = trimmed(text.substr(0, end));
    if (numbers && !is_json_number(item)) return {};
    if (list.size() > 1) list += ", ";
    if (numbers) list += item;
    else write_json_text(item, list);
    if (end == text.size()) return list + ']';
    text.remove_prefix(end + 1);
  }
}

// "4.5/5", "7 out of 10": the number, if its maximum is the type's.
std::string out_of(const Type& type, std::string_view text) {
  if (!finite(type.range)) return {};
  for (const std::string_view mark : {"/", " out of ", " of "}) {
    const std::size_t at = text.find(mark);
    if (at == text.npos) continue;
    const std::string number = plain_number(std::string(trimmed(text.substr(0, at))));
    NumberPool pool;
    Number most;
    const std::string_view rest = trimmed(text.substr(at + mark.size()));
    if (number.empty() || !parse_decimal(rest, most, pool) || sign(most) <= 0) continue;
    if (compare(most, type.range.high) == 0) return number;
    Number part;
    if (sign(type.range.low) != 0 || type.whole || !parse_decimal(number, part, pool)) continue;
    return shortest_text(div(mul(part, type.range.high, pool), most, pool));
  }
  return {};
}

// "04. May", "4-May-2024", "2024-05-04": spreadsheets turn numbers into dates.
bool is_date(std::string_view text) {
  const auto count = [text](char c) { return std::count(text.begin(), text.end(), c); };
  const std::string word = lower(text);
  for (const std::string_view month :
       {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "okt", "dez"}) {
    if (word.find(month) != word.npos && is_digit(text.front())) return true;
  }
  return is_digit(text.front()) && is_digit(text.back()) && (count('.') == 2 || count('-') == 2 || count('/') == 2) &&
         text.find_first_not_of("0123456789.-/") == text.npos;
}

// -1, 99, 999: how other programs write that a number is not known.
bool stands_for_nothing(std::string_view token) {
  if (token == "-1") return true;
  if (token.front() == '-') token.remove_prefix(1);
  return token.size() >= 2 && token.size() <= 6 && token.find_first_not_of('9') == token.npos;
}

std::string of_number(const Type& type, std::string_view token) {
  if (token.front() != '"') {  // it is a number beyond the range, or a condition
    if (is_json_number(token) && stands_for_nothing(token)) return "; leave it out if it stands for a missing value";
    if (!is_json_number(token) || !is_share(type) || type.whole) return {};
    const std::string share = hundredth(std::string(token));
    return !share.empty() && (share.front() == '0' || share == "1") && share.find_first_not_of("0.") != share.npos
               ? "; " + std::string(token) + "% is written " + share
               : "";
  }
  const std::string_view written = trimmed(token.substr(1, token.size() - 2));
  if (one_of(lower(written), kNone)) return "; leave it out when it is not known";
  if (const std::string number = out_of(type, written); !number.empty()) return "; write " + number;
  if (!written.empty() && is_date(written)) return "; it looks like a date that a spreadsheet made of a number";
  std::string text = without_unit(written);
  const bool percent = text.size() > 1 && text.back() == '%';
  if (percent) text.pop_back();
  std::string number = plain_number(text);
  if (percent && is_share(type)) number = hundredth(number.empty() ? "-" : number);
  if (number.empty()) return {};
  NumberPool pool;
  Number value;
  if (!parse_decimal(number, value, pool) || !holds(type.range, value)) return {};  // that is no way out
  return "; write " + number + (number == token.substr(1, token.size() - 2) ? ", without quotes" : "");
}

std::string of_bool(std::string_view token) {
  const bool quoted = token.front() == '"';
  const std::string word = lower(quoted ? trimmed(token.substr(1, token.size() - 2)) : token);
  const bool yes = one_of(word, kYes);
  if (!yes && !one_of(word, kNo)) return {};
  const bool same = quoted && (token == "\"true\"" || token == "\"false\"");
  return std::string("; write ") + (yes ? "true" : "false") + (same ? ", without quotes" : "");
}

// [10, 20] as the fields of an object, in their order.
std::string of_fields(const Type& type, std::string_view token) {
  if (token.size() < 2 || token.back() != ']' || token.find_first_of("[]{}\"", 1) != token.size() - 1) return {};
  std::string_view rest = token.substr(1, token.size() - 2);
  std::string object = "; write {";
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (trimmed(rest.substr(0, end)).empty() || (end == rest.size()) != (i + 1 == type.fields.size())) return {};
    object += i == 0 ? "\"" : ", \"";
    object += std::string(type.fields[i].name) + "\": " + std::string(trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return object + "}";
}

}  // namespace

std::string meant_value(const TypeTable& types, TypeId expected, std::string_view token, const std::string& path) {
  if (token.empty() || token.size() > kLongest || token.find('\\') != token.npos) return {};
  const Type& type = types[expected];
  const bool quoted = token.size() >= 2 && token.front() == '"' && token.back() == '"';
  switch (type.kind) {
    case TypeKind::number: return of_number(type, token);
    case TypeKind::boolean: return of_bool(token);
    case TypeKind::text:
      if (token.front() == '{' || token.front() == '[' || quoted || !type.choices.empty()) return {};
      return "; write \"" + std::string(token) + "\", in quotes";
    case TypeKind::list: {
      const std::string list = quoted ? as_list(types, type.element, token.substr(1, token.size() - 2))
                               : is_json_number(token) && types.kind(type.element) == TypeKind::number
                                   ? '[' + std::string(token) + ']'
                                   : "";
      return list.empty() ? "" : "; a list is written " + list;
    }
    case TypeKind::map:
    case TypeKind::record: {
      const std::string key = type.kind == TypeKind::map ? "key"
                              : type.fields.empty()      ? ""
                                                         : std::string(type.fields.front().name);
      if (type.kind == TypeKind::record && token.front() == '[') return of_fields(type, token);
      if (key.empty() || !quoted || path.empty()) return {};
      return "; an object is written {\"" + key + "\": …}, and in a table each part has a column, such as " + path +
             '.' + key;
    }
    default: return {};
  }
}

std::string meant_list(const Type& type, std::string_view text) {
  for (const char separator : {',', '|', '/', '+', ' '}) {
    if (text.size() > kLongest || text.find(separator) == text.npos) continue;
    std::string table, json;
    std::string_view rest = text;
    bool all = true;
    while (all) {
      const std::size_t end = std::min(rest.find(separator), rest.size());
      const std::string_view item = trimmed(rest.substr(0, end));
      all = !item.empty() && type.allows(item);
      table += (table.empty() ? "" : ";") + std::string(item);
      json += (json.empty() ? "" : ", ") + ('"' + std::string(item) + '"');
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    if (all) return "; a list is written [" + json + "], and in a table " + table;
  }
  return {};
}

}  // namespace assay
