// See refused.hpp. Finds the words of the verdict, takes them out, and reads the bound in the rest.
#include "lang/check/words/refused.hpp"

#include "lang/check/words/words.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace assay {

namespace {

struct Token {
  std::string text;
  std::size_t begin, end;
  char before;  // the sign that divides it from the word before: , ; : . - or a blank; at the beginning of the text '.'
};

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  char before = '.';
  for (std::size_t at = 0; at < text.size();) {
    if (!is_name_character(text[at])) {
      const bool point =
          text[at] == '.' && at > 0 && is_digit(text[at - 1]) && at + 1 < text.size() && is_digit(text[at + 1]);  // 1.5
      if (std::string_view(",;:.-()").find(text[at]) != std::string_view::npos && !point) before = text[at];
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_name_character(text[end]) || text[end] == '\'')) ++end;
    tokens.push_back({text.substr(at, end - at), at, end, before});
    before = ' ', at = end;
  }
  return tokens;
}

// A run of tokens that says a verdict.
struct Verdict {
  std::size_t begin = 0, end = 0;
  bool amount = false;  // about an amount ("not allowed"), which a verdict on things ("rejected") need not be
};

class VerdictReader {
 public:
  explicit VerdictReader(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // The only verdict of a text against something; empty: none, several, or another denial.
  std::optional<Verdict> read() {
    std::optional<Verdict> found;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      std::optional<Verdict> one = denied(i);
      if (!one) one = participle(i);
      if (!one) one = verb(i);
      if (!one) one = modal(i);
      if (unclear_ || (one && found)) return std::nullopt;
      if (!one) continue;
      found = one;
      i = one->end - 1;
    }
    return found;
  }

 private:
  bool is(std::size_t i, std::string_view list) const { return i < tokens_.size() && has_word(list, tokens_[i].text); }
  bool is(std::size_t i, WordRole role) const { return i < tokens_.size() && is_word(tokens_[i].text, role); }
  bool denies(std::size_t i) const {
    return is(i, "not cannot never neither nor") || (i < tokens_.size() && tokens_[i].text.ends_with("n't"));
  }
  bool is_past(std::size_t i) const { return is(i, "was were has have had been"); }
  bool begins(std::size_t i) const { return i < tokens_.size() && tokens_[i].before != ' '; }
  bool ends(std::size_t i) const { return i + 1 >= tokens_.size() || tokens_[i + 1].before != ' '; }

  // The first of the words that help a verb: "will not be" of "will not be admitted".
  std::size_t with_helpers(std::size_t i) const {
    while (i > 0 && !begins(i) && (is(i - 1, kHelpers) || denies(i - 1))) --i;
    return i;
  }

  // not passed; cannot be admitted; is no longer accepted; is not enough
  std::optional<Verdict> denied(std::size_t i) {
    const bool amount = is(i, WordRole::sufficient);
    if (!amount && !is(i, WordRole::admitted)) return std::nullopt;
    const std::size_t begin = with_helpers(i);
    std::size_t denials = 0;
    for (std::size_t k = begin; k < i; ++k) {
      denials += denies(k) || (is(k, "no") && is(k + 1, "longer")) ? 1 : 0;
      if (is_past(k)) unclear_ = true;
    }
    // Without a denial the text also says what is let in: "Up to 3 are accepted, more are refused".
    unclear_ = unclear_ || denials != 1;
    if (unclear_) return std::nullopt;
    return Verdict{begin, i + 1, amount};
  }

  // is refused; Rejected if …; …: excluded
  std::optional<Verdict> participle(std::size_t i) {
    const bool amount = is(i, WordRole::forbidden);
    if (!amount && !is(i, WordRole::refused)) return std::nullopt;
    const std::size_t begin = with_helpers(i);
    bool helped = false;
    for (std::size_t k = begin; k < i; ++k) {
      if (denies(k) || is_past(k) || is(k, "no")) unclear_ = true;
      helped = helped || is(k, "is are be being get gets becomes become");
    }
    const bool first = begins(i) && (is(i + 1, kBehindVerdict) || (i + 1 < tokens_.size() && begins(i + 1)));
    const bool last = i > 0 && begins(i) && ends(i);
    if (unclear_ || (!helped && !first && !last)) return std::nullopt;
    std::size_t end = i + 1;
    if (is(end, "are is")) ++end;  // "Excluded are claims above 100"
    return Verdict{begin, end, amount};
  }

