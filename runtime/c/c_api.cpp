// The C interface (<assay/assay.h>): opaque handles around the C++ API and nothing more. Every function that can fail
// uses `guarded`, so that no exception crosses the boundary; C strings become views, and results become views into data
// that the handle keeps.
#include <assay/assay.h>

#include "runtime/c/c_api.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

namespace assay::c {

assay_text view(std::string_view text) { return {text.data() == nullptr ? "" : text.data(), text.size()}; }

assay_error view(const InputError& error) { return {view(error.path), view(error.code), view(error.message)}; }

std::string_view text_of(const char* data, std::size_t size) {
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

bool set_limits(const assay_limit* limits, std::size_t count, Limits& into) {
  if (limits == nullptr && count > 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const LimitInfo* info = limits[i].name == nullptr ? nullptr : find_limit(limits[i].name);
    if (info == nullptr || limits[i].value > info->most) return false;
    info->set(into, limits[i].value);
  }
  return true;
}

bool set_settings(const char* const* contexts, std::size_t context_count, const assay_weight* weights,
                  std::size_t weight_count, Settings& into) {
  if ((contexts == nullptr && context_count > 0) || (weights == nullptr && weight_count > 0)) return false;
  for (std::size_t i = 0; i < context_count; ++i) {
    if (contexts[i] == nullptr) return false;
    into.contexts.emplace_back(contexts[i]);
  }
  for (std::size_t i = 0; i < weight_count; ++i) {
    if (weights[i].name == nullptr || weights[i].value == nullptr) return false;
    into.weights.emplace_back(weights[i].name, weights[i].value);
  }
  return true;
}

bool evaluator_options(const assay_evaluator_options* given, EvaluatorOptions& into) {
  if (given == nullptr) return true;
  assay_evaluator_options options{};
  if (!read_options(given, options)) return false;
  if (options.fields == nullptr && options.field_count > 0) return false;
  for (std::size_t i = 0; i < options.field_count; ++i) {
    if (options.fields[i] == nullptr) return false;
    into.fields.emplace_back(options.fields[i]);
  }
  if (!set_limits(options.limits, options.limit_count, into.limits)) return false;
  if (options.without_machine_code != 0) into.jit_threshold = EvaluatorOptions::kNever;
  into.strict = options.strict != 0;
  into.interrupt = options.interrupt == nullptr ? nullptr : &options.interrupt->value;
  return true;
}

}  // namespace assay::c

using namespace assay;
using namespace assay::c;

namespace {

std::vector<std::string_view> views_of(const assay_text* texts, std::size_t count) {
  std::vector<std::string_view> views;
  views.reserve(count);
  for (std::size_t i = 0; i < count; ++i) views.push_back(text_of(texts[i].data, texts[i].size));
  return views;
}

template <class Set>
assay_status with_input(assay_evaluator* evaluator, int32_t input, const Set& set) {
  if (evaluator == nullptr || input < 0 || input >= evaluator->inputs_end) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    set(evaluator->bound(), static_cast<InputHandle>(input));
    return ASSAY_OK;
  });
}

// Null: the record was scored. A null verdict means that memory ran out.
const InputError* problem_of(const assay_verdict* verdict) {
  static const InputError kNoMemory{"", "memory", "there was not enough memory to score the record"};
  return verdict == nullptr || verdict->verdict == nullptr ? &kNoMemory : verdict->verdict->error();
}

template <class Get>
int verdict_value(const assay_verdict* verdict, const char* field, const Get& get) {
  if (field == nullptr || problem_of(verdict) != nullptr) return 0;
  bool found = false;
  guarded([&] {
    found = get(*verdict->verdict);
    return ASSAY_OK;
  });
  return found ? 1 : 0;
}

}  // namespace

