// Expressions of other languages as a whole: functions with their bodies, the expressions of a declaration, arguments
// in another order, variables that later lines change.
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') result += c;
  }
  return result;
}

std::size_t column(const Tokens& tokens, std::size_t token) {
  const std::string_view all = tokens.text();
  const std::size_t at = tokens[token].begin;
  return at - (at == 0 || all.rfind('\n', at - 1) == all.npos ? 0 : all.rfind('\n', at - 1) + 1);
}

// The end of the declaration that begins at a token: the next one on its level, a line that begins as far to the left,
// or the end of the block around it.
std::size_t end_of(const Tokens& tokens, std::size_t begin) {
  const std::size_t left = column(tokens, begin);
  std::size_t i = begin + 1;
  const auto behind = [&tokens](std::size_t k) {  // x in [0, 5): its brackets are no pair
    const std::size_t interval = tokens.is(k - 1, "in") ? tokens.behind_interval(k) : kNone;
    return interval != kNone ? interval : tokens.behind(k);
  };
  for (; i + 1 < tokens.size(); i = behind(i)) {
    const Token& t = tokens[i];
    if (t.starts || (tokens.closes(i) && (t.partner == kNone || t.partner < begin))) break;
    const bool continues = among(t.shown, {"else", "elif", "elsif", "elseif", "end", "then", "and", "or", "when", "for",
                                           "where", "otherwise", "default", "is", "in"});
    if (t.first && t.kind == Kind::word && !continues && column(tokens, i) <= left) break;
  }
  return std::min(i, tokens.size() - 1);
}

// What may follow the expression of a declaration.
bool may_follow(const Tokens& tokens, std::size_t i, std::size_t end) {
  if (i >= end) return true;
  const Token& t = tokens[i];
  if (t.kind == Kind::text) return true;
  return among(t.shown,
               {"decimals", "digits", "where", "for", "at", "when", ";", ",", "within", "while", "weight", "points"});
}

struct Translated {
  std::size_t begin, end;  // tokens
  std::string text;
  bool doubtful = false;  // another meaning is possible
};

// total " of " all " points": texts and values side by side, as one text.
Expr joined_texts(Reader& reader, Expr e) {
  const Tokens& tokens = reader.tokens();
  const auto more = [&](std::size_t i) {
    const bool value = tokens[i].kind == Kind::word || tokens[i].kind == Kind::number || tokens.is(i, "(");
    return i < reader.end() && !tokens[i].first && (tokens[i].is_text() || (value && !is_reserved(tokens[i].shown))) &&
           !among(tokens[i].shown, {"decimals", "digits", "weight", "points", "at"});
  };
  const std::size_t begin = reader.at();
  if (reader.failed()) return e;
  // "n is " n: prose does not end with a blank
  const bool leads = e.is_text() && e.text.ends_with(" \"") && more(begin) && !tokens[begin].is_text();
  if (!leads && (!tokens[begin].is_text() || !more(begin) || !more(begin + 1) || tokens[begin + 1].is_text())) return e;
  std::string text = leads ? e.text.substr(0, e.text.size() - 1) : "\"{" + write(e, 2) + "}";
  while (!reader.failed() && more(reader.at())) {
    const Token& t = tokens[reader.at()];
    if (t.is_text()) {
      const std::string piece = as_text(t.shown);
      text += piece.substr(1, piece.size() - 2);
      reader.move(reader.at() + 1);
    } else {
      text += "{" + write(reader.operand(), 2) + "}";
    }
  }
  return reader.failed() ? Expr{} : atom(text + "\"");
}

// format ".2f", as "0.00": how many decimals; empty: something else.
std::string decimals_of_format(const Tokens& tokens, std::size_t i) {
  if (!among(tokens[i].shown, {"format", "formatted", "as", "fmt"}) || !tokens[i + 1].is_text()) return {};
  const std::string_view text = tokens[i + 1].shown;
  const std::size_t point = text.find('.');
  if (point == text.npos || text.find_first_not_of("0123456789#%f.", 1) + 1 != text.size()) return {};
  const std::string_view places = text.substr(point + 1, text.size() - point - 2);
  if (places.ends_with('f')) return std::string(places.substr(0, places.size() - 1));
  return std::to_string(places.size());
}

