// See odd_values.hpp.
#include "repl/files/odd_values.hpp"

#include "repl/files/first_records.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

namespace {

constexpr std::size_t kFewest = 3;  // records that say something about a scale, and values

std::optional<double> number_in(std::string_view text) {
  double n = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

void names_of(const std::vector<DimensionInfo>& dimensions, std::vector<std::string>& names) {
  for (const DimensionInfo& d : dimensions) {
    names.push_back(d.name);
    names_of(d.parts, names);
  }
}

// Marks from 0 on, and the highest that there may be.
struct Marks {
  std::vector<std::string> names;
  double highest = 0;
};

// The dimensions that a record holds, where all have the same range.
Marks marks_of(const Rubric& rubric) {
  constexpr double kLowest = 10;  // of the highest marks that are examined
  std::vector<std::string> dimensions;
  names_of(rubric.dimensions(), dimensions);
  Marks marks;
  for (const InputInfo& input : rubric.inputs()) {
    if (std::find(dimensions.begin(), dimensions.end(), input.name) == dimensions.end()) continue;
    const std::string_view from_zero = "number 0..";
    const std::optional<double> highest = input.type.starts_with(from_zero)
                                              ? number_in(std::string_view(input.type).substr(from_zero.size()))
                                              : std::nullopt;
    if (!highest || *highest < kLowest || (marks.highest != 0 && marks.highest != *highest)) return {};
    marks.highest = *highest;
    marks.names.push_back(input.name);
  }
  return marks;
}

std::string first_of(const std::vector<std::string>& names) {
  return "'" + shorten(names.front(), 60) + "'" + (names.size() > 1 ? " and the others" : "");
}

// The values of an input in the first records of a file.
struct Column {
  struct Value {
    std::uint64_t line;
    std::string text;
    std::optional<double> number;
  };
  const InputInfo* input;
  std::vector<Value> values;
};
constexpr std::size_t kFewestOthers = 4;  // values that tell that another one is odd

bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    if (std::find(words.begin(), words.end(), name.substr(at, end - at)) != words.end()) return true;
    at = end + 1;
  }
  return false;
}

std::string shown(double n) {
  char text[32];
  const auto [end, failed] = std::to_chars(text, text + sizeof text, n, std::chars_format::general, 6);
  return failed == std::errc() ? std::string(text, end) : std::string();
}

// 2025-03-31 is "0-0-0": its form.
std::string form_of(std::string_view text) {
  std::string form;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || form.empty() || form.back() != '0') form += digit ? '0' : c;
  }
  return form;
}

// 41.5 seconds where all others are 2300 to 2900, so that another unit explains it. Empty: nothing does.
std::string meant_by(const Column& column, const Column::Value& odd, double low, double high, bool others_have_point) {
  const std::string& name = column.input->name;
  const double n = *odd.number;
  const auto fits = [&](double meant) { return meant >= low && meant <= high; };
  const std::size_t point = odd.text.find('.');
  const bool thousands = point != odd.text.npos && point > 0 && point <= 3 && odd.text.size() - point == 4;
  if (thousands && !others_have_point && fits(n * 1000)) return shown(n * 1000) + ", with a point for the thousands";
  if (has_word(name, {"celsius", "temperature", "temp"}) && fits((n - 32) / 1.8)) return "in Fahrenheit";
  const bool of_time = has_word(name, {"seconds", "second", "s", "minutes", "minute", "min", "hours", "hour", "h"});
  const bool of_size = has_word(
      name, {"ms", "s", "seconds", "g", "kg", "grams", "m", "km", "mm", "metres", "meters", "ml", "l", "litres"});
  for (const double factor : {60.0, 1000.0}) {
    if (!(factor == 60 ? of_time : of_size)) continue;
    for (const double meant : {n * factor, n / factor}) {
      if (fits(meant)) return "in another unit, and " + shown(meant) + " in that of the others";
    }
  }
  return {};
}

