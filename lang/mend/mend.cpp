// The window around a problem, and the proposals in the order in which to try them.
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace assay::mending {
namespace {

std::string letters_and_digits(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// The letters and digits of a token; of a number without the zeros at both ends: 50%, 0.5, 0,50 and ">= 50" say the same.
std::string content(const Token& token) {
  std::string result = letters_and_digits(token.shown);
  if (token.kind != Token::Kind::number && result.find_first_not_of("0123456789") != result.npos) return result;
  const std::size_t first = std::min(result.find_first_not_of('0'), result.size());
  return result.substr(first, result.find_last_not_of('0') + 1 - first);
}

// Whether each word of a text is kept: "a > 8" as an expression.
bool keeps_words(const std::set<std::string>& kept, std::string_view shown) {
  if (shown.size() < 3) return false;
  const Tokens words(shown.substr(1, shown.size() - 2));
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].value() && kept.count(content(words[i])) == 0) return false;
  }
  return true;
}

// Whether each of several lines with texts or numbers keeps one of them: nothing that an author wrote disappears
// without a trace.
bool keep_lines(std::string_view text, const std::vector<Edit>& edits) {
  std::set<std::string> kept;
  std::string all;
  bool zero = false;  // whether a 0 is kept, which has no other content
  for (const Edit& edit : edits) {
    const Tokens tokens(edit.text);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      kept.insert(content(tokens[i]));
      zero = zero || tokens.is(i, "0");
    }
    all += letters_and_digits(edit.text);
  }
  for (const Edit& edit : edits) {
    const std::string_view before = text.substr(edit.begin, edit.end - edit.begin);
    if (before.find('\n') == before.npos) continue;
    const std::size_t begin = std::min(before.find_first_not_of(" \n"), before.size());
    if (edit.text.empty() && text.substr(0, edit.begin).find(before.substr(begin)) != text.npos)
      continue;  // said twice
    const Tokens tokens(before);
    // In bands, the upper end of a row is the lower one of the next.
    const bool lower = edit.text.starts_with("bands ") && before.find("min") != before.npos;
    bool says = false, keeps = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].first || i + 1 == tokens.size()) {
        if (says && !keeps) return false;
        says = keeps = false;
      }
      const bool upper = lower && i > 1 && among(tokens[i - 2].shown, {"max", "maximum"});
      // type = "integer", which becomes 'whole'
      const bool type =
          i > 1 && (tokens.is(i - 1, "=") || tokens.is(i - 1, ":")) && among(content(tokens[i - 2]), {"type", "kind"});
      const bool counts =
          !upper && !type && ((tokens[i].is_text() && !tokens.is(i + 1, ":")) || tokens[i].kind == Token::Kind::number);
      const std::string one = counts ? content(tokens[i]) : std::string();
      // p = 1, which p *= x begins with
      const bool begins = one == "1" && i > 1 && tokens.is(i - 1, "=") && tokens[i + 1].first &&
                          before.find(std::string(tokens[i - 2].shown) + " *") != before.npos;
      // n += 1 is a count
      const bool adds =
          one == "1" && i > 2 && tokens.is(i - 1, "=") && tokens.is(i - 2, "+") && kept.count("count") != 0;
      keeps = keeps || (zero && counts && tokens.is(i, "0"));
      if (one.empty() || begins || adds) continue;
      says = true;
      keeps = keeps || kept.count(one) != 0 || (one.size() > 2 && all.find(one) != all.npos) ||
              (tokens[i].is_text() && keeps_words(kept, tokens[i].shown));
    }
  }
  return true;
}

// A word of the language, misspelt or not; letters that are exchanged count as well.
bool says(std::string_view word, std::string_view known) {
  std::string a = in_lower_case(word), b(known);
  if (a == b || a == b + "s") return true;
  if (a.empty() || a[0] != b[0] || a.size() < 4) return false;
  if (misspelt(a, b) || !nearest(a, {known}).empty()) return true;
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  return a == b;
}