  // excludes; lead to exclusion; do not qualify is a denial
  std::optional<Verdict> verb(std::size_t i) {
    if (is(i, WordRole::refusal)) {
      std::size_t begin = i;
      while (begin > 0 && !begins(begin) && is(begin - 1, "to in for a an the of reason ground grounds")) --begin;
      if (begin > 0 && !begins(begin) && is(begin - 1, "leads lead means mean results result causes cause")) {
        for (std::size_t k = with_helpers(begin - 1); k < begin; ++k) unclear_ = unclear_ || denies(k);
        return Verdict{begin - 1, i + 1, false};
      }
      if (i > 0 && begins(i) && ends(i)) return Verdict{i, i + 1, false};
      return std::nullopt;
    }
    if (!is(i, WordRole::refuses)) return std::nullopt;
    const std::size_t begin = with_helpers(i);
    for (std::size_t k = begin; k < i; ++k) unclear_ = unclear_ || denies(k) || is_past(k) || is(k, "no");
    // "Two checks to fail", "the failing ones", "no fail"
    const bool noun = i > 0 && !begins(i) && is(i - 1, "to a an the no any of each every per");
    if (unclear_ || noun) return std::nullopt;
    return Verdict{begin, i + 1, false};
  }

  // must not be …; may not exceed …; cannot cost …
  std::optional<Verdict> modal(std::size_t i) const {
    const bool two = is(i, "must may should shall can") && is(i + 1, "not never");
    if (!two && !is(i, "cannot can't mustn't shouldn't")) return std::nullopt;
    const std::size_t end = i + (two ? 2 : 1);
    std::size_t bound = end + 1;
    if (is(end, "exceed")) bound = end;
    const auto word = [this, &bound](std::size_t k) {
      return bound + k < tokens_.size() ? std::string_view(tokens_[bound + k].text) : std::string_view();
    };
    const BoundWords* row = bound_words(BoundWords::states | BoundWords::sentences, BoundWords::before, word);
    if (row == nullptr || !is(end, "be exceed cost last take have contain weigh need go fall drop lie rise"))
      return std::nullopt;
    return Verdict{i, end, true};
  }

  static constexpr std::string_view kHelpers =
      "is are be being get gets becomes become will would can may must should shall do does to then thus therefore "
      "automatically always immediately yet longer no also any at all normally generally still considered regarded as "
      "was were has have had been";
  static constexpr std::string_view kBehindVerdict =
      "if when with above below over under for from at after beyond are is more less fewer who whoever all any";

  const std::vector<Token>& tokens_;
  bool unclear_ = false;
};

// "A third absence excludes": the ordinal behind "a" or "the", and before a noun.
std::optional<int> ordinal_in(const std::vector<Token>& tokens, const Verdict& verdict) {
  static constexpr std::pair<std::string_view, int> kOrdinals[] = {
      {"second", 2}, {"third", 3},  {"fourth", 4}, {"fifth", 5}, {"sixth", 6}, {"seventh", 7},
      {"eighth", 8}, {"tenth", 10}, {"2nd", 2},    {"3rd", 3},   {"4th", 4},   {"5th", 5},
      {"6th", 6},    {"7th", 7},    {"8th", 8},    {"9th", 9},   {"10th", 10}};
  std::optional<int> found;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const auto* row = std::find_if(std::begin(kOrdinals), std::end(kOrdinals),
                                   [&](const auto& one) { return one.first == tokens[i].text; });
    if (row == std::end(kOrdinals)) continue;
    const bool article = has_word("a the", tokens[i - 1].text);
    const bool noun = i + 1 != verdict.begin && tokens[i + 1].before == ' ' && tokens[i + 1].text != "of" &&
                      !has_word("time attempt try year month week day term semester", tokens[i + 1].text);
    if (found || !article || !noun) return std::nullopt;
    found = row->second;
  }
  return found;
}

}  // namespace

