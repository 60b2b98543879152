// A quotation mark that is missing on its line, or too many: where it may belong is tried, from the likeliest place on.
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

// Where the marks of a line are: those that are not escaped, up to a comment outside of a text.
std::vector<std::size_t> marks_of(std::string_view line) {
  std::vector<std::size_t> marks;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool inside = marks.size() % 2 == 1;
    if (line[i] == '\\' && inside) ++i;
    else if (line[i] == '"') marks.push_back(i);
    else if (line[i] == '#' && !inside) break;
  }
  return marks;
}

// Whether a text may end before this place: a sign or a word of the language stands behind it.
bool may_end(std::string_view line, std::size_t at) {
  static constexpr std::string_view kWords[] = {"=",  "when", "if", "unless",   "weight", "points",
                                                "at", "else", "or", "and",      "for",    "{",
                                                "|",  "#",    "in", "decimals", "->",     "where"};
  if (at >= line.size()) return true;
  if (std::string_view(",)]}:;").find(line[at]) != std::string_view::npos) return true;
  const std::size_t word = line.find_first_not_of(' ', at);
  if (word == at || word == line.npos) return word == line.npos;
  if (std::string_view("\",)]}").find(line[word]) != std::string_view::npos) return true;
  const std::string_view rest = line.substr(word);
  return std::any_of(std::begin(kWords), std::end(kWords), [rest](std::string_view one) {
    return rest.starts_with(one) && (rest.size() == one.size() || rest[one.size()] == ' ');
  });
}

// Whether a text may begin at this place: with a capital letter, or behind a sign, a number or a word that names a text.
bool may_begin(std::string_view line, std::size_t at) {
  if (at == 0 || at >= line.size() || line[at] == ' ') return false;
  const std::size_t last = line.find_last_not_of(' ', at - 1);
  if (last == line.npos) return false;
  if (last + 1 < at && line[at] >= 'A' && line[at] <= 'Z') return true;
  if (std::string_view("([{,").find(line[last]) != std::string_view::npos) return true;
  std::size_t word = last + 1;
  while (word > 0 && is_name_character(line[word - 1])) --word;
  if (last + 1 < at && among(line.substr(word, last + 1 - word), {"example", "version", "advice", "check"}))
    return true;
  return last + 1 < at && (std::string_view("=|:%)><").find(line[last]) != std::string_view::npos ||
                           (line[last] >= '0' && line[last] <= '9'));
}

// ''a'', of pairs of apostrophes
void doubled_apostrophes(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  const std::size_t begin = text.rfind('\n', window.problem.at.offset) + 1;  // npos + 1 is 0
  const std::size_t end = std::min(text.find('\n', window.problem.at.offset), text.size());
  std::vector<Edit> edits;
  for (std::size_t at = text.find("''", begin); at < end; at = text.find("''", at + 2))
    edits.push_back(out.edit(at, at + 2, "\""));
  if (edits.size() == 2 && edits[0].end < edits[1].begin) out.add_here(std::move(edits));
}

// The line with a mark that is typed twice as one, "a"", and with a text that begins and ends with different marks, 'a", in
// double quotes.
std::vector<std::string> with_other_marks(std::string_view line, const std::vector<std::size_t>& marks) {
  std::vector<std::string> lines;
  const auto before = [line](std::size_t at) {  // what stands before a text
    return at == 0 || std::string_view(" ,([{:=|").find(line[at - 1]) != std::string_view::npos;
  };
  const auto behind = [line](std::size_t at) {
    return at >= line.size() || std::string_view(" ,)]}:=|").find(line[at]) != std::string_view::npos;
  };
  for (std::size_t k = 0; k + 1 < marks.size(); ++k) {
    if (marks[k] + 1 != marks[k + 1]) continue;
    const bool begins = before(marks[k]), ends = behind(marks[k + 1] + 1);
    const bool third = k + 2 < marks.size() && marks[k + 2] == marks[k + 1] + 1;
    if (begins == ends && !third) continue;  // "" or, between letters, 12"" of inches
    lines.emplace_back(line);
    lines.back().erase(marks[k], 1);
  }
  for (std::size_t at = line.find('\''); at != line.npos && marks.size() == 1; at = line.find('\'', at + 1)) {
    const bool opens = at < marks[0] && before(at) && !behind(at + 1) && line[at + 1] != '\'';
    const bool closes = at > marks[0] + 1 && line[at - 1] != ' ' && behind(at + 1);
    if (!opens && !closes) continue;
    lines.emplace_back(line);
    lines.back()[at] = '"';
  }
  return lines;
}

}  // namespace

void missing_quotes(const Window& window, Proposals& out) {
  constexpr std::size_t kMost = 24, kLines = 8;  // places to try, lines to look at
  if (!window.problem.code.starts_with("E01")) return;
  const std::string_view text = window.tokens.text();
  doubled_apostrophes(window, out);
  // The line of the problem, or the nearest above it that has an odd number of them.
  std::size_t begin = 0, end = 0;
  std::string_view line;
  std::vector<std::size_t> marks;
  std::size_t from = std::min(window.problem.at.offset, text.size());
  for (std::size_t looked = 0; looked < kLines && marks.size() % 2 == 0; ++looked) {
    begin = from == 0 ? 0 : text.rfind('\n', from - 1) + 1;
    end = std::min(text.find('\n', begin), text.size());
    if (end > begin && text[end - 1] == '\r') --end;
    line = text.substr(begin, end - begin);
    marks = marks_of(line);
    if (begin == 0) break;
    from = begin - 1;
  }
  if (marks.size() % 2 == 0) return;
  std::vector<std::string> lines = with_other_marks(line, marks);
  const auto insert = [&](std::size_t at, std::string_view what) {
    std::string one(line);
    one.insert(at, what);
    if (lines.size() < kMost) lines.push_back(std::move(one));
  };
  for (std::size_t k = 0; k < marks.size(); k += 2) {  // one that would end a text
    const std::size_t next = k + 1 < marks.size() ? marks[k + 1] : line.size();
    for (std::size_t at = marks[k] + 2; at <= next; ++at) {
      const bool blank = at < line.size() && line[at - 1] == ' ';
      if (!blank && (at < next || next == line.size()) && may_end(line, at)) insert(at, "\"");
    }
  }
  for (std::size_t k = 0; k < marks.size(); k += 2) {  // one that would begin a text
    const std::size_t before = k == 0 ? 0 : marks[k - 1] + 1;
    for (std::size_t at = marks[k]; at-- > before;) {
      if (may_begin(line, at)) insert(at, "\"");
    }
  }
  for (std::size_t k = 1; k + 1 < marks.size(); ++k) insert(marks[k], "\\");  // 12" of inches
  for (std::string& one : lines) out.add_here({out.edit(begin, end, std::move(one))});
}

// "bands": [ … ]: the keys of JSON are words of declarations without their marks.
std::vector<std::size_t> marks_of_key(std::string_view text, std::size_t colon) {
  if (text.substr(colon, 1) != ":" || colon < 3) return {};
  const std::size_t last = text.find_last_not_of(" \t", colon - 1);
  if (last == text.npos || last < 2 || text[last] != '"') return {};
  const std::size_t first = text.rfind('"', last - 1);
  if (first == text.npos || first + 1 == last) return {};
  const std::string_view key = text.substr(first + 1, last - first - 1);
  const std::size_t line = first == 0 ? 0 : text.rfind('\n', first - 1) + 1;
  const bool word = std::all_of(key.begin(), key.end(),
                                [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
  if (!word || text.substr(line, first - line).find_first_not_of(" \t") != text.npos) return {};
  return {first, last};
}

}  // namespace assay::mending
