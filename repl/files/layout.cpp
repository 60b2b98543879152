// Examines the first line and the first bytes.
#include "repl/files/layout.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
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

// The line, from 1, behind the first one that is a header: two known names, or one and no other cell. 0: none.
template <class Known>
std::size_t line_with(std::string_view text, char separator, Known&& known) {
  constexpr std::size_t kLines = 20;
  for (std::size_t number = 1; number <= kLines && !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string> cells = cells_of(trimmed(text.substr(0, end)), separator);
    const auto count = std::count_if(cells.begin(), cells.end(), known);
    if (number > 1 && (count > 1 || (count == 1 && cells.size() == 1))) return number;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

std::string table_problem(std::string_view text, std::string_view line, bool tabs, const Rubric& rubric) {
  std::vector<InputInfo> inputs = rubric.inputs();
  const char separator = tabs                                                                                   ? '\t'
                         : line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos ? ';'
                                                                                                                : ',';
  const std::vector<std::string> cells = cells_of(line, separator);
  const bool required =
      std::any_of(inputs.begin(), inputs.end(), [](const InputInfo& i) { return i.presence == "required"; });
  if (!required) std::erase_if(inputs, [](const InputInfo& i) { return i.name == "id"; });
  if (inputs.empty()) return {};
  const auto known = [&](const std::string& cell) {
    const std::string name = cell.substr(0, cell.find_first_of(".["));
    return std::any_of(inputs.begin(), inputs.end(), [&](const InputInfo& i) { return i.name == name; });
  };
  for (const std::string& cell : cells) {  // id;price,days
    if (cells.size() == 1) break;
    for (const char other : {';', ',', '\t', '|'}) {
      const std::vector<std::string> parts = cells_of(cell, other);
      if (other != separator && parts.size() > 1 && std::all_of(parts.begin(), parts.end(), known))
        return "'" + std::string(1, other) + "' stands in its header between '" + parts[0] + "' and '" + parts[1] +
               "', and '" + std::string(1, separator) + "' elsewhere: a table has one of them";
    }
  }
  if (std::any_of(cells.begin(), cells.end(), known)) return {};
  const auto in_quotes = [&](const std::string& cell) {
    return cell.size() > 2 && cell.front() == '\'' && cell.back() == '\'' && known(cell.substr(1, cell.size() - 2));
  };
  if (std::any_of(cells.begin(), cells.end(), in_quotes))
    return "its cells stand in single quotes: a table has double ones, or none";
  if (const std::size_t at = line_with(text, separator, known); at > 0)
    return "its header is in line " + std::to_string(at) + ": leave out what stands above it";
  const std::vector<std::string> others = cells_of(line, tabs ? ',' : '\t');
  if (others.size() > 1 && std::any_of(others.begin(), others.end(), known))
    return tabs ? "its columns are separated by commas, not by tabs: read it with --from csv"
                : "its columns are separated by tabs: read it with --from tsv";
  for (const char other : {'|', ':', '\t', ';', ',', ' '}) {
    if (other == separator) continue;
    const std::vector<std::string> parts = cells_of(line, other);
    if (other == '|' && parts.size() > 2 && parts.front().empty() && std::any_of(parts.begin(), parts.end(), known))
      return "it is a table of Markdown: write its cells with " + std::string(tabs ? "tabs" : "','") +
             " between them, without the bars and the row of dashes";
    if (parts.size() > 1 && std::any_of(parts.begin(), parts.end(), known))
      return std::string("its columns are separated by '") + other + "': separate them with " +
             (tabs ? "tabs" : "','") + ", as tr " + (other == ' ' ? "-s '" : "'") + other + "' '" +
             (tabs ? "\\t" : ",") + "' does where no cell holds one";
  }
  if (line.front() == '{' || line.front() == '[') return "it holds JSON: read it with --from ndjson, or json";
  const bool values = std::any_of(cells.begin(), cells.end(), is_number);
  if (!values) return {};  // the reader reports everything else
  constexpr std::size_t kMostNames = 5;
  std::string names;
  std::size_t count = 0;
  for (const InputInfo& i : inputs) {
    if ((!required || i.presence == "required") && ++count <= kMostNames) names += (count == 1 ? "" : ", ") + i.name;
  }
  return "its first line holds values, and no names of columns: write a line with them above it, such as " + names +
         (count > kMostNames ? " …" : "");
}

// Letters of Latin-1 or Windows-1252 are no UTF-8: "M\xFCller", "Gr\xF6\xDFe".
bool latin_letters(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) < 0xC0; };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (byte(i) >= 0xC0 && !follows(i + 1)) return true;
    if (follows(i) && (i == 0 || byte(i - 1) < 0x80)) return true;
  }
  return false;
}

