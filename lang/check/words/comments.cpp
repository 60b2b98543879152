// See comments.hpp.
#include "lang/check/words/comments.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay {

namespace {

// What a line says behind '#', if it holds a comment alone.
std::string_view comment_line(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return {};
  line.remove_prefix(std::min(line.find_first_not_of('#'), line.size()));
  return without_blanks(line);
}

}  // namespace

std::string comment_above(std::string_view file, std::size_t begin) {
  std::size_t line = begin == 0 ? 0 : file.rfind('\n', begin - 1) + 1;
  std::string comment;
  while (line > 1) {
    const std::size_t before = file.rfind('\n', line - 2) + 1;
    const std::string_view above = comment_line(file.substr(before, line - 1 - before));
    if (above.empty()) break;
    comment.insert(0, std::string(above) + (comment.empty() ? "" : " "));
    line = before;
  }
  return comment;
}

std::string comment_at(std::string_view file, std::size_t begin, std::size_t end) {
  std::string comment = comment_above(file, begin);
  const std::string_view rest = file.substr(end, std::min(file.find('\n', end), file.size()) - end);
  bool quoted = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"' && (i == 0 || rest[i - 1] != '\\')) quoted = !quoted;
    if (rest[i] != '#' || quoted) continue;
    comment += (comment.empty() ? "" : " ") + std::string(comment_line(rest.substr(i)));
    break;
  }
  return comment;
}

std::string comments_of(std::string_view file) {
  std::string comments;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('\n', at), file.size());
    const std::string_view comment = comment_line(file.substr(at, end - at));
    if (!comment.empty()) comments += std::string(comment) + " ";
    at = end + 1;
  }
  return comments;
}

std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  std::string sentence;
  const auto end = [&] {
    if (const std::string_view said = without_blanks(sentence); !said.empty()) sentences.emplace_back(said);
    sentence.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool last = i + 1 == text.size() || std::string_view(" .!?").find(text[i + 1]) != std::string_view::npos;
    if (text[i] == ';' || (last && std::string_view(".!?").find(text[i]) != std::string_view::npos)) end();
    else sentence += text[i];
  }
  end();
  return sentences;
}

}  // namespace assay
