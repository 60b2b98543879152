// Texts with values in the form of other languages: f"{x:.2f}", `${x}`, "#{x}", "{{x}}".
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cctype>

namespace assay::mending {

namespace {
using Kind = Expr::Kind;
}  // namespace

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

// Reads a format such as .2f, >8,.1f or ,: its decimals, which are empty where it has none. False: another format.
bool read_format(std::string_view format, std::string& decimals) {
  if (format.size() > 1 && among(format.substr(1, 1), {"<", ">", "^"})) format.remove_prefix(1);  // a filling sign
  const std::size_t point = std::min(format.find('.'), format.size());
  const std::size_t kind =
      format.find_last_not_of("0123456789.,_<>^+- ") == format.size() - 1 ? format.size() - 1 : format.size();
  const std::string_view type = format.substr(kind), width = format.substr(0, std::min(point, kind));
  if (format.empty() || width.find_first_not_of("0123456789,_<>^+- ") != width.npos) return false;
  if (point < kind) {
    decimals = format.substr(point + 1, kind - point - 1);
    return !decimals.empty() && decimals.find_first_not_of("0123456789") == decimals.npos &&
           among(type, {"f", "F", "%"});
  }
  decimals = type == "d" ? "0" : among(type, {"f", "F", "%"}) ? "6" : "";
  return among(type, {"d", "f", "F", "%", "g", "s", ""});
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
      if (!read_format(value.substr(colon + 1), format)) return {};
      percent = value.back() == '%';
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
        e.is(Kind::call) && e.text == "round" && e.parts.size() == 2 && e.parts[1].is_number() && !prefix.empty();
    if (percent) e = binary("*", atom("100"), std::move(e));
    if (end + 1 == tokens.size()) {
      shown = rounded || (script && e.is(Kind::call) && e.text == "round" && e.parts.size() == 2)
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

Expr of_wildcards(const Expr& value, std::string_view pattern, char any, char one) {
  const bool open_begin = !pattern.empty() && pattern.front() == any;
  if (open_begin) pattern.remove_prefix(1);
  if (const std::size_t middle = pattern.find(any);
      !open_begin && pattern.find('\\') == pattern.npos && middle != pattern.npos && middle + 1 < pattern.size()) {
    const std::string_view head = pattern.substr(0, middle), tail = pattern.substr(middle + 1);
    bool overlap = false;  // ab%ba matches no "aba", which begins with one of them and ends with the other
    for (std::size_t k = 1; k <= std::min(head.size(), tail.size()); ++k)
      overlap = overlap || head.ends_with(tail.substr(0, k));
    if (overlap || head.find(one) != head.npos || tail.find(any) != tail.npos || tail.find(one) != tail.npos) return {};
    const auto quoted = [](std::string_view text) { return atom('"' + std::string(text) + '"'); };
    return binary("and", call("starts_with", {value, quoted(head)}), call("ends_with", {value, quoted(tail)}));
  }
  std::string piece = "\"";
  bool open_end = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {  // 100\%: the sign itself
      const char next = pattern[++i];
      if (next != any && next != one) piece += '\\';
      piece += next;
    } else if (pattern[i] == any && i + 1 == pattern.size()) {
      open_end = true;
    } else if (pattern[i] == any || pattern[i] == one) {
      return {};
    } else {
      piece += pattern[i];
    }
  }
  const Expr text = atom(piece + "\"");
  if (!open_begin && !open_end) return binary("==", value, text);
  return call(open_begin && open_end ? "contains" : open_end ? "starts_with" : "ends_with", {value, text});
}

Expr in_any_case(Expr e) {
  const auto lower = [](Expr& part) {
    if (part.is_text()) part.text = in_lower_case(part.text);
    else if (part.is(Kind::list))
      std::for_each(part.parts.begin(), part.parts.end(), [](Expr& item) {
        item = item.is_text() ? atom(in_lower_case(item.text)) : call("lowercase", {std::move(item)});
      });
    else if (!part.is(Kind::call) || part.text != "lowercase") part = call("lowercase", {std::move(part)});
  };
  const bool compares = e.is(Kind::binary) && among(e.text, {"==", "!=", "in", "not in"});
  const bool searches = e.is(Kind::call) && among(e.text, {"contains", "starts_with", "ends_with"});
  if (compares || searches) std::for_each(e.parts.begin(), e.parts.end(), lower);
  else if (!e.is(Kind::atom))
    for (Expr& part : e.parts) part = in_any_case(std::move(part));
  return e;
}

Expr matches(const Expr& value, std::string_view pattern) {
  const bool any_case = pattern.starts_with(kAnyCase);
  if (any_case) pattern.remove_prefix(kAnyCase.size());
  const bool begin = !pattern.empty() && pattern.front() == '^', end = pattern.size() > 1 && pattern.back() == '$';
  std::string_view inside = pattern.substr(begin ? 1 : 0);
  if (end) inside.remove_suffix(1);
  if (inside.substr(0, 2) == ".*") inside.remove_prefix(2);
  if (inside.size() >= 2 && inside.substr(inside.size() - 2) == ".*") inside.remove_suffix(2);
  if (inside.size() >= 2 && inside.front() == '(' && inside.back() == ')') {
    inside = inside.substr(inside.substr(0, 3) == "(?:" ? 3 : 1);
    inside.remove_suffix(1);
  }
  constexpr std::size_t kMostPieces = 40;
  std::vector<Expr> pieces;
  std::string piece = "\"";
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    if (i == inside.size() || inside[i] == '|') {
      if (piece.size() < 2 || pieces.size() == kMostPieces) return {};
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
  Expr result;
  if (begin && end) {
    result = pieces.size() == 1 ? binary("==", value, pieces[0]) : binary("in", value, list(std::move(pieces)));
  } else {
    for (Expr& p : pieces) {
      Expr e = call(begin ? "starts_with" : end ? "ends_with" : "contains", {value, std::move(p)});
      result = result.is(Expr::Kind::none) ? std::move(e) : binary("or", std::move(result), std::move(e));
    }
  }
  return any_case ? in_any_case(std::move(result)) : result;
}

// /^a/ as the text of its pattern
Expr Reader::regular_expression(std::string& pattern) {
  const std::string_view all = tokens_.text();
  const std::size_t begin = tokens_[at_].end;
  std::size_t close = begin;
  while (close < all.size() && all[close] != '\n' && all[close] != '/') close += all[close] == '\\' ? 2 : 1;
  if (close >= all.size() || all[close] != '/') return fail();
  pattern = std::string(all.substr(begin, close - begin));
  while (at_ < end_ && tokens_[at_].begin <= close) ++at_;
  if (is_word(at_) && tokens_[at_].begin == close + 1) {  // flags
    if (tokens_[at_].shown.find('i') != std::string_view::npos) pattern.insert(0, kAnyCase);
    ++at_;
  }
  return {};
}

// A value in the type of another language: CAST(x AS INT), x::int. Some databases round a number, others cut it off.
Expr Reader::cast(Expr value, std::string_view kind) {
  const bool whole = kind.starts_with("int") || among(kind, {"bigint", "smallint", "signed", "integer"});
  const bool number = value.is_name() && facts_.whole.count(value.text) != 0;
  const bool text = among(kind, {"text", "varchar", "string", "char", "str"});
  if (!is_text_like(value, facts_)) {
    if (text) return atom("\"{" + write(value) + "}\"");
    doubtful_ = doubtful_ || (whole && !number);
    return whole && !number ? call("round", {std::move(value)}) : value;
  }
  if (text) return value;
  Expr e = call("number", {std::move(value)});
  return whole ? call("trunc", {std::move(e)}) : e;
}

}  // namespace assay::mending
