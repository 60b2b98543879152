// One record through a kernel.
#include "runtime/lane_machine.hpp"

#include "runtime/record_plan.hpp"

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

// n / d by the floor of the quotient of magnitudes, which `floor_of` gives.
template <class Divide>
std::int64_t rounded(std::int64_t n, std::int64_t d, Rounding mode, Divide&& floor_of) {
  const bool negative = n < 0;
  const std::int64_t m = negative ? -n : n;
  std::int64_t q = 0;
  switch (mode) {
    case Rounding::half_away: q = floor_of(m + d / 2); break;
    case Rounding::trunc: q = floor_of(m); break;
    case Rounding::floor: q = floor_of(negative ? m + d - 1 : m); break;
    case Rounding::ceil: q = floor_of(negative ? m : m + d - 1); break;
    case Rounding::half_even: {
      q = floor_of(m);
      const std::int64_t rest = m - q * d;
      q += rest > d - rest || (rest == d - rest && q % 2 != 0);
      break;
    }
  }
  return negative ? -q : q;
}

}  // namespace

LaneMachine::LaneMachine(std::shared_ptr<const Kernel> kernel) : kernel_(std::move(kernel)), lanes_(kernel_->lanes + 1, 0) {
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
    s.count = i.count;
    s.terms = kernel_->terms.data() + i.terms;
    if (i.op == LaneOp::div_x) s.divisor = divisor(i.x);
    if (i.op == LaneOp::below && i.count > 2) prepare_rows(s, i);
    steps_.push_back(s);
  }
}

// The answer for every number between the outermost bounds, where those are near each other.
void LaneMachine::prepare_rows(Step& s, const LaneInstruction& i) {
  const LaneTerm* const terms = kernel_->terms.data() + i.terms;
  const auto [low, high] = std::minmax_element(terms, terms + i.count, [](const LaneTerm& a, const LaneTerm& b) { return a.factor < b.factor; });
  constexpr std::int64_t kMost = 4096;
  if (high->factor - low->factor > kMost || i.count > 255) return;
  std::vector<std::uint8_t>& rows = rows_.emplace_back();
  for (std::int64_t n = low->factor - 1; n <= high->factor; ++n) {
    rows.push_back(static_cast<std::uint8_t>(std::count_if(terms, terms + i.count, [n](const LaneTerm& t) { return n < t.factor; })));
  }
  s.rows = rows.data();
  s.x = low->factor - 1;
  s.y = high->factor;
}

bool LaneMachine::run() {
  std::int64_t* const l = lanes_.data();
  bool refused = false;
  const Step* const end = steps_.data() + steps_.size();
  for (const Step* step = steps_.data(); step != end; ++step) {
    const Step& s = *step;
    const std::int64_t b = l[s.b];
    std::int64_t r = 0;
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
        for (std::uint32_t t = 0; t < s.count; ++t) r += l[s.terms[t].lane] * s.terms[t].factor;
        break;
      case LaneOp::min: r = std::min(b, l[s.c]); break;
      case LaneOp::max: r = std::max(b, l[s.c]); break;
      case LaneOp::clamp: r = std::min(std::max(b, s.x), s.y); break;
      case LaneOp::div_x: r = rounded(b, s.x, s.mode, [&](std::int64_t n) { return divide(n, s.divisor); }); break;
      case LaneOp::div: r = rounded(b, l[s.c], s.mode, [&](std::int64_t n) { return n / l[s.c]; }); break;
      case LaneOp::lt: r = b < l[s.c]; break;
      case LaneOp::lt_x: r = b < s.x; break;
      case LaneOp::eq: r = b == l[s.c]; break;
      case LaneOp::eq_x: r = b == s.x; break;
      case LaneOp::and_: r = b & l[s.c]; break;
      case LaneOp::or_: r = b | l[s.c]; break;
      case LaneOp::xor_: r = b ^ l[s.c]; break;
      case LaneOp::and_not: r = b & (l[s.c] ^ 1); break;
      case LaneOp::not_: r = b ^ 1; break;
      case LaneOp::all_of:
        r = 1;
        for (std::uint32_t t = 0; t < s.count; ++t) r &= l[s.terms[t].lane];
        break;
      case LaneOp::any_of:
        for (std::uint32_t t = 0; t < s.count; ++t) r |= l[s.terms[t].lane];
        break;
      case LaneOp::select: r = b != 0 ? l[s.c] : l[s.d]; break;
      case LaneOp::first:
        r = s.x;
        for (std::uint32_t t = s.count; t-- > 0;) r = l[s.terms[t].lane] != 0 ? s.terms[t].factor : r;
        break;
      case LaneOp::below:
        if (s.rows != nullptr) {
          r = s.rows[std::min(std::max(b, s.x), s.y) - s.x];
          break;
        }
        for (std::uint32_t t = 0; t < s.count; ++t) r += b < s.terms[t].factor;
        break;
      case LaneOp::pick: r = s.terms[b].factor; break;
      case LaneOp::refuse: refused |= b != 0; break;
    }
    l[s.a] = r;
  }
  return !refused;
}

void LaneMachine::results(const Value* slots, Value* values) const {
  const std::int64_t* const l = lanes_.data();
  for (std::size_t i = 0; i < kernel_->results.size(); ++i) {
    const LaneResult& r = kernel_->results[i];
    if (r.kind == LaneResult::Kind::missing || (r.given != kNoLane && l[r.given] == 0)) {
      values[i] = missing_value();
      continue;
    }
    const std::int64_t x = r.lane == kNoLane ? r.x : l[r.lane];
    switch (r.kind) {
      case LaneResult::Kind::number: values[i] = make_number({x, kPowersOfTen[r.decimals]}); break;
      case LaneResult::Kind::truth: values[i] = make_bool(x != 0); break;
      case LaneResult::Kind::text: values[i] = make_text(r.texts[static_cast<std::size_t>(x)]); break;
      case LaneResult::Kind::input: values[i] = slots[r.slot]; break;
      case LaneResult::Kind::missing: break;
    }
  }
}

}  // namespace assay