// Whether an edit takes a word of the language for a name, or for a part of one: 'dimension weight', 'cap at',
// 'dimension dimention_views_wieght'. What an author declares so, or writes as a text, stays as it is.
bool names_by_keyword(std::string_view text, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    const Tokens tokens(edit.text);
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
      const std::string_view word = tokens[i].shown, name = tokens[i + 1].shown;
      if ((!tokens[i].starts && word != "cap") || tokens[i + 1].kind != Token::Kind::word ||
          !among(word, {"dimension", "criterion", "cap"}))
        continue;
      if (word == "cap" && name == "at" && tokens.is(i + 2, "at")) return true;
      if (word == "cap" || text.find(std::string(word) + " " + std::string(name)) != text.npos ||
          text.find('"' + std::string(name) + '"') != text.npos)
        continue;
      if (among(name, {"weight", "points", "level", "missing"})) return true;
      const std::size_t first = name.find('_'), last = name.rfind('_');
      if (first == name.npos) continue;
      if (name.find("_weight_") != name.npos || name.find("_points_") != name.npos) return true;
      if (says(name.substr(0, first), "dimension") || says(name.substr(0, first), "criterion") ||
          says(name.substr(last + 1), "weight") || name.substr(last + 1) == "points")
        return true;
    }
  }
  return false;
}

// Whether a statement becomes a value of the name of a result: 'flags = [...]' raises no flag as 'let flags = [...]', and
// 'status = "ineligible"' leaves every record in the ranking.
bool replaces_result(std::string_view text, const std::vector<Edit>& edits) {
  const bool scored = text.find("scale ") != text.npos || text.find("dimension ") != text.npos;
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& e) {
    const std::string_view before = text.substr(e.begin, e.end - e.begin), behind = text.substr(e.end);
    const std::string all = e.text + std::string(behind.substr(0, behind.find('\n')));
    const std::string_view made = all;
    for (const std::string_view word : {"let ", "output "}) {
      const std::size_t at = made.find(word);
      if (at == made.npos || (at > 0 && made[at - 1] != '\n' && made[at - 1] != ' ')) continue;
      const std::string_view rest = made.substr(at + word.size());
      const std::string_view name = rest.substr(0, rest.find_first_of(" =\n"));
      const bool result = among(name, {"flags", "advice", "caps", "deductions", "bonuses", "degraded"}) ||
                          (name == "status" && rest.find("eligible\"") != rest.npos) || (scored && name == "score");
      if (result && rest.size() > name.size() + 2 && rest.substr(name.size(), 3) == " = " &&
          before.find(std::string(word) + std::string(name)) == before.npos)
        return true;
    }
    return false;
  });
}

// Whether an edit keeps only one of two numbers that stand side by side, 40 50: nobody knows which one is meant. Digits that
// blanks divide, 10 000, stay together.
bool drops_number(std::string_view text, const std::vector<Edit>& edits) {
  return std::any_of(edits.begin(), edits.end(), [text](const Edit& edit) {
    const Tokens tokens(text.substr(edit.begin, edit.end - edit.begin));
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const bool two = tokens[i].kind == Token::Kind::number && tokens[i + 1].kind == Token::Kind::number &&
                       !tokens[i + 1].first && tokens[i + 1].begin > tokens[i].end;
      if (!two) continue;
      const std::string first = content(tokens[i]), second = content(tokens[i + 1]);
      const std::string kept = letters_and_digits(edit.text);
      if (kept.find(letters_and_digits(tokens[i].shown) + letters_and_digits(tokens[i + 1].shown)) != kept.npos)
        continue;
      if (kept.find(first) == kept.npos || kept.find(second) == kept.npos) return true;
    }
    return false;
  });
}

