// Texts with places for values, as other languages fill them: "%s" % name, "{}".format(name), "a" + number + "b".
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace assay::mending {
namespace {

// The arguments between two tokens.
std::vector<std::string> arguments(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<std::string> result;
  for (std::size_t i = begin; i < end;) {
    std::size_t last = i;
    while (last < end && !tokens.is(last, ",")) last = tokens.behind(last);
    if (last > i) result.emplace_back(tokens.text(i, last - 1));
    i = last + 1;
  }
  return result;
}

// Whether '%d' of a value cuts off nothing: it is declared as whole, a text, or counted.
bool is_whole(const Tokens& tokens, const KnownNames& known, std::string_view value) {
  if (value.starts_with("count(") || value.starts_with("len(") || value.starts_with("round(")) return true;
  const std::string_view name = value.substr(value.rfind('.') + 1);
  if (known.shape(name) == Shape::text) return true;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens.is(i, name) || (!tokens.is(i + 1, ":") && !tokens.is(i + 1, ","))) continue;
    std::size_t sign = i + 1;  // input a, b: whole
    while (tokens.is(sign, ",") && tokens[sign + 1].kind == Token::Kind::word) sign += 2;
    if (tokens.is(sign, ":") && tokens.is(sign + 1, "whole")) return true;
  }
  return false;
}

// Where the value of a named argument begins, a=x; 0: it has no name.
std::size_t behind_name(std::string_view argument) {
  const auto blanks = [&argument](std::size_t i) {
    return std::min(argument.find_first_not_of(' ', i), argument.size());
  };
  std::size_t end = 0;
  while (end < argument.size() &&
         (std::isalnum(static_cast<unsigned char>(argument[end])) != 0 || argument[end] == '_'))
    ++end;
  const std::size_t sign = blanks(end);
  return end > 0 && argument.substr(sign, 1) == "=" && argument.substr(sign + 1, 1) != "=" ? blanks(sign + 1) : 0;
}

// The text with its places filled; empty: it has others than there are values.
std::string filled(std::string_view text, const std::vector<std::string>& values, const Tokens& tokens,
                   const KnownNames& known) {
  std::string result;
  std::size_t next = 0;  // of the places without a number or a name
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string decimals;
    bool cut = false;  // %d
    std::size_t value = next;
    std::size_t end = 0;
    if (text[i] == '%' && i + 1 < text.size()) {
      std::size_t k = i + 1;
      while (k < text.size() && (text[k] == '.' || (text[k] >= '0' && text[k] <= '9'))) ++k;
      const bool place = k < text.size() && std::string_view("sdfgi").find(text[k]) != std::string_view::npos;
      if (place) {
        end = k + 1;
        cut = text[k] == 'd' || text[k] == 'i';
        if (const std::size_t point = text.substr(i, k - i).find('.');
            text[k] == 'f' && point != std::string_view::npos)
          decimals = text.substr(i + point + 1, k - i - point - 1);
      }
    } else if (text[i] == '{' && (i == 0 || text[i - 1] != '\\')) {
      const std::size_t close = text.find('}', i);
      if (close == text.npos) return {};
      const std::string_view inner = text.substr(i + 1, close - i - 1);
      const std::size_t colon = inner.find(':');
      const std::string_view which = inner.substr(0, colon);
      const auto named = std::find_if(values.begin(), values.end(), [&which](const std::string& one) {
        return behind_name(one) > 0 && one.substr(0, one.find_first_of(" =")) == which;
      });
      if (which.empty() || which.find_first_not_of("0123456789") == std::string_view::npos) {
        end = close + 1;
        if (!which.empty()) value = which.size() > 2 ? values.size() : std::stoul(std::string(which));
      } else if (named != values.end()) {
        end = close + 1;
        value = static_cast<std::size_t>(named - values.begin());
      }
      if (end != 0) {
        if (colon != inner.npos && inner.substr(colon + 1, 1) == "." && inner.back() == 'f')
          decimals = inner.substr(colon + 2, inner.size() - colon - 3);
      }
    }
    if (end == 0) {
      result += text[i];
      continue;
    }
    if (value >= values.size()) return {};
    if (value == next) ++next;
    used.insert(value);
    const std::string of = values[value].substr(behind_name(values[value]));
    cut = cut && !is_whole(tokens, known, of);
    result += (cut ? "{trunc(" + of + ")" : "{" + of) + (decimals.empty() ? "" : " decimals " + decimals) + "}";
    i = end - 1;
  }
  return used.size() == values.size() && !used.empty() ? result : std::string();
}

