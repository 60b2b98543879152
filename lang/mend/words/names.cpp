// Names that the language does not allow, and what problems with names can be answered by: a field without the loop it
// belongs to, a word without its quotation marks, a value that is shown under its own name.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

bool is_kind(std::string_view word) {
  return among(in_lower_case(word),
               {"whole", "number", "text", "bool", "list", "integer", "int", "float", "decimal", "string", "boolean"});
}

bool stands_in(const Tokens& tokens, std::string_view name) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens.is(i, name)) return true;
  }
  return false;
}

}  // namespace

// Names with characters that the language does not allow, everywhere: 'code-quality' → code_quality.
void names(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    if (tokens[i].kind != Token::Kind::word || !tokens.is(i + 1, "-") || tokens[i].end != tokens[i + 1].begin ||
        tokens[i + 1].end != tokens[i + 2].begin || tokens[i + 2].kind != Token::Kind::word)
      continue;
    std::size_t last = i + 2;
    while (tokens.is(last + 1, "-") && tokens[last + 1].begin == tokens[last].end &&
           tokens[last + 2].kind == Token::Kind::word && tokens[last + 2].begin == tokens[last + 1].end)
      last += 2;
    const std::string_view name = tokens.text(i, last);
    std::vector<Edit> edits;
    for (std::size_t at = tokens.text().find(name); at != std::string_view::npos;
         at = tokens.text().find(name, at + 1)) {
      std::string better(name);
      for (char& c : better) c = c == '-' ? '_' : c;
      edits.push_back(out.edit(at, at + name.size(), std::move(better)));
      if (edits.size() > 500) break;
    }
    out.add(std::move(edits), true);
  }
  // docs.pages, declared as one name: docs_pages; 1st_try: _1st_try
  static constexpr std::string_view kDeclares[] = {"rubric", "dimension", "criterion", "input", "let",  "output",
                                                   "gate",   "deduction", "bonus",     "flag",  "type", "cap"};
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    const bool declares = std::find(std::begin(kDeclares), std::end(kDeclares), tokens[i].shown) != std::end(kDeclares);
    if (!tokens[i].first || !declares) continue;
    std::size_t last = i + 1;
    const auto joins = [&](std::size_t k) {
      const bool sign =
          tokens.is(k, ".") || tokens.is(k, "/") || tokens.is(k, "::") || tokens.is(k, "&") || tokens.is(k, "-");
      return sign && tokens[k].begin == tokens[k - 1].end && tokens[k + 1].begin == tokens[k].end &&
             (tokens[k + 1].kind == Token::Kind::word || tokens[k + 1].kind == Token::Kind::number);
    };
    while (last + 2 < window.end && joins(last + 1)) last += 2;
    const bool digit = tokens[last].kind == Token::Kind::number && last == i + 1 &&
                       tokens[last].shown.find_first_not_of("0123456789.%") != std::string_view::npos;
    // 'deduction issue.title = 1': the name of each is a text
    const bool of_item = tokens.is(i, "deduction") || tokens.is(i, "bonus") || tokens.is(i, "flag");
    if ((last == i + 1 && !digit) || (of_item && tokens.is(i + 2, "."))) continue;
    const std::string_view name = tokens.text(i + 1, last);
    std::vector<Edit> edits;
    for (std::size_t at = tokens.text().find(name); at != std::string_view::npos && edits.size() < 500;
         at = tokens.text().find(name, at + name.size())) {
      const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      const bool within = (at > 0 && part(tokens.text()[at - 1])) ||
                          (at + name.size() < tokens.text().size() && part(tokens.text()[at + name.size()]));
      if (within) continue;
      std::string better = digit ? "_" : "";
      for (const char c : name) better += part(c) ? c : better.empty() || better.back() == '_' ? '\0' : '_';
      better.erase(std::remove(better.begin(), better.end(), '\0'), better.end());
      edits.push_back(out.edit(at, at + name.size(), std::move(better)));
    }
    out.add(std::move(edits), true);
  }
  // A name of two words, everywhere: 'dimension code quality' → code_quality.
  if (window.problem.code.substr(0, 3) != "E01") return;
  static constexpr std::string_view kNamed[] = {"rubric", "dimension", "criterion", "input",  "let",
                                                "output", "gate",      "deduction", "bonus",  "flag",
                                                "type",   "bands",     "table",     "context"};
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    const auto plain = [&](std::size_t k) {
      static constexpr std::string_view kNoNames[] = {"extends", "from",     "by",       "at",     "on",     "within",
                                                      "missing", "optional", "required", "weight", "points", "advisory",
                                                      "if",      "unless",   "requires", "needs",  "judged", "as"};
      const bool clause = std::find(std::begin(kNoNames), std::end(kNoNames), tokens[k].shown) != std::end(kNoNames);
      const bool ends_name = clause && tokens[k + 1].kind != Token::Kind::number;
      return tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) && !tokens[k].first && !ends_name;
    };
    if (std::find(std::begin(kNamed), std::end(kNamed), tokens[i].shown) == std::end(kNamed) || !tokens[i].first)
      continue;
    std::size_t last = i + 1;
    while (plain(last + 1) && last < i + 5) ++last;
    const std::string_view behind = tokens[last + 1].shown;
    const bool ends = behind == "=" || behind == ":" || behind == "{" || behind == "when" || behind == "(" ||
                      behind == "~" || tokens[last + 1].kind == Token::Kind::text ||
                      tokens[last + 1].kind == Token::Kind::number;
    const bool calls =
        behind == "(" && among(tokens[last].shown, {"min", "max", "clamp", "round", "sum", "count", "mean"});
    bool typed = is_kind(tokens[i + 1].shown) && among(tokens[i].shown, {"let", "output"});
    for (std::size_t k = i + 2; k <= last; ++k)  // input age whole NOT NULL CHECK (…)
      typed = typed || is_kind(tokens[k].shown);
    if (!plain(i + 1) || last < i + 2 || !ends || calls || (typed && tokens.is(i, "input"))) continue;
    // A number follows the word that ends the name, 'weight' or what is meant by it.
    if (tokens[last + 1].kind == Token::Kind::number) {
      if (tokens[i].shown != "dimension" && tokens[i].shown != "criterion") continue;
      --last;
    }
    if (last < i + 2) continue;
    // input a b: number, where each is used by itself: a comma is missing
    const auto alone = [&](std::string_view one) {
      for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool other = k < i || k > last;
        const auto apart = [&tokens](std::size_t t) { return tokens[t].first || tokens[t].kind != Token::Kind::word; };
        if (other && tokens.is(k, one) && (tokens[k].first || apart(k - 1)) && apart(k + 1)) return true;
      }
      return false;
    };
    if (typed && last == i + 2 && among(tokens[i].shown, {"let", "output"})) {  // let number z = x, let z number = x
      const bool before = is_kind(tokens[i + 1].shown) &&
                          !stands_in(tokens, std::string(tokens[i + 1].shown) + "_" + std::string(tokens[last].shown));
      if (before) out.add(tokens[i + 1].begin, tokens[last].begin, "", true);
      else if (alone(tokens[i + 1].shown)) out.add(tokens[i + 1].end, tokens[last].end, "", true);
      if (before || alone(tokens[i + 1].shown)) continue;
    }
    if (tokens.is(i, "input") && last == i + 2 && alone(tokens[i + 1].shown) && alone(tokens[i + 2].shown)) {
      out.add(tokens[i + 1].end, tokens[i + 1].end, ",", true);
      continue;
    }
    // dimension question of weight 30%: no name ends so
    const std::size_t all = last;
    while (last > i + 1 && among(tokens[last].shown, {"of", "the", "a", "an", "with", "has", "have", "having", "is",
                                                      "are", "for", "to", "in", "and", "which", "that"}))
      --last;
    if (last == i + 1) {
      out.add(tokens[last].end, tokens[all].end, "", true);
      continue;
    }
    std::string name;
    for (std::size_t k = i + 1; k <= last; ++k) name += (name.empty() ? "" : "_") + std::string(tokens[k].shown);
    std::vector<Edit> edits;
    for (std::size_t k = 0; k + (last - i) <= tokens.size() && edits.size() < 500; ++k) {
      bool same = true;
      for (std::size_t j = 0; same && j <= last - i - 1; ++j) same = tokens[k + j].shown == tokens[i + 1 + j].shown;
      if (same) edits.push_back(out.edit(tokens[k].begin, tokens[k == i + 1 ? all : k + last - i - 1].end, name));
    }
    out.add(std::move(edits), true);
  }
}

