// Verdicts as columns: the form of each field, the memory where kernels write it, and the exported batch.
#pragma once

#include "lang/value/text_index.hpp"
#include "runtime/arrow/arrow_columns.hpp"
#include "runtime/arrow/arrow_values.hpp"

#include <assay/arrow.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// A field of the verdicts and the column that it becomes.
struct ArrowField {
  enum class Form : std::uint8_t {
    id,       // copied from the column of the records
    number,   // float64
    decimal,  // decimal128; from 64-bit integers if a kernel computes it
    truth,
    choice,    // a dictionary of its texts
    constant,  // the same text for every scored record: "rubric"
    value,     // anything else, through its JSON
    verdict,   // the JSON of the whole verdict
  };
  Form form = Form::value;
  std::string name;
  TypeId type = kUnknown;
  int decimals = -1;
  std::string constant;
  std::vector<std::string> texts;
  TextIndex index;  // index of the texts
  int code_bytes = 1;
};

// The forms of the fields, in their order.
class ArrowPlan {
 public:
  ArrowPlan(const Rubric& rubric, const ArrowOptions& options);
  const std::optional<InputError>& error() const { return error_; }
  const std::vector<ArrowField>& fields() const { return fields_; }
  // Top-level keys that the evaluator has to compute; empty: all.
  const std::vector<std::string>& computed() const { return computed_; }
  // A single column with verdicts and errors.
  bool whole() const { return !fields_.empty() && fields_[0].form == ArrowField::Form::verdict; }
  bool direct() const { return direct_; }          // kernels can write everything
  bool structured() const { return structured_; }  // errors are records
  const TypeTable* types_of() const { return types_; }
  bool as_decimals() const { return as_decimals_; }

 private:
  void add(const Rubric& rubric, const std::string& name, bool nested);
  std::vector<ArrowField> fields_;
  std::vector<std::string> computed_;
  std::optional<InputError> error_;
  const TypeTable* types_;
  const RubricModel* each_ = nullptr;  // the second pass; null: none
  bool as_decimals_, structured_, json_records_, direct_ = true;
};

// The verdicts of a batch under construction. Threads write different blocks of rows concurrently.
class ArrowBatch {
 public:
  ArrowBatch(const ArrowPlan& plan, std::int64_t rows);

  // Stores the results of a block as a kernel has written them: f64, i64 with the decimals of the field, or codes;
  // missing is NaN, INT64_MIN, -1.
  void put_block(std::size_t field, std::int64_t first, std::int64_t count, const void* values);
  // Memory for all rows of a field, in which a kernel may write the values for put_block(); null before
  // prepare_direct(), and for a field that no kernel computes. The argument of put_block() may be this memory, with
  // each row in place.
  void prepare_direct();
  bool direct_rows() const { return direct_rows_; }
  char* direct(std::size_t field);
  // Stores a single row; may replace one of a block.
  void put_verdict(std::int64_t row, const Verdict& verdict, const std::vector<FieldHandle>& handles);

  // Stores the id of a rejected record, as written in its text.
  void put_id(std::int64_t row, std::string_view record);
  void put_unread(std::int64_t row, const InputError& error);

  std::uint64_t rejected() const;
  // Call when everything is written: returns the batch, a struct. `id`: a column of the records, or null.
  void finish(const std::shared_ptr<ArrowHeld>& records, int id, ArrowArray& out);

 private:
  struct Column {
    ArrowBuffer values, valid;
    ArrowBuffer direct;  // for values that are converted at the end
    bool bits = false;   // truths
  };
  // For rows stored one by one: values that do not fit a fixed-width buffer.
  struct Block {
    std::vector<std::pair<std::int64_t, InputError>> errors;
    std::vector<std::vector<std::pair<std::int64_t, std::string>>> texts;  // by field: JSON
  };
  Block& block(std::int64_t row) { return blocks_[static_cast<std::size_t>(row / kArrowBlock)]; }
  void put_fixed(std::size_t field, std::int64_t row, const Verdict& verdict, FieldHandle handle);
  void put_missing(std::size_t field, std::int64_t row);
  ArrowOwned finish_fixed(std::size_t field);
  ArrowOwned finish_texts(std::size_t field);
  ArrowOwned finish_errors();
  ArrowOwned finish_constant(const ArrowField& field);
  const ArrowPlan& plan_;
  std::int64_t rows_;
  bool direct_rows_ = false;
  std::vector<Column> columns_;
  std::vector<Block> blocks_;
};

// The schema of such a batch. `id`: the column of the records, or null.
void export_result_schema(const ArrowPlan& plan, const ArrowType* id, ArrowSchema& out);

}  // namespace assay