extern "C" {

const char* assay_version(void) { return ASSAY_VERSION; }

int assay_abi_version(void) { return ASSAY_ABI_VERSION; }

const char* assay_status_text(assay_status status) {
  switch (status) {
    case ASSAY_OK: return "all in order";
    case ASSAY_INVALID_RUBRIC: return "the rubric is invalid";
    case ASSAY_REJECTED: return "the data was rejected";
    case ASSAY_INVALID_ARGUMENT: return "an argument of the call is invalid";
    case ASSAY_OUT_OF_MEMORY: return "there is not enough memory";
    case ASSAY_STOPPED: return "the host ended the stream";
    case ASSAY_READ_FAILED: return "the stream could not be read";
    case ASSAY_INTERNAL: return "a fault of the library";
    case ASSAY_INTERRUPTED: return "the work was cancelled, or ran out of time";
  }
  return "an unknown status";
}

// ---- interrupts

assay_interrupt* assay_interrupt_new(void) { return new (std::nothrow) assay_interrupt; }

void assay_interrupt_free(assay_interrupt* interrupt) { delete interrupt; }

void assay_interrupt_cancel(assay_interrupt* interrupt) {
  if (interrupt != nullptr) interrupt->value.cancel();
}

void assay_interrupt_set_timeout(assay_interrupt* interrupt, double seconds) {
  if (interrupt == nullptr) return;
  constexpr double kMost = 1e8;  // three years, which every clock can add
  const double wait = seconds > 0 ? std::min(seconds, kMost) : 0;
  interrupt->value.set_deadline(Interrupt::Clock::now() + std::chrono::duration_cast<Interrupt::Clock::duration>(
                                                              std::chrono::duration<double>(wait)));
}

void assay_interrupt_clear(assay_interrupt* interrupt) {
  if (interrupt != nullptr) interrupt->value.clear();
}

int assay_limit_info(size_t index, assay_text* name, assay_text* meaning, uint64_t* value, uint64_t* most) {
  if (index >= limit_infos().size()) return 0;
  const LimitInfo& info = limit_infos()[index];
  if (name != nullptr) *name = view(info.name);
  if (meaning != nullptr) *meaning = view(info.meaning);
  if (value != nullptr) *value = info.get(Limits());
  if (most != nullptr) *most = info.most;
  return 1;
}

// ---- evaluators

assay_status assay_evaluator_new(const assay_rubric* rubric, const assay_evaluator_options* options,
                                 assay_evaluator** evaluator) {
  if (evaluator == nullptr) return ASSAY_INVALID_ARGUMENT;
  *evaluator = nullptr;
  if (rubric == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    EvaluatorOptions chosen;
    if (!evaluator_options(options, chosen)) return ASSAY_INVALID_ARGUMENT;
    auto made = std::make_unique<assay_evaluator>(rubric->rubric, std::move(chosen));
    if (made->evaluator.error() != nullptr) return ASSAY_INVALID_ARGUMENT;
    *evaluator = made.release();
    return ASSAY_OK;
  });
}

void assay_evaluator_free(assay_evaluator* evaluator) { delete evaluator; }

assay_status assay_evaluator_configure(assay_evaluator* evaluator, const char* const* contexts, size_t context_count,
                                       const assay_weight* weights, size_t weight_count) {
  if (evaluator == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Settings settings;
    if (!set_settings(contexts, context_count, weights, weight_count, settings)) return ASSAY_INVALID_ARGUMENT;
    if (auto problem = evaluator->evaluator.configure(settings)) return evaluator->rejected(std::move(*problem));
    return ASSAY_OK;
  });
}

assay_status assay_evaluator_set_history(assay_evaluator* evaluator, const assay_text* records, size_t count) {
  if (evaluator == nullptr || (records == nullptr && count > 0)) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    std::vector<std::string> copies;
    for (std::size_t i = 0; i < count; ++i) copies.emplace_back(text_of(records[i].data, records[i].size));
    evaluator->evaluator.set_history(std::move(copies));
    return ASSAY_OK;
  });
}

const assay_verdict* assay_evaluator_score(assay_evaluator* evaluator, const char* json, size_t size) {
  if (evaluator == nullptr) return nullptr;
  evaluator->verdict.verdict = nullptr;
  guarded([&] {
    evaluator->verdict.verdict = &evaluator->evaluator.score(text_of(json, size));
    return ASSAY_OK;
  });
  return &evaluator->verdict;
}

