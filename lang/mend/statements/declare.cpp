// Writes the parts that facts.hpp has read, in the order of the language.
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/foreign/reader.hpp"

#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace assay::mending {
namespace {

// ---- writing

std::string with_space(const std::string& text) { return text.empty() ? text : " " + text; }

// In a loop each item needs a name of its own: the text, or the value in it, 'Fault {f.code}'.
void name_in_loop(std::string_view word, Facts& facts) {
  const std::size_t open = facts.text.find('{'), close = facts.text.find('}');
  const bool adjusts = word == "deduction" || word == "bonus";
  if (adjusts && open != std::string::npos && close != std::string::npos && close > open) {
    facts.name = facts.text.substr(open, close + 1 - open);
  } else {
    facts.name = facts.text;
    facts.text.clear();
  }
}

std::string write_facts(std::string_view word, Facts f, const std::string& indent) {
  if (word == "check")
    return f.value.empty() || f.path.empty() || f.text.empty() ? std::string()
                                                               : "check " + f.value + " at " + f.path + " " + f.text;
  const bool adjusts = word == "deduction" || word == "bonus";
  if (adjusts && f.name.empty() && f.text.find('{') != std::string::npos && f.value.find(" for ") != std::string::npos)
    name_in_loop(word, f), f.label = true;
  if (f.name.empty() && !f.text.empty()) f.name = name_of_text(f.text);
  if (f.name.empty()) return {};
  if (f.text == "\"" + f.name + "\"" && as_name(f.name) == f.name) f.text.clear();  // gate("honest", …)
  const bool several = word == "input" && f.name.find(", ") != std::string::npos;   // price, fee: number
  const std::string name = several ? f.name : f.label ? text_of(f.name) : as_name(f.name);
  const std::string head = std::string(word) + " " + name;
  if (word == "dimension" || word == "criterion") {
    std::string text = head + (f.type.empty() ? "" : ": " + f.type);
    if (!f.weight.empty()) text += " weight " + f.weight;
    if (!f.points.empty()) text += " points " + f.points;
    if (f.advisory) text += " advisory";
    if (!f.missing.empty()) text += " missing " + f.missing;
    text += with_space(f.text) + (f.value.empty() ? "" : " = " + f.value);
    const std::string more = f.more.empty() ? std::string() : "\n" + indent + f.more;
    if (f.levels.empty() && f.parts.empty()) return text + more;
    text += " {";
    for (const auto& [level, meaning] : f.levels) text += "\n" + indent + "  level " + level + " " + meaning;
    for (const std::string& part : f.parts) {
      if (part.empty()) return {};
      // Numbers below points are points.
      std::string one = part;
      const std::size_t at = one.find(" weight "), end = one.find_first_of(" \n", at + 8);
      const bool bare = at != one.npos && one[std::min(end, one.size()) - 1] != '%';
      if (!f.points.empty() && bare) one.replace(at, 8, " points ");
      text += "\n" + indent + "  " + one;
    }
    return text + "\n" + indent + "}" + more;
  }
  if (word == "input") {
    if (f.type.empty()) f.type = f.value;
    const std::string type = type_of(f);
    return type.empty() ? type : head + ": " + type + with_space(f.text);
  }
  if (word == "flag") {
    const std::string& condition = f.when.empty() ? f.value : f.when;
    if (condition.empty() && f.loop.empty()) return {};
    return head + with_space(f.loop) + (condition.empty() ? "" : " when " + condition) + with_space(f.text);
  }
  if (word == "advice") {
    const std::string& condition = f.when.empty() ? f.value : f.when;
    if (f.text.empty() || (condition.empty() && f.loop.empty())) return {};
    return "advice " + f.text + with_space(f.loop) + (condition.empty() ? "" : " when " + condition);
  }
  if (word == "cap")
    return f.value.empty() ? std::string()
                           : head + " at " + f.value + (f.when.empty() ? "" : " when " + f.when) + with_space(f.text);
  if (word == "gate") return f.value.empty() ? std::string() : head + " = " + f.value + with_space(f.text);
  if (f.value.empty()) return {};
  if (!f.loop.empty() && word != "deduction" && word != "bonus") return {};
  return head + " = " + f.value + with_space(f.loop) + (f.when.empty() ? "" : " when " + f.when) +
         (f.decimals.empty() || word != "output" ? "" : " decimals " + f.decimals) + with_space(f.text);
}

// The first name in its condition, or the word itself. An input's name is a key of the records.
void invent_name(std::string_view word, Facts& facts) {
  if (!facts.name.empty() || !facts.text.empty() || word == "input") return;
  const std::string& of = facts.when.empty() ? facts.value : facts.when;
  const Tokens words(of);
  for (std::size_t k = 0; k + 1 < words.size() && facts.name.empty(); ++k) {
    if (words[k].kind == Token::Kind::word && !is_reserved(words[k].shown) && !words.is(k + 1, "(") &&
        !(k > 0 && words.is(k - 1, ".")))
      facts.name = (k > 0 && words.is(k - 1, "not") ? "not_" : "") + std::string(words[k].shown);
  }
  if (word == "output" && of != facts.name) facts.name = "value", facts.guessed = true;  // its name is a key
  if (facts.name.empty()) facts.name = std::string(word) + "_1";
}

// Whether one of these words is outside of all brackets.
bool says(std::string_view expression, std::initializer_list<std::string_view> words) {
  const Tokens tokens(expression);
  for (std::size_t i = 0; i + 1 < tokens.size(); i = tokens.behind(i)) {
    if (!tokens[i].is_text() && among(tokens[i].shown, words)) return true;
  }
  return false;
}

// The condition of a block around a declaration.
void add_condition(std::string_view word, const std::string& condition, Facts& facts) {
  if (condition.empty()) return;
  const auto part = [](const std::string& c) { return c.find(" or ") != c.npos ? "(" + c + ")" : c; };
  if (word == "gate" || word == "check") {  // what has to be in that case
    const bool choice = says(facts.value, {"when", "if", "unless"});
    facts.value = negated_text(condition) + " or " + (choice ? "(" + facts.value + ")" : facts.value);
    return;
  }
  // A choice is the amount in that case, with its own else.
  if (says(facts.when, {"else"})) facts.value += " when " + std::exchange(facts.when, {});
  if (says(facts.value, {"else"}) && !says(facts.value, {"for"})) facts.value = "(" + facts.value + ")";
  std::string& when = (word == "flag" || word == "advice") && facts.when.empty() ? facts.value : facts.when;
  when = when.empty() || when == condition ? condition : part(condition) + " and " + part(when);
}

// Arguments of a call by what they are: a text, a condition, a name, an amount; false: something else.
bool read_arguments(const Tokens& tokens, std::string_view word, Span inside, Facts& facts) {
  std::size_t from = inside.begin;
  for (std::size_t i = inside.begin; i <= inside.end;
       i = i < inside.end ? std::min(tokens.behind(i), inside.end) : i + 1) {
    if (i < inside.end && !tokens.is(i, ",")) continue;
    const Span one{from, i};
    from = i + 1;
    if (one.empty()) continue;
    bool compares = false;
    for (std::size_t k = one.begin; k < one.end; k = tokens.behind(k))
      compares = compares || among(tokens[k].shown, {">=", "<=", ">", "<", "==", "!=", "and", "or", "not", "in", "is"});
    const bool alone = one.end == one.begin + 1;
    const bool keyed = tokens.is(one.begin + 1, ":") || tokens.is(one.begin + 1, "=");
    const bool weighs =
        word == "dimension" && keyed && one.end == one.begin + 3 && tokens[one.end - 1].kind == Token::Kind::number;
    if (weighs && among(tokens[one.begin].shown, {"weight", "points"})) {  // dimension(soil, weight=0.6)
      (tokens.is(one.begin, "weight") ? facts.weight : facts.points) = tokens[one.end - 1].shown;
      continue;
    }
    if (keyed) return false;
    const bool formatted = one.end == one.begin + 2 && tokens.is(one.begin, "f") && tokens[one.begin + 1].is_text();
    if ((formatted || (alone && tokens[one.begin].is_text())) && facts.text.empty())
      facts.text = as_text(tokens[one.end - 1].shown);
    else if (compares && facts.when.empty()) facts.when = raw(tokens, one);
    else if (alone && tokens[one.begin].kind == Token::Kind::word && facts.name.empty() && one.begin == inside.begin)
      facts.name = tokens[one.begin].shown;
    else if (word == "dimension" && alone && facts.weight.empty()) facts.weight = tokens[one.begin].shown;
    else if (facts.value.empty()) facts.value = raw(tokens, one);
    else return false;
  }
  return true;
}

constexpr std::string_view kWritten[] = {"dimension", "criterion", "input",  "deduction", "bonus", "cap",
                                         "gate",      "flag",      "advice", "output",    "let",   "check"};
bool is_written(std::string_view word) {
  return std::find(std::begin(kWritten), std::end(kWritten), word) != std::end(kWritten);
}

}  // namespace

