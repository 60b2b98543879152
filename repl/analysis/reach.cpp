// assay reach: the smallest changes with which a record reaches a target.
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

namespace {

void tell(Document& document, const std::string& heading, const ReachAnswer& answer, const std::string& measure,
          bool costs) {
  document.heading(heading);
  if (!answer.found) {
    document.line(answer.proved ? "There is no such change: proved." : "None was found within the limit of --nodes.");
    return;
  }
  TextTable table;
  table.header = {"field", "before", "after"};
  for (const FieldChange& change : answer.changes)
    table.rows.push_back({change.path, bare(change.before), change.after.empty() ? "taken out" : bare(change.after)});
  document.table(std::move(table));
  const std::vector<std::string> status = cells(answer.verdict, {"status"});
  std::string text = counted(answer.fields, "field") + ", " + shown_number(answer.points) +
                     (answer.points == "1" ? " point" : " points");
  if (costs) text += ", cost " + shown_number(answer.cost);
  text += answer.proved ? ": proved smallest" : ": best found within the limit";
  text += measure;
  if (!answer.score.empty()) text += "; the score becomes " + shown_number(answer.score);
  if (!status.empty() && status[0] != "eligible") text += "; the record stays " + status[0];
  document.line(text + ".");
}

}  // namespace

static Document reach_document(const Reach& answer, bool costs) {
  Document document;
  document.heading((answer.id.empty() ? std::string("The record") : answer.id) + ": " + answer.target);
  std::string now = answer.score.empty() ? "" : "score " + shown_number(answer.score, 12);
  if (!answer.band.empty()) now += (now.empty() ? "" : ", ") + bare(answer.band);
  if (answer.already) {
    document.line("It is there already" + (now.empty() ? "" : ": " + now) + ".");
  } else {
    if (!now.empty()) document.line("It stands at " + now + ".");
    tell(document, "Fewest fields", answer.fewest, " number of fields", costs);
    tell(document, "Least points", answer.least, !costs ? " sum of points" : " cost", costs);
    if (!answer.gains.empty()) document.heading("What each field gains alone");
    TextTable table;
    table.header = {"field", "to", "gain", "points", "each"};
    for (const FieldGain& gain : answer.gains) {
      table.rows.push_back({gain.path, gain.best.empty() ? "taken out" : bare(gain.best), shown_number(gain.gain),
                            shown_number(gain.points), shown_number(gain.each)});
    }
    if (!table.rows.empty()) document.table(std::move(table));
    if (answer.limited) {
      document.line(
          "The search ended at its limit, which --nodes raises. Not searched: whether anything smaller would do" +
          (answer.measured == answer.fields ? std::string()
                                            : "; what the last " + counted(answer.fields - answer.measured, "field") +
                                                  " of " + std::to_string(answer.fields) + " gain alone") +
          ".");
    }
  }
  return document;
}

int reach(const ReachOptions& options) {
  int code = kDone;
  std::optional<Questioning> q = Questioning::open(options.question, code);
  return q ? reach(*q, options) : code;
}

int reach(Questioning& q, ReachOptions options) {
  // --to names what is to be reached, and how it is written: a format is no band, unless --target says so.
  for (const std::string& word : options.to) {
    const bool format = word == "text" || word == "json" || word == "markdown";
    std::string& place = format ? options.question.to : options.target;
    if (!place.empty()) return refuse("--to names two " + std::string(format ? "formats" : "targets"));
    place = word;
  }
  int code = kDone;
  ReachQuestion question;
  question.target = options.target;
  question.keep = options.keep;
  question.grid = options.grid;
  question.nodes = options.nodes;
  std::string problem;
  for (const std::string& cost : options.costs) {
    std::optional<Assignment> one = assignment(cost, "--cost", problem);
    if (!one) return refuse(problem);
    const auto same = [&](const Assignment& other) { return other.first == one->first; };
    if (std::any_of(question.costs.begin(), question.costs.end(), same))
      return refuse("--cost: '" + printable(one->first) + "' is given twice");
    question.costs.push_back(std::move(*one));
  }
  const bool place = options.target.starts_with("place ");
  std::string record, at;
  std::vector<std::string> all;
  if (!q.pick(options.question, record, at, code, place ? &all : nullptr)) return code;
  question.others.assign(all.begin(), all.end());

  Reach answer;
  const std::optional<InputError> error = q.analysis().reach(record, question, answer);
  if (interrupted()) return kRefused;
  if (error && error->code == "question")
    return refuse((error->path == "to" ? "--to: " : "") + std::string(error->message));
  if (error) {
    say(place_message(at, *error));
    return kRejected;
  }
  const bool reached = answer.already || answer.fewest.found || answer.least.found;
  return write_answer(options.question, reach_document(answer, !options.costs.empty()), answer.json(),
                      reached ? kDone : kRejected);
}

}  // namespace assay::cli
