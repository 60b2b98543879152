// The diagnostics of one run of the checker: each mistake is reported once, consequences of an unreadable declaration
// are not reported, and a mistake inside a function names the calls that lead to it.
#pragma once

#include "lang/text/budget.hpp"
#include "lang/text/source.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay {

class Reports {
 public:
  Reports(Sources& sources, Diagnostics& diagnostics, Budget& budget)
      : sources_(sources), diagnostics_(&diagnostics), budget_(budget) {}

  Diagnostic& error(Code code, Span span, std::string message, std::string label, FixIt fix);
  bool is_unread(Span span) const;
  void note_unread();  // call after parsing the files and before checking

  // functions being checked: the place and the arguments of each call
  std::vector<std::pair<Span, std::string>> calls;

 private:
  bool follows_from_syntax(Code code, Span span) const;

  Sources& sources_;
  Diagnostics* diagnostics_;
  Budget& budget_;
  std::set<std::pair<std::uint64_t, int>> reported_;  // place, code: functions are checked more than once
  bool partial_ = false;                              // parts of the text could not be read:
  std::set<std::pair<std::uint32_t, int>> unread_;    // on these lines of files
  std::set<std::string, std::less<>> unread_words_;   // and these words occur in the surrounding declarations
  bool unread_import_ = false;                        // an unreadable import, which may declare anything
  Diagnostic swallowed_;
};

}  // namespace assay
