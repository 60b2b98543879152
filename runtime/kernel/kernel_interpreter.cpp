// Runs a kernel over one record.
#include "runtime/kernel/kernel_interpreter.hpp"

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

// n / d, d > 0. Not inlined, like the other rare cases: they would take registers from the frequent ones.
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

[[gnu::noinline]] std::int64_t count_below(const KernelTerm* terms, std::uint32_t count, std::int64_t n) {
  std::int64_t below = 0;
  for (std::uint32_t t = 0; t < count; ++t)
    below += terms[t].reg == 0 && n < terms[t].factor;  // not the padding of a group of four
  return below;
}

}  // namespace

// Terms in groups of four, which shortens loops over them; groups are padded with a register that has no effect.
void KernelInterpreter::prepare_terms(Step& s, const KernelInstruction& i) {
  const std::uint32_t zero = kernel_->registers + 1, one = kernel_->registers + 2;
  s.terms = static_cast<std::uint32_t>(terms_.size());
  for (std::uint32_t t = 0; t < i.count; ++t) terms_.push_back(kernel_->terms[i.terms + t]);
  const std::uint32_t filler = i.op == KernelOp::all_of ? one : zero;
  while (s.op != KernelOp::pick && (terms_.size() - s.terms) % 4 != 0) terms_.push_back({filler, 0});
  // The first that holds wins: in reverse order, it is the last to be written.
  if (s.op == KernelOp::first) std::reverse(terms_.begin() + s.terms, terms_.end());
  s.count = static_cast<std::uint32_t>(terms_.size()) - s.terms;
}

KernelInterpreter::KernelInterpreter(std::shared_ptr<const Kernel> kernel)
    : kernel_(std::move(kernel)), registers_(kernel_->registers + 3, 0) {
  registers_.back() = 1;
  for (const KernelInstruction& i : kernel_->code) {
    if (i.op == KernelOp::set) {
      registers_[i.a] = i.x;  // once: nothing else writes it
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
    if (i.op == KernelOp::div_x) s.divisor = divisor(i.x);
    if (i.op == KernelOp::below) prepare_rows(s, i);
    steps_.push_back(s);
  }
}

// Tabulates the answer for every number between the outermost bounds, if those are close together.
void KernelInterpreter::prepare_rows(Step& s, const KernelInstruction& i) {
  const KernelTerm* const terms = kernel_->terms.data() + i.terms;
  const auto [low, high] = std::minmax_element(
      terms, terms + i.count, [](const KernelTerm& a, const KernelTerm& b) { return a.factor < b.factor; });
  constexpr std::int64_t kMost = 4096;
  if (high->factor - low->factor > kMost || i.count > 255) return;
  std::vector<std::uint8_t>& rows = rows_.emplace_back();
  for (std::int64_t n = low->factor - 1; n <= high->factor; ++n) {
    rows.push_back(static_cast<std::uint8_t>(
        std::count_if(terms, terms + i.count, [n](const KernelTerm& t) { return n < t.factor; })));
  }
  s.rows = rows.data();
  s.x = low->factor - 1;
  s.y = high->factor;
}

bool KernelInterpreter::run() {
  std::int64_t* const l = registers_.data();
  const KernelTerm* const all_terms = terms_.data();
  bool declined = false;
  const Step* const end = steps_.data() + steps_.size();
  for (const Step* step = steps_.data(); step != end; ++step) {
    const Step& s = *step;
    const std::int64_t b = l[s.b];
    std::int64_t r = 0;
    // Calls four(t) for each group of four terms.
    const auto by_fours = [&](auto&& four) {
      const KernelTerm* t = all_terms + s.terms;
      const KernelTerm* const last = t + s.count;
      for (; t != last; t += 4) four(t);
    };
    switch (s.op) {
      case KernelOp::set: break;  // done
      case KernelOp::add: r = b + l[s.c]; break;
      case KernelOp::add_x: r = b + s.x; break;
      case KernelOp::sub: r = b - l[s.c]; break;
      case KernelOp::x_sub: r = s.x - b; break;
      case KernelOp::mul: r = b * l[s.c]; break;
      case KernelOp::mul_x: r = b * s.x; break;
      case KernelOp::weighted:
        r = s.x;
        by_fours([&](const KernelTerm* t) {
          r += l[t[0].reg] * t[0].factor + l[t[1].reg] * t[1].factor + l[t[2].reg] * t[2].factor +
               l[t[3].reg] * t[3].factor;
        });
        break;
      case KernelOp::min: r = std::min(b, l[s.c]); break;
      case KernelOp::max: r = std::max(b, l[s.c]); break;
      case KernelOp::clamp: r = std::min(std::max(b, s.x), s.y); break;
      case KernelOp::div_x:
        if (b >= 0 && s.mode == Rounding::half_away) r = divide(b + s.x / 2, s.divisor);
        else r = divided(b, s.x, s.mode);
        break;
      case KernelOp::div:
        if (b >= 0 && s.mode == Rounding::trunc) r = b / l[s.c];
        else r = divided(b, l[s.c], s.mode);
        break;
      case KernelOp::lt: r = b < l[s.c]; break;
      case KernelOp::lt_x: r = b < s.x; break;
      case KernelOp::ge_x: r = b >= s.x; break;
      case KernelOp::eq: r = b == l[s.c]; break;
      case KernelOp::eq_x: r = b == s.x; break;
      case KernelOp::ne_x: r = b != s.x; break;
      case KernelOp::and_: r = b & l[s.c]; break;
      case KernelOp::or_: r = b | l[s.c]; break;
      case KernelOp::xor_: r = b ^ l[s.c]; break;
      case KernelOp::and_not: r = b & (l[s.c] ^ 1); break;
      case KernelOp::not_: r = b ^ 1; break;
      case KernelOp::all_of:
        r = 1;
        by_fours([&](const KernelTerm* t) { r &= l[t[0].reg] & l[t[1].reg] & l[t[2].reg] & l[t[3].reg]; });
        break;
      case KernelOp::any_of:
        by_fours([&](const KernelTerm* t) { r |= l[t[0].reg] | l[t[1].reg] | l[t[2].reg] | l[t[3].reg]; });
        break;
      case KernelOp::select: r = b != 0 ? l[s.c] : l[s.d]; break;
      case KernelOp::first:
        r = s.x;
        by_fours([&](const KernelTerm* t) {
          r = l[t[0].reg] != 0 ? t[0].factor : r;
          r = l[t[1].reg] != 0 ? t[1].factor : r;
          r = l[t[2].reg] != 0 ? t[2].factor : r;
          r = l[t[3].reg] != 0 ? t[3].factor : r;
        });
        break;
      case KernelOp::below:
        if (s.rows != nullptr) {
          r = s.rows[std::min(std::max(b, s.x), s.y) - s.x];
          break;
        }
        r = count_below(all_terms + s.terms, s.count, b);
        break;
      case KernelOp::pick: r = all_terms[s.terms + static_cast<std::uint64_t>(b)].factor; break;
      case KernelOp::refuse: declined |= b != 0; break;
    }
    l[s.a] = r;
  }
  return !declined;
}

}  // namespace assay
