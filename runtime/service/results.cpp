// Results of examples, shown beside the text: lenses above examples and rubrics, hints with values and effective
// weights.
#include "runtime/service/service_impl.hpp"

#include "runtime/engine/settings.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

namespace assay {

std::vector<Lens> Service::lenses(const std::string& name) {
  std::vector<Lens> found;
  TextAnalysis* analysis = impl_->analysis(name);
  if (analysis == nullptr || analysis->main() == nullptr) return found;
  const std::vector<ExampleResult>& results = run_examples(*analysis);
  if (results.empty()) return found;
  const std::size_t passed = static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [](const ExampleResult& r) { return r.passed; }));
  const RubricModel& rubric = *analysis->main();
  if (rubric.span.file == 0) {
    found.push_back({range_of(rubric.span),
                     std::to_string(passed) + " of " + std::to_string(results.size()) +
                         (results.size() == 1 ? " example holds" : " examples hold"),
                     Lens::Does::nothing,
                     {}});
  }
  const Document& document = *impl_->find(name);
  for (std::size_t i = 0; i < results.size() && i < rubric.examples.size(); ++i) {
    const ExampleModel& example = rubric.examples[i];
    if (example.span.file != 0) continue;
    std::string title = results[i].passed ? "\u2713 holds" : "\u2717 does not hold";
    if (!results[i].passed && !results[i].differences.empty())
      title += ": " + shorten(results[i].differences.front().str(), 80);
    found.push_back({range_of(example.span), title, Lens::Does::nothing, {}});
    const bool record = !example.given.empty() && example.given.front() == '{' && !example.error;
    const bool shown = document.example == example.name || (document.example.empty() && i == 0);
    if (record)
      found.push_back(
          {range_of(example.span), shown ? "values shown" : "show values", Lens::Does::choose_example, example.name});
  }
  return found;
}

namespace {

const ExampleModel* chosen(const Document& document, const RubricModel& rubric) {
  const ExampleModel* first = nullptr;
  for (const ExampleModel& example : rubric.examples) {
    const bool record = !example.given.empty() && example.given.front() == '{' && !example.error;
    if (!record) continue;
    if (example.name == document.example) return &example;
    if (first == nullptr) first = &example;
  }
  return first;
}

Settings settings_of(const ExampleModel& example) {
  Settings settings;
  JsonNode node;
  JsonProblem problem;
  if (!example.context.empty() && parse_json(example.context, node, problem)) {
    for (const JsonNode& item : node.items) settings.contexts.emplace_back(item.text);
  }
  JsonNode weights;
  if (!example.weights.empty() && parse_json(example.weights, weights, problem)) {
    for (const auto& [key, value] : weights.members) settings.weights.emplace_back(key, std::string(value.raw));
  }
  return settings;
}

// Applies the context, the weights and the history of an example.
std::optional<InputError> prepare(Evaluator& evaluator, const ExampleModel& example) {
  if (std::optional<InputError> error = evaluator.configure(settings_of(example))) return error;
  JsonNode history;
  JsonProblem problem;
  if (!example.history.empty() && parse_json(example.history, history, problem)) {
    std::vector<std::string> records;
    for (const JsonNode& record : history.items) {
      std::string json;
      write_json(record, json);
      records.push_back(std::move(json));
    }
    evaluator.set_history(std::move(records));
  }
  return std::nullopt;
}

const std::vector<std::string>& values_of(TextAnalysis& analysis, const ExampleModel& example) {
  const auto [entry, fresh] = analysis.values.try_emplace(example.name);
  if (!fresh) return entry->second;
  Evaluator evaluator{Rubric(analysis.impl)};
  if (!prepare(evaluator, example)) entry->second = item_values(evaluator, example.given);
  return entry->second;
}

std::string told(const InputError& error) {
  return error.path.empty() ? error.message.str() : error.path.str() + ": " + error.message.str();
}

// `example` may be null: only the record is used.
void score_into(ScoredRecord& scored, const Rubric& rubric, const ExampleModel* example) {
  constexpr auto kLongest = std::chrono::seconds(2);  // a user is waiting
  Interrupt interrupt;
  interrupt.set_deadline(Interrupt::Clock::now() + kLongest);
  EvaluatorOptions options;
  options.interrupt = &interrupt;
  // Two evaluators: with 'history by', the second evaluation would see the first as an earlier record.
  Evaluator scoring(rubric, options), explaining(rubric, options);
  for (Evaluator* evaluator : {&scoring, &explaining}) {
    const std::optional<InputError> error = example != nullptr ? prepare(*evaluator, *example) : std::nullopt;
    if (error) {
      scored.problem = told(*error);
      return;
    }
  }
  const Verdict& verdict = scoring.score(scored.record);
  if (const InputError* error = verdict.error()) {
    scored.problem = told(*error);
    return;
  }
  scored.verdict = verdict.json();
  scored.explanation = explaining.explain(scored.record);
}

}  // namespace

