// How good a suggestion is: the problems of a rubric before and after its edits, compared.
#pragma once

#include <assay/diagnostic.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace assay::mending {

using Texts = std::map<std::string, std::string, std::less<>>;  // by file; other files come from the importer

inline bool is_syntax(const Diagnostic& d) { return d.code.size() == 5 && d.code.substr(0, 3) == "E01"; }
inline bool is_unknown_name(const Diagnostic& d) { return d.code == "E0301"; }
inline bool is_error(const Diagnostic& d) { return d.severity == Severity::error; }
// Whether some edit may answer a diagnostic of this code: no reason in remedies.def says why none can.
bool has_remedy(std::string_view code);

// The texts after the edits; nothing if the edits do not fit.
std::optional<Texts> applied(const Texts& texts, const std::vector<Edit>& edits);
// Whether what a diagnostic is about contains the text of an edit, or lies in it.
bool touches(const Diagnostic& d, const std::vector<Edit>& edits);

// A name that was used on the lines of the edits and no longer is, of those that the edited text declares, or `any`: what
// an author declares is no filler. Empty: none.
std::string lost_name(const Texts& before, const Texts& after, const std::vector<Edit>& edits, bool any);

// Whether a number behind 'and' or 'or' on the lines of the edits is gone, or a text that was an operand has become prose.
bool loses_operand(const Texts& before, const std::vector<Edit>& edits);
// Whether a number on the lines of the edits keeps its digits and loses a unit other than that of its value: 30 min, of
// seconds.
bool drops_unit(const Texts& before, const std::vector<Edit>& edits);
// Whether fewer declarations that judge begin on the lines of the edits than before: 'gate > 3', taken as the bound of the
// input above it. Lines that stand there once more do not count.
bool loses_declaration(const Texts& before, const Texts& after, const std::vector<Edit>& edits);

// Whether an edit of the checker's only takes a keystroke back: it writes a word that the text has, and no other name is as
// near to the one that it replaces; or the point of a number.
bool takes_keystroke_back(std::string_view text, const Diagnostic& problem, const std::vector<Edit>& edits);

// Whether a text is a step from one to another: no token that it changes has to be changed again.
bool is_step(std::string_view before, std::string_view step, std::string_view after);

// The quality of a trial; less is better.
struct Rank {
  bool helps = false;
  std::size_t syntax = 0, fresh = 0, errors = 0;
  std::size_t unread = 0;  // bytes from the first new syntax error to the end of the text
  bool within = false;     // a new mistake is in the text of an edit: one of several habits in one place, or nonsense
  bool beside = false;     // a new mistake is on a line of the edits: that still cannot be read
  std::string doubt;       // a new error on the lines of an edit, about what was not there before; empty: none
  bool operator<(const Rank& o) const {
    return std::tie(within, syntax, fresh, errors, unread) < std::tie(o.within, o.syntax, o.fresh, o.errors, o.unread);
  }
};

// The quality of edits that answer a problem, from what is wrong before and after them.
Rank compare(const Texts& texts, const Diagnostic& problem, const std::vector<Diagnostic>& before,
             const std::vector<Diagnostic>& after, const std::vector<Edit>& edits);

}  // namespace assay::mending
