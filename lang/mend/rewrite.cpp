// The rows of rewrites.def, at every token of the window.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"

#include <algorithm>

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

// Whether a match ends within a block that it opens with a brace or a head: the statements behind it would lose that.
bool cuts_block(const Tokens& tokens, const Match& match, std::string_view text) {
  std::ptrdiff_t open = 0;
  for (std::size_t i = match.begin; i < match.end; ++i)
    open += tokens.is(i, "{") && tokens[i].partner != kNone && tokens[i].partner >= match.end ? 1 : 0;
  if (open > std::count(text.begin(), text.end(), '{') - std::count(text.begin(), text.end(), '}')) return true;
  if (!among(tokens[match.begin].shown, {"if", "when", "unless", "for", "foreach"})) return false;
  const auto column = [&tokens](std::size_t i) {
    return tokens[i].begin - (tokens[i].begin == 0 ? 0 : tokens.text().rfind('\n', tokens[i].begin - 1) + 1);
  };
  for (std::size_t i = match.begin + 1; i < match.end; ++i) {
    if (tokens[i].first && column(i) > column(match.begin))
      return tokens[match.end].first && column(match.end) == column(i);
  }
  return false;
}

// 'days = max(days, 0)' of an input is no value of that name, and 'score = max(score, 10)' no composite.
bool repeats_name(const Tokens& tokens, std::string_view text) {
  const std::size_t name = text.find(' ') + 1, end = std::min(text.find(' ', name), text.size());
  if (text.starts_with("let ")) return tokens.declaration({"input"}, text.substr(name, end - name)) != kNone;
  if (!text.starts_with("composite = ")) return false;
  const Tokens value(text);
  for (std::size_t i = 2; i + 1 < value.size(); ++i) {
    if (among(value[i].shown, {"score", "composite"}) && !value.is(i - 1, ".")) return true;
  }
  return false;
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
      if (std::optional<std::string> text = fill(row.replacement, tokens, match);
          text && !cuts_block(tokens, match, *text) && !repeats_name(tokens, *text))
        out.add(tokens[match.begin].begin, tokens[match.end - 1].end, std::move(*text), row.certain);
    }
  }
}

}  // namespace assay::mending
