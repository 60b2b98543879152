// Evaluator::explain: evaluates a record with a trace, and writes the text.
#include "runtime/explain/explanation.hpp"
#include "runtime/json/json_tree.hpp"

namespace assay {

std::string Evaluator::explain(std::string_view record, std::string_view name, bool* unknown) {
  return explain(record, name, std::vector<std::string>(), unknown);
}

std::string Evaluator::explain(std::string_view record, std::string_view name, const std::vector<std::string>& open,
                               bool* unknown) {
  Impl& impl = *impl_;
  const auto rejected = [](const InputError& error) {
    return "The record is rejected" + (error.path.empty() ? "" : " at " + error.path) + ": " + error.message + "\n";
  };
  if (impl.history.error()) return rejected(*impl.history.error());
  impl.score_alone(record, impl.weights.values, impl.history.earlier(), false);
  if (impl.result.state.failed) return rejected(impl.result.state.error);
  constexpr std::size_t kFolded = 5000;  // nodes of one item, if nothing is opened
  TraceLimits limits;
  if (open.empty()) limits.item = kFolded;
  Trace trace(impl.rubric, limits);
  std::vector<HookCall> calls;
  if (impl.hooks) impl.hooks->trace(&calls);
  std::vector<Value> items;
  InputError error;
  const bool good = run_traced(impl, trace, items, error);
  if (impl.hooks) impl.hooks->trace(nullptr);
  if (!good) return rejected(error);

  JsonNode node;
  JsonProblem problem;
  parse_json(record, node, problem, 1, kMostNesting, impl.options.interrupt);
  Explained what{impl.owner.impl(),
                 trace,
                 {},
                 impl.slots.data(),
                 items.data(),
                 impl.weights.values.empty() ? nullptr : impl.weights.values.data(),
                 impl.result.state.json,
                 std::move(calls),
                 {open.begin(), open.end()},
                 impl.options.limits.output_bytes,
                 impl.cohort.each.get(),
                 impl.options.interrupt};
  for (const Slot& slot : impl.rubric.slots) {
    const JsonNode* member = node.find(slot.name);
    what.given.push_back(member != nullptr && !member->is(JsonNode::Kind::null));
  }
  ExplanationText explanation(what);
  if (std::string nothing = explanation.nothing_to_open(); !nothing.empty()) {
    if (unknown != nullptr) *unknown = true;
    return nothing;
  }
  bool none = false;
  std::string text = name.empty() ? explanation.whole() : explanation.single(name, none);
  if (impl.interrupted(error)) return rejected(error);
  if (none && unknown != nullptr) *unknown = true;
  return text;
}

}  // namespace assay
