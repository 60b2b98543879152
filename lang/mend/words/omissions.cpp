// What is lost between two values that stand side by side: an operator, a word such as 'when' or 'else', a bar, a brace. Each
// reading is a choice: the one that compiles, or with which the examples hold.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/model/builtin_rows.hpp"

#include <string>
#include <string_view>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

class Omissions {
 public:
  Omissions(const Window& window, Proposals& out)
      : tokens_(window.tokens), problem_(window.problem), out_(out), at_(window.at), known_(window.tokens) {}

  // given { taste: 8 expect { … }, | otherwise 9 |
  void certain_ones() {
    const std::string_view message = problem_.message.str();
    if (among(tokens_[at_].shown, {"expect", "given", "error", "context", "weights"}) && at_ > 0 &&
        message.starts_with("expected ','") && tokens_.is(tokens_.head(at_), "example"))
      out_.add_here({out_.edit(tokens_[at_ - 1].end, tokens_[at_ - 1].end, " }")});
    if (message.starts_with("expected '|' after the cell") && tokens_[at_].value()) insert("|");
    if (message.starts_with("expected ':'") && at_ > 0 && tokens_[at_ - 1].kind == Kind::word && !tokens_[at_].first)
      out_.add_here({out_.edit(tokens_[at_ - 1].end, tokens_[at_ - 1].end, ":")});
    if (among(tokens_[at_].shown, {"true", "false"}) && at_ > 0 && tokens_.is(at_ - 1, "bool")) insert("default");
  }

  // due / months months = 12 * years: the word before the names of parts
  void lost_where() {
    if (tokens_[at_].kind != Kind::word || !tokens_.is(at_ + 1, "=") || !ends_value(at_)) return;
    const std::size_t head = tokens_.head(at_);
    if (!among(tokens_[head].shown, {"let", "output", "deduction", "bonus", "gate", "dimension", "flag"})) return;
    bool used = false, where = false;
    for (std::size_t k = head + 1; k < at_; ++k) {
      used = used || (k > head + 2 && tokens_.is(k, tokens_[at_].shown));
      where = where || tokens_.is(k, "where");
    }
    if (used && !where) insert("where");
  }

  // [d for d in days d <= 5], 5 when late 0, d in days when d ["Mon", "Tue"]
  void words() {
    if (!behind_value()) return;
    std::size_t open = at_;
    while (open > 0 && !tokens_[open].starts &&
           !(tokens_.opens(open) && tokens_[open].partner != kNone && tokens_[open].partner > at_))
      --open;
    bool loop = false, when = false;
    for (std::size_t k = open + 1; k < at_; k = tokens_.behind(k)) {
      if (tokens_.is(k, "for")) loop = true, when = false;
      when = (when || tokens_.is(k, "when")) && !tokens_.is(k, "else");
    }
    const bool literal = tokens_[at_].kind == Kind::number || tokens_[at_].kind == Kind::text;
    const auto choose = [&](std::string_view word) {
      out_.add_choice(tokens_[at_].begin, tokens_[at_].begin, std::string(word));
    };
    if (when && literal && !loop) choose("else ");
    if (loop && !when) choose("when ");
  }
  void lost_in() {
    for (std::size_t open = at_ > 2 ? at_ - 2 : 1; open <= at_ && open > 0; ++open) {
      const bool list = tokens_.is(open, "[") && tokens_[open].begin > tokens_[open - 1].end && !tokens_[open].first &&
                        tokens_[open + 1].value() && tokens_.is(open + 2, ",");
      if (list && tokens_[open - 1].kind == Kind::word)
        out_.add_choice(tokens_[open].begin, tokens_[open].begin, "in ");
    }
  }