// deduction 0.5 for each flag in flags "Red flag: {flag}": one for each of them, with the name that its text shows. Of a
// list the same name could stand twice, and count once.
void named_by_their_text(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code != "E0101") return;
  const KnownNames known(tokens);
  for (std::size_t i = window.begin; i + 3 < window.end; ++i) {
    if (!tokens[i].first || !among(tokens[i].shown, {"deduction", "bonus"}) ||
        tokens[i + 1].kind != Token::Kind::number)
      continue;
    std::size_t noun = i + 2;
    while (among(tokens[noun].shown, {"points", "for", "each", "every", "per"}) && !tokens[noun].first) ++noun;
    const std::size_t list = noun + 2;
    if (noun == i + 2 || !tokens.is(noun + 1, "in") || !known.has_items(tokens[list].shown) ||
        !tokens[list + 1].is_text())
      continue;
    const std::string_view text = tokens[list + 1].shown;
    const std::string item(tokens[noun].shown);
    const std::size_t at = text.find("{" + item), close = std::min(text.find('}', at), text.size());
    const std::string_view place = at < close ? text.substr(at + 1, close - at - 1) : std::string_view();
    if (place != item && !place.starts_with(item + ".")) continue;
    const std::size_t input = tokens.declaration({"input"}, tokens[list].shown);
    bool set = false;
    for (std::size_t k = input; input != kNone && k < tokens.size() && k < input + 40 && !set; ++k)
      set = tokens.is(k, ":") && tokens.is(k + 1, "set");
    out.add(tokens[i + 1].begin, tokens[list].end,
            "\"{" + std::string(place) + "}\" = " + std::string(tokens[i + 1].shown) + " for " + item + " in " +
                std::string(tokens[list].shown),
            set);
  }
}

