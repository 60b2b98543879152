// See odd_values.hpp.
#include "repl/files/odd_values.hpp"

#include "repl/files/first_records.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
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

}  // namespace

void note_odd_values(const Beginning& beginning, const Rubric& rubric) {
  if (beginning.text.empty()) return;
  const Marks marks = marks_of(rubric);
  std::vector<std::string> fields = marks.names;
  fields.emplace_back("id");
  std::map<std::string, std::uint64_t> lines;  // the first with an id
  std::size_t records = 0, values = 0;
  double most = 0;
  bool whole = true, repeated = rubric.serial() || rubric.has_cohort();  // which tells it of all records
  FirstRecords first_records(beginning, rubric);
  Record record;
  for (RecordReader::Status status; (status = first_records.next(record)) != RecordReader::Status::end;) {
    if (status == RecordReader::Status::error) continue;
    const std::vector<std::string> shown = cells(record.json, fields);
    const auto [first, fresh] = lines.emplace(shown.back(), record.line);
    if (!fresh && !repeated && !shown.back().empty()) {
      repeated = true;
      note(printable(beginning.label + ':' + std::to_string(record.line) + ": the record in line " +
                     std::to_string(first->second) + " has the id \"" + shorten(shown.back(), 60) + "\" as well"));
    }
    ++records;
    for (std::size_t i = 0; i + 1 < shown.size(); ++i) {
      const std::optional<double> mark = number_in(shown[i]);
      if (!mark) continue;
      ++values;
      most = std::max(most, *mark);
      whole = whole && *mark == static_cast<double>(static_cast<long>(*mark));
    }
  }
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
