// The text form of diagnostics: a head line, the location, the line with carets below the span and the label beside
// them, then help and notes. Carets are exactly below their characters, even if characters are wide or have no width:
// gaps are counted in terminal columns, and tabs are shown as spaces.
#include <assay/diagnostic.hpp>

#include "lang/text/utf8.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kTab = 4;  // columns between tab stops

// The first `characters` characters of a text.
std::string_view first(std::string_view text, int characters) {
  std::size_t size = 0;
  char32_t c = 0;
  for (; characters > 0 && size < text.size(); --characters) size += decode(text.substr(size), c);
  return text.substr(0, size);
}

// The part of a line to show, and the line of carets below it.
struct Excerpt {
  std::string line;
  std::string carets;

  explicit Excerpt(const Location& at) {
    const std::string text = displayable(at.line_text);
    const int begin = at.line_text_column - 1, before = std::max(at.column - 1 - begin, 0);
    if (begin > 0) line = "…";
    std::string_view rest = text;
    const auto add = [&](int characters) {  // returns how many of them the line lacks
      const std::string_view part = first(rest, characters);
      rest.remove_prefix(part.size());
      for (const char c : part) {
        if (c != '\t') line += c;
        else line.append(kTab - display_width(line) % kTab, ' ');
        --characters;
        if (continues_character(c)) ++characters;
      }
      return static_cast<std::size_t>(std::max(characters, 0));
    };
    const std::size_t behind = add(before);  // a place may be after the end of the line
    const std::size_t gap = display_width(line) + behind;
    const std::size_t lacking = add(std::max(at.length, 1));
    const std::size_t length = display_width(line) - std::min(display_width(line), gap - behind);
    carets =
        std::string(gap, ' ') + std::string(std::max(length + (at.line_goes_on ? 0 : lacking), std::size_t{1}), '^');
    add(static_cast<int>(rest.size()));
    if (at.line_goes_on) line += "…";
  }
};

// Writes the location and the line, for diagnostics and their notes.
void show(const Location& at, const Printable& label, std::string& out) {
  const std::string number = std::to_string(at.line);
  const std::string margin(number.size(), ' ');
  out += margin + " ┌─ " + at.file + ":" + number + ":" + std::to_string(at.column) + "\n";
  if (!at.quoted) {
    if (!label.empty()) out += margin + " = " + label + "\n";
    return;
  }
  const Excerpt excerpt(at);
  out += number + " │ " + excerpt.line + "\n";
  out += margin + " │ " + excerpt.carets;
  if (!label.empty()) out += " " + label;
  out += "\n";
}

std::string margin(const Location& at) { return std::string(std::to_string(std::max(at.line, 1)).size(), ' '); }

// Whether the help is the lines of an edit.
bool has_lines(const Diagnostic& diagnostic) {
  return !diagnostic.suggestions.empty() && !diagnostic.suggestions.front().lines.empty() &&
         diagnostic.help.str() == diagnostic.suggestions.front().title.str();
}

// `again`: an earlier diagnostic has shown the lines of its help.
std::string rendered(const Diagnostic& diagnostic, bool again) {
  std::string out = diagnostic.severity == Severity::error ? "error" : "warning";
  if (!diagnostic.code.empty()) out += "[" + diagnostic.code + "]";
  out += ": " + diagnostic.message + "\n";
  if (diagnostic.at.line > 0) show(diagnostic.at, diagnostic.label, out);
  if (again) {
    out += margin(diagnostic.at) + " = help: the lines above correct this, too\n";
  } else if (has_lines(diagnostic)) {
    const std::string& title = diagnostic.help.str();
    const std::size_t of_line = title.rfind("  (in line "), others = title.rfind("  (and so in ");
    const std::string where = of_line != title.npos  ? " " + title.substr(of_line + 3, title.size() - of_line - 4)
                              : others != title.npos ? title.substr(others)
                                                     : std::string();
    out += margin(diagnostic.at) + " = help: write" + where + "\n";
    for (const Printable& line : diagnostic.suggestions.front().lines)
      out += margin(diagnostic.at) + "     " + line + "\n";
  } else if (!diagnostic.help.empty()) {
    out += margin(diagnostic.at) + " = help: " + diagnostic.help + "\n";
  }
  for (const Suggestion& suggestion : diagnostic.suggestions) {
    if (!diagnostic.help.empty()) break;
    const bool first = &suggestion == &diagnostic.suggestions.front();
    out += margin(diagnostic.at) + (first ? " = help: " : " = or: ") + suggestion.title + "\n";
  }
  for (const Note& note : diagnostic.notes) {
    out += margin(diagnostic.at) + " = note: " + note.message + "\n";
    if (note.at.line > 0) show(note.at, "", out);
  }
  return out;
}

}  // namespace

std::string render(const Diagnostic& diagnostic) { return rendered(diagnostic, false); }

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  std::set<std::string> shown;  // helps of several lines
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!out.empty()) out += "\n";
    out += rendered(diagnostic, has_lines(diagnostic) && !shown.insert(diagnostic.help.str()).second);
  }
  return out;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

}  // namespace assay