void note_out_of_line(const Column& column, const std::string& label) {
  std::vector<const Column::Value*> values;
  for (const Column::Value& v : column.values) {
    if (v.number) values.push_back(&v);
  }
  if (values.size() <= kFewestOthers) return;
  std::sort(values.begin(), values.end(), [](const auto* a, const auto* b) { return *a->number < *b->number; });
  // -999 among numbers from 0 on stands for what was not measured.
  const auto stands_for_missing = [](const Column::Value* v) {
    return *v->number == -99 || *v->number == -999 || *v->number == -9999;
  };
  const auto real = std::find_if_not(values.begin(), values.end(), stands_for_missing);
  if (real != values.begin() && values.end() - real >= static_cast<std::ptrdiff_t>(kFewestOthers) &&
      *(*real)->number >= 0) {
    const Column::Value& first = *values.front();
    note(printable(label + ':' + std::to_string(first.line) + ": " + column.input->name + " is " + first.text +
                   ", and the other records have no number below 0: does it stand for a missing value? Leave it out, "
                   "and declare the input 'optional'"));
    values.erase(values.begin(), real);
  }
  for (const bool lowest : {true, false}) {
    const Column::Value& odd = *(lowest ? values.front() : values.back());
    const double low = *values[lowest ? 1 : 0]->number, high = *values[values.size() - (lowest ? 1 : 2)]->number;
    const bool close = low > 0 && high <= 3 * low && *odd.number > 0;
    if (!close || (lowest ? *odd.number * 5 > low : *odd.number < 5 * high)) continue;
    const bool point = std::any_of(values.begin(), values.end(),
                                   [&odd](const auto* v) { return v != &odd && v->text.find('.') != v->text.npos; });
    const std::string meant = meant_by(column, odd, low, high, point);
    if (meant.empty()) continue;
    note(printable(label + ':' + std::to_string(odd.line) + ": " + column.input->name + " is " + odd.text + ", and " +
                   shown(low) + " to " + shown(high) + " in the other records: is it " + meant + "?"));
  }
}

// "03/28/2025" among dates such as "2025-03-31", which the alphabet puts in order.
void note_other_dates(const Column& column, const std::string& label) {
  const auto is_iso = [](const Column::Value& v) {
    return v.text.size() == 10 && form_of(v.text) == "0-0-0" && v.text[4] == '-';
  };
  const Column::Value* other = nullptr;
  std::size_t dates = 0;
  for (const Column::Value& v : column.values) {
    const std::string form = form_of(v.text);
    if (is_iso(v)) ++dates;
    else if (form == "0/0/0" || form == "0.0.0" || form == "0-0-0") other = other == nullptr ? &v : other;
    else if (!v.text.empty()) return;
  }
  if (other == nullptr || dates < kFewestOthers) return;
  note(printable(label + ':' + std::to_string(other->line) + ": " + column.input->name + " is \"" +
                 shorten(other->text, 40) +
                 "\", and the other dates begin with the year: as texts, they are compared " + "digit by digit"));
}

// a, "Nord": a quote behind a blank opens no cell, so both are part of the text.
void note_quotes(const Column& column, const std::string& label) {
  for (const Column::Value& v : column.values) {
    const std::size_t first = v.text.find_first_not_of(' ');
    if (first == 0 || first == v.text.npos || v.text[first] != '"' || v.text.back() != '"' ||
        first + 1 >= v.text.size())
      continue;
    return note(printable(label + ':' + std::to_string(v.line) + ": " + column.input->name + " is " +
                          shorten(v.text, 40) + " with its quotes, because a blank stands before them: leave it out"));
  }
}

// 1.234 and 2.500 in a file whose cells are separated with ';', as they are where the comma is the decimal sign.
void note_thousands(const Column& column, const std::string& label) {
  const Column::Value* first = nullptr;
  std::size_t grouped = 0;
  bool round = false;
  for (const Column::Value& v : column.values) {
    const std::size_t point = v.text.find('.');
    if (point == v.text.npos) continue;
    const std::string_view digits = std::string_view(v.text).substr(v.text.starts_with('-') ? 1 : 0);
    const std::size_t before = digits.find('.');
    if (before == 0 || before > 3 || digits.size() - before != 4 || digits[0] == '0') return;
    if (first == nullptr) first = &v;
    ++grouped;
    round = round || v.text.ends_with("00");
  }
  if (grouped < 2 || !round) return;
  note(printable(label + ':' + std::to_string(first->line) + ": " + column.input->name + " is " + first->text +
                 ", and every number with a point has three digits behind it, in a file with ';' between its cells: "
                 "is the point for the thousands? Leave it out"));
}

// Which sign of a number is that of its decimals, as far as the digits around it tell: a sign in front of three digits
// may also separate thousands.
struct Signs {
  bool decimal_comma = false, decimal_point = false;  // no other reading
  bool maybe_comma = false, maybe_point = false;      // one sign in front of three digits
};

Signs signs_of(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  Signs signs;
  const std::size_t at = text.find_first_of(".,"), last = text.find_last_of(".,");
  const bool plain = at != text.npos && at > 0 && text.find_first_not_of("0123456789.,") == text.npos;
  if (!plain || last + 1 == text.size()) return signs;
  if (at == last) {
    const bool three = text.size() - at == 4 && at <= 3 && text[0] != '0';
    (text[at] == ',' ? three ? signs.maybe_comma : signs.decimal_comma
     : three         ? signs.maybe_point
                     : signs.decimal_point) = true;
  } else if (text[at] != text[last] && text.find(text[last]) == last) {  // 1.234,50
    (text[last] == ',' ? signs.decimal_comma : signs.decimal_point) = true;
  }
  return signs;
}

