// Chains of calls, as in the builder style of other languages: score.cap(3).when(late), or a whole rubric,
// rubric("x").scale(0, 10).dimension("a", weight=60). Each call begins a declaration or adds to the one before it.
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace assay::mending {
namespace {

struct Link {
  std::string name;  // in lower case, without 'add' or 'with' before it
  std::string_view written;
  bool call = false;
  Span inside;  // of the parentheses
};

// addDimension, with_gate: the word behind the verb.
std::string without_verb(std::string_view written) {
  const std::string small = in_lower_case(written);
  for (const std::string_view verb : {"add", "with", "set", "define", "declare"}) {
    if (small.size() <= verb.size() || !small.starts_with(verb)) continue;
    const bool joined = std::isupper(static_cast<unsigned char>(written[verb.size()])) != 0;
    if (joined) return small.substr(verb.size());
    if (small[verb.size()] == '_') return small.substr(verb.size() + 1);
  }
  return small;
}

// What a link says about the declaration before it, by the name of the part; empty: it is none of these.
std::string_view clause_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 43> kClauses = {{
      {"weight", "weight"},
      {"weighted", "weight"},
      {"points", "points"},
      {"when", "when"},
      {"if", "when"},
      {"where", "when"},
      {"only_if", "when"},
      {"onlyif", "when"},
      {"condition", "when"},
      {"unless", "unless"},
      {"because", "text"},
      {"reason", "text"},
      {"text", "text"},
      {"describe", "text"},
      {"description", "text"},
      {"describedas", "text"},
      {"label", "text"},
      {"message", "text"},
      {"prose", "text"},
      {"says", "text"},
      {"saying", "text"},
      {"default", "default"},
      {"optional", "optional"},
      {"missing", "missing"},
      {"if_missing", "missing"},
      {"ifmissing", "missing"},
      {"at", "value"},
      {"to", "value"},
      {"by", "value"},
      {"equals", "value"},
      {"formula", "value"},
      {"value", "value"},
      {"amount", "value"},
      {"requires", "value"},
      {"is", "value"},
      {"type", "type"},
      {"min", "low"},
      {"max", "high"},
      {"between", "range"},
      {"range", "range"},
      {"named", "name"},
      {"name", "name"},
      {"advisory", "advisory"},
  }};
  const auto* found = std::find_if(kClauses.begin(), kClauses.end(), [name](const auto& p) { return p.first == name; });
  return found == kClauses.end() ? std::string_view() : found->second;
}

class Chain {
 public:
  Chain(const Tokens& tokens, const KnownNames& names) : tokens_(tokens), names_(names) {}

  // Reads the chain that begins at this token; false: there is none. `i` goes on behind it.
  bool read(std::size_t& i);
  // Its declarations; false: a link has no form.
  bool declare_all(const std::string& indent, std::vector<std::string>& out);
  // Several links, or a verb, add_gate(…), which no declaration begins with.
  bool several() const { return links_.size() > 1 || links_[0].name != in_lower_case(links_[0].written); }
  std::string rubric;  // what a link 'rubric' says; empty: none

 private:
  bool open(const Link& link, std::string_view word);
  bool close(std::vector<std::string>& out);
  bool clause(std::string_view part, Span value);
  void argument(Span value, bool first);
  bool arguments(Span inside, int deep = 0);
  bool whole(const Link& link, std::vector<std::string>& out);
  std::string expression(Span span) const;

  const Tokens& tokens_;
  const KnownNames& names_;
  std::vector<Link> links_;
  std::string_view word_;  // of the declaration that is open
  Facts facts_;
  std::string when_;  // said before there is a declaration
  std::string indent_;
};

bool Chain::read(std::size_t& i) {
  std::size_t at = i;
  const bool round = tokens_.is(at, "(") && tokens_[at].partner != kNone;
  if (round) ++at;
  if (among(tokens_[at].shown, {"let", "const", "var", "return"})) ++at;
  if (tokens_[at].kind == Token::Kind::word && tokens_.is(at + 1, "=")) at += 2;
  if (tokens_.is(at, "new")) ++at;
  for (bool more = true; more && tokens_[at].kind == Token::Kind::word;) {
    Link link{without_verb(tokens_[at].shown), tokens_[at].shown, false, {}};
    if (tokens_.is(at + 1, "(") && tokens_[at + 1].partner != kNone) {
      link.call = true;
      link.inside = {at + 2, tokens_[at + 1].partner};
      at = tokens_[at + 1].partner;
    }
    links_.push_back(std::move(link));
    ++at;
    if (tokens_.is(at, "\\")) ++at;
    more = tokens_.is(at, ".") && links_.size() < 200;
    if (more) ++at;
  }
  if (round && tokens_.is(at, ")")) ++at;
  if (tokens_.is(at, ";")) ++at;
  const bool calls = std::any_of(links_.begin(), links_.end(), [](const Link& l) { return l.call; });
  const bool ends = tokens_[at].first || tokens_.is(at, "}") || tokens_[at].kind == Token::Kind::end;
  i = at;
  return calls && ends;
}

// A value or condition in the notation of Assay: also of a function of the record, r => r.late > 3, and in quotation
// marks.
std::string Chain::expression(Span span) const {
  std::string_view of;
  if (tokens_.is(span.begin, "lambda") && tokens_.is(span.begin + 2, ":"))
    of = tokens_[span.begin + 1].shown, span.begin += 3;
  else if (tokens_.is(span.begin + 1, "=>") || tokens_.is(span.begin + 1, "->"))
    of = tokens_[span.begin].shown, span.begin += 2;
  std::string written = raw(tokens_, span);
  if (!of.empty()) {
    written.clear();
    for (std::size_t k = span.begin; k < span.end; ++k) {
      if (tokens_.is(k, of) && tokens_.is(k + 1, ".")) {
        ++k;
        continue;
      }
      if (!written.empty() && tokens_[k].begin > tokens_[k - 1].end) written += ' ';
      written += tokens_[k].shown;
    }
  } else if (span.end == span.begin + 1 && tokens_[span.begin].is_text()) {
    written = without_quotes(tokens_, span.begin);
  }
  const Tokens own(written);
  Reader reader(own, names_, 0, own.size() - 1);
  const Expr e = reader.expression();
  return reader.failed() || reader.at() + 1 < own.size() ? plain_condition(written) : write(e);
}

// A part of the open declaration, by its name.
bool Chain::clause(std::string_view part, Span value) {
  if (bracketed(tokens_, value, "(")) value = {value.begin + 1, value.end - 1};  // range=(0, 50)
  std::string written = raw(tokens_, value);
  bool number = value.end > value.begin && tokens_[value.end - 1].kind == Token::Kind::number;
  if (part == "weight" && written.ends_with("%\"")) written = without_quotes(tokens_, value.begin), number = true;
  const bool adjusts = word_ == "deduction" || word_ == "bonus";
  if (part == "optional" || part == "advisory") {
    (part == "optional" ? facts_.optional : facts_.advisory) = written != "false" && written != "False";
    return true;
  }
  if (value.empty()) return false;
  if (part == "weight" && number) facts_.weight = written;
  else if ((part == "points" || (part == "high" && word_ == "dimension")) && number)
    (adjusts ? facts_.value : facts_.points) = written;
  else if (part == "when" || part == "unless") {
    const std::string condition = expression(value);
    std::string& when = word_ == "gate" ? facts_.value : facts_.when;
    const std::string said = part == "when" ? condition : negated_text(condition);
    when = when.empty() ? said : "(" + when + ") and (" + said + ")";
  } else if (part == "text" && tokens_[value.begin].is_text() && value.end == value.begin + 1) {
    facts_.text = as_text(tokens_[value.begin].shown);
  } else if (part == "default") {
    (word_ == "dimension" ? facts_.missing : facts_.fallback) = expression(value);
  } else if (part == "missing") {
    facts_.missing = without_quotes(tokens_, value.begin);
  } else if (part == "value") {
    facts_.value = expression(value);
  } else if (part == "type") {
    facts_.type = tokens_[value.begin].is_text() ? without_quotes(tokens_, value.begin) : written;
  } else if (part == "low" || part == "high") {
    (part == "low" ? facts_.low : facts_.high) = written;
  } else if (part == "range" && value.end == value.begin + 3 && tokens_.is(value.begin + 1, ",")) {
    facts_.low = tokens_[value.begin].shown, facts_.high = tokens_[value.begin + 2].shown;
  } else if (part == "name") {
    facts_.name = without_quotes(tokens_, value.begin);
  } else {
    return false;
  }
  return true;
}

// An argument without a name, by what it is.
void Chain::argument(Span value, bool first) {
  const bool alone = value.end == value.begin + 1;
  const bool number = tokens_[value.end - 1].kind == Token::Kind::number && value.end <= value.begin + 2;
  const std::string written = alone ? without_quotes(tokens_, value.begin) : raw(tokens_, value);
  const bool text = alone && tokens_[value.begin].is_text();
  const bool name = alone && (tokens_[value.begin].kind == Token::Kind::word || text);
  const bool signs = text && written.find_first_of("<>=") != written.npos;
  if (first && name && !signs && word_ != "advice" && word_ != "incomplete") {
    const bool prose = text && written.find(' ') != written.npos && word_ != "cap";
    if (prose) facts_.text = as_text(tokens_[value.begin].shown);
    facts_.name = prose ? name_of_text(written) : written;
    return;
  }
  std::string_view part = "when";
  if (word_ == "input" && facts_.type.empty()) part = "type";
  else if (number && word_ == "dimension") part = "weight";
  else if (number && among(word_, {"cap", "deduction", "bonus"})) part = "value";
  else if (text && !signs) part = "text";
  else if (among(word_, {"output", "let", "gate", "dimension"})) part = "value";
  clause(part, value);
}

bool Chain::arguments(Span inside, int deep) {
  constexpr int kDeepest = 3;  // objects in objects
  if (deep > kDeepest) return false;
  if (bracketed(tokens_, inside, "{")) inside = {inside.begin + 1, inside.end - 1};
  bool first = true;
  for (std::size_t from = inside.begin; from < inside.end; first = false) {
    std::size_t to = from;
    while (to < inside.end && !tokens_.is(to, ",")) to = std::min(tokens_.behind(to), inside.end);
    const Span one{from, to};
    from = to + 1;
    if (one.empty()) continue;
    const bool keyed = one.end > one.begin + 2 && (tokens_.is(one.begin + 1, "=") || tokens_.is(one.begin + 1, ":"));
    if (bracketed(tokens_, one, "{")) {
      if (!arguments(one, deep + 1)) return false;
    } else if (keyed) {
      const std::string key = in_lower_case(without_quotes(tokens_, one.begin));
      const std::string_view part = clause_of(key);
      if (part.empty() || !clause(part, {one.begin + 2, one.end})) return false;
    } else {
      argument(one, first);
    }
  }
  return true;
}

bool Chain::open(const Link& link, std::string_view word) {
  word_ = word;
  if (!when_.empty()) (word == "gate" ? facts_.value : facts_.when) = std::exchange(when_, {});
  return !link.call || arguments(link.inside);
}

bool Chain::close(std::vector<std::string>& out) {
  if (word_.empty()) return true;
  const std::string_view word = std::exchange(word_, {});
  Facts facts = std::exchange(facts_, {});
  if (word == "incomplete") {
    if (facts.when.empty()) return false;
    out.push_back("incomplete when " + facts.when + " " + (facts.text.empty() ? text_of(facts.when) : facts.text));
    return true;
  }
  if (word == "cap" && facts.name.empty()) facts.name = "score";
  out.push_back(written_declaration(word, std::move(facts), indent_));
  return !out.back().empty();
}

// A link that is a declaration by itself.
bool Chain::whole(const Link& link, std::vector<std::string>& out) {
  std::string text;
  if (link.name == "scale") text = scale_of(tokens_, link.inside);
  else if (link.name == "version") text = "version " + text_of(raw(tokens_, link.inside));
  else if (bool certain = true; among(link.name, {"rank", "rankby", "rank_by", "orderby", "order_by", "sort"}))
    text = ranking_of(tokens_, link.inside, certain), text = text.empty() ? text : "rank by " + text;
  if (text.empty()) return false;
  out.push_back(std::move(text));
  return true;
}

bool Chain::declare_all(const std::string& indent, std::vector<std::string>& out) {
  indent_ = indent;
  std::string_view subject;  // score.cap(3)
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    const std::string_view part = clause_of(link.name);
    const std::string_view word = link.name == "incomplete" ? "incomplete" : word_of_statement(link.name);
    if (among(link.name, {"build", "done", "end", "create", "compile"}) && i > 0) continue;
    if (link.call && i == 0 && among(link.name, {"rubric", "scorecard"})) {
      const bool named = !link.inside.empty() && tokens_[link.inside.begin].value();
      rubric = named ? without_quotes(tokens_, link.inside.begin) : std::string();
      if (rubric.empty()) return false;
      const std::size_t more = link.inside.begin + 1;
      if (tokens_.is(more + 1, "scale")) out.push_back(scale_of(tokens_, {more + 3, link.inside.end}));
      if (more < link.inside.end && (out.empty() || out.back().empty())) return false;
    } else if (!word_.empty() && !part.empty()) {
      if (!clause(part, link.inside)) return false;
    } else if (part == "when" || part == "unless") {
      when_ = part == "when" ? expression(link.inside) : negated_text(expression(link.inside));
    } else if (!link.call && i == 0 && word.empty()) {
      subject = link.written;
    } else if (!subject.empty() && (part == "weight" || part == "points")) {
      word_ = "dimension";
      facts_.name = subject;
      if (!clause(part, link.inside)) return false;
    } else if (!word_.empty() && !links_[i - 1].call && i == 1) {  // flag.late.when(…)
      facts_.name = link.written;
      if (link.call && !arguments(link.inside)) return false;
    } else if (!word.empty()) {
      if (!close(out) || !open(link, word)) return false;
      const bool limited = word == "cap" && facts_.name.empty() && !subject.empty();
      if (limited && !among(in_lower_case(subject), {"rubric", "r", "builder", "self", "this", "card"}))
        facts_.name = subject;
    } else if (!close(out) || !whole(link, out)) {
      return false;
    }
  }
  return close(out);
}

}  // namespace

