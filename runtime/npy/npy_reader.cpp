// A buffer of whole rows and the beginning of the next. It grows with the data read, never with what a header claims.
#include <assay/npy.hpp>

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kReading = std::size_t{1} << 17;

}  // namespace

// Reads once, after the unused bytes.
long NpyReader::more(const Read& read, std::size_t size) {
  std::copy(buffer_.data() + used_, buffer_.data() + end_, buffer_.data());
  end_ -= used_;
  used_ = 0;
  if (buffer_.size() < end_ + size) buffer_.resize(end_ + size);
  const long count = read(buffer_.data() + end_, size);
  end_ += static_cast<std::size_t>(std::max(count, 0L));
  return count;
}

bool NpyReader::open(const Read& read) {
  std::size_t wanted = 0;  // bytes of the header; 0: unknown
  while (wanted == 0 || unread().size() < wanted) {
    const long count = more(read, kReading);
    if (count < 0) return false;
    if (count == 0) {
      problem_ = unread().empty() ? "it is empty" : "it ends within its header";
      return false;
    }
    const std::optional<std::size_t> bytes = npy_header_bytes(unread(), problem_);
    if (!bytes) return false;
    wanted = *bytes;
  }
  std::optional<NpyTable> table = parse_npy_header(unread().substr(0, wanted), problem_);
  if (!table) return false;
  table_ = std::move(*table);
  used_ = wanted;
  return true;
}

NpyReader::Status NpyReader::next(const Read& read, std::string_view& rows) {
  const auto fail = [this](const std::string& but) {
    problem_ = "its header promises " + std::to_string(table_.rows) + " rows, and " + but;
    return Status::failed;
  };
  while (seen_ < table_.rows) {
    const std::uint64_t whole = unread().size() / table_.row_bytes;
    if (const auto count = static_cast<std::size_t>(std::min(whole, table_.rows - seen_)); count > 0) {
      rows = unread().substr(0, count * table_.row_bytes);
      used_ += rows.size();
      seen_ += count;
      return Status::rows;
    }
    const long count = more(read, kReading);
    if (count < 0) return Status::failed;
    if (count == 0) return fail("it ends in row " + std::to_string(seen_ + 1));
  }
  if (unread().empty() && more(read, 1) < 0) return Status::failed;
  return unread().empty() ? Status::end : fail("it goes on behind them");
}

}  // namespace assay
