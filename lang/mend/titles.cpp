// What a suggestion does, in words: the lines that it leads to, or what to write into the cells of a table.
#include "lang/mend/titles.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <string_view>

namespace assay::mending {

namespace {

// The lines of a text without the indentation of the first, if there are several.
void add_lines(std::string_view text, std::vector<Printable>& lines) {
  constexpr std::size_t kMostLines = 24, kMostCharacters = 160;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  while (!text.empty() && text.find('\n') < text.find_first_not_of(" \t\r\n")) text.remove_prefix(text.find('\n') + 1);
  if (text.find('\n') == text.npos) return;
  const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min({indent, line.find_first_not_of(" \t"), line.size()}));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (lines.size() == kMostLines) return lines.emplace_back("…"), void();
    lines.emplace_back(shorten(std::string(line), kMostCharacters));
  }
}

}  // namespace

// What a suggestion does, as a title: the lines that it leads to. Of edits in places that lie apart, the one nearest to
// the problem is shown, and how many others there are.
std::string title_of(const std::string& text, const std::vector<Edit>& edits, std::size_t at,
                     std::vector<Printable>& shown_lines) {
  const auto line_of = [&text](std::size_t i) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(i, text.size())), '\n');
  };
  if (edits.size() == 1) {
    const Edit& edit = edits.front();
    const std::string_view before = std::string_view(text).substr(edit.begin, edit.end - edit.begin);
    const std::size_t begin = std::min(before.find_first_not_of(" \t\r\n"), before.size());
    const std::string_view words = before.substr(begin, before.find_last_not_of(" \t\r\n") + 1 - begin);
    const bool line = begin > 0 && before[0] == '\n';  // all of it
    if (edit.text.empty() && (before.size() <= 40 || line) && words.find('\n') == words.npos) {
      const std::ptrdiff_t where = line_of(edit.begin + begin);
      return "remove '" + shorten(std::string(begin > 0 ? words : before), 120) + "'" +
             (where == line_of(at) ? "" : " in line " + std::to_string(where));
    }
  }
  const auto line_begin = [&text](std::size_t i) { return i == 0 ? 0 : text.rfind('\n', i - 1) + 1; };
  const auto line_end = [&text](std::size_t i) { return std::min(text.find('\n', i), text.size()); };
  // Groups of edits whose lines touch.
  struct Group {
    std::size_t first, last, begin, end;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].file != edits.front().file) continue;
    const std::size_t begin = line_begin(edits[i].begin);
    const bool joins = !groups.empty() && begin <= groups.back().end + 1;
    // A line that goes takes nothing from the one behind it.
    const bool gone = joins && edits[i].text.empty() && begin == edits[i].begin && begin < edits[i].end &&
                      line_begin(edits[i].end) == edits[i].end;
    const std::size_t end = gone ? edits[i].end - 1 : line_end(edits[i].end);
    if (joins) groups.back().last = i, groups.back().end = end;
    else groups.push_back({i, i, begin, end});
  }
  const auto distance = [at](const Group& g) { return at < g.begin ? g.begin - at : at > g.end ? at - g.end : 0; };
  // Few lines are shown together, with those between.
  constexpr std::size_t kTogether = 300;
  if (groups.back().end - groups.front().begin <= kTogether)
    groups = {{groups.front().first, groups.back().last, groups.front().begin, groups.back().end}};
  const Group shown = *std::min_element(groups.begin(), groups.end(),
                                        [&](const Group& a, const Group& b) { return distance(a) < distance(b); });
  std::string lines = text.substr(shown.begin, shown.end - shown.begin);
  for (std::size_t i = shown.last + 1; i-- > shown.first;)
    lines.replace(edits[i].begin - shown.begin, edits[i].end - edits[i].begin, edits[i].text);
  add_lines(lines, shown_lines);
  std::string one;
  for (const char c : lines) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) one += c;
    else if (!one.empty() && one.back() != ' ') one += ' ';
  }
  while (!one.empty() && one.back() == ' ') one.pop_back();
  std::string where;  // if it is not where the problem is
  if (line_of(at) < line_of(shown.begin) || line_of(at) > line_of(shown.end))
    where = "in line " + std::to_string(line_of(shown.begin));
  if (const std::size_t others = groups.size() - 1; others > 0)
    where += (where.empty() ? "and so in " : ", and so in ") + std::to_string(others) +
             (others == 1 ? " other place" : " other places");
  return "write " + shorten(one, 160) + (where.empty() ? "" : "  (" + where + ")");
}

// Says what is to be written and where; a table itself is not quoted, because an untrusted rubric may name any file.
std::string table_title(const std::string& name, const std::string& text, const std::vector<Edit>& edits,
                        const std::vector<std::string>& keys) {
  const Edit& first = edits.front();
  if (first.begin == 0 && first.end == text.size()) {
    std::string header;
    for (const std::string& key : keys) header += (header.empty() ? "" : ",") + key;
    return "separate the cells of '" + name + "' with ',' under a header that begins with " + header;
  }
  const std::string& now = first.text;
  const bool key = std::find(keys.begin(), keys.end(), now) != keys.end();
  const std::string what = key                                        ? "name the column '" + now + "'"
                           : now.empty()                              ? "leave the cell empty"
                           : now.front() == ','                       ? "add the cell that is missing"
                           : now == "otherwise" || now == "missing"   ? "write " + now
                           : now == "true" || now == "false"          ? "write true or false"
                           : now.front() == '<' || now.front() == '>' ? "write a bound, such as >= 5 or < 5,"
                           : now.find("..") != now.npos               ? "write a range, such as 0..5,"
                           : now.find_first_not_of("-.0123456789") == now.npos
                               ? "write the number alone, with a point before its decimals,"
                               : "write the cell without anything around it";
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(first.begin);
  const auto line = std::count(text.begin(), end, '\n') + 1;
  const std::size_t others = edits.size() - 1;
  return what + " in line " + std::to_string(line) + " of '" + name + "'" +
         (others == 0 ? ""
                      : "  (and so in " + std::to_string(others) + (others == 1 ? " other cell)" : " other cells)"));
}

}  // namespace assay::mending