std::vector<Hint> Service::hints(const std::string& name, TextRange range) {
  std::vector<Hint> found;
  TextAnalysis* analysis = impl_->analysis(name);
  if (analysis == nullptr || !analysis->good || analysis->main() == nullptr) return found;
  const RubricModel& rubric = *analysis->main();
  const ExampleModel* example = chosen(*impl_->find(name), rubric);
  if (example == nullptr) return found;
  const std::vector<std::string>& values = values_of(*analysis, *example);
  const std::string of = "in the example \"" + example->name + "\"";
  for (std::size_t i = 0; i < rubric.items.size() && i < values.size(); ++i) {
    const Item& item = rubric.items[i];
    const bool shown = item.kind == ItemKind::let || item.kind == ItemKind::dimension || item.kind == ItemKind::part ||
                       item.kind == ItemKind::band || item.kind == ItemKind::output || item.kind == ItemKind::gate;
    const bool named =
        item.span.file == 0 && item.span.end > item.span.begin && analysis->sources().text(item.span) == item.name;
    if (!shown || !named || values[i].empty() || item.span.end < range.begin || item.span.begin > range.end) continue;
    const bool twice = std::any_of(found.begin(), found.end(), [&](const Hint& h) { return h.at == item.span.end; });
    if (!twice) found.push_back({item.span.end, " = " + shorten(values[i], 40), values[i] + " " + of});
  }
  // Weights set by a context or by the example.
  const Settings settings = settings_of(*example);
  if (!settings.contexts.empty() || !settings.weights.empty()) {
    NumberPool pool;
    std::vector<Number> weights;
    if (!apply_settings(rubric, settings, pool, weights)) {
      for (std::size_t i = 0; i < weights.size() && i < rubric.weighting.weights.size(); ++i) {
        const WeightModel& weight = rubric.weighting.weights[i];
        const bool same = weights[i].missing() || compare(weights[i], weight.value) == 0;
        if (same || weight.span.file != 0 || weight.span.end < range.begin || weight.span.begin > range.end) continue;
        std::string text;
        write_shortest(weights[i], text);
        found.push_back({weight.span.end, " weight " + text, "the weight in force " + of});
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const Hint& a, const Hint& b) { return a.at < b.at; });
  return found;
}

namespace {

// The analysis to score with; null if there is none, with the problem.
TextAnalysis* scoring_analysis(Service::Impl& impl, const std::string& name, ScoredRecord& scored) {
  TextAnalysis* analysis = impl.best(name);
  if (analysis == nullptr) {
    scored.problem = "'" + name + "' is not open";
  } else if (!analysis->good || analysis->main() == nullptr) {
    scored.problem = analysis->good ? "this file declares no rubric" : "the rubric has errors, so it cannot score";
    analysis = nullptr;
  } else {
    scored.earlier = analysis != impl.analysis(name);
  }
  return analysis;
}

}  // namespace

ScoredRecord Service::score_example(const std::string& name, std::string_view wanted) {
  ScoredRecord scored;
  TextAnalysis* analysis = scoring_analysis(*impl_, name, scored);
  if (analysis == nullptr) return scored;
  const ExampleModel* example = wanted.empty() ? chosen(*impl_->find(name), *analysis->main()) : nullptr;
  for (const ExampleModel& one : analysis->main()->examples) {
    if (!wanted.empty() && one.name == wanted) example = &one;
  }
  if (example == nullptr) {
    scored.problem = wanted.empty() ? "this rubric has no example that gives a record"
                                    : "this rubric has no example \"" + std::string(wanted) + "\"";
    return scored;
  }
  scored.example = example->name;
  scored.record = example->given;
  score_into(scored, Rubric(analysis->impl), example);
  return scored;
}

ScoredRecord Service::score_record(const std::string& name, std::string_view json) {
  ScoredRecord scored;
  scored.record = json;
  if (TextAnalysis* analysis = scoring_analysis(*impl_, name, scored))
    score_into(scored, Rubric(analysis->impl), nullptr);
  return scored;
}

std::optional<Rubric> Service::rubric(const std::string& name) {
  ScoredRecord unused;
  TextAnalysis* analysis = scoring_analysis(*impl_, name, unused);
  if (analysis == nullptr) return std::nullopt;
  return Rubric(analysis->impl);
}

}  // namespace assay
