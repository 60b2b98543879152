#include "lang/number/big_division.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay::number_detail {
namespace {

__extension__ typedef unsigned __int128 UnsignedWide;

using Limbs = std::vector<std::uint64_t>;

constexpr unsigned kShort = 8;  // limbs: up to here, Boost is as fast

Limbs limbs_of(const BigInt& a) {
  const auto& backend = a.backend();
  return Limbs(backend.limbs(), backend.limbs() + backend.size());
}

void drop_zeros(Limbs& a) {
  while (!a.empty() && a.back() == 0) a.pop_back();
}

void assign(BigInt& to, const Limbs& from, bool negative) {
  auto& backend = to.backend();
  const auto size = static_cast<unsigned>(std::max<std::size_t>(from.size(), 1));
  backend.resize(size, size);
  *backend.limbs() = 0;
  std::copy(from.begin(), from.end(), backend.limbs());
  backend.sign(negative);
  backend.normalize();
}

// Looks at the interrupt once for some 0.1 ms of work.
class Looks {
 public:
  explicit Looks(NumberPool* pool) : pool_(pool) {}
  bool ended(std::size_t limbs) {
    done_ += limbs;
    if (done_ < kBetween || pool_ == nullptr) return false;
    done_ = 0;
    pool_->add_work(0);
    return pool_->end() > NumberPool::End::number;
  }

 private:
  static constexpr std::size_t kBetween = 100'000;  // multiplications of two limbs
  NumberPool* pool_;
  std::size_t done_ = 0;
};

int leading_zeros(std::uint64_t a) { return __builtin_clzll(a); }

// Shifted to the left by less than a limb, with one more limb for what is shifted out.
Limbs shifted(const Limbs& a, int by) {
  Limbs result(a.size() + 1);
  std::uint64_t carried = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = a[i] << by | carried;
    carried = by == 0 ? 0 : a[i] >> (64 - by);
  }
  result.back() = carried;
  return result;
}

void shift_back(Limbs& a, int by) {
  if (by == 0) return;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] >> by | (i + 1 < a.size() ? a[i + 1] << (64 - by) : 0);
}

// row -= factor * by; true if it was too small for that.
bool subtract_times(std::uint64_t* row, const Limbs& by, std::uint64_t factor) {
  std::uint64_t carried = 0;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const UnsignedWide product = static_cast<UnsignedWide>(by[i]) * factor + carried;
    const auto low = static_cast<std::uint64_t>(product);
    carried = static_cast<std::uint64_t>(product >> 64) + (row[i] < low ? 1 : 0);
    row[i] -= low;
  }
  const bool below = row[by.size()] < carried;
  row[by.size()] -= carried;
  return below;
}

void add(std::uint64_t* row, const Limbs& what) {
  std::uint64_t carried = 0;
  for (std::size_t i = 0; i < what.size(); ++i) {
    const UnsignedWide sum = static_cast<UnsignedWide>(row[i]) + what[i] + carried;
    row[i] = static_cast<std::uint64_t>(sum);
    carried = static_cast<std::uint64_t>(sum >> 64);
  }
  row[what.size()] += carried;
}

// Algorithm D of The Art of Computer Programming, volume 2, 4.3.1, of magnitudes: `a` becomes the rest, the result is the
// quotient. `b` has at least two limbs and no leading zero.
Limbs divide_long(Limbs& a, const Limbs& b, Looks& looks) {
  const int by = leading_zeros(b.back());
  Limbs divisor = shifted(b, by);
  divisor.pop_back();  // nothing is shifted out of it
  a = shifted(a, by);
  const std::size_t size = divisor.size();
  const std::uint64_t top = divisor[size - 1], second = divisor[size - 2];
  Limbs quotient(a.size() - size);
  for (std::size_t j = quotient.size(); j-- > 0 && !looks.ended(size);) {
    const UnsignedWide leading = static_cast<UnsignedWide>(a[j + size]) << 64 | a[j + size - 1];
    // At most two too large.
    UnsignedWide digit = a[j + size] >= top ? ~std::uint64_t{0} : leading / top;
    UnsignedWide left = leading - digit * top;
    while ((left >> 64) == 0 && digit * second > (left << 64 | a[j + size - 2])) {
      --digit;
      left += top;
    }
    auto factor = static_cast<std::uint64_t>(digit);
    if (subtract_times(&a[j], divisor, factor)) {
      --factor;
      add(&a[j], divisor);
    }
    quotient[j] = factor;
  }
  a.resize(size);
  shift_back(a, by);
  drop_zeros(a);
  drop_zeros(quotient);
  return quotient;
}

// a %= b for magnitudes, a >= b, b not empty.
void reduce(Limbs& a, const Limbs& b, Looks& looks) {
  if (b.size() > 1) {
    divide_long(a, b, looks);
    return;
  }
  UnsignedWide rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) rest = (rest << 64 | a[i]) % b[0];
  a.assign(rest == 0 ? 0 : 1, static_cast<std::uint64_t>(rest));
}