void formats(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    const bool text = tokens[i].kind == Token::Kind::text || tokens[i].kind == Token::Kind::quoted;
    if (!text || tokens[i].shown.size() < 2) continue;
    const std::string_view inside = tokens[i].shown.substr(1, tokens[i].shown.size() - 2);
    std::vector<std::string> values;
    std::size_t begin = i, end = 0;
    if (tokens.is(i + 1, "%")) {
      end = tokens.operand(i + 2);
      if (end == i + 2) continue;
      values = tokens.is(i + 2, "(") ? arguments(tokens, i + 3, tokens[i + 2].partner)
                                     : std::vector<std::string>{std::string(tokens.text(i + 2, end - 1))};
    } else if (tokens.is(i + 1, ".") && (tokens.is(i + 2, "format") || tokens.is(i + 2, "formatted")) &&
               tokens.is(i + 3, "(") && tokens[i + 3].partner != kNone) {
      end = tokens[i + 3].partner + 1;
      values = arguments(tokens, i + 4, end - 1);
    } else if (i >= 2 && tokens.is(i - 1, "(") && tokens[i - 1].partner != kNone && tokens.is(i + 1, ",")) {
      std::size_t name = i - 2;
      if (!tokens.is(name, "format") && !tokens.is(name, "sprintf") && !tokens.is(name, "printf") &&
          !tokens.is(name, "f"))
        continue;
      if (name >= 2 && tokens.is(name - 1, ".")) name -= 2;  // String.format
      begin = name;
      end = tokens[i - 1].partner + 1;
      values = arguments(tokens, i + 2, end - 1);
    } else {
      continue;
    }
    const std::string result = filled(inside, values, tokens, known);
    if (!result.empty()) out.add(tokens[begin].begin, tokens[end - 1].end, "\"" + result + "\"", true);
  }
}

// "a" + x + "b", where x is no text: "a{x}b". All of a sum of which one side is a text.
void sums(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const bool here = tokens.is(window.at, "+") || tokens.is(window.at, "&");  // where only a text may stand
  if (!among(window.problem.code, {"E0402", "E0401", "E0118"}) && !(here && window.problem.code.starts_with("E01")))
    return;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    std::size_t at = i, last = i;
    std::string whole;
    bool text = false, other = false;
    while (true) {
      const std::size_t end = tokens.operand(at);
      if (end == at) break;
      const bool is_text = tokens[at].kind == Token::Kind::text && end == at + 1 && tokens[at].shown.size() >= 2;
      text = text || is_text;
      other = other || !is_text;
      whole += is_text ? std::string(tokens[at].shown.substr(1, tokens[at].shown.size() - 2))
                       : "{" + std::string(tokens.text(at, end - 1)) + "}";
      last = end;
      if (!tokens.is(end, "+") && !tokens.is(end, "&")) break;
      at = end + 1;
    }
    const bool begins = i == 0 || (!tokens.is(i - 1, "+") && !tokens.is(i - 1, "&") && !tokens.is(i - 1, "."));
    if (begins && text && other && last > i + 2) {
      out.add(tokens[i].begin, tokens[last - 1].end, "\"" + whole + "\"", true);
      i = last;
    }
  }
}

}  // namespace

void texts(const Window& window, Proposals& out) {
  formats(window, out);
  sums(window, out);
}

}  // namespace assay::mending