std::optional<SaidRefusal> refused_said(std::string_view prose, NumberPool& pool) {
  std::string rest = in_lower_case(prose);
  const std::vector<Token> tokens = tokens_of(rest);
  const std::optional<Verdict> verdict = VerdictReader(tokens).read();
  if (!verdict) return std::nullopt;
  const std::size_t from = tokens[verdict->begin].begin, to = tokens[verdict->end - 1].end;
  const auto number = std::find_if(tokens.begin(), tokens.end(), [](const Token& token) {
    return is_digit(token.text[0]) || number_said(token.text).has_value();
  });
  const std::size_t at = static_cast<std::size_t>(number - tokens.begin());
  bool divided = false;  // a sign divides the verdict from the bound, and does not stand beside it
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i >= verdict->begin && i < verdict->end) continue;
    const bool more =
        i + 1 < tokens.size() && has_word("more less fewer higher lower longer older", tokens[i + 1].text);
    const bool denies = has_word("not no never nobody cannot", tokens[i].text) && (i == 0 || i > at);
    if (denies || has_word("otherwise else unless except but others only nor instead rest until", tokens[i].text) ||
        (tokens[i].text == "or" && !more))
      return std::nullopt;
    const bool between = (i > at && i <= verdict->begin) || (i <= at && i > verdict->end);
    divided = divided || (between && has_word(", ; . -", std::string(1, tokens[i].before)));
  }
  rest.replace(from, to - from, std::string(to - from, ' '));
  SaidRefusal said;
  if (const std::optional<int> ordinal = number == tokens.end() ? ordinal_in(tokens, *verdict) : std::nullopt) {
    if (divided) return std::nullopt;
    said.bound.op = ">=", said.bound.number.value = whole(*ordinal);
    return said;
  }
  const std::optional<SaidBound> bound = bound_said(rest, pool, true);
  if (!bound || bound->either || bound->must || opposite_of(bound->op).empty()) return std::nullopt;
  // "At least 3 sources: reports without them are refused", "More than 2 absences, not passed"
  const bool beside =
      tokens[verdict->begin].before != ' ' || (verdict->end < tokens.size() && tokens[verdict->end].before != ' ');
  const bool colon = tokens[verdict->begin].before == ':';
  if ((divided && !beside) || (bound->demands && (divided || colon))) return std::nullopt;
  said.bound = *bound;
  said.bound.demands = false;
  const bool leads =
      at < verdict->begin && at > 0 && !verdict->amount && std::none_of(tokens.begin(), number, [](const Token& token) {
        return has_word("if when with for after who whoever claims", token.text);
      });
  const BoundWords* row = bound_words(
      BoundWords::demands | BoundWords::states | BoundWords::sentences, BoundWords::before,
      [&tokens](std::size_t k) { return k < tokens.size() ? std::string_view(tokens[k].text) : std::string_view(); });
  if (leads && row != nullptr && row->count() == at) {
    for (std::size_t i = at + 1; i < verdict->begin; ++i) said.counted.push_back(tokens[i].text);
  }
  return said;
}

std::optional<SaidAllowance> allowed_said(std::string_view prose, NumberPool& pool) {
  const std::vector<std::string> words = words_of(prose);
  const auto allowed = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return has_word("allowed permitted tolerated excused forgiven", word);
  });
  if (allowed == words.end() || allowed + 1 != words.end() || words.size() < 4 || !has_word("are is", *(allowed - 1)))
    return std::nullopt;
  std::size_t at = 0;
  if (words[0] == "up" && words[1] == "to") at = 2;
  if (has_word("only just", words[0])) at = 1;
  const auto said = numbers_with_words(prose, pool);
  const bool number = is_digit(words[at][0]) || number_said(words[at]).has_value();
  if (!number || said.size() != 1 || said[0].first.percent || said[0].second != words[at + 1]) return std::nullopt;
  if (has_word("not no never more less fewer least", words)) return std::nullopt;
  return SaidAllowance{said[0].first, said[0].second};
}

}  // namespace assay
