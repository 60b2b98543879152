// Declarations in the wrong place: before the rubric or behind it, because it ends too early or has not begun.
#include "lang/mend/mend.hpp"
#include "lang/mend/statements/items.hpp"

namespace assay::mending {

namespace {

// Declarations between the head of the rubric and its brace: they move behind it.
void before_brace(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t at = window.at;
  while (at > 0 && !(tokens[at].first && tokens.is(at, "rubric"))) --at;
  if (!tokens.is(at, "rubric") || tokens[at + 1].kind != Token::Kind::word) return;
  const std::size_t from = at + (tokens[at + 2].is_text() ? 3 : 2);
  std::size_t open = from;
  while (open + 1 < tokens.size() && !tokens.opens(open) && !tokens.closes(open)) ++open;
  if (!tokens.is(open, "{") || open == from || !tokens[from].first || known_word(tokens[from].shown).empty()) return;
  out.add(tokens[from].begin, tokens[open].end, "{\n  " + raw(tokens, {from, open}), true);
}

// Declarations of the rubric in the block of a dimension: they move behind it.
void out_of_dimension(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t open = tokens.brace_around(window.at);
  if (open == kNone) return;
  const std::size_t head = line_first(tokens, open), close = tokens[open].partner;
  const std::size_t here = line_first(tokens, window.at);
  if (!tokens.is(head, "dimension") || (here != window.at && !tokens.is(here, "cap"))) return;
  std::vector<Edit> edits;
  std::string moved;
  for (std::size_t i = open + 1; i < close;) {
    std::size_t end = tokens.behind(i);
    while (end < close && !tokens[end].first) end = tokens.behind(end);
    while (end < close && !tokens[end].starts && !among(tokens[end].shown, {"level", "cap"})) end = tokens.behind(end);
    const bool stays =
        tokens.is(i, "dimension") || tokens.is(i, "criterion") || tokens.is(i, "level") || tokens.is(i, "#");
    if (tokens[i].first && (tokens[i].starts || tokens.is(i, "cap")) && !stays) {
      std::string one = raw(tokens, {i, end});
      const bool number = tokens[i + 1].kind == Token::Kind::number;
      if (tokens.is(i, "cap") && (tokens.is(i + 1, "at") || number))
        one.insert(3, " " + std::string(tokens[head + 1].shown) + (number ? " at" : ""));
      moved += "\n" + indent_before(tokens, head) + one;
      edits.push_back(out.edit(tokens[i - 1].end, tokens[end - 1].end, ""));
    }
    i = end;
  }
  if (moved.empty()) return;
  edits.push_back(out.edit(tokens[close].end, tokens[close].end, moved));
  out.add(std::move(edits), true);
}

// A dimension in the block of another one, behind its criteria or no further right than it: the brace that belongs above
// it stands below.
void brace_below(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code != "E0202") return;
  const std::size_t head = line_first(tokens, window.at);
  std::size_t open = head;
  while (open + 1 < tokens.size() && !tokens.is(open, "{") && (open == head || !tokens[open].first)) ++open;
  const std::size_t close = tokens[open].partner;
  if (!tokens.is(open, "{") || close == kNone || !tokens[close].first) return;
  const std::string indent = indent_before(tokens, head);
  std::size_t i = open + 1;
  const auto begins = [&](std::size_t k) {
    return tokens[k].first && tokens.is(k, "dimension") &&
           (indent_before(tokens, k).size() <= indent.size() || tokens.is(open + 1, "criterion"));
  };
  while (i < close && !begins(i)) i = tokens.behind(i);
  if (i >= close || i == open + 1) return;
  std::vector<Edit> edits{out.edit(tokens[i - 1].end, tokens[i - 1].end, "\n" + indent + "}")};
  const std::size_t deep = indent_before(tokens, i).size(), more = deep - std::min(deep, indent.size());
  for (std::size_t k = i; k < close && more > 0; ++k) {
    if (tokens[k].first && indent_before(tokens, k).size() >= more)
      edits.push_back(out.edit(tokens[k].begin - more, tokens[k].begin, ""));
  }
  edits.push_back(out.edit(tokens[close - 1].end, tokens[close].end, ""));
  out.add(std::move(edits), true);
}

// The end of a declaration: the next one, or the bracket around it.
std::size_t end_of_declaration(const Tokens& tokens, std::size_t i) {
  std::size_t end = i + 1;
  while (end + 1 < tokens.size() && !tokens.closes(end) &&
         !(tokens[end].first && (tokens[end].starts || tokens.is(end, "each"))))
    end = tokens.behind(end);
  return end;
}

// 'each output' outside of a cohort: all of them move into it, or get one around them.
void into_cohort(const Window& window, std::size_t cohort, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t close = cohort == kNone ? kNone : tokens[cohort + 1].partner;
  std::vector<Span> found;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool inside = close != kNone && i > cohort && i < close;
    if (tokens[i].first && tokens.is(i, "each") && tokens.is(i + 1, "output") && !inside)
      found.push_back({i, end_of_declaration(tokens, i)});
  }
  if (found.empty()) return;
  const std::string indent = indent_before(tokens, close == kNone ? found[0].begin : cohort);
  std::string before, behind;  // what stood there
  std::vector<Edit> edits;
  for (const Span& one : found) {
    (close != kNone && one.begin < cohort ? before : behind) += "\n" + indent + "  " + raw(tokens, one);
    edits.push_back(out.edit(tokens[one.begin - 1].end, tokens[one.end - 1].end, ""));
  }
  if (!before.empty()) edits.push_back(out.edit(tokens[cohort + 1].end, tokens[cohort + 1].end, before));
  if (close == kNone) edits[0].text = "\n" + indent + "cohort {" + behind + "\n" + indent + "}";
  else if (!behind.empty()) edits.push_back(out.edit(tokens[close - 1].end, tokens[close - 1].end, behind));
  out.add(std::move(edits), true);
  out.add(tokens[window.at].begin, tokens[window.at + 1].begin, "", false);  // a value of each record alone
}

