// Statements under a condition, as in languages with statements: 'if late { cap score at 12 }', branches that set one
// name, and assignments to the score, which are deductions, bonuses and caps here.
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

struct Branch {
  std::string condition;  // empty: otherwise
  Span body;
};

// Whether a token begins a branch: if, when, unless; elif, else if; else.
enum class Opening { none, first, further, last };
Opening opening_at(const Tokens& tokens, std::size_t i) {
  const std::string word = in_lower_case(tokens[i].shown);
  if (among(word, {"elif", "elsif", "elseif"}) ||
      (word == "else" && among(in_lower_case(tokens[i + 1].shown), {"if", "when"})))
    return Opening::further;
  if (among(word, {"else", "otherwise"})) return Opening::last;
  const bool begins = tokens[i].first || (i > 0 && among(tokens[i - 1].shown, {"{", ":"}));
  if (begins && among(word, {"if", "when", "unless", "whenever"})) return Opening::first;
  return Opening::none;
}

// One branch and where it ends; false: it is none.
bool read_branch(const Tokens& tokens, std::size_t i, Opening opening, Branch& branch, std::size_t& behind) {
  const std::size_t column = column_of(tokens, line_first(tokens, i));
  std::size_t at = i + 1;
  if (opening == Opening::further && in_lower_case(tokens[i].shown) == "else") ++at;
  const std::size_t from = at;
  // if (late) flag("late"): a statement on the line of its condition
  const std::size_t inline_body =
      tokens.is(from, "(") && tokens[from].partner != kNone ? tokens[from].partner + 1 : from;
  if (opening != Opening::last && inline_body > from && !tokens[inline_body].first &&
      tokens[inline_body].kind == Token::Kind::word && !word_of_statement(tokens[inline_body].shown).empty()) {
    branch.condition = plain_condition(raw(tokens, {from + 1, inline_body - 1}));
    branch.body = {inline_body, line_last(tokens, inline_body) + 1};
    while (tokens.closes(branch.body.end - 1) && tokens[branch.body.end - 1].partner < inline_body) --branch.body.end;
    behind = branch.body.end;
    return true;
  }
  // Up to the block: '{', ':' or 'then', or the end of the line.
  while (at + 1 < tokens.size() && !tokens.is(at, "{") && !tokens.is(at, ":") && !tokens.is(at, "then") &&
         !tokens.is(at, "=>") && !tokens.is(at, "->") && !(tokens.is(at, ",") && at > from) &&
         !(at > i && tokens[at].first) && !(at > from && tokens[at].starts))
    at = tokens.behind(at);
  if (opening != Opening::last) {
    Span condition{from, at};
    if (condition.empty()) return false;
    if (tokens.is(condition.begin, "(") && tokens[condition.begin].partner == condition.end - 1)
      ++condition.begin, --condition.end;
    branch.condition = plain_condition(raw(tokens, condition));
    if (in_lower_case(tokens[i].shown) == "unless") branch.condition = negated_text(branch.condition);
  }
  while (tokens.is(at, ":") || tokens.is(at, "then") || tokens.is(at, "=>") || tokens.is(at, "->") ||
         tokens.is(at, ","))
    ++at;
  const Block block = block_behind(tokens, at, column);
  if (block.inside.empty()) return false;
  branch.body = block.inside;
  behind = block.last + 1;
  if (among(in_lower_case(tokens[behind].shown), {"end", "endif", "fi"})) ++behind;
  return true;
}

std::vector<Span> statements_in(const Tokens& tokens, Span body) {
  std::vector<Span> list;
  std::size_t from = body.begin, column = column_of(tokens, body.begin);
  for (std::size_t i = body.begin; i < body.end; i = std::min(tokens.behind(i), body.end)) {
    const bool line = i > from && tokens[i].first && column_of(tokens, i) <= column;
    if (!line && !tokens.is(i, ";")) continue;
    if (i > from) list.push_back({from, i});
    from = tokens.is(i, ";") ? i + 1 : i;
  }
  if (from < body.end) list.push_back({from, body.end});
  return list;
}

