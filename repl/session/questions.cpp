// The prompt's questions of a rubric and its records: the answers are those of the verbs.
#include "repl/session/session.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/test.hpp"

#include <assay/coverage.hpp>

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace assay::cli {

Evaluator Session::fresh() const {
  Evaluator evaluator(*rubric_, options());
  evaluator.configure(settings_);
  if (!history_.empty()) evaluator.set_history(history_);
  return evaluator;
}

Questioning Session::questioning() const { return Questioning::over(*rubric_, options(), {settings_, history_}); }

std::string Session::test(std::string_view) {
  TestCount count;
  std::string text;
  run_examples(*rubric_, STDOUT_FILENO, text, count);
  text += summary(count);
  if (count.failed > 0) code_ = std::max(code_, kRejected);
  std::string unused;
  const auto add = [&](bool any, const char* what) {
    if (any) unused += (unused.empty() ? "" : ", ") + std::string(what);
  };
  add(!edited_.empty(), "changes of records");
  add(!settings_.contexts.empty(), "contexts");
  add(!settings_.weights.empty(), "weights");
  add(!history_.empty(), "the history");
  if (!unused.empty()) text += "(examples hold records and settings of their own: not used here are " + unused + ")\n";
  return text;
}

std::string Session::cover(std::string_view) {
  std::string text;
  coverage_text(name_, example_coverage(*rubric_, interrupt()), text);
  return text;
}

std::string Session::what_if(std::string_view text) {
  if (text.empty()) return failure(":whatif takes FIELD=VALUE, or several: :whatif correctness=9 safety=4");
  std::string problem;
  const std::optional<std::vector<Assignment>> sets = assignments(words(text), {&*rubric_}, problem);
  if (!sets) return failure(problem.starts_with("--set: ") ? problem.substr(7) : problem);
  Questioning q = questioning();
  WhatIf answer;
  if (const std::optional<InputError> error = q.analysis().what_if(record(), *sets, answer)) return failure(*error);
  return what_if_document(answer).text();
}

std::string Session::reach(std::string_view text) {
  ReachQuestion question;
  std::string target, problem;
  const std::vector<std::string> all = words(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool option = all[i] == "--keep" || all[i] == "--cost" || all[i] == "--grid" || all[i] == "--nodes";
    if (!option && all[i].starts_with("--"))
      return failure(":reach knows --keep FIELD, --cost FIELD=COST, --grid STEP and --nodes N, not '" + all[i] + "'");
    if (!option) {
      target += (target.empty() ? "" : " ") + all[i];
      continue;
    }
    if (i + 1 == all.size()) return failure(all[i] + " takes a value");
    const std::string& value = all[++i];
    if (all[i - 1] == "--keep") question.keep.push_back(value);
    if (all[i - 1] == "--grid") question.grid = value;
    if (all[i - 1] == "--nodes") {
      question.nodes = 0;
      for (const char c : value) {
        if (c < '0' || c > '9' || question.nodes > 10'000'000)
          return failure("--nodes takes a whole number, 1 to 10000000");
        question.nodes = question.nodes * 10 + static_cast<std::size_t>(c - '0');
      }
      if (question.nodes < 1 || question.nodes > 10'000'000)
        return failure("--nodes takes a whole number, 1 to 10000000");
    }
    if (all[i - 1] == "--cost") {
      std::optional<Assignment> one = assignment(value, "--cost", problem);
      if (!one) return failure(problem);
      question.costs.push_back(std::move(*one));
    }
  }
  question.target = target;
  const std::vector<std::string> others = target.starts_with("place ") ? all_records() : std::vector<std::string>();
  question.others.assign(others.begin(), others.end());
  Questioning q = questioning();
  Reach answer;
  const std::optional<InputError> error = q.analysis().reach(record(), question, answer);
  if (error && error->code == "question") return failure(error->message.str());
  if (error) return failure(*error);
  if (!answer.already && !answer.fewest.found && !answer.least.found) code_ = std::max(code_, kRejected);
  return reach_document(answer, !question.costs.empty()).text();
}

std::string Session::sensitivity(std::string_view text) {
  if (records_.empty()) return failure("there are no records; ':records FILE' reads some");
  SensitivityOptions asked;
  asked.noise = text.starts_with("--noise ") ? trimmed(text.substr(8)) : text;
  const std::vector<std::string> records = all_records();
  Questioning q = questioning();
  Sensitivity answer;
  const std::vector<std::string_view> views(records.begin(), records.end());
  if (const std::optional<InputError> error = q.analysis().sensitivity(views, asked, answer)) return failure(*error);
  return sensitivity_document(answer, rubric_->name()).text() + edited_note();
}

std::string Session::calibrate(std::string_view text) {
  std::vector<std::string> lines = all_records(), places;
  std::map<std::string, std::string> records;
  if (!text.empty()) {
    for (const std::string& one : lines) records[id_of_record(one)] = one;
    std::optional<std::vector<std::string>> gold = read_records(*rubric_, std::string(text), loading_.limits());
    if (!gold) return with_code({}, kRefused);
    lines = std::move(*gold);
  }
  if (lines.empty()) return failure("there are no records; ':records FILE' reads some");
  const std::string place = text.empty() ? "record" : printable(text) + ", record";
  for (std::size_t i = 0; i < lines.size(); ++i) places.push_back(place + " " + std::to_string(i + 1));
  Questioning q = questioning();
  Document document;
  std::string json;
  const bool joined = !text.empty() && !records_.empty();
  const int code = calibrate_records(q, lines, places, joined ? &records : nullptr, {}, false, document, json);
  return with_code(code == kRefused ? std::string() : document.text() + edited_note(), code);
}

std::string Session::report(std::string_view text) {
  if (text.empty() || text == "-") return failure(":report takes the name of a file: :report report.html");
  std::vector<std::string> places;
  for (std::size_t i = 0; i < records_.size(); ++i) places.push_back("record " + std::to_string(i + 1));
  Questioning q = questioning();
  const int code = write_report(q, all_records(), places, false, std::string(text));
  return with_code(code == kRefused ? std::string() : "wrote " + printable(text) + "\n" + edited_note(), code);
}

std::string Session::bench(std::string_view) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::string> records = records_.empty() ? std::vector<std::string>{record()} : all_records();
  Evaluator scorer = fresh();
  if (const InputError* error = scorer.score(records.front()).error()) return failure(*error);
  const Clock::time_point start = Clock::now();
  std::uint64_t count = 0;
  std::chrono::duration<double> took{};
  const Statistics before = scorer.statistics();
  do {
    for (const std::string& one : records) (void)scorer.score(one);
    count += records.size();
    took = Clock::now() - start;
  } while (took.count() < 0.5 && !interrupted());
  Statistics during = scorer.statistics();
  during -= before;
  char text[256];
  const double each = static_cast<double>(count);
  std::snprintf(text, sizeof text,
                "%.0f records/s: %.2f µs a record on one thread, %.0f%% of them by a kernel, %.1f steps each\n",
                each / took.count(), took.count() * 1e6 / each, 100 * static_cast<double>(during.kernel) / each,
                static_cast<double>(during.steps) / each);
  return text;
}

}  // namespace assay::cli
