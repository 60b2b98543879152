// The least price that reaches a gain if each of several items offers a choice of positions: a multiple-choice knapsack
// in integers, solved exactly.
#pragma once

#include <assay/interrupt.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

// Prices are compared by `fields` first. Both parts are at least 0.
struct KnapsackPrice {
  std::int64_t fields = 0, cost = 0;
  bool operator<(const KnapsackPrice& other) const {
    return fields != other.fields ? fields < other.fields : cost < other.cost;
  }
};

struct KnapsackPosition {
  std::int64_t gain = 0;  // positive
  KnapsackPrice price;
};
using KnapsackItem =
    std::vector<KnapsackPosition>;  // in order of gain and cost; not changing an item costs and gains nothing

struct KnapsackAnswer {
  bool complete = true;     // false: the limit or the interrupt ended the search
  bool found = false;       // something costs less than `below`, or anything if that is not set
  KnapsackPrice price;      // the least price, if found and complete
  std::vector<int> chosen;  // for each item; -1: unchanged
};

// Values are below 2^50 and there are at most 1,024 items, so sums fit 63 bits.
inline constexpr std::int64_t kKnapsackMost = std::int64_t{1} << 50;
inline constexpr std::size_t kKnapsackItems = 1024;
KnapsackAnswer least_price(const std::vector<KnapsackItem>& items, std::int64_t need,
                           const std::optional<KnapsackPrice>& below, const Interrupt* interrupt);

}  // namespace assay
