// Examines one record: the values of its items, and expressions that are not part of the rubric.
#include "lang/bytecode/compile.hpp"
#include "lang/bytecode/needs.hpp"
#include "lang/check/check.hpp"
#include "lang/parse/parse.hpp"
#include "lang/value/constant_text.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/engine/compile_stages.hpp"
#include "runtime/engine/evaluator.hpp"

#include <algorithm>
#include <vector>

namespace assay {

std::vector<std::string> item_values(Evaluator& evaluator, std::string_view record) {
  Evaluator::Impl& impl = *evaluator.impl_;
  std::vector<std::string> texts;
  if (impl.history.error()) return texts;
  impl.score_alone(record, impl.weights.values, impl.history.earlier(), false);
  if (impl.result.state.failed) return texts;
  const std::vector<Item>& items = impl.rubric.items;
  Plan plan;
  std::vector<std::size_t> places;  // items by root
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].body == nullptr || items[i].kind == ItemKind::input || items[i].kind == ItemKind::hidden) continue;
    plan.roots.push_back(static_cast<int>(i));
    places.push_back(i);
  }
  plan.build(impl.owner.impl().model, impl.owner.impl().index());
  InputError error;
  const Earlier earlier{impl.history.or_series(impl.history.earlier(), impl.slots.data()).records, nullptr};
  if (!impl.run(plan, impl.weights.values, earlier, error)) return texts;
  texts.resize(items.size());
  ValueWriter writer(impl.model.types);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string& text = texts[places[i]];
    if (!writer.write(items[places[i]].type, plan.results[i], kSignificant, text, impl.options.limits.output_bytes))
      text.clear();
  }
  return texts;
}

CompiledExpression* Evaluator::Impl::compiled_expression(std::string_view text, std::vector<Diagnostic>& told) {
  const auto known = std::find_if(expressions.begin(), expressions.end(),
                                  [text](const CompiledExpression& one) { return one.text == text; });
  if (known != expressions.end()) {
    told = known->diagnostics;
    return &*known;
  }
  const Rubric::Impl& compiled = owner.impl();
  Sources sources = compiled.sources;  // a copy: the expression is one more text
  const std::uint32_t file = sources.add("expression", std::string(text));
  Diagnostics diagnostics(sources);
  Budget budget(compiled.options.limits, options.interrupt);
  CompiledExpression made;
  try {
    const ast::ExprPtr parsed = parse_expression(sources, file, diagnostics, budget);
    if (parsed && !diagnostics.has_errors()) {
      made.model = check_with_expression(compiled.file, sources, importer(compiled.options), diagnostics, budget,
                                         compiled.options.limits.source_bytes, parsed.get(), made.item);
    }
  } catch (const OutOfBudget& out) {
    report(out, budget, diagnostics);
    told = diagnostics.take();
    return nullptr;
  }
  const bool good = made.model && made.item >= 0 && !diagnostics.has_errors();
  for (Diagnostic& diagnostic : diagnostics.take()) {  // warnings about the rubric itself were reported before
    if (!good || diagnostic.at.file == "expression") made.diagnostics.push_back(std::move(diagnostic));
  }
  told = made.diagnostics;
  if (!good) return nullptr;
  made.text = text;
  made.needs = needs_of(*made.model, made.model->main, made.item);
  made.plan.add(made.item);
  made.plan.build(made.model, made.model->main);
  if (expressions.size() == kMostExpressions) expressions.erase(expressions.begin());
  expressions.push_back(std::move(made));
  return &expressions.back();
}

Evaluator::Evaluated Evaluator::evaluate(std::string_view expression, std::string_view record) {
  Impl& impl = *impl_;
  Evaluated result;
  CompiledExpression* compiled = impl.compiled_expression(expression, result.diagnostics);
  if (compiled == nullptr) return result;
  const std::shared_ptr<const Model>& model = compiled->model;
  const TypeId type =
      model->rubrics[static_cast<std::size_t>(model->main)].items[static_cast<std::size_t>(compiled->item)].type;
  result.type = model->types.str(type);
  const Needs& needs = compiled->needs;
  // Whether the value depends on this path of the record.
  const auto concerns = [&](std::string_view path) {
    const std::string_view name = path.substr(0, path.find_first_of(".["));
    const std::vector<Slot>& slots = model->rubrics[static_cast<std::size_t>(model->main)].slots;
    return std::any_of(needs.slots.begin(), needs.slots.end(),
                       [&](int slot) { return name.empty() || slots[static_cast<std::size_t>(slot)].name == name; });
  };
  // An unknown key may be meant for any input.
  const auto stray = [&](const InputError& one) {
    const std::string_view path = one.path.str(), name = path.substr(0, path.find_first_of(".["));
    const std::vector<Slot>& slots = model->rubrics[static_cast<std::size_t>(model->main)].slots;
    return one.code == "unknown" && !needs.slots.empty() &&
           std::none_of(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.name == name; });
  };
  impl.arena.reset();
  InputError error;
  std::vector<InputError> faults;
  InputReader reader(*model, model->main, impl.options.limits, true, impl.options.strict);
  reader.watch(impl.options.interrupt);
  bool rules = true;  // check the rules of the record
  bool good_record = reader.read_around(record, impl.slots.data(), impl.arena, error, faults);
  if (!good_record && needs.slots.empty() && !needs.history &&
      interrupt_state(impl.options.interrupt) == Interrupt::State::none) {
    std::fill(impl.slots.begin(), impl.slots.end(), missing_value());
    faults.clear();
    rules = false;
    good_record = true;
  }
  const auto fault = std::find_if(faults.begin(), faults.end(),
                                  [&](const InputError& one) { return stray(one) || concerns(one.path.str()); });
  if (fault != faults.end()) error = *fault;
  const bool history = needs.history && impl.history.error();
  if (history || !good_record || fault != faults.end()) {
    result.error = history ? *impl.history.error() : error;
    return result;
  }
  const Earlier earlier{impl.history.error() ? missing_value() : impl.history.value(), nullptr};
  rules = rules && faults.empty();
  Plan without_rules;
  Plan* plan = &compiled->plan;
  bool done = rules && impl.run(*plan, impl.weights.values, earlier, error);
  if (!done && (!rules || ((error.code == "rule" || error.code == "required") && !concerns(error.path.str())))) {
    plan = &without_rules;  // of other inputs
    plan->add(compiled->item);
    plan->build(model, model->main, false);
    error = {};
    done = impl.run(*plan, impl.weights.values, earlier, error);
  }
  if (!done) {
    result.error = std::move(error);
    return result;
  }
  ValueWriter writer(model->types);
  writer.watch(impl.options.interrupt);
  const std::size_t most = impl.options.limits.output_bytes;
  if (!writer.write(type, plan->results[0], kSignificant, result.value, most)) {
    result.value.clear();
    result.error = writer.error("the value", most);
    return result;
  }
  constexpr std::size_t kMostLiteral = std::size_t{1} << 16;
  if (!write_literal(model->types, type, plan->results[0], result.literal, kMostLiteral)) result.literal.clear();
  return result;
}

}  // namespace assay
