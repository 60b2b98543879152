// The rows of rewrites.def, at every token of the window.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"

namespace assay::mending {
namespace {

struct Row {
  Pattern pattern;
  std::string_view replacement;
  bool certain;
};

const std::vector<Row>& rows() {
  // The words of the tables. NOLINTNEXTLINE(readability-identifier-naming)
  constexpr bool certain = true, likely = false;
  static const std::vector<Row> kRows = {
#define ASSAY_REWRITE(pattern, replacement, how) {Pattern(pattern), replacement, how},
#include "lang/mend/declarations_of_others.def"
#include "lang/mend/rewrites.def"
#undef ASSAY_REWRITE
  };
  return kRows;
}

}  // namespace

void rewrite(const Window& window, Proposals& out) {
  constexpr std::size_t kWork = 400'000;  // tokens examined for one problem
  std::size_t work = kWork;
  Match match;
  const Tokens& tokens = window.tokens;
  for (const Row& row : rows()) {
    for (std::size_t i = window.begin; i < window.end && work > 0; ++i) {
      if (!row.pattern.may_begin(tokens[i].shown) || !row.pattern.match(tokens, i, match, work)) continue;
      if (match.end <= match.begin) continue;
      if (std::optional<std::string> text = fill(row.replacement, tokens, match))
        out.add(tokens[match.begin].begin, tokens[match.end - 1].end, std::move(*text), row.certain);
    }
  }
}

}  // namespace assay::mending
