// The complete path of the data, once: text → syntax → model (compile), record → values → verdict (score_one).
// Everything else on this floor reads, writes or repeats these two.
#include "lang/bytecode/compile.hpp"
#include "lang/check/check.hpp"
#include "lang/parse/parse.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/dispatch/kernel_cache.hpp"
#include "runtime/engine/compile_stages.hpp"
#include "runtime/engine/evaluator.hpp"
#include "runtime/hooks/stdlib.hpp"
#include "runtime/library/library.hpp"
#include "runtime/rubric/scoring_hash.hpp"

#include <algorithm>

namespace assay {

std::string_view version() { return ASSAY_VERSION; }

// ---- a rubric

namespace {

Diagnostic too_long(std::string_view name, std::size_t limit) {
  Diagnostic problem;
  problem.code = "E0601";
  problem.message = "'" + std::string(name) + "' is longer than " + std::to_string(limit) + " bytes";
  problem.at.file = name;
  return problem;
}

}  // namespace

Importer importer(const CompileOptions& options) {
  return [host = options.importer](std::string_view path, std::string_view from,
                                   std::string& name) -> std::optional<std::string> {
    constexpr std::string_view kStandard = "std/";
    if (path.substr(0, kHostPrefix.size()) == kHostPrefix) {
      name = path;
      return std::string();
    }
    if (is_library_path(path)) {
      // Only modules may use library functions: the modules are documented and kept stable.
      if (from.substr(0, kStandard.size()) != kStandard) return std::nullopt;
      name = path;
      return std::string();
    }
    if (host) {
      if (std::optional<std::string> text = host(path, from, name)) return text;
    }
    const std::string_view module = path.substr(0, kStandard.size()) == kStandard
                                        ? stdlib_module(path.substr(kStandard.size()))
                                        : std::string_view();
    if (module.empty()) return std::nullopt;
    name = path;
    return std::string(module);
  };
}

Staging::Staging(std::string_view name, std::string_view text, const CompileOptions& options, const ParsedText* before,
                 ParsedText* now)
    : impl_(std::make_shared<Rubric::Impl>()) {
  impl_->kernels = std::make_shared<KernelCache>();
  impl_->file_name = name;
  impl_->options = options;
  if (text.size() > options.limits.source_bytes) {
    told_.push_back(too_long(name, options.limits.source_bytes));
    return;
  }
  const std::uint32_t file = impl_->sources.add(std::string(name), std::string(text));
  diagnostics_.emplace(impl_->sources);
  budget_.emplace(options.limits, options.interrupt);
  try {
    budget_->take(text.size());
    impl_->file = parse(impl_->sources, file, *diagnostics_, *budget_, before, now);
  } catch (const OutOfBudget& out) {
    report(out, *budget_, *diagnostics_);
    stopped_ = true;
  }
}

void Staging::check(CheckNotes* notes) {
  if (!diagnostics_ || stopped_) return;
  try {
    importer_ = importer(impl_->options);
    run_.emplace(impl_->sources, importer_, *diagnostics_, *budget_, impl_->options.limits.source_bytes, notes);
    std::unique_ptr<Model> model = run_->check(impl_->file, &impl_->imported);
    model_ = model.get();
    impl_->model = std::move(model);
  } catch (const OutOfBudget& out) {
    report(out, *budget_, *diagnostics_);
    run_.reset();
    if (notes != nullptr) *notes = {};  // they speak of files that are gone
  }
}

void Staging::report_doubts() {
  if (!run_) return;
  try {
    run_->report_doubts();
  } catch (const OutOfBudget& out) { report(out, *budget_, *diagnostics_); }
  run_.reset();
}

void Staging::prepare() {
  if (has_errors() || !impl_->model || impl_->model->hooks.empty()) return;
  report_doubts();  // in the order of compile()
  if (has_errors()) return;
  impl_->hooks = prepare_hooks(*impl_->model, impl_->sources, impl_->options, importer_, *diagnostics_);
}

void Staging::hash() {
  RubricModel& main = model_->rubrics[static_cast<std::size_t>(model_->main)];
  budget_->work_on(main.span);
  try {
    main.scoring_hash = scoring_hash(*model_, model_->main, *budget_);
  } catch (const OutOfBudget& out) { report(out, *budget_, *diagnostics_); }
}

std::vector<Diagnostic> Staging::take() {
  report_doubts();
  impl_->options.interrupt = nullptr;  // it need not outlive the compiling
  return diagnostics_ ? diagnostics_->take() : std::move(told_);
}

Stages compile_stages(std::string_view name, std::string_view text, const CompileOptions& options, CheckNotes* notes) {
  Staging staging(name, text, options);
  staging.check(notes);
  staging.report_doubts();
  Rubric::Impl& impl = *staging.impl();
  const auto scored = [&] { return !staging.has_errors() && impl.model && impl.model->main >= 0; };
  // Whoever takes notes looks at a text that will change again: nobody compares its hash.
  if (notes == nullptr && scored()) staging.hash();
  staging.prepare();
  Stages result;
  result.good = scored();
  result.diagnostics = staging.take();
  result.impl = staging.impl();
  result.steps = staging.steps();
  return result;
}

Compiled compile(std::string_view name, std::string_view text, const CompileOptions& options) {
  return compiled(compile_stages(name, text, options));
}

Compiled compiled(Stages stages) {
  Compiled result;
  result.diagnostics = std::move(stages.diagnostics);
  if (stages.good) result.rubric.emplace(std::move(stages.impl));
  return result;
}

// ---- a record

void Evaluator::Impl::score_one(std::string_view json, const std::vector<Number>& with, const Earlier& earlier,
                                bool padded) {
  score_alone(json, with, earlier, padded);
  collect();
}

void Evaluator::Impl::score_alone(std::string_view json, const std::vector<Number>& with, const Earlier& earlier,
                                  bool padded) {
  ++statistics.records;
  result.state.begin();
  arena.reset();
  if (!reader.read(json, slots.data(), arena, false, result.state.error, padded)) {
    tell_unread(result.state.error, json);
    return fail_verdict();
  }
  if (!evaluate_slots(with, earlier)) return;
  if (!result.state.render()) fail_verdict();
}

bool Evaluator::Impl::interrupted(InputError& error) const {
  const Interrupt::State now = interrupt_state(options.interrupt);
  if (now != Interrupt::State::none) error = interrupt_error(now);
  return now != Interrupt::State::none;
}

bool Evaluator::Impl::evaluate_slots(const std::vector<Number>& with, const Earlier& earlier) {
  result.state.id = id_text(model.types, rubric.slots[0].type, slots[0], result.state.id_digits);
  const Earlier before = history.or_series(earlier, slots.data());
  if (!run(plans.score, with, before, result.state.error)) {
    tell_refused(result.state.error, with, before);
    fail_verdict();
    return false;
  }
  if (plans.status >= 0)
    result.state.eligible = plans.score.results[static_cast<std::size_t>(plans.status)].text.view() == "eligible";
  if (second_pass() && !add_second_pass(result.state.error)) {
    result.state.error.id = id_json(slots[0]);
    fail_verdict();
    return false;
  }
  if (arena.numbers().used() > 0) ++statistics.exact_path;
  return true;
}

bool Verdict::State::render() {
  rendered = true;
  return renderer->write(values, json, spans, limit, error) &&
         (each == nullptr || each->add_to(json, limit, error, &spans));
}

bool Verdict::State::ready() {
  if (rendered || render()) return true;
  failed = true;
  json.clear();
  write_error(error, json);
  return false;
}

bool Evaluator::Impl::run(Plan& plan, const std::vector<Number>& with, const Earlier& earlier, InputError& error) {
  VmInputs given;
  given.slots = slots.data();
  given.weights = with.empty() ? nullptr : with.data();
  given.history = earlier.records;
  given.kept = earlier.kept;
  const std::size_t kept_before = earlier.kept != nullptr ? earlier.kept->bytes : 0;
  if (hooks) hooks->begin();
  const bool ok = vm.run(*plan.program, given, arena, plan.results.data(), failure);
  statistics.steps += vm.steps();
  if (hooks) hooks->end();
  if (earlier.kept != nullptr) history.account(*earlier.kept, kept_before);
  if (!ok) error = {std::move(failure.path), std::move(failure.code), std::move(failure.message)};
  return ok;
}

void Evaluator::Impl::fail_verdict() {
  ++statistics.rejected;
  result.state.failed = true;
  result.state.json.clear();
  write_error(result.state.error, result.state.json);
}

// ---- plans

bool asks_for(const EvaluatorOptions& options, std::string_view field) {
  return options.fields.empty() ||
         std::find(options.fields.begin(), options.fields.end(), field) != options.fields.end();
}

int Plan::add(int item) {
  const auto found = std::find(roots.begin(), roots.end(), item);
  if (found != roots.end()) return static_cast<int>(found - roots.begin());
  roots.push_back(item);
  return static_cast<int>(roots.size() - 1);
}

void Plan::build(const std::shared_ptr<const Model>& model, int rubric, bool checks, bool traced) {
  program = compile(model, rubric, roots, checks, traced);
  results.assign(roots.size() + 1, missing_value());
}

namespace {

// Readers are recursive.
EvaluatorOptions bounded(EvaluatorOptions options) {
  options.limits.nesting = std::min(options.limits.nesting, kMostNesting);
  return options;
}

}  // namespace

Evaluator::Impl::Impl(const Rubric& the_rubric, EvaluatorOptions the_options)
    : owner(the_rubric),
      model(*owner.impl().model),
      rubric(owner.impl().rubric()),
      options(bounded(std::move(the_options))),
      reader(model, owner.impl().index(), options.limits, true, options.strict),
      slots(rubric.slots.size(), missing_value()),
      history(model, rubric, options, reader) {
  vm.limits.steps = options.limits.steps;
  vm.limits.depth = options.limits.depth;
  vm.limits.memory = options.limits.memory_bytes;
  vm.limits.interrupt = options.interrupt;
  reader.watch(options.interrupt);
  if (owner.impl().hooks) {
    hooks = std::make_unique<HookRunner>(owner.impl().hooks, options.limits, model, options.interrupt);
  }
  vm.hooks = hooks.get();
  plan_score();
}

// The roots are the fields in their order, even if two of them share an item, then what the engine itself needs.
void Evaluator::Impl::plan_score() {
  std::vector<VerdictField> fields = rubric.verdict.fields;
  if (!options.fields.empty()) {
    std::vector<std::string_view> known{"rubric", "version", "scoring_hash"};
    for (const VerdictField& field : rubric.verdict.fields) known.push_back(field.name);
    if (rubric.cohort.each >= 0) {  // in case of a cohort
      for (const VerdictField& field : model.rubrics[static_cast<std::size_t>(rubric.cohort.each)].verdict.fields)
        known.push_back(field.name);
    }
    for (const std::string& name : options.fields) {
      if (problem || std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string_view near = nearest(name, known);
      problem = InputError{name, "field",
                           "the verdict has no field '" + name + "'" +
                               (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?")};
    }
    std::erase_if(fields, [&](const VerdictField& field) {
      return std::find(options.fields.begin(), options.fields.end(), field.name) == options.fields.end();
    });
  }
  plans.score = Plan();
  for (const VerdictField& field : fields) plans.score.roots.push_back(field.item);
  plans.status = rubric.verdict.status >= 0 ? plans.score.add(rubric.verdict.status) : -1;
  plan_cohort();
  plans.score.build(owner.impl().model, owner.impl().index());
  result.writer =
      std::make_unique<VerdictWriter>(model, owner.impl().index(), std::move(fields), asks_for(options, "rubric"),
                                      asks_for(options, "version"), asks_for(options, "scoring_hash"));
  result.writer->watch(options.interrupt);
  result.state.values = plans.score.results.data();
  result.state.writer = result.state.renderer = result.writer.get();
  result.state.each = cohort.each.get();
  result.state.limit = options.limits.output_bytes;
  result.state.rubric = &rubric;
}

// ---- the public class

Evaluator::Evaluator(const Rubric& rubric, EvaluatorOptions options)
    : impl_(std::make_unique<Impl>(rubric, std::move(options))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

const InputError* Evaluator::error() const { return impl_->problem ? &*impl_->problem : nullptr; }

std::optional<InputError> Evaluator::configure(const Settings& settings) {
  NumberPool numbers;
  std::vector<Number> weights;
  if (auto error = apply_settings(impl_->rubric, settings, numbers, weights)) return error;
  const auto same = [](Number a, Number b) {
    return a.missing() == b.missing() && (a.missing() || compare(a, b) == 0);
  };
  if (!std::equal(weights.begin(), weights.end(), impl_->weights.values.begin(), impl_->weights.values.end(), same))
    impl_->history.weights_changed();
  impl_->weights.numbers = std::move(numbers);
  impl_->weights.values = std::move(weights);
  return std::nullopt;
}

void Evaluator::set_history(std::vector<std::string> records) { impl_->history.set(std::move(records)); }

void Evaluator::Impl::score_next(std::string_view json, bool padded) {
  history.resume();
  if (history.error()) {
    ++statistics.records;
    result.state.error = *history.error();
    fail_verdict();
    return reject(result.state.error);
  }
  const Earlier given = history.earlier();
  score_one(json, weights.values, given, padded);
  add_to_series(given);
}

const Verdict& Evaluator::score(std::string_view json) {
  impl_->score_next(json, false);
  impl_->result.verdict.state_ = &impl_->result.state;
  return impl_->result.verdict;
}

void forced_big(Evaluator& evaluator, bool on) {
  Evaluator::Impl& impl = *evaluator.impl_;
  for (Arena* arena : {&impl.arena, &impl.history.arena(), &impl.request.history.arena})
    arena->numbers().set_force_big(on);
}

const Statistics& Evaluator::statistics() const { return impl_->statistics; }

namespace {

constexpr std::uint64_t Statistics::*kCounts[] = {&Statistics::records, &Statistics::rejected, &Statistics::exact_path,
                                                  &Statistics::steps,   &Statistics::kernel,   &Statistics::jit_rows,
                                                  &Statistics::vectors};

}  // namespace

Statistics& Statistics::operator+=(const Statistics& more) {
  for (const auto count : kCounts) this->*count += more.*count;
  return *this;
}

Statistics& Statistics::operator-=(const Statistics& less) {
  for (const auto count : kCounts) this->*count -= less.*count;
  return *this;
}

}  // namespace assay