// 'NAME = value' without the words before it.
struct Assignment {
  std::string name, value, sign;  // sign: '=', '+', '-', '*'
};
bool read_assignment(const Tokens& tokens, Span span, Assignment& a) {
  std::size_t i = span.begin;
  while (i < span.end && among(tokens[i].shown, {"let", "set", "var", "const", "output"})) ++i;
  while (span.end > i && (tokens.is(span.end - 1, ";") || tokens.is(span.end - 1, ","))) --span.end;
  if (among(tokens[i].shown, {"return", "then"}) && i + 1 < span.end) {
    a = {"return", raw(tokens, {i + 1, span.end}), "="};
    return true;
  }
  if (i + 2 >= span.end || tokens[i].kind != Token::Kind::word) return false;
  a.name = tokens[i].shown;
  const std::string_view sign = tokens[i + 1].shown;
  if (sign == "=" || sign == ":=" || sign == "<-") {
    a.sign = "=";
    i += 2;
  } else if (tokens.is(i + 2, "=") && among(sign, {"+", "-", "*", "/"})) {
    a.sign = sign;
    i += 3;
  } else if (is_score(a.name) && among(sign, {"is", "becomes", "equals", "at", "drops", "goes", "set", "stays"})) {
    a.sign = "=";  // 'score is 0', 'score becomes at most 40'
    for (++i; i < span.end && tokens[i].kind == Token::Kind::word &&
              tokens.declaration({"input", "let"}, tokens[i].shown) == kNone;)
      ++i;
  } else {
    return false;
  }
  a.value = raw(tokens, {i, span.end});
  // x = x + 5
  if (a.sign == "=" && tokens.is(i, a.name) && i + 2 < span.end && among(tokens[i + 1].shown, {"+", "-", "*"})) {
    a.sign = tokens[i + 1].shown;
    a.value = raw(tokens, {i + 2, span.end});
  }
  return i < span.end;
}

// Whether a name means the score of the rubric, which has no value of that name.
bool of_rubric(const Tokens& tokens, std::string_view name) {
  return is_score(name) && tokens.declaration({"let", "input", "var", "const"}, name) == kNone;
}

// What an assignment to the score is here, under a condition; empty: none.
std::string of_score(const Tokens& tokens, const Assignment& a, Span span, const std::string& condition) {
  const std::string when = condition.empty() ? "" : " when " + condition;
  for (std::size_t i = span.begin; i < span.end; ++i) {  // score at least 2: no limit from above
    if (among(in_lower_case(tokens[i].shown), {"least", "minimum"})) return {};
  }
  std::string name = "adjusted";
  const Tokens words(condition.empty() ? a.value : condition);
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    if (words[k].kind == Token::Kind::word && !is_reserved(words[k].shown) && !words.is(k + 1, "(") &&
        !is_score(words[k].shown)) {
      name = words[k].shown;
      break;
    }
  }
  if (a.sign == "-") return "deduction " + name + " = " + a.value + when;
  if (a.sign == "+") return "bonus " + name + " = " + a.value + when;
  if (a.sign == "*") return "deduction " + name + " = composite * (1 - " + a.value + ")" + when;
  // score = min(score, 40); score = max(0, score) is what the scale does
  for (std::size_t i = span.begin; i + 5 < span.end + 1; ++i) {
    const bool low = among(in_lower_case(tokens[i].shown), {"min", "max"}) && tokens.is(i + 1, "(") &&
                     tokens[i + 1].partner == i + 5 && tokens.is(i + 3, ",");
    if (!low || i + 6 != span.end) continue;
    const std::size_t value = is_score(tokens[i + 2].shown) ? i + 4 : i + 2;
    if (in_lower_case(tokens[i].shown) == "min") return "cap score at " + std::string(tokens[value].shown) + when;
  }
  const Tokens value(a.value);  // score = max(score, 10) is no cap
  for (std::size_t k = 0; k + 1 < value.size(); ++k) {
    if (is_score(value[k].shown)) return {};
  }
  if (!condition.empty()) return "cap score at " + a.value + when;
  return {};
}

