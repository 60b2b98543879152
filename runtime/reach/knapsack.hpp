// The least price that reaches a gain when each of several items offers a choice of positions: a multiple-choice knapsack
// in whole numbers, solved exactly.
#pragma once

#include <assay/interrupt.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

// Prices are compared by `fields` first. Both parts are 0 or more.
struct KnapsackPrice {
  std::int64_t fields = 0, cost = 0;
  bool operator<(const KnapsackPrice& other) const {
    return fields != other.fields ? fields < other.fields : cost < other.cost;
  }
};

struct KnapsackPosition {
  std::int64_t gain = 0;  // above 0
  KnapsackPrice price;
};
using KnapsackItem =
    std::vector<KnapsackPosition>;  // gains and costs rise; staying where it is costs and gains nothing

struct KnapsackAnswer {
  bool complete = true;     // false: the search ended first, by its limit or the interrupt
  bool found = false;       // something costs less than `below`, or anything when there is none
  KnapsackPrice price;      // the least, when found and complete
  std::vector<int> chosen;  // of each item, -1: it stays
};

// Values are below 2^50 and items at most 1,024, so that sums stay within 63 bits.
inline constexpr std::int64_t kKnapsackMost = std::int64_t{1} << 50;
inline constexpr std::size_t kKnapsackItems = 1024;
KnapsackAnswer least_price(const std::vector<KnapsackItem>& items, std::int64_t need,
                           const std::optional<KnapsackPrice>& below, const Interrupt* interrupt);

}  // namespace assay