// Where the keys of JSON text are: those of the objects on the way to `at`, and of the object there.
struct KeyPlace {
  std::vector<std::string> path;  // of the object, a list as ""
  std::string key;
  char begins;  // its value: '{', '[' or anything else
  bool items;   // its value is a list of objects
};

std::vector<KeyPlace> key_places(std::string_view body) {
  constexpr std::size_t kMost = 300;
  std::vector<KeyPlace> keys;
  std::vector<std::string> path;  // one for each open object or list
  std::string last;
  bool value = false;  // follows next
  for (std::size_t i = 0; i < body.size() && keys.size() < kMost; ++i) {
    const char c = body[i];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (value) {
      const bool objects = c == '[' && trimmed(body.substr(i + 1, 64)).substr(0, 1) == "{";
      keys.push_back({path, last, c, objects});
      value = false;
      if (c == '{' || c == '[') {
        path.push_back(last);
        continue;
      }
    }
    if (c == '"') {
      const std::size_t begin = i + 1;
      for (++i; i < body.size() && body[i] != '"'; ++i) i += body[i] == '\\' ? 1 : 0;
      if (i >= body.size()) break;
      last = body.substr(begin, i - begin);
    } else if (c == '{' || c == '[') {
      path.emplace_back();
    } else if (c == '}' || c == ']') {
      if (path.empty()) break;
      path.pop_back();
      if (path.empty()) break;
    } else if (c == ':') {
      value = true;
    }
  }
  return keys;
}

std::string jq_path(const std::vector<std::string>& path) {
  std::string all;
  for (const std::string& key : path) {
    const bool name =
        !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == key.npos;
    if (key.empty()) continue;
    all += name ? '.' + key : ".[\"" + key + "\"]";
  }
  return all;
}

// Records in other wrappings: {"records": [{…}, …]}, {"first": {…}, "second": {…}}, {"shop": {…}} around all inputs, and a
// list for each input.
std::string wrapped_records(std::string_view body, const Rubric& rubric, bool lines) {
  if (body.front() != '{' && body.front() != '[') return {};
  const std::vector<KeyPlace> keys = key_places(body);
  const std::vector<InputInfo> inputs = rubric.inputs();
  const auto input = [&](const std::string& key) {
    return std::find_if(inputs.begin(), inputs.end(), [&](const InputInfo& i) { return i.name == key; });
  };
  const auto known = [&](const KeyPlace& k) { return k.key != "id" && input(k.key) != inputs.end(); };
  const std::size_t record = body.front() == '[' ? 2 : 1;  // levels to the keys of a record
  std::size_t required = 0, here = 0, lists = 0, single = 0;
  std::string list;  // the first of them
  for (const InputInfo& i : inputs) required += i.presence == "required" && i.name != "id" ? 1 : 0;
  for (const KeyPlace& k : keys) {
    if (k.path.size() != record || input(k.key) == inputs.end()) continue;
    ++here;
    if (k.begins == '[' && lists++ == 0) list = k.key;
    single += input(k.key)->type.substr(0, 4) == "list" ? 0 : 1;
  }
  if (record == 1 && here > 1 && lists == here && single == here)
    return "it holds a list for each input: a record is an object, as jq '[range(." + list +
           " | length) as $i | map_values(.[$i])]' makes them";
  here = static_cast<std::size_t>(
      std::count_if(keys.begin(), keys.end(), [&](const KeyPlace& k) { return k.path.size() == record && known(k); }));
  if (here > 0 || required == 0) return {};
  // The place where inputs are.
  for (const KeyPlace& k : keys) {
    if (!known(k) || k.path.size() <= record) continue;
    const auto same = static_cast<std::size_t>(
        std::count_if(keys.begin(), keys.end(), [&](const KeyPlace& o) { return known(o) && o.path == k.path; }));
    if (same < std::min<std::size_t>(required, 2)) continue;
    std::vector<std::string> path = k.path;
    if (path.size() > 1 && path.back().empty()) {  // an item of a list
      path.pop_back();
      if (std::all_of(path.begin(), path.end(), [](const std::string& key) { return key.empty(); }))
        return "its records are in a list within a list: the file holds the list alone, as jq 'flatten' gives it";
      const std::string in = path.size() == 2 ? "the key '" + path.back() + "'" : "'" + jq_path(path).substr(1) + "'";
      return "its records are a list in " + in + ": the file holds the list alone, as jq '" + jq_path(path) +
             "' gives it";
    }
    const bool objects =
        std::all_of(keys.begin(), keys.end(), [&](const KeyPlace& o) { return o.path.size() != 1 || o.begins == '{'; });
    if (record == 1 && !lines && path.size() == 2 && objects)
      return "its records are the values of an object: the file holds a list of them, as jq '[to_entries[] | {id: "
             ".key} + .value]' gives it";
    const std::string inner = jq_path(path);
    return "the inputs are in '" + inner.substr(1) + "' of each record: hand on that object, as jq -c '" +
           (record == 2 ? ".[] | " : "") + "{id} + " + inner + "' does";
  }
  return {};
}