assay_error assay_evaluator_error(const assay_evaluator* evaluator) {
  return evaluator == nullptr ? view(InputError()) : view(evaluator->error);
}

int32_t assay_evaluator_input(assay_evaluator* evaluator, const char* path) {
  int32_t handle = -1;
  if (evaluator == nullptr || path == nullptr) return handle;
  guarded([&] {
    if (const auto found = evaluator->bound().find(path)) handle = static_cast<int32_t>(*found);
    evaluator->inputs_end = std::max(evaluator->inputs_end, handle + 1);
    return ASSAY_OK;
  });
  return handle;
}

assay_status assay_evaluator_set_number(assay_evaluator* evaluator, int32_t input, double value) {
  return with_input(evaluator, input, [&](Inputs& inputs, InputHandle handle) { inputs.set_number(handle, value); });
}

assay_status assay_evaluator_set_decimal(assay_evaluator* evaluator, int32_t input, int64_t digits, int decimals) {
  return with_input(evaluator, input, [&](Inputs& inputs, InputHandle handle) {
    inputs.set_number(handle, std::int64_t{digits}, decimals);
  });
}

assay_status assay_evaluator_set_text(assay_evaluator* evaluator, int32_t input, const char* text, size_t size) {
  return with_input(evaluator, input,
                    [&](Inputs& inputs, InputHandle handle) { inputs.set_text(handle, text_of(text, size)); });
}

assay_status assay_evaluator_set_bool(assay_evaluator* evaluator, int32_t input, int truth) {
  return with_input(evaluator, input, [&](Inputs& inputs, InputHandle handle) { inputs.set_bool(handle, truth != 0); });
}

assay_status assay_evaluator_set_texts(assay_evaluator* evaluator, int32_t input, const assay_text* texts,
                                       size_t count) {
  return with_input(evaluator, input, [&](Inputs& inputs, InputHandle handle) {
    const std::vector<std::string_view> views = views_of(texts, texts == nullptr ? 0 : count);
    inputs.set_texts(handle, views.data(), views.size());
  });
}

assay_status assay_evaluator_set_missing(assay_evaluator* evaluator, int32_t input) {
  return with_input(evaluator, input, [&](Inputs& inputs, InputHandle handle) { inputs.set_missing(handle); });
}

assay_status assay_evaluator_reset_inputs(assay_evaluator* evaluator) {
  if (evaluator == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    evaluator->bound().reset();
    return ASSAY_OK;
  });
}

const assay_verdict* assay_evaluator_score_inputs(assay_evaluator* evaluator) {
  if (evaluator == nullptr) return nullptr;
  evaluator->verdict.verdict = nullptr;
  guarded([&] {
    evaluator->bound();
    evaluator->verdict.verdict = &evaluator->evaluator.score_inputs();
    return ASSAY_OK;
  });
  return &evaluator->verdict;
}

assay_status assay_evaluator_rank(assay_evaluator* evaluator, const assay_text* records, size_t count,
                                  assay_text* ranking) {
  if (ranking != nullptr) *ranking = kNoText;
  if (evaluator == nullptr || ranking == nullptr || (records == nullptr && count > 0)) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    evaluator->ranking = {};
    if (auto problem = evaluator->evaluator.rank(views_of(records, count), evaluator->ranking))
      return evaluator->rejected(std::move(*problem));
    evaluator->text = evaluator->ranking.json();
    *ranking = view(evaluator->text);
    return ASSAY_OK;
  });
}

assay_status assay_evaluator_answer(assay_evaluator* evaluator, const char* request, size_t size, assay_text* answer) {
  if (answer != nullptr) *answer = kNoText;
  if (evaluator == nullptr || answer == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    evaluator->text = evaluator->evaluator.eval(text_of(request, size));
    *answer = view(evaluator->text);
    return ASSAY_OK;
  });
}

