// The questions of the prompt about a rubric and its records: the answers are those of the verbs.
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

Questioning Session::questioning() const {
  std::vector<std::string> records = records_.texts.empty() ? std::vector<std::string>{record()} : all_records();
  return Questioning::over(*rubric_, options(), {settings_, history_}, std::move(records), records_.current);
}

template <class Options>
bool Session::flags(std::string_view command, std::string_view text, Options& options,
                    std::vector<std::string>& operands, std::string& refusal) {
  TypedFlags typed;
  if (!read_flags(words(text), options, typed)) {
    refusal = typed.helped ? typed.problem
                           : failure(":" + std::string(command) + ": " + typed.problem + " (':" + std::string(command) +
                                     " --help' lists its flags)");
    return false;
  }
  operands = std::move(typed.operands);
  return true;
}

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

// What a question has answered, or that it has written a file.
std::string Session::told(int code, std::string text, const std::string& file) {
  if (interrupted()) return failure("the question was cancelled");
  if (!file.empty() && file != "-" && code != kRefused) text += "wrote " + printable(file) + "\n";
  return with_code(std::move(text), code);
}

std::string Session::test(std::string_view) {
  TestCount count;
  std::string text = shown(failed_examples(*rubric_, count), STDOUT_FILENO);
  text += summary(count);
  if (count.failed > 0) code_ = std::max(code_, kRejected);
  std::string unused;
  const auto add = [&](bool any, const char* what) {
    if (any) unused += (unused.empty() ? "" : ", ") + std::string(what);
  };
  add(!records_.edited.empty(), "changes of records");
  add(!settings_.contexts.empty(), "contexts");
  add(!settings_.weights.empty(), "weights");
  add(!history_.empty(), "the history");
  if (!unused.empty()) text += "(examples hold records and settings of their own: not used here are " + unused + ")\n";
  return text;
}

std::string Session::cover(std::string_view) {
  std::string text;
  coverage_text(draft_.name, example_coverage(*rubric_, interrupt()), text);
  return text;
}

std::string Session::why(std::string_view text) {
  if (text.empty()) return failure(":why takes the name of a value");
  return explained(text, true);
}

std::string Session::explain(std::string_view text) { return explained(text, false); }

std::string Session::explained(std::string_view text, bool one) {
  ExplainOptions asked;
  std::vector<std::string> operands;
  std::string refusal, answer;
  const char* const command = one ? "why" : "explain";
  if (!flags(command, text, asked, operands, refusal)) return refusal;
  if (one) {
    if (!asked.name.empty()) operands.push_back(asked.name);
    asked.name = joined(operands);
    if (asked.name.empty()) return failure(":why takes the name of a value");
  } else if (!operands.empty()) {
    return failure(":explain takes flags alone: ':why " + joined(operands) + "' explains one value");
  }
  asked.answer = &answer;
  if (!explain_options_fit(asked)) return with_code({}, kRefused);
  Questioning q = questioning();
  if (asks_analysis(asked)) {
    const int code = cli::explain(q, asked);
    return told(code, std::move(answer), asked.output);
  }
  if (asked.cohort && rubric_->each_fields().empty())
    return failure("rubric '" + rubric_->name() + "' has no 'each output' in a cohort for --cohort");
  std::string record, place;
  int code = kDone;
  if (!q.pick(question_of(asked), record, place, code)) return told(code, {}, {});
  Evaluator evaluator = fresh(), whole = fresh();
  if (asked.cohort) {
    whole.start_cohort();
    for (const std::string& each : records_.texts.empty() ? std::vector<std::string>{record} : all_records())
      (void)whole.score(each);
  }
  code = cli::explain(*rubric_, evaluator, asked.cohort ? &whole : nullptr, record, asked);
  return told(code, answer.empty() ? answer : with_newline(answer), asked.output);
}

std::string Session::what_if(std::string_view text) {
  WhatIfOptions asked;
  std::vector<std::string> sets;
  std::string refusal, answer;
  if (!flags("whatif", text, asked, sets, refusal)) return refusal;
  asked.sets.insert(asked.sets.begin(), sets.begin(), sets.end());
  if (asked.sets.empty()) return failure(":whatif takes FIELD=VALUE, or several: :whatif correctness=9 safety=4");
  asked.question.answer = &answer;
  Questioning q = questioning();
  const int code = cli::what_if(q, asked);
  return told(code, std::move(answer), asked.question.output);
}

