// Computes a cohort's values and places, and saves both.
#include "runtime/cohort/frozen.hpp"

#include "lang/bytecode/compile.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/cohort/rank_order.hpp"
#include "runtime/cohort/value_codec.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/output/report.hpp"
#include "runtime/vm/vm.hpp"

#include <algorithm>

namespace assay {

namespace {

// An item of the list `rejected`.
Value rejection(const KeptRejection& one, Arena& arena) {
  const auto count = static_cast<std::uint32_t>(one.faults.size());
  Value* const errors = arena.array<Value>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    Value* const error = arena.array<Value>(3);
    error[0] = make_text(arena.copy(one.faults[i].path));
    error[1] = make_text(arena.copy(one.faults[i].code));
    error[2] = make_text(arena.copy(one.faults[i].message));
    errors[i] = make_record(error, 3);
  }
  Value* const fields = arena.array<Value>(3);
  fields[0] = one.id;
  fields[1] = errors[0];
  fields[2] = make_list(errors, count);
  return make_record(fields, 3);
}

// Computes the values of the pseudo-rubric of the cohort block. False: `error`.
bool compute(CohortStore& store, CohortRun& run, FrozenCohort::Impl& frozen, InputError& error) {
  const Model& model = store.model();
  const RubricModel& rubric = store.rubric();
  const RubricModel& cohort = model.rubrics[static_cast<std::size_t>(rubric.cohort.rubric)];
  std::vector<int> roots;
  for (const VerdictField& field : cohort.verdict.fields) roots.push_back(field.item);
  roots.insert(roots.end(), rubric.cohort.handed.begin(), rubric.cohort.handed.end());
  frozen.program = compile(frozen.owner.impl().model, rubric.cohort.rubric, roots, true);

  Arena& arena = *frozen.own;
  const auto count = static_cast<std::uint32_t>(store.verdicts().size());
  Value slots[2] = {missing_value(), missing_value()};
  Value* const verdicts = arena.array<Value>(count);
  for (std::uint32_t i = 0; i < count; ++i) verdicts[i] = store.verdicts()[i].fields;
  slots[0] = make_list(verdicts, count);
  if (store.reads_rejected()) {
    const auto rejected = static_cast<std::uint32_t>(store.rejections().size());
    Value* const rejections = arena.array<Value>(rejected);
    for (std::uint32_t i = 0; i < rejected; ++i) rejections[i] = rejection(store.rejections()[i], arena);
    slots[1] = make_list(rejections, rejected);
  }
  Vm vm;
  vm.limits = machine_limits(run.limits, run.interrupt);
  // A statistic over all records takes more steps the more records there are.
  const std::uint64_t records = std::max<std::uint64_t>(1, store.verdicts().size());
  vm.limits.steps = run.limits.steps > UINT64_MAX / records ? UINT64_MAX : run.limits.steps * records;
  const std::unique_ptr<HookRunner> hooks = hook_runner(frozen.owner.impl(), run.limits, run.interrupt);
  vm.hooks = hooks.get();
  VmInputs inputs;
  inputs.slots = slots;
  std::vector<Value> results(roots.size() + 1, missing_value());
  RunError failure;
  if (hooks) hooks->begin();
  const bool good = vm.run(*frozen.program, inputs, arena, results.data(), failure);
  if (hooks) hooks->end();
  run.steps = vm.steps();
  if (!good) {
    error = {failure.path, failure.code, failure.message};
    return false;
  }
  VerdictWriter writer(model, rubric.cohort.rubric, cohort.verdict.fields, false, false, false);
  writer.watch(run.interrupt);
  std::vector<FieldSpan> spans;
  if (!writer.write(results.data(), frozen.outputs, spans, run.limits.output_bytes, error)) return false;
  frozen.handed.assign(results.begin() + static_cast<std::ptrdiff_t>(cohort.verdict.fields.size()),
                       results.begin() + static_cast<std::ptrdiff_t>(roots.size()));
  return true;
}

bool order_places(const CohortStore& store, const CohortRun& run, FrozenCohort::Impl& frozen, InputError& error) {
  if (!store.places()) return true;
  std::vector<const Value*> all;
  for (const KeptVerdict& one : store.verdicts()) {
    if (one.eligible) all.push_back(one.keys);
  }
  std::uint32_t comparisons = 0;
  bool stopped = false;  // then the order does not matter, and all compare as equal
  const auto order = [&](const Value* a, const Value* b) {
    stopped = stopped || ((++comparisons & 0xfff) == 0 && interrupted(run.interrupt));
    return stopped ? 0 : compare_places(store.model().types, store.rubric(), a, b);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Value* a, const Value* b) { return order(a, b) < 0; });
  for (std::size_t i = 0; i < all.size() && !stopped; ++i) {
    if (i > 0 && order(all[i - 1], all[i]) == 0) continue;
    frozen.keys.push_back(all[i]);
    frozen.better.push_back(i);
  }
  if (!stopped) frozen.better.push_back(all.size());
  if (!stopped) return true;
  const Interrupt::State state = interrupt_state(run.interrupt);
  error = {"", interrupt_code(state), interrupt_message(state)};
  return false;
}

}  // namespace

