// Scores rows that a host has in memory, without JSON: inputs are bound to columns (or to members of an array of
// records, as columns with a stride), and results are written to columns. Bind once; score again whenever the data in
// the columns has changed.
//
//   assay::Columns columns(rubric);
//   columns.bind("scores.correctness", {correctness.data(), assay::ColumnType::f64});
//   columns.write("score", {scores.data(), assay::ColumnType::f64});
//   columns.write("grade", {grades.data(), assay::ColumnType::u8});   // positions in columns.texts("grade")
//   columns.score(0, rows);
//
// Exact like everything else: a double means the shortest decimal that reads back as it. After the first rows nothing
// is allocated, as long as no row is rejected. A Columns object belongs to one thread; the Rubric may be shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

class Rubric;
struct EvaluatorOptions;
struct InputError;
struct Settings;
struct Statistics;

enum class ColumnType : std::uint8_t {
  f64,
  f32,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  text,  // std::string_view to characters that stay valid while a row is scored
};

// An input. The host owns the memory; only score() reads it.
struct Column {
  const void* data = nullptr;  // of row 0
  ColumnType type = ColumnType::f64;
  std::ptrdiff_t stride = 0;  // bytes from one row to the next; 0: the size of the type
  int decimals = 0;           // integers of a number: 925 with 2 decimals is 9.25; 0 … 9
  // Missing is NaN, a text without data(), or an integer that equals this.
  std::int64_t missing = INT64_MIN;
  // u8, u16 and u32: use only `bits` bits from bit `shift` on, as an unsigned integer; 0: all.
  unsigned shift = 0, bits = 0;
  std::vector<std::string> names = {};  // integers that encode a text: k means names[k]
};

// An input that is a list or set of texts: each row has a count and adjacent items.
struct ListColumn {
  Column count;  // integers
  Column items;  // text, or integers with names; `stride` is the distance between rows, items of a row are adjacent
};

// A field of the verdict. Integers hold a number times 10^decimals, a text as its position in texts(field), a truth as
// 0 or 1. The host owns the memory; only score() writes it. A column never holds a number that differs from the
// verdict: write() refuses a type too small for the range of its field or for all its texts, and a `missing` that is
// also a value of the field. If a field has no range, a number that does not fit is stored as missing with an entry in
// errors(); choose a `missing` that does not occur.
struct ResultColumn {
  void* data = nullptr;  // of row 0
  ColumnType type = ColumnType::f64;
  std::ptrdiff_t stride = 0;
  int decimals = 0;
  std::int64_t missing = -1;  // for integers (-1 in unsigned ones: the largest); floating point: NaN
};

class Columns {
 public:
  // Only the fields passed to write() are computed. Keeps the rubric alive.
  explicit Columns(const Rubric& rubric);
  Columns(const Rubric& rubric, const EvaluatorOptions& options);
  ~Columns();
  Columns(Columns&&) noexcept;
  Columns& operator=(Columns&&) noexcept;

  // Each returns an error, or nothing. Paths: "correctness", "scores.correctness". An input that is not bound is absent
  // from every row; binding again replaces the column.
  std::optional<InputError> bind(std::string_view path, const Column& column);
  std::optional<InputError> bind_list(std::string_view path, const ListColumn& column);
  std::optional<InputError> write(std::string_view field, const ResultColumn& column);
  std::optional<InputError> configure(const Settings& settings);

  // The texts that a field can have, in the order of its type; empty: any text, which no column can hold.
  std::vector<std::string> texts(std::string_view field) const;

  // Scores the rows first … last - 1. A rejected row gets missing results and an entry in errors(), with the paths of
  // its inputs; the other rows are scored. A result that does not fit its column has an entry without a path. Returns
  // an error of the setup (a required input is not bound), or the interrupt's error code; some rows have been written
  // by then.
  std::optional<InputError> score(std::size_t first, std::size_t last);
  const std::vector<std::pair<std::size_t, InputError>>& errors() const;  // of the last score(), by row

  const Statistics& statistics() const;

 private:
  friend struct ColumnsTestAccess;  // runtime/columns/columns_impl.hpp
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
