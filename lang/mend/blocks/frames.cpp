// Braces in other notations: a block that a colon opens and indentation holds, a block that the word 'end' closes, texts of
// several lines in three quotation marks.
#include "lang/mend/blocks/items.hpp"
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <map>

namespace assay::mending {
namespace {

// cohort:
//   output typical = …
void blocks_of_indentation(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  std::map<std::size_t, std::string> closes;  // by byte; inner blocks first
  for (std::size_t i = 0; i + 1 < tokens.size() && edits.size() < 200; ++i) {
    if (!tokens[i].first ||
        !among(in_lower_case(tokens[i].shown), {"rubric", "cohort", "example", "given", "expect", "context"}))
      continue;
    const std::size_t last = line_last(tokens, i);
    if (tokens.is(last, "{") || !tokens[last + 1].first || column_of(tokens, last + 1) <= column_of(tokens, i))
      continue;
    if (!tokens.is(last, ":") && !tokens.is(i, "cohort") && !tokens.is(i, "example")) continue;
    const Block block = block_behind(tokens, last + 1, column_of(tokens, i));
    if (block.inside.empty() || block.bracket) continue;
    const bool colon = tokens.is(last, ":");
    edits.push_back(out.edit(tokens[colon ? last - 1 : last].end, tokens[last].end, " {"));
    std::string& close = closes[tokens[block.last].end];
    close = "\n" + indent_before(tokens, i) + "}" + close;
    if (!tokens.is(i, "cohort")) continue;
    for (std::size_t k = block.inside.begin; k < block.inside.end; ++k) {  // its values are outputs
      if (tokens[k].first && tokens[k].kind == Token::Kind::word && (tokens.is(k + 1, "=") || tokens.is(k + 1, ":")))
        edits.push_back(out.edit(tokens[k].begin, tokens[k + 1].end, "output " + std::string(tokens[k].shown) + " ="));
    }
  }
  for (const auto& [at, close] : closes) edits.push_back(out.edit(at, at, close));
  if (!edits.empty()) out.add(std::move(edits), true);
}

// Lines with nothing but 'end'.
void ends(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  std::ptrdiff_t open = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    open += tokens.is(i, "{") ? 1 : tokens.is(i, "}") ? -1 : 0;
    if (!tokens[i].first ||
        !among(in_lower_case(tokens[i].shown), {"end", "endrubric", "end_rubric", "done", "fi", "endif"}))
      continue;
    const std::size_t last = line_last(tokens, i);
    if (last > i + 1) continue;
    edits.push_back(out.edit(tokens[i].begin, tokens[last].end, open > 0 ? "}" : ""));
    if (open > 0) --open;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// """ … """ over several lines: one text.
void long_texts(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  for (const std::string_view marks : {"\"\"\"", "'''"}) {
    const std::size_t near = tokens[window.at].end;
    std::size_t open = text.find(marks, tokens[window.begin].begin);
    while (open != text.npos && open <= near) {
      const std::size_t close = text.find(marks, open + 3);
      if (close == text.npos) break;
      std::string one = "\"";
      for (const char c : text.substr(open + 3, close - open - 3)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (one.back() == ' ' || one.size() == 1)) continue;
        if (c == '"') one += '\\';
        one += blank ? ' ' : c;
      }
      while (one.back() == ' ') one.pop_back();
      out.add(open, close + 3, one + "\"", true);
      open = text.find(marks, close + 3);
    }
  }
}

}  // namespace

void frames(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  blocks_of_indentation(window, out);
  ends(window, out);
  long_texts(window, out);
}

}  // namespace assay::mending
