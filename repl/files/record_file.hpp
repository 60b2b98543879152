// One file of records by name, or standard input, opened and read through the library (assay/files.hpp); every failure
// is one sentence that names the file.
#pragma once

#include "repl/files/files.hpp"

#include <assay/files.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

class RecordFile {
 public:
  // `from`: the value of --from; empty: the name of the file, or else its content, decides. Nothing (and `problem`) if
  // the file cannot be read; with `strict`, also if it is a .npy file with a field that the rubric does not name.
  static std::optional<RecordFile> open(const std::string& path, const std::string& from, const Rubric& rubric,
                                        bool strict, std::string& problem);

  const std::string& label() const { return label_; }
  Format format() const { return source_->format(); }
  // Returns the bytes read; 0 at the end; negative on a failure, which problem() then describes.
  long read(char* buffer, std::size_t size) { return source_->read(buffer, size); }
  bool would_wait() const { return source_->would_wait(); }
  std::string problem() const;  // empty: none
  // "cannot read 'x': why", for a file with invalid content.
  std::string unreadable(std::string_view why) const;
  std::uint64_t bytes() const { return source_->bytes(); }  // read so far, decompressed
  const Beginning& beginning() const { return source_->beginning(); }
  const NpyTable& table() const { return source_->table(); }
  const std::vector<NpyInput>& inputs() const { return source_->inputs(); }

 private:
  RecordFile(InputFile file, std::string label)
      : file_(std::make_unique<InputFile>(std::move(file))), label_(std::move(label)) {}

  std::unique_ptr<InputFile> file_;  // at a fixed address, because the source reads it
  std::string label_;
  std::optional<RecordSource> source_;
};

}  // namespace assay::cli