// [["id", "x"], ["a", 1]]: a table as lists.
std::string rows_as_lists(std::string_view body) {
  if (body.front() != '[' || trimmed(body.substr(1, 64)).substr(0, 1) != "[") return {};
  return "its records are lists, and each is an object with the names of the inputs: where the first list holds the "
         "names, jq '.[0] as $n | [.[1:][] | [$n, .] | transpose | map({(.[0]): .[1]}) | add]' makes them";
}

// A number that JSON writes in another way, as what to say of it. Empty: it is none, or in order.
std::string number_problem(std::string_view written) {
  if (written.find_first_not_of("+-.0123456789abcdefABCDEFxX_") != written.npos) return {};
  if (written.find_first_of("xX") != written.npos)
    return "JSON has no hexadecimal numbers such as " + std::string(written) + ": write decimal ones";
  std::string number(written);
  number.erase(std::remove(number.begin(), number.end(), '_'), number.end());
  const bool negative = number.front() == '-';
  if (negative || number.front() == '+') number.erase(0, 1);
  if (number.empty()) return {};
  while (number.size() > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9') number.erase(0, 1);
  if (number.front() == '.') number.insert(0, "0");
  if (number.back() == '.') number.pop_back();
  if (negative) number.insert(0, "-");
  if (number == written || number.find_first_not_of("-.0123456789") != number.npos) return {};
  return "JSON has no number such as " + std::string(written) + ": write " + number;
}

// 1,000 and 1 000.50 as 1000 and 1000.50; 10,5 as 10.5. Empty: no number is written so.
std::string plain_number(std::string_view written) {
  const std::size_t first = written.find_first_not_of("0123456789", written.starts_with('-') ? 1 : 0);
  if (first == 0 || first >= written.size() || (written[first] != ',' && written[first] != ' ')) return {};
  const char mark = written[first];
  std::string number(written.substr(0, first));
  std::size_t at = first;
  bool groups = number.size() <= 4;
  for (; at < written.size() && written[at] == mark; at += 4) {
    const std::size_t end = std::min(written.find_first_not_of("0123456789", at + 1), written.size());
    groups = groups && end - at == 4;
    if (!groups) break;
    number += written.substr(at + 1, 3);
  }
  if (groups) {
    const std::string_view rest = written.substr(std::min(at, written.size()));
    if (rest.empty()) return number;
    return rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == rest.npos
               ? number + std::string(rest)
               : "";
  }
  const std::string_view behind = written.substr(first + 1);
  if (mark != ',' || behind.empty() || behind.find_first_not_of("0123456789") != behind.npos) return {};
  return std::string(written.substr(0, first)) + "." + std::string(behind);
}

// Finds JSON in the notation of other languages: the first of each kind of fault. Ignores the contents of texts.
class ForeignJson {
 public:
  ForeignJson(std::string_view body, std::size_t line, const Rubric& rubric)
      : body_(body), line_(line), inputs_(rubric.inputs()) {}

  std::vector<LayoutProblem> problems() {
    if (std::string_view("{[/#").find(body_.front()) == std::string_view::npos) return {};
    for (at_ = 0; at_ < body_.size() && found_.size() < kMost && !lost_; ++at_) {
      const char c = body_[at_];
      line_ += c == '\n' ? 1 : 0;
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
      const bool comment = c == '/' || c == '#';
      step(c);
      if (at_ >= body_.size()) break;  // the text continues beyond the bytes kept
      if (!comment) last_ = body_[at_];
    }
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kMost = 4;

  static bool is_quote(std::string_view three) { return three == "\u201c" || three == "\u201d" || three == "\u201e"; }
  static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

  // `kind`: of a fault that one file may have in several forms.
  void add(std::string_view kind, std::string text) {
    if (std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end()) return;
    kinds_.emplace_back(kind);
    found_.push_back({line_, std::move(text)});
  }

  // A value of a key that goes on where it should end: 1,000, 12 EUR, 2024-01-01, road.
  bool odd_value() {
    std::size_t end = at_;
    while (end < body_.size() && std::string_view("}]\r\n\"").find(body_[end]) == std::string_view::npos &&
           (body_[end] != ',' || (end + 1 < body_.size() && body_[end + 1] >= '0' && body_[end + 1] <= '9')))
      ++end;
    const std::string_view written = trimmed(body_.substr(at_, std::min<std::size_t>(end - at_, 40)));
    if (end >= body_.size() || body_[end] == '"' || written.empty() || written.find('/') != written.npos) return false;
    constexpr std::string_view kKnown[] = {"true", "false", "null", "True", "False",     "NaN", "Infinity",
                                           "None", "NULL",  "Null", "nil",  "undefined", "NA",  "-Infinity"};
    const bool known = std::find(std::begin(kKnown), std::end(kKnown), written) != std::end(kKnown);
    const std::size_t sign = written.find('-', 1);
    const bool number = written.find_first_not_of("+-.0123456789abcdefABCDEFxX_") == written.npos &&
                        written.find_first_of("0123456789") != written.npos &&
                        (sign == written.npos || written[sign - 1] == 'e' || written[sign - 1] == 'E') &&
                        std::count(written.begin(), written.end(), '.') < 2;
    const bool cut_off = body_[end] == '\n' && (std::string_view("true").starts_with(written) ||
                                                std::string_view("false").starts_with(written) ||
                                                std::string_view("null").starts_with(written));
    if (known || number || cut_off) return false;
    const std::string meant = written == "TRUE" ? "true" : written == "FALSE" ? "false" : plain_number(written);
    add("value", "JSON has no value such as " + std::string(written) +
                     (meant.empty() ? ": a number stands alone, and a text in double quotes" : ": write " + meant));
    at_ = end - 1;
    return true;
  }

  void step(char c) {
    const std::string_view three = body_.substr(at_, 3);
    if (last_ == ':' && std::string_view("\"'{[/#").find(c) == std::string_view::npos && !is_quote(three) &&
        odd_value())
      return;
    if (c == '"') {
      const std::size_t begin = at_ + 1;
      for (++at_; at_ < body_.size() && body_[at_] != '"' && body_[at_] != '\n'; ++at_)
        at_ += body_[at_] == '\\' ? 1 : 0;
      const std::size_t end = std::min(at_, body_.size());
      text_ = body_.substr(begin, end - begin);
      line_ += end < body_.size() && body_[end] == '\n' ? 1 : 0;
    } else if (c == '-' && body_.substr(at_ + 1, 8) == "Infinity") {
      add("Infinity", "JSON has no -Infinity: " + instead());
      at_ += 8;
    } else if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
      const std::size_t end = std::min(body_.find_first_of(",;]} \t\r\n", at_), body_.size());
      if (end < body_.size()) {  // it may go on beyond the bytes kept
        std::string wrong = number_problem(body_.substr(at_, std::min<std::size_t>(end - at_, 40)));
        if (!wrong.empty()) add("number", std::move(wrong));
      }
      at_ = end - (end < body_.size() ? 1 : 0);
    } else if (c == '/' || c == '#') {
      add("comment", "it has comments, and JSON has none");
      comment();
    } else if (last_ != ':' && is_quote(three)) {
      add("quotes", "its texts stand in typographic quotes, as word processors write them, and JSON has straight ones");
      lost_ = true;
    } else if (c == '\'') {
      add("quotes", "its texts stand in single quotes, and JSON has double ones");
      lost_ = true;  // texts can no longer be told from what is around them
    } else if (last_ == ',' && (c == '}' || c == ']')) {
      add(c == '}' ? "}," : "],", std::string("a ',' stands before a '") + c + "', and JSON has none there");
    } else if (three == "\xef\xbb\xbf") {
      add("mark", "a byte order mark stands there, as where two files were joined: take it out");
      at_ += 2;
    } else if (c == ';') {
      add(";", "a ';' stands between values, and JSON has a ',' there");
    } else if (is_letter(c)) {
      word();
    }
  }

  void word() {
    std::size_t end = at_;
    while (end < body_.size() && is_letter(body_[end])) ++end;
    const std::string_view word = body_.substr(at_, end - at_);
    if (last_ == ':' && (word == "True" || word == "False"))
      add("True", "JSON has no " + std::string(word) + ": write " + (word == "True" ? "true" : "false"));
    for (const std::string_view none : {"NaN", "Infinity", "None", "undefined", "NULL", "Null", "nil", "NA"}) {
      if (word == none) add(none, "JSON has no " + std::string(word) + ": " + instead());
    }
    if ((last_ == '{' || last_ == ',') && trimmed(body_.substr(end, 8)).substr(0, 1) == ":") {
      add("keys", "its keys stand without quotes, and JSON has them in double ones");
      text_ = word;
    }
    at_ = end - 1;
  }

  // What to write for a value that is not known, of the last key.
  std::string instead() const {
    const bool required = last_ == ':' && std::any_of(inputs_.begin(), inputs_.end(), [this](const InputInfo& i) {
                            return i.name == text_ && i.presence == "required";
                          });
    return required ? "'" + std::string(text_) + "' is required, so give its value, or leave the record out"
                    : "write null";
  }

  void comment() {
    const bool block = body_.substr(at_, 2) == "/*";
    const std::size_t end = std::min(body_.find(block ? "*/" : "\n", at_), body_.size());
    const std::string_view passed = body_.substr(at_, end - at_);
    line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    at_ = std::min(block ? end + 1 : end - 1, body_.size());
  }

  std::string_view body_;
  std::size_t line_;
  std::vector<InputInfo> inputs_;
  std::size_t at_ = 0;
  char last_ = ' ';        // the previous character, without blanks
  std::string_view text_;  // the last text, or key
  bool lost_ = false;
  std::vector<std::string> kinds_;
  std::vector<LayoutProblem> found_;
};

// {…} {…} on one line.
bool holds_several(std::string_view line) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      for (++i; i < line.size() && line[i] != '"'; ++i) i += line[i] == '\\' ? 1 : 0;
    } else if (line[i] == '{') {
      ++depth;
    } else if (line[i] == '}' && depth > 0 && --depth == 0) {
      const std::string_view rest = trimmed(line.substr(i + 1));
      return rest.substr(0, 1) == "{" || (rest.substr(0, 1) == "," && trimmed(rest.substr(1)).substr(0, 1) == "{");
    }
  }
  return false;
}