VmLimits machine_limits(const Limits& limits, const Interrupt* interrupt) {
  VmLimits result;
  result.steps = limits.steps;
  result.depth = limits.depth;
  result.memory = limits.memory_bytes;
  result.interrupt = interrupt;
  return result;
}

std::unique_ptr<HookRunner> hook_runner(const Rubric::Impl& rubric, const Limits& limits, const Interrupt* interrupt) {
  if (!rubric.hooks) return nullptr;
  return std::make_unique<HookRunner>(rubric.hooks, limits, *rubric.model, interrupt);
}

std::uint64_t FrozenCohort::Impl::place(const Value* of) const {
  const Model& model = *owner.impl().model;
  const RubricModel& rubric = owner.impl().rubric();
  const auto at = std::lower_bound(keys.begin(), keys.end(), of, [&](const Value* a, const Value* b) {
    return compare_places(model.types, rubric, a, b) < 0;
  });
  return 1 + better[static_cast<std::size_t>(at - keys.begin())];
}

std::shared_ptr<FrozenCohort::Impl> freeze(CohortStore& store, CohortRun& run, InputError& error) {
  if (store.full() != nullptr) {
    error = *store.full();
    return nullptr;
  }
  auto frozen = std::make_shared<FrozenCohort::Impl>(store.owner());
  store.sort();
  frozen->arenas = store.arenas();
  frozen->own = std::make_shared<Arena>();
  frozen->verdicts = store.verdicts().size();
  if (!compute(store, run, *frozen, error) || !order_places(store, run, *frozen, error)) return nullptr;
  return frozen;
}

bool seal(FrozenCohort::Impl& frozen, const Limits& limits, InputError& error) {
  const Rubric::Impl& impl = frozen.owner.impl();
  const TypeTable& types = impl.model->types;
  const RubricModel& rubric = impl.rubric();
  std::size_t left = limits.memory_bytes;
  for (std::size_t i = 0; i < frozen.handed.size(); ++i) {
    const RubricModel& cohort = impl.model->rubrics[static_cast<std::size_t>(rubric.cohort.rubric)];
    const Item& item = cohort.items[static_cast<std::size_t>(rubric.cohort.handed[i])];
    const std::size_t size = deep_size(types, item.type, frozen.handed[i], left);
    if (size > left) {
      const std::string what = "'" + item.name + "', which the cohort gives to each verdict, takes";
      error = {"", "limit", limit_message(what, limits.memory_bytes, "bytes", "memory_bytes")};
      return false;
    }
    left -= size;
  }
  std::string& out = frozen.saved;
  out = saved_head(SavedKind::frozen, impl);
  encode_count(frozen.verdicts, out);
  encode_text(frozen.outputs, out);
  for (std::size_t i = 0; i < frozen.handed.size(); ++i) {
    const RubricModel& cohort = impl.model->rubrics[static_cast<std::size_t>(rubric.cohort.rubric)];
    encode(types, cohort.items[static_cast<std::size_t>(rubric.cohort.handed[i])].type, frozen.handed[i], out);
  }
  if (rubric.cohort.places) {
    encode_count(frozen.keys.size(), out);
    for (std::size_t i = 0; i < frozen.keys.size(); ++i) {
      for (std::size_t k = 0; k < rubric.rank.size(); ++k)
        encode(types, rubric.items[static_cast<std::size_t>(rubric.rank[k].item)].type, frozen.keys[i][k], out);
      encode_count(frozen.better[i + 1] - frozen.better[i], out);
    }
  }
  seal(out);
  frozen.hash = out.substr(out.size() - 16);
  return true;
}

