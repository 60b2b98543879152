// Iterates over the parts of a JSON value in place; see json_parts.hpp.
#include "runtime/json/json_parts.hpp"

#include "runtime/json/json_tree.hpp"

namespace assay {

JsonParts::JsonParts(std::string_view whole) : text_(whole) {
  skip_space();
  const char first = at_ < text_.size() ? text_[at_] : '\0';
  object_ = first == '{';
  if (first == '{' || first == '[') ++at_;
  else at_ = text_.size();
}

void JsonParts::skip_space() {
  while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
}

// Skips from after the opening quote to after the closing one.
bool JsonParts::skip_text() {
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '"') {
      ++at_;
      return true;
    }
    if (text_[at_] == '\\') ++at_;
  }
  at_ = text_.size();
  return false;
}

bool JsonParts::skip_value() {
  std::size_t open = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      if (!skip_text()) return false;
      if (open == 0) return true;
      continue;
    }
    if (open == 0 && (c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r')) return true;
    ++at_;
    if (c == '{' || c == '[') ++open;
    if ((c == '}' || c == ']') && --open == 0) return true;
  }
  return false;
}

bool JsonParts::next() {
  skip_space();
  if (at_ < text_.size() && text_[at_] == ',') ++at_, skip_space();
  if (at_ >= text_.size() || text_[at_] == '}' || text_[at_] == ']') return false;
  if (object_) {
    if (text_[at_] != '"') return false;
    const std::size_t begin = ++at_;
    if (!skip_text()) return false;
    key_ = text_.substr(begin, at_ - 1 - begin);
    skip_space();
    if (at_ >= text_.size() || text_[at_] != ':') return false;
    ++at_;
    skip_space();
  }
  const std::size_t begin = at_;
  if (!skip_value() || at_ == begin) return false;
  value_ = text_.substr(begin, at_ - begin);
  return true;
}

bool unescape_json(std::string_view written, std::string& scratch, std::string_view& result) {
  result = written;
  if (written.find('\\') == std::string_view::npos) return true;
  JsonNode node;
  JsonProblem problem;
  scratch = "\"" + std::string(written) + "\"";
  if (!parse_json(scratch, node, problem)) return false;
  scratch = std::move(node.text);
  result = scratch;
  return true;
}

}  // namespace assay