// Whether a '}' closes lines that stand further right than it, under no head: the line of the head is lost, and no brace is
// one too many.
bool lacks_head(std::string_view text) {
  std::vector<std::size_t> open;  // how far right the lines stand that may still be the head of a block
  std::size_t before = 0;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t column = line.find_first_not_of(" \t\r");
    if (column == line.npos || line[column] == '#') continue;
    while (!open.empty() && open.back() > column) open.pop_back();
    const bool closes = line[column] == '}';
    if (closes && before > column && (open.empty() || open.back() != column)) return true;
    if (!open.empty() && open.back() == column) open.pop_back();
    if (line[line.find_last_not_of(" \t\r")] == '{') open.push_back(column);
    before = column;
  }
  return false;
}

// Whether an edit begins or ends within a text between three quotation marks, which is the author's own: Lua, or prose.
bool cuts_text(const std::vector<std::pair<std::size_t, std::size_t>>& texts, const std::vector<Edit>& edits) {
  return std::any_of(edits.begin(), edits.end(), [&texts](const Edit& edit) {
    return std::any_of(texts.begin(), texts.end(), [&edit](const auto& text) {
      const auto within = [&text](std::size_t at) { return at > text.first && at < text.second; };
      return within(edit.begin) || within(edit.end);
    });
  });
}

// Whether an edit only takes a '}' away.
bool removes_brace(std::string_view text, const Edit& edit) {
  const std::string_view before = text.substr(edit.begin, edit.end - edit.begin);
  const std::size_t first = before.find_first_not_of(" \t\r\n");
  return edit.text.empty() && first != before.npos && before.find_first_not_of("} \t\r\n") == before.npos;
}

}  // namespace

Proposals::Proposals(std::string name, std::string_view text, std::size_t at)
    : name_(std::move(name)), text_(text), at_(at), crlf_(text.find("\r\n") != text.npos) {
  constexpr std::string_view kMarks = "\"\"\"";
  for (std::size_t begin = text.find(kMarks); begin != text.npos;) {
    const std::size_t end = text.find(kMarks, begin + kMarks.size());
    if (end == text.npos) break;
    long_texts_.emplace_back(begin, end + kMarks.size());
    begin = text.find(kMarks, end + kMarks.size());
  }
}

void Proposals::add(std::size_t begin, std::size_t end, std::string text, bool certain) {
  add({edit(begin, end, std::move(text))}, certain);
}

// In a file whose lines end with CR and LF, edits do so as well: those that write lines, and those that take them away.
void Proposals::with_line_ends(Edit& edit) const {
  if (!crlf_) return;
  if (edit.begin > 0 && edit.begin < edit.end && text_[edit.begin] == '\n' && text_[edit.begin - 1] == '\r') {
    --edit.begin;
    if (!edit.text.empty() && edit.text[0] != '\n' && edit.text[0] != '\r') edit.text.insert(0, "\r");
  }
  for (std::size_t at = edit.text.find('\n'); at != std::string::npos; at = edit.text.find('\n', at + 1)) {
    if (at == 0 || edit.text[at - 1] != '\r') edit.text.insert(at++, 1, '\r');
  }
}

