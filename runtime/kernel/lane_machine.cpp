// One record through a kernel.
#include "runtime/kernel/lane_machine.hpp"

#include <algorithm>

namespace assay {

Divisor divisor(std::int64_t d) {
  int log = 0;
  while ((std::int64_t{1} << log) < d) ++log;
  const int shift = 62 + log;
  __extension__ typedef unsigned __int128 Product;
  const Product factor = ((static_cast<Product>(1) << shift) + static_cast<Product>(d) - 1) / static_cast<Product>(d);
  return {static_cast<std::uint64_t>(factor), shift};
}

namespace {

// n / d, d > 0. Not inlined, like the other rare ways: they would cost the frequent ones their registers.
[[gnu::noinline]] std::int64_t divided(std::int64_t n, std::int64_t d, Rounding mode) {
  const bool negative = n < 0;
  const std::int64_t m = negative ? -n : n;
  std::int64_t q = 0;
  switch (mode) {
    case Rounding::half_away: q = (m + d / 2) / d; break;
    case Rounding::trunc: q = m / d; break;
    case Rounding::floor: q = (negative ? m + d - 1 : m) / d; break;
    case Rounding::ceil: q = (negative ? m : m + d - 1) / d; break;
    case Rounding::half_even: {
      q = m / d;
      const std::int64_t rest = m - q * d;
      q += rest > d - rest || (rest == d - rest && q % 2 != 0);
      break;
    }
  }
  return negative ? -q : q;
}

[[gnu::noinline]] std::int64_t count_below(const LaneTerm* terms, std::uint32_t count, std::int64_t n) {
  std::int64_t below = 0;
  for (std::uint32_t t = 0; t < count; ++t)
    below += terms[t].lane == 0 && n < terms[t].factor;  // not what fills up a four
  return below;
}

}  // namespace

// Terms in fours, so that loops over them are short: what is missing to a four is a lane that changes nothing.
void LaneMachine::prepare_terms(Step& s, const LaneInstruction& i) {
  const std::uint32_t zero = kernel_->lanes + 1, one = kernel_->lanes + 2;
  s.terms = static_cast<std::uint32_t>(terms_.size());
  for (std::uint32_t t = 0; t < i.count; ++t) terms_.push_back(kernel_->terms[i.terms + t]);
  const std::uint32_t filler = i.op == LaneOp::all_of ? one : zero;
  while (s.op != LaneOp::pick && (terms_.size() - s.terms) % 4 != 0) terms_.push_back({filler, 0});
  // The first that holds wins: from the end, so that it is the last word.
  if (s.op == LaneOp::first) std::reverse(terms_.begin() + s.terms, terms_.end());
  s.count = static_cast<std::uint32_t>(terms_.size()) - s.terms;
}

LaneMachine::LaneMachine(std::shared_ptr<const Kernel> kernel)
    : kernel_(std::move(kernel)), lanes_(kernel_->lanes + 3, 0) {
  lanes_.back() = 1;
  for (const LaneInstruction& i : kernel_->code) {
    if (i.op == LaneOp::set) {
      lanes_[i.a] = i.x;  // once and for all: nothing else writes it
      continue;
    }
    Step s;
    s.op = i.op;
    s.mode = i.mode;
    s.a = i.a;
    s.b = i.b;
    s.c = i.c;
    s.d = i.d;
    s.x = i.x;
    s.y = i.y;
    prepare_terms(s, i);
    if (i.op == LaneOp::div_x) s.divisor = divisor(i.x);
    if (i.op == LaneOp::below) prepare_rows(s, i);
    steps_.push_back(s);
  }
}

// The answer for every number between the outermost bounds, where those are near each other.
void LaneMachine::prepare_rows(Step& s, const LaneInstruction& i) {
  const LaneTerm* const terms = kernel_->terms.data() + i.terms;
  const auto [low, high] = std::minmax_element(
      terms, terms + i.count, [](const LaneTerm& a, const LaneTerm& b) { return a.factor < b.factor; });
  constexpr std::int64_t kMost = 4096;
  if (high->factor - low->factor > kMost || i.count > 255) return;
  std::vector<std::uint8_t>& rows = rows_.emplace_back();
  for (std::int64_t n = low->factor - 1; n <= high->factor; ++n) {
    rows.push_back(static_cast<std::uint8_t>(
        std::count_if(terms, terms + i.count, [n](const LaneTerm& t) { return n < t.factor; })));
  }
  s.rows = rows.data();
  s.x = low->factor - 1;
  s.y = high->factor;
}

bool LaneMachine::run() {
  std::int64_t* const l = lanes_.data();
  const LaneTerm* const all_terms = terms_.data();
  bool refused = false;
  const Step* const end = steps_.data() + steps_.size();
  for (const Step* step = steps_.data(); step != end; ++step) {
    const Step& s = *step;
    const std::int64_t b = l[s.b];
    std::int64_t r = 0;
    // Calls four(t) for each four of the terms.
    const auto by_fours = [&](auto&& four) {
      const LaneTerm* t = all_terms + s.terms;
      const LaneTerm* const last = t + s.count;
      for (; t != last; t += 4) four(t);
    };
    switch (s.op) {
      case LaneOp::set: break;  // done
      case LaneOp::add: r = b + l[s.c]; break;
      case LaneOp::add_x: r = b + s.x; break;
      case LaneOp::sub: r = b - l[s.c]; break;
      case LaneOp::x_sub: r = s.x - b; break;
      case LaneOp::mul: r = b * l[s.c]; break;
      case LaneOp::mul_x: r = b * s.x; break;
      case LaneOp::weighted:
        r = s.x;
        by_fours([&](const LaneTerm* t) {
          r += l[t[0].lane] * t[0].factor + l[t[1].lane] * t[1].factor + l[t[2].lane] * t[2].factor +
               l[t[3].lane] * t[3].factor;
        });
        break;
      case LaneOp::min: r = std::min(b, l[s.c]); break;
      case LaneOp::max: r = std::max(b, l[s.c]); break;
      case LaneOp::clamp: r = std::min(std::max(b, s.x), s.y); break;
      case LaneOp::div_x:
        if (b >= 0 && s.mode == Rounding::half_away) r = divide(b + s.x / 2, s.divisor);
        else r = divided(b, s.x, s.mode);
        break;
      case LaneOp::div:
        if (b >= 0 && s.mode == Rounding::trunc) r = b / l[s.c];
        else r = divided(b, l[s.c], s.mode);
        break;
      case LaneOp::lt: r = b < l[s.c]; break;
      case LaneOp::lt_x: r = b < s.x; break;
      case LaneOp::ge_x: r = b >= s.x; break;
      case LaneOp::eq: r = b == l[s.c]; break;
      case LaneOp::eq_x: r = b == s.x; break;
      case LaneOp::ne_x: r = b != s.x; break;
      case LaneOp::and_: r = b & l[s.c]; break;
      case LaneOp::or_: r = b | l[s.c]; break;
      case LaneOp::xor_: r = b ^ l[s.c]; break;
      case LaneOp::and_not: r = b & (l[s.c] ^ 1); break;
      case LaneOp::not_: r = b ^ 1; break;
      case LaneOp::all_of:
        r = 1;
        by_fours([&](const LaneTerm* t) { r &= l[t[0].lane] & l[t[1].lane] & l[t[2].lane] & l[t[3].lane]; });
        break;
      case LaneOp::any_of:
        by_fours([&](const LaneTerm* t) { r |= l[t[0].lane] | l[t[1].lane] | l[t[2].lane] | l[t[3].lane]; });
        break;
      case LaneOp::select: r = b != 0 ? l[s.c] : l[s.d]; break;
      case LaneOp::first:
        r = s.x;
        by_fours([&](const LaneTerm* t) {
          r = l[t[0].lane] != 0 ? t[0].factor : r;
          r = l[t[1].lane] != 0 ? t[1].factor : r;
          r = l[t[2].lane] != 0 ? t[2].factor : r;
          r = l[t[3].lane] != 0 ? t[3].factor : r;
        });
        break;
      case LaneOp::below:
        if (s.rows != nullptr) {
          r = s.rows[std::min(std::max(b, s.x), s.y) - s.x];
          break;
        }
        r = count_below(all_terms + s.terms, s.count, b);
        break;
      case LaneOp::pick: r = all_terms[s.terms + static_cast<std::uint64_t>(b)].factor; break;
      case LaneOp::refuse: refused |= b != 0; break;
    }
    l[s.a] = r;
  }
  return !refused;
}

}  // namespace assay
