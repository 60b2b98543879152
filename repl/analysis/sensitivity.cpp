// assay sensitivity: what the order, the winner and the bands of a run depend on.
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <cmath>

namespace assay::cli {

namespace {

constexpr std::size_t kShown = 10;

std::string interval_text(const WeightInterval& interval) {
  return shown_number(interval.low, 4) + " .. " + shown_number(interval.high, 4);
}

void weights(Document& document, const Sensitivity& s) {
  document.heading("Weights: while one lies in its interval and the others keep their proportions, nothing changes");
  TextTable table;
  table.header = {"dimension", "weight", "same order", "same winner", "below it", "above it", "effect"};
  for (const WeightSensitivity& w : s.weights) {
    if (w.advisory) {
      table.rows.push_back({w.name, "advisory", "", "", "", "", ""});
      continue;
    }
    table.rows.push_back({w.name, shown_number(w.weight, 4), interval_text(w.order), interval_text(w.winner),
                          w.order.low_at, w.order.high_at, shown_double(w.effect, 3)});
  }
  document.table(std::move(table));
  const WeightSensitivity* critical = nullptr;
  const auto number = [](const std::string& text) {
    const std::size_t slash = text.find('/');
    const double top = std::strtod(text.c_str(), nullptr);
    return slash == std::string::npos ? top : top / std::strtod(text.c_str() + slash + 1, nullptr);
  };
  for (const WeightSensitivity& w : s.weights) {
    if (w.criticality.empty()) continue;
    if (critical == nullptr || number(w.criticality) < number(critical->criticality)) critical = &w;
  }
  if (critical != nullptr && critical->criticality == "0") {
    document.line(critical->pair + " tie already, with the weights as they are.");
  } else if (critical != nullptr) {
    document.line("Most critical: " + critical->name + ", whose weight alone has to change by " +
                  shown_number(critical->criticality, 4) + "% for " + critical->pair + " to tie.");
  }
  for (const WeightSensitivity& w : s.weights) {
    if (w.constant) document.item(w.name + " decides nothing here: all records have the same value.");
    if (w.dead && !w.constant)
      document.item(w.name + " is dead weight: its whole range moves no score by half a place.");
  }
  for (const auto& [pair, r] : s.alike) document.item(pair + " say the same: correlation " + shown_double(r, 3) + ".");
}

void winner(Document& document, const Sensitivity& s) {
  document.heading("The winner: " + s.winner);
  if (s.stable_to == "0") {
    document.line("Another is level with it: no change of the weights is proved to be harmless.");
  } else if (!s.stable_to.empty()) {
    document.line("Proved to stay while every weight changes by at most " + shown_number(s.stable_to, 4) +
                  "% of itself.");
  }
  for (const Stability& one : s.stability) {
    document.item("weights changed at random by up to " + shown_double(one.spread * 100, 0) + "%: the same winner in " +
                  shown_double(one.winner * 100, 1) + "% of samples");
  }
  if (!s.rivals.empty()) {
    const Rival& rival = s.rivals.front();
    if (rival.distance == "0") {
      document.line("Nearest rival: " + rival.id + ", which is level already.");
      return;
    }
    std::string text;
    for (const auto& [name, weight] : rival.weights)
      text += (text.empty() ? "" : ", ") + name + " " + shown_number(weight, 4);
    document.line("Nearest rival: " + rival.id + ", level at the weights " + text + " (distance " +
                  shown_number(rival.distance, 4) + ").");
  }
}

void acceptability(Document& document, const Sensitivity& s) {
  if (s.acceptability.empty()) return;
  document.heading("Shares of places under unknown weights");
  TextTable table;
  table.header = {"id", "first", "among the first three", "best place"};
  std::vector<const Acceptability*> order;
  for (const Acceptability& a : s.acceptability) order.push_back(&a);
  std::stable_sort(order.begin(), order.end(),
                   [](const Acceptability* a, const Acceptability* b) { return a->ranks[0] > b->ranks[0]; });
  for (std::size_t i = 0; i < order.size() && i < kShown; ++i) {
    const Acceptability& a = *order[i];
    double three = 0;
    std::size_t best = 0;
    for (std::size_t r = 0; r < a.ranks.size(); ++r) {
      if (r < 3) three += a.ranks[r];
      if (best == 0 && a.ranks[r] > 0) best = r + 1;
    }
    table.rows.push_back({a.id, shown_double(a.ranks[0], 3), shown_double(three, 3),
                          best == 0 ? "behind " + std::to_string(a.ranks.size()) : std::to_string(best)});
  }
  document.table(std::move(table));
  if (order.size() > kShown)
    document.line("and " + std::to_string(order.size() - kShown) + " more: --to json has all.");
}

void margins(Document& document, const Sensitivity& s) {
  if (s.margins.empty()) return;
  document.heading("Nearest to another band");
  TextTable table;
  const bool noise = s.margins.front().flips >= 0;
  table.header = {"id", "score", "band", "margin", "last places"};
  if (noise) table.header.push_back("flips");
  for (std::size_t i = 0; i < s.margins.size() && i < kShown; ++i) {
    const RecordMargin& m = s.margins[i];
    table.rows.push_back(
        {m.id, shown_number(m.score, 10), m.band, shown_number(m.margin), shown_number(m.last_places)});
    if (noise) table.rows.back().push_back(shown_double(m.flips * 100, 1) + "%");
  }
  document.table(std::move(table));
}

}  // namespace

static Document sensitivity_document(const Sensitivity& answer, const std::string& rubric) {
  Document document;
  document.heading(counted(answer.records, "record") + " of " + rubric);
  for (std::size_t i = 0; i < answer.left_out.size() && i < kShown; ++i)
    document.item("left out: " + answer.left_out[i]);
  if (answer.left_out.size() > kShown)
    document.item("and " + std::to_string(answer.left_out.size() - kShown) + " more are left out");
  for (const std::string& one : answer.taken) document.item("taken as it stands, though weights move it: " + one);
  if (!answer.note.empty()) {
    document.line("Weights cannot be analysed: " + answer.note + ".");
  } else {
    weights(document, answer);
    if (answer.weights.size() > 1 && answer.acceptability.size() > 1) winner(document, answer);
    acceptability(document, answer);
    margins(document, answer);
  }
  document.heading("Never met by these records");
  if (answer.never.empty()) document.line("Nothing: every band, gate and flag is met.");
  for (const std::string& one : answer.never) document.item(one);
  document.heading("Can removing a record reorder the rest?");
  if (answer.reversal_impossible) {
    document.line("No: each verdict depends on its own record alone.");
  } else if (answer.reversals_tried == 0) {
    document.line("It was not tried: the verdicts depend on earlier records.");
  } else {
    document.line("Tried for " + counted(answer.reversals_tried, "record") + ": " +
                  (answer.reversals.empty() ? "the order stays." : counted(answer.reversals.size(), "reversal") + "."));
    for (std::size_t i = 0; i < answer.reversals.size() && i < kShown; ++i) document.item(answer.reversals[i]);
  }
  return document;
}

int sensitivity(const SensitivityVerbOptions& options) {
  int code = kDone;
  QuestionRun run;
  if (!open_run(options.question, run, code)) return code;
  return sensitivity(*run.questioning, run.records, run.rejected, options);
}

int sensitivity(Questioning& q, const std::vector<std::string>& records, bool rejected,
                const SensitivityVerbOptions& options) {
  SensitivityOptions asked;
  asked.noise = options.noise;
  asked.samples = options.samples;
  asked.seed = options.seed;
  Sensitivity answer;
  const std::vector<std::string_view> views(records.begin(), records.end());
  const std::optional<InputError> error = q.analysis().sensitivity(views, asked, answer);
  if (interrupted()) return kRefused;
  if (error)
    return refuse(error->path.empty() ? std::string(error->message)
                                      : "--" + std::string(error->path) + ": " + std::string(error->message));
  const bool refused = std::any_of(answer.left_out.begin(), answer.left_out.end(), [](const std::string& text) {
    return text.find(": it is rejected: ") != std::string::npos;
  });
  return write_answer(options.question, sensitivity_document(answer, q.rubric().name()), answer.json(),
                      rejected || refused ? kRejected : kDone);
}

}  // namespace assay::cli