std::string Session::reach(std::string_view text) {
  ReachOptions asked;
  std::vector<std::string> target;
  std::string refusal, answer;
  if (!flags("reach", text, asked, target, refusal)) return refusal;
  if (!target.empty() && !asked.target.empty()) return failure(":reach names two targets");
  if (!target.empty()) asked.target = joined(target);
  asked.question.answer = &answer;
  Questioning q = questioning();
  const int code = cli::reach(q, asked);
  return told(code, std::move(answer), asked.question.output);
}

std::string Session::sensitivity(std::string_view text) {
  SensitivityVerbOptions asked;
  std::vector<std::string> noise;
  std::string refusal, answer;
  if (!flags("sensitivity", text, asked, noise, refusal)) return refusal;
  if (noise.size() + (asked.noise.empty() ? 0 : 1) > 1) return failure(":sensitivity takes one number as the noise");
  if (!noise.empty()) asked.noise = noise.front();
  if (records_.texts.empty()) return failure("there are no records; ':records FILE' reads some");
  asked.question.answer = &answer;
  Questioning q = questioning();
  const int code = cli::sensitivity(q, all_records(), false, asked);
  return told(code, code == kRefused ? answer : answer + edited_note(), asked.question.output);
}

std::string Session::calibrate(std::string_view text) {
  CalibrateOptions asked;
  std::vector<std::string> gold;
  std::string refusal, answer;
  if (!flags("calibrate", text, asked, gold, refusal)) return refusal;
  if (gold.size() > 1) return failure(":calibrate takes one file of gold");
  std::vector<std::string> lines = all_records(), places;
  RecordsById records;
  const auto keep = [&](const std::vector<std::string>& all, const std::string& of) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!keep_by_id(records, all[i], of + "record " + std::to_string(i + 1))) return false;
    }
    return true;
  };
  if (!gold.empty()) {
    if (asked.records.empty() && !keep(lines, "")) return with_code({}, kRefused);
    std::optional<std::vector<std::string>> read = read_records(*rubric_, gold.front(), loading_.limits());
    if (!read) return with_code({}, kRefused);
    lines = std::move(*read);
  }
  for (const std::string& file : asked.records) {
    std::optional<std::vector<std::string>> read = read_records(*rubric_, file, loading_.limits());
    if (!read || !keep(*read, printable(file) + ", ")) return with_code({}, kRefused);
  }
  if (lines.empty()) return failure("there are no records; ':records FILE' reads some");
  const std::string place = gold.empty() ? "record" : printable(gold.front()) + ", record";
  for (std::size_t i = 0; i < lines.size(); ++i) places.push_back(place + " " + std::to_string(i + 1));
  Questioning q = questioning();
  Document document;
  std::string json;
  const int code =
      calibrate_records(q, lines, places, records.empty() ? nullptr : &records, asked, false, document, json);
  if (code == kRefused) return told(code, {}, {});
  asked.question.answer = &answer;
  const int written = write_answer(asked.question, document, json, code);
  return told(written, answer + edited_note(), asked.question.output);
}

std::string Session::report(std::string_view text) {
  ReportOptions asked;
  std::vector<std::string> files;
  std::string refusal;
  if (!flags("report", text, asked, files, refusal)) return refusal;
  if (!asked.question.output.empty()) files.push_back(asked.question.output);
  if (files.size() != 1 || files[0] == "-") return failure(":report takes the name of one file: :report report.html");
  Questioning q = questioning();
  std::vector<std::string> places;
  for (std::size_t i = 0; i < records_.texts.size(); ++i) places.push_back("record " + std::to_string(i + 1));
  const int code = write_report(q, all_records(), places, false, files[0]);
  return told(code, code == kRefused ? std::string() : edited_note(), files[0]);
}

std::string Session::bench(std::string_view) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::string> records = records_.texts.empty() ? std::vector<std::string>{record()} : all_records();
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
