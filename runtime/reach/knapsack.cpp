// A multiple-choice knapsack by lists of undominated states (Nemhauser and Ullmann 1969). Each state is bounded by the
// best that the remaining items can do: the relaxed problem for the cost, the largest gains for the number of fields.
#include "runtime/reach/knapsack.hpp"

#include <algorithm>
#include <numeric>

namespace assay {

namespace {

__extension__ typedef __int128 Wide128;

struct State {
  std::int64_t gain = 0;
  KnapsackPrice price;
  std::int32_t parent = -1, position = -1;
};

class Knapsack {
 public:
  Knapsack(const std::vector<KnapsackItem>& items, std::int64_t need) : items_(items), need_(need) {
    order_.resize(items.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (const KnapsackItem& item : items) {
      KnapsackPosition best = item.front();
      for (const KnapsackPosition& p : item) {
        if (cheaper(p, best)) best = p;
      }
      best_.push_back(best);
    }
    // Largest gain per cost first.
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return cheaper(best_[a], best_[b]); });
    // For the items from the k-th on: the gains of those that count as fields, largest first and accumulated; for the
    // others, the total.
    largest_.resize(items.size() + 1);
    free_.assign(items.size() + 1, 0);
    for (std::size_t k = items.size(); k-- > 0;) {
      largest_[k] = largest_[k + 1];
      const std::int64_t most = items[order_[k]].back().gain;
      free_[k] = free_[k + 1];
      if (items[order_[k]].front().price.fields == 0) {
        free_[k] += most;
        continue;
      }
      largest_[k].insert(std::upper_bound(largest_[k].begin(), largest_[k].end(), most, std::greater<>()), most);
    }
    for (std::vector<std::int64_t>& gains : largest_) std::partial_sum(gains.begin(), gains.end(), gains.begin());
  }

  KnapsackAnswer solve(const std::optional<KnapsackPrice>& below, const Interrupt* interrupt) {
    KnapsackAnswer answer;
    if (below) {
      has_most_ = true;
      most_ = *below;
    }
    rounded(answer);
    std::vector<State> states{{0, {}, -1, -1}};
    std::size_t begin = 0;
    std::vector<State> next;
    for (std::size_t k = 0; k < order_.size() && answer.complete; ++k) {
      next.clear();
      const std::size_t end = states.size();
      for (std::size_t s = begin; s < end && answer.complete; ++s) {
        extend(k, states[s], static_cast<std::int32_t>(s), next, answer);
        constexpr std::size_t kOften = 256, kMostNext = 2'000'000;
        const bool stop = s % kOften == 0 && interrupt != nullptr && interrupt->state() != Interrupt::State::none;
        if (stop || next.size() > kMostNext) answer.complete = false;
      }
      if (from_ >= 0) trace(states, k, answer);
      keep_undominated(next);
      constexpr std::size_t kMostStates = 400'000;
      if (states.size() + next.size() > kMostStates) answer.complete = false;
      begin = states.size();
      states.insert(states.end(), next.begin(), next.end());
    }
    return answer;
  }

 private:
  // Has a larger gain per cost; an item without cost comes first.
  static bool cheaper(const KnapsackPosition& a, const KnapsackPosition& b) {
    return static_cast<Wide128>(a.gain) * b.price.cost > static_cast<Wide128>(b.gain) * a.price.cost;
  }

  // Whether no better answer is possible if the items from the k-th on must gain `missing`.
  bool hopeless(std::size_t k, const KnapsackPrice& price, std::int64_t missing) const {
    const std::vector<std::int64_t>& gains = largest_[k];
    const std::int64_t of_fields = missing - free_[k];  // the least gain required from fields
    if (of_fields > 0 && (gains.empty() || gains.back() < of_fields)) return true;
    if (!has_most_) return false;
    KnapsackPrice least = price;
    if (of_fields > 0) least.fields += std::lower_bound(gains.begin(), gains.end(), of_fields) - gains.begin() + 1;
    if (least.fields != most_.fields) return most_.fields < least.fields;
    for (; k < order_.size() && missing > 0; ++k) {
      const KnapsackPosition& best = best_[order_[k]];
      const std::int64_t gain = std::min(missing, items_[order_[k]].back().gain);
      const Wide128 cost = (static_cast<Wide128>(gain) * best.price.cost + best.gain - 1) / best.gain;
      // Rounded up once, for the last item, which is used in part; the others are whole positions or more.
      const Wide128 whole = static_cast<Wide128>(gain) * best.price.cost / best.gain;
      least.cost += static_cast<std::int64_t>(gain == missing ? cost : whole);
      missing -= gain;
    }
    return !(least < most_);
  }