namespace {

// mean(stars for r in reviews): a field of what the loop goes over.
void fields_of_loops(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view name = tokens[window.at].shown;
  const KnownNames known(tokens);
  if (!known.is_field(name)) return;
  for (std::size_t open = window.begin; open < window.end; ++open) {
    if ((!tokens.is(open, "(") && !tokens.is(open, "[")) || tokens[open].partner == kNone) continue;
    std::string_view variable;
    for (std::size_t k = open + 1; k < tokens[open].partner; k = tokens.behind(k)) {
      if (tokens.is(k, "for") && tokens.is(k + 2, "in")) variable = tokens[k + 1].shown;
    }
    std::vector<Edit> edits;
    for (std::size_t k = open + 1; k < tokens[open].partner && !variable.empty(); ++k) {
      if (tokens.is(k, name) && !tokens.is(k - 1, ".") && !tokens.is(k - 1, "in"))
        edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, std::string(variable) + "."));
    }
    out.add(std::move(edits), true);
  }
}

// deduction "slow {tool}" = 1 for each step when seconds > 60: a loop over steps, and fields of its items.
void loops_in_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    if (!tokens.is(i, "for") && !tokens.is(i, "per")) continue;
    // An amount of one name counts once, however many items there are: it is a multiple instead.
    std::size_t head = i;
    while (head > 0 && !tokens[head].starts) --head;
    const bool once =
        among(tokens[head].shown, {"deduction", "bonus"}) && tokens[head + 1].shown.find('{') == std::string_view::npos;
    if (once && !tokens.is(i + 2, "in")) continue;
    std::size_t noun = i + 1;
    while (among(tokens[noun].shown, {"each", "every", "all", "the"})) ++noun;
    for (const auto& [list, fields] : known.fields) {
      const bool item = tokens.is(noun, list) || KnownNames::singular(tokens[noun].shown, list);
      if (!item || tokens.is(noun + 1, "in") || tokens.is(noun + 1, ".")) continue;
      const Token& next = tokens[noun + 1];
      const bool named =
          next.kind == Token::Kind::word && !next.first && !is_reserved(next.shown) && next.shown != "if";
      const std::string variable(named ? next.shown : tokens.is(noun, list) ? "x" : tokens[noun].shown);
      std::size_t begin = i, end = noun + (named ? 2 : 1);
      std::vector<Edit> edits{
          out.edit(tokens[i].begin, tokens[end - 1].end, "for " + variable + " in " + std::string(list))};
      while (begin > window.begin && !tokens[begin].starts) --begin;
      while (end < window.end && !tokens[end].starts) ++end;
      for (std::size_t k = begin + 1; k < end; ++k) {
        const bool of_item = known.has_field(list, tokens[k].shown) && !tokens.is(k - 1, ".") && (k < i || k > noun);
        if (of_item) edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, variable + "."));
        if (tokens[k].kind != Token::Kind::text) continue;
        for (const std::string_view field : fields) {
          const std::size_t at = tokens[k].shown.find("{" + std::string(field));
          if (at == std::string_view::npos) continue;
          const std::size_t inside = tokens[k].begin + at + 1;
          edits.push_back(out.edit(inside, inside, variable + "."));
        }
      }
      out.add(std::move(edits), true);
      break;
    }
  }
}

