// assay report: the verdicts of a run as one self-contained page.
#include "repl/analysis/gold.hpp"
#include "repl/analysis/questions.hpp"
#include "repl/pages/page.hpp"
#include "repl/pages/record_view.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace assay::cli {

namespace {

// "5/7" or "0.25".
double fraction_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  return slash == std::string::npos ? number_of(text)
                                    : number_of(text.substr(0, slash)) / number_of(text.substr(slash + 1));
}

struct Shown {
  std::string id, json, place;
  std::string decided;  // the ranking key that puts it before the next
  std::string series;   // the series of a history; empty: none
  std::size_t record = 0;
  std::vector<std::pair<std::string, std::string>> gold;  // measure, value
};

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::string distribution(const std::vector<Shown>& all, const ViewFrame& frame, const std::vector<BandOrder>& order) {
  std::vector<std::string> names;
  for (const BandOrder& one : order) {
    if (one.name == frame.band) names.assign(one.worst_first.rbegin(), one.worst_first.rend());
  }
  std::map<std::string, std::size_t> counts;
  std::vector<double> scores;
  std::size_t eligible = 0, close = 0;
  for (const Shown& one : all) {
    const RecordView view(frame, one.json);
    const std::string name = view.band();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    ++counts[name];
    if (view.json("score") != "null") scores.push_back(number_of(view.json("score")));
    if (view.text("status") == "eligible") ++eligible;
    if (view.text("status") == "indeterminate") ++close;
  }
  std::vector<Bar> rows;
  for (const std::string& name : names) {
    Bar bar;
    bar.name = name;
    const double share = static_cast<double>(counts[name]) / static_cast<double>(std::max<std::size_t>(all.size(), 1));
    bar.label = std::to_string(counts[name]) + " (" + shown_double(100 * share, 1) + "%)";
    bar.to = share;
    bar.track = 1;
    rows.push_back(std::move(bar));
  }
  const std::string what = frame.band.empty() ? "status" : frame.band;
  std::string out = "<h2>How they did</h2><p class=s>" + counted(eligible, "record") + " of " +
                    std::to_string(all.size()) + " eligible" +
                    (close > 0 ? ", " + std::to_string(close) + " too close to call" : std::string());
  if (!scores.empty()) {
    double sum = 0;
    for (const double score : scores) sum += score;
    out += "; score: mean " + shown_double(sum / static_cast<double>(scores.size()), 2) + ", median " +
           shown_double(median_of(scores), 2) + ", from " +
           shown_double(*std::min_element(scores.begin(), scores.end()), 2) + " to " +
           shown_double(*std::max_element(scores.begin(), scores.end()), 2);
  }
  return out + ".</p>" + bar_table("Distribution: " + what, rows);
}

std::string weights(const Sensitivity& s) {
  std::vector<Bar> rows;
  for (const WeightSensitivity& w : s.weights) {
    if (w.advisory) continue;
    Bar bar;
    bar.name = w.name;
    bar.to = fraction_of(w.weight);
    bar.low = fraction_of(w.winner.low);
    bar.high = fraction_of(w.winner.high);
    bar.label = shown_number(w.weight, 3) + " (" + shown_double(bar.low, 2) + "–" + shown_double(bar.high, 2) + ")";
    rows.push_back(std::move(bar));
  }
  if (rows.empty()) return {};
  std::string out =
      "<h2>Weights</h2><p class=s>The dot is the weight as declared. While one lies within its whiskers and the "
      "others keep their proportions, " +
      escaped(s.winner) + " stays first.</p>" + bar_table("Weights, and the intervals in which the winner stays", rows);
  if (s.never.empty()) return out;
  out += "<h3>Never met by these records</h3><ul>";
  for (const std::string& one : s.never) out += "<li>" + escaped(one);
  return out + "</ul>";
}

