// Writes and skims JSON text. Skimming trusts its input, which always comes from the library.
#include "repl/terminal/json_text.hpp"

namespace assay::cli {

namespace {

// The position after the value at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  int depth = 0;
  bool in_text = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_text = false;
      }
      continue;
    }
    if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      --depth;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return text.size();
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) ++at;
  return at;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result;
  write_json_text(text, result);
  return result;
}

std::string error_object(const InputError& error) {
  return "{\"error\":{\"path\":" + quoted(error.path) + ",\"code\":" + quoted(error.code) +
         ",\"message\":" + quoted(error.message) + "}}";
}

std::vector<std::string_view> items(std::string_view list) {
  std::vector<std::string_view> result;
  std::size_t at = skip_space(list, 0);
  if (at >= list.size() || list[at] != '[') return result;
  at = skip_space(list, at + 1);
  while (at < list.size() && list[at] != ']') {
    const std::size_t end = skip_value(list, at);
    result.push_back(list.substr(at, end - at));
    if (end >= list.size() || list[end] != ',') break;
    at = skip_space(list, end + 1);
  }
  return result;
}

std::vector<std::pair<std::string, std::string_view>> members(std::string_view object) {
  std::vector<std::pair<std::string, std::string_view>> result;
  std::size_t at = skip_space(object, 0);
  if (at >= object.size() || object[at] != '{') return result;
  at = skip_space(object, at + 1);
  while (at < object.size() && object[at] == '"') {
    std::string name;
    for (++at; at < object.size() && object[at] != '"'; ++at) {
      if (object[at] == '\\') ++at;
      if (at < object.size()) name += object[at];
    }
    at = skip_space(object, at + 1);
    if (at >= object.size() || object[at] != ':') return result;
    const std::size_t begin = skip_space(object, at + 1);
    std::size_t end = at = skip_value(object, begin);
    while (end > begin && (object[end - 1] == ' ' || object[end - 1] == '\n')) --end;
    result.emplace_back(std::move(name), object.substr(begin, end - begin));
    if (at >= object.size() || object[at] != ',') return result;
    at = skip_space(object, at + 1);
  }
  return result;
}

}  // namespace assay::cli
