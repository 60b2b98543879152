// assay whatif: what changes if a record has other values.
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

static Document what_if_document(const WhatIf& answer) {
  Document document;
  document.heading("What if" + (answer.id.empty() ? "" : " " + answer.id) + ":");
  for (const FieldChange& change : answer.set)
    document.line(change.path + ": " + bare(change.before) + " → " + bare(change.after));
  if (answer.set.empty()) document.line("The record holds these values already.");
  document.heading(answer.changes.empty() ? "Nothing changes." : "What changes:");
  TextTable table;
  table.header = {"stage", "name", "before", "after", "because"};
  for (const ValueChange& change : answer.changes) {
    std::string because;
    for (const std::string& name : change.because) because += (because.empty() ? "" : ", ") + name;
    for (const FieldChange& set : answer.set) {
      if (because.empty() && set.path.substr(0, set.path.find_first_of(".[")) == change.name) because = "as set";
    }
    table.rows.push_back({change.stage, change.name, bare(change.before), bare(change.after), because});
  }
  if (!table.rows.empty()) document.table(std::move(table));
  return document;
}

// "price=9", of the first input that holds a number, or else of the first one.
static std::string sample_set(const Rubric& rubric) {
  const std::vector<InputInfo> inputs = rubric.inputs();
  for (const InputInfo& input : inputs) {
    if (input.type.starts_with("number") || input.type.starts_with("whole"))
      return input.name + "=" + (input.type.ends_with("..1") ? "0.5" : "9");
  }
  return inputs.empty() ? "FIELD=VALUE" : inputs.front().name + "=VALUE";
}

int what_if(const WhatIfOptions& options) {
  int code = kDone;
  std::optional<Questioning> q = Questioning::open(options.question, code);
  return q ? what_if(*q, options) : code;
}

int what_if(Questioning& q, const WhatIfOptions& options) {
  int code = kDone;
  if (options.sets.empty()) return refuse("say what changes: --set " + sample_set(q.rubric()));
  std::string problem;
  const std::optional<std::vector<Assignment>> sets = assignments(options.sets, {&q.rubric()}, problem);
  if (!sets) return refuse(problem);
  std::string record, place;
  if (!q.pick(options.question, record, place, code)) return code;

  WhatIf answer;
  const std::optional<InputError> error = q.analysis().what_if(record, *sets, answer);
  if (interrupted()) return kRefused;
  if (error) {
    say(place_message(place, *error));
    return kRejected;
  }
  return write_answer(options.question, what_if_document(answer), answer.json(), kDone);
}

}  // namespace assay::cli
