// See structure.hpp: templates, and how a stage is measured.
#include "tests/property/structure.hpp"

#include "tests/property/structure_meter.hpp"

#include <assay/assay.hpp>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define ASSAY_CALLGRIND 1
#else
#define ASSAY_CALLGRIND 0
#endif

namespace assay_tests {

namespace {

constexpr std::string_view kOpen = "«", kClose = "»", kBegin = "‹", kEnd = "›", kMiddle = "¦";

void append_piece(std::string& out, std::string_view piece, std::size_t i, std::size_t n) {
  for (std::size_t at = 0; at < piece.size(); ++at) {
    if (piece[at] == '$' && at + 1 < piece.size() && std::strchr("ipn", piece[at + 1]) != nullptr) {
      const char which = piece[++at];
      out += std::to_string(which == 'i' ? i : which == 'p' ? i - 1 : n);
    } else {
      out += piece[at];
    }
  }
}

constexpr const char* kHead = R"(rubric grown "Grown" {
  scale 0..100
  input x: number default 3
  input t: text default "t"
  input b: bool default true
  input xs: list of number default []
  input ts: list of text default []
  input m: map of number default {}
  dimension d: number 0..100 weight 100% = clamp(x, 0..100)
)";

void replace(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::uint64_t processor_time() {  // in nanoseconds
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

std::string expanded(std::string_view text, std::size_t n) {
  std::string out;
  while (!text.empty()) {
    const std::size_t repeated = text.find(kOpen), nested = text.find(kBegin);
    const std::size_t at = std::min(repeated, nested);
    append_piece(out, text.substr(0, at), n, n);
    if (at == std::string_view::npos) break;
    const bool repeats = repeated < nested;
    text.remove_prefix(at + (repeats ? kOpen : kBegin).size());
    const std::size_t end = text.find(repeats ? kClose : kEnd), middle = text.find(kMiddle);
    if (middle >= end || end == std::string_view::npos) std::abort();  // a template that is not well-formed
    const std::string_view left = text.substr(0, middle);
    std::string_view right = text.substr(middle + kMiddle.size(), end - middle - kMiddle.size());
    text.remove_prefix(end + (repeats ? kClose : kEnd).size());
    if (repeats) {
      for (std::size_t i = 1; i <= n; ++i) {
        if (i > 1) append_piece(out, left, i, n);
        append_piece(out, right, i, n);
      }
      continue;
    }
    const std::size_t second = right.find(kMiddle);
    if (second == std::string_view::npos) std::abort();
    for (std::size_t i = 1; i <= n; ++i) append_piece(out, left, i, n);
    append_piece(out, right.substr(0, second), n, n);
    for (std::size_t i = n; i >= 1; --i) append_piece(out, right.substr(second + kMiddle.size()), i, n);
  }
  return out;
}

Subject subject_of(const std::string& body, const std::string& record, const std::string& file, std::size_t n) {
  std::string text = body;
  if (text.starts_with('@')) {
    text.erase(0, 1);
    replace(text, "$rubric\n", kHead);
  } else if (text.starts_with('!')) {
    text = "rubric grown {\n" + text.substr(1) + "\n}\n";
  } else {
    text = kHead + text + "\n}\n";
  }
  // The number in the name of a file is not known before it is imported.
  std::string kept = file;
  if (kept.find("$i") == std::string::npos || kept.find("¦") != std::string::npos) kept = expanded(kept, n);
  return {expanded(text, n), record.empty() ? "" : "{" + expanded(record, n) + "}", kept};
}

std::string first_number(std::string_view text) {
  const std::size_t from = text.find_first_of("0123456789");
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_first_not_of("0123456789", from) - from));
}

assay::Limits structure_limits() {
  assay::Limits limits;
  limits.steps = 2'000'000;
  limits.memory_bytes = std::size_t{32} << 20;
  limits.output_bytes = std::size_t{8} << 20;
  limits.hook_steps = 20'000'000;
  limits.hook_memory_bytes = std::size_t{32} << 20;
  return limits;
}

void Stages::run(std::string name, std::size_t given, const std::function<std::uint64_t()>& work) {
  Stage stage;
  stage.name = std::move(name);
  stage.given = given;
  forget_peak();
  const Allocations before = allocations();
  const std::uint64_t began = by_ == By::time ? processor_time() : 0;
#if ASSAY_CALLGRIND
  if (by_ == By::instructions) CALLGRIND_ZERO_STATS;
#endif
  stage.steps = work();
#if ASSAY_CALLGRIND
  if (by_ == By::instructions) CALLGRIND_DUMP_STATS_AT(stage.name.c_str());
#endif
  const Allocations after = allocations();
  stage.work = by_ == By::time ? processor_time() - began : after.bytes - before.bytes;
  stage.peak = after.peak - before.live;
  all_.push_back(std::move(stage));
}

void compile_and_score(const Subject& subject, Stages& stages) {
  assay::CompileOptions options;
  options.limits = structure_limits();
  std::size_t imported = 0;
  options.importer = [&](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    if (subject.file.empty() || path.starts_with("std/")) return std::nullopt;
    name = path;
    std::string text = subject.file;
    const std::string number = first_number(path);
    const std::uint64_t i = std::strtoull(number.c_str(), nullptr, 10);
    replace(text, "$import", i > 1 ? "import \"m" + std::to_string(i - 1) + ".rubric\"" : "");
    replace(text, "$i", number);
    imported += text.size();
    return text;
  };
  assay::Compiled compiled;
  // What is imported is part of what is given: a first run says how much that is.
  if (!subject.file.empty()) compiled = assay::compile("grown.rubric", subject.rubric, options);
  const std::size_t given = subject.rubric.size() + imported;
  stages.run("compile", given, [&] {
    compiled = assay::compile("grown.rubric", subject.rubric, options);
    return std::uint64_t{0};
  });
  if (!compiled.diagnostics.empty()) {
    stages.run("render", given, [&] { return std::uint64_t{0 * assay::render(compiled.diagnostics).size()}; });
  }
  if (!compiled.rubric) {
    stages.refused();
    return;
  }
  const assay::Rubric& rubric = *compiled.rubric;
  const std::pair<const char*, assay::View> views[] = {{"ast", assay::View::ast},
                                                       {"model", assay::View::model},
                                                       {"bytecode", assay::View::bytecode},
                                                       {"kernel", assay::View::kernel}};
  for (const auto& shown : views) {
    stages.run(shown.first, given, [&] { return std::uint64_t{0 * rubric.show(shown.second).size()}; });
  }
  stages.run("about", given, [&] {
    return std::uint64_t{0 * (rubric.scoring_hash().size() + rubric.names().size() + rubric.inputs().size() +
                              rubric.fields().size() + rubric.dimensions().size())};
  });
  std::optional<assay::Evaluator> evaluator;
  stages.run("prepare", given, [&] {
    evaluator.emplace(rubric, assay::EvaluatorOptions{{}, options.limits});
    return std::uint64_t{0};
  });
  const std::string record = subject.record.empty() ? "{}" : subject.record;
  const auto steps = [&evaluator](const std::function<void()>& work) {
    const std::uint64_t before = evaluator->statistics().steps;
    work();
    return evaluator->statistics().steps - before;
  };
  std::size_t written = 0;
  stages.run("score", given + record.size(),
             [&] { return steps([&] { written = evaluator->score(record).json().size(); }); });
  stages.run("again", given + record.size(), [&] { return steps([&] { (void)evaluator->score(record).json(); }); });
  stages.run("explain", given + record.size() + written,
             [&] { return steps([&] { (void)evaluator->explain(record); }); });
  if (subject.rubric.find("example") != std::string::npos)
    stages.run("test", given + record.size(), [&] { return std::uint64_t{0 * rubric.test().size()}; });
  if (rubric.has_cohort()) {
    stages.run("cohort", given + record.size(), [&] {
      return steps([&] {
        evaluator->start_cohort();
        for (int i = 0; i < 3; ++i) (void)evaluator->score(record);
        (void)evaluator->cohort();
      });
    });
  }
}

}  // namespace assay_tests