// A file that is no text, by what it begins with.
std::string binary_problem(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {"PK\x03\x04"sv, "it is a zip archive, as workbooks of Excel and LibreOffice are: save the sheet as CSV"},
      {"\xd0\xcf\x11\xe0"sv, "it is a workbook or a document of Office: save the sheet as CSV"},
      {"PAR1"sv, "it is a Parquet file: write its rows as CSV or NDJSON"},
      {"ARROW1"sv, "it is an Arrow file: write its rows as CSV or NDJSON"},
      {"SQLite format 3"sv, "it is a database of SQLite: write its rows as CSV or NDJSON"},
      {"%PDF"sv, "it is a PDF: records are text, as CSV or NDJSON"},
      {"\x89PNG"sv, "it is a picture: records are text, as CSV or NDJSON"},
      {"\x1f\x8b"sv, "it is compressed twice: unpack it once with gunzip"},
      {"\x28\xb5\x2f\xfd"sv, "it is compressed twice: unpack it once with unzstd"},
      {"BZh"sv, "it is compressed with bzip2: only gzip and zstd are read, so unpack it with bunzip2"},
      {"\xfd\x37zXZ"sv, "it is compressed with xz: only gzip and zstd are read, so unpack it with unxz"},
      {"<!DOCTYPE html"sv, "it is a web page: records are CSV or NDJSON"},
      {"<html"sv, "it is a web page: records are CSV or NDJSON"},
      {"<?xml"sv, "it is XML: records are CSV, JSON or NDJSON"},
  };
  for (const auto& [begin, problem] : kKinds) {
    if (head.substr(0, begin.size()) == begin) return std::string(problem);
  }
  const auto zeros = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\0'));
  const auto control = static_cast<std::size_t>(
      std::count_if(head.begin(), head.end(), [](char c) { return static_cast<unsigned char>(c) < 9; }));
  const bool wide = head.size() > 3 && zeros * 3 >= head.size();  // UTF-16
  return control * 8 > head.size() && !wide ? "it is not text: records are CSV, JSON or NDJSON" : "";
}

