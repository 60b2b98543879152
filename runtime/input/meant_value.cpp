// Short values alone are looked at, so that a message costs no more than the value it is about.
#include "runtime/input/meant_value.hpp"

#include "lang/check/words/units.hpp"
#include "lang/number/number.hpp"
#include "lang/number/percent.hpp"
#include "lang/number/written_number.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"
#include "lang/value/interval.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace assay {

namespace {

constexpr std::size_t kLongest = 60;  // bytes

template <std::size_t N>
bool one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

constexpr std::string_view kYes[] = {"true", "yes", "y", "t", "1", "on", "x", "ja", "oui", "si", "wahr", "vrai", "✓"};
constexpr std::string_view kNo[] = {"false", "no", "n", "f", "0", "off", "nein", "non", "nee", "falsch", "faux", "✗"};
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
    const std::string_view item = without_blanks(text.substr(0, end));
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
    const std::optional<WrittenNumber> number = written_number(text.substr(0, at));
    NumberPool pool;
    Number most, part;
    const std::string_view rest = without_blanks(text.substr(at + mark.size()));
    if (!number || number->percent || !parse_decimal(rest, most, pool) || sign(most) <= 0) continue;
    if (compare(most, type.range.high) == 0) return number->text;
    if (sign(type.range.low) != 0 || type.whole || !parse_decimal(number->text, part, pool)) continue;
    return shortest_text(div(mul(part, type.range.high, pool), most, pool));
  }
  return {};
}

// "04. May", "4-May-2024", "2024-05-04": spreadsheets turn numbers into dates.
bool is_date(std::string_view text) {
  const auto count = [text](char c) { return std::count(text.begin(), text.end(), c); };
  const std::string word = in_lower_case(text);
  for (const std::string_view month :
       {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "okt", "dez"}) {
    if (word.find(month) != word.npos && is_digit(text.front())) return true;
  }
  const std::size_t first = text.find('.'), second = text.find('.', first + 1);
  if (count('.') == 2 && second - first == 4 && text.size() - second == 4) return false;  // 5.000.000
  const std::size_t mark = text.find_first_of(".-/");
  if (mark != text.npos && mark + 1 < text.size() && !is_digit(text[mark + 1])) return false;  // 4..5
  return is_digit(text.front()) && is_digit(text.back()) && (count('.') == 2 || count('-') == 2 || count('/') == 2) &&
         text.find_first_not_of("0123456789.-/") == text.npos;
}

// With the digits and the minus sign of ASCII for those of other scripts and of typesetting, which look the same in a
// sheet: full width, Arabic, Persian, Devanagari.
std::string in_ascii(std::string_view text) {
  constexpr std::string_view kZeros[] = {"\uff10", "\u0660", "\u06f0", "\u0966"};
  constexpr std::string_view kMinus = "\u2212";
  std::string result;
  while (!text.empty()) {
    std::size_t size = 0;
    for (const std::string_view zero : kZeros) {  // the digits of a script differ in their last byte
      const std::size_t same = zero.size() - 1;
      if (text.size() < zero.size() || text.substr(0, same) != zero.substr(0, same)) continue;
      const int digit = static_cast<unsigned char>(text[same]) - static_cast<unsigned char>(zero[same]);
      if (digit < 0 || digit > 9) continue;
      result += static_cast<char>('0' + digit);
      size = zero.size();
    }
    if (text.starts_with(kMinus)) {
      result += '-';
      size = kMinus.size();
    }
    if (size == 0) result += text[size++];
    text.remove_prefix(size);
  }
  return result;
}

// -1, 99, 999: how other programs write that a number is not known.
bool stands_for_nothing(std::string_view token) {
  if (token == "-1") return true;
  const bool negative = token.front() == '-';
  if (negative) token.remove_prefix(1);
  return token.size() >= (negative ? 2U : 3U) && token.size() <= 6 && token.find_first_not_of('9') == token.npos;
}

