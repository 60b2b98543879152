// Messages about a file, from the system's errors and its content.
#include "repl/files/record_file.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

std::optional<RecordFile> RecordFile::open(const std::string& path, const std::string& from, const Rubric& rubric,
                                           bool strict, std::string& problem) {
  std::optional<InputFile> input = InputFile::open(path, problem);
  if (!input) return std::nullopt;
  RecordFile file(std::move(*input), file_label(path));
  InputFile* const bytes = file.file_.get();
  std::string why;
  file.source_ = RecordSource::open({[bytes](char* buffer, std::size_t size) { return bytes->read(buffer, size); },
                                     [bytes] { return bytes->would_wait(); }},
                                    path, rubric, {from, strict, interrupt(), file.label_}, why);
  if (file.source_) return file;
  problem = why.empty() ? bytes->problem() : file.unreadable(why);
  return std::nullopt;
}

std::string RecordFile::problem() const {
  const std::string& why = source_->problem();
  return why.empty() ? file_->problem() : unreadable(why);
}

std::string RecordFile::unreadable(std::string_view why) const { return file_->unreadable(printable(why).c_str()); }

}  // namespace assay::cli
