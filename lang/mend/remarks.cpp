// Comments within the text that edits replace: they stay beside what they are about.
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace assay::mending {
namespace {

struct Remark {
  std::string text;    // from '#' on
  std::string gap;     // the blanks before it
  bool alone = false;  // on a line of its own
  // The words of the line that it is about, and those of the line behind it.
  std::vector<std::string> of, behind;
};

struct Line {
  std::string text;
  std::vector<std::string> words, before;  // before: remarks on lines of their own
  std::string behind;
};

std::vector<std::string> words_of(std::string_view text) {
  const Tokens tokens(text);
  std::vector<std::string> words;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].value()) continue;
    const std::string_view shown = tokens[i].shown;
    const bool quoted = tokens[i].is_text() && shown.size() > 1;
    words.push_back(in_lower_case(quoted ? shown.substr(1, shown.size() - 2) : shown));
  }
  return words;
}

// The remarks in a text that is replaced.
std::vector<Remark> remarks_in(std::string_view text) {
  std::vector<Remark> found;
  const Tokens tokens(text);
  std::size_t behind = 0;  // the last token
  for (std::size_t i = 0; i < tokens.size(); behind = tokens[i++].end) {
    for (std::size_t at = text.find('#', behind); at < tokens[i].begin; at = text.find('#', at + 1)) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
      Remark remark;
      remark.text = text.substr(at, end - at);
      remark.alone = text.substr(line, at - line).find_first_not_of(" \t") == text.npos && line > 0;
      const std::size_t code = text.find_last_not_of(" \t", at - 1);
      if (!remark.alone && at > 0 && code != text.npos) remark.gap = text.substr(code + 1, at - code - 1);
      const std::size_t next = std::min(text.find('\n', tokens[i].begin), text.size());
      remark.behind = words_of(text.substr(tokens[i].begin, next - std::min(next, tokens[i].begin)));
      remark.of = remark.alone ? remark.behind : words_of(text.substr(line, at - line));
      while (!remark.text.empty() && (remark.text.back() == ' ' || remark.text.back() == '\r')) remark.text.pop_back();
      found.push_back(std::move(remark));
      at = end;
    }
  }
  return found;
}

std::size_t times(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) ++count;
  return count;
}

// The line that shares most words with these, of several the one that says least else; kNone: none does.
std::size_t line_of(const std::vector<Line>& lines, const std::vector<std::string>& words) {
  std::size_t best = kNone, most = 0, least = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::size_t same = 0;
    for (const std::string& word : words)
      same += std::find(lines[i].words.begin(), lines[i].words.end(), word) != lines[i].words.end() ? 1 : 0;
    const std::size_t other = lines[i].words.size() - std::min(lines[i].words.size(), same);
    if (same > most || (same == most && same > 0 && other < least)) best = i, most = same, least = other;
  }
  return best;
}

Line line_with(std::string text) {
  Line line;
  line.words = words_of(text);
  line.text = std::move(text);
  return line;
}

// 'given { a: 4, b: 8 }' as a line for each part, which may have a remark each; empty: it has no parts.
std::vector<Line> unfolded(const std::string& text, const std::string& indent) {
  const Tokens tokens(text);
  std::size_t open = 0;
  while (open + 1 < tokens.size() && !tokens.is(open, "{")) ++open;
  const std::size_t close = tokens[open].partner;
  if (open == 0 || !tokens.is(open, "{") || close == kNone || close + 2 != tokens.size()) return {};
  std::vector<Line> lines;
  lines.push_back(line_with(text.substr(0, tokens[open].end)));
  for (std::size_t i = open + 1, from = i; i <= close; i = i < close ? std::min(tokens.behind(i), close) : i + 1) {
    if (i < close && !tokens.is(i, ",")) continue;
    if (i == from) return {};
    lines.push_back(line_with(indent + "  " + std::string(tokens.text(from, i - 1)) + (i < close ? "," : "")));
    from = i + 1;
  }
  lines.push_back(line_with(indent + "}"));
  return lines;
}

// The lines of a text, with one for each part of those that several remarks are about.
std::vector<Line> lines_for(const std::string& text, const std::string& indent, const std::vector<Remark>& remarks) {
  std::vector<Line> lines, result;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(line_with(text.substr(from, end - from)));
    from = end + 1;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto about = std::count_if(remarks.begin(), remarks.end(),
                                     [&](const Remark& remark) { return line_of(lines, remark.of) == i; });
    const std::string& line = lines[i].text;
    const std::string own = i == 0 ? indent : line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
    std::vector<Line> parts = about > 1 ? unfolded(line, own) : std::vector<Line>();
    if (parts.empty()) result.push_back(std::move(lines[i]));
    else std::move(parts.begin(), parts.end(), std::back_inserter(result));
  }
  return result;
}

}  // namespace

