// assay calibrate: how well scores and bands agree with human ratings.
#include "repl/analysis/gold.hpp"
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace assay::cli {

namespace {

struct FigureName {
  const char* name;
  Estimate Agreement::*figure;
  bool floor;  // larger is better, so the bar is a minimum
};
constexpr FigureName kFigures[] = {{"exact", &Agreement::exact, true},
                                   {"within_one", &Agreement::within_one, true},
                                   {"mae", &Agreement::mae, false},
                                   {"bias", &Agreement::bias, false},
                                   {"kappa", &Agreement::kappa, true},
                                   {"linear", &Agreement::linear, true},
                                   {"quadratic", &Agreement::quadratic, true},
                                   {"spearman", &Agreement::spearman, true},
                                   {"tau_b", &Agreement::tau_b, true},
                                   {"alpha", &Agreement::alpha, true}};

// The rubric's value for a measure that gold names; empty: none.
std::string rated_value(const Verdict& verdict, const std::string& measure) {
  for (const auto& [name, json] : members(verdict.json("dimensions"))) {
    if (name != measure) continue;
    const std::vector<std::string> score = cells(json, {"score"});
    return score.empty() ? std::string() : score[0];
  }
  const std::string_view json = verdict.json(measure);
  return json.empty() || json == "null" ? std::string() : bare(json);
}

}  // namespace

std::set<std::string> known_measures(const Rubric& rubric) {
  std::set<std::string> known;
  for (const DimensionInfo& d : rubric.dimensions()) known.insert(d.name);
  for (const FieldInfo& field : rubric.fields()) known.insert(field.name);
  return known;
}

Gold gold_of(std::string_view record, bool flat) {
  Gold gold;
  const std::vector<std::string> parts = cells(record, {"id", "judge", "gold"});
  if (parts.size() < 3) return gold;
  gold.id = parts[0];
  gold.judge = parts[1];
  std::optional<std::string> compact = with_member(record, "id", quoted(gold.id));
  const std::string all = compact ? *compact : std::string(record);
  if (!parts[2].empty() && parts[2].front() != '{') {
    gold.problem = "gold: is '" + shorten(parts[2], kMostQuoted) + "', expected an object such as {\"score\": 8}";
    return gold;
  }
  for (const auto& [name, value] : members(parts[2].empty() && flat ? all : parts[2])) {
    if (parts[2].empty() && (name == "id" || name == "judge")) continue;
    if (value != "null") gold.values.emplace_back(name, bare(value));
  }
  return gold;
}

RatedPairs::RatedPairs(const Rubric& rubric, const Analysis& analysis) : analysis_(&analysis) {
  for (const InputInfo& input : rubric.inputs()) gold_is_input_ = gold_is_input_ || input.name == "gold";
}

bool RatedPairs::refuses(const Gold& gold, const std::string& place, bool& rejected) const {
  if (gold.problem.empty() || gold_is_input_) return false;
  rejected = true;
  say(printable(place) + ": " + printable(gold.problem) + "\n");
  return true;
}

void RatedPairs::add(const Gold& gold, const std::string& id, const Verdict& verdict, const std::string& place,
                     bool& rejected) {
  for (const auto& [measure, value] : gold.values) {
    const std::string wrong = analysis_->wrong_rating(measure, value);
    if (!wrong.empty()) {
      rejected = true;
      say(printable(place) + ": gold." + printable(wrong) + "\n");
      continue;
    }
    std::string rated = rated_value(verdict, measure);
    if (rated.empty()) {
      ++unrated_;
      continue;
    }
    pairs_.push_back({id, gold.judge, measure, std::move(rated), value});
  }
}

void RatedPairs::note_unrated() const {
  if (unrated_ > 0) note(counted(unrated_, "rating") + " of what the verdict has no value for, left out");
}

namespace {

// The record without the members that only this verb reads, so that --strict accepts it.
std::string without_gold(const Rubric& rubric, const std::string& record) {
  const std::vector<InputInfo> inputs = rubric.inputs();
  const auto is_input = [&](std::string_view name) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const InputInfo& input) { return input.name == name; });
  };
  std::string rest;
  std::size_t at = 0;  // after the last member
  for (const auto& [name, value] : members(record)) {
    const std::size_t begin = record.find('"', at);
    at = static_cast<std::size_t>(value.data() - record.data()) + value.size();
    if ((name == "gold" || name == "judge") && !is_input(name)) continue;
    rest += (rest.empty() ? "" : ",") + record.substr(begin, at - begin);
  }
  return "{" + rest + "}";
}

std::string estimate_text(const Estimate& e) {
  if (std::isnan(e.value)) return "–";
  std::string text = shown_double(e.value, 3);
  if (!std::isnan(e.low)) text += " (" + shown_double(e.low, 3) + " .. " + shown_double(e.high, 3) + ")";
  return text;
}