bool calls_uppercase(const Expr& e) {
  return (e.is(Expr::Kind::call) && e.text == "uppercase") ||
         std::any_of(e.parts.begin(), e.parts.end(), calls_uppercase);
}

// if c then pass else fail, where a condition is asked for: c.
Expr decided(Expr e) {
  const Expr& choice = bare(e);
  if (!choice.is(Expr::Kind::choice) || choice.parts.size() != 3) return e;
  const auto says = [](const Expr& value, std::initializer_list<std::string_view> words) {
    const std::string word = in_lower_case(value.is_text() ? value.text.substr(1, value.text.size() - 2) : value.text);
    return bare(value).is(Expr::Kind::atom) && among(word, words);
  };
  const auto passes = [&says](const Expr& v) {
    return says(v, {"pass", "passed", "passes", "ok", "yes", "true", "accept", "accepted", "eligible", "1"});
  };
  const auto fails = [&says](const Expr& v) {
    return says(v, {"fail", "failed", "fails", "no", "false", "reject", "rejected", "ineligible", "0"});
  };
  if (passes(choice.parts[0]) && fails(choice.parts[2])) return Expr(choice.parts[1]);
  if (fails(choice.parts[0]) && passes(choice.parts[2])) return negated(Expr(choice.parts[1]));
  return e;
}

// a, b > 3; 50 <= a, b <= 100: what a comma divides is said of both numbers.
Expr of_both(Reader& reader, Expr e) {
  const Tokens& tokens = reader.tokens();
  const std::size_t comma = reader.at();
  const auto number = [&reader](const Expr& x) { return x.is_name() && reader.facts().shape(x.text) == Shape::number; };
  const bool compares =
      e.is(Expr::Kind::binary) && among(e.text, {"<=", "<"}) && e.parts[0].is_number() && number(e.parts[1]);
  if (comma >= reader.end() || !tokens.is(comma, ",") || tokens[comma + 1].first || (!number(e) && !compares)) return e;
  reader.move(comma + 1);
  const Expr next = reader.condition();
  const bool fits = !reader.failed() && limits(next) && number(next.parts[0]) && (!compares || next.text == e.text);
  if (!fits) {
    reader.move(comma);
    return e;
  }
  if (!compares) return binary("and", binary(next.text, std::move(e), next.parts[1]), next);
  const auto within = [&](const Expr& x) {
    if (e.text == "<=") return binary("in", x, binary("..", e.parts[0], next.parts[1]));
    return binary("and", binary("<", e.parts[0], x), binary("<", x, next.parts[1]));
  };
  return binary("and", within(e.parts[1]), within(next.parts[0]));
}

// if minor then guardian, where a condition is asked for, in other languages: what has to be in that case; of a flag both.
Expr in_that_case(Expr e, bool demanded) {
  const Expr& choice = bare(e);
  if (!choice.is(Expr::Kind::choice) || choice.parts.size() != 2 || choice.text == "when") return e;
  const Expr &value = choice.parts[0], &asked = choice.parts[1];
  if (value.is_number()) return e;  // n 3: no condition
  if (demanded && value.text == "false") return negated(asked);
  return demanded ? binary("or", negated(asked), value) : binary("and", value, asked);
}

// 1 when x > a, 2 when x > b: where nobody knows which limit is the higher one, neither is it known which comes first.
bool unordered(const Expr& first, const std::vector<Expr>& more) {
  const auto limit_of = [](const Expr& one) {
    const Expr& condition = one.is(Expr::Kind::choice) && one.parts.size() > 1 ? bare(one.parts[1]) : one;
    return condition.is(Expr::Kind::binary) && among(condition.text, {"<", "<=", ">", ">="}) ? &condition : nullptr;
  };
  for (std::size_t i = 0; i < more.size(); ++i) {
    const Expr *before = limit_of(i == 0 ? first : more[i - 1]), *behind = limit_of(more[i]);
    if (before != nullptr && behind != nullptr && before->text[0] == behind->text[0] &&
        write(before->parts[0]) == write(behind->parts[0]) &&
        !(before->parts[1].is_number() && behind->parts[1].is_number()))
      return true;
  }
  return false;
}

