// One file of records by its name, or standard input, opened and read as the library reads such files (assay/files.hpp);
// every failure is one sentence that names the file.
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
  // `from` as --from gives it: empty when the name of the file, or else its content, decides. Nothing (and `problem`)
  // when it cannot be read; `strict`: when it is a .npy file with a field that the rubric does not name, too.
  static std::optional<RecordFile> open(const std::string& path, const std::string& from, const Rubric& rubric,
                                        bool strict, std::string& problem);

  const std::string& label() const { return label_; }
  Format format() const { return source_->format(); }
  // Bytes read; 0 at the end; negative on a failure, which problem() then describes.
  long read(char* buffer, std::size_t size) { return source_->read(buffer, size); }
  bool would_wait() const { return source_->would_wait(); }
  std::string problem() const;  // empty: none
  // "cannot read 'x': why", of one whose content is not what it should be.
  std::string unreadable(std::string_view why) const;
  std::uint64_t bytes() const { return source_->bytes(); }  // read so far, unpacked
  const Beginning& beginning() const { return source_->beginning(); }
  const NpyTable& table() const { return source_->table(); }
  const std::vector<NpyInput>& inputs() const { return source_->inputs(); }

 private:
  RecordFile(InputFile file, std::string label)
      : file_(std::make_unique<InputFile>(std::move(file))), label_(std::move(label)) {}

  std::unique_ptr<InputFile> file_;  // stays where it is: the source reads it
  std::string label_;
  std::optional<RecordSource> source_;
};

}  // namespace assay::cli