// A score is an outlier if it is more than three scaled median deviations from the median of at least four scores
// before it.
bool apart(const std::vector<double>& before, double now, double least) {
  constexpr std::size_t kFewest = 4;
  constexpr double kScale = 1.4826,
                   kTimes = 3;  // for the normal distribution; Leys et al. 2013, J. Exp. Soc. Psychol. 49:764
  if (before.size() < kFewest) return false;
  const double middle = median_of(before);
  std::vector<double> deviations;
  for (const double v : before) deviations.push_back(std::abs(v - middle));
  return std::abs(now - middle) > kTimes * std::max(kScale * median_of(deviations), least);
}

// The series of a rubric with `history by`, in record order.
std::string histories(const std::vector<Shown>& in_order, const ViewFrame& frame, const std::string& by) {
  constexpr std::size_t kMost = 100;
  std::vector<std::pair<std::string, std::vector<const Shown*>>> series;
  std::map<std::string, std::size_t> places;
  for (const Shown& one : in_order) {
    if (one.series.empty()) continue;
    const auto [at, added] = places.try_emplace(one.series, series.size());
    if (added) series.push_back({one.series, {}});
    series[at->second].second.push_back(&one);
  }
  std::vector<Line> lines;
  std::size_t left = 0;
  for (const auto& [name, records] : series) {
    Line line;
    line.name = name;
    std::vector<double> scores;
    for (const Shown* one : records) {
      const RecordView view(frame, one->json);
      if (view.json("score") == "null") continue;
      const double score = number_of(view.json("score"));
      const double span = frame.high - frame.low;
      constexpr double kLeast = 0.01;  // of the scale: equal scores have no deviation
      line.marked.push_back(apart(scores, score, kLeast * span));
      line.values.push_back(span > 0 ? std::clamp((score - frame.low) / span, 0.0, 1.0) : 0);
      line.labels.push_back(one->id + ": " + view.score());
      scores.push_back(score);
    }
    if (line.values.size() < 2) continue;
    if (lines.size() < kMost) lines.push_back(std::move(line));
    else ++left;
  }
  if (lines.empty()) return {};
  return "<h2>Histories</h2><p class=s>Scores of each " + escaped(by) +
         " in the order of the records. A red point stands apart: more than three scaled median deviations from the "
         "median of "
         "those before it." +
         (left > 0 ? " " + counted(left, "series") + " more are not drawn." : std::string()) + "</p>" +
         line_table("Scores by " + by, lines);
}

std::string agreement(const std::vector<RatedPair>& pairs, const std::vector<BandOrder>& bands) {
  if (pairs.empty()) return {};
  std::vector<std::pair<std::string, std::vector<std::string>>> order;
  for (const BandOrder& band : bands) order.emplace_back(band.name, band.worst_first);
  const CalibrationOptions options;
  const Calibration answer = calibrate(pairs, order, options);
  std::string out =
      "<h2>Agreement with gold</h2><div class=n tabindex=0 role=region aria-label=\"Agreement with gold\"><table><tr>";
  for (const char* const head : {"measure", "pairs", "exact", "MAE", "bias", "kappa", "quadratic", "Spearman", "alpha"})
    out += std::string("<th scope=col>") + head;
  for (const Agreement& a : answer.figures) {
    if (!a.judge.empty()) continue;
    out += "\n<tr><td>" + escaped(a.measure) + "<td>" + std::to_string(a.pairs);
    if (!a.enough) {
      out += "<td colspan=7>fewer than " + std::to_string(options.floor) + ", so nothing is concluded";
      continue;
    }
    for (const Estimate* e : {&a.exact, &a.mae, &a.bias, &a.kappa, &a.quadratic, &a.spearman, &a.alpha})
      out += "<td>" + shown_double(e->value, 3);
  }
  return out + "</table></div>";
}

