// The parts of the reference that describe the code: builtins, operators, diagnostics and limits are generated from the
// tables of the implementation, so that the page always agrees with it.
#include "tests/docs/document.hpp"

#include "tests/case_file.hpp"

#include <assay/library.hpp>

#include <map>
#include <set>
#include <string_view>

namespace assay_tests {

namespace {

struct BuiltinFact {
  std::string_view name, group, signature, doc, example;
};
constexpr BuiltinFact kBuiltins[] = {
#define ASSAY_BUILTIN(id, name, group, signature, parameters, result, doc, example) \
  {name, #group, signature, doc, example},
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
};

struct OperatorFact {
  std::string_view spelling, form;
  int level;
  std::string_view association;
};
constexpr OperatorFact kOperators[] = {
#define ASSAY_OPERATOR(spelling, form, level, association) {spelling, #form, level, #association},
#include "lang/syntax/operators.def"
#undef ASSAY_OPERATOR
};

struct DiagnosticFact {
  std::string_view code, title;
};
constexpr DiagnosticFact kDiagnostics[] = {
#define ASSAY_DIAGNOSTIC(code, id, severity, title) {code, title},
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
};

using Lines = std::vector<std::string>;

// A text as code in a table cell, where a bar must be escaped.
std::string code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out + "`";
}

Lines builtins() {
  Lines lines;
  std::string_view group;
  for (const BuiltinFact& b : kBuiltins) {
    if (b.group != group) {
      group = b.group;
      if (!lines.empty()) lines.emplace_back();
      std::string title(group);
      title.front() = static_cast<char>(title.front() - 'a' + 'A');
      lines.push_back("#### " + title);
      lines.insert(lines.end(), {"", "| call | gives | example |", "|---|---|---|"});
    }
    std::string signature(b.signature);
    for (std::size_t at = signature.find(" or "); at != std::string::npos; at = signature.find(" or ", at + 3)) {
      signature.replace(at, 4, "`, `");
    }
    lines.push_back("| `" + signature + "` | " + std::string(b.doc) + " | " + code(b.example) + " |");
  }
  return lines;
}

Lines operators() {
  std::map<int, std::pair<std::string, std::string>> levels;
  levels[1] = {"`v when c else w`", "right"};
  levels[12] = {"`f(x)` `x.y` `x[k]`", "left"};
  for (const OperatorFact& o : kOperators) {
    auto& [spellings, association] = levels[o.level];
    if (!spellings.empty()) spellings += " ";
    if (o.form == "prefix") spellings += "prefix ";
    spellings += code(o.spelling);
    association = o.association == "none" ? "does not chain" : std::string(o.association);
  }
  Lines lines{"| level | operators | associate |", "|---|---|---|"};
  for (const auto& [level, row] : levels) {
    lines.push_back("| " + std::to_string(level) + " | " + row.first + " | " + row.second + " |");
  }
  return lines;
}

// The members of struct Limits with their defaults and their comments. A comment must be on the line of its member.
Lines limits() {
  Lines lines{"| limit | default | of what |", "|---|---|---|"};
  for (const std::string& line : split_lines(read_file(ASSAY_SOURCE_DIR "/lang/include/assay/limits.hpp"))) {
    const std::size_t equals = line.find(" = "), end = line.find(';'), note = line.find("// ");
    if (!line.starts_with("  ") || equals == std::string::npos || end == std::string::npos || note == std::string::npos)
      continue;
    const std::size_t name = line.rfind(' ', equals - 1) + 1;
    std::string value = line.substr(equals + 3, end - equals - 3);
    for (const auto& [sign, unit] : {std::pair{" << 20", " MiB"}, std::pair{" << 30", " GiB"}}) {
      const std::size_t shift = value.find(sign);
      if (shift == std::string::npos) continue;
      const std::size_t open = value.rfind('{', shift), close = value.rfind('}', shift);
      value = value.substr(open + 1, close - open - 1) + unit;
    }
    for (char& c : value) c = c == '\'' ? ' ' : c;
    lines.push_back("| `" + line.substr(name, equals - name) + "` | " + value + " | " + line.substr(note + 3) + " |");
  }
  return lines;
}

const DiagnosticFact* diagnostic(std::string_view code) {
  for (const DiagnosticFact& d : kDiagnostics) {
    if (d.code == code) return &d;
  }
  return nullptr;
}

// "#### E0201: …": the code after the number signs, or empty.
std::string_view heading_code(std::string_view line) {
  const std::size_t at = line.find_first_not_of('#');
  if (at == 0 || at == std::string_view::npos || line.size() < at + 6 || line[at] != ' ') return {};
  const std::string_view code = line.substr(at + 1, 5);
  const bool digits = code.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return (code[0] == 'E' || code[0] == 'W') && digits ? code : std::string_view();
}

// A text in a table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

// A section for each module of the standard library, generated from its comments.
Lines library() {
  Lines lines;
  for (const assay::LibraryModule& module : assay::library_modules()) {
    if (!lines.empty()) lines.emplace_back();
    lines.insert(lines.end(), {"## " + module.name, "", module.prose, "", "| function | gives | source | example |",
                               "|---|---|---|---|"});
    for (const assay::LibraryFunction& f : module.functions) {
      std::string gives = cell(f.prose);
      if (!f.units.empty()) gives += "<br>Units: " + cell(f.units);
      if (!f.range.empty()) gives += "<br>Range: " + cell(f.range);
      std::string examples;
      for (const std::string& example : f.examples) examples += (examples.empty() ? "" : "<br>") + code(example);
      lines.push_back("| " + code(f.signature) + (f.result.empty() ? "" : "<br>: " + code(f.result)) + " | " + gives +
                      " | " + cell(f.source) + " | " + examples + " |");
    }
  }
  return lines;
}

const std::map<std::string_view, Lines (*)()> kBlocks{
    {"builtins", builtins}, {"library", library}, {"operators", operators}, {"limits", limits}};

}  // namespace

std::vector<std::string> builtin_examples() {
  Lines examples;
  for (const BuiltinFact& b : kBuiltins) examples.emplace_back(b.example);
  return examples;
}

std::string regenerate(const Document& document, std::vector<std::string>& problems) {
  Lines out;
  std::set<std::string_view> shown;
  std::set<std::string, std::less<>> exemplified;
  for (const Fence& fence : document.fences) {
    if (fence.language == "assay-error") exemplified.insert(fence.words.begin(), fence.words.end());
  }
  const Lines& lines = document.lines;
  bool headings = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    constexpr std::string_view kBegin = "<!-- begin ";
    if (lines[i].starts_with(kBegin)) {
      const std::string name = lines[i].substr(kBegin.size(), lines[i].find(" -->") - kBegin.size());
      const auto block = kBlocks.find(name);
      std::size_t end = i;
      while (end < lines.size() && lines[end] != "<!-- end " + name + " -->") ++end;
      if (block == kBlocks.end() || end == lines.size()) {
        problems.push_back("the block '" + name + "' is not known, or has no end");
        out.push_back(lines[i]);
        continue;
      }
      out.push_back(lines[i]);
      for (std::string& line : block->second()) out.push_back(std::move(line));
      out.push_back(lines[end]);
      i = end;
    } else if (const std::string_view code = heading_code(lines[i]); !code.empty()) {
      headings = true;
      const DiagnosticFact* fact = diagnostic(code);
      if (fact == nullptr) problems.push_back("there is no diagnostic " + std::string(code));
      const std::string marks = lines[i].substr(0, lines[i].find(' '));
      out.push_back(fact == nullptr ? lines[i] : marks + " " + std::string(code) + ": " + std::string(fact->title));
      if (fact != nullptr) shown.insert(fact->code);
    } else {
      out.push_back(lines[i]);
    }
  }
  for (const DiagnosticFact& fact : kDiagnostics) {
    if (!headings) break;
    if (shown.count(fact.code) == 0) problems.push_back("the diagnostic " + std::string(fact.code) + " has no heading");
    if (exemplified.count(fact.code) == 0)
      problems.push_back("the diagnostic " + std::string(fact.code) + " has no example");
  }
  return join_lines(out);
}

}  // namespace assay_tests