std::string name_of_text(std::string_view text) {
  std::string words;
  int count = 0;
  for (const char c : text) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (letter) words += c;
    else if (!words.empty() && words.back() != ' ') {
      if (++count >= 4) break;
      words += ' ';
    }
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  // Articles and words that lead to more say nothing at the ends of a name.
  constexpr std::string_view kIdle[] = {"a", "an", "the", "of", "to", "in", "for", "and", "or", "at", "is"};
  const auto idle = [&kIdle](std::string_view word) {
    return std::find(std::begin(kIdle), std::end(kIdle), in_lower_case(word)) != std::end(kIdle);
  };
  for (std::size_t cut = words.rfind(' '); cut != words.npos && idle(std::string_view(words).substr(cut + 1));
       cut = words.rfind(' '))
    words.resize(cut);
  for (std::size_t cut = words.find(' '); cut <= 3 && among(in_lower_case(words.substr(0, cut)), {"a", "an", "the"});
       cut = words.find(' '))
    words.erase(0, cut + 1);
  return in_lower_case(as_name(words));
}

std::string written_declaration(std::string_view word, Facts facts, const std::string& indent) {
  invent_name(word, facts);
  if (word == "gate" && facts.value.empty()) facts.value = std::exchange(facts.when, {});
  return write_facts(word, std::move(facts), indent);
}