// Sorts the records in the rubric's ranking, each with the key that puts it before the next. False: interrupted.
bool put_in_order(Questioning& q, const std::vector<std::string>& records, std::vector<Shown>& all) {
  if (!q.rubric().ranked()) return true;
  Evaluator ranker(q.rubric(), q.evaluation());
  if (!q.preparation().apply(ranker)) return false;
  std::vector<std::string_view> views;
  for (const Shown& one : all) views.emplace_back(records[one.record]);
  std::vector<std::pair<std::size_t, InputError>> errors;
  const Ranking ranking = ranker.rank_valid(views, errors);
  if (interrupted()) return false;
  std::map<std::string, std::size_t> place;
  std::size_t next = 1;
  for (const auto& group : ranking.groups) {
    for (const std::string& id : group) place[id] = next;
    next += group.size();
  }
  const auto of = [&](const Shown& one) {
    const auto found = place.find(one.id);
    return found == place.end() ? all.size() + 1 : found->second;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Shown& a, const Shown& b) { return of(a) < of(b); });
  for (Shown& one : all) one.place = of(one) > all.size() ? "–" : std::to_string(of(one));
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].place == "–" || all[i + 1].place == "–" || all[i].place == all[i + 1].place) continue;
    Versus versus;
    if (q.analysis().versus(records[all[i].record], records[all[i + 1].record], versus)) {
      if (interrupted()) return false;
      continue;
    }
    if (!versus.key.empty()) all[i].decided = versus.key + ", " + bare(versus.p_key) + " against " + bare(versus.q_key);
  }
  return true;
}

// Lets the evaluator add what the whole run says of each record. False: interrupted.
bool see_whole_run(Questioning& q, const std::vector<std::string>& records, Evaluator& evaluator) {
  if (q.rubric().each_fields().empty()) return true;
  Evaluator whole(q.rubric(), q.evaluation());
  if (!q.preparation().apply(whole)) return false;
  whole.start_cohort();
  for (const std::string& record : records) {
    whole.score(record);
    if (interrupted()) return false;
  }
  InputError failed;
  const std::optional<FrozenCohort> frozen = whole.collected().freeze(failed, interrupt());
  if (interrupted()) return false;
  if (frozen) evaluator.set_cohort(*frozen);
  else say(place_message("cohort", failed));
  return true;
}

// Evaluates all records; reports those that cannot be scored, and sets `rejected`. False: interrupted.
bool score_all(Questioning& q, const std::vector<std::string>& records, const std::vector<std::string>& places,
               std::vector<Shown>& all, RatedPairs& pairs, bool& rejected) {
  const std::string& by = q.analysis().series_by();
  const std::set<std::string> known = known_measures(q.rubric());
  Evaluator evaluator(q.rubric(), q.evaluation());
  if (!q.preparation().apply(evaluator) || !see_whole_run(q, records, evaluator)) return false;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Verdict& verdict = evaluator.score(records[i]);
    if (interrupted()) return false;
    if (const InputError* error = verdict.error()) {
      rejected = true;
      say(place_message(places[i], *error));
      continue;
    }
    Shown one;
    one.id = verdict.id().empty() ? "record " + std::to_string(i + 1) : std::string(verdict.id());
    one.json = std::string(verdict.json());
    one.record = i;
    if (!by.empty()) {
      const std::vector<std::string> cell = cells(records[i], {by});
      if (!cell.empty()) one.series = cell[0];
    }
    Gold gold = gold_of(records[i], false);
    (void)pairs.refuses(gold, places[i], rejected);
    std::erase_if(gold.values, [&](const auto& value) { return known.count(value.first) == 0; });
    pairs.add(gold, one.id, verdict, places[i], rejected);
    one.gold = std::move(gold.values);
    all.push_back(std::move(one));
  }
  return true;
}

