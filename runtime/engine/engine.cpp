// The whole way of the data, once: text → syntax → model (compile), record → values → verdict (score_one). Everything
// else in this floor is a reader, a writer or a repetition of these two.
#include "lang/bytecode/compile.hpp"
#include "lang/check/check.hpp"
#include "lang/syntax/parse.hpp"
#include "runtime/engine/evaluator.hpp"
#include "runtime/hooks/stdlib.hpp"
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
    if (path.substr(0, kHostPrefix.size()) == kHostPrefix) {
      name = path;
      return std::string();
    }
    if (host) {
      if (std::optional<std::string> text = host(path, from, name)) return text;
    }
    constexpr std::string_view kStandard = "std/";
    const std::string_view module = path.substr(0, kStandard.size()) == kStandard
                                        ? stdlib_module(path.substr(kStandard.size()))
                                        : std::string_view();
    if (module.empty()) return std::nullopt;
    name = path;
    return std::string(module);
  };
}

Compiled compile(std::string_view name, std::string_view text, const CompileOptions& options) {
  auto impl = std::make_shared<Rubric::Impl>();
  impl->file_name = name;
  impl->options = options;
  Compiled result;
  if (text.size() > options.limits.source_bytes) {
    result.diagnostics.push_back(too_long(name, options.limits.source_bytes));
    return result;
  }
  const std::uint32_t file = impl->sources.add(std::string(name), std::string(text));
  Diagnostics diagnostics(impl->sources);
  impl->file = parse(impl->sources, file, diagnostics);
  std::unique_ptr<Model> model =
      check(impl->file, impl->sources, importer(options), diagnostics, options.limits.source_bytes, &impl->imported);
  if (!diagnostics.has_errors() && model && !model->hooks.empty()) {
    impl->hooks = prepare_hooks(*model, impl->sources, options, importer(options), diagnostics);
  }
  const bool good = !diagnostics.has_errors() && model && model->main >= 0;
  if (good) model->rubrics[static_cast<std::size_t>(model->main)].scoring_hash = scoring_hash(*model, model->main);
  impl->model = std::move(model);
  result.diagnostics = diagnostics.take();
  if (good) result.rubric.emplace(std::move(impl));
  return result;
}

// ---- a record

void Evaluator::Impl::score_one(std::string_view json, const std::vector<Number>& with, const Earlier& earlier,
                                bool padded) {
  ++statistics.records;
  state.begin();
  arena.reset();
  if (!reader.read(json, slots.data(), arena, false, state.error, padded)) return fail_verdict();
  if (!evaluate_slots(with, earlier)) return;
  if (!state.render()) return fail_verdict();
  if (collecting) collect();
}

bool Evaluator::Impl::evaluate_slots(const std::vector<Number>& with, const Earlier& earlier) {
  state.id = slots[0].text.view();
  if (!run(score_plan, with, or_series(earlier), state.error)) {
    fail_verdict();
    return false;
  }
  if (status >= 0) state.eligible = score_plan.results[static_cast<std::size_t>(status)].text.view() == "eligible";
  if (arena.numbers().used() > 0) ++statistics.exact_path;
  return true;
}

bool Verdict::State::render() {
  rendered = true;
  if (renderer->write(values, json, spans, limit)) return true;
  error = {"", "limit", "the verdict is longer than " + std::to_string(limit) + " bytes"};
  return false;
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
  if (earlier.kept != nullptr) account(*earlier.kept, kept_before);
  if (!ok) error = {std::move(failure.path), std::move(failure.code), std::move(failure.message)};
  return ok;
}

void Evaluator::Impl::fail_verdict() {
  ++statistics.rejected;
  state.failed = true;
  state.json.clear();
  write_error(state.error, state.json);
}

// ---- plans

int Plan::add(int item) {
  const auto found = std::find(roots.begin(), roots.end(), item);
  if (found != roots.end()) return static_cast<int>(found - roots.begin());
  roots.push_back(item);
  return static_cast<int>(roots.size() - 1);
}

void Plan::build(const std::shared_ptr<const Model>& model, int rubric, bool checks) {
  program = compile(model, rubric, roots, checks);
  results.assign(roots.size() + 1, missing_value());
}

