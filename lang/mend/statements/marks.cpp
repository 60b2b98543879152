// Declarations in a document of Markdown: items of a list, with code in `…` and names in **…**. The marks go, and what they
// hold stays.
#include "lang/mend/mend.hpp"
#include "lang/mend/statements/items.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

void marks_of_documents(const Window& window, Proposals& out) {
  if (!window.problem.code.starts_with("E01")) return;
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].first) continue;
    const std::size_t last = line_last(tokens, i);
    const bool bullet = among(tokens[i].shown, {"-", "*", "•"});
    std::size_t head = bullet ? i + 1 : i;
    while (tokens.is(head, "**")) ++head;
    std::string_view word = tokens[head].shown;
    if (word.size() > 2 && word.front() == '`') word = word.substr(1, word.find_first_of(" `", 1) - 1);
    if (known_word(word).empty()) continue;
    std::vector<Edit> line;
    for (std::size_t k = i; k <= last; ++k) {
      const std::string_view shown = tokens[k].shown;
      if (shown.size() > 2 && shown.front() == '`' && shown.back() == '`')
        line.push_back(out.edit(tokens[k].begin, tokens[k].end, std::string(shown.substr(1, shown.size() - 2))));
      else if (shown == "**" &&
               ((k < last && tokens[k + 1].begin == tokens[k].end) || tokens[k - 1].end == tokens[k].begin))
        line.push_back(out.edit(tokens[k].begin, tokens[k].end, ""));
    }
    if (line.empty()) continue;
    if (bullet) line.insert(line.begin(), out.edit(tokens[i].begin, tokens[i + 1].begin, ""));
    if (bullet && line.size() > 1 && line[0].end > line[1].begin) continue;
    for (Edit& edit : line) edits.push_back(std::move(edit));
    i = last;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

}  // namespace assay::mending