// What belongs to a single record, in a cohort: it moves in front of it.
void out_of_cohort(const Window& window, std::size_t cohort, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t close = cohort == kNone ? kNone : tokens[cohort + 1].partner;
  if (close == kNone || window.at < cohort || window.at > close || !tokens[window.at].first) return;
  const Span one{window.at, end_of_declaration(tokens, window.at)};
  out.add(
      {out.edit(tokens[cohort].begin, tokens[cohort].begin, raw(tokens, one) + "\n" + indent_before(tokens, cohort)),
       out.edit(tokens[one.begin - 1].end, tokens[one.end - 1].end, "")},
      true);
}

}  // namespace

void places(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code == "E0504") {
    const std::size_t cohort = tokens.declaration({"cohort"}, "{");
    if (tokens.is(window.at, "each")) into_cohort(window, cohort, out);
    else out_of_cohort(window, cohort, out);
  }
  if (window.problem.code == "E0101") before_brace(window, out);
  brace_below(window, out);
  if (among(window.problem.code, {"E0101", "E0103", "E0107"})) out_of_dimension(window, out);
  if (window.problem.code != "E0107") return;
  // Its rubric, with the braces.
  std::size_t rubric = kNone, open = kNone;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].first || !tokens.is(i, "rubric")) continue;
    std::size_t at = i + 1;
    while (at < i + 6 && !tokens.is(at, "{")) ++at;
    if (!tokens.is(at, "{")) continue;
    rubric = i, open = at;
    if (i > window.at) break;
  }
  if (rubric == kNone) return;
  const std::string_view text = tokens.text();
  const auto shared = [&tokens](std::size_t i) {
    return tokens.is(i, "import") || tokens.is(i, "type") || tokens.is(i, "fn") || tokens.is(i, "table") ||
           tokens.is(i, "hook");
  };
  if (rubric > window.at) {  // before it: all of them move into it, unless others need them as well
    std::size_t rubrics = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      rubrics += tokens[i].first && tokens.is(i, "rubric") ? 1 : 0;
      const bool declares = i < rubric && tokens[i].starts && (tokens.is(i, "let") || tokens.is(i, "const"));
      for (std::size_t k = i + 2; declares && k < rubric; ++k) {
        if (tokens.is(k, tokens[i + 1].shown)) return;
      }
    }
    if (rubrics > 1) return;
    std::vector<Edit> edits;
    std::string moved;
    // version: 3, as a document has it
    const auto begins = [&tokens](std::size_t i) {
      return tokens[i].starts || (tokens[i].first && among(tokens[i].shown, {"version", "scale"}));
    };
    for (std::size_t i = 0; i < rubric;) {
      std::size_t end = i + 1;
      while (end < rubric && !begins(end) && !(tokens[end].first && tokens.is(end + 1, ":"))) end = tokens.behind(end);
      if (begins(i) && !shared(i)) {
        moved += "\n  " + raw(tokens, {i, end});
        edits.push_back(out.edit(tokens[i].begin, tokens[end].begin, ""));
      }
      i = end;
    }
    edits.push_back(out.edit(tokens[open].end, tokens[open].end, moved));
    if (!moved.empty()) out.add(std::move(edits), true);
    return;
  }
  // Behind its last brace, which comes too early or is one too many.
  const std::size_t close = tokens[open].partner;
  if (close == kNone || close >= window.at) return;
  bool surplus = false;
  for (std::size_t i = close + 1; i + 1 < tokens.size(); ++i)
    surplus = surplus || (tokens.is(i, "}") && tokens[i].partner == kNone);
  for (std::size_t i = close + 1; i + 1 < tokens.size(); ++i) {
    if (tokens.is(i, "rubric") && tokens[i].first) return;
  }
  // At the end of its line with the blanks before it, and alone with its line.
  const bool ends = tokens[close + 1].first && text.find('#', tokens[close].end) >= text.find('\n', tokens[close].end);
  const std::size_t blank =
      ends ? text.find_last_not_of(tokens[close].first ? " \t\r\n" : " \t", tokens[close].begin - 1)
           : tokens[close].begin - 1;
  std::vector<Edit> edits{out.edit(blank + 1, tokens[close].end, "")};
  if (!surplus)
    edits.push_back(out.edit(text.size(), text.size(), !text.empty() && text.back() == '\n' ? "}\n" : "\n}\n"));
  out.add(std::move(edits), true);
}

}  // namespace assay::mending
