// The calling thread reads and writes. With one scorer it scores as well; else parts of the file stand in line, whoever is
// free takes the first that waits, and the head of the line is written when it is done.
#include "repl/npy/row_scorer.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace assay::cli {

namespace {

constexpr std::uint64_t kRowsOfThread = 1 << 14;  // fewer are not worth another one that nobody asked for

struct Part {
  std::string rows, out;
  std::vector<std::pair<std::size_t, InputError>> faults;
  std::exception_ptr thrown;
  bool done = false;
};

// What has become of parts, in order.
class Writer {
 public:
  Writer(const RecordFile& file, Output& output, bool& rejected)
      : file_(&file), output_(&output), rejected_(&rejected) {}
  void write(std::string_view out, const std::vector<std::pair<std::size_t, InputError>>& faults, std::size_t bytes) {
    for (const auto& [row, error] : faults)
      say(place_message(file_->label() + ":" + std::to_string(rows_ + row + 1), error));
    *rejected_ = *rejected_ || !faults.empty();
    rows_ += bytes / file_->table().row_bytes;
    if (output_->write(out)) output_->flush();
  }

 private:
  const RecordFile* file_;
  Output* output_;
  bool* rejected_;
  std::uint64_t rows_ = 0;  // before those at hand
};

class Threads {
 public:
  explicit Threads(const RowScorers& scorers) {
    for (const auto& scorer : scorers) {
      try {
        threads_.emplace_back([this, one = scorer.get()] { serve(*one); });
      } catch (const std::system_error&) {
        if (threads_.empty()) throw;
        break;  // those there are do the work
      }
    }
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      waiting_.clear();
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t size() const { return threads_.size(); }
  void put(Part& part) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(&part);
    }
    work_.notify_one();
  }
  bool done(const Part& part) {
    const std::lock_guard lock(mutex_);
    return part.done;
  }
  void wait(const Part& part) {
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [&] { return part.done; });
  }

 private:
  void serve(RowScorer& scorer) {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      Part& part = *waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      try {
        scorer.append(part.out, part.rows);
        part.faults = scorer.faults();
      } catch (...) { part.thrown = std::current_exception(); }
      lock.lock();
      part.done = true;
      progress_.notify_one();
    }
  }

  std::mutex mutex_;  // guards what follows, and `done` of each part
  std::condition_variable work_, progress_;
  std::deque<Part*> waiting_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

unsigned row_threads(const NpyTable& table, unsigned threads) {
  if (threads > 0) return threads;
  const std::uint64_t most = 1 + table.rows / kRowsOfThread;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, most));
}

bool score_rows(RecordFile& file, const RowScorers& scorers, Output& output, bool& rejected) {
  using Status = NpyReader::Status;
  Writer writer(file, output, rejected);
  std::string_view rows;
  Status status = Status::rows;
  if (scorers.size() == 1) {
    std::string out;
    while (output.alive() && !interrupted() && (status = file.rows(rows)) == Status::rows) {
      out.clear();
      scorers.front()->append(out, rows);
      if (interrupted()) break;
      writer.write(out, scorers.front()->faults(), rows.size());
    }
    return status != Status::failed && !interrupted();
  }
  std::deque<std::unique_ptr<Part>> line, spare;  // `line` in the order of the rows
  Threads threads(scorers);                       // which end before the parts do
  const std::size_t most = 2 * threads.size();
  while (output.alive() && !interrupted() && (status == Status::rows || !line.empty())) {
    const bool wait = status != Status::rows || line.size() == most || (!line.empty() && file.would_wait());
    if (wait) threads.wait(*line.front());
    if (!line.empty() && threads.done(*line.front())) {
      std::unique_ptr<Part> part = std::move(line.front());
      line.pop_front();
      if (part->thrown) std::rethrow_exception(part->thrown);
      if (interrupted()) break;
      writer.write(part->out, part->faults, part->rows.size());
      part->out.clear();
      part->done = false;
      spare.push_back(std::move(part));
      continue;
    }
    status = file.rows(rows);
    if (status != Status::rows) continue;
    if (spare.empty()) spare.push_back(std::make_unique<Part>());
    spare.back()->rows = rows;
    line.push_back(std::move(spare.back()));
    spare.pop_back();
    threads.put(*line.back());
  }
  return status != Status::failed && !interrupted();
}

}  // namespace assay::cli
