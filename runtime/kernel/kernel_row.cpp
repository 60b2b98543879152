// Single rows of columns: see kernel_row.hpp.
#include "runtime/kernel/kernel_row.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace assay {

NameTable::NameTable(const std::vector<std::string>& names) : names_(names) {
  std::uint32_t size = 8;
  while (size < names.size() * 4) size *= 2;
  entries_.assign(size, Entry{});
  mask_ = size - 1;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::uint32_t at = hash(names_[i]) & mask_;
    while (entries_[at].id >= 0) at = (at + 1) & mask_;
    entries_[at] = {names_[i], static_cast<std::int32_t>(i)};
  }
}

namespace {

constexpr std::size_t kFew = 64;

inline bool load_float(const RowLoad& l, double v, std::int64_t* registers) {
  const double scaled = v * l.scale;
  if (scaled > l.from && scaled < l.to) {  // n is within the bounds
    const auto n = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
    const double decimal = l.decimals != nullptr ? l.decimals[n - l.low] : static_cast<double>(n) / l.scale;
    registers[l.reg] = n;
    registers[l.given] = 1;
    return decimal == v;
  }
  if (v == v || !l.may_miss) return false;
  registers[l.reg] = l.absent;
  registers[l.given] = l.absent_given ? 1 : 0;
  return true;
}

bool load_missing(const RowLoad& l, std::int64_t* registers) {
  registers[l.reg] = l.absent;
  registers[l.given] = l.absent_given ? 1 : 0;
  return l.may_miss;
}

// 0 to 63, from the first and last bytes of a text. Reads only within it.
inline unsigned bit_of(std::string_view text) {
  const char* const p = text.data();
  const std::size_t size = text.size();
  const auto get = [p]<class Word>(std::size_t at, Word word) {
    std::memcpy(&word, p + at, sizeof word);
    return std::uint64_t{word};
  };
  std::uint64_t sum = size;
  if (size >= 8) sum += get(0, std::uint64_t{}) ^ std::rotl(get(size - 8, std::uint64_t{}), 29);
  else if (size >= 4) sum += get(0, std::uint32_t{}) << 32 ^ get(size - 4, std::uint32_t{});
  else if (size > 0) sum += get(0, std::uint8_t{}) << 8 ^ get(size - 1, std::uint8_t{});
  return static_cast<unsigned>(sum * 0x9e3779b97f4a7c15u >> 58);
}

bool count_codes(const RowLoad& l, std::size_t row, std::size_t count, std::int64_t& distinct) {
  std::uint64_t seen = 0;
  std::int64_t known = 0;  // decimals of earlier texts
  const auto* const bytes =
      reinterpret_cast<const unsigned char*>(l.items.data + static_cast<std::ptrdiff_t>(row) * l.items.stride);
  const bool plain = l.items.type == ColumnType::u8 && l.items.mask == 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t v = plain ? bytes[i] : read_integer(l.items, row, i);
    if (v < 0 || v >= static_cast<std::int64_t>(l.items.map_size)) return false;
    const std::int32_t id = l.items.map[v];
    if (id < 0 || id >= static_cast<std::int32_t>(kFew)) return false;
    known += static_cast<std::int64_t>(seen >> id & 1);
    seen |= std::uint64_t{1} << id;
  }
  distinct = static_cast<std::int64_t>(count) - known;
  return true;
}

bool count_texts(const RowLoad& l, std::size_t row, std::size_t count, std::int64_t& distinct) {
  if (l.names != nullptr) {  // only these texts are allowed
    std::uint64_t seen = 0;
    std::int64_t known = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t id = l.names->find(read_text(l.items, row, i));
      if (id < 0 || id >= static_cast<std::int32_t>(kFew)) return false;
      known += static_cast<std::int64_t>(seen >> id & 1);
      seen |= std::uint64_t{1} << id;
    }
    distinct = static_cast<std::int64_t>(count) - known;
    return true;
  }
  if (count > kFew) return false;
  std::uint64_t seen = 0;  // a bit for each text; different texts seldom share one
  distinct = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view text = read_text(l.items, row, i);
    if (text.data() == nullptr) return false;
    const std::uint64_t bit = std::uint64_t{1} << bit_of(text);
    bool known = false;
    if ((seen & bit) != 0) {
      for (std::size_t k = 0; k < i && !known; ++k) known = read_text(l.items, row, k) == text;
    }
    seen |= bit;
    distinct += !known;
  }
  return true;
}

bool load_list(const RowLoad& l, std::size_t row, std::int64_t* registers) {
  const std::int64_t count = read_integer(l.column, row);
  if (count == l.column.missing) return load_missing(l, registers);
  if (count < 0 || count > l.high) return false;
  std::int64_t items = count;
  const auto n = static_cast<std::size_t>(count);
  // A list whose texts may be any cannot be wrong; otherwise each item is checked.
  if (l.kind == RowLoad::Kind::codes) {
    if (!count_codes(l, row, n, items)) return false;
  } else if (!count_texts(l, row, n, items)) {
    return false;
  }
  registers[l.reg] = l.distinct ? items : count;
  registers[l.given] = 1;
  return true;
}

}  // namespace

