// Looking into one record: the values of its items, and expressions that the rubric does not hold.
#include "lang/bytecode/compile.hpp"
#include "lang/check/check.hpp"
#include "lang/syntax/parse.hpp"
#include "runtime/engine/compile_stages.hpp"
#include "runtime/engine/evaluator.hpp"

namespace assay {

std::vector<std::string> item_values(Evaluator& evaluator, std::string_view record) {
  Evaluator::Impl& impl = *evaluator.impl_;
  std::vector<std::string> texts;
  if (impl.history.error()) return texts;
  impl.score_one(record, impl.weights, impl.history.earlier());
  if (impl.state.failed) return texts;
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
  if (!impl.run(plan, impl.weights, earlier, error)) return texts;
  texts.resize(items.size());
  ValueWriter writer(impl.model.types);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string& text = texts[places[i]];
    if (!writer.write(items[places[i]].type, plan.results[i], kSignificant, text, impl.options.limits.output_bytes))
      text.clear();
  }
  return texts;
}

Evaluator::Evaluated Evaluator::evaluate(std::string_view expression, std::string_view record) {
  Impl& impl = *impl_;
  const Rubric::Impl& rubric = impl.owner.impl();
  Evaluated result;
  Sources sources = rubric.sources;  // a copy: the expression is one more text
  const std::uint32_t file = sources.add("expression", std::string(expression));
  Diagnostics diagnostics(sources);
  Budget budget(rubric.options.limits, impl.options.interrupt);
  ast::ExprPtr parsed;
  int item = -1;
  std::shared_ptr<const Model> model;
  try {
    parsed = parse_expression(sources, file, diagnostics, budget);
    if (parsed && !diagnostics.has_errors()) {
      model = check_with_expression(rubric.file, sources, importer(rubric.options), diagnostics, budget,
                                    rubric.options.limits.source_bytes, parsed.get(), item);
    }
  } catch (const OutOfBudget& out) {
    report(out, budget, diagnostics);
    for (Diagnostic& diagnostic : diagnostics.take()) result.diagnostics.push_back(std::move(diagnostic));
    return result;
  }
  const bool good = model && item >= 0 && !diagnostics.has_errors();
  for (Diagnostic& diagnostic : diagnostics.take()) {  // warnings about the rubric itself are not news
    if (!good || diagnostic.at.file == "expression") result.diagnostics.push_back(std::move(diagnostic));
  }
  if (!good) return result;

  const TypeId type = model->rubrics[static_cast<std::size_t>(model->main)].items[static_cast<std::size_t>(item)].type;
  result.type = model->types.str(type);
  Plan plan;
  plan.add(item);
  plan.build(model, model->main);
  impl.arena.reset();
  InputError error;
  InputReader reader(*model, model->main, impl.options.limits, true, impl.options.strict);
  reader.watch(impl.options.interrupt);
  if (impl.history.error()) {
    result.error = impl.history.error();
  } else if (!reader.read(record, impl.slots.data(), impl.arena, false, error) ||
             !impl.run(plan, impl.weights, {impl.history.value(), nullptr}, error)) {
    result.error = std::move(error);
  } else {
    ValueWriter writer(model->types);
    writer.watch(impl.options.interrupt);
    const std::size_t most = impl.options.limits.output_bytes;
    if (!writer.write(type, plan.results[0], kSignificant, result.value, most)) {
      result.value.clear();
      result.error = writer.error("the value", most);
    }
  }
  return result;
}

}  // namespace assay