// Every branch sets the same names: one choice for each.
std::string choices_of(const Tokens& tokens, const std::vector<Branch>& branches, const std::string& indent) {
  std::vector<std::vector<Assignment>> all;
  std::string_view word;  // gate x = … in each of them
  for (const Branch& branch : branches) {
    std::vector<Assignment>& list = all.emplace_back();
    for (Span one : statements_in(tokens, branch.body)) {
      Assignment a;
      const bool declares = among(tokens[one.begin].shown, {"gate", "deduction", "bonus"});
      const std::string_view own = declares ? tokens[one.begin].shown : std::string_view();
      if (declares && (tokens[one.end - 1].is_text() || (own == "gate" && !branches.back().condition.empty())))
        return {};
      if (all.size() + list.size() > 1 && own != word) return {};
      word = own;
      one.begin += declares ? 1 : 0;
      if (!read_assignment(tokens, one, a) || a.sign != "=") return {};
      list.push_back(std::move(a));
    }
    if (list.size() != all.front().size()) return {};
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (list[k].name != all.front()[k].name) return {};
    }
  }
  if (all.size() < 2 || all.front().empty()) return {};
  std::string text;
  for (std::size_t k = 0; k < all.front().size(); ++k) {
    const std::string& name = all.front()[k].name;
    std::string value;
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const std::string& one = all[b][k].value;
      value += (b > 0 ? " else " : "") + one + (branches[b].condition.empty() ? "" : " when " + branches[b].condition);
    }
    const std::string head = !word.empty()                        ? std::string(word) + " " + name
                             : is_score(name) || name == "return" ? "composite"
                                                                  : "let " + name;
    // A score of some cases only leaves the others without one.
    if (head == "composite" && !branches.back().condition.empty()) return {};
    text += (text.empty() ? "" : "\n" + indent) + head + " = " + value;
  }
  return text;
}

std::string conditional(const Tokens& tokens, Span one, const std::string& condition, const std::string& indent,
                        const std::string& loop = {}) {
  Assignment a;
  const bool starts = tokens[one.begin].starts || !word_of_statement(tokens[one.begin].shown).empty();
  const bool score = of_rubric(tokens, tokens[one.begin].shown) && loop.empty();
  if ((!starts || score) && loop.empty() && read_assignment(tokens, one, a) && of_rubric(tokens, a.name))
    return of_score(tokens, a, one, condition);
  // fail "reason", reject: a gate
  if (loop.empty() && among(in_lower_case(tokens[one.begin].shown),
                            {"fail", "reject", "disqualify", "veto", "exclude", "ineligible"})) {
    std::string text;
    for (std::size_t i = one.begin; i < one.end; ++i) {
      if (tokens[i].is_text()) text = as_text(tokens[i].shown);
    }
    const std::string said = name_of_text(text), start = said.substr(0, said.find('_'));
    const bool denies = among(start, {"no", "not", "never"}) && start.size() < said.size();
    const std::string name = text.empty() ? "accepted" : denies ? said.substr(start.size() + 1) : "not_" + said;
    return "gate " + name + " = " + negated_text(condition) + (text.empty() ? "" : " " + text);
  }
  if (loop.empty() && read_assignment(tokens, one, a) && a.name == "return" && !a.value.empty() && !condition.empty())
    return "cap score at " + a.value + " when " + condition;
  // flags.append("slow")
  if (!condition.empty() && among(tokens[one.begin].shown, {"flags", "advice", "warnings", "notes"}) &&
      tokens.is(one.begin + 1, ".") && tokens.is(one.begin + 3, "(") && tokens[one.begin + 4].is_text()) {
    const std::string text = as_text(tokens[one.begin + 4].shown), words = without_quotes(tokens, one.begin + 4);
    const bool advice = tokens.is(one.begin, "advice");
    return (advice ? "advice " + text : "flag " + (as_name(words) == words ? words : text)) +
           (loop.empty() ? "" : " for " + loop) + " when " + condition;
  }
  // raise ValueError("reason"): the record is wrong
  if (loop.empty() && !condition.empty() && among(tokens[one.begin].shown, {"raise", "throw", "abort"})) {
    std::string text, path;
    for (std::size_t i = one.begin; i < one.end; ++i) {
      if (tokens[i].is_text()) text = as_text(tokens[i].shown);
    }
    const Tokens words(condition);
    for (std::size_t k = 0; k + 1 < words.size() && path.empty(); ++k) {
      if (tokens.declaration({"input"}, words[k].shown) != kNone) path = words[k].shown;
    }
    if (path.empty() || text.empty()) return {};
    return "check " + negated_text(condition) + " at " + path + " " + text;
  }
  // if untested then "Write tests"
  if (!condition.empty() && tokens[one.begin].is_text() && one.end == one.begin + 1)
    return "advice " + as_text(tokens[one.begin].shown) + (loop.empty() ? "" : " for " + loop) + " when " + condition;
  // finish = min(finish, 10)
  if (loop.empty() && read_assignment(tokens, one, a) && !is_score(a.name)) {
    const Tokens value(a.value);
    const bool low = in_lower_case(value[0].shown) == "min" && value.is(1, "(") && value.is(3, ",") &&
                     value[1].partner == 5 && value.size() == 7;
    if (low && (value.is(2, a.name) || value.is(4, a.name)))
      return "cap " + a.name + " at " + std::string(value[value.is(2, a.name) ? 4 : 2].shown) +
             (condition.empty() ? "" : " when " + condition);
  }
  // hygiene is at most 5
  bool limits = false;
  for (std::size_t i = one.begin; i < one.end; ++i)
    limits = limits ||
             among(in_lower_case(tokens[i].shown), {"most", "exceed", "limited", "capped", "maximum", "max", "<="});
  if (!starts && limits && loop.empty() && !condition.empty()) {
    BlockItem item;
    item.value = one;
    const std::string cap = declare(tokens, "cap", item, indent).text;
    if (!cap.empty()) return cap + " when " + condition;
  }
  return declare_statement(tokens, one, indent, condition, loop).text;
}

