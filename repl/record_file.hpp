// One file of records, or standard input: its bytes, unpacked when they are compressed (by their first bytes, whatever
// the name says), and the format they are in.
#pragma once

#include "repl/files.hpp"
#include "repl/unpack.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

class RecordFile {
 public:
  // `from` as --from gives it: empty when the name of the file, or else its content, decides. Nothing (and `problem`)
  // when it cannot be read.
  static std::optional<RecordFile> open(const std::string& path, const std::string& from, std::string& problem);

  Format format() const { return format_; }
  const std::string& label() const { return label_; }

  // Bytes read; 0 at the end; negative on a failure, which problem() then describes.
  long read(char* buffer, std::size_t size);
  // Whether a read might have to wait for somebody.
  bool would_wait() const { return sniffed_.empty() && unread().empty() && !ended_ && file_.would_wait(); }
  const std::string& problem() const { return problem_; }
  std::uint64_t bytes() const { return bytes_; }  // read so far, unpacked

 private:
  RecordFile(InputFile file, std::string label) : file_(std::move(file)), label_(std::move(label)) {}
  std::string_view unread() const { return std::string_view(raw_).substr(used_); }
  bool more(std::size_t size);
  bool detect_packing();
  bool detect_format(const std::string& path, const std::string& from);
  long unpacked(char* buffer, std::size_t size);

  InputFile file_;
  std::string label_;
  Format format_ = Format::ndjson;
  Unpack unpack_;    // empty: it is not compressed
  std::string raw_;  // read from the file, used up to used_
  std::size_t used_ = 0;
  bool ended_ = false;   // the file
  std::string sniffed_;  // unpacked to find the format
  std::string problem_;
  std::uint64_t bytes_ = 0;
};

}  // namespace assay::cli