std::string_view word_of_statement(std::string_view written) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"require", "gate"},       {"requires", "gate"},         {"must", "gate"},          {"ensure", "gate"},
      {"required", "gate"},      {"requirement", "gate"},      {"mandatory", "gate"},     {"condition", "gate"},
      {"rule", "gate"},          {"constraint", "gate"},       {"assert", "gate"},        {"pass", "gate"},
      {"forbid", "gate"},        {"prohibit", "gate"},         {"deduct", "deduction"},   {"subtract", "deduction"},
      {"minus", "deduction"},    {"penalize", "deduction"},    {"penalise", "deduction"}, {"penalty", "deduction"},
      {"lose", "deduction"},     {"malus", "deduction"},       {"add", "bonus"},          {"award", "bonus"},
      {"plus", "bonus"},         {"reward", "bonus"},          {"extra", "bonus"},        {"give", "bonus"},
      {"limit", "cap"},          {"ceiling", "cap"},           {"maximum", "cap"},        {"max", "cap"},
      {"warn", "flag"},          {"warning", "flag"},          {"alert", "flag"},         {"notice", "flag"},
      {"recommend", "advice"},   {"suggest", "advice"},        {"hint", "advice"},        {"tip", "advice"},
      {"advise", "advice"},      {"recommendation", "advice"}, {"factor", "dimension"},   {"aspect", "dimension"},
      {"category", "dimension"}, {"component", "dimension"},   {"return", "output"},      {"emit", "output"},
      {"result", "output"},      {"variable", "let"}};
  const std::string small = in_lower_case(written);
  for (const std::string_view word : kWritten) {
    if (word == small) return word;
  }
  for (const auto& [other, word] : kWords) {
    if (other == small) return word;
  }
  const std::string_view known = known_word(small);
  return is_written(known) ? known : std::string_view();
}

