#include "lang/text/key.hpp"

#include <algorithm>
#include <array>

namespace assay {

bool is_name(std::string_view text) {
  static constexpr std::array<std::string_view, 14> kReserved = {
      "and", "or", "xor", "not", "in", "is", "when", "else", "for", "default", "missing", "true", "otherwise", "false"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text[0])) return false;
  if (!std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); })) return false;
  return std::find(kReserved.begin(), kReserved.end(), text) == kReserved.end();
}

std::string as_key(std::string_view name) {
  if (is_name(name)) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\' || c == '{' || c == '}') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace assay
