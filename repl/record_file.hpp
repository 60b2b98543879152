// One file of records, or standard input: its bytes, unpacked when they are compressed (by their first bytes, whatever
// the name says), and the format they are in. Rows of a .npy file are read as lines of NDJSON, or as they are.
#pragma once

#include "repl/files.hpp"
#include "repl/npy_lines.hpp"
#include "repl/npy_reader.hpp"
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
  static std::optional<RecordFile> open(const std::string& path, const std::string& from, const Rubric& rubric,
                                        std::string& problem);

  Format format() const { return format_; }  // of what read() gives
  const std::string& label() const { return label_; }

  // Bytes read; 0 at the end; negative on a failure, which problem() then describes.
  long read(char* buffer, std::size_t size);
  // Whether a read might have to wait for somebody.
  bool would_wait() const {
    return lines_.empty() && sniffed_.empty() && unread().empty() && !ended_ && file_.would_wait();
  }
  const std::string& problem() const { return problem_; }
  std::uint64_t bytes() const { return bytes_; }  // read so far, unpacked

  // Of a .npy file, instead of read(): its fields, and its rows as NpyReader::next() gives them.
  bool npy() const { return npy_.has_value(); }
  const NpyTable& table() const { return npy_->table(); }
  const std::vector<NpyInput>& inputs() const { return inputs_; }
  NpyReader::Status rows(std::string_view& rows);

 private:
  RecordFile(InputFile file, std::string label) : file_(std::move(file)), label_(std::move(label)) {}
  std::string_view unread() const { return std::string_view(raw_).substr(used_); }
  bool more(std::size_t size);
  bool detect_packing();
  bool detect_format(const std::string& path, const std::string& from, const Rubric& rubric);
  bool open_npy(const Rubric& rubric);
  bool refuse(const std::string& why);
  long unpacked(char* buffer, std::size_t size);
  long content(char* buffer, std::size_t size);
  long read_lines(char* buffer, std::size_t size);

  InputFile file_;
  std::string label_;
  Format format_ = Format::ndjson;
  Unpack unpack_;    // empty: it is not compressed
  std::string raw_;  // read from the file, used up to used_
  std::size_t used_ = 0;
  bool ended_ = false;   // the file
  std::string sniffed_;  // unpacked to find the format
  std::optional<NpyReader> npy_;
  std::vector<NpyInput> inputs_;
  std::optional<NpyLines> line_;
  std::string lines_;  // of rows, given out up to given_
  std::size_t given_ = 0;
  std::string problem_;
  std::uint64_t bytes_ = 0;
};

}  // namespace assay::cli
