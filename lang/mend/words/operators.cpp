// The words between values, such as 'and' and 'in', with one letter too many, too few, wrong or in another place, or
// without the blank beside them. Short words are near to many others, so each reading is a choice: the one that compiles.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

constexpr std::string_view kBetween[] = {"and",  "or",  "in", "not",   "is",      "when",
                                         "else", "for", "by", "where", "default", "while"};

bool stands_between(std::string_view word) {
  return std::find(std::begin(kBetween), std::end(kBetween), word) != std::end(kBetween);
}

class Words {
 public:
  Words(const Window& window, Proposals& out) : tokens_(window.tokens), out_(out), known_(window.tokens) {}

  // n > 3 ro late, n not inn [1, 2], flag f when nto late
  void misspelt(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind != Kind::word || token.first || i == 0 || is_known(token.shown)) return;
    if (among(token.shown, {"nor", "xor", "then", "than", "if", "of"})) return;  // they say what they say elsewhere
    if (!tokens_[i + 1].value() && !among(tokens_[i + 1].shown, {"(", "[", "-", "{"})) return;
    if (tokens_[i + 1].first) return;
    const bool behind_value = tokens_.ends_value(i - 1) || tokens_.is(i - 1, "not");
    for (const std::string_view word : kBetween) {
      if (!behind_value && word != "not") continue;
      constexpr std::size_t kShort = 2;  // 'o' and 'i' are no slips, nor is another letter of a short word
      const bool other_word = word.size() == kShort && (token.shown.size() < kShort || is_replaced(token.shown, word));
      if (!other_word && slip_of(token.shown, word) != Slip::none)
        out_.add_choice(token.begin, token.end, std::string(word));
    }
    if (behind_value && among(token.shown, {"no", "nt"}) && tokens_.is(i + 1, "in"))
      out_.add_choice(token.begin, token.end, "not");
  }

  // n notin [1, 2], flag f whenlate, n > 3and late, lateand ill
  void glued(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.first || i == 0) return;
    if (token.kind == Kind::number) return behind_digits(token);
    if (token.kind != Kind::word || is_known(token.shown)) return;
    for (std::size_t cut = 1; cut < token.shown.size(); ++cut) {
      const std::string_view head = token.shown.substr(0, cut), rest = token.shown.substr(cut);
      const bool begins = stands_between(head) && (is_known(rest) || find_builtin(rest) != nullptr);
      const bool ends = stands_between(rest) && is_value(head);
      if (begins || ends) out_.add_choice(token.begin + cut, token.begin + cut, " ");
    }
  }

  // for x n xs, for xs as x
  void loops(std::size_t i) {
    if (i < 2 || !tokens_.is(i - 2, "for") || tokens_[i - 1].kind != Kind::word || tokens_[i].first) return;
    const Token& token = tokens_[i];
    if (tokens_.is(i, "as") && tokens_[i + 1].kind == Kind::word && known_.declares(tokens_[i - 1].shown))
      return out_.add_choice(tokens_[i - 1].begin, tokens_[i + 1].end,
                             std::string(tokens_[i + 1].shown) + " in " + std::string(tokens_[i - 1].shown));
    const bool list = tokens_[i + 1].kind == Kind::word || tokens_.is(i + 1, "[");
    if (list && !tokens_[i + 1].first) out_.add_choice(token.begin, token.end, "in");
    else if (token.kind == Kind::word) out_.add_choice(token.begin, token.begin, "in ");
  }

  // [x.p for in xs]: the variable is what has fields
  void lost_variable(std::size_t i) {
    if (i == 0 || !tokens_.is(i, "in") || !tokens_.is(i - 1, "for")) return;
    std::size_t open = i;
    while (open > 0 && !tokens_[open].starts && !(tokens_.opens(open) && tokens_[open].partner > i)) --open;
    for (std::size_t k = open + 1; k < i; ++k) {
      const bool fields = tokens_[k].kind == Kind::word && tokens_.is(k + 1, ".") && !tokens_.is(k - 1, ".");
      if (!fields || is_known(tokens_[k].shown)) continue;
      return out_.add_choice(tokens_[i].begin, tokens_[i].begin, std::string(tokens_[k].shown) + " ");
    }
  }

  // [xp for x in xs]: the point of a field
  void lost_point(std::size_t i) {
    const Token& token = tokens_[i];
    for (std::size_t cut = 1; token.kind == Kind::word && cut < token.shown.size(); ++cut) {
      if (known_.bound.count(token.shown.substr(0, cut)) != 0 && known_.is_field(token.shown.substr(cut)))
        out_.add_choice(token.begin + cut, token.begin + cut, ".");
    }
  }

  // min n, 5)
  void lost_bracket(std::size_t i) {
    if (i == 0 || find_builtin(tokens_[i - 1].shown) == nullptr || tokens_[i].first || !tokens_[i].value()) return;
    std::size_t close = i;
    while (!tokens_[close].first && !tokens_.closes(close) && close + 1 < tokens_.size()) close = tokens_.behind(close);
    if (tokens_.is(close, ")") && tokens_[close].partner == kNone)
      out_.add_choice(tokens_[i - 1].end, tokens_[i].begin, "(");
  }

 private:
  bool is_known(std::string_view word) const { return is_value(word) || is_reserved(word) || stands_between(word); }
  bool is_value(std::string_view word) const {
    return known_.declares(word) || known_.bound.count(word) != 0 || known_.is_field(word) ||
           among(word, {"true", "false", "missing", "given", "score", "composite"});
  }
  static bool is_replaced(std::string_view typed, std::string_view meant) {
    return typed.size() == meant.size() && typed.substr(0, 1) != meant.substr(1, 1);
  }
  void behind_digits(const Token& token) {
    const std::string_view text = tokens_.text();
    const std::size_t digits = text.find_first_not_of("0123456789.%", token.begin);
    if (digits == text.npos) return;
    std::size_t end = digits;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const std::string_view word = text.substr(digits, end - digits);
    if (stands_between(word)) out_.add_choice(digits, digits, " ");
  }

  const Tokens& tokens_;
  Proposals& out_;
  KnownNames known_;
};

}  // namespace

void operator_words(const Window& window, Proposals& out) {
  const std::string& code = window.problem.code;
  if (!code.starts_with("E01") && code != "E0301") return;
  Words words(window, out);
  for (std::size_t i = window.at > 0 ? window.at - 1 : 0; i <= window.at + 1 && i < window.end; ++i) {
    words.misspelt(i);
    words.glued(i);
  }
  words.loops(window.at);
  words.lost_variable(window.at);
  words.lost_point(window.at);
  words.lost_bracket(window.at);
}

}  // namespace assay::mending