  void better(const KnapsackPrice& price) {
    has_most_ = true;
    most_ = price;
  }

  // A first answer: items in order, as far as they are needed.
  void rounded(KnapsackAnswer& answer) {
    std::vector<int> chosen(items_.size(), -1);
    KnapsackPrice price;
    std::int64_t missing = need_;
    for (const std::size_t i : order_) {
      if (missing <= 0) break;
      const KnapsackItem& item = items_[i];
      std::size_t p = 0;
      while (p + 1 < item.size() && item[p].gain < missing) ++p;
      chosen[i] = static_cast<int>(p);
      missing -= item[p].gain;
      price.fields += item[p].price.fields;
      price.cost += item[p].price.cost;
    }
    if (missing > 0 || (has_most_ && !(price < most_))) return;
    better(price);
    answer.found = true;
    answer.price = price;
    answer.chosen = std::move(chosen);
  }

  void extend(std::size_t k, const State& state, std::int32_t parent, std::vector<State>& next,
              KnapsackAnswer& answer) {
    const std::int64_t missing = need_ - state.gain;
    if (!hopeless(k + 1, state.price, missing)) next.push_back({state.gain, state.price, parent, -1});
    const KnapsackItem& item = items_[order_[k]];
    for (std::size_t p = 0; p < item.size(); ++p) {
      const KnapsackPrice price{state.price.fields + item[p].price.fields, state.price.cost + item[p].price.cost};
      const State then{state.gain + item[p].gain, price, parent, static_cast<std::int32_t>(p)};
      if (item[p].gain >= missing) {
        if (!has_most_ || price < most_) {
          better(price);
          answer.found = true;
          answer.price = price;
          from_ = parent;
          at_ = static_cast<std::int32_t>(p);
        }
        break;  // further positions cost more
      }
      if (has_most_ && !(price < most_)) break;
      if (!hopeless(k + 1, price, missing - item[p].gain)) next.push_back(then);
    }
  }

  void keep_undominated(std::vector<State>& states) const {
    std::sort(states.begin(), states.end(), [](const State& a, const State& b) {
      if (a.price < b.price || b.price < a.price) return a.price < b.price;
      return a.gain != b.gain ? a.gain > b.gain : a.parent < b.parent;
    });
    std::size_t kept = 0;
    std::int64_t most = -1;
    for (const State& state : states) {
      if (state.gain <= most) continue;
      most = state.gain;
      states[kept++] = state;
    }
    states.resize(kept);
  }

  // Reconstructs the choices of the best answer, whose last one is of the k-th item.
  void trace(const std::vector<State>& states, std::size_t k, KnapsackAnswer& answer) {
    answer.chosen.assign(items_.size(), -1);
    answer.chosen[order_[k]] = at_;
    std::int32_t s = from_;
    while (k-- > 0) {
      answer.chosen[order_[k]] = states[static_cast<std::size_t>(s)].position;
      s = states[static_cast<std::size_t>(s)].parent;
    }
    from_ = -1;
  }

  const std::vector<KnapsackItem>& items_;
  std::int64_t need_;
  std::vector<std::size_t> order_;
  std::vector<KnapsackPosition> best_;  // for each item: the position with the largest gain per cost
  std::vector<std::vector<std::int64_t>> largest_;
  std::vector<std::int64_t> free_;
  bool has_most_ = false;
  KnapsackPrice most_;
  std::int32_t from_ = -1, at_ = -1;
};

}  // namespace

KnapsackAnswer least_price(const std::vector<KnapsackItem>& items, std::int64_t need,
                           const std::optional<KnapsackPrice>& below, const Interrupt* interrupt) {
  KnapsackAnswer answer;
  if (need <= 0) {
    answer.found = !below || KnapsackPrice() < *below;
    answer.chosen.assign(items.size(), -1);
    return answer;
  }
  return Knapsack(items, need).solve(below, interrupt);
}

}  // namespace assay
