// The inside of Columns (runtime/columns/columns.cpp).
#pragma once

#include "runtime/engine/evaluator.hpp"
#include "runtime/jit/native.hpp"
#include "runtime/kernel/fast_path.hpp"
#include "runtime/kernel/lane_row.hpp"

#include <assay/columns.hpp>

#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// What the integers of a column can be.
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
    TextIndex index;  // of them
    FieldHandle handle{};
    bool fits = true;  // whatever the field can be, the column holds; false: it has to be looked at
  };
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };

  Impl(const Rubric& rubric, EvaluatorOptions options);
  InputPath find(std::string_view path, TypeId& type) const;
  std::optional<InputError> check(std::string_view path, const Column& column, TypeId type, bool item) const;
  std::optional<InputError> check_result(Written& w, const Item& item) const;
  void bind(Bound bound);
  std::optional<InputError> prepare();
  const Bound* bound_to(const InputPath& path) const;
  Port::Absent absent(const Port& port) const;
  LaneColumn lane_column(const Column& c, std::vector<std::int32_t>* map) const;
  void plan();
  bool find_unread(const Kernel& kernel);
  bool acceptable(std::size_t row);  // as far as the columns that the kernel does not read go
  void score(std::size_t first, std::size_t last);
  void score_block(std::size_t first, std::uint32_t rows);
  void score_vectors(std::size_t first, std::size_t steps);
  std::size_t score_native_rows(std::size_t first, std::size_t last);
  void score_row(std::size_t row);
  void score_slowly(std::size_t row);
  void use_native();
  void forget_native() {  // it may be found again by its form
    layout.reset();
    row_in_use = block_in_use = false;
    one_row = {};
  }
  void unready() {
    ready = false;
    one_row = {};
  }
  void count_native_rows();
  std::optional<InputError> score_all(std::size_t first, std::size_t last);
  void store_verdict(const Written& w, const Verdict& verdict, std::size_t row);
  const std::vector<Number>* evaluator_weights() const {
    return evaluator->impl_->weights.empty() ? nullptr : &evaluator->impl_->weights;
  }

  Rubric rubric;
  EvaluatorOptions options;
  const Model& model;
  const RubricModel& meaning;
  std::optional<Settings> settings;
  std::vector<Bound> bounds;
  std::vector<Written> written;  // in the order of the verdict
  bool ready = false;            // the handles and the evaluator are those of what is bound
  bool stale = true;             // the evaluator computes other fields

  std::optional<Evaluator> evaluator;
  std::optional<FastPath> fast;

  // of the kernel in use, whose generation this is
  std::uint64_t generation = 0;
  struct Unread {
    const Bound* bound;
    bool optional;
    LaneColumn column, items;  // of the bound, without names
  };
  std::vector<Unread> unread;
  bool usable = true;               // its results can be stored
  bool in_blocks = true;            // its inputs are all such as blocks can load
  RowLoads loads;                   // one per port
  std::vector<LaneColumn> columns;  // the same for blocks
  std::deque<std::vector<std::int32_t>> maps;
  std::deque<NameTable> tables;
  std::deque<std::vector<double>> decimals;
  std::vector<ResultStore> stores, block_stores;
  BlockProgram blocks;
  std::unique_ptr<char, Free> memory;

  // Machine code for columns of native_form; made when EvaluatorOptions::native_after rows were the kernel's.
  std::optional<NativeLayout> layout;  // null: not looked at since plan()
  std::vector<std::int64_t> native_form;
  std::unique_ptr<NativeCode> native_row, native_block;  // null: there is none for native_form
  bool row_in_use = false, block_in_use = false;         // with `layout`
  struct OneRow {                                        // what a row that is scored alone needs, side by side
    NativeCode::Row code = nullptr;
    const char* const* bases = nullptr;
    const RowLoad* loads = nullptr;
    std::int64_t* lanes = nullptr;
    bool operator()(std::size_t row) const { return code(bases, row, loads, lanes) != 0; }
  } one_row;
  std::uint64_t native_rows = 0;  // that it took and are not counted yet
  std::uint64_t kernel_rows = 0;
  static constexpr std::size_t kNativeSteps = 512;
  std::uint16_t refused_bits[kNativeSteps];

  std::vector<const BlockLoops*> sets;
  const BlockLoops* loops = nullptr;
  std::vector<std::string_view> texts;  // of a row
  std::vector<std::size_t> slow;        // rows of a block
  std::vector<std::pair<std::size_t, InputError>> faults;
  Statistics statistics;
  Statistics shown;
};

}  // namespace assay