// "1:30:00": in the units that a number may count.
std::string of_duration(std::string_view text) {
  std::vector<std::int64_t> parts(1, 0);
  for (const char c : text) {
    if (c == ':') parts.push_back(0);
    else if (is_digit(c) && parts.back() < 100'000) parts.back() = 10 * parts.back() + (c - '0');
    else return {};
  }
  if (parts.size() < 2 || parts.size() > 3 || text.back() == ':' || text.front() == ':') return {};
  if (parts.size() == 2) {  // 1:30 is minutes and seconds, or hours and minutes
    const std::string most = std::to_string(60 * parts[0] + parts[1]);
    return "; write " + most + " where it is minutes and seconds, or hours and minutes, in the smaller of the two";
  }
  const std::int64_t seconds = 3600 * parts[0] + 60 * parts[1] + parts[2];
  NumberPool pool;
  return "; write " + std::to_string(seconds) + " for seconds, or " +
         shortest_text(div(Number{seconds, 1}, Number{60, 1}, pool)) + " for minutes";
}

// {"value": 5, "unit": "s"}, {"$numberDecimal": "5"}: the only number in it.
std::string of_object(std::string_view token) {
  JsonNode node;
  JsonProblem problem;
  if (token.size() > kLongest || !parse_json(token, node, problem) || node.kind != JsonNode::Kind::object) return {};
  std::string number;
  for (const auto& [key, value] : node.members) {
    const bool plain = value.kind == JsonNode::Kind::number;
    const bool text = value.kind == JsonNode::Kind::text && is_json_number(value.text);
    if (!plain && !text) continue;
    if (!number.empty()) return {};
    number = plain ? std::string(value.raw) : value.text;
  }
  return number.empty() ? "" : "; write " + number + ", without the object around it";
}

// "3, 4.5" where one number of a list is expected: several of them.
std::string of_items(std::string_view written) {
  const std::size_t mark = written.find_first_of(",;| ");
  if (mark == written.npos) return {};
  const bool blanks = written.find_first_of(",;|") == written.npos;
  const char separator = blanks ? ' ' : written[written.find_first_of(",;|")];
  std::string cell, list;
  for (std::string_view rest = written; !rest.empty();) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view item = without_blanks(rest.substr(0, end));
    if (!is_json_number(item)) return {};
    cell += (cell.empty() ? "" : ";") + std::string(item);
    list += (list.empty() ? "" : ", ") + std::string(item);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "; if these are several items, write " + cell + " in a table, [" + list + "] in JSON";
}

// "1500 m" for distance_km: in the unit of the name. Empty: of another quantity. Nothing: the units need no conversion.
std::optional<std::string> in_unit_of(const std::string& path, std::string_view written) {
  const std::size_t digits = written.find_last_of("0123456789");
  if (digits == written.npos) return std::nullopt;
  const Unit* const unit = unit_of(in_lower_case(without_blanks(written.substr(digits + 1))));
  const Unit* const named = unit_of_name(std::string_view(path).substr(path.rfind('.') + 1));
  const std::optional<WrittenNumber> number = written_number(written.substr(0, digits + 1));
  if (unit == nullptr || named == nullptr || !number) return std::nullopt;
  if (unit->of == named->of && unit->size == named->size) return std::nullopt;
  if (!relate(*unit, *named)) return "";
  NumberPool pool;
  Number value;
  if (unit->of != named->of || !parse_decimal(number->text, value, pool)) return "";
  return shortest_text(div(mul(value, Number{unit->size, 1}, pool), Number{named->size, 1}, pool));
}

// "80%" where 10 is the most: a share of it, unless the number itself counts percents. Empty: neither.
std::string of_percent(const Type& type, const std::string& percent, std::string_view path) {
  NumberPool pool;
  Number value;
  if (!parse_decimal(percent, value, pool)) return {};
  const std::string plain = holds(type.range, value) ? percent : "";
  const std::string_view name = path.substr(path.rfind('.') + 1);
  const bool counts = name.find("percent") != name.npos || name.find("pct") != name.npos;
  if (!finite(type.range) || sign(type.range.low) != 0 || compare(type.range.high, Number{100, 1}) == 0 ||
      (counts && !is_share(type)))
    return plain.empty() ? "" : "; write " + plain;
  const Number share = div(mul(value, type.range.high, pool), Number{100, 1}, pool);
  if (!holds(type.range, share) || (type.whole && !is_whole(share))) return plain.empty() ? "" : "; write " + plain;
  const std::string most = shortest_text(type.range.high);
  if (most == "1") return "; write " + shortest_text(share);
  return plain.empty() ? "; " + percent + "% of " + most + " is " + shortest_text(share) + " here"
                       : "; write " + shortest_text(share) + " for " + percent + "% of " + most + ", or " + plain +
                             " where the number counts percents";
}

std::string of_number(const Type& type, std::string_view token, const std::string& path, bool required) {
  const bool item = path.ends_with(']');
  constexpr std::string_view kRequired = "; it is required, so give its value, or leave the record out";
  if (token.front() == '{') return of_object(token);
  if (token.front() != '"') {  // it is a number beyond the range, or a condition
    NumberPool pool;
    Number n;
    const bool marks = finite(type.range) && sign(type.range.low) == 0 && compare(type.range.high, Number{4, 1}) >= 0 &&
                       compare(type.range.high, Number{100, 1}) < 0 && !type.whole;
    if (marks && is_json_number(token) && parse_decimal(token, n, pool) &&
        compare(n, mul(type.range.high, Number{2, 1}, pool)) >= 0 && compare(n, Number{99, 1}) < 0)
      return "; " + std::string(token) + " of 100 is " +
             shortest_text(div(mul(n, type.range.high, pool), Number{100, 1}, pool)) + " here";
    if (is_json_number(token) && stands_for_nothing(token))
      return required ? "; if it stands for a missing value, leave the record out, because it is required"
                      : "; leave it out if it stands for a missing value";
    const std::size_t point = token.find('.');
    if (type.whole && point != token.npos && token.size() - point == 4 && point <= 3 && is_json_number(token)) {
      const std::string whole = std::string(token.substr(0, point)) + std::string(token.substr(point + 1));
      if (parse_decimal(whole, n, pool) && holds(type.range, n) && token.front() != '0' && token.front() != '-')
        return "; write " + whole + " if the point separates thousands";
    }
    if (!is_json_number(token) || !is_share(type) || type.whole) return {};
    const std::string share = hundredth(std::string(token));
    return !share.empty() && (share.front() == '0' || share == "1") && share.find_first_not_of("0.") != share.npos
               ? "; " + std::string(token) + "% is written " + share
               : "";
  }
  const std::string_view written = without_blanks(token.substr(1, token.size() - 2));
  if (says_unknown(written)) return std::string(required ? kRequired : "; leave it out when it is not known");
  if (const std::string number = out_of(type, written); !number.empty()) return "; write " + number;
  if (!written.empty() && is_date(written)) return "; it looks like a date that a spreadsheet made of a number";
  if (written.front() == '=') return "; a formula is not read: save the sheet with its values";
  if (written.find_first_not_of('#') == written.npos) return "; its column was too narrow when the sheet was saved";
  if (std::string time = of_duration(written); !time.empty()) return time;
  const bool comma = written.find(',') != written.npos && written.find_first_of(" ;") == written.npos;  // 3,4 is 3.4
  if (std::string items = item && !comma ? of_items(written) : ""; !items.empty()) return items;
  const std::string plain = in_ascii(written.substr(written.front() == '#' ? 1 : 0));
  const std::optional<std::string> converted = in_unit_of(path, plain);
  const std::optional<WrittenNumber> meant = written_number(plain);
  if (!converted && !meant) return {};
  if (!converted && meant->percent) return of_percent(type, meant->text, path);
  const std::string number = converted ? *converted : meant->text;
  NumberPool pool;
  Number value;
  if (!parse_decimal(number, value, pool) || !holds(type.range, value) || (type.whole && !is_whole(value)))
    return {};  // it would be rejected as well
  if (converted) return "; write " + number + ", in the unit of its name";
  const bool same = number == token.substr(1, token.size() - 2);
  return "; write " + number + (same ? ", without quotes" : "") + (item && comma ? of_items(written) : "");
}

std::string of_bool(std::string_view token) {
  const bool quoted = token.front() == '"';
  const std::string word = in_lower_case(quoted ? without_blanks(token.substr(1, token.size() - 2)) : token);
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
    if (without_blanks(rest.substr(0, end)).empty() || (end == rest.size()) != (i + 1 == type.fields.size())) return {};
    object += i == 0 ? "\"" : ", \"";
    object += std::string(type.fields[i].name) + "\": " + std::string(without_blanks(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return object + "}";
}

}  // namespace

std::string meant_value(const TypeTable& types, TypeId expected, std::string_view token, const std::string& path,
                        bool required) {
  const Type& type = types[expected];
  const bool object = type.kind == TypeKind::map || type.kind == TypeKind::record;
  if (object && token.starts_with('[') && (type.kind == TypeKind::map || of_fields(type, token).empty()))
    return "; an object is written {\"" +
           std::string(type.kind == TypeKind::map || type.fields.empty() ? "key" : type.fields.front().name) + "\": …}";
  if (token.empty() || token.size() > kLongest) return {};
  if (token == "null" && path.ends_with(']')) return "; leave it out";  // of a list
  std::string decoded;
  if (token.find('\\') != token.npos) {  // "\u20ac 5"
    JsonNode node;
    JsonProblem problem;
    if (!parse_json(token, node, problem) || node.kind != JsonNode::Kind::text) return {};
    decoded = '"' + node.text + '"';
    token = decoded;
  }
  const bool quoted = token.size() >= 2 && token.front() == '"' && token.back() == '"';
  switch (type.kind) {
    case TypeKind::number: return of_number(type, token, path, required);
    case TypeKind::boolean: return of_bool(token);
    case TypeKind::text:
      if (token == "null") return {};
      if (token.front() == '{' || token.front() == '[' || quoted || !type.choices.empty()) return {};
      return "; write \"" + std::string(token) + "\", in quotes";
    case TypeKind::list: {
      if (quoted && says_unknown(token.substr(1, token.size() - 2))) return "; an empty list is written []";
      if (token.front() == '{')
        return "; a list is written [" +
               std::string(types.kind(type.element) != TypeKind::record ? "…"
                           : token.ends_with('}')                       ? token
                                                                        : "{…}") +
               "]";
      const std::string list = quoted && types.kind(type.element) != TypeKind::record
                                   ? as_list(types, type.element, token.substr(1, token.size() - 2))
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

std::string meant_choice(std::string_view written, const std::vector<std::string_view>& choices) {
  const std::string_view text = without_blanks(written);
  if (text.empty()) return {};
  if (std::find(choices.begin(), choices.end(), text) != choices.end())
    return "; write \"" + std::string(text) + "\", without the blanks around it";
  std::string_view meant = nearest(text, choices);
  const bool letters = std::all_of(choices.begin(), choices.end(), [](std::string_view c) { return c.size() == 1; });
  if (meant.empty() && letters) {
    const auto begins = [&](std::string_view choice) { return to_lower(choice[0]) == to_lower(text[0]); };
    const auto found = std::find_if(choices.begin(), choices.end(), begins);
    if (std::count_if(choices.begin(), choices.end(), begins) == 1) meant = *found;
  }
  return meant.empty() ? "" : "; did you mean \"" + std::string(meant) + "\"?";
}

std::string meant_list(const Type& type, std::string_view text) {
  for (const char separator : {',', '|', '/', '+', ' '}) {
    if (text.size() > kLongest || text.find(separator) == text.npos) continue;
    std::string table, json;
    std::string_view rest = text;
    bool all = true;
    while (all) {
      const std::size_t end = std::min(rest.find(separator), rest.size());
      const std::string_view item = without_blanks(rest.substr(0, end));
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
