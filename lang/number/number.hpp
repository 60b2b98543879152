// Exact numbers. Every number in a rubric, a record and a verdict is a rational: two 64-bit integers in the common
// case, a big rational in a pool if those overflow. All operations are exact, so every machine computes the same
// result, and no floating-point path can disagree. A number may be missing: arithmetic on missing is missing, and so is
// x / 0. It is deliberately not a class with operators: results may need the pool, which is passed explicitly and never
// hidden in a global.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/number/decimal_text.hpp"

namespace assay {

class Interrupt;  // <assay/interrupt.hpp>

struct
    BigRational;  // numerator and denominator as Boost.Multiprecision integers; complete in lang/number/big_rational.hpp

// den > 0: the value num / den (not always in lowest terms, |num| <= INT64_MAX); den == 0: missing;
// den < 0: num is the address of a BigRational that belongs to a NumberPool.
struct Number {
  std::int64_t num = 0;
  std::int64_t den = 0;
  bool missing() const { return den == 0; }
  bool small() const { return den > 0; }
};
inline constexpr Number kMissing{0, 0};
constexpr Number whole(std::int64_t n) { return {n, 1}; }

class Budget;

// Owns big rationals. Numbers made with a pool are valid until it is cleared or destroyed. Not shared between
// threads. Keeps its memory when cleared.
class NumberPool {
 public:
  NumberPool();
  ~NumberPool();
  NumberPool(NumberPool&&) noexcept;
  NumberPool& operator=(NumberPool&&) noexcept;
  void clear();                                 // forgets the numbers, their overflow and their work
  std::size_t used() const { return used_; }    // big rationals kept since the last clear: 0 if all numbers were small
  std::size_t total() const { return total_; }  // big rationals kept since construction
  // A numerator or denominator beyond 200,000 bits is not kept: the result is missing, and end() reports it until
  // clear(). The same happens if the allowed work or memory is used up, after which all further big results are missing
  // at once; and if the interrupt is due, which is checked while big results are made.
  enum class End : std::uint8_t { none, number, work, memory, interrupted };
  bool overflowed() const { return end_ != End::none; }
  End end() const { return end_; }
  void set_overflowed(End end = End::number) { end_ = end; }
  void allow(std::uint64_t work, std::size_t bytes) {  // in total, since the last clear
    work_allowed_ = work;
    bytes_allowed_ = bytes;
  }
  // The cost of the big results since the last clear, in steps of roughly 100 ns: for a host's step limit.
  std::uint64_t work() const { return work_; }
  void add_work(std::uint64_t steps) {
    work_ += steps;
    if (work_ > work_allowed_) end_ = End::work;
    if (interrupt_ != nullptr) look();
    if (budget_ != nullptr) charge(steps);
  }
  // Charges the work to the budget of a compilation as well, which may end it; null, the default: to none.
  void charge_to(Budget* budget) { budget_ = budget; }
  void watch(const Interrupt* interrupt) { interrupt_ = interrupt; }  // null: none
  std::size_t bytes() const { return bytes_; }                        // held by big rationals since the last clear
  void add_bytes(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > bytes_allowed_) end_ = End::memory;
  }
  BigRational& next();  // a slot to write a result into
  // While on, all arithmetic with this pool uses big rationals and keeps them, even where small ones would fit, so that
  // tests can compare the two paths.
  void set_force_big(bool on) { force_big_ = on; }
  bool force_big() const { return force_big_; }

 private:
  void look();
  void charge(std::uint64_t steps);

  std::vector<std::unique_ptr<BigRational>> slots_;
  std::size_t used_ = 0;
  std::size_t total_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t work_allowed_ = UINT64_MAX;
  std::size_t bytes_ = 0;
  std::size_t bytes_allowed_ = SIZE_MAX;
  End end_ = End::none;
  const Interrupt* interrupt_ = nullptr;
  Budget* budget_ = nullptr;
  bool force_big_ = false;
};

// Appends bytes that identify a number that is not small, in time proportional to its size: its digits would take the
// square.
void append_bits(Number n, std::string& out);

