// Writing verdicts as JSON, as rows of cells, or as a table.
#include <assay/verdicts.hpp>

#include "runtime/json/json_tree.hpp"

namespace assay {

namespace {

using Layout = OutputFormat::Layout;

constexpr std::string_view kBetweenItems = ",\n";  // two verdicts of a JSON array
constexpr char kRejected = '!';                    // before a verdict that waits for its table; ' ': it is a good one

std::string error_text(std::string_view path, std::string_view message) {
  std::string begin(path);
  if (path.empty() || message.starts_with(begin + " ")) return std::string(message);
  return begin + ": " + std::string(message);
}

// All that is wrong with a record, of its error object.
std::string errors_of(std::string_view json) {
  JsonNode root;
  JsonProblem problem;
  const JsonNode* const error = parse_json(json, root, problem) ? root.find("error") : nullptr;
  if (error == nullptr) return {};
  std::string all;
  const auto add = [&all](const JsonNode& one) {
    const JsonNode* const path = one.find("path");
    const JsonNode* const message = one.find("message");
    if (message == nullptr) return;
    all += (all.empty() ? "" : "; ") + error_text(path == nullptr ? std::string_view() : path->text, message->text);
  };
  add(*error);
  if (const JsonNode* const others = error->find("others")) {
    for (const JsonNode& other : others->items) add(other);
  }
  return all;
}

// A verdict's cells. A rejected record has a status and its error, and nothing else.
std::vector<std::string> cells_of(std::string_view json, bool rejected, const std::vector<std::string>& columns) {
  std::vector<std::string> cells = assay::cells(rejected ? "{}" : json, columns);
  for (std::size_t i = 0; rejected && i < columns.size(); ++i) {
    if (columns[i] == "status") cells[i] = "error";
    if (columns[i] == "error") cells[i] = errors_of(json);
    if (columns[i] == "id") cells[i] = assay::cells(json, {"id"})[0];
  }
  return cells;
}

}  // namespace

std::string error_text(const InputError& error) { return error_text(error.path.str(), error.message.str()); }

VerdictPrinter::VerdictPrinter(Write write, const OutputFormat& format, std::vector<std::string> columns,
                               std::size_t width)
    : write_(std::move(write)), format_(&format), columns_(std::move(columns)), width_(width) {
  for (const std::string& column : columns_) table_.header.push_back(column_heading(column));
  if (format_->layout == Layout::rows) write_(format_->row(table_.header));
}

std::function<void(std::string_view json, bool rejected, std::string& out)> VerdictPrinter::render() const {
  switch (format_->layout) {
    case Layout::lines: return {};
    case Layout::array: return [](std::string_view json, bool, std::string& out) { (out += kBetweenItems) += json; };
    case Layout::rows:
      return [columns = columns_, row = format_->row](std::string_view json, bool rejected, std::string& out) {
        out += row(cells_of(json, rejected, columns));
      };
    default:
      return [](std::string_view json, bool rejected, std::string& out) {
        ((out += rejected ? kRejected : ' ') += json) += '\n';
      };
  }
}

bool VerdictPrinter::add(std::string_view block) {
  if (format_->layout == Layout::table) {
    add_rows(block);
    return true;
  }
  if (format_->layout != Layout::array || !first_) return write_(block);
  first_ = false;
  return write_("[\n" + std::string(block.substr(kBetweenItems.size())));
}

void VerdictPrinter::add_rows(std::string_view block) {
  while (!block.empty()) {
    const std::size_t newline = block.find('\n');
    std::vector<std::string>& cells =
        table_.rows.emplace_back(cells_of(block.substr(1, newline - 1), block.front() == kRejected, columns_));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == "status") all_eligible_ = all_eligible_ && cells[i] == "eligible";
    }
    block.remove_prefix(newline + 1);
  }
}

bool VerdictPrinter::end(std::string_view cohort, bool tidy) {
  const std::string object = cohort.empty() ? std::string() : "{\"cohort\":" + std::string(cohort) + "}";
  if (format_->layout == Layout::array) {
    if (!object.empty()) add(std::string(kBetweenItems) + object);
    return write_(first_ ? "[]\n" : "\n]\n");
  }
  if (format_->layout != Layout::table) return object.empty() || write_(object + "\n");
  std::string text = finished_table(tidy);
  if (!object.empty()) {
    (text += format_->before_json) += pretty(object);
    if (text.back() != '\n') text += '\n';
    text += format_->behind_json;
  }
  return write_(text);
}

std::string VerdictPrinter::finished_table(bool tidy) {
  if (tidy) {
    if (all_eligible_) table_.drop("status");
    table_.drop_empty("score");
  }
  return format_->table(table_, width_);
}

}  // namespace assay
