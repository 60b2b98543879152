// Writes verdicts as JSON, as rows of cells, or as a table.
#include "repl/terminal/verdict_writer.hpp"

#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/terminal/verdict_table.hpp"

namespace assay::cli {

namespace {

using Layout = OutputFormat::Layout;

constexpr std::string_view kBetweenItems = ",\n";  // between two verdicts of a JSON array
// marks the verdict of a faulty record that waits for its table; ' ': a good one
constexpr char kFaulty = '!';  // before a verdict that waits for its table; ' ': it is a good one

// A verdict's cells. A faulty record only has a status and its error.
std::vector<std::string> cells_of(std::string_view json, bool faulty, const std::vector<std::string>& columns) {
  std::vector<std::string> cells = assay::cells(faulty ? "{}" : json, columns);
  for (std::size_t i = 0; faulty && i < columns.size(); ++i) {
    if (columns[i] == "status") cells[i] = "error";
    if (columns[i] == "error") {
      const std::vector<std::string> parts = assay::cells(json, {"error.path", "error.message"});
      cells[i] = error_text({parts[0], {}, parts[1]});
      for (const auto& [key, error] : members(json)) {
        if (key != "error") continue;
        for (const auto& [name, list] : members(error)) {
          for (const std::string_view other : name == "others" ? items(list) : std::vector<std::string_view>()) {
            const std::vector<std::string> more = assay::cells(other, {"path", "message"});
            cells[i] += "; " + error_text({more[0], {}, more[1]});
          }
        }
      }
    }
    if (columns[i] == "id") cells[i] = assay::cells(json, {"id"})[0];
  }
  return cells;
}

}  // namespace

VerdictWriter::VerdictWriter(Output& output, const OutputFormat& format, std::vector<std::string> columns)
    : output_(&output), format_(&format), columns_(std::move(columns)) {
  for (const std::string& column : columns_) table_.header.push_back(heading(column));
  if (format_->layout == Layout::rows) output_->write(format_->row(table_.header));
}

std::function<void(std::string_view json, bool faulty, std::string& out)> VerdictWriter::render() const {
  switch (format_->layout) {
    case Layout::lines: return {};
    case Layout::array: return [](std::string_view json, bool, std::string& out) { (out += kBetweenItems) += json; };
    case Layout::rows:
      return [columns = columns_, row = format_->row](std::string_view json, bool faulty, std::string& out) {
        out += row(cells_of(json, faulty, columns));
      };
    default:
      return [](std::string_view json, bool faulty, std::string& out) {
        ((out += faulty ? kFaulty : ' ') += json) += '\n';
      };
  }
}

bool VerdictWriter::add(std::string_view block) {
  if (format_->layout == Layout::table) return add_rows(block);
  if (format_->layout == Layout::array) {
    if (first_) output_->write("[\n");
    output_->write(first_ ? block.substr(kBetweenItems.size()) : block);
    first_ = false;
  } else {
    output_->write(block);
  }
  return output_->flush();
}

bool VerdictWriter::add_rows(std::string_view block) {
  while (!block.empty()) {
    const std::size_t newline = block.find('\n');
    std::vector<std::string>& cells =
        table_.rows.emplace_back(cells_of(block.substr(1, newline - 1), block.front() == kFaulty, columns_));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == "status") all_eligible_ = all_eligible_ && cells[i] == "eligible";
    }
    block.remove_prefix(newline + 1);
  }
  return output_->alive();
}

void VerdictWriter::end(std::string_view cohort, bool tidy) {
  const std::string object = cohort.empty() ? std::string() : "{\"cohort\":" + std::string(cohort) + "}";
  if (format_->layout == Layout::array) {
    if (!object.empty()) add(std::string(kBetweenItems) + object);
    output_->write(first_ ? "[]\n" : "\n]\n");
  } else if (format_->layout == Layout::table) {
    end_table(tidy);
    if (object.empty()) return;
    std::string text = pretty(object);
    if (text.empty() || text.back() != '\n') text += '\n';
    output_->write(format_->before_json);
    output_->write(text);
    output_->write(format_->behind_json);
  } else if (!object.empty()) {
    output_->write(object + "\n");
  }
}

void VerdictWriter::end_table(bool tidy) {
  if (tidy) {
    if (all_eligible_) table_.drop("status");
    table_.drop_empty("score");
  }
  output_->write(format_->table(table_));
}

}  // namespace assay::cli