// One expression from a token on; nothing where it cannot be read, or says the same as before.
// `asked`: it is a condition, which has to hold if `demanded`; `amount`: of a deduction or bonus, which is none where it
// is 0.
bool translated(const Tokens& tokens, const KnownNames& facts, std::size_t begin, std::size_t end, Translated& result,
                bool& readable, bool asked = false, bool amount = false, bool demanded = false) {
  Reader plain(tokens, facts, begin, end), comparing(tokens, facts, begin, end);
  if (asked) plain.asks(demanded), comparing.asks(demanded);
  Expr e = plain.texts_in_a_row();
  if (e.is(Expr::Kind::none)) e = plain.spread(plain.expression());
  const std::size_t unqualified = plain.at();
  e = plain.qualified(std::move(e));
  const bool compares = asked && plain.at() > unqualified;  // words at least 300: no limit of the value
  Reader& reader = compares ? comparing : plain;
  if (compares) e = reader.condition();
  e = joined_texts(reader, std::move(e));
  // v when c, w when d, u: the choices of one expression, with any or no sign between them
  std::vector<Expr> more;
  const auto open = [&] {
    const Expr& last = more.empty() ? e : more.back();
    return !reader.failed() && reader.at() < end && last.is(Expr::Kind::choice) && last.parts.size() == 2;
  };
  bool lines = false;
  while (open()) {
    const std::size_t i = reader.at();
    const bool sign = tokens.is(i, ",") || tokens.is(i, ";");
    if (sign && tokens[i - 1].kind == Kind::number && tokens[i].end == tokens[i + 1].begin) break;  // 20,000
    const std::size_t next = sign ? i + 1 : i;
    const bool last = tokens.is(next, "else") || tokens.is(next, "otherwise");
    // "b" when d, on a line of its own; behind such a line a text alone is the last value
    const bool when = among(tokens[i + 1].shown, {"if", "when", "otherwise", "else"});
    const bool value = tokens[i].kind == Kind::number || (tokens[i].is_text() && (when || lines));
    if (!sign && !last && !(tokens[i].first && value)) break;
    lines = lines || (tokens[i].first && tokens[i].is_text());
    reader.move(last ? next + 1 + (tokens.is(next + 1, ":") ? 1 : 0) : next);
    more.push_back(reader.expression());
    Expr& before = more.size() > 1 ? more[more.size() - 2] : e;  // 5 when n > 3, late: both conditions
    if (!last && !reader.failed() && before.parts[0].is_number() && is_condition(more.back(), facts)) {
      before.parts[1] = binary("and", std::move(before.parts[1]), std::move(more.back()));
      more.pop_back();
    }
    if (tokens.is(reader.at(), "otherwise") || tokens.is(reader.at(), "else")) reader.move(reader.at() + 1);
  }
  const bool no_order = unordered(e, more);
  Expr rest;
  for (std::size_t i = more.size(); i-- > 0;) {
    if (more[i].is(Expr::Kind::choice) && more[i].parts.size() == 2 && !rest.is(Expr::Kind::none))
      more[i].parts.push_back(std::move(rest));
    rest = std::move(more[i]);
  }
  if (!rest.is(Expr::Kind::none)) e.parts.push_back(std::move(rest));
  if (e.is(Expr::Kind::lambda)) reader.fail();  // no value: its parameter would be lost
  if (calls_uppercase(e)) reader.fail();        // Assay has no such function: see in_one_case
  if (asked && !reader.failed()) e = of_both(reader, std::move(e));
  if (asked) e = in_that_case(decided(std::move(e)), demanded);
  if (amount && e.is(Expr::Kind::choice) && e.parts.size() == 3 && e.parts[2].text == "0") e.parts.pop_back();
  std::string behind;
  const std::size_t bracket = reader.at();
  if (const std::string shown = decimals_of_format(tokens, bracket); !shown.empty()) {  // format ".2f"
    behind = " decimals " + shown;
    reader.move(bracket + 2);
  }
  if (tokens.is(bracket, "(") && tokens[bracket + 1].kind == Kind::number && tokens.is(bracket + 3, ")") &&
      among(tokens[bracket + 2].shown, {"decimal", "decimals", "places", "dp"})) {  // (1 decimal)
    behind = " decimals " + std::string(tokens[bracket + 1].shown);
    reader.move(bracket + 4);
  }
  const std::size_t stop = reader.at();  // 3,0 is one number
  const bool cut = stop > begin && stop + 1 < end && tokens.is(stop, ",") && tokens[stop - 1].kind == Kind::number &&
                   tokens[stop + 1].kind == Kind::number && tokens[stop - 1].end == tokens[stop].begin &&
                   tokens[stop].end == tokens[stop + 1].begin && tokens[stop + 1].shown.size() != 3;  // 10,000
  readable = !reader.failed() && !cut && stop > begin && may_follow(tokens, stop, end);
  if (!readable) return false;
  result = {begin, reader.at(), write(e) + behind, reader.doubtful() || no_order};
  return without_blanks(result.text) != without_blanks(tokens.text(begin, reader.at() - 1));
}

