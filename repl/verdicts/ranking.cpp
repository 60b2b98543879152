// Places and tables of a ranking. Ties share the place of the first, and the following place counts them all.
#include "repl/verdicts/ranking.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"

#include <map>

namespace assay::cli {

namespace {

// Why a record has no place: the gates that it fails, or what makes it incomplete.
std::string why_unplaced(const Verdict& verdict) {
  std::string why;
  for (const auto& [gate, passed] : members(verdict.json("gates"))) {
    if (passed != "true") why += (why.empty() ? "" : ", ") + gate;
  }
  if (verdict.text("status") != "incomplete") return why;
  const std::string_view reason = verdict.text("reason");
  why += why.empty() ? "incomplete" : "; incomplete";
  if (!reason.empty()) why += ": " + std::string(reason);
  return why;
}

// "inputs[3].correctness" refers to a request; the message already names the record.
void shorten_path(Printable& of) {
  if (of.rfind("inputs[", 0) != 0) return;
  const std::size_t bracket = of.find(']');
  if (bracket == std::string::npos) return;
  const std::string path = of.substr(bracket + 1);
  of = path.starts_with('.') ? path.substr(1) : path;
}

// The values of a verdict for these keys, as JSON.
std::vector<std::string> values_of(std::string_view verdict, const std::vector<std::string>& columns) {
  std::vector<std::string> values(columns.size(), "null");
  for (const auto& [key, value] : members(verdict)) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] == key) values[i] = value;
    }
  }
  return values;
}

std::string ndjson_text(const RankedRecords& ranked) {
  std::string text;
  for (std::size_t row = 0; row < ranked.rows.size(); ++row) {
    const std::string& place = ranked.rows[row].first;
    const std::string number = place.back() == '=' ? place.substr(0, place.size() - 1) : place;
    text += "{\"place\":" + number;
    for (std::size_t i = 0; i < ranked.columns.size(); ++i)
      text += "," + quoted(ranked.columns[i]) + ":" + ranked.values[row][i];
    text += "}\n";
  }
  for (const auto& [id, gates] : ranked.ineligible) {
    text += "{\"place\":null,\"id\":" + quoted(id) + ",\"failed\":" + quoted(gates) + "}\n";
  }
  return text;
}

}  // namespace

RankedRecords rank_records(const Rubric& rubric, Evaluator& evaluator, Evaluator* scorer,
                           const std::vector<std::string_view>& records) {
  RankedRecords result;
  result.ranking = evaluator.rank_valid(records, result.errors);
  for (auto& [index, error] : result.errors) {
    shorten_path(error.path);
    for (InputFault& fault : error.others) shorten_path(fault.path);
  }
  if (scorer == nullptr) return result;

  result.columns = {"id"};
  if (rubric.scored()) result.columns.emplace_back("score");
  for (std::string& field : rubric.scored() ? band_fields(rubric) : plain_outputs(rubric))
    result.columns.push_back(std::move(field));
  std::vector<bool> rejected(records.size());
  for (const auto& [index, error] : result.errors) {
    if (index < rejected.size()) rejected[index] = true;
  }
  std::map<std::string, std::vector<std::string>, std::less<>> cells_by_id, values_by_id;
  std::map<std::string, std::string, std::less<>> gates_by_id;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (rejected[i]) continue;
    if (interrupted()) break;
    const Verdict& verdict = scorer->score(records[i]);
    std::string id(verdict.id());
    if (!verdict.eligible()) gates_by_id.emplace(id, why_unplaced(verdict));
    values_by_id.emplace(id, values_of(verdict.json(), result.columns));
    cells_by_id.emplace(std::move(id), cells(verdict.json(), result.columns));
  }
  std::size_t place = 1;
  for (const std::vector<std::string>& group : result.ranking.groups) {
    for (const std::string& id : group) {
      result.rows.emplace_back(std::to_string(place) + (group.size() > 1 ? "=" : ""), cells_by_id[id]);
      result.values.push_back(values_by_id[id]);
    }
    place += group.size();
  }
  for (const std::string& id : result.ranking.ineligible) result.ineligible.emplace_back(id, gates_by_id[id]);
  return result;
}

std::string ranking_text(const RankedRecords& ranked, const OutputFormat& format) {
  using Layout = OutputFormat::Layout;
  if (format.layout == Layout::array) return ranked.ranking.json() + "\n";
  if (format.layout == Layout::lines) return ndjson_text(ranked);
  TextTable table{{"place"}, {}};
  for (const std::string& column : ranked.columns) table.header.push_back(column_heading(column));
  for (const auto& [place, cells] : ranked.rows) {
    table.rows.push_back({place});
    table.rows.back().insert(table.rows.back().end(), cells.begin(), cells.end());
  }
  if (format.layout == Layout::rows) {
    table.header.emplace_back("failed");
    std::string text = format.row(table.header);
    for (auto& row : table.rows) {
      row.resize(table.header.size());
      if (row.front().back() == '=') row.front().pop_back();
      text += format.row(row);
    }
    for (const auto& [id, gates] : ranked.ineligible) {
      std::vector<std::string> row(table.header.size());
      row[1] = id;
      row.back() = gates;
      text += format.row(row);
    }
    return text;
  }
  TextTable apart{{"ineligible", "failed"}, {}};
  for (const auto& [id, gates] : ranked.ineligible) apart.rows.push_back({id, gates});
  std::string text = format.table(table, table_width());
  if (!apart.rows.empty()) text += "\n" + format.table(apart, table_width());
  return text;
}

}  // namespace assay::cli
