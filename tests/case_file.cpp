// Reads and writes case files; see case_file.hpp for the format.
#include "tests/case_file.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay_tests {

namespace {

constexpr std::string_view kNoNewline = " (no newline)";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool is_title(std::string_view line) { return line.starts_with("=== "); }
bool is_section(std::string_view line) { return line.starts_with("--- "); }

// Removes from a section's text what the layout of the file added.
void finish(Section& section, bool last_of_case) {
  if (last_of_case && (section.text == "\n" || section.text.ends_with("\n\n"))) section.text.pop_back();
  if (!section.name.ends_with(kNoNewline)) return;
  section.name.resize(section.name.size() - kNoNewline.size());
  if (section.text.ends_with('\n')) section.text.pop_back();
}

void append_section(std::string& out, const Section& section) {
  const bool no_newline = !section.text.empty() && !section.text.ends_with('\n');
  if (!section.name.empty()) out.append("--- ").append(section.name).append(no_newline ? kNoNewline : "").append("\n");
  for (const auto line : lines_of(section.text)) {
    if (is_title(line) || is_section(line) || line.starts_with('\\')) out += '\\';
    out.append(line).append("\n");
  }
}

}  // namespace

const Section* Case::find(std::string_view name) const {
  for (const auto& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::string Case::text(std::string_view name) const {
  const Section* section = find(name);
  return section ? section->text : std::string();
}

void Case::set(std::string_view name, std::string text) {
  for (auto& section : sections) {
    if (section.name == name) {
      section.text = std::move(text);
      return;
    }
  }
  if (!text.empty()) sections.push_back({std::string(name), std::move(text)});
}

CaseFile read_cases(const std::filesystem::path& path) {
  CaseFile file;
  const std::string text = read_file(path);
  int number = 0;
  for (auto line : lines_of(text)) {
    ++number;
    if (is_title(line)) {
      if (!file.cases.empty()) finish(file.cases.back().sections.back(), true);
      file.cases.push_back({std::string(line.substr(4)), number, {{}}});
    } else if (file.cases.empty()) {
      file.prologue.append(line).append("\n");
    } else if (is_section(line)) {
      auto& sections = file.cases.back().sections;
      finish(sections.back(), false);
      sections.push_back({std::string(line.substr(4)), {}});
    } else {
      if (line.starts_with('\\')) line.remove_prefix(1);
      file.cases.back().sections.back().text.append(line).append("\n");
    }
  }
  if (!file.cases.empty()) finish(file.cases.back().sections.back(), false);
  return file;
}

void write_cases(const std::filesystem::path& path, const CaseFile& file) {
  std::string out = file.prologue;
  bool first = true;
  for (const auto& test : file.cases) {
    if (!first) out += '\n';
    first = false;
    out.append("=== ").append(test.title).append("\n");
    for (const auto& section : test.sections) append_section(out, section);
  }
  write_file(path, out);
}

void print_difference(std::string_view what, std::string_view expected, std::string_view actual) {
  if (expected == actual) return;
  const auto want = lines_of(expected);
  const auto got = lines_of(actual);
  std::size_t same = 0;
  while (same < want.size() && same < got.size() && want[same] == got[same]) ++same;
  std::printf("  %.*s differs from line %zu on:\n", static_cast<int>(what.size()), what.data(), same + 1);
  const auto print = [same](char mark, const std::vector<std::string_view>& lines) {
    constexpr std::size_t kShown = 25;
    for (std::size_t i = same; i < lines.size() && i < same + kShown; ++i) {
      std::printf("    %c %.*s\n", mark, static_cast<int>(lines[i].size()), lines[i].data());
    }
    if (lines.size() > same + kShown) std::printf("    %c (%zu more lines)\n", mark, lines.size() - same - kShown);
  };
  print('-', want);
  print('+', got);
  if (same == want.size() && same == got.size()) std::printf("    (the newline at the end)\n");
}

bool take_arguments(int argc, char** argv, std::vector<std::filesystem::path>& paths) {
  bool update = false;
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == std::string_view("--update")) update = true;
    else paths.emplace_back(argv[i]);
  }
  return update;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace assay_tests