// ---- the expressions of a declaration

// Whether a part of 'where' begins at a token, with what divides it from the part before: the token of its sign; or else
// the same token. `local`: behind 'where'.
std::size_t part_of_where(const Tokens& tokens, std::size_t i, bool local) {
  const bool divides = local ? among(tokens[i].shown, {",", ";", "and"}) : among(tokens[i].shown, {"where", "with"});
  std::size_t name = divides ? i + 1 : i;
  if (!divides && (!local || !tokens[i].first)) return i;
  const bool let = among(tokens[name].shown, {"let", "const", "var"});
  name += let ? 1 : 0;
  const bool sign = among(tokens[name + 1].shown, {"=", ":", ":="}) && !tokens.is(name + 2, "=");
  const bool own = tokens.is(i, "where") && !let && tokens.is(name + 1, "=");  // as Assay has it
  const bool next = tokens[name].starts || (let && tokens[name - 1].starts);   // the next declaration
  return tokens[name].kind == Kind::word && sign && !own && !next ? name + 1 : i;
}

void expressions(const Window& window, const KnownNames& facts, std::size_t start, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (among(tokens[start].shown,
            {"input", "type", "rubric", "example", "table", "bands", "import", "version", "scale", "hook"}))
    return;
  const std::size_t end = end_of(tokens, start);
  std::vector<Edit> edits;
  // An edit begins and ends with what differs.
  const auto add = [&](std::size_t begin, std::size_t last, std::string text) {
    std::size_t from = tokens[begin].begin, to = tokens[last - 1].end;
    while (last - begin > 1 && begin < last - 1) {
      const std::size_t gap = tokens[begin + 1].begin - from;
      if (gap >= text.size() || tokens.text().substr(from, gap) != text.substr(0, gap)) break;
      text.erase(0, gap);
      from = tokens[++begin].begin;
    }
    while (last - begin > 1) {
      const std::size_t gap = to - tokens[last - 2].end;
      if (gap >= text.size() || tokens.text().substr(to - gap).substr(0, gap) != text.substr(text.size() - gap)) break;
      text.resize(text.size() - gap);
      to = tokens[--last - 1].end;
    }
    edits.push_back(out.edit(from, to, std::move(text)));
  };
  bool defined = false, doubtful = false;
  if (tokens.is(start, "check")) {
    Translated t{};
    bool readable = false;
    std::size_t stop = start + 1;  // 'else "reason"'
    while (stop < end && !(tokens.is(stop, "else") && tokens[stop + 1].is_text())) stop = tokens.behind(stop);
    if (translated(tokens, facts, start + 1, std::min(stop, end), t, readable)) add(t.begin, t.end, t.text);
    doubtful = t.doubtful;
  }
  bool local = false;  // behind 'where'
  for (std::size_t i = start + 1; i < end;) {
    // with a = 1; where a = 1; let b: 2, and c := 3, each on a line of its own
    const std::size_t sign = defined ? part_of_where(tokens, i, local) : i;
    const bool part = sign > i;
    if (part) {
      const std::size_t let = among(tokens[sign - 2].shown, {"let", "const", "var"}) ? sign - 2 : sign - 1;
      const std::size_t gap = tokens[i - 1].end;
      if (tokens.is(i, "with")) edits.push_back(out.edit(tokens[i].begin, tokens[i].end, "where"));
      else if (let == i && among(tokens[i - 1].shown, {"where", ","}))  // nothing is missing before it
        ;
      else if (let == i)
        edits.push_back(
            out.edit(gap, tokens[i].begin, "," + std::string(tokens.text().substr(gap, tokens[i].begin - gap))));
      else if (!tokens.is(i, "where") && !tokens.is(i, ",")) edits.push_back(out.edit(gap, tokens[i].end, ","));
      if (let < sign - 1) edits.push_back(out.edit(tokens[let].begin, tokens[sign - 1].begin, ""));
      local = true;
      i = sign;
    }
    local = local || tokens.is(i, "where");
    // let x: bool = …; where a = 1, b: 2
    const bool definition = part || tokens.is(i, "=") || (!defined && tokens.is(i, ":") && tokens.is(start, "let"));
    const std::size_t denies = defined ? 0 : negative_words(tokens, i);
    const bool condition = !defined && (tokens.is(i, "when") || tokens.is(i, "if") || denies > 0);
    // cap x at e; rank by higher e
    const bool place = (tokens.is(start, "cap") && tokens.is(i, "at")) ||
                       (tokens.is(start, "rank") && (tokens.is(i, "higher") || tokens.is(i, "lower"))) ||
                       (!defined && tokens.is(i, "in") && (tokens.is(i - 2, "for") || tokens.is(i - 4, "for")));
    if (place && tokens.is(start, "cap") && tokens.is(i + 1, "least")) return;  // a lower end, which no cap is
    if (place) {
      Translated t{};
      bool readable = false;
      if (translated(tokens, facts, i + 1, end, t, readable)) add(i + 1, t.end, t.text);
      doubtful = doubtful || t.doubtful;
      i = readable ? std::max(t.end, i + 1) : i + 1;
    } else if (definition || condition) {
      defined = true;
      std::size_t from = i + std::max<std::size_t>(denies, 1);
      if (tokens.is(i, ":")) {  // let x: bool = …
        for (std::size_t k = i + 2; k < i + 8 && k < end && !tokens[k].first; k = tokens.behind(k)) {
          if (tokens.is(k, "=")) {
            from = k + 1;
            break;
          }
        }
      }
      while (tokens.is(from, "=") || tokens.is(from, "return")) ++from;  // of a spreadsheet: = =IF(…)
      Translated t{from, from, {}, false};
      bool readable = false;
      std::size_t stop = from;
      while (stop < end && part_of_where(tokens, stop, local) == stop) stop = tokens.behind(stop);
      const bool asked = condition || among(tokens[start].shown, {"gate", "flag", "advice", "incomplete"});
      const bool amount = tokens.is(start, "deduction") || tokens.is(start, "bonus");
      const bool differs =
          translated(tokens, facts, from, std::min(stop, end), t, readable, asked, amount, tokens.is(start, "gate"));
      if (!readable) return;
      const bool unless = denies > 0;
      if (unless)
        edits.push_back(out.edit(tokens[i].begin, tokens[t.end - 1].end,
                                 "when " + negated_text(differs ? t.text : std::string(tokens.text(from, t.end - 1)))));
      else if (differs) add(from, t.end, t.text);
      if (tokens.is(t.end, ";") && tokens[t.end + 1].first && part_of_where(tokens, t.end, local) == t.end)
        edits.push_back(out.edit(tokens[t.end - 1].end, tokens[t.end].end, ""));
      doubtful = doubtful || t.doubtful;
      if ((from > i + 1 && !unless) || tokens.is(i, ":") || tokens.is(i, ":="))
        edits.push_back(out.edit(tokens[i].begin, tokens[from - 1].end,
                                 std::string(tokens[i].begin == tokens[i - 1].end ? " =" : "=") +
                                     (tokens[from].begin == tokens[from - 1].end ? " " : "")));
      if (condition && !unless && !tokens.is(i, "when"))
        edits.push_back(out.edit(tokens[i].begin, tokens[i].end, "when"));
      i = std::max(t.end, i + 1);
    } else {
      if (tokens[i].kind == Kind::text) {
        const std::string text = translated_text(tokens[i].shown, {}, facts, 0);
        if (!text.empty() && text != tokens[i].shown) add(i, i + 1, text);
      }
      i = tokens.behind(i);
    }
  }
  out.add(std::move(edits), !doubtful);
}