Document tell(const Calibration& answer, const CalibrateOptions& options, std::size_t pairs) {
  Document document;
  document.heading("Agreement with gold: " + counted(pairs, "pair"));
  TextTable table;
  table.header = {"measure", "judge",     "pairs",    "exact", "MAE",  "bias",
                  "kappa",   "quadratic", "Spearman", "tau-b", "alpha"};
  for (const Agreement& a : answer.figures) {
    if (!a.enough) continue;
    table.rows.push_back({a.measure, a.judge, std::to_string(a.pairs), shown_double(a.exact.value, 3),
                          shown_double(a.mae.value, 3), shown_double(a.bias.value, 3), shown_double(a.kappa.value, 3),
                          shown_double(a.quadratic.value, 3), shown_double(a.spearman.value, 3),
                          shown_double(a.tau_b.value, 3), shown_double(a.alpha.value, 3)});
  }
  table.drop_empty("measure");
  if (!table.rows.empty()) document.table(std::move(table));
  for (const Agreement& a : answer.figures) {
    if (a.enough) continue;
    document.item(a.measure + (a.judge.empty() ? "" : ", judge " + a.judge) + ": " + counted(a.pairs, "pair") +
                  ", fewer than " + std::to_string(options.floor) + ", so nothing is concluded");
  }
  for (const Agreement& a : answer.figures) {
    if (!a.enough || !a.judge.empty()) continue;
    document.heading(a.measure + ", with 95% intervals");
    for (const FigureName& figure : kFigures) {
      const Estimate& e = a.*figure.figure;
      if (!std::isnan(e.value)) document.item(std::string(figure.name) + " " + estimate_text(e));
    }
    if (a.confusion.empty()) continue;
    TextTable confusion;
    confusion.header = {"gold \\ rated"};
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < a.categories.size(); ++i) {
      std::size_t sum = 0;
      for (std::size_t k = 0; k < a.categories.size(); ++k) sum += a.confusion[i][k] + a.confusion[k][i];
      if (sum > 0) used.push_back(i);
    }
    for (const std::size_t i : used) confusion.header.push_back(a.categories[i]);
    for (const std::size_t i : used) {
      confusion.rows.push_back({a.categories[i]});
      for (const std::size_t k : used) confusion.rows.back().push_back(std::to_string(a.confusion[i][k]));
    }
    document.table(std::move(confusion));
  }
  if (!answer.items.empty()) {
    document.heading("Dimensions as items");
    TextTable items;
    items.header = {"dimension", "records", "mean", "stdev", "discrimination"};
    for (const ItemFigure& item : answer.items) {
      items.rows.push_back({item.name, std::to_string(item.count), shown_double(item.mean, 3),
                            shown_double(item.stdev, 3), shown_double(item.discrimination, 3)});
    }
    document.table(std::move(items));
    document.line("Cronbach's alpha: " + shown_double(answer.alpha_items, 3));
  }
  return document;
}

struct Floor {
  std::string measure, figure;  // measure empty: all measures
  double least = 0;
};

std::optional<Floor> floor_of(const std::string& text, std::string& problem) {
  std::optional<Assignment> one = assignment(text, "--fail-under", problem);
  if (!one) return std::nullopt;
  Floor bar;
  const std::size_t dot = one->first.rfind('.');
  if (dot != std::string::npos) bar.measure = one->first.substr(0, dot);
  bar.figure = dot == std::string::npos ? one->first : one->first.substr(dot + 1);
  std::vector<std::string> names;
  bool known = false;
  for (const FigureName& figure : kFigures) {
    if (figure.floor) names.emplace_back(figure.name);
    known = known || (figure.floor && bar.figure == figure.name);
  }
  if (!known) {
    problem = "--fail-under: there is no figure '" + printable(bar.figure) + "'; figures: ";
    for (std::size_t i = 0; i < names.size(); ++i) problem += (i > 0 ? ", " : "") + names[i];
    return std::nullopt;
  }
  char* end = nullptr;
  bar.least = std::strtod(one->second.c_str(), &end);
  if (one->second.empty() || *end != '\0' || !std::isfinite(bar.least)) {
    problem = "--fail-under: '" + printable(one->second) + "' is not a number";
    return std::nullopt;
  }
  return bar;
}