// dimension clarity weight 60% = clarity * 10: the input of that name, or what another dimension reads from the record
void inputs_of_same_name(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  const std::string_view name = tokens[window.at].shown;
  const std::size_t judged = tokens.declaration({"dimension", "criterion"}, name);
  const bool other = judged != kNone && (judged < window.begin || judged >= window.end);
  if (!other && tokens.declaration({"input"}, name) == kNone) return;
  for (std::size_t k = window.at + 1; k < window.end; ++k) {
    if (tokens.is(k, tokens[window.at].shown) && !tokens.is(k - 1, ".") && !tokens.is(k + 1, ":"))
      edits.push_back(out.edit(tokens[k].begin, tokens[k].begin, "input."));
  }
  out.add(std::move(edits), true);
}

// A name that nothing declares, as a text.
void unquoted_words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  const std::string name(tokens[i].shown), text_of = "\"" + name + "\"";
  if (tokens.declaration({"deduction", "bonus"}, name) != kNone) {
    const std::string all = tokens.declaration({"deduction"}, name) != kNone ? "deductions" : "bonuses";
    return out.add(tokens[i].begin, tokens[i].end, "sum(x.amount for x in " + all + " when x.name == " + text_of + ")",
                   true);
  }
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].shown != text_of) continue;
    out.add(tokens[i].begin, tokens[i].end, text_of, true);
    break;
  }
  if (i > 4 && tokens.is(i - 1, "default") && tokens.is(i - 2, "text"))  // input season: text default summer
    out.add(tokens[i].begin, tokens[i].end, text_of, true);
  if (among(name, {"eligible", "ineligible"}))  // gate ok = eligible
    out.add(tokens[i].begin, tokens[i].end, "status == " + text_of, true);
  if (is_score(name) && name != "score") {
    bool scale = false;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) scale = scale || (tokens[k].starts && tokens.is(k, "scale"));
    if (scale) out.add(tokens[i].begin, tokens[i].end, "score", true);
  }
  const bool compared = i > 0 && (tokens.is(i - 1, "==") || tokens.is(i - 1, "!="));
  if (compared) out.add(tokens[i].begin, tokens[i].end, text_of, false);
  // accept when score >= 60 else refuse: words that nothing declares, as results
  const KnownNames known(tokens);
  const auto result = [&](std::size_t k) {
    return tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) && !known.declares(tokens[k].shown) &&
           !tokens.is(k + 1, "(") && !tokens.is(k + 1, ".") &&
           (tokens.is(k + 1, "when") || (k > 0 && tokens.is(k - 1, "else")));
  };
  std::vector<Edit> edits;
  for (std::size_t k = window.begin; k < window.end && result(i); ++k) {
    if (result(k))
      edits.push_back(out.edit(tokens[k].begin, tokens[k].end, "\"" + std::string(tokens[k].shown) + "\""));
  }
  if (edits.size() > 1) out.add(std::move(edits), true);
}

// Whether two names share a word: slow_steps, slow.
bool says_same(std::string_view name, std::string_view other) {
  for (std::size_t at = 0, end = 0; at < name.size(); at = end + 1) {
    end = std::min(name.find('_', at), name.size());
    if (end - at > 2 && other.find(name.substr(at, end - at)) != other.npos) return true;
  }
  return false;
}