// ---- functions

struct Parameter {
  std::string name, kind, fallback;
};

// (a, b: number = 1) between brackets
bool parameters(const Tokens& tokens, const KnownNames& facts, std::size_t open, bool keep_kinds,
                std::vector<Parameter>& result) {
  const std::size_t close = tokens[open].partner;
  for (std::size_t i = open + 1; i < close;) {
    std::size_t end = i;
    while (end < close && !tokens.is(end, ",") && !tokens.is(end, ";")) end = tokens.behind(end);
    while (i < end && (tokens.is(i, "&") || tokens.is(i, "$") || tokens.is(i, "mut"))) ++i;
    if (tokens[i].kind != Kind::word) return false;
    Parameter p{std::string(tokens[i].shown), {}, {}};
    std::size_t k = i + 1;
    if (tokens.is(k, ":")) {
      std::size_t stop = k + 1;
      while (stop < end && !tokens.is(stop, "=")) stop = tokens.behind(stop);
      if (keep_kinds && stop > k + 1) p.kind = std::string(tokens.text(k + 1, stop - 1));
      k = stop;
    } else if (tokens[k].kind == Kind::word && k < end) {
      const bool typed = !is_reserved(tokens[k].shown);
      if (!typed && !tokens.is(k, "default")) return false;
      const bool behind = among(tokens[k].shown, {"number", "whole", "bool", "text", "list", "map", "any"});
      if (behind && keep_kinds) return false;  // a number: its type only lacks a colon
      if (typed) {                             // int a
        if (keep_kinds && among(p.name, {"number", "whole", "bool", "text"})) p.kind = p.name;
        p.name = among(p.name, {"int", "float", "double", "bool", "string", "number", "var", "text"})
                     ? std::string(tokens[k].shown)
                     : p.name;
        ++k;
      }
    }
    if (k < end && (tokens.is(k, "=") || tokens.is(k, ":=") || tokens.is(k, "default"))) {
      Translated t{};
      bool readable = false;
      translated(tokens, facts, k + 1, end, t, readable);
      if (!readable) return false;
      p.fallback = t.text;
    }
    result.push_back(std::move(p));
    i = end + 1;
  }
  return true;
}