  // washed  cooked, 0.5  floor(x): only an example can tell which operator it was; late not ill.
  void lost_operator() {
    std::size_t i = at_;
    if (i > 0 && tokens_.is(i - 1, "not")) --i;  // expected 'in' after 'not'
    if (!behind_value(i) || !begins_value(i)) return;
    if (tokens_.is(i, "not") && tokens_[i + 1].kind != Kind::word) return;
    if (tokens_.is(i, "not")) return out_.add_choice(tokens_[i].begin, tokens_[i].begin, "and ");
    bool example = false, when = false;
    for (std::size_t k = tokens_.head(i); k < i; ++k) when = when || tokens_.is(k, "when");
    for (std::size_t k = 0; k < tokens_.size() && !example; ++k)
      example = tokens_[k].starts && tokens_.is(k, "example");
    if (!example ||
        among(tokens_[tokens_.head(i)].shown, {"input", "type", "example", "table", "bands", "rubric", "rank"}))
      return;
    // Between the items of a list or the arguments of a call a comma is lost.
    const bool comma =
        problem_.message.str().starts_with("expected ','") || tokens_[i].is_text() || tokens_[i - 1].is_text();
    for (const std::string_view sign : {"* ", "+ ", "- ", "/ "}) {
      if (!comma) out_.add_choice(tokens_[i].begin, tokens_[i].begin, std::string(sign));
    }
    if (!when && tokens_[i].kind == Kind::number && tokens_[i - 1].kind == Kind::word)
      out_.add_choice(tokens_[i].begin, tokens_[i].begin, "default ");
  }

  // { score: 15..2 }, of an example: the point of a number, twice
  void doubled_point() {
    if (tokens_[at_].kind == Kind::number && tokens_.is(at_ + 1, "..") && tokens_[at_ + 2].kind == Kind::number)
      out_.add_choice(tokens_[at_ + 1].begin, tokens_[at_ + 1].end, ".");
  }

  // sum(hours(l for l in legs): the end of the call inside
  void lost_end_of_call() {
    if (problem_.code != "E0103" && problem_.code != "E0101") return;
    for (std::size_t i = at_, steps = 0; i > 1 && steps < 40 && !tokens_[i].starts; --i, ++steps) {
      const bool loop = tokens_.is(i, "for") && tokens_.is(i + 2, "in") && tokens_.ends_value(i - 1);
      if (!loop) continue;
      std::size_t open = i;
      while (open > 0 && !tokens_[open].starts && !(tokens_.is(open, "(") && tokens_[open].partner + 1 > i)) --open;
      const bool call = tokens_.is(open, "(") && open > 1 && tokens_[open - 1].kind == Kind::word &&
                        known_.functions.count(tokens_[open - 1].shown) != 0 && tokens_.is(open - 2, "(");
      if (call) return out_.add_choice(tokens_[i - 1].end, tokens_[i - 1].end, ")");
    }
  }

 private:
  void insert(std::string_view word) {
    out_.add_here({out_.edit(tokens_[at_].begin, tokens_[at_].begin, std::string(word) + " ")});
  }
  bool ends_value(std::size_t i) const {
    return i > 1 && !tokens_[i].first && tokens_.ends_value(i - 1) && tokens_[i].begin > tokens_[i - 1].end;
  }
  bool behind_value(std::size_t i) const {
    return ends_value(i) && (tokens_[i - 1].kind != Kind::word || names_value(i - 1));
  }
  bool names_value(std::size_t i) const {
    const std::string_view name = tokens_[i].shown;
    return known_.declares(name) || known_.bound.count(name) != 0 || known_.is_field(name) || tokens_.is(i - 1, ".");
  }
  bool behind_value() const { return behind_value(at_) && begins_value(at_); }
  bool begins_value(std::size_t i) const {
    const Token& t = tokens_[i];
    if (t.kind != Kind::word) return t.kind == Kind::number || t.kind == Kind::text || tokens_.is(i, "(");
    return names_value(i) || tokens_.is(i, "not") ||
           (tokens_.is(i + 1, "(") && (find_builtin(t.shown) != nullptr || known_.functions.count(t.shown) != 0)) ||
           tokens_.is(i + 1, "=");
  }

  const Tokens& tokens_;
  const Diagnostic& problem_;
  Proposals& out_;
  std::size_t at_;
  KnownNames known_;
};

}  // namespace

void lost_between(const Window& window, Proposals& out) {
  Omissions omissions(window, out);
  if (window.problem.code == "E0406") omissions.doubled_point();
  if (!window.problem.code.starts_with("E01")) return;
  omissions.certain_ones();
  omissions.lost_where();
  omissions.words();
  omissions.lost_in();
  omissions.lost_operator();
  omissions.lost_end_of_call();
}

}  // namespace assay::mending
