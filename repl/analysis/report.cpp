// assay report: the verdicts of a run as one page that needs nothing but itself.
#include "repl/analysis/page.hpp"
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>

namespace assay::cli {

namespace {

double number_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// "5/7" or "0.25".
double fraction_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  return slash == std::string::npos ? number_of(text)
                                    : number_of(text.substr(0, slash)) / number_of(text.substr(slash + 1));
}

struct Shown {
  std::string id, json, place;
  std::string decided;  // by which key it stands before the next
};

std::string text_list(const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string out = "<h3>" + escaped(heading) + "</h3><ul>";
  for (const std::string& item : items) out += "<li>" + escaped(item) + "</li>";
  return out + "</ul>";
}

// The items of a list as the library writes it.
std::vector<std::string> items_of(std::string_view json) {
  std::vector<std::string> items;
  if (json.size() < 3 || json.front() != '[') return items;
  int depth = 0;
  bool text = false;
  std::size_t from = 1;
  for (std::size_t i = 1; i + 1 < json.size(); ++i) {
    const char c = json[i];
    if (c == '\\' && text) {
      ++i;
    } else if (c == '"') {
      text = !text;
    } else if (!text && (c == '[' || c == '{')) {
      ++depth;
    } else if (!text && (c == ']' || c == '}')) {
      --depth;
    } else if (!text && depth == 0 && c == ',') {
      items.emplace_back(json.substr(from, i - from));
      from = i + 1;
    }
  }
  items.emplace_back(json.substr(from, json.size() - 1 - from));
  return items;
}

class Record {
 public:
  Record(const Shown& shown, const std::string& band) : shown_(shown), band_(band) {
    for (const auto& [name, json] : members(shown.json)) parts_[name] = std::string(json);
  }

  std::string html() {
    const std::string score = bare(at("score")), band = band_.empty() ? bare(at("status")) : bare(at(band_));
    std::string out = "<details data-id=\"" + escaped(shown_.id) + "\" data-band=\"" + escaped(band) +
                      "\"><summary><b>" + escaped(shown_.place) + "</b><span>" + escaped(shown_.id) + "</span><b>" +
                      escaped(score) + "</b><span>" + escaped(band) + "</span></summary><div class=\"in\">";
    if (!shown_.decided.empty()) out += "<p>Before the next by " + escaped(shown_.decided) + ".</p>";
    if (at("status") != "\"eligible\"") {
      out += "<p>Status: " + escaped(bare(at("status")));
      if (at("reason") != "null") out += ": " + escaped(bare(at("reason")));
      out += "</p>";
    }
    out += "<div class=\"c\">" + from_composite() + dimensions() + "</div>";
    std::vector<std::string> failed, degraded;
    for (const auto& [name, json] : members(at("gates"))) {
      if (json != "true") failed.push_back(name);
    }
    out += text_list("Gates that fail", failed);
    for (const char* list : {"flags", "advice", "degraded"}) {
      std::vector<std::string> texts;
      for (const std::string& item : items_of(at(list))) texts.push_back(bare(item));
      out += text_list(std::string(1, static_cast<char>(std::toupper(*list))) + (list + 1), texts);
    }
    return out + "</div></details>\n";
  }

 private:
  std::string_view at(const std::string& name) const {
    const auto found = parts_.find(name);
    return found == parts_.end() ? std::string_view("null") : std::string_view(found->second);
  }

  std::string from_composite() {
    if (at("composite") == "null") return {};
    double now = number_of(std::string(at("composite")));
    std::vector<Step> steps{{"composite", 0, now, bare(at("composite")), Step::Kind::total}};
    double high = now, low = 0;
    for (const char* list : {"deductions", "bonuses"}) {
      const bool minus = *list == 'd';
      for (const std::string& item : items_of(at(list))) {
        const std::vector<std::string> cell = cells(item, {"name", "amount"});
        if (cell.size() < 2) continue;
        const double amount = number_of(cell[1]), next = minus ? now - amount : now + amount;
        steps.push_back(
            {cell[0], now, next, (minus ? "−" : "+") + cell[1], minus ? Step::Kind::minus : Step::Kind::plus});
        now = next;
        high = std::max(high, now);
        low = std::min(low, now);
      }
    }
    if (at("score") != "null")
      steps.push_back({"score", 0, number_of(std::string(at("score"))), bare(at("score")), Step::Kind::total});
    high = std::max(high, number_of(std::string(at("score"))));
    return "<div><h3>From composite to score</h3>" +
           waterfall(steps, low, high, "From composite to score of " + shown_.id) + "</div>";
  }