// ---- exact arithmetic
Number add(Number a, Number b, NumberPool& pool);
Number sub(Number a, Number b, NumberPool& pool);
Number mul(Number a, Number b, NumberPool& pool);
Number div(Number a, Number b, NumberPool& pool);  // x / 0 is missing
Number neg(Number a, NumberPool& pool);
Number abs(Number a, NumberPool& pool);
Number mod(Number a, Number b, NumberPool& pool);  // a - b * floor(a / b); b == 0: missing
int compare(Number a, Number b);                   // -1, 0, 1; neither may be missing
int sign(Number a);                                // -1, 0, 1; not missing
bool is_whole(Number a);                           // no fraction part; not missing
// number of 64-bit words: the cost of comparing or writing it; 0 if small
std::size_t words(Number a);
Number min(Number a, Number b);  // missing if either is
Number max(Number a, Number b);

// ---- rounding. decimals may be negative (tens, hundreds) and are kept within ±4000; modes as in the language
enum class Rounding : std::uint8_t { half_away, half_even, floor, ceil, trunc };
Number round_to(Number a, int decimals, Rounding mode, NumberPool& pool);

// ---- irrational functions: exact if the result is rational (root of a perfect square, integer powers); otherwise the
// decimal with 40 correct significant digits, rounded half away from zero. Outside the domain: missing.
Number sqrt(Number a, NumberPool& pool);
// 0^0 = 1; 0^negative, negative^fraction and a result beyond 10^±4000: missing. An integer power whose exact fraction
// needs more than 4000 digits is rounded to 40 digits, too (1.0005^3650).
Number pow(Number base, Number exponent, NumberPool& pool);
Number ln(Number a, NumberPool& pool);
Number log10(Number a, NumberPool& pool);  // exact for powers of ten
Number exp(Number a, NumberPool& pool);    // beyond 10^4000: missing; below 10^-4000: 0
Number erf(Number a, NumberPool& pool);

// ---- quantiles: the value below which the share p of a distribution lies, with 25 significant digits. Missing unless
// 0 < p < 1, and shapes and degrees of freedom are positive and at most 10^9.
Number normal_quantile(Number p, NumberPool& pool);
Number beta_quantile(Number p, Number a, Number b, NumberPool& pool);
Number student_quantile(Number p, Number freedom, NumberPool& pool);

// ---- conversions
// A decimal in the notation of JSON and rubrics: -12, 0.50, 75e-1 (digit separators '_' only with `separators`). False
// if the text is not a number, its exponent is beyond ±400 or it has more than `most` digits; otherwise exact.
inline constexpr std::size_t kMostDigits = 10'000;
bool parse_decimal(std::string_view text, Number& result, NumberPool& pool, bool separators = false,
                   std::size_t most = kMostDigits);
// The shortest decimal that reads back as the same double; missing for NaN and infinities.
Number from_double(double value, NumberPool& pool);
double to_double(Number a);                     // nearest double (NaN for missing)
bool to_int64(Number a, std::int64_t& result);  // false if it is not an integer or too large
// A copy whose big part, if any, belongs to `pool`.
Number adopt(Number a, NumberPool& pool);

// ---- text. All append to `out`; independent of locales; an exponent if |a| >= 1e21, behind the same digits. The number is
// not missing.
// Exact if the decimal expansion terminates within 30 decimals, otherwise 12 significant digits.
void write_shortest(Number a, std::string& out);
void write_rounded(Number a, int decimals, std::string& out);    // half away, trailing zeros dropped: 8.5, 9
void write_fixed(Number a, int decimals, std::string& out);      // half away, zeros kept: 8.50 (texts, tables)
void write_significant(Number a, int digits, std::string& out);  // half away to significant digits, zeros dropped
// The text of write_rounded and write_shortest, in a buffer of at least kMostDecimalText bytes: returns the end, or
// null for a number that is missing or needs more than 64 bits.
char* put_rounded(Number a, int decimals, char* out);
char* put_shortest(Number a, char* out);
// "p/q" in lowest terms, or a decimal that terminates within 400 decimals, never an exponent: for bytecode and
// explanations.
void write_exact(Number a, std::string& out);
// The same as texts of their own, for messages.
std::string shortest_text(Number a);
std::string exact_text(Number a);
bool parse_exact(std::string_view text, Number& result, NumberPool& pool);  // reads the text of write_exact

}  // namespace assay

#include "lang/number/number_inline.hpp"  // inline versions for small numbers