// UTF-16 or UTF-32, by its byte order mark, or by the zeros of text without one, then with the order of its bytes, which
// no mark tells; empty: neither.
std::string wide_encoding(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\xff\xfe\0\0"sv) || head.starts_with("\0\0\xfe\xff"sv)) return "UTF-32";
  if (head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv)) return "UTF-16";
  if (head.size() < 4) return {};
  std::size_t zeros[4] = {};  // by the place in a group of four bytes
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 4] += head[i] == '\0';
  const std::size_t groups = head.size() / 4;
  const auto mostly = [&](std::size_t place) { return zeros[place] * 8 >= groups * 7; };
  const auto rarely = [&](std::size_t place) { return zeros[place] * 8 <= groups; };
  if (mostly(1) && mostly(2) && mostly(3) && rarely(0)) return "UTF-32LE";
  if (mostly(0) && mostly(1) && mostly(2) && rarely(3)) return "UTF-32BE";
  // Letters outside Latin-1 have no zero.
  const std::size_t even = zeros[0] + zeros[2], odd = zeros[1] + zeros[3];
  const bool one_half = even * 8 <= odd || odd * 8 <= even;
  if (!one_half || (even + odd) * 3 < head.size()) return {};
  return even < odd ? "UTF-16LE" : "UTF-16BE";
}