void Proposals::add(std::vector<Edit> edits, bool certain) {
  constexpr std::size_t kMost = 400;
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  const auto same = [this](const Edit& e) { return text_.substr(e.begin, e.end - e.begin) == e.text; };
  if (list_.size() >= kMost || edits.empty() || std::all_of(edits.begin(), edits.end(), same) ||
      !keep_lines(text_, edits) || names_by_keyword(text_, edits) || drops_number(text_, edits) ||
      cuts_text(long_texts_, edits))
    return;
  const bool brace = std::any_of(edits.begin(), edits.end(), [this](const Edit& e) { return removes_brace(text_, e); });
  if (certain && brace) certain = !lacks_head(text_);
  certain = certain && !replaces_result(text_, edits);
  std::size_t free = 0;
  std::vector<std::string> above;  // the comments of lines that become a part of the first one that changes
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const bool joins = i > 0 && edits.front().text.find_first_not_of(" \n") != std::string::npos;
    certain = keep_remarks(text_, free, edits[i], joins ? &above : nullptr) && certain;
    free = edits[i].end;
  }
  if (!above.empty()) {
    const std::size_t first = edits.front().begin, line = first == 0 ? 0 : text_.rfind('\n', first - 1) + 1;
    const std::size_t word = std::min(text_.find_first_not_of(" \t", line), first);
    std::string lines;
    for (const std::string& remark : above) lines += remark + "\n" + std::string(text_.substr(line, word - line));
    edits.insert(edits.begin(), edit(word, word, std::move(lines)));
  }
  for (Edit& one : edits) with_line_ends(one);
  const std::size_t begin = edits.front().begin, end = edits.back().end;
  const std::size_t distance = at_ < begin ? begin - at_ : at_ > end ? at_ - end : 0;
  list_.push_back({{std::move(edits), certain}, distance});
}

void Proposals::add_here(std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  for (Edit& edit : edits) with_line_ends(edit);
  list_.push_back({{std::move(edits), true, false}, 0});
}

void Proposals::add_choice(std::size_t begin, std::size_t end, std::string text) {
  list_.push_back({{{edit(begin, end, std::move(text))}, false, true}, 0});
}

std::vector<Proposal> Proposals::take(std::size_t most) {
  constexpr std::size_t kNear = 12;  // bytes: smaller differences do not matter
  std::stable_sort(list_.begin(), list_.end(), [](const Ranked& a, const Ranked& b) {
    return (a.distance + kNear - 1) / kNear < (b.distance + kNear - 1) / kNear;
  });
  std::vector<Proposal> result;
  std::map<std::string, std::size_t> seen;  // their places in the result
  for (Ranked& ranked : list_) {
    std::string key;
    for (const Edit& e : ranked.proposal.edits)
      key += std::to_string(e.begin) + "-" + std::to_string(e.end) + "=" + e.text + "\n";
    const auto known = seen.find(key);
    if (known != seen.end()) {
      Proposal& same = result[known->second];
      same.certain = same.certain || ranked.proposal.certain, same.choice = same.choice || ranked.proposal.choice;
    } else if (result.size() < most) {
      seen.emplace(std::move(key), result.size());
      result.push_back(std::move(ranked.proposal));
    }
  }
  return result;
}