// Calls of a function that leave parameters with a default out get them.
void complete_calls(const Tokens& tokens, std::string_view name, const std::vector<Parameter>& list, std::size_t head,
                    Proposals& out, std::vector<Edit>& edits) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (i == head || !tokens.is(i, name) || !tokens.is(i + 1, "(") || tokens[i + 1].partner == kNone) continue;
    const std::size_t close = tokens[i + 1].partner;
    std::size_t given = close > i + 2 ? 1 : 0;
    for (std::size_t k = i + 2; k < close; k = tokens.behind(k)) given += tokens.is(k, ",") ? 1 : 0;
    std::string more;
    for (std::size_t p = given; p < list.size(); ++p) {
      if (list[p].fallback.empty()) return;
      more += (p == 0 ? "" : ", ") + list[p].fallback;
    }
    if (!more.empty()) edits.push_back(out.edit(tokens[close].begin, tokens[close].begin, more));
  }
}

// Whether a function of another language, or with a body, begins here: its name, parameters and body as edits.
void function(const Window& window, const KnownNames& facts, std::size_t start, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t name = start;
  const bool worded =
      among(tokens[start].shown, {"fn", "def", "function", "func", "fun", "proc", "sub", "method", "macro"});
  const bool named = among(tokens[start].shown, {"let", "const", "var", "val", "local", "my", "auto"});
  if (worded || named) ++name;
  if (tokens[name].kind != Kind::word) return;
  const std::size_t end = end_of(tokens, start);
  std::vector<Parameter> list;
  std::size_t at = name + 1;
  Expr body;
  std::string result;
  std::size_t behind = 0;
  if (tokens.is(at, "(") && tokens[at].partner != kNone && (worded || named)) {
    if (!parameters(tokens, facts, at, tokens.is(start, "fn"), list)) return;
    at = tokens[at].partner + 1;
    const auto opens_body = [&tokens](std::size_t i) {
      return among(tokens[i].shown, {"{", "=", "=>", ":", "|"}) || tokens[i].first;
    };
    if (tokens.is(at, "->") || (tokens.is(at, ":") && !tokens[at + 1].first && tokens[at + 1].kind == Kind::word &&
                                (tokens.is(at + 2, "=") || tokens.is(at + 2, "{") || tokens.is(at + 2, "=>")))) {
      ++at;  // the type of the result
      if (tokens.is(start, "fn") && among(tokens[at].shown, {"number", "whole", "bool", "text"}) && opens_body(at + 1))
        result = ": " + std::string(tokens[at].shown);
      while (at < end && !opens_body(at)) at = tokens.behind(at);
    } else if (tokens[at].kind == Kind::word && tokens.is(at + 1, "{")) {
      ++at;
    }
    if (!opens_body(at)) return;
    if (tokens.is(at, "=") || tokens.is(at, "=>") || tokens.is(at, ":")) ++at;
    Reader reader(tokens, facts, at, end);
    const bool guarded = tokens.is(at, "|");
    const bool plain =
        !guarded && !tokens.is(at, "{") && !tokens[at].first && !tokens.is(at, "return") && !tokens.is(at, "if");
    body = guarded ? reader.guards() : plain ? reader.expression() : reader.body();
    if (reader.failed()) return;
    behind = reader.at();
  } else {
    if (tokens.is(at, ":") && (tokens.is(at + 2, "=") || tokens.is(at + 2, ":="))) at += 2;
    const bool arrow = tokens.is(at, "<") && tokens.is(at + 1, "-");
    if (!tokens.is(at, "=") && !tokens.is(at, ":=") && !arrow) return;
    at += arrow ? 2 : 1;
    Reader reader(tokens, facts, at, end);
    if (!reader.lambda_begins()) return;
    Expr f = reader.lambda();
    if (reader.failed() || f.parts.empty()) return;
    for (const std::string& p : f.names) list.push_back({p, {}, {}});
    body = std::move(f.parts[0]);
    behind = reader.at();
  }
  if (tokens.is(behind, ";")) ++behind;
  if (tokens.is(behind, "end") && !tokens[behind].starts) ++behind;
  if (!may_follow(tokens, behind, end)) return;
  std::string head = "fn " + std::string(tokens[name].shown) + "(";
  for (std::size_t i = 0; i < list.size(); ++i)
    head += (i == 0 ? "" : ", ") + list[i].name + (list[i].kind.empty() ? "" : ": " + list[i].kind);
  std::vector<Edit> edits;
  edits.push_back(out.edit(tokens[start].begin, tokens[behind - 1].end, head + ")" + result + " = " + write(body)));
  complete_calls(tokens, tokens[name].shown, list, name, out, edits);
  out.add(std::move(edits), true);
}

