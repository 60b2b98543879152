// assay rank: ranks all records of a run, best first. Rejected records are reported and left out; the others still get
// places.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verdicts/ranking.hpp"

#include <unordered_map>

namespace assay::cli {

namespace {

// The accepted record of each id.
std::unordered_map<std::string, std::size_t> records_by_id(const std::vector<std::string>& records,
                                                           const RankedRecords& ranked) {
  std::unordered_map<std::string, std::size_t> by_id;
  auto rejected = ranked.errors.begin();  // in the order of the records
  for (std::size_t i = 0; i < records.size(); ++i) {
    while (rejected != ranked.errors.end() && rejected->first < i) ++rejected;
    if (rejected == ranked.errors.end() || rejected->first != i) by_id.emplace(cells(records[i], {"id"}).front(), i);
  }
  return by_id;
}

}  // namespace

int rank(const RankOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const Limits& limits = loading->limits();
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading);
  if (!rubric) return kRefused;
  if (!rubric->ranked()) {
    return refuse("rubric '" + shorten(rubric->name(), kMostQuoted) +
                  "' does not say how to rank; give it a 'rank by higher score'");
  }
  std::string problem;
  RecordStream stream(*rubric, options.files, options.evaluation, limits);
  if (!stream.check(problem)) return refuse(problem);
  const EvaluatorOptions evaluation = loading->evaluator(options.evaluation.strict);
  Evaluator evaluator(*rubric, evaluation);
  const std::optional<Preparation> preparation = prepare(*rubric, options.evaluation, limits);
  if (!preparation || !preparation->apply(evaluator)) return kRefused;
  Evaluator scorer(*rubric, evaluation);
  preparation->apply(scorer);
  std::optional<Output> output = Output::open_answer(options.output, problem);
  if (!output) return refuse(problem);
  const OutputFormat* const chosen_format =
      choose_format(options.to, options.output, output->terminal(), "json", problem);
  if (chosen_format == nullptr) return refuse(problem);
  const OutputFormat& format = *chosen_format;
  using Layout = OutputFormat::Layout;
  if (format.layout == Layout::columns) return refuse("a ranking has no rows of one type for .npy: take --to json");

  std::vector<std::string> texts;
  std::vector<std::string> places;
  bool rejected = false;
  for (bool more = true; more;) {
    switch (stream.next()) {
      case RecordStream::Status::record:
        texts.emplace_back(stream.json());
        places.push_back(stream.place());
        break;
      case RecordStream::Status::malformed:
        rejected = true;
        say(place_message(stream.place(), stream.problem()));
        break;
      case RecordStream::Status::end: more = false; break;
      case RecordStream::Status::failed: return refuse(stream.problem().message);
    }
  }
  const std::vector<std::string_view> records(texts.begin(), texts.end());
  const RankedRecords ranked =
      rank_records(*rubric, evaluator, format.layout == Layout::array ? nullptr : &scorer, records);
  if (interrupted()) return kRefused;
  std::unordered_map<std::string, std::size_t> ids;
  for (const auto& [index, error] : ranked.errors) {
    rejected = true;
    InputError told = error;
    if (error.path == "id" && error.code == "duplicate" && index < texts.size()) {
      if (ids.empty()) ids = records_by_id(texts, ranked);
      const auto first = ids.find(cells(texts[index], {"id"}).front());
      if (first != ids.end()) told.message = error.message.str() + ", " + places[first->second];
    }
    say(place_message(index < places.size() ? places[index] : "", told));
  }
  stream.note_misspelt();
  stream.note_odd_values();
  output->write(ranking_text(ranked, format));
  return output->finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
