// Proposals for one problem: edits that may turn the habits of another language, a spreadsheet or a word processor into
// the corresponding text of this language. They only consider the text around the problem, so some are wrong; the
// caller compiles each and keeps the first that helps. Nothing here compiles.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <assay/diagnostic.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {

// One proposal: edits of one file, sorted by place.
struct Proposal {
  std::vector<Edit> edits;
  bool certain = false;  // see Suggestion; only if the result turns out to compile further
  bool choice = false;   // one of several that are as likely, among which examples can decide
};

// The likeliest first, at most `most`. `name` is the file of the text.
std::vector<Proposal> propose(const std::string& name, std::string_view text, const Diagnostic& problem,
                              std::size_t most);

// The keys of the table that this rubric reads from a file; empty: it reads none from there.
std::vector<std::string> keys_of_table(std::string_view rubric, std::string_view file);
// A CSV file as the table with these keys that its author means. `name` and `text` are those of the file.
std::vector<Proposal> propose_table(const std::string& name, std::string_view text,
                                    const std::vector<std::string>& keys);

// Weights of a rubric that do not add up, each changed by what is missing or too much: only an example can tell which.
std::vector<Proposal> propose_weights(const std::string& name, std::string_view text, const Diagnostic& problem);

// Takes away the line of a problem where it only repeats the one before: a row, an example or an advice twice.
std::optional<Edit> line_again(const std::string& name, std::string_view text, const Diagnostic& problem);

// ---- the sources of proposals, in this order; `window`: the tokens of the declarations around the problem

struct Window {
  const Tokens& tokens;
  std::size_t begin, end;  // of the tokens to examine
  std::size_t at;          // the token at the problem
  const Diagnostic& problem;
};
class Proposals;  // collects them

void rewrite(const Window& window, Proposals& out);    // rewrites.def
void translate(const Window& window, Proposals& out);  // functions and expressions of other languages
void kinds(const Window& window, Proposals& out);      // of inputs, fields and dimensions
void close_brackets(const Window& window, Proposals& out);
void reorder(const Window& window, Proposals& out);             // parts of a declaration in another order
void complete(const Window& window, Proposals& out);            // what a declaration lacks: percent signs, quotes
void slips(const Window& window, Proposals& out);               // of the keyboard
void keystrokes(const Window& window, Proposals& out);          // one too many, or one that is lost
void spelling(const Window& window, Proposals& out);            // of the words of the language
void operator_words(const Window& window, Proposals& out);      // such as 'and', misspelt or without a blank
void lost_between(const Window& window, Proposals& out);        // operators and words between two values
void joined_parts(const Window& window, Proposals& out);        // of examples, texts and declarations
void repeated_operators(const Window& window, Proposals& out);  // 2 ** 3
void names(const Window& window, Proposals& out);               // that the language does not allow
void letters(const Window& window, Proposals& out);             // of names: größe
void missing_quotes(const Window& window, Proposals& out);
void missing_commas(const Window& window, Proposals& out);
void values_as_calls(const Window& window, Proposals& out);
void call_brackets(const Window& window, Proposals& out);
void names_behind(const Window& window, Proposals& out);             // a 'where' behind what has to follow it
void orders_behind(const Window& window, Proposals& out);            // a 'by' before the other clauses of a loop
void gates_in_blocks(const Window& window, Proposals& out);          // gate name "text" { a b }
void raised_errors(const Window& window, Proposals& out);            // raise "text" unless a
void values_of_runs(const Window& window, Proposals& out);           // what a cohort computes, outside of it
void conditions_side_by_side(const Window& window, Proposals& out);  // when a b, of two conditions
void named_by_their_text(const Window& window, Proposals& out);      // deductions and bonuses of a loop
void problems_of_names(const Window& window, Proposals& out);
void declared_twice(const Window& window, Proposals& out);
void comments(const Window& window, Proposals& out);           // of other languages
void texts(const Window& window, Proposals& out);              // with places for values
void cells(const Window& window, Proposals& out);              // of tables
void numbers(const Window& window, Proposals& out);            // units, thousands, dates
void dimension_weights(const Window& window, Proposals& out);  // that are missing, or no percentages
void absent_weights(const Window& window, Proposals& out);     // the word without its number
void grades(const Window& window, Proposals& out);             // bands in other forms
void blocks_of_others(const Window& window, Proposals& out);
void sections_of_items(const Window& window, Proposals& out);   // blocks that hold several declarations
void single_statements(const Window& window, Proposals& out);   // read part by part
void conditional_blocks(const Window& window, Proposals& out);  // statements under 'if'
void examples_of_others(const Window& window, Proposals& out);
void tests_of_others(const Window& window, Proposals& out);    // functions that compare a verdict
void misplaced_parts(const Window& window, Proposals& out);    // criteria beside a dimension, levels in words
void levels_in_columns(const Window& window, Proposals& out);  // tables of criteria and levels
void chains(const Window& window, Proposals& out);             // score.cap(3).when(late)
void places(const Window& window, Proposals& out);             // declarations outside of the rubric
void lines_of_others(const Window& window, Proposals& out);    // rankings, scales, lines without their word
void rows_of_tables(const Window& window, Proposals& out);     // without bars
void imports(const Window& window, Proposals& out);
void hooks(const Window& window, Proposals& out);  // the words around the source of a hook
void documents(const Window& window, Proposals& out);
void tables_of_sql(const Window& window, Proposals& out);
void marks_of_documents(const Window& window, Proposals& out);  // of Markdown
void records_of_outputs(const Window& window, Proposals& out);  // return { a: x }
void frames(const Window& window, Proposals& out);              // blocks without braces
void outline(const Window& window, Proposals& out);             // YAML, JSON and Markdown
void expected(const Window& window, Proposals& out);            // a word for a sign

bool is_filler(std::string_view word);  // a word that only makes it a sentence

// The places of '//' where it begins a comment.
std::vector<std::size_t> slash_comments(std::string_view text);
// The quotation marks of a key that stands alone before this colon; empty: there is none.
std::vector<std::size_t> marks_of_key(std::string_view text, std::size_t colon);
// Puts the comments in the text that an edit replaces beside what they are about; the edit may grow to the beginning of
// its line, but not before `free`, where another one ends, and over the comment behind it. `above`: receives those of
// lines of which nothing stays; null: they stay where they are. False: one of them would be lost.
bool keep_remarks(std::string_view text, std::size_t free, Edit& edit, std::vector<std::string>* above);

class Proposals {
 public:
  Proposals(std::string name, std::string_view text, std::size_t at);
  void add(std::size_t begin, std::size_t end, std::string text, bool certain);
  void add(std::vector<Edit> edits, bool certain);
  void add_here(std::vector<Edit> edits);  // certain ones, as near as can be, of which nothing else is asked
  Edit edit(std::size_t begin, std::size_t end, std::string text) const { return {name_, begin, end, std::move(text)}; }
  void add_choice(std::size_t begin, std::size_t end, std::string text);  // as near as can be
  std::vector<Proposal> take(std::size_t most);

 private:
  struct Ranked {
    Proposal proposal;
    std::size_t distance;  // bytes between the problem and the edit
  };
  void with_line_ends(Edit& edit) const;
  std::string name_;
  std::string_view text_;
  std::size_t at_;
  bool crlf_;
  std::vector<std::pair<std::size_t, std::size_t>> long_texts_;  // between three quotation marks
  std::vector<Ranked> list_;
};

}  // namespace assay::mending
