// The window around a problem, and the proposals in the order in which to try them.
#include "lang/mend/mend.hpp"

#include <algorithm>
#include <map>

namespace assay::mending {

void Proposals::add(std::size_t begin, std::size_t end, std::string text, bool certain) {
  add({edit(begin, end, std::move(text))}, certain);
}

void Proposals::add(std::vector<Edit> edits, bool certain) {
  constexpr std::size_t kMost = 400;
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  const auto same = [this](const Edit& e) { return text_.substr(e.begin, e.end - e.begin) == e.text; };
  if (list_.size() >= kMost || edits.empty() || std::all_of(edits.begin(), edits.end(), same)) return;
  const std::size_t begin = edits.front().begin, end = edits.back().end;
  const std::size_t distance = at_ < begin ? begin - at_ : at_ > end ? at_ - end : 0;
  list_.push_back({{std::move(edits), certain}, distance});
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
      result[known->second].certain = result[known->second].certain || ranked.proposal.certain;
    } else if (result.size() < most) {
      seen.emplace(std::move(key), result.size());
      result.push_back(std::move(ranked.proposal));
    }
  }
  return result;
}

std::vector<Proposal> propose(const std::string& name, std::string_view text, const Diagnostic& problem,
                              std::size_t most) {
  const Tokens tokens(text);
  Proposals proposals(name, text, problem.at.offset);
  constexpr std::size_t kFar = 250;  // tokens
  const std::size_t at = tokens.at(problem.at.offset);
  Window window{tokens, at, at, at, problem};
  // From the declaration before the problem, which may lack its end, to the end of the problem's own declaration.
  int declarations = tokens[at].starts ? 2 : 1;
  while (window.begin > 0 && at - window.begin < kFar && declarations > 0) {
    --window.begin;
    if (tokens[window.begin].starts) --declarations;
  }
  while (window.end + 1 < tokens.size() && window.end - at < kFar && (window.end == at || !tokens[window.end].starts))
    ++window.end;
  chains(window, proposals);
  examples_of_others(window, proposals);
  translate(window, proposals);
  kinds(window, proposals);
  cells(window, proposals);
  numbers(window, proposals);
  dimension_weights(window, proposals);
  texts(window, proposals);
  records_of_outputs(window, proposals);
  grades(window, proposals);
  blocks_of_others(window, proposals);
  sections_of_items(window, proposals);
  rewrite(window, proposals);
  comments(window, proposals);
  reorder(window, proposals);
  complete(window, proposals);
  close_brackets(window, proposals);
  conditional_blocks(window, proposals);
  single_statements(window, proposals);
  levels_in_columns(window, proposals);
  rows_of_tables(window, proposals);
  places(window, proposals);
  lines_of_others(window, proposals);
  frames(window, proposals);
  documents(window, proposals);
  outline(window, proposals);
  return proposals.take(most);
}

}  // namespace assay::mending
