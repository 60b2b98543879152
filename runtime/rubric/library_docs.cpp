// Reads the documentation in the modules of the standard library. The comment before a function is its documentation:
// prose, then lines that begin with a label (Units, Range, Source, Example). A function without a comment is private to
// its module. The first comment of a module documents the module.
#include <assay/library.hpp>

#include "runtime/hooks/stdlib.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A text without its line ends: blanks become one space.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

void append_line(std::string& to, std::string_view line) {
  if (!to.empty() && !line.empty()) to += ' ';
  to += line;
}

// The text from `at` to the matching closing bracket.
std::string_view in_brackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == '}') && --depth == 0) return text.substr(at, i + 1 - at);
  }
  return text.substr(at);
}

void take_comment(const std::vector<std::string_view>& comment, LibraryFunction& function) {
  std::string* last = &function.prose;
  for (const std::string_view line : comment) {
    std::string* label = nullptr;
    std::string_view rest = line;
    const auto labelled = [&](std::string_view name, std::string& into) {
      if (!line.starts_with(name)) return;
      rest = trimmed(line.substr(name.size()));
      label = &into;
    };
    labelled("Units:", function.units);
    labelled("Range:", function.range);
    labelled("Source:", function.source);
    if (line.starts_with("Example:")) {
      function.examples.emplace_back(trimmed(line.substr(8)));
      continue;
    }
    if (label != nullptr) last = label;
    append_line(*last, rest);
  }
}

// Reads a signature, "fn name(a, b) = …" or "hook name(a: text): number from …", that begins at `at`.
bool take_signature(std::string_view source, LibraryFunction& function) {
  const std::string declaration = one_line(source.substr(0, source.find("\n\n")));
  std::string_view text = declaration;
  const bool hook = text.starts_with("hook ");
  if (!hook && !text.starts_with("fn ")) return false;
  text.remove_prefix(hook ? 5 : 3);
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return false;
  function.name = trimmed(text.substr(0, open));
  const std::string_view parameters = in_brackets(text, open);
  function.signature = function.name + std::string(parameters);
  if (!hook) return true;
  text.remove_prefix(open + parameters.size());
  const std::size_t colon = text.find(':');
  const std::size_t end = text.find(" from \"");
  if (colon != std::string_view::npos && end != std::string_view::npos && colon < end)
    function.result = trimmed(text.substr(colon + 1, end - colon - 1));
  return true;
}

LibraryModule read_module(std::string_view name, std::string_view text) {
  LibraryModule module;
  module.name = "std/" + std::string(name);
  std::vector<std::string_view> comment;
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("#")) {
      comment.push_back(trimmed(line.substr(1)));
    } else {
      LibraryFunction function;
      if (first && !comment.empty()) {
        // skips the sentence 'import "std/…"': the page and the prompt say how to import
        for (const std::string_view part : comment)
          append_line(module.prose, trimmed(part.substr(0, part.find("import \"std/"))));
        first = false;
      } else if (!comment.empty() && take_signature(text.substr(at), function)) {
        take_comment(comment, function);
        module.functions.push_back(std::move(function));
      }
      comment.clear();
    }
    at = end + 1;
  }
  return module;
}

}  // namespace

const std::vector<LibraryModule>& library_modules() {
  static const std::vector<LibraryModule> modules = [] {
    std::vector<LibraryModule> all;
    for (const std::string_view name : stdlib_names()) {
      if (name.ends_with(".rubric")) all.push_back(read_module(name, stdlib_module(name)));
    }
    return all;
  }();
  return modules;
}

std::vector<std::pair<const LibraryModule*, const LibraryFunction*>> find_library_functions(std::string_view name) {
  std::vector<std::pair<const LibraryModule*, const LibraryFunction*>> found;
  for (const LibraryModule& module : library_modules()) {
    for (const LibraryFunction& function : module.functions) {
      if (function.name == name) found.emplace_back(&module, &function);
    }
  }
  return found;
}

}  // namespace assay
