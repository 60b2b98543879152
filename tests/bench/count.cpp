// Work for counting instructions: `assay-count WORKLOAD MODE ROWS` scores that many generated records of a workload,
// one by one where they lie in memory (row), as columns side by side (columns), as lines of NDJSON with three fields
// (file) or with the whole verdict (whole). tests/bench/instructions.sh runs it under callgrind with two numbers of
// rows, and again with the records only made (no-row and so on), so that the difference of the differences is what
// scoring a record costs. Counts do not depend on the machine's load,
// which is why they, and no times, are checked in the tests.
#include "tests/bench/records.hpp"
#include "tests/bench/workload.hpp"

#include <assay/batch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace {

using assay::Column;
using assay::ColumnType;
using bench::Judged;
using bench::judged;
using bench::kAmounts;
using bench::kGates;
using bench::kMetrics;
using bench::kScores;
using bench::kTruths;
using bench::lines;
using bench::must;
using bench::Patch;
using bench::patches;
using bench::Skill;
using bench::skills;

double out_score[1 << 16];
std::uint8_t out_grade[1 << 16];

std::size_t rows = 0;
bool side_by_side = false;  // the values of an input are adjacent, not in records
std::deque<std::vector<char>> copies;

Column member(const void* first, ColumnType type, std::size_t stride) {
  Column c;
  c.data = first;
  c.type = type;
  c.stride = static_cast<std::ptrdiff_t>(stride);
  if (!side_by_side) return c;
  const std::size_t size = type == ColumnType::f64 ? sizeof(double) : 1;
  std::vector<char>& copy = copies.emplace_back(rows * size);
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(copy.data() + i * size, static_cast<const char*>(first) + i * stride, size);
  c.data = copy.data();
  c.stride = 0;
  return c;
}

// The judge's records, with numbers in place of texts as a host would convert them.
struct Coded {
  double scores[7];
  std::uint8_t flag_count, bonus_count, flags[6], bonuses[6];
};
std::vector<Coded> coded(const std::vector<Judged>& records) {
  std::vector<Coded> out(records.size());
  const auto code = [](std::string_view text) {
    return static_cast<std::uint8_t>(std::find(bench::kFlags.begin(), bench::kFlags.end(), text) -
                                     bench::kFlags.begin());
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::memcpy(out[i].scores, records[i].scores, sizeof out[i].scores);
    out[i].flag_count = records[i].flag_count;
    out[i].bonus_count = records[i].bonus_count;
    std::transform(records[i].flags, records[i].flags + 6, out[i].flags, code);
    std::transform(records[i].bonuses, records[i].bonuses + 6, out[i].bonuses, code);
  }
  return out;
}

void write(assay::Columns& columns) {
  assay::ResultColumn score, grade;
  score.data = out_score;
  grade.data = out_grade;
  grade.type = ColumnType::u8;
  must(columns.write("score", score));
  must(columns.write("grade", grade));
}