void chains(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code.substr(0, 3) != "E01" && window.problem.code != "E0302") return;
  std::size_t begin = line_first(tokens, window.at);
  while (begin > 0 && tokens.is(begin, ".")) begin = line_first(tokens, begin - 1);
  const KnownNames names(tokens);
  const std::string indent = indent_before(tokens, begin);
  std::vector<std::string> all;
  std::string rubric;
  bool several = false;
  std::size_t at = begin, end = begin;
  for (std::size_t lines = 0; lines < 200 && at + 1 < tokens.size(); ++lines) {
    Chain chain(tokens, names);
    std::vector<std::string> some;
    if (!chain.read(at) || !chain.declare_all(indent + "  ", some)) break;
    if (rubric.empty()) rubric = chain.rubric;
    several = several || chain.several();
    all.insert(all.end(), some.begin(), some.end());
    end = at;
  }
  if (all.empty() || !several || end == begin) return;
  std::string text;
  for (const std::string& one : all)
    text += (text.empty() && rubric.empty() ? "" : "\n" + indent + (rubric.empty() ? "" : "  ")) + one;
  if (!rubric.empty()) {
    const bool name = rubric.find(' ') == rubric.npos;
    text = "rubric " + name_of_text(rubric) + (name ? "" : " " + text_of("'" + rubric + "'")) + " {" + text + "\n" +
           indent + "}";
  }
  out.add(tokens[begin].begin, tokens[end - 1].end, text, true);
}

}  // namespace assay::mending