// 1,234 and 1.234 where other numbers have a decimal comma, which tells what these mean.
void note_signs(const Column& column, const std::string& label) {
  const Column::Value *decimal = nullptr, *comma = nullptr, *point = nullptr;
  for (const Column::Value& v : column.values) {
    const Signs signs = signs_of(v.text);
    if (signs.decimal_point) return;
    if (signs.decimal_comma && decimal == nullptr) decimal = &v;
    if (signs.maybe_comma && comma == nullptr) comma = &v;
    if (signs.maybe_point && point == nullptr) point = &v;
  }
  if (decimal == nullptr) return;
  for (const Column::Value* const odd : {comma, point}) {
    if (odd == nullptr) continue;
    std::string meant = odd->text;
    if (odd == comma) meant[meant.find(',')] = '.';
    else meant.erase(meant.find('.'), 1);
    note(printable(label + ':' + std::to_string(odd->line) + ": " + column.input->name + " is " + odd->text +
                   ", and the comma is the decimal sign of " + decimal->text + " in line " +
                   std::to_string(decimal->line) + ": if it is here, too, write " + meant));
  }
}

// A file that was cut off within its last cell: no end of the line, and a number with fewer digits than all others.
void note_cut_off(const std::vector<Column>& columns, const std::string& last_name, std::uint64_t records,
                  const Beginning& beginning) {
  constexpr double kFewerDigits = 5;
  const std::string& text = beginning.text;
  if (!beginning.whole || text.back() == '\n' || text.back() == '\r' || text.back() == '"') return;
  for (const Column& column : columns) {
    if (column.input->name != last_name || column.values.size() != records || records < 2) continue;
    const Column::Value& last = column.values.back();
    const auto longer = [&](const Column::Value& v) {
      return v.number && v.text.size() > last.text.size() && *v.number >= kFewerDigits * *last.number;
    };
    if (!last.number || *last.number <= 0 || !text.ends_with(last.text) ||
        !std::all_of(column.values.begin(), column.values.end() - 1, longer))
      continue;
    note(printable(beginning.label + ':' + std::to_string(last.line) +
                   ": the file ends without the end of its last line, and " + last_name + " is " + last.text +
                   " there, which is shorter than all others: is the file cut off?"));
  }
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// x,y and x|y in one cell are one item: where no cell has a ';', or where x and y are items of other cells.
void note_separators(const Column& column, const std::string& label) {
  const Column::Value* first = nullptr;
  std::set<std::string_view> items;
  bool separated = false;
  for (const Column::Value& v : column.values) {
    const bool other = v.text.find_first_of(",|") != v.text.npos;
    const bool several = v.text.find(';') != v.text.npos;
    separated = separated || several;
    if (several || !other)
      for (const std::string_view item : parts_of(v.text, ";")) items.insert(item);
  }
  for (const Column::Value& v : column.values) {
    const std::vector<std::string_view> parts = parts_of(v.text, ",|");
    const bool known =
        std::all_of(parts.begin(), parts.end(), [&](std::string_view part) { return items.count(part) > 0; });
    if (first == nullptr && v.text.find(';') == v.text.npos && v.text.find_first_of(",|") != v.text.npos &&
        (!separated || (known && parts.size() > 1)))
      first = &v;
  }
  if (first != nullptr)
    note(printable(label + ':' + std::to_string(first->line) + ": " + column.input->name + " has one item, \"" +
                   shorten(first->text, 40) + "\": in a cell, items are separated with ';'"));
}

// A last line with the sums of the others, as spreadsheets have it.
void note_totals(const std::vector<Column>& columns, const std::string& label) {
  std::size_t sums = 0, others = 0;
  std::uint64_t line = 0;
  for (const Column& column : columns) {
    if (column.values.size() <= kFewestOthers || !column.values.back().number) continue;
    double sum = 0;
    bool counts = true;
    for (std::size_t i = 0; i + 1 < column.values.size(); ++i) {
      counts = counts && column.values[i].number && *column.values[i].number >= 0;
      sum += column.values[i].number.value_or(0);
    }
    const double last = *column.values.back().number;
    if (!counts || last <= 0) continue;
    const bool same = std::abs(sum - last) <= last * 1e-9;
    (same ? sums : others) += 1;
    line = column.values.back().line;
  }
  if (sums > 1 && sums >= others)
    note(printable(
        label + ':' + std::to_string(line) +
        ": the numbers of the last record are the sums of all others: leave it out if it is a line of totals"));
}

// Whether the id is that of an earlier record, which has been told. `label`: of the file, with a colon.
bool note_repeated(const std::string& id, const std::string& label, std::uint64_t line, PlacesOfIds& ids) {
  const std::string place = label + std::to_string(line);
  const auto [first, fresh] = ids.emplace(id, place);
  if (fresh || first->second == place) return false;  // a file may be read twice on purpose
  const bool same_file = first->second.starts_with(label);
  note(printable(place + ": the record " +
                 (same_file ? "in line " + first->second.substr(label.size()) : first->second) + " has the id \"" +
                 shorten(id, 60) + "\" as well"));
  return true;
}

}  // namespace

