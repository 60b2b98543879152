// Reads one row of columns into the registers of a kernel, and writes its results. How a column is read and written is
// defined here once, as values (RowLoad, ResultStore): the interpreter follows them row by row, and machine code
// (runtime/jit/jit.hpp) is generated from them.
#pragma once

#include "lang/kernel/kernel.hpp"

#include <assay/columns.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The size in bytes of a value of the type.
inline std::size_t size_of(ColumnType type) {
  switch (type) {
    case ColumnType::i8:
    case ColumnType::u8: return 1;
    case ColumnType::i16:
    case ColumnType::u16: return 2;
    case ColumnType::f32:
    case ColumnType::i32:
    case ColumnType::u32: return 4;
    case ColumnType::f64:
    case ColumnType::i64: return 8;
    case ColumnType::text: return sizeof(std::string_view);
  }
  return 1;
}

// The source of a register, for row 0.
struct KernelColumn {
  const char* data = nullptr;
  std::ptrdiff_t stride = 0;
  ColumnType type = ColumnType::f64;
  std::uint8_t shift = 0;
  std::uint32_t mask = 0;  // 0: all bits
  std::int64_t missing = INT64_MIN;
  // codes: the register is map[value]; below 0: -1 missing, -2 the kernel declines the row
  std::int64_t factor = 1;
  const std::int32_t* map = nullptr;  // codes: the register is map[value]; below 0: -1 missing, -2 not for the kernel
  std::uint32_t map_size = 0;
};

// Texts → numbers, by open addressing over a few of their bytes.
class NameTable {
 public:
  NameTable() = default;
  explicit NameTable(const std::vector<std::string>& names);
  // The position of a text among the names, or -1.
  std::int32_t find(std::string_view s) const {
    for (std::uint32_t at = hash(s) & mask_;; at = (at + 1) & mask_) {
      const Entry& e = entries_[at];
      if (e.id < 0) return -1;
      if (e.text.size() == s.size() && (s.empty() || std::memcmp(e.text.data(), s.data(), s.size()) == 0)) return e.id;
    }
  }

 private:
  struct Entry {
    std::string_view text;
    std::int32_t id = -1;
  };
  static std::uint32_t hash(std::string_view s) {
    if (s.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(s[i])); };
    const auto n = static_cast<std::uint32_t>(s.size());
    return (n + byte(0) * 3 + byte(s.size() / 2) * 17 + byte(s.size() - 1) * 101) * 0x9e3779b1u >> 16;
  }
  std::vector<std::string> names_;
  std::vector<Entry> entries_{Entry{}};
  std::uint32_t mask_ = 0;
};

// How an input of one row is read.
struct RowLoad {
  enum class Kind : std::uint8_t {
    number_f64,
    number_f32,
    number_integer,
    truth,
    byte,
    code,
    text,
    codes,
    texts,
    fill,
    reg,  // no column: a reader has filled the register and its `given`
  } kind = Kind::fill;
  KernelColumn column, items;   // items: of a list
  Register reg = 0, given = 0;  // inputs that nobody reads use the spare register at the end
  // text: high is the largest size in bytes; list: the largest number of items
  std::int64_t low = 0, high = 0, absent = 0;
  double scale = 1;
  double from = 0, to = 0;  // numbers: low - 0.5, high + 0.5
  bool may_miss = false, absent_given = false;
  bool distinct = false;             // a set: counts each item once
  const double* decimals = nullptr;  // n / scale for n in low … high, if there are few
  const NameTable* names = nullptr;  // text, texts: the allowed texts; without it, texts may be any
  bool closed = false;               // texts outside `names` are rejected
  std::int32_t other = -1;           // text: the register of a text outside `names`
};

// Reads an input of a row into its registers. False: the kernel declines the row.
bool load_row(const RowLoad& load, std::size_t row, std::int64_t* registers);

// The destination of a result, for row 0.
struct ResultStore {
  enum class Kind : std::uint8_t { column, reg } kind = Kind::column;  // reg: the result stays in its register
  Register reg = kNoReg, given = kNoReg;
  std::int64_t x = 0;    // value of a result without a register
  char* data = nullptr;  // of row 0
  std::ptrdiff_t stride = 0;
  ColumnType type = ColumnType::f64;
  std::int64_t missing = -1;
  std::int64_t factor = 1;            // integers: the register times this
  double unit = 1;                    // floating point: the register divided by this
  const std::int32_t* map = nullptr;  // codes
  std::uint32_t map_size = 0;
};

void store_row(const ResultStore& store, std::size_t row, const std::int64_t* registers);

// Reads an integer of a column, sign-extended, before its bits are extracted.
inline std::int64_t read_integer(const KernelColumn& c, std::size_t row, std::size_t item = 0) {
  const char* const p = c.data + static_cast<std::ptrdiff_t>(row) * c.stride;
  const auto get = [&]<class D>(D) {
    D v;
    std::memcpy(&v, p + item * sizeof(D), sizeof v);
    return static_cast<std::int64_t>(v);
  };
  std::int64_t v = 0;
  switch (c.type) {
    case ColumnType::i8: v = get(std::int8_t{}); break;
    case ColumnType::i16: v = get(std::int16_t{}); break;
    case ColumnType::i32: v = get(std::int32_t{}); break;
    case ColumnType::i64: v = get(std::int64_t{}); break;
    case ColumnType::u8: v = get(std::uint8_t{}); break;
    case ColumnType::u16: v = get(std::uint16_t{}); break;
    case ColumnType::u32: v = get(std::uint32_t{}); break;
    default: break;
  }
  if (c.mask != 0) v = static_cast<std::int64_t>((static_cast<std::uint64_t>(v) >> c.shift) & c.mask);
  return v;
}
inline std::string_view read_text(const KernelColumn& c, std::size_t row, std::size_t item = 0) {
  std::string_view v;  // its two words are copied. NOLINTNEXTLINE(bugprone-sizeof-container)
  std::memcpy(static_cast<void*>(&v), c.data + static_cast<std::ptrdiff_t>(row) * c.stride + item * sizeof v, sizeof v);
  return v;
}
// The double whose shortest decimal is that of the column's value.
double exact_float(const KernelColumn& c, std::size_t row);

}  // namespace assay
