// Shared parts of the C interface: handles used in several units, the boundary that no exception crosses, and the
// conversion of C structs to options of the C++ API.
#pragma once

#include <assay/assay.h>
#include <assay/assay.hpp>

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct assay_interrupt {
  assay::Interrupt value;
};

struct assay_rubric {
  assay::Rubric rubric;
  std::string description;  // made once, before the rubric is returned
};

struct assay_answer {
  std::string text;
};

struct assay_verdict {
  const assay::Verdict* verdict;
};

struct assay_evaluator {
  assay::Evaluator evaluator;
  assay_verdict verdict{};
  assay::Inputs* inputs = nullptr;  // made when an input is first named
  int32_t inputs_end = 0;           // one past the largest handle found
  assay::InputError error;
  std::string text;
  assay::Ranking ranking;

  assay_evaluator(const assay::Rubric& rubric, assay::EvaluatorOptions options)
      : evaluator(rubric, std::move(options)) {}
  assay_status rejected(assay::InputError problem) {
    error = std::move(problem);
    return ASSAY_REJECTED;
  }
  assay::Inputs& bound() {
    if (inputs == nullptr) inputs = &evaluator.inputs();
    return *inputs;
  }
};

namespace assay::c {

inline constexpr assay_text kNoText{"", 0};
assay_text view(std::string_view text);
assay_error view(const InputError& error);
std::string_view text_of(const char* data, std::size_t size);

// Runs `work`, which returns a status, and converts exceptions to a status.
template <class Work>
assay_status guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) { return ASSAY_OUT_OF_MEMORY; } catch (...) {
    return ASSAY_INTERNAL;
  }
}

// Makes an answer from the text that `write` writes.
template <class Write>
assay_status answered(assay_answer** answer, const Write& write) noexcept {
  if (answer == nullptr) return ASSAY_INVALID_ARGUMENT;
  *answer = nullptr;
  return guarded([&] {
    auto made = std::make_unique<assay_answer>();
    made->text = write();
    *answer = made.release();
    return ASSAY_OK;
  });
}

// Copies the members that the host knows of a struct whose first member is its size. False: the size is impossible.
template <class Options>
bool read_options(const Options* given, Options& into) {
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size) return false;
  std::memcpy(&into, given, size < sizeof into ? size : sizeof into);
  return true;
}

// False: an unknown name or an invalid value.
bool set_limits(const assay_limit* limits, std::size_t count, Limits& into);
bool set_settings(const char* const* contexts, std::size_t context_count, const assay_weight* weights,
                  std::size_t weight_count, Settings& into);
bool evaluator_options(const assay_evaluator_options* given, EvaluatorOptions& into);  // null: the defaults

std::string describe(const Rubric& rubric);
std::string evaluated_json(const Evaluator::Evaluated& result);
std::string json_list(const std::vector<std::string>& texts);

}  // namespace assay::c