// The declarations of branches that begin at a token, and their last token; empty: they are none.
std::string branches_at(const Tokens& tokens, std::size_t i, std::size_t& last) {
  const std::string indent = indent_before(tokens, i);
  std::vector<Branch> branches;
  std::size_t at = i, behind = i;
  Opening opening = opening_at(tokens, i);
  while (opening != Opening::none && branches.size() < 40) {
    Branch branch;
    if (!read_branch(tokens, at, opening, branch, behind)) return {};
    branches.push_back(std::move(branch));
    if (opening == Opening::last) break;
    at = behind;
    opening = opening_at(tokens, at);
    if (opening == Opening::first) opening = Opening::none;
  }
  if (branches.empty()) return {};
  std::string text = choices_of(tokens, branches, indent);
  if (text.empty()) {
    std::string before;  // no branch before applies
    for (const Branch& branch : branches) {
      std::string condition = branch.condition;
      const auto part = [](const std::string& c) { return c.find(" or ") != c.npos ? "(" + c + ")" : c; };
      if (condition.empty()) condition = before;
      else if (!before.empty()) condition = before + " and " + part(condition);
      const Tokens tested(branch.condition);
      before += (before.empty() ? "" : " and ") +
                ("not " + (tested.operand(0) == tested.size() - 1 ? branch.condition : "(" + branch.condition + ")"));
      for (const Span& statement : statements_in(tokens, branch.body)) {
        std::string line;
        Branch inner;
        std::size_t end = statement.end;
        if (opening_at(tokens, statement.begin) == Opening::first &&
            read_branch(tokens, statement.begin, Opening::first, inner, end) &&
            end <= statement.end) {  // a condition inside
          for (const Span& deeper : statements_in(tokens, inner.body)) {
            const std::string one =
                conditional(tokens, deeper, part(condition) + " and " + part(inner.condition), indent);
            if (one.empty()) return {};
            line += (line.empty() ? "" : "\n" + indent) + one;
          }
        } else {
          line = conditional(tokens, statement, condition, indent);
        }
        if (line.empty()) return {};
        text += (text.empty() ? "" : "\n" + indent) + line;
      }
    }
  }
  last = behind - 1;  // ' }' of a line behind belongs to the last branch
  return text;
}