template <class Record>
void bind_judge(assay::Columns& columns, const std::vector<Record>& r, ColumnType items) {
  for (std::size_t k = 0; k < 7; ++k) {
    must(columns.bind(std::string("scores.") + kScores[k], member(&r[0].scores[k], ColumnType::f64, sizeof r[0])));
  }
  const Column flags = member(&r[0].flag_count, ColumnType::u8, sizeof r[0]);
  const Column bonuses = member(&r[0].bonus_count, ColumnType::u8, sizeof r[0]);
  if (side_by_side) {  // only their count
    must(columns.bind("red_flags", flags));
    must(columns.bind("bonus_marks", bonuses));
    return;
  }
  assay::ListColumn list;
  list.count = flags;
  list.items = member(&r[0].flags[0], items, sizeof r[0]);
  if (items == ColumnType::u8) list.items.names.assign(bench::kFlags.begin(), bench::kFlags.end());
  must(columns.bind_list("red_flags", list));
  list.count = bonuses;
  list.items.data = &r[0].bonuses[0];
  must(columns.bind_list("bonuses", list));
}
void bind(assay::Columns& columns, const std::vector<Judged>& r) { bind_judge(columns, r, ColumnType::text); }
void bind(assay::Columns& columns, const std::vector<Coded>& r) { bind_judge(columns, r, ColumnType::u8); }
void bind(assay::Columns& columns, const std::vector<Skill>& r) {
  for (std::size_t k = 0; k < 7; ++k)
    must(columns.bind(kAmounts[k], member(&r[0].amounts[k], ColumnType::f64, sizeof r[0])));
  must(columns.bind("user_edit_ratio", member(&r[0].edit_ratio, ColumnType::f64, sizeof r[0])));
  for (std::size_t k = 0; k < 13; ++k)
    must(columns.bind(kTruths[k], member(&r[0].truths[k], ColumnType::u8, sizeof r[0])));
  Column c = member(&r[0].category, ColumnType::u8, sizeof r[0]);
  c.names = {"code_generation", "analysis", "design", "research", "other"};
  must(columns.bind("skill_category", c));
  c = member(&r[0].feedback, ColumnType::i8, sizeof r[0]);
  c.names = {"none", "partially", "mostly", "accurate"};
  c.missing = -1;
  must(columns.bind("feedback", c));
  c = member(&r[0].follow_ups, ColumnType::i8, sizeof r[0]);
  c.names = {"none", "one", "more"};
  c.missing = -1;
  must(columns.bind("follow_ups", c));
}
void bind(assay::Columns& columns, const std::vector<Patch>& r) {
  for (std::size_t k = 0; k < 12; ++k) {
    must(columns.bind(std::string("metrics.") + kMetrics[k], member(&r[0].metrics[k], ColumnType::f64, sizeof r[0])));
  }
  for (std::size_t k = 0; k < 5; ++k) {
    must(columns.bind(std::string("gates.") + kGates[k], member(&r[0].gates[k], ColumnType::u8, sizeof r[0])));
  }
  must(columns.bind("has_tests", member(&r[0].has_tests, ColumnType::u8, sizeof r[0])));
}

bool only_make = false;

template <class Record>
void score(const char* rubric, const std::vector<Record>& records, bool one) {
  assay::Columns columns(bench::workload(rubric));
  bind(columns, records);
  write(columns);
  if (only_make) return;
  if (!one) return must(columns.score(0, records.size()));
  for (std::size_t i = 0; i < records.size(); ++i) must(columns.score(i, i + 1));
}

void score_lines(const char* rubric, const std::string& text, bool whole) {
  assay::BatchOptions options;
  if (!whole) options.evaluator.fields = {"id", "score", "grade"};
  assay::Batch batch(bench::workload(rubric), options);
  std::size_t at = 0, written = 0;
  assay::BatchInput input;
  input.read = [&](char* buffer, std::size_t size) {
    const std::size_t count = std::min(size, text.size() - at);
    text.copy(buffer, count, at);
    at += count;
    return static_cast<long>(count);
  };
  assay::BatchOutput output;
  output.write = [&](std::string_view block) {
    written += block.size();
    return true;
  };
  if (only_make) return;
  if (batch.run(input, output).rejected > 0 || written == 0) std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: assay-count judge|judge_texts|skill|patch [no-]row|columns|file|whole ROWS\n", stderr);
    return 2;
  }
  const std::string_view workload = argv[1];
  std::string_view mode = argv[2];
  only_make = mode.substr(0, 3) == "no-";
  if (only_make) mode.remove_prefix(3);
  rows = static_cast<std::size_t>(std::strtoull(argv[3], nullptr, 10));
  if (rows == 0 || rows > (1 << 16)) return 2;
  const bool whole = mode == "whole", file = whole || mode == "file", one = mode == "row";
  if (!file && !one && mode != "columns") return 2;
  side_by_side = !file && !one;
  if (workload == "judge") {
    if (file) score_lines("judge", lines(judged(rows)), whole);
    else score(one ? "judge" : "judge_counts", coded(judged(rows)), one);
  } else if (workload == "judge_texts" && one) {
    score("judge", judged(rows), one);
  } else if (workload == "skill") {
    if (file) score_lines("skill", lines(skills(rows)), whole);
    else score("skill_counts", skills(rows), one);
  } else if (workload == "patch") {
    if (file) score_lines("patch", lines(patches(rows)), whole);
    else score("patch", patches(rows), one);
  } else {
    return 2;
  }
  return 0;
}
