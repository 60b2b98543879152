// The rows of rewrites.def, at every token of the window.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/model/builtin_rows.hpp"

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
#include "lang/mend/constraints.def"
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

// 'days = max(days, 0)' of an input is no value of that name, 'score = max(score, 10)' no composite, and 'total: 10' none
// either: every record would score 10.
bool repeats_name(const Tokens& tokens, std::string_view text) {
  const std::size_t name = text.find(' ') + 1, end = std::min(text.find(' ', name), text.size());
  if (text.starts_with("let ")) return tokens.declaration({"input"}, text.substr(name, end - name)) != kNone;
  if (!text.starts_with("composite = ")) return false;
  const Tokens value(text);
  if (value.size() == 4 && value[2].kind == Token::Kind::number) return true;
  for (std::size_t i = 2; i + 1 < value.size(); ++i) {
    if (among(value[i].shown, {"score", "composite"}) && !value.is(i - 1, ".")) return true;
  }
  return false;
}

// Whether a match is a method of what is no value, and keeps it as one, as in max(which, xs) for which.max(xs); or becomes
// a function that there is not.
bool no_function(const Tokens& tokens, const Match& match, const KnownNames& known, std::string_view text) {
  const std::size_t i = match.begin;
  const std::string_view name = tokens[i].shown;
  if (tokens[i].kind != Token::Kind::word || !tokens.is(i + 1, ".") || !tokens.is(i + 3, "(")) return false;
  const Tokens made(text);
  const bool called = made.is(1, "(") && made[1].partner + 2 == made.size();
  if (called && find_builtin(made[0].shown) == nullptr && known.functions.count(made[0].shown) == 0 &&
      known.tables.count(made[0].shown) == 0 && known.rubrics.count(made[0].shown) == 0)
    return true;
  if (known.declares(name) || known.bound.count(name) != 0 || known.shapes.count(name) != 0 || name == "history" ||
      name == "records")
    return false;
  for (std::size_t k = 0; k + 1 < made.size(); ++k) {
    if (made.is(k, name)) return true;
  }
  return false;
}

// Whether '=' names an argument, f(x, key = y), of a name that is no value.
bool names_argument(const Tokens& tokens, std::size_t i, const KnownNames& known) {
  if (!tokens.is(i, "=") || i < 2 || tokens[i - 1].kind != Token::Kind::word) return false;
  const std::string_view name = tokens[i - 1].shown;
  if (!tokens.is(i - 2, ",") || known.declares(name) || known.bound.count(name) != 0 || known.is_field(name))
    return false;
  for (std::size_t k = i - 1; k-- > 0 && !tokens[k + 1].starts;) {
    if (tokens.closes(k) && tokens[k].partner != kNone) k = tokens[k].partner;
    else if (tokens.opens(k))
      return tokens.is(k, "(") && k > 0 && tokens[k - 1].kind == Token::Kind::word &&
             tokens[k - 1].end == tokens[k].begin;
  }
  return false;
}

}  // namespace

void rewrite(const Window& window, Proposals& out) {
  constexpr std::size_t kWork = 400'000;  // tokens examined for one problem
  std::size_t work = kWork;
  Match match;
  const Tokens& tokens = window.tokens;
  const KnownNames known(tokens);
  for (const Row& row : rows()) {
    for (std::size_t i = window.begin; i < window.end && work > 0; ++i) {
      if (!row.pattern.may_begin(tokens[i].shown) || !row.pattern.match(tokens, i, match, work)) continue;
      if (match.end <= match.begin) continue;
      // A decorator, @gate above a function, is no name of a value.
      if (tokens.is(match.begin, "@") && tokens[match.begin].first && match.end == match.begin + 2) continue;
      if (std::optional<std::string> text = fill(row.replacement, tokens, match);
          text && !cuts_block(tokens, match, *text) && !repeats_name(tokens, *text) &&
          !no_function(tokens, match, known, *text) && !(*text == "==" && names_argument(tokens, i, known)))
        out.add(tokens[match.begin].begin, tokens[match.end - 1].end, std::move(*text), row.certain);
    }
  }
}

}  // namespace assay::mending