std::optional<FrozenCohort> FrozenCohort::load(const Rubric& rubric, std::string_view bytes, InputError& error) {
  std::string problem;
  const auto fail = [&](std::string message) -> std::optional<FrozenCohort> {
    error = {"", "cohort", std::move(message)};
    return std::nullopt;
  };
  const Rubric::Impl& impl = rubric.impl();
  if (!rubric.has_cohort()) return fail("rubric '" + rubric.name() + "' has no cohort block");
  const std::optional<std::string_view> inside = unseal(bytes, SavedKind::frozen, impl, problem);
  if (!inside) return fail(problem);
  auto frozen = std::make_shared<Impl>(rubric);
  frozen->own = std::make_shared<Arena>();
  Arena& arena = *frozen->own;
  const TypeTable& types = impl.model->types;
  const RubricModel& model = impl.rubric();
  const RubricModel& cohort = impl.model->rubrics[static_cast<std::size_t>(model.cohort.rubric)];
  Decoder in(*inside);
  std::uint64_t count = 0;
  std::string_view outputs;
  const std::string damaged = "the saved cohort is damaged";
  if (!in.count(count) || !in.text(outputs)) return fail(damaged);
  frozen->verdicts = static_cast<std::size_t>(count);
  frozen->outputs = outputs;
  for (const int item : model.cohort.handed) {
    const Item& of = cohort.items[static_cast<std::size_t>(item)];
    frozen->handed.push_back(missing_value());
    if (!in.value(types, of.type, arena, frozen->handed.back())) return fail(damaged);
    if (frozen->handed.back().missing() && !of.optional) return fail(damaged);
  }
  if (model.cohort.places) {
    if (!in.count(count)) return fail(damaged);
    frozen->better.push_back(0);
    for (std::uint64_t i = 0; i < count; ++i) {
      Value* const keys = arena.array<Value>(model.rank.size());
      for (std::size_t k = 0; k < model.rank.size(); ++k) {
        const TypeId type = model.items[static_cast<std::size_t>(model.rank[k].item)].type;
        if (!in.value(types, type, arena, keys[k])) return fail(damaged);
      }
      std::uint64_t equal = 0;
      if (!in.count(equal) || equal > frozen->verdicts) return fail(damaged);
      if (i > 0 && compare_places(impl.model->types, model, frozen->keys.back(), keys) >= 0) return fail(damaged);
      frozen->keys.push_back(keys);
      frozen->better.push_back(frozen->better.back() + equal);
    }
  }
  if (!in.done()) return fail(damaged);
  frozen->saved = bytes;
  frozen->hash = bytes.substr(bytes.size() - 16);
  return FrozenCohort(std::move(frozen));
}

std::string_view FrozenCohort::outputs() const { return impl_->outputs; }
std::size_t FrozenCohort::verdicts() const { return impl_->verdicts; }
const std::string& FrozenCohort::hash() const { return impl_->hash; }
const std::string& FrozenCohort::save() const { return impl_->saved; }

}  // namespace assay