Evaluator::Impl::Impl(const Rubric& the_rubric, EvaluatorOptions the_options)
    : owner(the_rubric),
      model(*owner.impl().model),
      rubric(owner.impl().rubric()),
      options(std::move(the_options)),
      reader(model, owner.impl().index(), options.limits, true, options.strict),
      slots(rubric.slots.size(), missing_value()) {
  vm.limits.steps = options.limits.steps;
  vm.limits.depth = options.limits.depth;
  vm.limits.memory = options.limits.memory_bytes;
  if (owner.impl().hooks) hooks = std::make_unique<HookRunner>(owner.impl().hooks, options.limits, model, options.interrupt);
  vm.hooks = hooks.get();
  plan_score();
}

// The roots are the fields in their order, whether or not two of them share an item, then what the engine itself asks.
void Evaluator::Impl::plan_score() {
  std::vector<VerdictField> fields = rubric.verdict;
  if (!options.fields.empty()) {
    std::vector<std::string_view> known{"rubric", "version", "scoring_hash"};
    for (const VerdictField& field : rubric.verdict) known.push_back(field.name);
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
  score_plan = Plan();
  cohort_roots.clear();
  for (const VerdictField& field : fields) score_plan.roots.push_back(field.item);
  status = rubric.status_item >= 0 ? score_plan.add(rubric.status_item) : -1;
  if (collecting) {
    for (const int item : rubric.verdict_items) cohort_roots.push_back(score_plan.add(item));
  }
  score_plan.build(owner.impl().model, owner.impl().index());
  const auto asked = [this](std::string_view name) {
    return options.fields.empty() ||
           std::find(options.fields.begin(), options.fields.end(), name) != options.fields.end();
  };
  if (!hooks) fast.emplace(model, owner.impl().index(), fields, options.limits);
  if (fast && !weights.empty()) fast->set_weights(&weights);
  writer = std::make_unique<VerdictWriter>(model, owner.impl().index(), std::move(fields), asked("rubric"),
                                           asked("version"), asked("scoring_hash"));
  state.values = score_plan.results.data();
  state.writer = state.renderer = writer.get();
  state.limit = options.limits.output_bytes;
  state.rubric = &rubric;
}

// ---- history

Value History::value() {
  return records.empty() ? missing_value() : make_list(records.data(), static_cast<std::uint32_t>(records.size()));
}

void History::clear() {
  arena.reset();
  records.clear();
  error.reset();
  kept.forget();
}

// Verdicts that were kept under other weights are forgotten.
Earlier Evaluator::Impl::seen(History& past) {
  if (past.weights != weights_in_force) {
    kept_bytes -= past.kept.bytes;
    past.kept.forget();
    past.weights = weights_in_force;
  }
  past.kept.most = past.kept.bytes + (options.limits.memory_bytes - std::min(options.limits.memory_bytes, kept_bytes));
  return {past.value(), &past.kept};
}

// What is kept of all earlier records stays within the memory of one evaluation. When it is full, the series that is
// being scored is worth more than what other series have left behind.
void Evaluator::Impl::account(KeptVerdicts& kept, std::size_t before) {
  kept_bytes += kept.bytes - before;
  if (!kept.full) return;
  kept.full = false;
  if (kept_bytes == kept.bytes) return;
  for (auto& [key, past] : series) {
    if (&past.kept != &kept) past.kept.forget();
  }
  if (&history.kept != &kept) history.kept.forget();
  kept_bytes = kept.bytes;
}

bool Evaluator::Impl::read_history(const std::vector<std::string_view>& records, History& into) {
  if (&into == &history) kept_bytes -= into.kept.bytes;
  into.clear();
  InputError error;
  for (std::size_t i = 0; i < records.size() && !into.error; ++i) {
    Value* fields = into.arena.array<Value>(slots.size());
    if (i >= options.limits.list_items) {
      into.error = InputError{"history", "limit",
                              "history has more than " + std::to_string(options.limits.list_items) + " records"};
    } else if (!reader.read(records[i], fields, into.arena, true, error)) {
      put_before("history[" + std::to_string(i) + "]", error.path);
      into.error = std::move(error);
    } else {
      into.records.push_back(make_record(fields, static_cast<std::uint32_t>(slots.size())));
    }
  }
  if (into.error) into.records.clear();
  return !into.error;
}

std::string Evaluator::Impl::series_key() const {
  for (std::size_t i = 0; i < rubric.slots.size(); ++i) {
    if (rubric.slots[i].name != rubric.history_by || slots[i].missing()) continue;
    std::string key;
    ValueWriter(model.types).write(rubric.slots[i].type, slots[i], kAsGiven, key);
    return key;
  }
  return {};
}

Earlier Evaluator::Impl::or_series(const Earlier& given) {
  if (rubric.history_by.empty() || !given.records.missing()) return given;
  const auto found = series.find(series_key());
  return found == series.end() ? Earlier() : seen(found->second);
}

// The record just scored becomes part of the history of those that follow it in its series.
void Evaluator::Impl::add_to_series(const Earlier& given) {
  if (rubric.history_by.empty() || state.failed || !given.records.missing()) return;
  const std::string key = series_key();
  if (key.empty()) return;
  History& past = series[key];
  Value record = make_record(slots.data(), static_cast<std::uint32_t>(slots.size()));
  past.records.push_back(deep_copy(model.types, rubric.input_type, record, past.arena));
  if (past.records.size() <= options.limits.list_items) return;
  const std::size_t older = past.records.size() / 2;
  past.records.erase(past.records.begin(), past.records.begin() + static_cast<std::ptrdiff_t>(older));
  Arena room;  // the older half is forgotten, and its memory with it
  for (Value& value : past.records) value = deep_copy(model.types, rubric.input_type, value, room);
  past.arena = std::move(room);
  KeptVerdicts kept;
  kept.checked = past.kept.checked - std::min(past.kept.checked, older);
  for (std::size_t i = older; i < past.kept.verdicts.size(); ++i) {
    const Value& one = past.kept.verdicts[i];
    kept.bytes += deep_size(model.types, rubric.verdict_type, one, SIZE_MAX) + sizeof(Value);
    kept.verdicts.push_back(deep_copy(model.types, rubric.verdict_type, one, kept.arena));
  }
  kept_bytes -= past.kept.bytes - kept.bytes;
  past.kept = std::move(kept);
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
  if (!std::equal(weights.begin(), weights.end(), impl_->weights.begin(), impl_->weights.end(), same))
    ++impl_->weights_in_force;
  impl_->weight_numbers = std::move(numbers);
  impl_->weights = std::move(weights);
  if (impl_->fast) impl_->fast->set_weights(&impl_->weights);
  return std::nullopt;
}

void Evaluator::set_history(std::vector<std::string> records) {
  const std::vector<std::string_view> views(records.begin(), records.end());
  impl_->read_history(views, impl_->history);
}

void Evaluator::Impl::score_next(std::string_view json, bool padded) {
  if (history.error) {
    ++statistics.records;
    state.error = *history.error;
    return fail_verdict();
  }
  const Earlier given = earlier();
  score_one(json, weights, given, padded);
  add_to_series(given);
}

LanePath* Evaluator::Impl::lane_path() {
  if (!fast || fast->machine() == nullptr || collecting || history.error || !history.records.empty() ||
      arena.numbers().force_big())
    return nullptr;
  if (generation != fast->generation()) {
    const auto asked = [this](std::string_view name) {
      return options.fields.empty() ||
             std::find(options.fields.begin(), options.fields.end(), name) != options.fields.end();
    };
    generation = fast->generation();
    lanes = std::make_unique<LanePath>(model, owner.impl().index(), writer->fields(), fast->machine_kernel(),
                                       options.limits, asked("rubric"), asked("version"), asked("scoring_hash"),
                                       options.strict);
  }
  return lanes->usable() ? lanes.get() : nullptr;
}

void Evaluator::Impl::took(std::uint64_t records) {
  fast->record(records);
  statistics.records += records;
  statistics.kernel += records;
  statistics.steps += records * fast->machine()->kernel().code.size();
}

bool Evaluator::Impl::score_into(std::string_view json, std::string& out) {
  score_next(json, true);
  if (fast && !state.failed && !collecting && history.records.empty()) fast->learn(slots.data());
  out += state.json;
  return !state.failed;
}

const Verdict& Evaluator::score(std::string_view json) {
  impl_->score_next(json, false);
  impl_->verdict.state_ = &impl_->state;
  return impl_->verdict;
}

void forced_big(Evaluator& evaluator, bool on) {
  Evaluator::Impl& impl = *evaluator.impl_;
  for (Arena* arena : {&impl.arena, &impl.history.arena, &impl.request_history.arena})
    arena->numbers().set_force_big(on);
}

const Statistics& Evaluator::statistics() const { return impl_->statistics; }

namespace {

constexpr std::uint64_t Statistics::*kCounts[] = {&Statistics::records, &Statistics::rejected, &Statistics::exact_path,
                                                  &Statistics::steps,   &Statistics::kernel,   &Statistics::native};

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
