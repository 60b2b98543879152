// Explanations as Markdown and HTML. See explain_page.hpp.
#include "repl/pages/explain_page.hpp"

#include "repl/analysis/document.hpp"
#include "repl/pages/page.hpp"

#include <assay/assay.hpp>

#include <vector>

namespace assay::cli {

namespace {

struct TextLine {
  int depth = 0;  // 0: a heading, or a sentence after all of them
  std::string_view text;
};

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos) continue;
    line.remove_prefix(first);
    lines.push_back({static_cast<int>(first / 2), line});
  }
  return lines;
}

bool sentence(std::string_view heading) { return heading.ends_with('.'); }

}  // namespace

std::string explanation_markdown(std::string_view text) {
  std::string out;
  const std::vector<TextLine> lines = lines_of(text);
  bool verdict = false, list = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const TextLine& line = lines[i];
    if (line.depth == 0) {
      verdict = line.text == "Verdict";
      list = false;
      const bool title = i == 0;
      out += (out.empty() ? "" : "\n") +
             std::string(title                 ? "# "
                         : sentence(line.text) ? ""
                                               : "## ") +
             plain_markdown(line.text) + "\n";
      continue;
    }
    if (verdict) {  // JSON on one line: nothing in it ends the block
      out += "\n```json\n" + std::string(line.text) + "\n```\n";
      continue;
    }
    if (!list && !out.empty()) out += "\n";
    list = true;
    out += std::string(static_cast<std::size_t>(2 * (line.depth - 1)), ' ') + "- " + plain_markdown(line.text) + "\n";
  }
  return out;
}

std::string explanation_lists(std::string_view text) {
  const std::vector<TextLine> lines = lines_of(text);
  constexpr std::size_t kMost = 1'000'000;  // characters of one value: as many as the text has
  std::string out = "<div class=e>";
  std::vector<bool> opened;  // one for each open level: whether it has a <details>
  const auto close_to = [&](std::size_t depth) {
    while (opened.size() > depth) {
      out += opened.back() ? "</ul></details>" : "</ul>";
      opened.pop_back();
    }
  };
  bool verdict = false;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const TextLine& line = lines[i];
    if (line.depth == 0) {
      close_to(0);
      verdict = line.text == "Verdict";
      out += (sentence(line.text) ? "<p>" + escaped(line.text, kMost) + "</p>"
                                  : "<h2>" + escaped(line.text, kMost) + "</h2>") +
             "\n";
      continue;
    }
    const std::string shown = escaped(line.text, kMost);
    if (verdict) {
      out += "<p><code>" + shown + "</code></p>\n";
      continue;
    }
    const auto depth = static_cast<std::size_t>(line.depth);
    close_to(depth);
    if (opened.empty()) {
      out += "<ul>";
      opened.push_back(false);
    }
    const bool inner = i + 1 < lines.size() && lines[i + 1].depth > line.depth;
    if (!inner) {
      out += "<li>" + shown + "\n";
      continue;
    }
    // Stages are open, steps inside a value are not.
    out += std::string("<li><details") + (depth < 2 ? " open" : "") + "><summary>" + shown + "</summary><ul>\n";
    opened.push_back(true);
  }
  close_to(0);
  return out + "</div>";
}

}  // namespace assay::cli