assay_status assay_evaluator_explain(assay_evaluator* evaluator, const char* record, size_t size, const char* name,
                                     assay_text* explanation) {
  if (explanation != nullptr) *explanation = kNoText;
  if (evaluator == nullptr || explanation == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    bool unknown = false;
    evaluator->text = evaluator->evaluator.explain(text_of(record, size), name == nullptr ? "" : name, &unknown);
    *explanation = view(evaluator->text);
    if (!unknown) return ASSAY_OK;
    return evaluator->rejected(
        {name == nullptr ? "" : name, "unknown", evaluator->text.substr(0, evaluator->text.find('\n'))});
  });
}

assay_status assay_evaluator_evaluate(assay_evaluator* evaluator, const char* expression, size_t expression_size,
                                      const char* record, size_t record_size, assay_text* value) {
  if (value != nullptr) *value = kNoText;
  if (evaluator == nullptr || value == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Evaluator::Evaluated result =
        evaluator->evaluator.evaluate(text_of(expression, expression_size), text_of(record, record_size));
    if (has_errors(result.diagnostics)) {
      evaluator->text = render(result.diagnostics);
      *value = view(evaluator->text);
      return ASSAY_INVALID_RUBRIC;
    }
    if (result.error) return evaluator->rejected(std::move(*result.error));
    evaluator->text = evaluated_json(result);
    *value = view(evaluator->text);
    return ASSAY_OK;
  });
}

assay_status assay_evaluator_start_cohort(assay_evaluator* evaluator) {
  if (evaluator == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    evaluator->evaluator.start_cohort();
    return ASSAY_OK;
  });
}

assay_status assay_evaluator_cohort(assay_evaluator* evaluator, assay_text* outputs) {
  if (outputs != nullptr) *outputs = kNoText;
  if (evaluator == nullptr || outputs == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    evaluator->text = evaluator->evaluator.cohort();
    *outputs = view(evaluator->text);
    return ASSAY_OK;
  });
}

// ---- verdicts

int assay_verdict_error(const assay_verdict* verdict, assay_error* error) {
  const InputError* problem = problem_of(verdict);
  if (error != nullptr) *error = problem == nullptr ? view(InputError()) : view(*problem);
  return problem == nullptr ? 0 : 1;
}

int assay_verdict_eligible(const assay_verdict* verdict) {
  return problem_of(verdict) == nullptr && verdict->verdict->eligible() ? 1 : 0;
}

assay_text assay_verdict_id(const assay_verdict* verdict) {
  if (verdict == nullptr || verdict->verdict == nullptr) return kNoText;
  return view(verdict->verdict->id());
}

assay_text assay_verdict_json(const assay_verdict* verdict) {
  assay_text json = kNoText;
  if (verdict != nullptr && verdict->verdict != nullptr) {
    guarded([&] {
      json = view(verdict->verdict->json());
      return ASSAY_OK;
    });
  }
  return json;
}

int assay_verdict_number(const assay_verdict* verdict, const char* field, double* number) {
  return verdict_value(verdict, field, [&](const Verdict& v) {
    const auto value = v.number(field);
    if (value && number != nullptr) *number = *value;
    return value.has_value();
  });
}

int assay_verdict_boolean(const assay_verdict* verdict, const char* field, int* truth) {
  return verdict_value(verdict, field, [&](const Verdict& v) {
    const auto value = v.boolean(field);
    if (value && truth != nullptr) *truth = *value ? 1 : 0;
    return value.has_value();
  });
}

int assay_verdict_text(const assay_verdict* verdict, const char* field, assay_text* text) {
  if (text != nullptr) *text = kNoText;
  return verdict_value(verdict, field, [&](const Verdict& v) {
    const std::string_view json = v.json(field);
    if (json.empty() || json.front() != '"') return false;
    if (text != nullptr) *text = view(v.text(field));
    return true;
  });
}

int assay_verdict_field(const assay_verdict* verdict, const char* field, assay_text* json) {
  if (json != nullptr) *json = kNoText;
  return verdict_value(verdict, field, [&](const Verdict& v) {
    const std::string_view value = v.json(field);
    if (json != nullptr) *json = view(value);
    return !value.empty();
  });
}

}  // extern "C"
