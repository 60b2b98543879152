// Looks at the first line, and at the first bytes.
#include "repl/files/layout.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace assay::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t end = std::min(line.find(separator), line.size());
    std::string_view cell = trimmed(line.substr(0, end));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.emplace_back(cell);
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,+-eE%") == std::string::npos &&
         cell.find_first_of("0123456789") != std::string::npos;
}

std::string table_problem(std::string_view line, bool tabs, const Rubric& rubric) {
  std::vector<InputInfo> inputs = rubric.inputs();
  const char separator = tabs                                                                                   ? '\t'
                         : line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos ? ';'
                                                                                                                : ',';
  const std::vector<std::string> cells = cells_of(line, separator);
  const auto required =
      std::find_if(inputs.begin(), inputs.end(), [](const InputInfo& i) { return i.presence == "required"; });
  if (required == inputs.end()) return {};
  const auto known = [&](const std::string& cell) {
    const std::string name = cell.substr(0, cell.find_first_of(".["));
    return std::any_of(inputs.begin(), inputs.end(), [&](const InputInfo& i) { return i.name == name; });
  };
  if (std::any_of(cells.begin(), cells.end(), known)) return {};
  const std::vector<std::string> others = cells_of(line, tabs ? ',' : '\t');
  if (others.size() > 1 && std::any_of(others.begin(), others.end(), known))
    return tabs ? "its columns are separated by commas, not by tabs: read it with --from csv"
                : "its columns are separated by tabs: read it with --from tsv";
  std::string names;
  for (std::size_t i = 0; i < inputs.size() && i < 8; ++i) names += (i == 0 ? "" : tabs ? " " : ",") + inputs[i].name;
  if (inputs.size() > 8) names += " …";
  const bool values = std::any_of(cells.begin(), cells.end(), is_number);
  return std::string(values ? "its first line holds values, and no names of columns"
                            : "no column of its header is an input of the rubric") +
         ": the first line names the inputs, such as " + names;
}

}  // namespace

std::string layout_problem(const Beginning& beginning, const Rubric& rubric) {
  const std::string_view text = beginning.text;
  const std::string_view head = text.substr(0, 64);
  if (head.substr(0, 2) == "\xff\xfe" || head.substr(0, 2) == "\xfe\xff" ||
      (head.size() > 3 && static_cast<std::size_t>(std::count(head.begin(), head.end(), '\0')) * 3 >= head.size()))
    return "it is written in UTF-16: save it as UTF-8, or convert it with iconv -f UTF-16 -t UTF-8";
  std::string_view body = text.substr(head.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0);
  const std::size_t begin = body.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  body.remove_prefix(begin);
  const std::string_view line = trimmed(body.substr(0, body.find('\n')));
  if (line.size() > 4096) return {};
  switch (beginning.format) {
    case Format::ndjson:
      if (line == "[" || line == "[{")
        return "it holds an array, and is read as a record a line: read it with --from json";
      // The second line does not begin a record either.
      if (line.front() == '{' && (line == "{" || line.back() == ',' || line.back() == '{') &&
          trimmed(body.substr(std::min(body.find('\n'), body.size()))).substr(0, 1) == "\"")
        return "its records go over several lines, and each line is read as a record: write one on each line, as jq -c "
               ". does";
      if (line.front() != '{' && line.front() != '[' && line.find(',') != std::string_view::npos)
        return "it does not hold JSON: a table is read with --from csv";
      return {};
    case Format::json:
      return line.front() == '{' && body.find("\n{") != std::string_view::npos
                 ? "it holds a record a line, and is read as an array: read it with --from ndjson"
                 : "";
    case Format::csv: return table_problem(line, false, rubric);
    case Format::tsv: return table_problem(line, true, rubric);
    case Format::npy: break;  // its header has been read
  }
  return {};
}

}  // namespace assay::cli
