// Whether a condition is what has to be, or what is wrong: words tell where a declaration leaves it open.
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

namespace assay::mending {
namespace {

// Whether the words say what is wrong: 'Nobody answered', 'Too late', 'missing_tests'. A fault that is denied is none:
// 'No test fails', 'not_late'; and a bound says what has to be: 'No more than 2 tests fail'.
bool speaks_of_failure(std::string_view words) {
  static constexpr std::string_view kDenials[] = {"no",    "not",     "nobody", "nothing", "none",
                                                  "never", "without", "cannot", "neither"};
  static constexpr std::string_view kFaults[] = {
      "missing",    "lacks",        "lack",      "lacking",    "fails",  "failed",  "failure",  "failures",
      "fail",       "too",          "unsafe",    "below",      "late",   "absent",  "broken",   "error",
      "errors",     "insufficient", "rejected",  "banned",     "exceed", "exceeds", "exceeded", "invalid",
      "incomplete", "disqualified", "forbidden", "plagiarism", "fraud",  "expired"};
  const std::string said = in_lower_case(words);
  bool denied = false, fault = false;
  for (std::size_t at = 0; at < said.size();) {
    const auto letter = [&said](std::size_t i) {
      return i < said.size() && std::isalpha(static_cast<unsigned char>(said[i])) != 0;
    };
    std::size_t end = at;
    while (letter(end)) ++end;
    const std::string_view word = std::string_view(said).substr(at, end - at);
    std::size_t than = end;  // no more than, not later than
    while (than < said.size() && !letter(than)) ++than;
    while (letter(than)) ++than;
    while (than < said.size() && !letter(than)) ++than;
    if (std::find(std::begin(kDenials), std::end(kDenials), word) != std::end(kDenials)) {
      if (said.compare(than, 4, "than") == 0 && !letter(than + 4)) return false;
      denied = true;
    }
    fault = fault || std::find(std::begin(kFaults), std::end(kFaults), word) != std::end(kFaults);
    at = std::max(end, at + 1);
  }
  return denied != fault;
}

}  // namespace

bool denies(std::string_view said) {
  return among(said, {"veto", "reject", "disqualify", "exclude", "knockout", "deny", "block", "forbid", "prohibit"});
}

void settle_gate(std::string_view said, Facts& facts) {
  if (facts.value.empty()) {
    facts.value = std::exchange(facts.when, {});
    const bool open = !facts.value.empty() && said == "gate";
    const bool fails = speaks_of_failure(facts.text.empty() ? facts.name : facts.text);
    // Prose and name that say nothing of a failure state what has to be.
    facts.guessed = facts.guessed || (open && (fails || facts.text.empty() || speaks_of_failure(facts.name)));
    if (open && fails) facts.value = negated_text(facts.value);
  }
  // veto moldy: what it names must not be
  if (!facts.value.empty() && denies(said)) facts.value = negated_text(facts.value);
}

// They state what has to be, or what is wrong in that case, and say so only if neither they nor the condition deny.
void settle_check(std::string_view begins, Facts& facts) {
  if (!among(begins, {"when", "unless", "if"})) return;
  const std::string words = in_lower_case(facts.text), asked = facts.value;
  const auto says = [](const std::string& text, std::initializer_list<std::string_view> any) {
    const Tokens tokens(text.size() > 1 && text[0] == '"' ? std::string_view(text).substr(1, text.size() - 2) : text);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (among(tokens[i].shown, any)) return true;
    }
    return false;
  };
  const bool has_to_be = says(words, {"must", "should", "shall", "has", "have", "need", "needs", "only"});
  const bool denied = says(words, {"not", "no", "never"}) || says(asked, {"not", "!="});
  // 'check unless' is an error unless it holds, or a check left out where it does.
  facts.guessed = facts.guessed || begins == "unless" || denied || has_to_be == speaks_of_failure(facts.text);
  if (begins == "unless" || !has_to_be) facts.value = negated_text(facts.value);
}

}  // namespace assay::mending