// cap member at 30, of a gate or a flag: where it fails, or is raised; cap late_work at 5 when …: a name of its own, as gates have.
void cap_of_another(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  const std::string name(tokens[i].shown);
  if (tokens.declaration({"dimension", "criterion", "let", "input"}, name) != kNone) return;
  bool conditional = false, named = false;  // named: after what its condition says
  for (std::size_t k = i + 1; k < window.end && !tokens[k].starts; ++k) {
    conditional = conditional || among(tokens[k].shown, {"when", "if", "unless"});
    named = named || (conditional && tokens[k].kind == Token::Kind::word && says_same(name, tokens[k].shown));
  }
  const std::size_t gate = tokens.declaration({"gate"}, name), flag = tokens.declaration({"flag"}, name);
  const std::size_t behind = tokens.is(i + 1, "at") ? tokens.operand(i + 2) : i + 1;
  if (gate != kNone || flag != kNone) {
    const std::size_t begin = (gate == kNone ? flag : gate) + 3;
    std::size_t end = begin;
    while (end + 1 < tokens.size() && !tokens[end].starts && !tokens[end].first && !tokens.closes(end) &&
           !(tokens[end].is_text() && tokens.ends_value(end - 1)))
      end = tokens.behind(end);
    if (!tokens.is(begin - 1, gate == kNone ? "when" : "=") || end == begin) return;
    std::string when(tokens.text(begin, end - 1));
    if (gate != kNone) when = negated_text(when);
    if (!conditional && behind > i + 2)
      out.add({out.edit(tokens[i].begin, tokens[i].end, "score"),
               out.edit(tokens[behind - 1].end, tokens[behind - 1].end, " when " + when)},
              true);
    return;
  }
  std::vector<std::string_view> dimensions;  // of which it may be one with another letter
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (tokens[k].starts && among(tokens[k].shown, {"dimension", "criterion"}))
      dimensions.push_back(tokens[k + 1].shown);
  }
  const bool grade = tokens.is(i + 1, "at") && tokens[i + 2].is_text();  // which needs bands
  if (conditional && !grade && nearest(name, dimensions).empty())
    out.add(tokens[i].begin, tokens[i].end, "score", named);
}

}  // namespace

