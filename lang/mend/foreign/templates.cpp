// Texts with values in the form of other languages: f"{x:.2f}", `${x}`, "#{x}", "{{x}}".
#include "lang/mend/foreign/reader.hpp"

namespace assay::mending {

std::string as_text(std::string_view written) {
  if (written.substr(0, 1) == "\"") return std::string(written);
  const bool of_javascript = written.substr(0, 1) == "`", single = written.substr(0, 1) == "'";
  static constexpr std::string_view kMarks[] = {"'", "“", "”", "„", "‘", "’", "«", "»", "`"};
  for (const std::string_view mark : kMarks) {
    if (written.size() >= 2 * mark.size() && written.substr(0, mark.size()) == mark) {
      written.remove_prefix(mark.size());
      for (const std::string_view other : kMarks) {
        if (written.size() >= other.size() && written.substr(written.size() - other.size()) == other) {
          written.remove_suffix(other.size());
          break;
        }
      }
      break;
    }
  }
  std::string text = "\"";
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\' && i + 1 < written.size() && written[i + 1] == '\'') continue;
    if ((of_javascript && written.substr(i, 2) == "${") || (single && written.substr(i, 2) == "''")) continue;
    if (written[i] == '"' && (i == 0 || written[i - 1] != '\\')) text += '\\';
    text += written[i];
  }
  return text + "\"";
}

namespace {

// The decimals of a format like .2f or ,.1f; empty: another format.
std::string decimals_of(std::string_view format) {
  while (!format.empty() && (format.front() == ',' || format.front() == ' ' || format.front() == '0'))
    format.remove_prefix(1);
  if (format == "d" || format == "g" || format == "s") return "0";
  if (format.size() < 3 || format.front() != '.' || (format.back() != 'f' && format.back() != '%')) return {};
  format.remove_prefix(1);
  format.remove_suffix(1);
  return format.find_first_not_of("0123456789") == format.npos ? std::string(format) : std::string();
}

// The end of the place for a value that begins behind `at`: the brace that closes it.
std::size_t closing(std::string_view text, std::size_t at) {
  int depth = 1;
  bool quoted = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return text.npos;
}

}  // namespace

std::string translated_text(std::string_view written, std::string_view prefix, const KnownNames& facts, int depth) {
  std::string whole = written.substr(0, 1) == "\"" ? std::string(written) : as_text(written);
  // Quotation marks inside the places for values are those of texts there.
  const std::string_view sign = written.substr(0, 1);
  const bool other = (sign == "`" || sign == "'") && written.find('{') != written.npos && written.size() >= 2;
  if (other) whole = "\"" + std::string(written.substr(1, written.size() - 2)) + "\"";
  const bool closed = written.size() >= 2 && (written[0] != '"' || written.back() == '"');
  if (!closed || whole.size() < 2 || whole.substr(0, 3) == "\"\"\"" || depth > 20) return {};
  const std::string_view inside = std::string_view(whole).substr(1, whole.size() - 2);
  const bool script = written.substr(0, 1) == "`";
  std::string result = "\"";
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const char c = inside[i];
    if (c == '\\' && i + 1 < inside.size()) {
      result += c;
      result += inside[++i];
      continue;
    }
    const bool dollar = (c == '$' || c == '#') && inside.substr(i + 1, 1) == "{";
    if (dollar && c == '$' && script) continue;
    if (dollar) continue;
    if (c != '{') {
      if (c == '"') result += '\\';
      result += c;
      continue;
    }
    const bool twice = inside.substr(i + 1, 1) == "{";
    const std::size_t begin = i + (twice ? 2 : 1), close = closing(inside, begin);
    if (close == inside.npos || (twice && inside.substr(close + 1, 1) != "}")) return {};
    std::string_view value = inside.substr(begin, close - begin);
    std::string format;
    bool percent = false;
    if (const std::size_t colon = value.rfind(':'); colon != value.npos && value.find('?') == value.npos &&
                                                    value.find('"') == value.npos && value.find('[') == value.npos) {
      format = decimals_of(value.substr(colon + 1));
      percent = value.back() == '%';
      if (format.empty()) return {};
      value = value.substr(0, colon);
    }
    if (const std::size_t bang = value.rfind("!r"); bang != value.npos && bang + 2 == value.size())
      value.remove_suffix(2);
    const Tokens tokens(value);
    Reader reader(tokens, facts, 0, tokens.size() - 1);
    reader.depth(depth + 1);
    Expr e = reader.expression();
    if (reader.failed()) return {};
    const std::size_t end = reader.at();
    std::string shown;
    const bool rounded =
        e.is(Expr::Kind::call) && e.text == "round" && e.parts.size() == 2 && e.parts[1].is_number() && !prefix.empty();
    if (percent) e = binary("*", atom("100"), std::move(e));
    if (end + 1 == tokens.size()) {
      shown = rounded || (script && e.is(Expr::Kind::call) && e.text == "round" && e.parts.size() == 2)
                  ? write(bare(e.parts[0]), 2) + " decimals " + write(e.parts[1])
                  : write(e, 2) + (format.empty() ? "" : " decimals " + format);
    } else if ((tokens.is(end, "decimals") || tokens.is(end, "digits")) && format.empty()) {
      shown = write(e) + " " + std::string(tokens.text(end, tokens.size() - 2));
    } else {
      return {};
    }
    result += "{" + shown + "}" + (percent ? "%" : "");
    i = close + (twice ? 1 : 0);
  }
  return result + "\"";
}

Expr matches(const Expr& value, std::string_view pattern) {
  const bool begin = !pattern.empty() && pattern.front() == '^', end = pattern.size() > 1 && pattern.back() == '$';
  std::string_view inside = pattern.substr(begin ? 1 : 0);
  if (end) inside.remove_suffix(1);
  if (inside.substr(0, 2) == ".*") inside.remove_prefix(2);
  if (inside.size() >= 2 && inside.substr(inside.size() - 2) == ".*") inside.remove_suffix(2);
  if (inside.size() >= 2 && inside.front() == '(' && inside.back() == ')') {
    inside = inside.substr(inside.substr(0, 3) == "(?:" ? 3 : 1);
    inside.remove_suffix(1);
  }
  std::vector<Expr> pieces;
  std::string piece = "\"";
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    if (i == inside.size() || inside[i] == '|') {
      if (piece.size() < 2) return {};
      pieces.push_back(atom(piece + "\""));
      piece = "\"";
    } else if (inside[i] == '\\' && i + 1 < inside.size() &&
               std::ispunct(static_cast<unsigned char>(inside[i + 1])) != 0) {
      piece += inside[++i];
    } else if (std::string_view("[](){}*+?\\.\"").find(inside[i]) != std::string_view::npos) {
      return {};
    } else {
      piece += inside[i];
    }
  }
  if (begin && end) {
    if (pieces.size() == 1) return binary("==", value, pieces[0]);
    return binary("in", value, list(std::move(pieces)));
  }
  Expr result;
  for (Expr& p : pieces) {
    Expr e = call(begin ? "starts_with" : end ? "ends_with" : "contains", {value, std::move(p)});
    result = result.is(Kind::none) ? std::move(e) : binary("or", std::move(result), std::move(e));
  }
  return result;
}

}  // namespace assay::mending
