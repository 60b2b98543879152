// The meaning of words in names and prose, from the rows of words.def, measures.def, poles.def, topics.def
// and orders.def.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

enum class WordRole : std::uint8_t {
  good,
  bad,
  passed,
  failed,
  turns,
  measure,
  mark,
  marked,
  weighty,
  acts,
  best,
  last,
  much,
  little,
  plain,
  doubts,
  excuses,
  again,
  entire,
  done,
  topmost,
  lowermost,
  finest,
  weakest,
  averaged,
  summed,
  shared,
  grows,
  recent,
  oldest,
  differs,
  reduces,
  weighs,
  dated,
  placing,
  overdue,
  deadline,
  upwards,
  downwards,
  betters,
  worsens,
  larger,
  lesser,
  large,
  small,
  admitted,
  sufficient,
  refused,
  forbidden,
  refuses,
  refusal
};
enum class WordTopic : std::uint8_t { none, speed, price, noise, use };

// The words of a name or a text, in lower case: "load_time" and "Load time!" have two.
std::vector<std::string> words_of(std::string_view text);
bool says(std::string_view text, WordRole role);  // one of its words has this role
bool excused(std::string_view text);  // its words show that the author means it as written: "Too good to be true"
bool is_word(std::string_view text, WordRole role);  // it is one word with this role
// Whether texts are steps whose order the alphabet does not keep: low, medium, high.
bool alphabet_misleads(const std::vector<std::string>& texts);

// The places of labels in an order of orders.def that has all of them, from the lowest up: "never" 0, "always" 7. Empty: none
// has, or two of them have one place. `either`: the best may be in the middle, as of small and large.
struct Ranked {
  std::vector<int> places;
  bool either = false;
};
Ranked ranked(const std::vector<std::string>& labels);

// Whether a list of words separated by blanks has this one.
bool has_word(std::string_view list, std::string_view word);
bool has_word(std::string_view list, const std::vector<std::string>& words);  // one of them

// Whether a high value is good, judging by its name: 1 good, -1 bad, 0 unknown.
struct NameSense {
  int good = 0;
  WordTopic topic = WordTopic::none;
  std::string word;  // the deciding word
};
NameSense sense_of(std::string_view name);

// What an adjective says of a value of this name: 1 it is large, -1 small, 0 nothing: "dry" of soil_moisture is small, and
// "fast" of seconds. `named`: only where the name says what is measured.
int way_said(std::string_view adjective, std::string_view name, bool named = false);
// What a verb of advice does to it: 1 raises it, -1 lowers it, 0 nothing: "water", of soil_moisture.
int change_said(std::string_view verb, std::string_view name);
bool is_measured_word(std::string_view word);  // an adjective of a measure: long, cold, expensive

// The end of one thing that a text is about, by its only such words: "Every fact is right", "Hardly heard at all".
struct Pole {
  std::size_t row = 0;  // two ends of one row are opposites
  int sign = 0;         // 1 the good end, -1 the bad one, 0 neither
};
Pole pole_said(std::string_view text);

bool akin(std::string_view a, std::string_view b);  // forms of one word: claim and claims, harmless and harmlessness

// The words of a text that say what it is about: not those of grammar, and no numbers. `heads` are their first four letters,
// which all forms of a word have in common, and others may have as well.
std::vector<std::uint32_t> heads_of(std::string_view text);
// What the forms of each have in common: "writ" of writing and written.
std::vector<std::string> stems_of(std::string_view text);
std::uint64_t topics_of(
    const std::vector<std::string>& stems);  // the rows of topics.def that have one of them, as bits

// Whether two names are of opposite things that together are all: passed and failed, tests_won and tests_lost.
bool are_opposites(std::string_view a, std::string_view b);

// The only word that differs in two names: "home" and "away" of home_points and away_points.
std::optional<std::pair<std::string, std::string>> only_difference(const std::string& a, const std::string& b);

// Whether one name counts some of what the other one counts all of: passed and total, tests_passed and tests.
bool counts_some(std::string_view part, std::string_view all);

}  // namespace assay
