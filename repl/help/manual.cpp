// Manual pages, in the macros of man(7).
#include "repl/help/command_table.hpp"

#include <algorithm>

namespace assay::cli {

namespace {

// Escapes a line of text: '-' is a minus, and no line may begin with a dot or a quote.
std::string roff(std::string_view text) {
  std::string out;
  bool first = true;
  for (const char c : text) {
    if (first && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    first = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string heading(const CommandTable& table, const std::string& name, const std::string& meaning) {
  return ".TH " + upper(name) + " 1 \"\" \"" + table.name + " " + table.version + "\" \"\"\n.SH NAME\n" + roff(name) +
         " \\- " + roff(meaning) + "\n";
}

}  // namespace

std::string manual_page(const CommandTable& table, std::string_view wanted) {
  if (wanted.empty()) {
    std::string out = heading(table, table.name, table.meaning) + ".SH SYNOPSIS\n.B " + table.name +
                      "\n.I VERB\n[options] [operands]\n.SH VERBS\n";
    for (const VerbRow& verb : table.verbs)
      out += ".TP\n.BR " + table.name + "\\-" + verb.name + " (1)\n" + roff(verb.meaning) + "\n";
    return out + ".SH EXIT STATUS\n" + roff(table.footer) + "\n";
  }
  const auto verb =
      std::find_if(table.verbs.begin(), table.verbs.end(), [&](const VerbRow& v) { return v.name == wanted; });
  if (verb == table.verbs.end()) return {};
  std::string out = heading(table, table.name + "-" + verb->name, verb->meaning) + ".SH SYNOPSIS\n.B " + table.name +
                    " " + verb->name + "\n[options]";
  for (const OptionRow& option : verb->options) {
    if (!option.operand) continue;
    const std::string name = "\\fI" + roff(option.name) + "\\fR" + (option.repeats ? "..." : "");
    out += option.required ? " " + name : " [" + name + "]";
  }
  out += "\n";
  for (const bool operands : {true, false}) {
    out += operands ? ".SH OPERANDS\n" : ".SH OPTIONS\n";
    for (const OptionRow& option : verb->options) {
      if (option.operand != operands) continue;
      out += ".TP\n" + std::string(operands ? "\\fI" : "\\fB") + roff(option.name) + "\\fR";
      if (!option.letter.empty()) out += ", \\fB" + roff(option.letter) + "\\fR";
      if (!option.value.empty()) out += " \\fI" + roff(option.value) + "\\fR";
      out += "\n" + roff(option.meaning) + ".\n";
    }
  }
  if (!verb->examples.empty()) out += ".SH EXAMPLES\n.nf\n" + roff(verb->examples) + "\n.fi\n";
  return out + ".SH SEE ALSO\n.BR " + table.name + " (1)\n";
}

}  // namespace assay::cli