namespace {

// 'error "Ends before it starts" if to < from': what is wrong with a record; empty: it says something else.
std::string fault_of_record(const Tokens& tokens, Span statement) {
  Span rest{statement.begin + 1, statement.end};
  const std::string text = take_text(tokens, rest);
  if (text.empty() || rest.empty() || !is_condition_word(tokens[rest.begin].shown)) return {};
  std::string path;
  for (std::size_t i = rest.begin; i < rest.end && path.empty(); ++i) {
    if (tokens.declaration({"input"}, tokens[i].shown) != kNone) path = tokens[i].shown;
  }
  return path.empty() ? path : "check " + negated_text(condition_in(tokens, rest)) + " at " + path + " " + text;
}

// CONSTRAINT order_of_hours CHECK (end_hour > start_hour) of SQL; empty: it says something else.
std::string check_of_table(const Tokens& tokens, Span statement) {
  std::size_t i = statement.begin + 1;
  const bool named = tokens[i].kind == Token::Kind::word && in_lower_case(tokens[i].shown) != "check";
  const std::size_t open = i + (named ? 2 : 1);
  if (in_lower_case(tokens[open - 1].shown) != "check" || !tokens.is(open, "(") || tokens[open].partner == kNone ||
      tokens[open].partner >= statement.end)
    return {};
  std::string path;
  for (std::size_t k = open; k < tokens[open].partner && path.empty(); ++k) {
    if (tokens.declaration({"input"}, tokens[k].shown) != kNone) path = tokens[k].shown;
  }
  std::string text(named ? tokens[i].shown : std::string_view("constraint"));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (path.empty()) return {};
  return "check " + condition_in(tokens, {open + 1, tokens[open].partner}) + " at " + path + " \"" + text + "\"";
}

// A declaration in the form of Assay as it is, with one more condition; empty: it has another form.
std::string under_condition(const Tokens& tokens, Span statement, const std::string& condition) {
  const std::size_t begin = statement.begin;
  const std::string_view word = tokens[begin].shown;
  std::size_t when = kNone, otherwise = kNone, loop = kNone;
  for (std::size_t i = begin + 1; i < statement.end; i = tokens.behind(i)) {
    if (tokens[i].is_text()) continue;
    if (among(tokens[i].shown, {"if", "unless", "then", ";", ":", "{", "&", "|", "!", "where", ","})) return {};
    if (tokens.is(i, "when") && when == kNone) when = i;
    if (tokens.is(i, "else")) otherwise = i;
    if (tokens.is(i, "for") && loop == kNone) loop = i;
  }
  const bool adjusts = among(word, {"deduction", "bonus"}) && tokens.is(begin + 2, "=");
  const bool says = among(word, {"flag", "advice"}) && among(tokens[begin + 2].shown, {"when", "for"});
  if (loop == kNone || (!adjusts && !says) || otherwise != kNone) return {};
  Span own = statement;
  const bool prose = tokens[own.end - 1].is_text() && own.end > begin + 2 && tokens.ends_value(own.end - 2);
  if (prose) --own.end;
  const std::string text = prose ? " " + raw(tokens, {own.end, own.end + 1}) : "";
  const auto part = [](const std::string& c) { return c.find(" or ") != c.npos ? "(" + c + ")" : c; };
  if (when == kNone) return raw(tokens, own) + " when " + condition + text;
  return raw(tokens, {begin, when + 1}) + " " + part(condition) + " and " + part(raw(tokens, {when + 1, own.end})) +
         text;
}

// Whether another declaration follows in it, 'style: 60%; dimension logic: 40%', which is no part of the first one.
bool holds_another(const Tokens& tokens, Span span) {
  for (std::size_t i = span.begin; i + 1 < span.end; ++i) {
    if (tokens.is(i, ";") && is_written(tokens[i + 1].shown)) return true;
  }
  return false;
}

// 'require sources else incomplete "No sources"': what makes a record incomplete; empty: it says something else.
std::string required_or_incomplete(const Tokens& tokens, Span statement) {
  if (word_of_statement(tokens[statement.begin].shown) != "gate") return {};
  Span what{statement.begin + 1, statement.end};
  std::string reason = tokens[what.end - 1].is_text() ? take_text(tokens, what) : std::string();
  if (what.end < what.begin + 2 || !tokens.is(what.end - 1, "incomplete")) return {};
  for (--what.end; among(tokens[what.end - 1].shown,
                         {"else", "or", "otherwise", "is", "it", "mark", "the", "record", "as", "->", "=>", ","});)
    --what.end;
  what = stripped(tokens, what);
  if (what.empty() || what.end + 1 >= statement.end) return {};
  const std::string said = raw(tokens, what);
  if (reason.empty()) reason = text_of(said + " is required");
  if (what.end > what.begin + 1) return "incomplete when " + negated_text(condition_in(tokens, what)) + " " + reason;
  const std::string_view kind = declared_kind(tokens, said);
  if (among(kind, {"list", "set", "map"})) return "incomplete when count(" + said + ") == 0 " + reason;
  return "incomplete when " + (kind == "bool" ? "not " + said : said + " is missing") + " " + reason;
}

// require backups: "Backups exist", of an input that is a condition; `rest`: what follows the name. Empty: it is none.
std::string gate_of_input(const Tokens& tokens, Span rest, const Facts& facts) {
  rest = stripped(tokens, rest);
  if (rest.end != rest.begin + 1 || !tokens[rest.begin].is_text() || !facts.text.empty() || facts.name.empty() ||
      declared_like(tokens, facts.name) != facts.name)
    return {};
  return "gate " + name_of_text(without_quotes(tokens, rest.begin)) + " = " + facts.name + " " +
         as_text(tokens[rest.begin].shown);
}

// incomplete unless sources > 0 "No sources", with its parts in any order or in a block
Declared declare_incomplete(const Tokens& tokens, Span statement, const std::string& condition) {
  const std::size_t next = statement.begin + 1;
  Span rest{next, statement.end};
  std::string reason = take_text(tokens, rest), when;
  if (bracketed(tokens, rest, "{")) {
    for (const BlockItem& part : read_block(tokens, {rest.begin + 1, rest.end - 1})) {
      if (is_condition_word(part.key) || part.key == "condition") when = raw(tokens, part.value);
      else reason = text_of(raw(tokens, part.value));
    }
  } else {
    when = condition_in(tokens, rest);
  }
  if (when.empty()) when = condition;
  if (reason.empty() && among(tokens[next].shown, {"unless", "if", ":", "="})) reason = text_of(when);
  if (reason.empty() || when.empty()) return {};
  return {"incomplete when " + when + " " + reason, true};
}

}  // namespace

namespace {

// Whether several lines begin with this word, each in front of another one: metric coat, metric gait.
bool leads_lines(const Tokens& tokens, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    count += tokens[i].first && tokens.is(i, word) && tokens[i + 1].kind == Token::Kind::word ? 1 : 0;
  return count > 1;
}

}  // namespace

