// Copies blocks of Arrow columns to the memory that Columns reads.
#include "runtime/arrow/arrow_columns.hpp"

#include "lang/text/utf8.hpp"
#include "runtime/arrow/arrow_json.hpp"

#include <assay/text.hpp>

#include <limits>

namespace assay {

namespace {

constexpr std::size_t kMostItems = 16;  // of a list; rows with more go to the evaluator

bool plain(std::string_view text) {
  bool high = false;
  for (const char c : text) high = high || static_cast<signed char>(c) < 0;
  return !high || is_utf8(text);
}

// The text of a value that is not null; empty texts have data(), too.
std::string_view text_of(const ArrowView& view, std::int64_t i) {
  std::string_view text;
  if (!view.dictionary) text = view.text(i);
  else
    text = view.dictionary->text(view.type->is_signed ? view.signed_at(i)
                                                      : static_cast<std::int64_t>(view.unsigned_at(i)));
  return text.data() != nullptr ? text : std::string_view("");
}

bool missing(const ArrowView& view, std::int64_t i) {
  if (view.null(i)) return true;
  if (!view.dictionary) return false;
  return view.dictionary->null(view.type->is_signed ? view.signed_at(i)
                                                    : static_cast<std::int64_t>(view.unsigned_at(i)));
}

// A decimal of up to 128 bits as a 64-bit integer; false: it does not fit.
bool decimal_at(const ArrowView& view, std::int64_t i, std::int64_t& value) {
  const int bytes = view.type->bytes;
  if (bytes == 4) value = load_at<std::int32_t>(view.data, view.offset + i);
  if (bytes == 8) value = load_at<std::int64_t>(view.data, view.offset + i);
  if (bytes <= 8) return value != INT64_MIN;
  value = load_at<std::int64_t>(view.data, 2 * (view.offset + i));
  return load_at<std::int64_t>(view.data, 2 * (view.offset + i) + 1) == (value < 0 ? -1 : 0) && value != INT64_MIN;
}

template <class T, class Read>
void copy_integers(std::vector<std::byte>& values, const ArrowView& view, std::int64_t first, std::int64_t count,
                   const Read& read) {
  auto* const to = reinterpret_cast<T*>(values.data());
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = view.null(first + i) ? std::numeric_limits<T>::min() : read(first + i);
}

template <class T>
void copy_floats(std::vector<std::byte>& values, const ArrowView& view, std::int64_t first, std::int64_t count) {
  std::memcpy(values.data(),
              static_cast<const char*>(view.data) + (view.offset + first) * static_cast<std::int64_t>(sizeof(T)),
              static_cast<std::size_t>(count) * sizeof(T));
  if (view.valid == nullptr) return;
  auto* const to = reinterpret_cast<T*>(values.data());
  for (std::int64_t i = 0; i < count; ++i) {
    if (view.null(first + i)) to[i] = std::numeric_limits<T>::quiet_NaN();
  }
}

}  // namespace

ArrowColumns::Conversion ArrowColumns::conversion_of(const ArrowType& type) {
  if (type.dictionary) return Conversion::text;
  switch (type.kind) {
    case ArrowKind::boolean: return Conversion::truth;
    case ArrowKind::integer: return Conversion::integer;
    case ArrowKind::decimal: return Conversion::decimal;
    case ArrowKind::floating:
      return type.bytes == 8 ? Conversion::f64 : type.bytes == 4 ? Conversion::f32 : Conversion::half;
    case ArrowKind::text:
    case ArrowKind::text_view: return Conversion::text;
    default: return Conversion::texts;
  }
}

std::optional<InputError> ArrowColumns::bind(const ArrowType& records, const std::vector<ArrowLeaf>& leaves,
                                             Columns& columns) {
  sources_.clear();
  for (const ArrowLeaf& leaf : leaves) {
    const ArrowType* type = &records;
    for (const std::size_t k : leaf.steps) type = &type->children[k];
    Source& source = sources_.emplace_back();
    source.conversion = conversion_of(*type);
    source.steps = leaf.steps;
    const auto rows = static_cast<std::size_t>(kArrowBlock);
    Column column;
    if (source.conversion == Conversion::text) {
      source.items.resize(rows);
      column.data = source.items.data();
      column.type = ColumnType::text;
    } else {
      source.values.resize(rows * 8);
      column.data = source.values.data();
      column.type = source.conversion == Conversion::f32                                            ? ColumnType::f32
                    : source.conversion == Conversion::truth                                        ? ColumnType::i8
                    : source.conversion == Conversion::f64 || source.conversion == Conversion::half ? ColumnType::f64
                                                                                                    : ColumnType::i64;
      if (source.conversion == Conversion::truth) column.missing = INT8_MIN;
      if (source.conversion == Conversion::decimal) column.decimals = type->scale;
    }
    if (source.conversion != Conversion::texts) {
      if (auto error = columns.bind(leaf.path, column)) return error;
      continue;
    }
    source.items.resize(rows * kMostItems);
    Column items{source.items.data(), ColumnType::text,
                 static_cast<std::ptrdiff_t>(kMostItems * sizeof(std::string_view))};
    if (auto error = columns.bind_list(leaf.path, {column, items})) return error;
  }
  return std::nullopt;
}

namespace {

bool none_missing(const ArrowView& view) {
  if (view.valid == nullptr) return true;
  std::int64_t bit = view.offset;
  const std::int64_t end = view.offset + view.length;
  for (; bit < end && (bit & 7) != 0; ++bit) {
    if ((view.valid[bit >> 3] >> (bit & 7) & 1) == 0) return false;
  }
  for (; bit + 8 <= end; bit += 8) {
    if (view.valid[bit >> 3] != 0xff) return false;
  }
  for (; bit < end; ++bit) {
    if ((view.valid[bit >> 3] >> (bit & 7) & 1) == 0) return false;
  }
  return true;
}

std::optional<ColumnType> column_type(const ArrowType& type) {
  if (type.dictionary) return std::nullopt;
  if (type.kind == ArrowKind::floating && type.bytes == 8) return ColumnType::f64;
  if (type.kind == ArrowKind::floating && type.bytes == 4) return ColumnType::f32;
  if (type.kind != ArrowKind::integer) return std::nullopt;
  switch (type.bytes) {
    case 1: return type.is_signed ? ColumnType::i8 : ColumnType::u8;
    case 2: return type.is_signed ? ColumnType::i16 : ColumnType::u16;
    case 4: return type.is_signed ? ColumnType::i32 : ColumnType::u32;
    default: break;
  }
  if (type.bytes == 8 && type.is_signed) return ColumnType::i64;
  return std::nullopt;  // integers that no column can hold
}

}  // namespace

bool ArrowColumns::bind_records(const ArrowView& records, const std::vector<ArrowLeaf>& leaves, Columns& columns) {
  wide_.clear();
  if (!none_missing(records)) return false;
  for (const ArrowLeaf& leaf : leaves) {
    const ArrowView* view = &records;
    for (const std::size_t k : leaf.steps) {
      view = &view->children[k];
      if (!none_missing(*view)) return false;
    }
    const std::optional<ColumnType> type = column_type(*view->type);
    if (!type || view->data == nullptr) return false;
    Column column;
    column.data = static_cast<const char*>(view->data) + view->offset * view->type->bytes;
    column.type = *type;
    if (reinterpret_cast<std::uintptr_t>(column.data) % static_cast<std::uintptr_t>(view->type->bytes) != 0)
      return false;
    if (columns.bind(leaf.path, column)) return false;
    if (*type == ColumnType::i64) wide_.push_back(static_cast<const std::int64_t*>(column.data));
  }
  return true;
}

void ArrowColumns::check(std::int64_t first, std::int64_t count, std::vector<std::uint32_t>& others) const {
  for (const std::int64_t* const column : wide_) {
    bool any = false;
    for (std::int64_t i = first; i < first + count; ++i) any |= column[i] == INT64_MIN;
    for (std::int64_t i = 0; any && i < count; ++i) {
      if (column[first + i] == INT64_MIN) others.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

void ArrowColumns::load(const ArrowView& records, std::int64_t first, std::int64_t count,
                        std::vector<std::uint32_t>& others) {
  const auto refuse_nulls = [&](const ArrowView& view) {
    for (std::int64_t i = 0; view.valid != nullptr && i < count; ++i) {
      if (view.null(first + i)) others.push_back(static_cast<std::uint32_t>(i));
    }
  };
  refuse_nulls(records);
  for (Source& source : sources_) {
    // A null record differs from one without members.
    const ArrowView* view = &records;
    for (const std::size_t k : source.steps) {
      if (view != &records) refuse_nulls(*view);
      view = &view->children[k];
    }
    if (source.conversion == Conversion::text) load_texts(source, *view, first, count, others);
    else if (source.conversion == Conversion::texts) load_lists(source, *view, first, count, others);
    else load_numbers(source, *view, first, count, others);
  }
}

void ArrowColumns::load_numbers(Source& source, const ArrowView& view, std::int64_t first, std::int64_t count,
                                std::vector<std::uint32_t>& others) {
  if (count == 0) return;
  const auto other = [&](std::int64_t row) { others.push_back(static_cast<std::uint32_t>(row - first)); };
  switch (source.conversion) {
    case Conversion::f64: return copy_floats<double>(source.values, view, first, count);
    case Conversion::f32: return copy_floats<float>(source.values, view, first, count);
    case Conversion::half: {
      auto* const to = reinterpret_cast<double*>(source.values.data());
      for (std::int64_t i = 0; i < count; ++i) {
        to[i] = view.null(first + i) ? std::numeric_limits<double>::quiet_NaN()
                                     : half_to_double(load_at<std::uint16_t>(view.data, view.offset + first + i));
      }
      return;
    }
    case Conversion::truth:
      return copy_integers<std::int8_t>(source.values, view, first, count, [&](std::int64_t i) {
        return static_cast<std::int8_t>(view.truth(i) ? 1 : 0);
      });
    case Conversion::decimal:
      return copy_integers<std::int64_t>(source.values, view, first, count, [&](std::int64_t i) {
        std::int64_t value = 0;
        if (!decimal_at(view, i, value)) other(i);
        return value;
      });
    default: break;
  }
  if (view.type->is_signed && view.type->bytes < 8)
    return copy_integers<std::int64_t>(source.values, view, first, count,
                                       [&](std::int64_t i) { return view.signed_at(i); });
  if (view.type->is_signed) {
    return copy_integers<std::int64_t>(source.values, view, first, count, [&](std::int64_t i) {
      const std::int64_t value = view.signed_at(i);
      if (value == INT64_MIN) other(i);  // which means missing
      return value;
    });
  }
  copy_integers<std::int64_t>(source.values, view, first, count, [&](std::int64_t i) {
    const std::uint64_t value = view.unsigned_at(i);
    if (value > INT64_MAX) other(i);
    return static_cast<std::int64_t>(value);
  });
}

void ArrowColumns::load_texts(Source& source, const ArrowView& view, std::int64_t first, std::int64_t count,
                              std::vector<std::uint32_t>& others) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::string_view& item = source.items[static_cast<std::size_t>(i)];
    item = missing(view, first + i) ? std::string_view() : text_of(view, first + i);
    if (!plain(item)) others.push_back(static_cast<std::uint32_t>(i));
  }
}

void ArrowColumns::load_lists(Source& source, const ArrowView& view, std::int64_t first, std::int64_t count,
                              std::vector<std::uint32_t>& others) {
  auto* const counts = reinterpret_cast<std::int64_t*>(source.values.data());
  for (std::int64_t i = 0; i < count; ++i) {
    counts[i] = INT64_MIN;
    if (view.null(first + i)) continue;
    std::int64_t from = 0, to = 0;
    view.range(first + i, from, to);
    bool good = to - from <= static_cast<std::int64_t>(kMostItems);
    std::string_view* item = source.items.data() + static_cast<std::size_t>(i) * kMostItems;
    for (std::int64_t k = from; good && k < to; ++k) {
      good = !missing(view.children[0], k);
      if (good) *item = text_of(view.children[0], k);
      good = good && plain(*item++);
    }
    if (good) counts[i] = to - from;
    else others.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace assay