// What is wrong with the bytes, whatever the format.
std::string encoding_problem(std::string_view text, bool table) {
  const std::string_view head = text.substr(0, 64);
  if (std::string binary = binary_problem(head); !binary.empty()) return binary;
  if (const std::string wide = wide_encoding(head); !wide.empty())
    return "it is written in " + wide + ": save it as UTF-8, or convert it with iconv -f " + wide + " -t UTF-8";
  if (latin_letters(text))
    return "it is not written in UTF-8, but probably in Windows-1252 or Latin-1: convert it with iconv -f CP1252 -t "
           "UTF-8";
  const std::string_view body = trimmed(text);
  for (const std::string_view end : {"\xe2\x80\xa8", "\xc2\x85"}) {
    if (!table && body.find("}" + std::string(end) + "{") != body.npos)
      return std::string("its lines end with ") + (end.size() == 3 ? "U+2028" : "U+0085") +
             ", which JSON does not know: write a record on each line";
  }
  // The reader of tables says so itself.
  return !table && body.find('\n') == body.npos && body.find('\r') != body.npos
             ? "its lines end with CR alone: convert them with tr '\\r' '\\n'"
             : "";
}

// A table, or another notation of records, where JSON is read.
std::string no_json(std::string_view line, bool lines) {
  if (line.front() == '{' || line.front() == '[' || line.front() == '"') return {};
  const bool braces = line.find('{') != line.npos;
  if (!braces && (line.substr(0, 2) == "- " || line == "---" || line.find(": ") < line.find_first_of(",{\"")))
    return std::string("it looks like YAML: records are JSON, as yq -o=json -I=0 '") +
           (line.starts_with("- ") ? ".[]" : ".") + "' writes them (Debian's yq: yq -c '" +
           (line.starts_with("- ") ? ".[]" : ".") + "')";
  if (braces && !lines) return "it begins with neither '[' nor '{': it holds a list of records, and nothing else";
  if (braces) return "its lines do not begin with '{': each holds the JSON of a record, and nothing else";
  return line.find(',') != line.npos ? "it does not hold JSON: a table is read with --from csv" : "";
}

// "{\"id\": …}", and ["a", 3]: values that are no objects.
std::string values_as_records(std::string_view body, bool lines) {
  const std::string_view inner = trimmed(body.substr(1, 64));
  if (body.front() == '"' && inner.starts_with("{\\\""))
    return std::string("it holds JSON as a text, which is encoded twice: decode it, as jq ") + (lines ? "-c " : "") +
           "'fromjson' does";
  if (body.front() != '[' || inner.empty() || std::string_view("{[]").find(inner.front()) != std::string_view::npos)
    return {};
  if (inner.starts_with("\"{\\\""))
    return "its records are JSON as texts, which is encoded twice: decode them, as jq 'map(fromjson)' does";
  if (body.find('{') != body.npos) return {};  // one item alone is no object
  return "it holds a list of values, and a record is an object: each value stands behind the name of its input";
}