  std::string dimensions() {
    std::vector<BarRow> rows;
    double most = 0;
    for (const auto& [name, json] : members(at("dimensions"))) {
      const std::vector<std::string> cell = cells(json, {"score", "weight", "contribution"});
      if (cell.size() < 3) continue;
      BarRow row;
      row.name = name;
      row.label = cell[0].empty() ? "missing" : cell[0] + (cell[1].empty() ? "" : " × " + cell[1]);
      row.value = number_of(cell[0]);
      most = std::max(most, row.value);
      rows.push_back(std::move(row));
    }
    if (rows.empty()) return {};
    const double full = most > 1 ? std::pow(10, std::ceil(std::log10(most))) : 1;
    for (BarRow& row : rows) row.value /= full;
    return "<div><h3>Dimensions, score × weight</h3>" + bars(rows, "Dimensions of " + shown_.id) + "</div>";
  }

  const Shown& shown_;
  const std::string& band_;
  std::map<std::string, std::string> parts_;
};

std::string distribution(const std::vector<Shown>& all, const std::string& band, const std::vector<BandOrder>& order) {
  std::vector<std::string> names;
  for (const BandOrder& one : order) {
    if (one.name == band) names.assign(one.worst_first.rbegin(), one.worst_first.rend());
  }
  std::map<std::string, std::size_t> counts;
  for (const Shown& one : all) {
    const std::vector<std::string> cell = cells(one.json, {band.empty() ? "status" : band});
    const std::string name = cell.empty() || cell[0].empty() ? "–" : cell[0];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    ++counts[name];
  }
  std::vector<BarRow> rows;
  for (const std::string& name : names)
    rows.push_back({name, std::to_string(counts[name]),
                    static_cast<double>(counts[name]) / static_cast<double>(std::max<std::size_t>(all.size(), 1))});
  return "<h2>Distribution: " + escaped(band.empty() ? "status" : band) + "</h2>" +
         bars(rows, "Distribution over bands");
}

std::string weights(const Sensitivity& s) {
  std::vector<BarRow> rows;
  for (const WeightSensitivity& w : s.weights) {
    if (w.advisory) continue;
    rows.push_back({w.name, shown_number(w.winner.low, 3) + " .. " + shown_number(w.winner.high, 3),
                    fraction_of(w.weight), fraction_of(w.winner.low), fraction_of(w.winner.high)});
  }
  if (rows.empty()) return {};
  std::string out =
      "<h2>Weights</h2><p>The dot is the weight as declared; within the whiskers, the others in proportion, " +
      escaped(s.winner) + " stays first.</p>" + bars(rows, "Intervals of weights in which the winner stays");
  return out + text_list("Never met by these records", s.never);
}

}  // namespace

int report(const ReportOptions& options) {
  int code = kDone;
  std::optional<Questioning> q = Questioning::open(options.question, code);
  if (!q) return code;
  std::vector<std::string> records, places;
  bool rejected = false;
  if (!q->read_all(records, places, rejected, code)) return code;
  return write_report(*q, records, places, rejected, options.question.output);
}

