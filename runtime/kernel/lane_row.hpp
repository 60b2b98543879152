// One row of columns into the lanes of a kernel, and the results of one row back: what lane_block.hpp does for a block,
// for a host that scores row by row, and for the inputs that only single rows can have (texts, lists).
#pragma once

#include "runtime/kernel/lane_block.hpp"
#include "runtime/kernel/lane_machine.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Bytes of a value of the type.
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

// How a port of one row is read.
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
    fill
  } kind = Kind::fill;
  LaneColumn column, items;                    // items: of a list
  Lane lane = 0, given = 0;                    // those that nobody reads are the spare lane at the end
  std::int64_t low = 0, high = 0, absent = 0;  // text: high bytes at most; list: items
  double scale = 1;
  double from = 0, to = 0;  // numbers: low - 0.5, high + 0.5
  bool may_miss = false, absent_given = false;
  bool distinct = false;             // a set: each item once
  const double* decimals = nullptr;  // n / scale for n in low … high, when those are few
  const NameTable* names = nullptr;  // text, texts: of a closed list of texts; texts without one may be any
  bool closed = false;               // texts outside `names` are refused
  std::int32_t other = -1;           // text: lane of a text that is no name
};

// The loads of a row. Most inputs are doubles of few decimals and truths in bytes: those have loops of their own.
class RowLoads {
 public:
  RowLoads() = default;
  explicit RowLoads(std::vector<RowLoad> loads);
  const std::vector<RowLoad>& all() const { return loads_; }
  // False: the row is not for the kernel.
  bool load(std::size_t row, std::int64_t* lanes) const;
  static bool load_one(const RowLoad& l, std::size_t row, std::int64_t* lanes);

 private:
  struct Double {  // n / scale for an n in low … high, never missing
    const char* data;
    std::ptrdiff_t stride;
    double scale;
    const double* decimals;  // of n, from 0 on; null: too many
    std::int64_t low;
    std::uint64_t width;  // high - low
    Lane lane;
    Lane given;
    const RowLoad* whole;  // what to do with anything else
  };
  struct Byte {
    const char* data;
    std::ptrdiff_t stride;
    Lane lane;
  };

  std::vector<RowLoad> loads_;  // one per port
  std::vector<Double> doubles_;
  std::vector<Byte> bytes_;
  std::vector<const RowLoad*> others_;
};
void store_row(const ResultStore& store, std::size_t row, const std::int64_t* lanes);

// An integer of a column, sign and all, before its bits are cut.
inline std::int64_t read_integer(const LaneColumn& c, std::size_t row, std::size_t item = 0) {
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
inline std::string_view read_text(const LaneColumn& c, std::size_t row, std::size_t item = 0) {
  std::string_view v;
  std::memcpy(static_cast<void*>(&v), c.data + static_cast<std::ptrdiff_t>(row) * c.stride + item * sizeof v, sizeof v);
  return v;
}
// The double whose shortest decimal is that of the column's value.
double exact_float(const LaneColumn& c, std::size_t row);

}  // namespace assay
