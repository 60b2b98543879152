// The text form of diagnostics: a head line, the place, the line with carets below the span and the label beside them,
// then help and notes. Widths are counted in characters, so that carets stand right below what they mean; a tab in the
// line is kept as a tab in the gap before the carets, so that both lines are shifted alike. Nothing is shown that a
// terminal would not take for a character.
#include <assay/diagnostic.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace assay {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The characters of a line as they can be shown: what is not UTF-8, and what would move the cursor, is replaced.
std::vector<std::string> characters(std::string_view line) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i + 1;
    while (end < line.size() && continues(line[end])) ++end;
    const auto lead = static_cast<unsigned char>(line[i]);
    const std::size_t expected = lead >= 0xF0 && lead <= 0xF4  ? 4
                                 : lead >= 0xE0 && lead < 0xF0 ? 3
                                 : lead >= 0xC2 && lead < 0xE0 ? 2
                                                               : 1;
    const bool sound = end - i == expected && (expected > 1 || lead == '\t' || (lead >= 0x20 && lead < 0x7F));
    result.emplace_back(sound ? line.substr(i, end - i) : "\uFFFD");
    i = end;
  }
  return result;
}

// The part of a line that is shown.
struct Excerpt {
  std::string line;
  std::string gap;  // what stands below the line, before the carets
  int length = 1;   // of the carets

  explicit Excerpt(const Location& at) {
    const std::vector<std::string> all = characters(at.line_text);
    const int begin = at.line_text_column - 1, end = begin + static_cast<int>(all.size());
    const int column = std::max(at.column, 1) - 1;
    if (begin > 0) {
      line = "…";
      gap = " ";
    }
    for (int i = begin; i < end; ++i) {
      const std::string& shown = all[static_cast<std::size_t>(i - begin)];
      line += shown;
      if (i < column) gap += shown == "\t" ? '\t' : ' ';
    }
    if (column > end) gap.append(static_cast<std::size_t>(column - end), ' ');
    length = std::max(1, at.line_goes_on ? std::min(at.length, end - column) : at.length);
    if (at.line_goes_on) line += "…";
  }
};

// The place and the line: shared by diagnostics and their notes.
void show(const Location& at, const std::string& label, std::string& out) {
  const std::string number = std::to_string(at.line);
  const std::string margin(number.size(), ' ');
  out += margin + " ┌─ " + at.file + ":" + number + ":" + std::to_string(at.column) + "\n";
  if (!at.quoted) {
    if (!label.empty()) out += margin + " = " + label + "\n";
    return;
  }
  const Excerpt excerpt(at);
  out += number + " │ " + excerpt.line + "\n";
  out += margin + " │ " + excerpt.gap + std::string(static_cast<std::size_t>(excerpt.length), '^');
  if (!label.empty()) out += " " + label;
  out += "\n";
}

std::string margin(const Location& at) { return std::string(std::to_string(std::max(at.line, 1)).size(), ' '); }

}  // namespace

std::string render(const Diagnostic& diagnostic) {
  std::string out = diagnostic.severity == Severity::error ? "error" : "warning";
  if (!diagnostic.code.empty()) out += "[" + diagnostic.code + "]";
  out += ": " + diagnostic.message + "\n";
  if (diagnostic.at.line > 0) show(diagnostic.at, diagnostic.label, out);
  if (!diagnostic.help.empty()) out += margin(diagnostic.at) + " = help: " + diagnostic.help + "\n";
  for (const Note& note : diagnostic.notes) {
    out += margin(diagnostic.at) + " = note: " + note.message + "\n";
    if (note.at.line > 0) show(note.at, "", out);
  }
  return out;
}

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!out.empty()) out += "\n";
    out += render(diagnostic);
  }
  return out;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

}  // namespace assay
