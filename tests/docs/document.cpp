// Reads and writes pages. Of Markdown, only what the pages use: fences of three or more backticks, and comments.
#include "tests/docs/document.hpp"

#include "tests/case_file.hpp"

#include <cctype>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace assay_tests {

namespace {

constexpr std::string_view kWith = "<!-- with";
constexpr std::string_view kEnd = "-->";

bool blank(const std::string& line) { return line.find_first_not_of(" \t") == std::string::npos; }

std::size_t backticks(const std::string& line) {
  const std::size_t end = line.find_first_not_of('`');
  return end == std::string::npos ? line.size() : end;
}

// "## 3. Types" becomes "3-types".
std::string anchor(const std::string& heading) {
  std::string result;
  for (const char c : heading.substr(heading.find(' ') + 1)) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || c == '-' || c == '_' || u >= 0x80) result += static_cast<char>(std::tolower(u));
    if (c == ' ') result += '-';
  }
  return result;
}

void find_links(const std::string& line, int number, std::vector<Link>& links) {
  for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 2)) {
    const std::size_t end = line.find(')', at);
    if (end == std::string::npos) return;
    std::string target = line.substr(at + 2, end - at - 2);
    if (target.find("://") == std::string::npos) links.push_back({std::move(target), number});
  }
}

}  // namespace

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

Document read_document(const std::filesystem::path& path) {
  Document document;
  document.path = path;
  document.lines = split_lines(read_file(path));
  const std::vector<std::string>& lines = document.lines;
  std::string with;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (blank(lines[i])) continue;
    if (lines[i].starts_with(kWith)) {
      std::string text = lines[i].substr(kWith.size());
      while (text.find(kEnd) == std::string::npos && ++i < lines.size()) text += "\n" + lines[i];
      with += text.substr(0, text.find(kEnd)) + "\n";
      continue;
    }
    const std::size_t ticks = backticks(lines[i]);
    if (ticks < 3) {
      with.clear();
      if (lines[i].starts_with('#')) document.anchors.push_back(anchor(lines[i]));
      find_links(lines[i], static_cast<int>(i + 1), document.links);
      continue;
    }
    Fence fence;
    std::istringstream words(lines[i].substr(ticks));
    words >> fence.language;
    for (std::string word; words >> word;) fence.words.push_back(std::move(word));
    fence.first = i + 1;
    for (++i; i < lines.size() && lines[i] != std::string(ticks, '`'); ++i) fence.text += lines[i] + "\n";
    if (i == lines.size())
      throw std::runtime_error(path.string() + ":" + std::to_string(fence.line()) + ": a fence is not closed");
    fence.count = i - fence.first;
    fence.with = std::move(with);
    with.clear();
    document.fences.push_back(std::move(fence));
  }
  return document;
}

std::string with_fences(const Document& document, const std::vector<std::string>& texts) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t f = 0; f < document.fences.size(); ++f) {
    const Fence& fence = document.fences[f];
    for (; at < fence.first; ++at) out += document.lines[at] + "\n";
    out += texts[f];
    at += fence.count;
  }
  for (; at < document.lines.size(); ++at) out += document.lines[at] + "\n";
  return out;
}

}  // namespace assay_tests