// A name that stands with a capital at the head of its line, 'Concept (60%)', as examples and contexts write it.
static std::string as_in_examples(const Tokens& tokens, const std::string& name) {
  const std::string small = in_lower_case(name);
  std::size_t keys = 0, others = 0;
  for (std::size_t i = 0; small != name && i + 1 < tokens.size(); ++i) {
    keys += tokens.is(i, small) && tokens.is(i + 1, ":") ? 1 : 0;
    others += tokens.is(i, name) ? 1 : 0;
  }
  return keys > 0 && others == 1 ? small : name;
}

Declared declare(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
                 std::vector<Span>* unread) {
  if (!is_written(word) || holds_another(tokens, item.value)) return {};
  // '- thesis: 40%' and keys below it: the first one is its name
  if (item.key.empty() && item.value.empty() && !item.inside.empty() && !item.inside[0].key.empty() &&
      !is_key(item.inside[0].key) && (item.inside.size() > 1 || !item.inside[0].inside.empty())) {
    BlockItem named = item.inside[0];
    named.all = item.all;
    named.inside.insert(named.inside.end(), item.inside.begin() + 1, item.inside.end());
    return declare(tokens, word, named, indent, unread);
  }
  Facts facts;
  facts.name = word == "dimension" || word == "criterion" ? as_in_examples(tokens, item.key) : item.key;
  facts.optional = item.may_be_missing;
  // 'subdimension thesis weight 20%' within a dimension
  for (const std::string_view part :
       {"subdimension ", "sub_dimension ", "subcriterion ", "component ", "aspect ", "part "}) {
    if (word == "criterion" && facts.name.starts_with(part)) facts.name.erase(0, part.size());
  }
  // The item may be a whole declaration already: 'dimension crust weight 40%' in 'dimensions {'.
  std::size_t first = item.all.begin;
  while (first < item.all.end && among(tokens[first].shown, {"-", "*", "•"})) ++first;
  if (first < item.all.end && tokens.is(first, word)) return {raw(tokens, {first, item.all.end}), true};
  // 'metric coat weight 60%', on every line: a word for the declaration; 'weight coat 60%' is none of a dimension
  const std::size_t blank = std::min(facts.name.find(' '), facts.name.size());
  const std::string lead = facts.name.substr(0, blank);
  if (blank < facts.name.size() && among(lead, {"weight", "weights", "points"})) return {};
  const bool part = word == "dimension" || word == "criterion";
  // 'question q1 points 30', alone: a number of it
  const std::string_view rest = std::string_view(facts.name).substr(std::min(blank + 1, facts.name.size()));
  const bool numbered = rest.size() > 1 && rest.size() < 4 &&
                        std::isdigit(static_cast<unsigned char>(rest.back())) != 0 &&
                        std::isalpha(static_cast<unsigned char>(rest[0])) != 0;
  if (blank < facts.name.size() && part && (numbered || leads_lines(tokens, lead))) facts.name.erase(0, blank + 1);
  // 'long when minutes > 90': a name without a sign behind it
  Span value = item.value;
  if (word == "cap" && facts.name.find(' ') != std::string::npos)  // 'Score is capped at 60 if …'
    value = item.all, facts.name.clear();
  const bool bare_name = item.key.empty() && value.end > value.begin + 2 &&
                         tokens[value.begin].kind == Token::Kind::word && !is_reserved(tokens[value.begin].shown) &&
                         (is_condition_word(tokens[value.begin + 1].shown) || tokens.is(value.begin + 1, ","));
  if (bare_name && word != "advice" && word != "cap") facts.name = tokens[value.begin++].shown;
  const bool alone = item.key.empty() && item.inside.empty() && item.value.end == item.value.begin + 1;
  if (alone && word == "output" && tokens[item.value.begin].kind == Token::Kind::word)
    return {"output " + raw(tokens, item.value), true};
  if (alone && (word == "dimension" || word == "criterion") &&
      (tokens[item.value.begin].kind == Token::Kind::word || tokens[item.value.begin].is_text())) {
    facts.name = without_quotes(tokens, item.value.begin);
  } else {
    if (!value.empty() && !read_rest(tokens, word, value, facts)) return {};
    if (!item.inside.empty() && !read_keys(tokens, word, item, indent, facts, unread)) return {};
  }
  if (word == "cap" && facts.name.empty()) facts.name = "score";
  if ((word == "flag" || word == "output") && item.quoted && facts.name.find(' ') != std::string::npos)
    facts.label = true;
  if (word == "advice" && facts.text.empty()) facts.text = text_of(item.key);
  if (word == "gate" || word == "flag" || word == "deduction" || word == "bonus") invent_name(word, facts);
  // A name of several words is also what the declaration means.
  if (facts.text.empty() && word == "dimension" && facts.name.find(' ') != std::string::npos)
    facts.text = text_of(facts.name);
  // 'insured: true' in a list of gates: what it names has to be
  if (!item.key.empty() && (word == "gate" || word == "flag") && among(in_lower_case(facts.value), {"true", "yes"}))
    facts.value = as_name(facts.name);
  // Keys say what they hold: 'condition: …' is what has to be.
  if (word == "gate") settle_gate(item.inside.empty() ? word : std::string_view(), facts);
  return {write_facts(word, facts, indent), !facts.guessed};
}

