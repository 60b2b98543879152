// The text form of diagnostics: a head line, the place, the line with carets below the span and the label beside them,
// then help and notes. Widths are counted in characters, so that carets stand right below what they mean; a tab in the
// line is kept as a tab in the gap before the carets, so that both lines are shifted alike.
#include <assay/diagnostic.hpp>

#include <algorithm>

namespace assay {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::string gap(const Location& at) {
  std::string result;
  int column = 1;
  for (const char byte : at.line_text) {
    if (continues(byte)) continue;
    if (column++ >= at.column) break;
    result += byte == '\t' ? '\t' : ' ';
  }
  for (; column < at.column; ++column) result += ' ';
  return result;
}

// The place and the line: shared by diagnostics and their notes.
void show(const Location& at, const std::string& label, std::string& out) {
  const std::string number = std::to_string(at.line);
  const std::string margin(number.size(), ' ');
  out += margin + " ┌─ " + at.file + ":" + number + ":" + std::to_string(at.column) + "\n";
  out += number + " │ " + at.line_text + "\n";
  out += margin + " │ " + gap(at) + std::string(static_cast<std::size_t>(std::max(1, at.length)), '^');
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