double exact_float(const KernelColumn& c, std::size_t row) {
  const char* const p = c.data + static_cast<std::ptrdiff_t>(row) * c.stride;
  double shown = std::numeric_limits<double>::quiet_NaN();
  if (c.type == ColumnType::f64) {
    std::memcpy(&shown, p, sizeof shown);
    return shown;
  }
  float v;
  std::memcpy(&v, p, sizeof v);
  if (v != v) return shown;
  char text[64];  // the shortest decimal of a float differs from that of the double with the same value
  const auto written = std::to_chars(text, text + sizeof text, v);
  std::from_chars(text, written.ptr, shown);
  return shown;
}

bool load_row(const RowLoad& l, std::size_t row, std::int64_t* registers) {
  switch (l.kind) {
    case RowLoad::Kind::number_f64: {
      double v;
      std::memcpy(&v, l.column.data + static_cast<std::ptrdiff_t>(row) * l.column.stride, sizeof v);
      if (!load_float(l, v, registers)) return false;
      break;
    }
    case RowLoad::Kind::number_f32: {
      const double shown = exact_float(l.column, row);
      if (!load_float(l, shown, registers)) return false;
      break;
    }
    case RowLoad::Kind::number_integer: {
      const std::int64_t v = read_integer(l.column, row);
      if (v == l.column.missing) {
        if (!load_missing(l, registers)) return false;
        break;
      }
      std::int64_t n = 0;
      if (__builtin_mul_overflow(v, l.column.factor, &n) || n > l.high || n < l.low) return false;
      registers[l.reg] = n;
      registers[l.given] = 1;
      break;
    }
    case RowLoad::Kind::byte: {  // a truth that is never missing
      const char byte = l.column.data[static_cast<std::ptrdiff_t>(row) * l.column.stride];
      registers[l.reg] = byte != 0;
      break;
    }
    case RowLoad::Kind::truth: {
      const std::int64_t v = read_integer(l.column, row);
      if (v == l.column.missing) {
        if (!load_missing(l, registers)) return false;
        break;
      }
      registers[l.reg] = v != 0;
      registers[l.given] = 1;
      break;
    }
    case RowLoad::Kind::code: {
      const std::int64_t v = read_integer(l.column, row);
      if (v == l.column.missing) {
        if (!load_missing(l, registers)) return false;
        break;
      }
      if (v < 0 || v >= static_cast<std::int64_t>(l.column.map_size) || l.column.map[v] < 0) return false;
      registers[l.reg] = l.column.map[v];
      registers[l.given] = 1;
      break;
    }
    case RowLoad::Kind::text: {
      const std::string_view v = read_text(l.column, row);
      if (v.data() == nullptr) {
        if (!load_missing(l, registers)) return false;
        break;
      }
      const std::int32_t id = l.names->find(v);
      if ((id < 0 && l.closed) || v.size() > static_cast<std::size_t>(l.high)) return false;
      registers[l.reg] = id < 0 || id > l.other ? l.other : id;
      registers[l.given] = 1;
      break;
    }
    case RowLoad::Kind::codes:
    case RowLoad::Kind::texts:
      if (!load_list(l, row, registers)) return false;
      break;
    case RowLoad::Kind::reg: break;
    case RowLoad::Kind::fill:
      if (!l.may_miss && !l.absent_given) return false;
      registers[l.reg] = l.absent;
      registers[l.given] = l.absent_given ? 1 : 0;
      break;
  }
  return true;
}

void store_row(const ResultStore& s, std::size_t row, const std::int64_t* registers) {
  char* const p = s.data + static_cast<std::ptrdiff_t>(row) * s.stride;
  const bool given = s.given == kNoReg || registers[s.given] != 0;
  const std::int64_t reg = s.reg == kNoReg ? s.x : registers[s.reg];
  const auto put = [&](auto value) { std::memcpy(p, &value, sizeof value); };
  if (s.type == ColumnType::f64 || s.type == ColumnType::f32) {
    const double value = given ? static_cast<double>(reg) / s.unit : std::numeric_limits<double>::quiet_NaN();
    if (s.type == ColumnType::f64) put(value);
    else put(static_cast<float>(value));
    return;
  }
  const std::int64_t value = !given ? s.missing : s.map != nullptr ? s.map[reg] : reg * s.factor;
  switch (s.type) {
    case ColumnType::i8: put(static_cast<std::int8_t>(value)); break;
    case ColumnType::i16: put(static_cast<std::int16_t>(value)); break;
    case ColumnType::i32: put(static_cast<std::int32_t>(value)); break;
    case ColumnType::i64: put(value); break;
    case ColumnType::u8: put(static_cast<std::uint8_t>(value)); break;
    case ColumnType::u16: put(static_cast<std::uint16_t>(value)); break;
    default: put(static_cast<std::uint32_t>(value)); break;
  }
}

}  // namespace assay