bool keep_remarks(std::string_view text, std::size_t free, Edit& edit, std::vector<std::string>* above) {
  const bool removes = edit.text.find_first_not_of(" \n") == std::string::npos;
  // A comment behind the last line that is replaced may belong elsewhere than behind what is written.
  const std::size_t line_end = std::min(text.find('\n', edit.end), text.size());
  const std::size_t more = text.find_first_not_of(" \t", edit.end);
  const bool several_lines = text.substr(edit.begin, edit.end - edit.begin).find('\n') != text.npos;
  if (several_lines && more < line_end && text[more] == '#' && (removes || edit.text.find('\n') != std::string::npos))
    edit.end = line_end;
  while (removes && above != nullptr && text.substr(edit.begin, 1) == "\n") {  // lines of comments above it
    const std::size_t line = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
    const std::size_t sign = text.find_first_not_of(" \t", line);
    if (line <= free || text[sign] != '#') break;
    edit.begin = line - 1;
  }
  std::vector<Remark> remarks = remarks_in(text.substr(edit.begin, edit.end - edit.begin));
  const std::string written = in_lower_case(edit.text);
  std::string plain = in_lower_case(text.substr(edit.begin, edit.end - edit.begin));
  for (const Remark& remark : remarks) plain.erase(plain.find(in_lower_case(remark.text)), remark.text.size());
  std::erase_if(remarks, [&](const Remark& remark) {  // headings, and what only the edit says in its own way
    const std::vector<std::string> words = words_of(std::string_view(remark.text).substr(1));
    return remark.text.starts_with("##") || std::all_of(words.begin(), words.end(), [&](const std::string& word) {
             const std::string small = in_lower_case(word);
             return times(written, small) > times(plain, small);
           });
  });
  if (remarks.empty()) return true;
  const std::size_t begin = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
  // What stands before the edit on its line becomes a part of it where a comment has to stand above the line.
  const std::size_t word = std::min(text.find_first_not_of(" \t", begin), edit.begin);
  const std::string_view indent = text.substr(begin, word - begin);
  const bool first = word == edit.begin || word >= free;
  const std::string_view rest = text.substr(edit.end, std::min(text.find('\n', edit.end), text.size()) - edit.end);
  const bool last = rest.find_first_not_of(" \t\r") == rest.npos;
  if (removes) {  // nothing stays of the lines
    if (!last || text.substr(edit.begin, 1) != "\n") return false;
    for (const Remark& remark : remarks) {
      if (above != nullptr) above->push_back(remark.text);
    }
    if (above != nullptr) return true;
    std::string kept;
    const std::size_t start = text.find_first_not_of(" \n", edit.begin), column = start - text.rfind('\n', start) - 1;
    for (const Remark& remark : remarks) kept += "\n" + std::string(column, ' ') + remark.text;
    edit.text = kept + edit.text;
    return true;
  }
  std::vector<Line> lines = lines_for(edit.text, std::string(indent), remarks);
  bool all = true;
  for (Remark& remark : remarks) {
    std::size_t i = line_of(lines, remark.of);
    // What nothing is left of was the head of the line behind it.
    const bool head = i == kNone && !remark.alone;
    if (head) i = line_of(lines, remark.behind);
    if (i == kNone) i = lines.size() - 1;
    const bool several = lines.size() == 1 && remarks.size() > 1;
    if (!remark.alone && !head && !several && lines[i].behind.empty() && (i + 1 < lines.size() || last))
      lines[i].behind = (remark.gap.empty() ? " " : remark.gap) + remark.text;
    else if (i > 0 || first) lines[i].before.push_back(remark.text);
    else all = false;
  }
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string own =
        lines[i].text.substr(0, std::min(lines[i].text.find_first_not_of(' '), lines[i].text.size()));
    const std::string blanks = i == 0 ? std::string(indent) : own;
    if (i > 0) result += "\n";
    for (const std::string& remark : lines[i].before)
      result += (i == 0 && result.empty() ? "" : blanks) + remark + "\n";
    if (i == 0 && !lines[i].before.empty()) result += blanks + std::string(text.substr(word, edit.begin - word));
    result += lines[i].text + lines[i].behind;
  }
  if (!lines[0].before.empty()) edit.begin = word;
  edit.text = std::move(result);
  return all;
}

}  // namespace assay::mending
