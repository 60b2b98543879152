// The fuzzer of structure. It makes rubrics, records and hooks that grow along one dimension (nesting, width, repetition,
// sharing, length) from templates, doubles the size a few times, and compares the work that each stage does with the
// size of what it was given and with the steps that it counted. Work that grows faster than both is a finding: some
// cost is not counted, or not bounded.
//
// No clock decides. In the test the work is bytes allocated, which structure_meter.cpp counts; tests/property/structure.sh
// has callgrind count instructions; `--by time` is for finding things quickly by hand.
//
// A template is text in which, for a size n,
//   «separator¦piece»     is the piece n times, with the separator between
//   ‹left¦core¦right›     is left n times, the core, right n times
//   $i, $p, $n            are the number of the piece (1, 2 …), the one before it, and n
#pragma once

#include <assay/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay_tests {

// What one run worked on. Empty parts are left out.
struct Subject {
  std::string rubric;  // a whole file
  std::string record;
  std::string file;  // the text of every file that the rubric names; $i in it is the number in the name of the file
};

// One stage of one run.
struct Stage {
  std::string name;
  std::uint64_t given = 0;  // bytes of input
  std::uint64_t steps = 0;  // that it counted
  std::uint64_t work = 0;   // that it did
  std::uint64_t peak = 0;   // bytes, beyond those that it found
};

// The stages of a run are measured by this.
class Stages {
 public:
  enum class By : std::uint8_t { bytes, time, instructions };
  explicit Stages(By by) : by_(by) {}
  // Runs `work`, which returns the steps that it counted.
  void run(std::string name, std::size_t given, const std::function<std::uint64_t()>& work);
  void refused() { refused_ = true; }
  bool was_refused() const { return refused_; }
  const std::vector<Stage>& all() const { return all_; }

 private:
  By by_;
  bool refused_ = false;
  std::vector<Stage> all_;
};

struct Growth {
  std::string name;     // "expression/sum/nesting"
  std::string because;  // why it may grow faster than its input and its steps; empty: it may not
  std::function<Subject(std::size_t n)> subject;
  // Other than compiling the rubric and scoring the record.
  std::function<void(const Subject& subject, Stages& stages)> stages;
  std::size_t least = 8;  // the sizes of the test: least, and its double, three times
};

std::string expanded(std::string_view text, std::size_t n);
// `body` within a rubric with inputs and a score; a body that begins with '!' is a whole rubric's declarations, and one
// with '@' a whole file.
Subject subject_of(const std::string& body, const std::string& record, const std::string& file, std::size_t n);
std::string first_number(std::string_view text);  // the digits of "m12.rubric"
assay::Limits structure_limits();
void compile_and_score(const Subject& subject, Stages& stages);

// An expression around a number, in every surrounding in which it can grow. '@' in `text` is where the number stands.
void add_form(std::vector<Growth>& all, const std::string& name, const std::string& text, const std::string& needs);

// A list, texts, a text, a map and a number of a record that grow, in `expression`; `needs` stands at the top of the file.
void add_list(std::vector<Growth>& all, const std::string& name, const std::string& needs,
              const std::string& expression, const std::string& because);

// Every series, in a fixed order.
void add_grammar(std::vector<Growth>& all);
void add_library(std::vector<Growth>& all);
void add_standard_library(std::vector<Growth>& all);  // a part of add_library
void add_hooks(std::vector<Growth>& all);
void add_records(std::vector<Growth>& all);
std::vector<Growth> all_growths();

// What no series exercises: productions of the grammar, words of declarations, builtins, functions of the sandbox, of the
// standard library; and series whose smallest rubric does not compile. One line each.
std::vector<std::string> uncovered(const std::vector<Growth>& all);
std::vector<std::string> uncovered_productions(const std::vector<std::string>& rubrics);

}  // namespace assay_tests
