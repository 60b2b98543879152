// Finds the name that was probably meant: nearest() of <assay/text.hpp>, and a stricter version.
#pragma once

#include <assay/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

// nearest() for candidates that are added one by one, without a list of them. Keeps views: the names must outlive it.
class NearestName {
 public:
  explicit NearestName(std::string_view name);
  void add(std::string_view candidate);
  std::string_view best() const;  // empty if none is near

 private:
  std::string_view name_, best_, longer_;  // longer_: the shortest candidate that begins with the name
  std::uint64_t characters_;
  std::size_t least_;
};

// Whether `name` is almost certainly a misspelling of `known`: strict, because the answer is volunteered. The two may
// differ in capitals and separators ("editRatio", "edit_ratio"), in two neighbouring letters that are exchanged, or in one
// letter of a long word, two of a very long one. Names that differ in a digit, in a first letter or in a short word are different names ("score_2", "min_price").
// Blanks around a name never matter, nor do capitals in names of three letters or more.
bool misspelt(std::string_view name, std::string_view known);

// What one keystroke makes of a word: two neighbouring letters exchanged, a letter left out, added or replaced.
enum class Slip : std::uint8_t { none, exchanged, lost, added, replaced };
Slip slip_of(std::string_view typed, std::string_view meant);

// The only candidate with the words of the name in another order ("overdue_days", "days_overdue"); empty: there is none,
// or a word between them gives their order a meaning ("a_per_b").
std::string_view in_other_order(std::string_view name, const std::vector<std::string_view>& candidates);

// The only candidate that has all words of the name and more, or only words of the name and at least two; empty: none.
std::string_view with_same_words(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace assay
