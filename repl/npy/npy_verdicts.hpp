// Rows of a .npy file → lines of verdicts, by columns: what a Batch makes of the same rows as records (repl/npy/npy_lines),
// byte for byte and several times as fast. Rows that columns refuse, or whose text they do not decide, are scored as
// records.
#pragma once

#include "repl/files/record_file.hpp"
#include "repl/npy/npy_columns.hpp"
#include "repl/npy/npy_lines.hpp"
#include "repl/npy/result_columns.hpp"
#include "repl/npy/row_scorer.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class NpyVerdicts : public RowScorer {
 public:
  // Null: a field that is asked for, or an input of the file, is not such as columns hold. `fields`: of the verdict, all
  // of them known.
  static std::unique_ptr<NpyVerdicts> make(const RecordFile& file, const Rubric& rubric,
                                           const std::vector<std::string>& fields, const Limits& limits,
                                           const Settings& settings);

  void append(std::string& out, std::string_view rows) override;
  Statistics statistics() const override;

 private:
  // A text that is copied kCopied bytes at a time if it is not longer: a copy of known size is a short one.
  struct Fragment {
    static constexpr std::size_t kCopied = 32;
    explicit Fragment(std::string_view of = {});
    std::string text;
    std::size_t size;
  };
  // A value in the line, and what stands before it.
  struct Part {
    Fragment before;
    const ResultColumns::Field* result = nullptr;  // null: the id
    int decimals = -1;                             // of a number, as FieldInfo has them
    std::vector<Fragment>
        texts;  // of a text, the last one when there is none; of a truth, the first one when there is none
  };

  NpyVerdicts(const RecordFile& file, const Rubric& rubric, const std::vector<std::string>& fields,
              const Limits& limits);
  bool prepare(const Rubric& rubric, const std::vector<std::string>& fields, const Limits& limits,
               const Settings& settings);
  void append_block(std::string& out, std::string_view rows, std::size_t first);
  static char* put(char* out, const Fragment& fragment);
  char* put_row(char* out, const char* row, std::size_t index) const;
  char* put_id(char* out, const char* row) const;
  void append_record(std::string& out, const char* row, std::size_t index);

  std::size_t row_bytes_, block_rows_;
  const NpyField* id_ = nullptr;
  NpyColumns inputs_;
  NpyLines line_;
  ResultColumns results_;
  Evaluator records_;
  Columns columns_;
  std::vector<Part> parts_;
  std::size_t most_ = 0;           // bytes of a line
  std::unique_ptr<char[]> lines_;  // of a block
  std::string record_;
  std::uint64_t rejected_ = 0;
};

}  // namespace assay::cli
