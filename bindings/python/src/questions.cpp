// Schemas, instructions and analyses: <assay/authoring.hpp> and <assay/analysis.hpp>. Answers are JSON or Markdown
// texts; the Python side reads them.
#include "module.hpp"

#include <assay/analysis.hpp>
#include <assay/authoring.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

namespace assay_python {

using namespace assay;

namespace {

nb::list texts(const std::vector<Printable>& sentences) {
  nb::list list;
  for (const Printable& sentence : sentences) list.append(text(sentence));
  return list;
}

// Returns (JSON, what the schema does not express, why there is no schema).
nb::tuple schema_of(const Rubric& rubric, bool verdict, bool judged, const nb::list& judged_too, const nb::list& only,
                    bool strict_subset) {
  SchemaOptions options;
  options.of = verdict ? SchemaOptions::Of::verdict : SchemaOptions::Of::record;
  options.judged = judged;
  options.judged_too = strings_of(judged_too);
  options.only = strings_of(only);
  options.strict_subset = strict_subset;
  const Schema schema = json_schema(rubric, options);
  return nb::make_tuple(text(schema.json), texts(schema.not_expressed), text(schema.problem));
}

// Returns (Markdown, why there is no prompt).
nb::tuple prompt_of(const Rubric& rubric, const std::string& dimension, const nb::list& contexts,
                    const nb::list& judged_too, const std::string& frame) {
  PromptOptions options;
  options.dimension = dimension;
  options.contexts = strings_of(contexts);
  options.judged_too = strings_of(judged_too);
  options.frame = frame;
  const Prompt prompt = judge_prompt(rubric, options);
  return nb::make_tuple(text(prompt.markdown), text(prompt.problem));
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_of(const nb::list& list) {
  Pairs pairs;
  for (nb::handle pair : list) pairs.emplace_back(bytes_of(nb::object(pair[0])), bytes_of(nb::object(pair[1])));
  return pairs;
}

// Python strings that are kept alive while their views are used without the interpreter's lock.
std::vector<std::string_view> views_of(const nb::list& list) {
  std::vector<std::string_view> views;
  for (nb::handle item : list) views.push_back(bytes_of(item));
  return views;
}

// Created for each call, which costs little compared to the analysis.
struct Asked {
  Rubric rubric;
  std::unique_ptr<Interrupt> interrupt = std::make_unique<Interrupt>();
  Analysis analysis;

  Asked(const Rubric& the_rubric, EvaluatorOptions options)
      : rubric(the_rubric), analysis(rubric, with_interrupt(std::move(options), *interrupt)) {}

  static EvaluatorOptions with_interrupt(EvaluatorOptions options, const Interrupt& interrupt) {
    options.interrupt = &interrupt;
    return options;
  }

  // Runs `question` on another thread and returns its answer as JSON. Meanwhile this thread waits without the
  // interpreter's lock and checks for signals, because an analysis may take long and Ctrl-C must end it.
  template <class Answer, class Question>
  nb::str answer(const Question& question) {
    Answer answer;
    std::string json;
    std::optional<InputError> error;
    Call call;
    unlocked_elsewhere(*interrupt, [&] {
      error = question(answer);
      if (!error) json = answer.json();
    });
    call.finish();
    if (error) raise_record_error(*error);
    return text(json);
  }
};

std::unique_ptr<Asked> ask(const Rubric& rubric, const nb::dict& limits, bool strict, double timeout) {
  EvaluatorOptions options;
  options.limits = limits_of(limits);
  options.strict = strict;
  auto made = std::make_unique<Asked>(rubric, std::move(options));
  if (!std::isnan(timeout)) set_timeout(*made->interrupt, timeout);
  return made;
}

// Rejects changes of unknown fields, which would silently have no effect.
void refuse_unknown(const Rubric& rubric, const Pairs& members) {
  for (const auto& [path, value] : members) {
    const std::optional<std::string> alone = with_member("{}", path, value);
    if (!alone) raise_record_error({path, "question", "'" + path + "' is not a path"});
    const std::vector<UnknownKey> unknown = rubric.unknown_keys(*alone);
    if (!unknown.empty()) raise_record_error({path, "unknown", unknown.front().message.str()});
  }
}

nb::str reach(Asked& self, nb::handle record, const std::string& target, const nb::list& costs, const nb::list& keep,
              const std::string& grid, std::size_t nodes, const nb::list& others) {
  ReachQuestion question;
  question.target = target;
  question.costs = pairs_of(costs);
  question.keep = strings_of(keep);
  question.grid = grid;
  question.nodes = nodes;
  question.others = views_of(others);
  const std::string_view json = bytes_of(record);
  return self.answer<Reach>([&](Reach& answer) { return self.analysis.reach(json, question, answer); });
}

nb::str sensitivity(Asked& self, const nb::list& records, std::uint32_t samples, std::uint64_t seed,
                    const std::string& noise, std::size_t most_reversals) {
  SensitivityOptions options;
  options.samples = samples;
  options.seed = seed;
  options.noise = noise;
  options.most_reversals = most_reversals;
  const std::vector<std::string_view> views = views_of(records);
  return self.answer<Sensitivity>(
      [&](Sensitivity& answer) { return self.analysis.sensitivity(views, options, answer); });
}

// `pairs`: tuples (id, judge, measure, rated, gold) of texts.
nb::str calibration(const nb::list& pairs, const nb::list& order, std::size_t floor, double confidence,
                    std::uint32_t resamples, std::uint64_t seed) {
  std::vector<RatedPair> rated;
  for (nb::handle row : pairs) {
    const auto cell = [&](int at) { return std::string(bytes_of(nb::object(row[at]))); };
    rated.push_back({cell(0), cell(1), cell(2), cell(3), cell(4)});
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> orders;
  for (nb::handle band : order)
    orders.emplace_back(bytes_of(nb::object(band[0])), strings_of(nb::cast<nb::list>(nb::object(band[1]))));
  CalibrationOptions options;
  options.floor = floor;
  options.confidence = confidence;
  options.resamples = resamples;
  options.seed = seed;
  std::string json;
  {
    const Running running(nullptr);
    const nb::gil_scoped_release lock_given;
    json = calibrate(rated, orders, options).json();
  }
  return text(json);
}

}  // namespace

void set_timeout(Interrupt& interrupt, double seconds) {
  if (std::isnan(seconds) || seconds < 0) throw nb::value_error("a timeout is a number of seconds, 0 or more");
  const std::chrono::duration<double> given(std::min(seconds, 1e8));
  interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::duration_cast<Interrupt::Clock::duration>(given));
}

void bind_questions(nb::module_& m) {
  m.def("schema", &schema_of, nb::arg("rubric"), nb::arg("verdict"), nb::arg("judged"), nb::arg("judged_too"),
        nb::arg("only"), nb::arg("strict_subset"));
  m.def("prompt", &prompt_of, nb::arg("rubric"), nb::arg("dimension"), nb::arg("contexts"), nb::arg("judged_too"),
        nb::arg("frame"));
  m.def("prompt_frame", [] { return text(prompt_frame()); });
  m.def("calibration", &calibration, nb::arg("pairs"), nb::arg("order"), nb::arg("floor"), nb::arg("confidence"),
        nb::arg("resamples"), nb::arg("seed"));
  nb::class_<Asked>(m, "Analysis")
      .def(nb::new_(&ask), nb::arg("rubric"), nb::arg("limits"), nb::arg("strict"), nb::arg("timeout"))
      .def("configure",
           [](Asked& self, const nb::list& contexts, const nb::list& weights) {
             if (const auto error = self.analysis.configure(settings_of(contexts, weights))) raise_record_error(*error);
           })
      .def("set_history", [](Asked& self, const nb::list& records) { self.analysis.set_history(strings_of(records)); })
      .def("what_if",
           [](Asked& self, nb::handle record, const nb::list& members) {
             const std::string_view json = bytes_of(record);
             const Pairs pairs = pairs_of(members);
             refuse_unknown(self.rubric, pairs);
             return self.answer<WhatIf>([&](WhatIf& answer) { return self.analysis.what_if(json, pairs, answer); });
           })
      .def("reach", &reach, nb::arg("record"), nb::arg("target"), nb::arg("costs"), nb::arg("keep"), nb::arg("grid"),
           nb::arg("nodes"), nb::arg("others"))
      .def("sensitivity", &sensitivity, nb::arg("records"), nb::arg("samples"), nb::arg("seed"), nb::arg("noise"),
           nb::arg("most_reversals"))
      .def("versus",
           [](Asked& self, nb::handle p, nb::handle q) {
             const std::string_view first = bytes_of(p), second = bytes_of(q);
             return self.answer<Versus>([&](Versus& answer) { return self.analysis.versus(first, second, answer); });
           })
      .def("wrong_rating", [](Asked& self, const std::string& measure,
                              const std::string& rating) { return text(self.analysis.wrong_rating(measure, rating)); })
      .def("bands", [](Asked& self) {
        nb::list list;
        for (const BandOrder& band : self.analysis.bands()) {
          nb::list names;
          for (const std::string& name : band.worst_first) names.append(text(name));
          list.append(nb::make_tuple(text(band.name), names));
        }
        return list;
      });
}

}  // namespace assay_python