Declared declare_change(const Tokens& tokens, Span sentence, const std::string& indent) {
  Facts facts;
  const std::string_view word = read_change(tokens, sentence, facts);
  if (word.empty()) return {};
  invent_name(word, facts);
  if (facts.text.empty()) facts.text = text_of(raw(tokens, sentence));
  return {write_facts(word, facts, indent), !facts.guessed};
}

Declared declare_statement(const Tokens& tokens, Span statement, const std::string& indent) {
  return declare_statement(tokens, statement, indent, {});
}

Declared declare_statement(const Tokens& tokens, Span statement, const std::string& indent,
                           const std::string& condition, const std::string& loop) {
  while (!statement.empty() && (tokens.is(statement.end - 1, ";") || tokens.is(statement.end - 1, ",")))
    --statement.end;
  if (statement.end < statement.begin + 2 || holds_another(tokens, statement) || is_open(tokens, statement)) return {};
  std::size_t i = statement.begin;
  if (const std::string text = required_or_incomplete(tokens, statement); !text.empty() && loop.empty())
    return {text, true};
  if (tokens.is(i, "incomplete") && loop.empty()) return declare_incomplete(tokens, statement, condition);
  if (among(tokens[i].shown, {"error", "invalid"}) && condition.empty() && loop.empty()) {
    if (const std::string text = fault_of_record(tokens, statement); !text.empty()) return {text, true};
  }
  if (in_lower_case(tokens[i].shown) == "constraint") {
    if (const std::string text = check_of_table(tokens, statement); !text.empty()) return {text, true};
  }
  if (!condition.empty() && loop.empty()) {
    if (const std::string text = under_condition(tokens, statement, condition); !text.empty()) return {text, true};
  }
  // assert end > start, "It ends too early": what the text says then is wrong with the record
  const auto of_record = [&tokens](std::size_t k) { return tokens.declaration({"input"}, tokens[k].shown) != kNone; };
  bool checks = tokens.is(i, "assert") && tokens[statement.end - 1].is_text();
  for (std::size_t k = i + 1; checks && !of_record(k); ++k) checks = k + 1 < statement.end;
  const std::string_view word = checks ? std::string_view("check") : word_of_statement(tokens[i].shown);
  if (word.empty() || tokens[i].kind != Token::Kind::word) return {};
  // 'Deductions are limited to 20 points' limits them all
  if ((word == "deduction" || word == "bonus") && among(tokens[i + 1].shown, {"are", "is", "may", "cannot"})) return {};
  ++i;
  Facts facts;
  const auto separator = [&tokens](std::size_t k) {
    return among(tokens[k].shown, {":", "=", "=>", "->", ":=", ",", "–", "—"});
  };
  // 'dimension a weight 50%' has the name 'a'
  const auto named_a = [&tokens](std::size_t k) {
    return tokens.is(k, "a") && among(tokens[k + 1].shown, {"weight", "weighs", "points", "up", "worth", "default",
                                                            "missing", "advisory", "when", "if", "=", ":"});
  };
  while (i < statement.end &&
         (separator(i) || (among(tokens[i].shown, {"a", "an", "the", "that", "of"}) && !named_a(i) &&
                           tokens.declaration({"input", "let", "dimension"}, tokens[i].shown) == kNone)))
    ++i;
  // bonus(young, 2, grade <= 3, "…"): what each argument is shows in itself
  if (tokens.is(i, "(") && tokens[i].partner == statement.end - 1 && tokens[i].begin == tokens[i - 1].end &&
      read_arguments(tokens, word, {i + 1, statement.end - 1}, facts)) {
    if (!loop.empty()) facts.loop = "for " + loop;
    if (!loop.empty() && facts.name.empty() && word != "advice") name_in_loop(word, facts);
    if (facts.name.find_first_of("{ ") != std::string::npos) facts.label = true;
    if (word == "gate" && facts.value.empty()) facts.value = std::exchange(facts.when, {});
    add_condition(word, condition, facts);
    invent_name(word, facts);
    return {write_facts(word, facts, indent), true};
  }
  // bonus (0.5): condition
  if ((word == "deduction" || word == "bonus") && tokens.is(i, "(") && tokens[i].partner == i + 2 && separator(i + 3) &&
      tokens[i + 1].kind == Token::Kind::number) {
    Span rest{i + 4, statement.end};
    facts.text = take_text(tokens, rest);
    facts.when = condition_in(tokens, rest);
    facts.value = tokens[i + 1].shown;
    if (!condition.empty() || !loop.empty()) return {};
    invent_name(word, facts);
    return {write_facts(word, facts, indent), true};
  }
  // bonus +2 for family_run when kind == "family": its name behind the amount
  if ((word == "deduction" || word == "bonus") && condition.empty() && loop.empty()) {
    std::size_t at = i + (tokens.is(i, "+") || tokens.is(i, "-") ? 1 : 0);
    const std::size_t amount = at++;
    while (at < statement.end && is_points(tokens[at].shown)) ++at;
    if (tokens[amount].kind == Token::Kind::number && among(tokens[at].shown, {"for", "as", "named"}) &&
        at + 2 < statement.end && tokens[at + 1].kind == Token::Kind::word && is_condition_word(tokens[at + 2].shown) &&
        declared_like(tokens, tokens[at + 1].shown).empty()) {
      Span rest{at + 2, statement.end};
      facts.name = tokens[at + 1].shown;
      facts.value = tokens[amount].shown;
      facts.text = take_text(tokens, rest);
      facts.when = condition_in(tokens, rest);
      return {write_facts(word, facts, indent), true};
    }
  }
  // return ratio decimals 2: a value that has a name
  if (word == "output" && condition.empty() && loop.empty() && tokens[i].kind == Token::Kind::word &&
      (i + 1 == statement.end || among(tokens[i + 1].shown, {"decimals", "digits"})) &&
      declared_like(tokens, tokens[i].shown) == tokens[i].shown)
    return {"output " + raw(tokens, {i, statement.end}), true};
  if (word == "output" && tokens[i].kind == Token::Kind::word && tokens.is(i + 1, ",")) return {};  // two outputs
  // gate can_swim swims "…": a name, and an input
  // 'gate affordable ratio may not exceed 5'
  const bool two = among(word, {"gate", "flag", "deduction", "bonus"}) && i + 1 < statement.end &&
                   tokens[i].kind == Token::Kind::word && !is_condition_word(tokens[i].shown) &&
                   !is_reserved(tokens[i].shown) && tokens[i + 1].kind == Token::Kind::word &&
                   tokens.declaration({"input", "let", "dimension"}, tokens[i + 1].shown) != kNone;
  if (two && (i + 2 == statement.end || tokens[i + 2].is_text() ||
              (!is_reserved(tokens[i].shown) && !is_condition_word(tokens[i].shown) &&
               !among(tokens[i].shown, {"no", "any", "all", "every", "the", "a", "an", "that", "each"}) &&
               declared_like(tokens, tokens[i].shown).empty())))
    facts.name = tokens[i++].shown;
  // A name, where what follows shows that it is one.
  const bool becomes = (word == "let" && among(tokens[i + 1].shown, {"be", "is", "means", "as", "equals"})) ||
                       (word == "gate" && tokens.is(i + 1, "is") &&
                        tokens.declaration({"input", "let", "dimension"}, tokens[i].shown) == kNone);
  const bool prefix = tokens[i + 1].is_text() && tokens[i + 1].begin == tokens[i].end;  // f"Fault {x}"
  const bool named = tokens[i].kind == Token::Kind::word && !is_reserved(tokens[i].shown) && i + 1 < statement.end &&
                     !prefix && !is_condition_word(tokens[i].shown) && word != "cap" && word != "advice" &&
                     word != "check";
  // deduction f.code = f.n, in a loop: a name for each
  if (!loop.empty() && among(word, {"deduction", "bonus", "flag"}) && tokens[i].kind == Token::Kind::word &&
      tokens.is(i + 1, ".") && tokens[i + 2].kind == Token::Kind::word && separator(i + 3)) {
    facts.name = "{" + std::string(tokens.text(i, i + 2)) + "}";
    facts.label = true;
    i += 3;
  }
  const std::size_t next = i + 1;
  const bool applies = becomes || separator(next) || is_condition_word(tokens[next].shown) || tokens[next].is_text() ||
                       tokens.is(next, "{") || among(tokens[next].shown, {"requires", "needs", "means"}) ||
                       (word == "gate" && among(tokens[next].shown, {"must", "should"}) &&
                        tokens.declaration({"input", "let", "dimension"}, tokens[next + 1].shown) != kNone) ||
                       (tokens.is(next + 1, "(") && tokens[next].end == tokens[next + 1].begin) ||  // late min(5, n)
                       (tokens[next].kind == Token::Kind::number && word != "gate" && word != "flag") ||
                       (tokens.is(next, "(") && tokens[next + 1].kind == Token::Kind::number && word != "gate") ||
                       ((word == "deduction" || word == "bonus") &&
                        (tokens.is(next, "+") || tokens.is(next, "-") || costs(tokens[next].shown)));
  const bool counts = (word == "dimension" || word == "criterion" || word == "input") && named;
  if (!facts.name.empty()) {
    // read already
  } else if ((named && applies) || counts) {
    facts.name = tokens[i].shown;
    i = becomes ? next + 1 : next;
  } else if (tokens[i].is_text() && (i + 1 < statement.end || !loop.empty()) && word != "advice") {
    const std::string text = without_quotes(tokens, i);
    facts.name = text.find(' ') == text.npos ? text : name_of_text(text);
    if (text.find(' ') != text.npos) facts.text = as_text(tokens[i].shown);
    if (word == "output" && text.find(' ') != text.npos) facts.name = text, facts.text.clear(), facts.label = true;
    if (!loop.empty() || text.find('{') != text.npos) facts.name = text, facts.text.clear(), facts.label = true;
    i = next;
  }
  if (const std::string text =
          word == "gate" && i > statement.begin && !denies(in_lower_case(tokens[statement.begin].shown))
              ? gate_of_input(tokens, {i, statement.end}, facts)
              : "";
      !text.empty())
    return {text, true};
  BlockItem keys;  // { 5, when: late, "Late" }
  const std::size_t brace = separator(i) ? i + 1 : i;
  const bool called = tokens.is(brace, "(") && tokens[brace + 1].kind == Token::Kind::word &&
                      among(tokens[brace + 2].shown, {":", "="});  // dimension(name: "style", weight: 40%)
  if ((tokens.is(brace, "{") || called) && tokens[brace].partner == statement.end - 1)
    keys.inside = read_block(tokens, {brace + 1, statement.end - 1});
  const Facts before = facts;
  const bool keyed = !keys.inside.empty() && (called || among(word, {"deduction", "bonus", "cap", "gate"})) &&
                     read_keys(tokens, word, keys, indent, facts);
  if (!keyed) facts = before;
  if (!keyed && !read_rest(tokens, word, {i, statement.end}, facts)) return {};
  const std::string said = in_lower_case(tokens[statement.begin].shown);
  // forbid criminal "No record", warn steep "The trail is steep", of an input that is a condition
  if (facts.value.empty() && facts.when.empty() && declared_kind(tokens, facts.name) == "bool") {
    if (denies(said)) facts.value = facts.name;
    else if (word == "flag") facts.when = facts.name;
  }
  if (word == "gate") settle_gate(said, facts);
  if (word == "check" && i < statement.end) settle_check(in_lower_case(tokens[i].shown), facts);
  if (!loop.empty()) facts.loop = "for " + loop;
  if (!loop.empty() && (word == "gate" || word == "cap")) return {};
  // In a loop each item needs a name of its own, which is in the text: 'Fault {f.code}'.
  if (!loop.empty() && facts.name.empty() && word != "advice") {
    const std::size_t open = facts.text.find('{'), close = facts.text.find('}');
    if (open == std::string::npos || close == std::string::npos || close < open) return {};
    facts.name = facts.text.substr(open, close + 1 - open);
    facts.label = true;
  }
  if (!condition.empty() && among(word, {"dimension", "criterion", "input"})) return {};
  add_condition(word, condition, facts);
  invent_name(word, facts);
  return {write_facts(word, facts, indent), !facts.guessed};
}

