// Finds the name that was probably meant: nearest() of <assay/text.hpp>, and a stricter version.
#pragma once

#include <assay/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {

// nearest() for names that come one by one, so that nobody has to make a list of them. Keeps views: the names have to
// live as long as it does.
class NearestName {
 public:
  explicit NearestName(std::string_view name);
  void add(std::string_view candidate);
  std::string_view best() const;  // empty: none is near

 private:
  std::string_view name_, best_, longer_;  // longer: the shortest one that begins with the name
  std::uint64_t characters_;
  std::size_t least_;
};

// Whether `name` is hardly anything but `known` with a slip in it, for remarks that nobody has asked for: the same but
// for capitals and separators ("editRatio", "edit_ratio"), or but for a letter of one long word, two of a very long
// one. Digits and first letters make another name, and so do short words: "score_2", "min_price". Blanks around a name
// never do, nor capitals alone in three letters or more.
bool misspelt(std::string_view name, std::string_view known);

}  // namespace assay