// for x in xs: flag "…", with conditions inside
std::string loop_at(const Tokens& tokens, std::size_t i, std::size_t& last) {
  if (!among(in_lower_case(tokens[i].shown), {"for", "foreach"}) || !tokens[i].first) return {};
  std::size_t at = i + 1;
  if (among(tokens[at].shown, {"each", "every", "all"})) ++at;
  const bool bracket = tokens.is(at, "(") && tokens[at].partner != kNone;
  if (bracket) ++at;
  while (among(tokens[at].shown, {"const", "let", "var"})) ++at;
  std::string loop(tokens[at].shown);
  if (tokens[at].kind != Token::Kind::word) return {};
  ++at;
  if (tokens.is(at, ",") && tokens[at + 1].kind == Token::Kind::word)
    loop += ", " + std::string(tokens[at + 1].shown), at += 2;
  if (!among(tokens[at].shown, {"in", "of"})) return {};
  std::size_t end = ++at;
  while (end + 1 < tokens.size() && !tokens.is(end, ":") && !tokens.is(end, "{") && !tokens.is(end, ")") &&
         !tokens[end].first)
    end = tokens.behind(end);
  // for each c in complaints deduct 0.5
  if (const std::size_t list = tokens.operand(at); list > at && list < end && tokens[list].kind == Token::Kind::word &&
                                                   !word_of_statement(tokens[list].shown).empty())
    end = list;
  if (end == at) return {};
  loop += " in " + raw(tokens, {at, end});
  at = end;
  if (bracket && tokens.is(at, ")")) ++at;
  while (tokens.is(at, ":") || tokens.is(at, "do")) ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  if (block.inside.empty()) return {};
  const std::string indent = indent_before(tokens, i);
  std::string text;
  for (const Span& one : statements_in(tokens, block.inside)) {
    Branch branch;
    branch.body = one;
    std::size_t behind = one.end;
    const bool inner = opening_at(tokens, one.begin) == Opening::first &&
                       read_branch(tokens, one.begin, Opening::first, branch, behind) && behind <= one.end;
    for (const Span& statement : statements_in(tokens, branch.body)) {
      const std::string line = conditional(tokens, statement, inner ? branch.condition : std::string(), indent, loop);
      if (line.empty()) return {};
      text += (text.empty() ? "" : "\n" + indent) + line;
    }
  }
  last = block.last;
  return text;
}

// medal = "gold" if score >= 85, line by line: one choice, or bands where the conditions are limits of one name.
void repeated_choices(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  struct Line {
    std::string value, condition;
  };
  std::vector<Line> lines;
  std::string name;
  std::size_t at = i, behind = i;
  while (at + 1 < tokens.size() && tokens[at].first && lines.size() < 60) {
    std::size_t k = at;
    while (among(tokens[k].shown, {"let", "set", "output", "var"})) ++k;
    const std::size_t last = line_last(tokens, at);
    if (tokens[k].kind != Token::Kind::word ||
        !(tokens.is(k + 1, "=") || tokens.is(k + 1, ":") || tokens.is(k + 1, ":=")) ||
        (!name.empty() && !tokens.is(k, name)))
      break;
    std::size_t word = k + 2;
    while (word <= last && !among(tokens[word].shown, {"if", "when", "otherwise", "else", "default", "unless"}))
      word = tokens.behind(word);
    Line line;
    line.value = raw(tokens, {k + 2, std::min(word, last + 1)});
    if (word <= last && among(tokens[word].shown, {"if", "when"})) line.condition = raw(tokens, {word + 1, last + 1});
    if (line.value.empty() || (word <= last && line.condition.empty() && word != last)) break;
    if (!lines.empty() && lines.back().condition.empty()) break;
    name = tokens[k].shown;
    lines.push_back(std::move(line));
    behind = last;
    at = last + 1;
  }
  if (lines.size() < 2 || lines[0].condition.empty()) return;
  std::string value;
  for (const Line& line : lines)
    value += (value.empty() ? "" : " else ") + line.value + (line.condition.empty() ? "" : " when " + line.condition);
  const bool all =
      !is_score(name) || lines.back().condition.empty();  // a score of some cases leaves the others without
  out.add(tokens[i].begin, tokens[behind].end, (is_score(name) ? "composite" : "output " + name) + " = " + value, all);
}

