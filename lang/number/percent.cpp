// Moves the point two places to the left.
#include "lang/number/percent.hpp"

#include <algorithm>
#include <cstddef>

namespace assay {

std::string hundredth(std::string decimal) {
  if (decimal.find_first_of("eE-") != decimal.npos) return {};
  std::size_t point = std::min(decimal.find('.'), decimal.size());
  if (point < decimal.size()) decimal.erase(point, 1);
  while (point < 3) decimal.insert(0, "0"), ++point;
  decimal.insert(point - 2, ".");
  while (decimal.back() == '0') decimal.pop_back();
  if (decimal.back() == '.') decimal.pop_back();
  const std::size_t first = decimal.find_first_not_of('0');
  if (first == decimal.npos) return "0";
  decimal.erase(0, decimal[first] == '.' ? first - 1 : first);
  return decimal;
}

}  // namespace assay
