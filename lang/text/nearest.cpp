// Suggestions for misspelled names: an edit distance, and the rule for which names are similar enough.
#include "lang/text/nearest.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

namespace assay {
namespace {

constexpr std::size_t kLongestName = 64;  // longer names are not compared: nobody mistypes them by a letter or two

// Edit distance where a swap of neighbours is one edit, ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, kLongestName + 1> before, previous, row;
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = to_lower(a[i - 1]) == to_lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + change});
      if (i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) && to_lower(a[i - 2]) == to_lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

// The characters that occur, without case, as bits. An edit changes at most two of them, which excludes most names
// without comparing them.
std::uint64_t characters_in(std::string_view name) {
  std::uint64_t bits = 0;
  for (const char c : name) bits |= std::uint64_t{1} << (static_cast<unsigned char>(to_lower(c)) % 64);
  return bits;
}

bool within_edits(std::uint64_t a, std::uint64_t b, std::size_t edits) {
  return static_cast<std::size_t>(std::popcount(a ^ b)) <= 2 * edits;
}

// The words of a name, in lower case. A word ends at any character that is neither letter nor digit, and before a
// capital after a small letter.
std::vector<std::string> words(std::string_view name) {
  std::vector<std::string> result;
  bool within = false, small = false;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    const bool part = capital || (c >= 'a' && c <= 'z') || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
    if (part && (!within || (capital && small))) result.emplace_back();
    if (part) result.back() += to_lower(c);
    within = part;
    small = part && !capital;
  }
  return result;
}

}  // namespace

NearestName::NearestName(std::string_view name)
    : name_(name),
      characters_(characters_in(name)),
      least_((name.size() <= 4   ? 1
              : name.size() <= 5 ? 2
                                 : (name.size() + 2) / 3) +
             1) {}

void NearestName::add(std::string_view candidate) {
  if (name_.empty() || name_.size() > kLongestName) return;
  if (candidate.size() > name_.size() && candidate.substr(0, name_.size()) == name_ &&
      (longer_.empty() || candidate.size() < longer_.size()))
    longer_ = candidate;
  const std::size_t gap =
      candidate.size() > name_.size() ? candidate.size() - name_.size() : name_.size() - candidate.size();
  if (gap >= least_ || candidate.size() > kLongestName || candidate == name_) return;
  if (!within_edits(characters_, characters_in(candidate), least_ - 1)) return;
  const std::size_t found = distance(name_, candidate);
  // A name of which nothing is left is no suggestion.
  if (found < least_ && found < std::min(name_.size(), candidate.size())) least_ = found, best_ = candidate;
}

// A word that was cut short says more than one that has other letters: 'out' is 'output' and not 'let'.
std::string_view NearestName::best() const {
  return least_ > 1 && name_.size() >= 3 && !longer_.empty() ? longer_ : best_;
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  NearestName near(name);
  for (const std::string_view candidate : candidates) near.add(candidate);
  return near.best();
}

namespace {

bool same_but_for_blanks(std::string_view name, std::string_view known) {
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name == known;
}

bool same_but_for_case(std::string_view name, std::string_view known) {
  return std::equal(name.begin(), name.end(), known.begin(), known.end(),
                    [](char a, char b) { return to_lower(a) == to_lower(b); });
}

}  // namespace

bool misspelt(std::string_view name, std::string_view known) {
  constexpr std::size_t kSame = 4, kExchanged = 5, kLong = 6, kVeryLong = 10;  // letters
  if (name == known || name.size() > kLongestName || known.size() > kLongestName) return false;
  if (same_but_for_blanks(name, known) || (known.size() > 2 && same_but_for_case(name, known))) return true;
  constexpr std::size_t kSeparators = 2;  // kinds of them, which count for nothing
  if (!within_edits(characters_in(name), characters_in(known), 2 + kSeparators)) return false;
  const std::vector<std::string> found = words(name), meant = words(known);
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
  };
  const std::string letters = joined(found);
  if (letters == joined(meant)) return letters.size() >= kSame;
  if (found.size() != meant.size()) return false;
  const auto [one, other] = std::mismatch(found.begin(), found.end(), meant.begin());
  if (!std::equal(one + 1, found.end(), other + 1)) return false;
  const std::size_t size = std::max(one->size(), other->size());
  const bool digits =
      std::any_of(one->begin(), one->end(), is_digit) || std::any_of(other->begin(), other->end(), is_digit);
  if (digits || one->front() != other->front()) return false;
  if (size >= kExchanged && slip_of(*one, *other) == Slip::exchanged) return true;
  if (size < kLong) return false;
  return distance(*one, *other) <= (size >= kVeryLong ? 2u : 1u);
}

Slip slip_of(std::string_view typed, std::string_view meant) {
  while (!typed.empty() && !meant.empty() && typed.front() == meant.front())
    typed.remove_prefix(1), meant.remove_prefix(1);
  while (!typed.empty() && !meant.empty() && typed.back() == meant.back())
    typed.remove_suffix(1), meant.remove_suffix(1);
  if (typed.size() == 2 && meant.size() == 2 && typed[0] == meant[1] && typed[1] == meant[0]) return Slip::exchanged;
  if (typed.size() + meant.size() == 1) return typed.empty() ? Slip::lost : Slip::added;
  return typed.size() == 1 && meant.size() == 1 ? Slip::replaced : Slip::none;
}

namespace {

// Whether the first words are all among the others; both are sorted.
bool among_words(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

std::vector<std::string> sorted_words(std::string_view name) {
  std::vector<std::string> result = words(name);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

std::string_view in_other_order(std::string_view name, const std::vector<std::string_view>& candidates) {
  static constexpr std::string_view kOrdered[] = {"per", "to", "from", "minus",  "over",  "by",
                                                  "vs",  "in", "than", "before", "after", "without"};
  if (name.size() > kLongestName) return {};
  const std::vector<std::string> own = sorted_words(name);
  if (own.size() < 2 || std::any_of(own.begin(), own.end(), [](const std::string& word) {
        return std::find(std::begin(kOrdered), std::end(kOrdered), word) != std::end(kOrdered);
      }))
    return {};
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestName || candidate == name || sorted_words(candidate) != own) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

std::string_view with_same_words(std::string_view name, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kSays = 4;  // letters: a shorter word alone says little
  if (name.size() < kSays || name.size() > kLongestName) return {};
  const std::vector<std::string> own = sorted_words(name);
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestName || candidate == name) continue;
    const std::vector<std::string> other = sorted_words(candidate);
    if (other == own) continue;  // see in_other_order()
    if (!among_words(own, other) && (other.size() < 2 || !among_words(other, own))) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace assay