std::string tools(const std::vector<Shown>& all, const ViewFrame& frame) {
  std::string choices;
  std::vector<std::string> seen;
  for (const Shown& one : all) {
    const std::string name = RecordView(frame, one.json).band();
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    choices += "<option value=\"" + escaped(name) + "\">" + escaped(name) + "</option>";
  }
  const std::string what = frame.band.empty() ? "status" : frame.band;
  return "<div id=\"tools\" hidden><label>Search <input id=\"find\" type=\"search\"></label><label>" + escaped(what) +
         " <select id=\"band\"><option value=\"\">all</option>" + choices +
         "</select></label><label>Order <select id=\"sort\"><option value=\"place\">best first</option><option "
         "value=\"low\">worst first</option><option value=\"high\">by score</option><option value=\"id\">by "
         "id</option></select></label><button id=\"open\" type=\"button\" aria-pressed=\"false\">Open "
         "all</button><span "
         "id=\"told\" role=\"status\"></span></div>\n";
}

// Further records have sentences instead of drawings, which are half as large: a page of ten thousand records stays
// fast.
constexpr std::size_t kDrawn = 200;

std::string row(const Shown& one, const ViewFrame& frame, bool drawn) {
  const RecordView view(frame, one.json);
  std::string out = "<details><summary><b>" + escaped(one.place) + "</b><span>" + escaped(one.id) + "</span><b>" +
                    escaped(view.score()) + "</b><span>" + escaped(view.band()) + "</span></summary><div>";
  if (!one.decided.empty()) out += "<p>Before the next by " + escaped(one.decided) + ".</p>";
  out += view.html(drawn);
  if (!one.gold.empty()) {
    out += "<p>Gold: ";
    for (std::size_t i = 0; i < one.gold.size(); ++i)
      out += (i > 0 ? ", " : "") + escaped(one.gold[i].first) + " " + escaped(one.gold[i].second);
    out += "</p>";
  }
  return out + "</div></details>\n";
}

}  // namespace

int report(const ReportOptions& options) {
  int code = kDone;
  QuestionRun run;
  if (!open_run(options.question, run, code)) return code;
  return write_report(*run.questioning, run.records, run.places, run.rejected, options.question.output);
}

int write_report(Questioning& q, const std::vector<std::string>& records, const std::vector<std::string>& places,
                 bool rejected, const std::string& path) {
  if (records.empty()) return refuse("there is no record");
  std::vector<Shown> all;
  RatedPairs pairs(q.rubric(), q.analysis());
  if (!score_all(q, records, places, all, pairs, rejected)) return kRefused;
  pairs.note_unrated();
  ViewFrame frame(q.rubric());
  for (const Shown& one : all) frame.see(one.json);
  const std::string history = histories(all, frame, q.analysis().series_by());
  if (!put_in_order(q, records, all)) return kRefused;
  Sensitivity answer;
  SensitivityOptions asked;
  asked.samples = 0;
  const std::vector<std::string_view> views(records.begin(), records.end());
  if (q.analysis().sensitivity(views, asked, answer) && interrupted()) return kRefused;

  std::string problem;
  std::optional<Output> output = Output::open_answer(path, problem);
  if (!output) return refuse(problem);
  const Rubric& rubric = q.rubric();
  output->write(page_begin(rubric.name() + " report"));
  output->write("<main><header><h1>" + escaped(rubric.name()) +
                (rubric.version().empty() ? "" : " " + escaped(rubric.version())) + "</h1>" +
                (rubric.prose().empty() ? std::string() : "<p>" + escaped(rubric.prose()) + "</p>") + "<p>" +
                counted(all.size(), "record") + ", scoring hash <code>" + escaped(rubric.scoring_hash()) +
                "</code></p></header>\n");
  const std::vector<BandOrder> bands = q.analysis().bands();
  output->write(distribution(all, frame, bands));
  if (answer.note.empty()) output->write(weights(answer));
  output->write(history + agreement(pairs.all(), bands));
  output->write("<h2>Records</h2>" + tools(all, frame) + "<div id=\"list\">\n");
  for (std::size_t i = 0; i < all.size() && output->alive(); ++i) output->write(row(all[i], frame, i < kDrawn));
  output->write("</div></main>\n" + page_end());
  return output->finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