// ---- total += 5; if late { total += 5 }

void updates(const Window& window, const KnownNames& facts, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].first || tokens[i].starts || tokens[i].kind != Kind::word) continue;
    // the variable: the first one that changes from here on
    const std::size_t end = end_of(tokens, i);
    std::vector<std::string_view> changed;
    for (std::size_t k = i; k + 2 < end; ++k) {
      const bool signs = tokens[k].kind == Kind::word && among(tokens[k + 1].shown, {"+", "-", "*", "/"}) &&
                         (tokens.is(k + 2, "=") || tokens.is(k + 2, "+")) && tokens[k + 1].end == tokens[k + 2].begin;
      bool again = false;  // total = min(total, 5)
      for (std::size_t n = k + 2; tokens[k].kind == Kind::word && tokens.is(k + 1, "=") && n < end && !again; ++n)
        again = tokens.is(n, tokens[k].shown) && !tokens.is(n - 1, ".") && !tokens.is(n + 1, "=");
      const bool grows = tokens[k].kind == Kind::word && tokens.is(k + 1, ".") &&
                         among(tokens[k + 2].shown, {"append", "push", "add"}) && tokens.is(k + 3, "(");
      const bool within = k > i && tokens[k].kind == Kind::word && tokens.is(k + 1, "=") &&
                          facts.declares(tokens[k].shown) && among(tokens[i].shown, {"if", "for", "unless"});
      if (signs || again || within || grows) changed.push_back(tokens[k].shown);
    }
    if (changed.empty()) continue;
    struct Declared {
      std::size_t word, sign, behind;  // tokens
    };
    std::map<std::string, Declared> declared;
    std::map<std::string, Expr> values;
    for (std::size_t d = 0; d + 3 < i; ++d) {
      const bool said = among(tokens[d].shown, {"let", "var", "const", "output"}) && tokens.is(d + 2, "=");
      const std::size_t sign = said ? d + 2 : d + 1;  // total = 0, without a word
      if (!tokens.is(sign, "=") || (!tokens[d].starts && !tokens[d].first) || tokens[sign - 1].kind != Kind::word)
        continue;
      Reader first(tokens, facts, sign + 1, i);
      Expr before = first.expression();
      const std::string name(tokens[sign - 1].shown);
      if (first.failed() || values.count(name) != 0 ||
          (!said && (is_score(name) || tokens.declaration({"input"}, name) != kNone)))
        continue;
      declared[name] = {d, sign, first.at()};
      values[name] = std::move(before);
    }
    const auto first_of = std::find_if(changed.begin(), changed.end(), [&values](std::string_view name) {
      return values.count(std::string(name)) != 0;
    });
    if (first_of == changed.end()) continue;
    const std::string_view variable = *first_of;
    const Declared& of = declared[std::string(variable)];
    for (std::size_t k = of.behind; k + 1 < i; ++k) {  // changed before, which is still to be read
      const bool sign = among(tokens[k + 1].shown, {"+", "-", "*", "/"}) && tokens.is(k + 2, "=");
      if (tokens.is(k, variable) && (tokens.is(k + 1, "=") || sign) && !tokens.is(k - 1, ".")) return;
    }
    Reader rest(tokens, facts, i, end);
    if (!rest.updated(values) || values.count(std::string(variable)) == 0) return;
    const std::string_view all = tokens.text();
    std::size_t line = tokens[i].begin;
    while (line > 0 && (all[line - 1] == ' ' || all[line - 1] == '\t')) --line;
    if (line > 0 && all[line - 1] == '\n') --line;
    std::vector<Edit> edits{out.edit(line, tokens[end - 1].end, "")};
    for (const auto& [name, value] : values) {
      const auto [word, sign, behind] = declared[name];
      const bool said = sign == word + 2;
      if (!said) edits.push_back(out.edit(tokens[word].begin, tokens[word].begin, "let "));
      else if (!tokens.is(word, "output")) edits.push_back(out.edit(tokens[word].begin, tokens[word].end, "let"));
      edits.push_back(out.edit(tokens[sign + 1].begin, tokens[behind - 1].end, write(value)));
    }
    out.add(std::move(edits), true);
    return;
  }
}

