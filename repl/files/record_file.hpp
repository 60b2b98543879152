// One file of records, or standard input: its bytes, unpacked when they are compressed (by their first bytes, whatever
// the name says), and the format they are in.
#pragma once

#include "repl/files/files.hpp"
#include "repl/files/unpack.hpp"

#include <assay/assay.hpp>
#include <assay/npy.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// How a file begins, kept for a look at the names in it after its records have been read.
struct Beginning {
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  std::string label;
  Format format = Format::ndjson;
  std::string text;                 // its first bytes, unpacked
  bool whole = true;                // there are no others
  std::vector<std::string> fields;  // of a .npy file, instead of text
};

class RecordFile {
 public:
  // `from` as --from gives it: empty when the name of the file, or else its content, decides. Nothing (and `problem`)
  // when it cannot be read; `strict`: when it is a .npy file with a field that the rubric does not name, too.
  static std::optional<RecordFile> open(const std::string& path, const std::string& from, const Rubric& rubric,
                                        bool strict, std::string& problem);

  Format format() const { return format_; }  // of what read() gives
  const std::string& label() const { return label_; }

  // Bytes read; 0 at the end; negative on a failure, which problem() then describes.
  long read(char* buffer, std::size_t size);
  // Whether a read might have to wait for somebody.
  bool would_wait() const { return sniffed_.empty() && unread().empty() && !ended_ && file_.would_wait(); }
  const std::string& problem() const { return problem_; }
  // "cannot read 'x': why", of one whose content is not what it should be.
  std::string unreadable(std::string_view why) const;
  std::uint64_t bytes() const { return bytes_; }             // read so far, unpacked
  const Beginning& beginning() const { return beginning_; }  // of what has been read; empty when `strict`

  // Of a .npy file: what its header says, which read() still gives.
  const NpyTable& table() const { return table_; }
  const std::vector<NpyInput>& inputs() const { return inputs_; }

 private:
  RecordFile(InputFile file, std::string label, bool strict)
      : file_(std::move(file)), label_(std::move(label)), strict_(strict) {
    beginning_.label = label_;
  }
  std::string_view unread() const { return std::string_view(raw_).substr(used_); }
  bool more(std::size_t size);
  bool detect_packing();
  bool detect_format(const std::string& path, const std::string& from, const Rubric& rubric);
  bool open_npy(const Rubric& rubric);
  void keep(std::string_view read);
  long unpacked(char* buffer, std::size_t size);

  InputFile file_;
  std::string label_;
  bool strict_;
  Beginning beginning_;
  Format format_ = Format::ndjson;
  Unpack unpack_;    // empty: it is not compressed
  std::string raw_;  // read from the file, used up to used_
  std::size_t used_ = 0;
  bool ended_ = false;   // the file
  std::string sniffed_;  // unpacked to find the format, or what a header says
  NpyTable table_;
  std::vector<NpyInput> inputs_;
  std::string problem_;
  std::uint64_t bytes_ = 0;
};

}  // namespace assay::cli
