// The implementation of Columns (runtime/columns/columns.cpp).
#pragma once

#include "runtime/dispatch/kernel_runner.hpp"
#include "runtime/dispatch/kernel_tuner.hpp"
#include "runtime/engine/evaluator.hpp"

#include <assay/columns.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// The possible values of an integer column.
struct IntegerRange {
  std::int64_t low = 0, high = 0;
  bool holds(std::int64_t v) const { return v >= low && v <= high; }
};
inline IntegerRange range_of(ColumnType type) {
  switch (type) {
    case ColumnType::i8: return {INT8_MIN, INT8_MAX};
    case ColumnType::i16: return {INT16_MIN, INT16_MAX};
    case ColumnType::i32: return {INT32_MIN, INT32_MAX};
    case ColumnType::u8: return {0, UINT8_MAX};
    case ColumnType::u16: return {0, UINT16_MAX};
    case ColumnType::u32: return {0, UINT32_MAX};
    default: return {INT64_MIN, INT64_MAX};
  }
}

inline bool integer(ColumnType type) {
  return type != ColumnType::f64 && type != ColumnType::f32 && type != ColumnType::text;
}

inline InputError wrong(std::string_view path, const char* code, const std::string& message) {
  return {std::string(path), code, std::string(path) + " " + message};
}

struct Columns::Impl {
  struct Bound {
    std::string path;
    InputPath steps;
    TypeId type = kUnknown;
    Column column;  // of a list: its counts
    Column items;
    bool list = false;
    InputHandle handle{};
  };
  struct Written {
    std::string field;
    std::size_t verdict = 0;  // position in RubricModel::verdict
    ResultColumn column;
    std::vector<std::string> texts;
    TextIndex index;  // index of the texts
    FieldHandle handle{};
    bool fits = true;  // the column holds every value of the field; false: each value must be checked
  };
  // A column that the kernel does not read.
  struct Unread {
    const Bound* bound;
    bool optional;
    KernelColumn column, items;  // of the bound input, without names
  };
  // A kernel bound to the columns. It is made, and replaced for other columns or another kernel, as a whole.
  struct Binding {
    std::uint64_t generation = 0;  // of the kernel
    std::vector<Unread> unread;
    std::deque<std::vector<std::int32_t>> maps;  // the data that loads and stores refer to
    std::deque<NameTable> tables;
    std::deque<std::vector<double>> decimals;
    std::optional<KernelRunner> runner;  // null: the evaluator scores all rows of these columns
  };

  Impl(const Rubric& rubric, EvaluatorOptions options);

  // ---- binding (columns.cpp)
  InputPath find(std::string_view path, TypeId& type) const;
  std::optional<InputError> check(std::string_view path, const Column& column, TypeId type, bool item) const;
  std::optional<InputError> check_result(Written& w, const Item& item) const;
  void bind(Bound bound);
  std::optional<InputError> prepare();
  const Bound* bound_to(const InputPath& path) const;
  KernelColumn kernel_column(const Column& c, const std::vector<std::int32_t>* map) const;
  void unready() {
    ready = false;
    binding.reset();
    quick = nullptr;
  }
  void forget_evaluator();

  // ---- the kernel and the columns (columns_plan.cpp, columns_unread.cpp)
  std::unique_ptr<Binding> plan() const;
  KernelInput::Absent absent(const KernelInput& input) const;
  bool load_of(const KernelInput& input, Register spare, Binding& made,
               RowLoad& load) const;  // false: the kernel cannot take any row
  bool load_number(const KernelInput& input, const Bound& bound, Binding& made, RowLoad& load) const;
  void load_list(const Bound& bound, const std::vector<std::int32_t>* map, Binding& made, RowLoad& load) const;
  void load_text(const KernelInput& input, const Bound& bound, Binding& made, RowLoad& load) const;
  bool store_of(const Written& w, const KernelResult& result, Binding& made,
                ResultStore& store) const;  // false: the result cannot be stored
  bool find_unread(const Kernel& kernel, std::vector<Unread>& unread) const;
  bool acceptable(std::size_t row);  // whether the columns that the kernel does not read are valid

  // ---- rows (columns_score.cpp)
  void score(std::size_t first, std::size_t last);
  void score_vectors(std::size_t first, std::size_t steps);
  std::size_t score_jit_rows(std::size_t first, std::size_t last);
  void score_row(std::size_t row);
  void score_slowly(std::size_t row);
  void set_inputs(const Bound& b, std::size_t row);
  void count(std::uint64_t rows, std::uint64_t jit, std::uint64_t vectors);
  void count_quick_rows() { count(quick_rows, quick_rows, 0), quick_rows = 0; }
  std::optional<InputError> score_all(std::size_t first, std::size_t last);
  void store_verdict(const Written& w, const Verdict& verdict, std::size_t row);

  Rubric rubric;
  EvaluatorOptions options;
  const Model& model;
  const RubricModel& meaning;
  JitCode::Set set = JitCode::best();
  std::optional<Settings> settings;
  std::vector<Bound> bounds;
  std::vector<Written> written;  // in the order of the verdict
  bool ready = false;            // the handles and the evaluator match what is bound

  std::optional<Evaluator> evaluator;  // for the fields that are written
  std::optional<KernelTuner> fast;
  std::unique_ptr<Binding> binding;  // for the kernel of this generation, or null
  KernelRunner* quick = nullptr;     // machine code that can score single rows without further checks
  std::uint64_t quick_rows = 0;      // rows that it scored and that are not counted yet

  std::vector<std::string_view> texts;  // of a row
  std::vector<std::size_t> slow;        // rows of a run of vectors
  std::vector<std::pair<std::size_t, InputError>> faults;
  Statistics statistics;
  Statistics shown;
};

// For tests: uses fewer instructions than the processor has.
struct ColumnsTestAccess {
  static bool use(Columns& columns, JitCode::Set set) {
    if (set > JitCode::best()) return false;
    columns.impl_->set = set;
    columns.impl_->unready();
    return true;
  }
};

}  // namespace assay