// gold if score is at least 17, line by line
void grades_by_sentences(const Window& window, std::size_t i, Proposals& out, std::size_t head = kNone) {
  const Tokens& tokens = window.tokens;
  const std::size_t above = i == 0 ? i : line_first(tokens, i - 1);
  if (head == kNone && column_of(tokens, above) < column_of(tokens, i) && !tokens.opens(i - 1) &&
      !tokens.is(i - 1, ":"))
    return;  // the rest of a declaration
  std::string rows, of;
  std::size_t at = i, behind = i, count = 0;
  // risk = low if score >= 80: the name of the bands
  const bool named = head == kNone && tokens[i].kind == Token::Kind::word &&
                     (tokens.is(i + 1, "=") || tokens.is(i + 1, ":") || tokens.is(i + 1, "is"));
  while (at + 1 < tokens.size() && tokens[at].first && (tokens[at].kind == Token::Kind::word || tokens[at].is_text()) &&
         !tokens[at].starts && count < 40) {
    const std::size_t last = line_last(tokens, at);
    if (count > 0 && among(tokens[at].shown, {"otherwise", "else"}) && last > at) {  // otherwise award is thanks
      const std::size_t label = named && tokens.is(at + 1, tokens[i].shown) ? at + 3 : at + 1;
      if (label > last) break;
      const std::string words = raw(tokens, {label, last + 1});
      rows += "| otherwise | " + as_text(tokens[label].is_text() ? words : "'" + words + "'") + " |\n";
      ++count;
      behind = last;
      break;
    }
    std::size_t word = at;
    if (named) word += 2;
    while (word <= last && !among(tokens[word].shown, {"if", "when", "otherwise", "else", "for", ":", "default"}))
      ++word;
    const std::size_t stop = word > at && among(tokens[word - 1].shown, {"by", ","}) ? word - 1 : word;
    const std::size_t from = named ? at + 2 : at;
    if (named && (!tokens.is(at, tokens[i].shown) || word <= at + 1)) break;
    if (word == from || word > last || known_word(in_lower_case(tokens[from].shown)) == "cap") break;
    bool program = false;  // bonuss fit = 2 when …: no word for a grade
    for (std::size_t k = from; k < stop; ++k)
      program = program || among(tokens[k].shown, {"=", "+", "-", "*", "/", "("});
    if (program) break;
    const std::string label =
        as_text(tokens[from].is_text() ? raw(tokens, {from, stop}) : "'" + raw(tokens, {from, stop}) + "'");
    if (among(tokens[word].shown, {"otherwise", "else", "default"})) {
      rows += "| otherwise | " + label + " |\n";
    } else {
      const std::string written = plain_condition(tokens.text(word + 1, last));
      const Tokens condition(written);
      if (condition.size() != 4 || condition[0].kind != Token::Kind::word || condition[2].kind != Token::Kind::number ||
          (!of.empty() && condition[0].shown != of))
        break;
      of = condition[0].shown;
      rows += "| " + std::string(condition[1].shown) + " " + std::string(condition[2].shown) + " | " + label + " |\n";
    }
    ++count;
    behind = last;
    at = last + 1;
  }
  if (count < 2 || of.empty()) return;
  const std::string indent = indent_before(tokens, head == kNone ? i : head);
  const std::string name = head != kNone ? as_name(tokens[head].shown) : named ? std::string(tokens[i].shown) : "grade";
  std::string text = "bands " + name + "(" + of + ") {\n" + indent + "  | " + of + " | " + name + " |";
  for (std::size_t from = 0; from < rows.size();) {
    const std::size_t end = rows.find('\n', from);
    text += "\n" + indent + "  " + rows.substr(from, end - from);
    from = end + 1;
  }
  out.add(tokens[head == kNone ? i : head].begin, tokens[behind].end, text + "\n" + indent + "}", true);
}