std::string choice_by_input(const Tokens& tokens, const std::vector<BlockItem>& items) {
  for (std::size_t i = 0; i + 1 < tokens.size() && items.size() > 1; ++i) {
    if (!tokens[i].starts || !tokens.is(i, "input") || !tokens.is(i + 3, "one") || !tokens.is(i + 5, "(") ||
        tokens[i + 5].partner == kNone)
      continue;
    std::size_t texts = 0;
    for (std::size_t k = i + 6; k < tokens[i + 5].partner; ++k) texts += tokens[k].is_text() ? 1 : 0;
    std::string text;
    for (std::size_t r = 0; r < items.size(); ++r) {
      bool found = false;
      for (std::size_t k = i + 6; k < tokens[i + 5].partner && !found; ++k)
        found = tokens[k].is_text() && without_quotes(tokens, k) == items[r].key;
      const bool number = items[r].inside.empty() && items[r].value.end == items[r].value.begin + 1 &&
                          tokens[items[r].value.begin].kind == Token::Kind::number;
      if (!found || !number) {
        text.clear();
        break;
      }
      const bool rest = r + 1 == items.size() && items.size() == texts;
      text += (r == 0 ? "" : " else ") + raw(tokens, items[r].value);
      if (!rest) text += " when " + std::string(tokens[i + 1].shown) + " == " + as_text("'" + items[r].key + "'");
    }
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace assay::mending