void note_odd_values(const Beginning& beginning, const Rubric& rubric, PlacesOfIds* ids) {
  if (beginning.text.empty()) return;
  const Marks marks = marks_of(rubric);
  std::vector<std::string> fields = marks.names;
  fields.emplace_back("id");
  const std::vector<InputInfo> inputs = rubric.inputs();
  std::vector<Column> columns;
  for (const InputInfo& input : inputs) {
    const bool scalar = input.type.starts_with("number") || input.type.starts_with("whole") || input.type == "text";
    if (!scalar || input.type.find(" or ") != input.type.npos) continue;
    columns.push_back({&input, {}});
    fields.push_back(input.name);
  }
  const bool table = beginning.format == Format::csv || beginning.format == Format::tsv;
  std::vector<Column> lists;
  for (const InputInfo& input : inputs) {
    if (table && (input.type == "list of text" || input.type == "set of text")) {
      lists.push_back({&input, {}});
      fields.push_back(input.name);
    }
  }
  std::size_t records = 0, values = 0;
  double most = 0;
  bool whole = true,
       repeated = ids == nullptr || rubric.serial() || rubric.has_cohort();  // which tells it of all records
  FirstRecords first_records(beginning, rubric);
  Record record;
  for (RecordReader::Status status; (status = first_records.next(record)) != RecordReader::Status::end;) {
    if (status == RecordReader::Status::error) continue;
    const std::vector<std::string> row = cells(record.json, fields);
    const std::string& id = row[marks.names.size()];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& text = row[marks.names.size() + 1 + i];
      const bool number = columns[i].input->type != "text";
      columns[i].values.push_back({record.line, text, number ? number_in(text) : std::nullopt});
    }
    for (std::size_t i = 0; i < lists.size(); ++i)
      lists[i].values.push_back({record.line, row[marks.names.size() + 1 + columns.size() + i], std::nullopt});
    if (!repeated && !id.empty()) repeated = note_repeated(id, beginning.label + ':', record.line, *ids);
    ++records;
    for (std::size_t i = 0; i < marks.names.size(); ++i) {
      const std::optional<double> mark = number_in(row[i]);
      if (!mark) continue;
      ++values;
      most = std::max(most, *mark);
      whole = whole && *mark == static_cast<double>(static_cast<long>(*mark));
    }
  }
  const std::string_view header = std::string_view(beginning.text).substr(0, beginning.text.find('\n'));
  const bool semicolons = table && header.find(';') != header.npos && header.find(',') == header.npos;
  for (const Column& column : columns) {
    if (column.input->type == "text") {
      note_other_dates(column, beginning.label);
      if (table) note_quotes(column, beginning.label);
    } else {
      note_out_of_line(column, beginning.label);
      if (table) note_signs(column, beginning.label);
      if (semicolons) note_thousands(column, beginning.label);
    }
  }
  for (const Column& column : lists) note_separators(column, beginning.label);
  if (beginning.whole) note_totals(columns, beginning.label);
  if (table && !first_records.columns().empty())
    note_cut_off(columns, first_records.columns().back(), records, beginning);
  // All of 1..5 or 1..10 where there are marks up to 100, or shares of 1.
  const bool low = most > 0 && most * 10 <= marks.highest && (whole ? most >= 2 : most <= 1);
  if (!low || records < kFewest || values < 2 * kFewest) return;
  const std::string highest = std::to_string(static_cast<long>(marks.highest));
  note(printable(beginning.label + ": " + first_of(marks.names) + " are at most " +
                 (whole ? std::to_string(static_cast<long>(most)) : "1") +
                 " in all records, and marks of the rubric go up to " + highest +
                 ": are they on another scale? Convert them, or declare what they are"));
}

}  // namespace assay::cli