// rule late "Too late" { if days > 3 then deduct 15 }: one statement that has its name and its text before it
void named_rule(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!among(in_lower_case(tokens[i].shown), {"rule", "policy", "penalty", "violation", "condition", "check"})) return;
  const bool named = tokens[i + 1].kind == Token::Kind::word || tokens[i + 1].is_text();
  if (!named && !tokens.is(i + 1, ":")) return;
  std::size_t at = named ? i + 2 : i + 1;
  std::string text = tokens[i + 1].is_text() ? as_text(tokens[i + 1].shown) : std::string();
  const std::string name = !named         ? std::string()
                           : text.empty() ? std::string(tokens[i + 1].shown)
                                          : name_of_text(text);
  if (tokens[at].is_text()) text = as_text(tokens[at++].shown);
  while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  if (block.inside.empty()) return;
  std::size_t last = block.inside.begin;
  std::string written = statements_at(tokens, block.inside.begin, last);
  // late => -2: what it costs
  std::size_t arrow = block.inside.begin;
  while (arrow < block.inside.end && !among(tokens[arrow].shown, {"=>", "->"})) arrow = tokens.behind(arrow);
  const bool minus = tokens.is(arrow + 1, "-"), sign = minus || tokens.is(arrow + 1, "+");
  if (named && sign && tokens[arrow + 2].kind == Token::Kind::number && arrow + 3 >= block.inside.end) {
    written = (minus ? "deduction " : "bonus ") + name + " = " + std::string(tokens[arrow + 2].shown) + " when " +
              plain_condition(raw(tokens, {block.inside.begin, arrow}));
    last = block.inside.end;
  }
  if (written.empty() || last + 1 < block.inside.end || written.find('\n') != std::string::npos) return;
  const Tokens words(written);
  if (named && words.is(2, "=")) written.replace(words[1].begin, words[1].shown.size(), name);
  if (!text.empty() && !words[words.size() - 2].is_text()) written += " " + text;
  out.add(tokens[i].begin, tokens[block.last].end, written, true);
}

}  // namespace

std::string statements_at(const Tokens& tokens, std::size_t i, std::size_t& last) {
  return opening_at(tokens, i) == Opening::first ? branches_at(tokens, i, last) : loop_at(tokens, i, last);
}

void conditional_blocks(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01" && window.problem.code != "E0306") return;
  const Tokens& tokens = window.tokens;
  const std::size_t here = line_first(tokens, window.at);
  for (const std::size_t i : lines_upwards(tokens, here, 12)) {
    std::size_t last = i;
    const std::string text = statements_at(tokens, i, last);
    if (!text.empty() && last >= window.at) out.add(tokens[i].begin, tokens[last].end, text, true);
    named_rule(window, i, out);
  }
  std::size_t first = here;
  while (first > 0) {  // the first line of the same name
    const std::size_t before = line_first(tokens, first - 1);
    if (tokens[before].shown != tokens[here].shown || before == first) break;
    first = before;
  }
  repeated_choices(window, first, out);
  grades_by_sentences(window, first, out);
  if (first != here) grades_by_sentences(window, here, out);
  if (tokens.is(here + 1, ":") && tokens[here + 2].first) grades_by_sentences(window, here + 2, out, here);
  Assignment a;
  const Span line{here, line_last(tokens, here) + 1};
  if (of_rubric(tokens, tokens[here].shown) && read_assignment(tokens, line, a) && of_rubric(tokens, a.name)) {
    std::size_t word = here;  // score = min(score, 8) if late
    while (word < line.end && !among(tokens[word].shown, {"if", "when"})) word = tokens.behind(word);
    const bool conditional = word + 1 < line.end && read_assignment(tokens, {here, word}, a);
    // score = 0 if cheated else score
    const bool stays = line.end > word + 3 && tokens.is(line.end - 2, "else") && is_score(tokens[line.end - 1].shown);
    const std::size_t end = stays ? line.end - 2 : line.end;
    const std::string text = of_score(tokens, a, {here, conditional ? word : line.end},
                                      conditional ? plain_condition(raw(tokens, {word + 1, end})) : std::string());
    if (!text.empty()) out.add(tokens[here].begin, tokens[line.end - 1].end, text, true);
  }
}

}  // namespace assay::mending