// ---- percentile(times, 95)

void reordered(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code.substr(0, 3) != "E04") return;
  for (std::size_t open = window.at + 1; open > window.begin; --open) {
    if (!tokens.is(open, "(") || tokens[open].partner == kNone || tokens[open].partner < window.at) continue;
    if (tokens[open - 1].kind != Kind::word || tokens[open - 1].end != tokens[open].begin) continue;
    std::vector<std::string> list;
    const std::size_t close = tokens[open].partner;
    for (std::size_t i = open + 1; i < close;) {
      std::size_t end = i;
      while (end < close && !tokens.is(end, ",")) end = tokens.behind(end);
      if (end > i) list.emplace_back(tokens.text(i, end - 1));
      i = end + 1;
    }
    if (list.size() < 2 || list.size() > 3) continue;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < list.size(); ++i) order.push_back(i);
    while (std::next_permutation(order.begin(), order.end())) {
      std::string all;
      for (const std::size_t i : order) all += (all.empty() ? "" : ", ") + list[i];
      out.add(tokens[open + 1].begin, tokens[close - 1].end, all, list.size() == 2);
    }
    return;
  }
}

}  // namespace

void translate(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames facts(tokens);
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts && !(tokens[i].first && tokens[i].kind == Kind::word)) continue;
    function(window, facts, i, out);
    if (tokens[i].starts) expressions(window, facts, i, out);
  }
  updates(window, facts, out);
  reordered(window, out);
}

}  // namespace assay::mending