// True if every bar is met; reports those that are not.
bool met(const std::vector<Floor>& bars, const Calibration& answer) {
  bool all = true;
  for (const Floor& bar : bars) {
    bool any = false;
    for (const Agreement& a : answer.figures) {
      if (!a.judge.empty() || (!bar.measure.empty() && bar.measure != a.measure)) continue;
      for (const FigureName& figure : kFigures) {
        if (bar.figure != figure.name) continue;
        any = true;
        const double value = (a.*figure.figure).value;
        if (a.enough && value >= bar.least) continue;
        all = false;
        say(a.measure + ": " + bar.figure + " is " +
            (!a.enough           ? "not concluded from " + counted(a.pairs, "pair")
             : std::isnan(value) ? std::string("undefined")
                                 : shown_double(value, 3) + ", under " + shown_double(bar.least, 3)) +
            "\n");
      }
    }
    if (!any) {
      all = false;
      say(bar.figure + ": there are no pairs" + (bar.measure.empty() ? "" : " of " + bar.measure) + "\n");
    }
  }
  return all;
}

// Reads the bars of --fail-under. False (and `problem`) if one is malformed.
bool read_bars(const CalibrateOptions& options, std::vector<Floor>& bars, std::string& problem) {
  for (const std::string& text : options.fail_under) {
    const std::optional<Floor> bar = floor_of(text, problem);
    if (!bar) return false;
    bars.push_back(*bar);
  }
  return true;
}

}  // namespace

int calibrate_records(Questioning& q, const std::vector<std::string>& lines, const std::vector<std::string>& places,
                      const RecordsById* records, const CalibrateOptions& options, bool rejected, Document& document,
                      std::string& json) {
  std::string problem;
  std::vector<Floor> bars;
  if (!read_bars(options, bars, problem)) return refuse(problem);
  RatedPairs pairs(q.rubric(), q.analysis());
  const std::set<std::string> known = known_measures(q.rubric());
  std::size_t without = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Gold gold = gold_of(lines[i], records != nullptr);
    if (pairs.refuses(gold, places[i], rejected)) continue;
    if (gold.values.empty()) {
      ++without;
      continue;
    }
    std::string record = options.question.evaluation.strict ? without_gold(q.rubric(), lines[i]) : lines[i];
    if (records != nullptr) {
      const auto at = records->find(gold.id);
      if (at == records->end()) {
        rejected = true;
        say(printable(places[i]) + ": no record has the id '" + printable(gold.id) + "'\n");
        continue;
      }
      record = at->second;
    }
    const Verdict& verdict = q.evaluator().score(record);
    if (interrupted()) return kRefused;
    if (const InputError* error = verdict.error()) {
      rejected = true;
      say(place_message(places[i], *error));
      continue;
    }
    for (const auto& [measure, value] : gold.values) {
      if (known.count(measure) == 0) {
        return refuse(printable(places[i]) + ": gold names '" + printable(measure) +
                      "', which is neither a dimension nor a field of the verdict");
      }
    }
    pairs.add(gold, gold.id.empty() ? std::to_string(i) : gold.id, verdict, places[i], rejected);
  }
  pairs.note_unrated();
  if (pairs.all().empty() && rejected) return refuse("there is no gold to compare with");
  if (pairs.all().empty())
    return refuse("no record has gold: { … }; write what people say beside each record, or name --records");
  if (without > 0) note(counted(without, "record") + " without gold");

  std::vector<std::pair<std::string, std::vector<std::string>>> order;
  for (const BandOrder& band : q.analysis().bands()) order.emplace_back(band.name, band.worst_first);
  CalibrationOptions asked;
  asked.floor = options.floor;
  asked.seed = options.seed;
  asked.interrupt = interrupt();
  const Calibration answer = calibrate(pairs.all(), order, asked);
  if (interrupted()) return kRefused;
  const bool good = met(bars, answer);
  document = tell(answer, options, pairs.all().size());
  json = answer.json();
  return good && !rejected ? kDone : kRejected;
}

int calibrate_verb(const CalibrateOptions& options) {
  std::string problem;
  std::vector<Floor> bars;
  if (!read_bars(options, bars, problem)) return refuse(problem);
  int code = kDone;
  std::optional<Questioning> q = Questioning::open(options.question, code);
  if (!q) return code;
  std::vector<std::string> lines, places;
  bool rejected = false;
  if (!q->read_all(lines, places, rejected, code)) return code;

  RecordsById records;  // if they come from a separate file
  const bool joined = !options.records.empty();
  if (joined) {
    RecordStream stream(q->rubric(), options.records, options.question.evaluation, q->evaluation().limits);
    if (!stream.check(problem)) return refuse(problem);
    for (RecordStream::Status status = stream.next(); status != RecordStream::Status::end; status = stream.next()) {
      if (status == RecordStream::Status::failed) return refuse(stream.problem().message);
      if (status == RecordStream::Status::malformed) {
        rejected = true;
        say(place_message(stream.place(), stream.problem()));
        continue;
      }
      if (!keep_by_id(records, stream.json(), stream.place())) return kRefused;
    }
  }
  Document document;
  std::string json;
  code = calibrate_records(*q, lines, places, joined ? &records : nullptr, options, rejected, document, json);
  return code == kRefused ? code : write_answer(options.question, document, json, code);
}

}  // namespace assay::cli