int write_report(Questioning& q, const std::vector<std::string>& records, const std::vector<std::string>& places,
                 bool rejected, const std::string& path) {
  if (records.empty()) return refuse_question("there is no record");
  std::vector<Shown> all;
  std::vector<std::size_t> source;  // record of each
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Verdict& verdict = q.evaluator().score(records[i]);
    if (interrupted()) return kRefused;
    if (const InputError* error = verdict.error()) {
      rejected = true;
      say(place_message(places[i], *error));
      continue;
    }
    all.push_back({verdict.id().empty() ? "record " + std::to_string(i + 1) : std::string(verdict.id()),
                   std::string(verdict.json()), "", ""});
    source.push_back(i);
  }
  // In the order of the rubric's ranking, each with the key by which it stands before the next.
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (q.rubric().ranked()) {
    Evaluator ranker(q.rubric(), q.evaluation());
    if (!q.preparation().apply(ranker)) return kRefused;
    std::vector<std::string_view> views;
    for (const std::size_t i : source) views.emplace_back(records[i]);
    std::vector<std::pair<std::size_t, InputError>> errors;
    const Ranking ranking = ranker.rank_valid(views, errors);
    if (interrupted()) return kRefused;
    std::map<std::string, std::size_t> place;
    std::size_t next = 1;
    for (const auto& group : ranking.groups) {
      for (const std::string& id : group) place[id] = next;
      next += group.size();
    }
    const auto of = [&](std::size_t i) {
      const auto found = place.find(all[i].id);
      return found == place.end() ? all.size() + 1 : found->second;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return of(a) < of(b); });
    for (std::size_t i = 0; i < all.size(); ++i) all[i].place = of(i) > all.size() ? "–" : std::to_string(of(i));
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      Versus versus;
      if (all[order[i]].place == "–" || all[order[i + 1]].place == "–") continue;
      if (q.analysis().versus(records[source[order[i]]], records[source[order[i + 1]]], versus)) continue;
      if (interrupted()) return kRefused;
      if (!versus.key.empty())
        all[order[i]].decided = versus.key + " (" + bare(versus.p_key) + " against " + bare(versus.q_key) + ")";
    }
  }
  std::vector<Shown> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(all[i]));
  std::string band;
  for (const FieldInfo& field : q.rubric().fields()) {
    if (field.role == FieldInfo::Role::band && band.empty()) band = field.name;
  }
  Sensitivity answer;
  SensitivityOptions asked;
  asked.samples = 0;
  const std::vector<std::string_view> views(records.begin(), records.end());
  if (q.analysis().sensitivity(views, asked, answer) && interrupted()) return kRefused;

  std::string problem;
  std::optional<Output> output = Output::open(path, problem);
  if (!output) return refuse_question(problem);
  const Rubric& rubric = q.rubric();
  output->write(page_begin(rubric.name() + " report"));
  output->write("<header><h1>" + escaped(rubric.name()) +
                (rubric.version().empty() ? "" : " " + escaped(rubric.version())) + "</h1><p>" +
                escaped(rubric.prose()) + "</p><p>" + counted(sorted.size(), "record") + ", scoring hash " +
                escaped(rubric.scoring_hash()) + "</p></header>\n<main>");
  output->write(distribution(sorted, band, q.analysis().bands()));
  if (answer.note.empty()) output->write(weights(answer));
  std::string choices;
  std::vector<std::string> seen;
  for (const Shown& one : sorted) {
    const std::vector<std::string> cell = cells(one.json, {band.empty() ? "status" : band});
    const std::string name = cell.empty() || cell[0].empty() ? "–" : cell[0];
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    choices += "<option>" + escaped(name) + "</option>";
  }
  output->write(
      "<h2>Records</h2><div id=\"tools\" hidden><label>Search <input id=\"find\" type=\"search\"></label><label>Band "
      "<select id=\"band\"><option value=\"\">all</option>" +
      choices +
      "</select></label><label>Order <select id=\"sort\"><option value=\"best\">best first</option><option "
      "value=\"low\">worst first</option><option value=\"id\">by id</option></select></label><span id=\"told\" "
      "role=\"status\"></span></div>\n<div id=\"list\">\n");
  for (const Shown& one : sorted) {
    if (!output->alive()) break;
    output->write(Record(one, band).html());
  }
  output->write("</div></main>\n" + page_end());
  return output->finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
