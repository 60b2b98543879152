// Inside of `compile_kernel`: arithmetic and logic on lanes while the instructions are being written. Constants are
// folded, equal instructions are written once, and each number carries the bounds from which follows that nothing
// overflows; a result that might is a `bad` number, and what needs it has no kernel.
#pragma once

#include "lang/kernel/kernel.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace assay {

struct Truth {  // two-valued
  Lane lane = kNoLane;
  bool value = false;  // when there is no lane
  bool constant() const { return lane == kNoLane; }
  bool always() const { return constant() && value; }
  bool never() const { return constant() && !value; }
};
inline constexpr Truth kYes{kNoLane, true};
inline constexpr Truth kNo{kNoLane, false};

// (lane or value) / (unit * den); den is a lane > 0, or 1 when there is none. What a lane holds lies in its bounds also
// where the number is missing.
struct LaneNumber {
  Lane lane = kNoLane;
  std::int64_t value = 0;  // when there is no lane; low == high == value
  std::int64_t low = 0, high = 0;
  std::int64_t unit = 1;
  Lane den = kNoLane;
  std::int64_t den_low = 1, den_high = 1;
  bool bad = false;
  bool constant() const { return lane == kNoLane && den == kNoLane && !bad; }
};

inline LaneInstruction made(LaneOp op, Lane b, Lane c = 0, Lane d = 0, std::int64_t x = 0, std::int64_t y = 0) {
  LaneInstruction i;
  i.op = op;
  i.b = b;
  i.c = c;
  i.d = d;
  i.x = x;
  i.y = y;
  return i;
}

class LaneBuilder {
 public:
  // No bound of a lane is beyond this, so that sums of two do not overflow.
  static constexpr std::int64_t kMost = std::int64_t{1} << 61;

  Lane new_lane() { return lanes_++; }
  Lane emit(LaneInstruction i, std::vector<LaneTerm> terms = {});
  Lane lane(const LaneNumber& n);  // of its numerator
  Lane lane(Truth t);
  std::uint32_t lanes() const { return lanes_; }
  std::vector<LaneInstruction> code;
  std::vector<LaneTerm> terms;
  std::map<Lane, std::pair<std::int64_t, std::int64_t>> bounds;  // of every lane
  bool broken = false;  // a comparison whose sides cannot be brought over one denominator: there is no kernel

  // ---- truths
  Truth both(Truth a, Truth b);
  Truth either(Truth a, Truth b);
  Truth differ(Truth a, Truth b);
  Truth negate(Truth a);
  Truth and_not(Truth a, Truth b) { return both(a, negate(b)); }
  Truth all_of(const std::vector<Truth>& parts);
  Truth any_of(const std::vector<Truth>& parts);
  void refuse_when(Truth t);

  // ---- numbers
  static LaneNumber bad();
  static LaneNumber number(std::int64_t value, std::int64_t unit = 1);
  static LaneNumber number(Number n);
  LaneNumber in_lane(Lane lane, std::int64_t low, std::int64_t high, std::int64_t unit = 1);
  LaneNumber from_truth(Truth t);
  LaneNumber add(const LaneNumber& a, const LaneNumber& b);
  LaneNumber sub(const LaneNumber& a, const LaneNumber& b);
  LaneNumber mul(const LaneNumber& a, const LaneNumber& b);
  LaneNumber div(const LaneNumber& a, const LaneNumber& b, Truth& given);  // given: cleared where b is 0
  LaneNumber lesser(const LaneNumber& a, const LaneNumber& b, bool greater = false);
  LaneNumber clamp(const LaneNumber& n, const RangeData& range);
  LaneNumber weighted(const std::vector<LaneNumber>& values, const std::vector<LaneNumber>& factors);
  LaneNumber round(const LaneNumber& n, int decimals, Rounding mode);
  LaneNumber within(const LaneNumber& n, const Interval& range);  // cut to what its type allows, where that is less
  LaneNumber absolute(const LaneNumber& n);
  LaneNumber choose(Truth t, const LaneNumber& a, const LaneNumber& b);
  Truth less(const LaneNumber& a, const LaneNumber& b);  // a < b
  Truth equal(const LaneNumber& a, const LaneNumber& b);
  // With a unit of 10^decimals and no other denominator, as a result needs it.
  LaneNumber decimal(const LaneNumber& n, int decimals);

 private:
  // Both over the same denominator.
  bool align(LaneNumber& a, LaneNumber& b);
  LaneNumber scaled(const LaneNumber& n, std::int64_t factor);      // its numerator times factor, the unit as it was
  LaneNumber times(const LaneNumber& n, const LaneNumber& den_of);  // its numerator times that denominator
  LaneNumber in_lane_like(LaneNumber n, Lane lane);                 // n with that lane, a truth, as its numerator
  Lane keep(Lane lane, std::int64_t low, std::int64_t high);
  const LaneInstruction* made_by(Lane lane, LaneOp op) const;  // null: another one made it
  void parts_of(Lane lane, bool all, std::vector<LaneTerm>& out);
  void linear(Lane lane, std::int64_t factor, std::int64_t& x, std::vector<LaneTerm>& out) const;
  Lane sum_of(Lane a, Lane b, std::int64_t sign);
  Truth denied(Lane lane) const;
  Truth joined(const std::vector<Truth>& parts, bool all);

  std::map<Lane, std::size_t> by_lane_;  // position in code
  std::uint32_t lanes_ = 0;
  std::map<std::vector<std::int64_t>, Lane> known_;
};

}  // namespace assay