// The rest, of a text that begins with `line`. Empty: none.
std::string shape_problem(const Beginning& beginning, std::string_view body, std::string_view line,
                          const Rubric& rubric) {
  switch (beginning.format) {
    case Format::ndjson:
      if (line.size() > 2 && line.front() == '{' && line.substr(line.size() - 2) == "},")
        return "its lines end with a ',': each line is a record, and nothing stands between them";
      if (line.front() == '{' && holds_several(line))
        return "its first line holds several records: write one on each line";
      if (line == "[" || line.substr(0, 2) == "[{")
        return "it holds an array, and is read as a record a line: read it with --from json";
      // The second line does not begin a record either.
      if (line.front() == '{' && (line == "{" || line.back() == ',' || line.back() == '{') &&
          trimmed(body.substr(std::min(body.find('\n'), body.size()))).substr(0, 1) == "\"")
        return "its records go over several lines, and each line is read as a record: write one on each line, as jq -c "
               ". does";
      if (std::string other = no_json(line, true); !other.empty()) return other;
      if (line.front() == '{') {
        if (std::string wrapped = wrapped_records(line, rubric, true); !wrapped.empty()) return wrapped;
      }
      return values_as_records(body, true);
    case Format::json:
      if (std::string other = no_json(line, false); !other.empty()) return other;
      if (std::string wrapped = wrapped_records(body, rubric, false); !wrapped.empty()) return wrapped;
      if (std::string rows = rows_as_lists(body); !rows.empty()) return rows;
      return values_as_records(body, false);
    case Format::csv: return table_problem(body, line, false, rubric);
    case Format::tsv: return table_problem(body, line, true, rubric);
    case Format::npy: break;  // its header has been read
  }
  return {};
}

}  // namespace

std::vector<LayoutProblem> layout_problems(const Beginning& beginning, const Rubric& rubric) {
  const std::string_view text = beginning.text;
  const bool table = beginning.format == Format::csv || beginning.format == Format::tsv;
  const auto one = [](std::string problem) {
    return problem.empty() ? std::vector<LayoutProblem>() : std::vector<LayoutProblem>{{0, std::move(problem)}};
  };
  if (std::string bytes = encoding_problem(text, table); !bytes.empty()) return one(std::move(bytes));
  const std::size_t begin = text.find_first_not_of(" \t\r\n", text.starts_with("\xef\xbb\xbf") ? 3 : 0);
  if (begin == std::string_view::npos) return {};
  const std::string_view body = text.substr(begin);
  const std::string_view line = trimmed(body.substr(0, body.find('\n')));
  if (line.size() > 4096) return {};
  if (table && line.size() == 5 && (line.starts_with("sep=") || line.starts_with("SEP="))) return {};  // it says how
  if (!table && beginning.format != Format::npy) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.begin() + begin, '\n')) + 1;
    if (std::vector<LayoutProblem> foreign = ForeignJson(body, lines, rubric).problems(); !foreign.empty())
      return foreign;
  }
  return one(shape_problem(beginning, body, line, rubric));
}

bool tell_cause(const Beginning& beginning, const Rubric& rubric, std::uint64_t line, InputError& error) {
  const bool table = beginning.format == Format::csv || beginning.format == Format::tsv;
  if (!table || line > 1 || !error.path.str().empty()) return false;
  const std::vector<LayoutProblem> problems = layout_problems(beginning, rubric);
  if (problems.size() != 1 || problems.front().line > 0) return false;
  error.message = problems.front().text;
  return true;
}

LayoutProblem control_character(std::string_view text) {
  std::size_t line = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    line += c == '\n' ? 1 : 0;
    if (byte >= 0x20 || c == '\n' || c == '\r' || c == '\t') continue;
    constexpr const char* kDigits = "0123456789ABCDEF";
    return {line, std::string("it has the control character U+00") + kDigits[byte / 16] + kDigits[byte % 16] +
                      ", which text hardly means: take it out"};
  }
  return {};
}

}  // namespace assay::cli
