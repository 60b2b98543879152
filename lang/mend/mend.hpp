// Proposals for one problem: edits that may turn what an author wrote with the habits of another language, of a
// spreadsheet or of a word processor into what the language means. They come from the text around the problem alone, so
// some of them are wrong; whoever asks compiles each of them and keeps the first that helps. Nothing here compiles.
#pragma once

#include "lang/mend/tokens.hpp"

#include <assay/diagnostic.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

// One proposal: edits of one file, in the order of their places.
struct Proposal {
  std::vector<Edit> edits;
  bool certain = false;  // see Suggestion, provided that the result turns out to compile further
};

// The likeliest first, at most `most`. `name` is the file that the text is of.
std::vector<Proposal> propose(const std::string& name, std::string_view text, const Diagnostic& problem,
                              std::size_t most);

// ---- the sources of proposals, in this order; `window` are the tokens of the declarations around the problem

struct Window {
  const Tokens& tokens;
  std::size_t begin, end;  // of the tokens that are looked at
  std::size_t at;          // the token of the problem
  const Diagnostic& problem;
};
class Proposals;  // collects them

void rewrite(const Window& window, Proposals& out);  // rewrites.def
void close_brackets(const Window& window, Proposals& out);
void reorder(const Window& window, Proposals& out);   // parts of a declaration in another order
void complete(const Window& window, Proposals& out);  // what a declaration lacks: percent signs, quotes
void comments(const Window& window, Proposals& out);  // of other languages
void texts(const Window& window, Proposals& out);     // with places for values
void numbers(const Window& window, Proposals& out);   // units, thousands, dates
void grades(const Window& window, Proposals& out);    // bands in other forms
void blocks_of_others(const Window& window, Proposals& out);
void outline(const Window& window, Proposals& out);  // YAML, JSON and Markdown

class Proposals {
 public:
  Proposals(std::string name, std::string_view text, std::size_t at) : name_(std::move(name)), text_(text), at_(at) {}
  void add(std::size_t begin, std::size_t end, std::string text, bool certain);
  void add(std::vector<Edit> edits, bool certain);
  Edit edit(std::size_t begin, std::size_t end, std::string text) const { return {name_, begin, end, std::move(text)}; }
  std::vector<Proposal> take(std::size_t most);

 private:
  struct Ranked {
    Proposal proposal;
    std::size_t distance;  // bytes between the problem and the edit
  };
  std::string name_;
  std::string_view text_;
  std::size_t at_;
  std::vector<Ranked> list_;
};

}  // namespace assay::mending