bool less(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

// The 126 bits of `a` below `top`, the number of bits of the larger of two numbers; top > 126.
Wide leading_part(const Limbs& a, std::size_t top) {
  const std::size_t from = top - 126, limb = from / 64, bit = from % 64;
  const auto at = [&a](std::size_t i) { return static_cast<UnsignedWide>(i < a.size() ? a[i] : 0); };
  UnsignedWide part = at(limb) >> bit | at(limb + 1) << (64 - bit);
  if (bit != 0) part |= at(limb + 2) << (128 - bit);
  return static_cast<Wide>(part);
}

// What several steps of Euclid's algorithm make of a and b: a' = aa * a + ab * b, b' = ba * a + bb * b.
struct Steps {
  std::int64_t aa = 1, ab = 0, ba = 0, bb = 1;
};

// The steps whose quotients are certain from the leading parts of a >= b alone.
Steps certain_steps(Wide a, Wide b) {
  constexpr Wide kMost = Wide{1} << 62;  // keeps every product below with its carry within 127 bits
  Steps s;
  while (b + s.ba != 0 && b + s.bb != 0) {
    const Wide q = (a + s.aa) / (b + s.ba);
    if (q != (a + s.ab) / (b + s.bb) || q >= kMost) break;
    const Wide first = s.aa - q * s.ba, second = s.ab - q * s.bb;
    if (first >= kMost || first <= -kMost || second >= kMost || second <= -kMost) break;
    s = {s.ba, s.bb, static_cast<std::int64_t>(first), static_cast<std::int64_t>(second)};
    a -= q * b;
    std::swap(a, b);
  }
  return s;
}

void apply(const Steps& s, Limbs& a, Limbs& b) {
  b.resize(a.size());
  Wide carried_a = 0, carried_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<UnsignedWide>(a[i]), y = static_cast<UnsignedWide>(b[i]);
    // Products of 64 and 62 bits of opposite signs: the casts keep their values, and neither sum overflows.
    const auto times = [](UnsignedWide limb, std::int64_t factor) {
      return factor < 0 ? -static_cast<Wide>(limb * (0 - static_cast<std::uint64_t>(factor)))
                        : static_cast<Wide>(limb * static_cast<std::uint64_t>(factor));
    };
    carried_a += times(x, s.aa) + times(y, s.ab);
    carried_b += times(x, s.ba) + times(y, s.bb);
    a[i] = static_cast<std::uint64_t>(carried_a);
    b[i] = static_cast<std::uint64_t>(carried_b);
    carried_a >>= 64;
    carried_b >>= 64;
  }
  drop_zeros(a);
  drop_zeros(b);
}

}  // namespace

void divide_big(const BigInt& a, const BigInt& b, BigInt& quotient, BigInt& rest, NumberPool* pool) {
  if (a.backend().size() <= kShort || b.backend().size() < 2 || a.backend().size() < b.backend().size()) {
    boost::multiprecision::divide_qr(a, b, quotient, rest);
    return;
  }
  const bool negative = a.sign() < 0, differ = negative != (b.sign() < 0);
  Looks looks(pool);
  Limbs left = limbs_of(a);
  assign(quotient, divide_long(left, limbs_of(b), looks), differ);
  assign(rest, left, negative);
}

BigInt gcd(const BigInt& a, const BigInt& b, NumberPool& pool) {
  if (std::max(a.backend().size(), b.backend().size()) <= kShort) return boost::multiprecision::gcd(a, b);
  Looks looks(&pool);
  Limbs large = limbs_of(a), small = limbs_of(b);
  drop_zeros(large);
  drop_zeros(small);
  if (less(large, small)) large.swap(small);
  while (small.size() > 1 && !looks.ended(large.size() * 4)) {
    const std::size_t top = large.size() * 64 - static_cast<std::size_t>(leading_zeros(large.back()));
    const Steps steps = top > 126 ? certain_steps(leading_part(large, top), leading_part(small, top)) : Steps();
    if (steps.ab == 0) {
      reduce(large, small, looks);
      large.swap(small);
    } else {
      apply(steps, large, small);
      if (less(large, small)) large.swap(small);
    }
  }
  if (small.size() == 1) {
    reduce(large, small, looks);
    const std::uint64_t rest = large.empty() ? 0 : large[0];
    large.assign(1, number_detail::gcd(small[0], rest));
  }
  BigInt result;
  assign(result, large, false);
  return result;
}

std::string digits_of(const BigInt& a) {
  constexpr int kAtOnce = 304;  // digits: 16 limbs, few enough for Boost
  if (a.backend().size() <= 16) return a.str();
  std::vector<BigInt> parts;
  BigInt left = abs(a), rest;
  const BigInt by = pow10(kAtOnce);
  while (left >= by) {
    BigInt quotient;
    divide_big(left, by, quotient, rest);
    parts.push_back(rest);
    left.swap(quotient);
  }
  std::string result = a.sign() < 0 ? "-" : "";
  result += left.str();
  for (std::size_t i = parts.size(); i-- > 0;) {
    const std::string part = parts[i].str();
    result.append(kAtOnce - part.size(), '0');
    result += part;
  }
  return result;
}

}  // namespace assay::number_detail