void problems_of_names(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string& code = window.problem.code;
  const std::size_t i = window.at;
  if (code == "E0211" && tokens[i].is_text()) {  // "d" for the band "D"
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
      const bool same = tokens[k].is_text() && tokens[k].shown != tokens[i].shown && tokens.is(k - 1, "|") &&
                        in_lower_case(tokens[k].shown) == in_lower_case(tokens[i].shown);
      if (same) out.add(tokens[i].begin, tokens[i].end, std::string(tokens[k].shown), true);
    }
  }
  if (tokens[i].kind != Token::Kind::word) return;
  if (code == "E0310" && window.problem.message.str().starts_with("the verdict has no ")) {  // it is a 'let'
    const std::size_t let = tokens.declaration({"let"}, tokens[i].shown), cohort = tokens.declaration({"cohort"}, "{");
    if (let != kNone && (cohort == kNone || let < cohort || let > tokens[cohort + 1].partner))
      out.add(tokens[let].begin, tokens[let].end, "output", true);
  }
  if (i > 0 && tokens[i - 1].kind == Token::Kind::word && code == "E0101") {  // kind == red rose, of "red rose"
    const std::string quoted = "\"" + std::string(tokens.text(i - 1, i)) + "\"";
    if (tokens.text().find(quoted) != std::string_view::npos) out.add(tokens[i - 1].begin, tokens[i].end, quoted, true);
  }
  if (code == "E0211" && i > 0 && tokens.is(i - 1, "cap")) cap_of_another(window, out);
  if (code == "E0211" && is_score(tokens[i].shown)) out.add(tokens[i].begin, tokens[i].end, "score", true);
  // A key of the record or of the verdict keeps its name, in quotes.
  const bool key = i > 0 && (tokens.is(i - 1, "input") || tokens.is(i - 1, "output") ||
                             (tokens.is(i + 1, ":") && (tokens.is(i - 1, "{") || tokens.is(i - 1, ","))));
  const bool field = code == "E0101" && is_reserved(tokens[i].shown) && key && !tokens.is(i - 1, "input");
  if ((code == "E0108" && key) || field) out.add(tokens[i].begin, tokens[i].end, as_text(tokens[i].shown), true);
  if (code == "E0102" && is_reserved(tokens[i].shown)) {
    const std::string quoted = as_text(tokens[i].shown);
    if (tokens.declaration({"input"}, quoted) != kNone)
      out.add(tokens[i].begin, tokens[i].end, "input[" + quoted + "]", true);
  }
  if (code == "E0108") {  // as a name, where it cannot be anything else
    std::vector<Edit> edits;
    for (std::size_t k = 1; k < tokens.size() && edits.size() < 500; ++k) {
      const bool names = k == i || ((!tokens.ends_value(k - 1) || is_reserved(tokens[k - 1].shown)) &&
                                    !tokens.is(k - 1, "is") && !tokens.is(k - 1, "not"));
      if (tokens.is(k, tokens[i].shown) && names) edits.push_back(out.edit(tokens[k].end, tokens[k].end, "_value"));
    }
    out.add(std::move(edits), false);
  }
  if (code == "E0306" && i > 0 && tokens.is(i - 1, "output") && tokens.is(i + 1, "=")) {  // output x = x
    const bool rounds = tokens.is(i + 2, "round") && tokens.is(i + 4, tokens[i].shown) && tokens.is(i + 5, ",");
    if (rounds && tokens[i + 3].partner == i + 7)
      out.add(tokens[i].end, tokens[i + 7].end, " decimals " + std::string(tokens[i + 6].shown), true);
    else if (tokens.is(i + 2, tokens[i].shown) && (tokens[i + 3].first || tokens[i + 3].is_text()))
      out.add(tokens[i].end, tokens[i + 2].end, "", true);
  }
  if (code == "E0304" && tokens[i].kind == Token::Kind::word && tokens[i].shown.back() == 's') {  // team: applicants
    const std::string_view single = tokens[i].shown.substr(0, tokens[i].shown.size() - 1);
    if (tokens.declaration({"type", "rubric"}, single) != kNone)
      out.add(tokens[i].begin, tokens[i].end, (tokens.is(i - 1, "of") ? "" : "list of ") + std::string(single), true);
  }
  if (code == "E0304" && among(tokens[i].shown, {"dict", "object", "map", "hash", "json", "Dict", "Object"})) {
    for (const std::string_view type : {"map of number", "map of text", "map of any"})  // which one fits its uses?
      out.add(tokens[i].begin, tokens[i].end, std::string(type), false);
  }
  const bool of_record = code == "E0309" && tokens.is(i + 1, ".") && tokens[i].end == tokens[i + 1].begin;
  if (of_record && among(tokens[i].shown, {"input", "inputs", "record", "this", "self", "row", "data"}) &&
      tokens.declaration({"input"}, tokens[i + 2].shown) != kNone)
    out.add(tokens[i].begin, tokens[i + 2].begin, "", true);  // at input.x
  const bool as_place = code == "E0401" && i > 1 && tokens.is(i - 1, "[") && tokens.is(i + 1, "]");
  if (code == "E0309" || as_place) {  // for c in checks at c.name, at checks[c].name
    for (std::size_t k = window.begin; k + 3 < i; ++k) {
      if (!tokens.is(k, "for") || !tokens.is(k + 1, tokens[i].shown) || !tokens.is(k + 2, "in") ||
          (as_place && !tokens.is(i - 2, tokens[k + 3].shown)))
        continue;
      const std::string place = tokens.is(i, "i") ? "k" : "i";
      out.add({out.edit(tokens[k + 1].begin, tokens[k + 1].begin, place + ", "),
               out.edit(tokens[i].begin, tokens[i].end,
                        as_place ? place : std::string(tokens[k + 3].shown) + "[" + place + "]")},
              true);
    }
  }
  if (code == "E0101" || code == "E0301") loops_in_words(window, out);
  if (code == "E0301" || code == "E0308") fields_of_loops(window, out);
  if (code == "E0308") inputs_of_same_name(window, out);
  if (code == "E0301" && i > 0 && tokens.is(i - 1, "(") && tokens.is(i + 1, ")"))  // of a cohort: mean(score)
    out.add(tokens[i].begin, tokens[i].end, "r." + std::string(tokens[i].shown) + " for r in records", true);
  const bool weighs = i > 0 && among(tokens[i - 1].shown, {"weight", "points"});
  if (code == "E0406" && !weighs) {
    const std::string quoted = "\"" + std::string(tokens[i].shown) + "\"";
    for (const std::string& value : {quoted, "[" + quoted + "]"}) out.add(tokens[i].begin, tokens[i].end, value, true);
  }
  if (const auto said = number_said(tokens[i].shown); code == "E0301" && said)  // at four
    out.add(tokens[i].begin, tokens[i].end, std::to_string(*said), true);
  if (code == "E0301") unquoted_words(window, out);
}

}  // namespace assay::mending
