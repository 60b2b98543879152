// Examines the first line and the first bytes.
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
  if (line.front() == '{' || line.front() == '[') return "it holds JSON: read it with --from ndjson, or json";
  const bool values = std::any_of(cells.begin(), cells.end(), is_number);
  return values ? "its first line holds values, and no names of columns" : "";  // the reader reports everything else
}

// A Latin-1 byte between ASCII letters, as in "M\xFCller", is not valid UTF-8.
bool latin_letters(std::string_view text) {
  const auto ascii = [&](std::size_t i) { return i < text.size() && static_cast<unsigned char>(text[i]) < 0x80; };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0xA0 && ascii(i + 1) && (i == 0 || ascii(i - 1))) return true;
  }
  return false;
}

// Recognises {"records": [{…}, …]}.
std::string wrapped_records(std::string_view body, const Rubric& rubric) {
  if (body.front() != '{') return {};
  std::string_view rest = trimmed(body.substr(1));
  if (rest.empty() || rest.front() != '"') return {};
  const std::size_t end = rest.find('"', 1);
  if (end == std::string_view::npos) return {};
  const std::string key(rest.substr(1, end - 1));
  rest = trimmed(rest.substr(end + 1));
  if (rest.empty() || rest.front() != ':') return {};
  rest = trimmed(rest.substr(1));
  if (rest.empty() || rest.front() != '[' || trimmed(rest.substr(1)).substr(0, 1) != "{") return {};
  for (const InputInfo& input : rubric.inputs()) {
    if (input.name == key) return {};
  }
  return "its records are a list in the key '" + key + "': the file holds the list alone, as jq ." + key + " gives it";
}

// Recognises JSON in the notation of other languages. Ignores the contents of texts.
std::string json_problem(std::string_view body) {
  if (body.front() != '{' && body.front() != '[' && body.front() != '/' && body.front() != '#') return {};
  char last = ' ';  // the previous character, without blanks
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (c == '"') {
      for (++i; i < body.size() && body[i] != '"' && body[i] != '\n'; ++i) i += body[i] == '\\' ? 1 : 0;
    } else if (c == '/' || c == '#') {
      return "it has comments, and JSON has none";
    } else if (c == '\'') {
      return "its texts stand in single quotes, and JSON has double ones";
    } else if (last == ',' && (c == '}' || c == ']')) {
      return std::string("a ',' stands before a '") + c + "', and JSON has none there";
    } else if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      std::size_t end = i;
      while (end < body.size() && ((body[end] >= 'A' && body[end] <= 'Z') || (body[end] >= 'a' && body[end] <= 'z')))
        ++end;
      const std::string_view word = body.substr(i, end - i);
      const bool exponent = word.size() == 1 && last >= '0' && last <= '9';
      if (last == ':' && (word == "True" || word == "False"))
        return "JSON has no " + std::string(word) + ": write " + (word == "True" ? "true" : "false");
      for (const std::string_view none : {"NaN", "Infinity", "None", "undefined", "NULL", "Null", "nil", "NA"}) {
        if (word == none) return "JSON has no " + std::string(word) + ": write null";
      }
      if ((last == '{' || last == ',') && !exponent && trimmed(body.substr(end, 8)).substr(0, 1) == ":")
        return "its keys stand without quotes, and JSON has them in double ones";
      i = end - 1;
    }
    if (i >= body.size()) break;  // the text continues beyond the bytes kept
    last = body[i];
  }
  return {};
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
  if (latin_letters(body))
    return "it is not written in UTF-8, but probably in Windows-1252 or Latin-1: convert it with iconv -f CP1252 -t "
           "UTF-8";
  const std::string_view line = trimmed(body.substr(0, body.find('\n')));
  if (line.size() > 4096) return {};
  switch (beginning.format) {
    case Format::ndjson:
      if (std::string foreign = json_problem(body); !foreign.empty()) return foreign;
      if (line.size() > 2 && line.front() == '{' && line.substr(line.size() - 2) == "},")
        return "its lines end with a ',': each line is a record, and nothing stands between them";
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
      if (std::string foreign = json_problem(body); !foreign.empty()) return foreign;
      if (std::string wrapped = wrapped_records(body, rubric); !wrapped.empty()) return wrapped;
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
