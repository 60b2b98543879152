// Scores a rubric in two ways: by the fast path of files (runtime/stream/kernel_stream.hpp) and by the complete path.
// For every accepted record, the first must write exactly the output of the second.
#pragma once

#include "runtime/stream/kernel_stream.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay_tests {

// The text of a file below the root of the project.
std::string project_text(std::string_view path);
// Compiles a rubric that is known to be valid.
assay::Rubric known_rubric(std::string_view name, std::string_view text);

class RegisterPair {
 public:
  RegisterPair(assay::Rubric rubric, std::vector<std::string> fields, const assay::Limits& limits = {},
               bool strict = false);

  // Generates the kernel for records like these. False: there is none, or the line reader does not support it.
  bool teach(const std::vector<std::string>& records);
  // The verdict by the fast path, alone and as a line of a block, or nothing if it does not accept the record. Calls
  // alternate between the kernel interpreter and machine code.
  std::optional<std::string> fast(std::string_view line);
  std::string complete(std::string_view line) { return std::string(evaluator_.score(line).json()); }
  // The same for a row of a table. Without a table, its header is invalid.
  std::shared_ptr<const assay::CsvTable> table(std::vector<std::string> header) const;
  std::optional<std::string> fast_row(const std::shared_ptr<const assay::CsvTable>& table, std::string_view row);
  std::string complete_row(std::string_view header, std::string_view row);
  const assay::RubricModel& model() const;
  const std::string& why_not() const { return why_; }

 private:
  assay::Rubric rubric_;
  assay::Evaluator evaluator_;
  assay::Limits limits_;
  bool strict_;
  std::vector<std::string> names_;
  std::vector<assay::VerdictField> fields_;
  std::unique_ptr<assay::KernelStream> paths_[2];  // by the interpreter, by machine code
  std::string why_;
  std::uint64_t calls_ = 0;
};

// Typical records of a workload, numbered, with some fields absent or null: those of tests/bench and of
// tests/property/kernel_inputs.rubric.
std::string judge_record(std::uint64_t seed);
std::string skill_record(std::uint64_t seed);
std::string patch_record(std::uint64_t seed);
std::string kernel_inputs_record(std::uint64_t seed);

// One of the four rubrics with the fields to compare, and its records.
struct RegisterCase {
  const char* path;
  std::vector<std::string> fields;
  std::string (*record)(std::uint64_t seed);
};
const std::vector<RegisterCase>& register_cases();
RegisterPair taught(const RegisterCase& from, const assay::Limits& limits = {}, bool strict = false);

// The record with its keys in another order, at each depth, if `json` is a well-formed object without escapes.
std::string shuffled(std::string_view json, std::uint64_t seed);
// With a space after each comma and colon; with white space wherever allowed.
std::string spaced(std::string_view json);
std::string spread(std::string_view json, std::uint64_t seed);
// With an unknown key in one of its objects.
std::string with_stranger(std::string text, std::uint64_t seed);
// With a few random changes.
std::string damaged(std::string text, std::uint64_t seed);

}  // namespace assay_tests