static std::vector<Proposal> proposals_for(const std::string& name, std::string_view text, const Diagnostic& problem,
                                           std::size_t most) {
  const Tokens tokens(text);
  Proposals proposals(name, text, problem.at.offset);
  constexpr std::size_t kFar = 250;  // tokens
  const std::size_t at = tokens.at(problem.at.offset);
  Window window{tokens, at, at, at, problem};
  // From the declaration before the problem, which may lack its end, to the end of the problem's own declaration.
  constexpr int kOfCycle = 30;  // in which any declaration may be wrong
  const bool cycle = problem.code == "E0308";
  int declarations = cycle ? kOfCycle : tokens[at].starts ? 2 : 1;
  while (window.begin > 0 && at - window.begin < kFar && declarations > 0) {
    --window.begin;
    if (tokens[window.begin].starts) --declarations;
  }
  while (window.end + 1 < tokens.size() && window.end - at < kFar &&
         (cycle || window.end == at || !tokens[window.end].starts))
    ++window.end;
  if (text.starts_with("<<<<<<< ") || text.find("\n<<<<<<< ") != text.npos)
    return {};                    // two versions: the author chooses
  if (problem.code == "E0115") {  // two texts: which one?
    complete(window, proposals);
    return proposals.take(most);
  }
  keystrokes(window, proposals);
  operator_words(window, proposals);
  lost_between(window, proposals);
  joined_parts(window, proposals);
  slips(window, proposals);
  hooks(window, proposals);
  missing_quotes(window, proposals);
  missing_commas(window, proposals);
  if (problem.code.starts_with("E01")) call_brackets(window, proposals);
  if (problem.code == "E0302") values_as_calls(window, proposals);
  letters(window, proposals);
  chains(window, proposals);
  marks_of_documents(window, proposals);
  tables_of_sql(window, proposals);
  tests_of_others(window, proposals);
  examples_of_others(window, proposals);
  names_behind(window, proposals);
  orders_behind(window, proposals);
  gates_in_blocks(window, proposals);
  raised_errors(window, proposals);
  values_of_runs(window, proposals);
  conditions_side_by_side(window, proposals);
  named_by_their_text(window, proposals);
  translate(window, proposals);
  kinds(window, proposals);
  cells(window, proposals);
  numbers(window, proposals);
  misplaced_parts(window, proposals);
  dimension_weights(window, proposals);
  absent_weights(window, proposals);
  texts(window, proposals);
  records_of_outputs(window, proposals);
  grades(window, proposals);
  blocks_of_others(window, proposals);
  sections_of_items(window, proposals);
  places(window, proposals);
  rewrite(window, proposals);
  comments(window, proposals);
  reorder(window, proposals);
  complete(window, proposals);
  close_brackets(window, proposals);
  conditional_blocks(window, proposals);
  single_statements(window, proposals);
  levels_in_columns(window, proposals);
  rows_of_tables(window, proposals);
  declared_twice(window, proposals);
  lines_of_others(window, proposals);
  imports(window, proposals);
  frames(window, proposals);
  documents(window, proposals);
  outline(window, proposals);
  expected(window, proposals);
  repeated_operators(window, proposals);
  return proposals.take(most);
}

// Those for a text in which some places have other text of the same length; whatever they propose changes these places as
// well, because none of it compiles beside what stands there.
static std::vector<Proposal> proposals_around(const std::string& name, std::string_view plain,
                                              const std::vector<Edit>& around, const Diagnostic& problem,
                                              std::size_t most) {
  std::vector<Proposal> result = proposals_for(name, plain, problem, most);
  result.insert(result.begin(), Proposal{{}, true});
  for (Proposal& proposal : result) {
    std::vector<Edit> edits = std::move(proposal.edits);
    const std::size_t own = edits.size();
    for (const Edit& also : around) {
      const auto within = [&also](const Edit& edit) { return edit.begin <= also.begin && also.begin < edit.end; };
      const auto last = edits.begin() + static_cast<std::ptrdiff_t>(own);
      const auto found = std::find_if(edits.begin(), last, within);
      if (found == last) edits.push_back(also);
      else found->end = std::max(found->end, also.end);
    }
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    proposal.edits = std::move(edits);
  }
  return result;
}

std::vector<Proposal> propose(const std::string& name, std::string_view text, const Diagnostic& problem,
                              std::size_t most) {
  const std::vector<std::size_t> slashes = slash_comments(text), marks = marks_of_key(text, problem.at.offset);
  std::string plain(text);
  std::vector<Edit> around;
  for (const std::size_t at : slashes) {  // comments
    plain.replace(at, 2, plain[at + 2] == ' ' ? " #" : "# ");
    around.push_back({name, at, at + 2, "#"});
  }
  std::vector<Proposal> result =
      slashes.empty() ? proposals_for(name, text, problem, most) : proposals_around(name, plain, around, problem, most);
  if (marks.empty()) return result;
  const std::string key = plain.substr(marks[0] + 1, marks[1] - marks[0] - 1);
  plain.replace(marks[0], key.size() + 2, key + "  ");
  around.push_back({name, marks[0], marks[1] + 1, key});
  for (Proposal& proposal : proposals_around(name, plain, around, problem, most)) result.push_back(std::move(proposal));
  return result;
}

}  // namespace assay::mending
