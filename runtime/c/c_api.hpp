// What the units of the C face share: the handles that more than one of them sees, the border that no exception crosses,
// and how C's structs become the options of the C++ API.
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
  std::string description;  // made once, before anybody else sees the rubric
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
  int32_t inputs_end = 0;           // behind the largest handle found
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

// Runs `work`, which returns a status, and turns what it throws into one.
template <class Work>
assay_status guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) { return ASSAY_OUT_OF_MEMORY; } catch (...) {
    return ASSAY_INTERNAL;
  }
}

// Makes an answer of what `write` writes.
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

// Copies what the host knows of a struct whose first member is its size. False: that is no size of it.
template <class Options>
bool read_options(const Options* given, Options& into) {
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size) return false;
  std::memcpy(&into, given, size < sizeof into ? size : sizeof into);
  return true;
}

// False: a name or a value that there is not.
bool set_limits(const assay_limit* limits, std::size_t count, Limits& into);
bool set_settings(const char* const* contexts, std::size_t context_count, const assay_weight* weights,
                  std::size_t weight_count, Settings& into);
bool evaluator_options(const assay_evaluator_options* given, EvaluatorOptions& into);  // null: the defaults

std::string describe(const Rubric& rubric);
std::string evaluated_json(const Evaluator::Evaluated& result);
std::string json_list(const std::vector<std::string>& texts);

}  // namespace assay::c
