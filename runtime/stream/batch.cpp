// The calling thread reads, writes and, when it has nothing else to do, scores; the others only score. Chunks wait in a
// queue in the order of the stream. A free thread takes the first chunk that nobody works on; only the head of the queue
// is written. The queue is short and a chunk that is not the head may only buffer kOutputBytes of output: then it is set
// aside half done until it becomes the head. That bounds memory.
#include <assay/batch.hpp>

#include "lang/value/limit_message.hpp"
#include "runtime/dispatch/kernel_tuner.hpp"
#include "runtime/engine/evaluator.hpp"
#include "runtime/stream/blocks.hpp"
#include "runtime/stream/kernel_stream.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace assay {

namespace {

constexpr std::size_t kOutputBytes =
    std::size_t{1}  // bytes; output that a chunk may buffer before it is the head of the queue
    << 20;
constexpr std::size_t kRejectedBytes = 256;        // bytes that a rejected record counts as
constexpr std::chrono::milliseconds kPatience{1};  // between two attempts to read more input

struct Rejected {
  std::uint64_t line;  // in its block
  InputError error;
};

enum class JobState : std::uint8_t {
  waiting,
  running,
  put_aside,  // its output must be written before it continues
  finished,
};

// A chunk in the queue.
struct Job {
  Job(const Rubric& rubric, const Limits& limits) : records(rubric, limits) {}

  Chunk block;
  BlockRecords records;
  bool begun = false;
  bool interrupted = false;  // the rest of the chunk was not scored
  JobState state = JobState::waiting;
  std::string out;
  std::vector<Rejected> rejected;
  Statistics statistics;  // for the records in `out`
  std::uint64_t malformed = 0;
  std::exception_ptr thrown;
};

}  // namespace

// One thread's evaluator and kernel, and its way of scoring a block.
struct Batch::Worker {
  Evaluator evaluator;
  const BatchOptions& options;
  std::optional<KernelTuner> fast;          // null: the rubric calls hooks, and cannot have a kernel
  std::unique_ptr<KernelStream> registers;  // scores with the kernel of this generation
  std::uint64_t generation = 0;
  BlockText changed;              // a record with members set
  std::unique_ptr<char[]> lines;  // of verdicts
  std::string verdict;            // when it is rendered
  std::uint64_t unscored = 0;     // records that the evaluator has counted but that were not scored
  bool plain = false;             // verdicts are lines of JSON, which a second pass will render

  Worker(const Rubric& rubric, const BatchOptions& the_options)
      : evaluator(rubric, the_options.evaluator), options(the_options) {
    const Evaluator::Impl& impl = *evaluator.impl_;
    if (!rubric.impl().hooks || !rubric.impl().hooks->needed)
      fast.emplace(impl.model, rubric.impl().index(), impl.result.writer->fields(), options.evaluator.limits,
                   *rubric.impl().kernels);
  }

  std::optional<InputError> configure(const Settings& settings) {
    std::optional<InputError> error = evaluator.configure(settings);
    if (!error && fast) fast->set_weights(evaluator.impl_->weights.values);
    return error;
  }

  // Scores until the chunk is finished or has buffered enough output.
  JobState score(Job& job) {
    if (!job.begun) job.records.begin(job.block);
    job.begun = true;
    const Statistics before = evaluator.statistics();
    JobState state = JobState::put_aside;
    Record record;
    InputError problem;
    while (state == JobState::put_aside && job.out.size() + job.rejected.size() * kRejectedBytes < kOutputBytes) {
      if (stopped(job)) break;
      if (options.members.empty() && !renders()) take(job);
      switch (job.records.next(record, problem)) {
        case BlockRecords::Step::record: score(record, job); break;  // unless it is interrupted
        case BlockRecords::Step::malformed:
          ++job.malformed;
          verdict.clear();
          write_error(problem, verdict);
          evaluator.impl_->reject(problem);
          put(verdict, true, job.out);
          job.rejected.push_back({record.line, std::move(problem)});
          break;
        case BlockRecords::Step::end: state = JobState::finished; break;
      }
    }
    job.statistics = evaluator.statistics();
    job.statistics -= before;
    if (!job.interrupted) return state;
    job.statistics.records -= unscored;
    job.statistics.rejected -= unscored;
    unscored = 0;
    return JobState::finished;
  }

 private:
  bool renders() const { return options.render && !plain; }

  bool stopped(Job& job) {
    job.interrupted = job.interrupted || interrupted(options.evaluator.interrupt);
    return job.interrupted;
  }

  // Null: there is no kernel, or records depend on other records.
  KernelStream* kernel_stream() {
    const Evaluator::Impl& impl = *evaluator.impl_;
    if (!fast || fast->kernel() == nullptr || impl.cohort.collecting || impl.second_pass() || !impl.history.empty())
      return nullptr;
    if (generation != fast->generation()) {
      generation = fast->generation();
      registers = std::make_unique<KernelStream>(impl.model, impl.owner.impl().index(), impl.result.writer->fields(),
                                                 fast->kernel(), impl.options);
    }
    return registers->usable() ? registers.get() : nullptr;
  }

  // Adds its statistics.
  void took(KernelStream& path) {
    const Statistics taken = path.take_statistics();
    fast->record(taken.records);
    evaluator.impl_->statistics += taken;
  }

  // Scores records with the kernel, up to the first that it declines.
  void take(Job& job) {
    KernelStream* const path = kernel_stream();
    if (path == nullptr) return;
    // A reader for kernels does not check the interrupt within a record, so long records go to the evaluator.
    constexpr std::size_t kLong = std::size_t{4} << 20;
    if (options.evaluator.interrupt != nullptr && job.block.text.size() > kLong) return;
    constexpr std::size_t kRoom = std::size_t{64} << 10;
    if (!lines) lines = std::make_unique<char[]>(kRoom);  // reused, so that it stays in the cache
    std::uint64_t taken = 0;
    do {
      char* end = lines.get();
      taken = job.records.take(*path, end, kRoom);
      job.out.append(lines.get(), static_cast<std::size_t>(end - lines.get()));
    } while (taken > 0 && job.out.size() < kOutputBytes && !stopped(job));
    took(*path);
  }

  void score(const Record& record, Job& job) {
    const std::string_view json = options.members.empty() ? record.json : with_options(record.json);
    bool good = false;
    if (renders()) {
      verdict.clear();
      good = score_completely(json, verdict);
      if (!good && ended(evaluator.impl_->result.state.error, job)) return;
      options.render(verdict, !good, job.out);
    } else {
      // Without further members, take() has already scored everything that a kernel can.
      KernelStream* const path = options.members.empty() ? nullptr : kernel_stream();
      const std::size_t written = job.out.size();
      good = (path != nullptr && score_line(*path, json, job.out)) || score_completely(json, job.out);
      if (!good && ended(evaluator.impl_->result.state.error, job)) return job.out.resize(written);
      job.out += '\n';
    }
    if (!good) job.rejected.push_back({record.line, evaluator.impl_->result.state.error});
  }

  // Whether a record was not scored because of the interrupt: it then counts as not read.
  bool ended(const InputError& error, Job& job) {
    if (options.evaluator.interrupt == nullptr || (error.code != "cancelled" && error.code != "timeout")) return false;
    ++unscored;
    return job.interrupted = true;
  }

  bool score_line(KernelStream& path, std::string_view json, std::string& out) {
    const std::size_t written = out.size();
    out.resize(written + path.room(json.size()));
    char* end = out.data() + written;
    const bool taken = path.score_line(json, end);
    out.resize(taken ? static_cast<std::size_t>(end - out.data()) : written);
    took(path);
    return taken;
  }

  // Scores any record with the VM: appends the verdict, or {"error": …}, and returns whether it is a verdict.
  bool score_completely(std::string_view json, std::string& out) {
    Evaluator::Impl& impl = *evaluator.impl_;
    impl.score_next(json, true);
    if (fast && !impl.result.state.failed && !impl.cohort.collecting && !impl.second_pass() && impl.history.empty())
      fast->learn(impl.slots.data());
    out += impl.result.state.json;
    return !impl.result.state.failed;
  }

  void put(std::string_view json, bool rejected, std::string& out) const {
    if (renders()) return options.render(json, rejected, out);
    out += json;
    out += '\n';
  }

  // Of a text that is not an object: the same, which scoring reports.
  std::string_view with_options(std::string_view json) {
    changed.clear(std::size_t{1} << 20);
    changed.append(with_members(json, options.members));
    changed.close();
    return changed.view();
  }
};

struct Batch::Impl {
  Rubric rubric;
  BatchOptions options;
  Settings settings;
  std::vector<std::string> history;
  bool collecting = false;
  std::optional<FrozenCohort> frozen;  // adds its second pass to verdicts
  Worker own;
  Statistics statistics;
  std::uint64_t malformed = 0;

  std::vector<std::unique_ptr<Job>> spare;
  std::deque<std::unique_ptr<Job>> line;  // in the order of the stream; used by the calling thread only

  std::mutex mutex;  // guards the following members, and the state of each job
  std::condition_variable work, progress;
  std::deque<Job*> waiting;
  std::size_t running = 0;  // on other threads
  bool closing = false;
  std::vector<std::thread> threads;

  Impl(const Rubric& the_rubric, BatchOptions the_options)
      : rubric(the_rubric), options(std::move(the_options)), own(rubric, options) {
    if (options.threads == 0) options.threads = std::max(1u, std::thread::hardware_concurrency());
  }
  ~Impl() { stop_threads(); }

  void stop_threads() {
    {
      const std::lock_guard lock(mutex);
      closing = true;
    }
    work.notify_all();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    closing = false;
  }

  // When this changes, there are no other threads.
  bool in_order() const { return collecting || (history.empty() && rubric.serial()); }

  // ---- the other threads

  void serve() {
    std::unique_ptr<Worker> worker;
    std::unique_lock lock(mutex);
    for (;;) {
      work.wait(lock, [this] { return closing || !waiting.empty(); });
      if (closing) return;
      Job* const job = waiting.front();
      waiting.pop_front();
      job->state = JobState::running;
      ++running;
      lock.unlock();
      JobState state = JobState::finished;
      try {
        if (!worker) worker = make_worker();
        state = worker->score(*job);
      } catch (...) { job->thrown = std::current_exception(); }
      lock.lock();
      --running;
      job->state = state;
      progress.notify_one();
    }
  }

  std::unique_ptr<Worker> make_worker() const {
    auto worker = std::make_unique<Worker>(rubric, options);
    (void)worker->configure(settings);  // accepted before
    if (!history.empty()) worker->evaluator.set_history(history);
    if (frozen) (void)worker->evaluator.set_cohort(*frozen);  // accepted before
    return worker;
  }

  // Starts one if there are more blocks than threads, including the caller. Call with the mutex held. If the system has
  // no more threads, the existing ones do the work.
  void start_thread() {
    if (threads.size() + 1 >= options.threads || waiting.size() + running <= threads.size() + 1) return;
    try {
      threads.emplace_back([this] { serve(); });
    } catch (const std::system_error&) { options.threads = static_cast<unsigned>(threads.size() + 1); }
  }

  // ---- the calling thread

  bool submit(BlockReader& reader) {
    if (spare.empty()) spare.push_back(std::make_unique<Job>(rubric, options.evaluator.limits));
    Job& job = *spare.back();
    if (!reader.cut(job.block)) return false;
    job.begun = job.interrupted = false;
    line.push_back(std::move(spare.back()));
    spare.pop_back();
    put_in_queue(job, false);
    return true;
  }

  void put_in_queue(Job& job, bool first) {
    const std::lock_guard lock(mutex);
    job.state = JobState::waiting;
    first ? waiting.push_front(&job) : waiting.push_back(&job);
    start_thread();
    if (!threads.empty()) work.notify_one();
  }

  // Scores the first waiting block. False: none is waiting.
  bool help() {
    Job* job = nullptr;
    {
      const std::lock_guard lock(mutex);
      if (waiting.empty()) return false;
      job = waiting.front();
      waiting.pop_front();
      job->state = JobState::running;
    }
    const JobState state = own.score(*job);
    const std::lock_guard lock(mutex);
    job->state = state;
    return true;
  }

  JobState state_of(const Job& job) {
    const std::lock_guard lock(mutex);
    return job.state;
  }

  // Waits for the head of the queue.
  void wait(bool for_input) {
    std::unique_lock lock(mutex);
    const auto changed = [this] { return line.front()->state >= JobState::put_aside || !waiting.empty(); };
    if (for_input) {
      progress.wait_for(lock, kPatience, changed);
    } else {
      progress.wait(lock, changed);
    }
  }

  // Ensures that no other thread works for a run after it has ended, however it ends.
  struct Run {
    Impl& impl;
    ~Run() {
      std::unique_lock lock(impl.mutex);
      impl.waiting.clear();
      impl.progress.wait(lock, [this] { return impl.running == 0; });
      impl.line.clear();
    }
  };

  void recycle(std::unique_ptr<Job> job) {
    job->out.clear();
    if (job->out.capacity() > 2 * kOutputBytes) job->out.shrink_to_fit();
    job->rejected.clear();
    job->malformed = 0;
    job->thrown = nullptr;
    job->block.text.clear(2 * options.block_bytes + (std::size_t{1} << 14));
    spare.push_back(std::move(job));
  }
};

Batch::Result Batch::run(const BatchInput& input, const BatchOutput& output) {
  Impl& impl = *impl_;
  const Impl::Run until_here{impl};
  const EvaluatorOptions& evaluation = impl.options.evaluator;
  BlockReader reader(input.format, input.read, impl.rubric, evaluation.limits, evaluation.strict,
                     impl.options.block_bytes, evaluation.interrupt);
  Result result;
  std::uint64_t lines = 0;  // before the head of the queue
  const std::size_t most = impl.in_order() || impl.options.threads == 1 ? 1 : std::size_t{2} * impl.options.threads;

  // Writes what is ready. False: the run has ended.
  const auto deliver = [&] {
    while (!impl.line.empty()) {
      Job& job = *impl.line.front();
      const JobState state = impl.state_of(job);
      if (state < JobState::put_aside) return true;
      if (job.thrown) std::rethrow_exception(job.thrown);
      const std::uint64_t before = lines + job.block.lines_before;
      result.records += job.statistics.records + job.malformed;
      result.rejected += job.rejected.size();
      impl.statistics += job.statistics;
      impl.malformed += std::exchange(job.malformed, 0);
      if (output.rejected) {
        for (const Rejected& one : job.rejected) output.rejected(before + one.line, one.error);
      }
      job.rejected.clear();
      if (!job.out.empty() && !output.write(job.out)) {
        result.status = Status::stopped;
        return false;
      }
      job.out.clear();
      if (state == JobState::put_aside) {
        impl.put_in_queue(job, true);
        return true;
      }
      if (job.interrupted) {
        result.status = Status::interrupted;
        return false;
      }
      lines = before + job.records.lines();
      const bool last = job.records.stopped();
      impl.recycle(std::move(impl.line.front()));
      impl.line.pop_front();
      if (last) return false;
    }
    return true;
  };

  while (deliver()) {
    // Queued chunks finish by themselves; we write what was scored of them.
    const bool ends = interrupted(evaluation.interrupt);
    if (ends && impl.line.empty() && !reader.done()) {
      result.status = Status::interrupted;
      break;
    }
    bool for_input = false;
    if (!ends && impl.line.size() < most && !reader.done()) {
      if (reader.full()) {
        impl.submit(reader);
        continue;
      }
      for_input = input.waits && input.waits();
      if (!for_input || (!impl.submit(reader) && impl.line.empty())) {
        reader.fill();
        continue;
      }
    }
    if (impl.help()) continue;
    if (impl.line.empty()) {
      if (!reader.done()) continue;
      if (reader.failed()) result.status = ends ? Status::interrupted : Status::failed;
      if (result.status == Status::failed) result.problem = reader.failure();
      break;
    }
    impl.wait(for_input);
  }
  return result;
}

Batch::Batch(const Rubric& rubric, BatchOptions options) : impl_(std::make_unique<Impl>(rubric, std::move(options))) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

const InputError* Batch::error() const { return impl_->own.evaluator.error(); }

std::optional<InputError> Batch::configure(const Settings& settings) {
  std::optional<InputError> error = impl_->own.configure(settings);
  if (error) return error;
  impl_->settings = settings;
  impl_->stop_threads();  // their evaluators will be made anew
  return std::nullopt;
}

void Batch::set_history(std::vector<std::string> records) {
  impl_->history = std::move(records);
  impl_->own.evaluator.set_history(impl_->history);
  impl_->stop_threads();
}

void Batch::start_cohort(std::uint64_t first) {
  impl_->stop_threads();
  impl_->own.evaluator.start_cohort(first);
  impl_->collecting = true;
}

void Batch::start_two_passes() {
  start_cohort();
  impl_->own.plain = true;
}

Cohort Batch::collected() const { return impl_->own.evaluator.collected(); }

std::optional<InputError> Batch::set_cohort(const FrozenCohort& cohort) {
  std::optional<InputError> error = impl_->own.evaluator.set_cohort(cohort);
  if (error) return error;
  impl_->frozen = cohort;
  impl_->stop_threads();  // their evaluators will be made anew
  return std::nullopt;
}

std::string_view Batch::cohort() {
  Evaluator& evaluator = impl_->own.evaluator;
  const std::uint64_t before = evaluator.statistics().steps;
  const std::string_view outputs = evaluator.cohort();
  impl_->statistics.steps += evaluator.statistics().steps - before;
  return outputs;
}

namespace {

// Reads the lines of a stream, one at a time.
class Lines {
 public:
  explicit Lines(const RecordReader::Read& read) : read_(read) {}
  bool failed() const { return failed_; }

  bool next(std::string_view& line) {
    for (;;) {
      const std::size_t end = text_.find('\n', looked_);
      if (end != std::string::npos || (ended_ && at_ < text_.size())) {
        line = std::string_view(text_).substr(at_, std::min(end, text_.size()) - at_);
        at_ = looked_ = std::min(end, text_.size() - 1) + 1;
        return true;
      }
      if (ended_) return false;
      text_.erase(0, at_);
      at_ = 0;
      const std::size_t size = looked_ = text_.size();
      text_.resize(size + (std::size_t{1} << 16));
      const long count = read_(text_.data() + size, text_.size() - size);
      text_.resize(size + static_cast<std::size_t>(std::max(count, 0L)));
      failed_ = count < 0;
      ended_ = count <= 0;
    }
  }

 private:
  const RecordReader::Read& read_;
  std::string text_;
  std::size_t at_ = 0, looked_ = 0;
  bool ended_ = false, failed_ = false;
};

}  // namespace

Batch::Result Batch::second_pass(const RecordReader::Read& verdicts, const BatchOutput& output) {
  Evaluator::Impl& impl = *impl_->own.evaluator.impl_;
  Result result;
  if (!impl_->collecting || !impl.cohort.store) return result;
  const std::uint64_t before = impl.statistics.steps;
  if (!impl.cohort.frozen && !impl.cohort.error) impl.freeze_cohort();
  const bool whole = impl.cohort.frozen && impl.rubric.cohort.each >= 0;
  if (whole) impl.use(impl.cohort.frozen);
  const std::vector<KeptVerdict>& kept = impl.cohort.store->verdicts();
  const std::vector<KeptRejection>& rejections = impl.cohort.store->rejections();
  const auto& render = impl_->options.render;
  Lines lines(verdicts);
  std::string_view line;
  std::string json, out;
  std::size_t good = 0, rejected = 0;
  const auto write = [&] {
    if (result.status == Status::done && !out.empty() && !output.write(out)) result.status = Status::stopped;
    out.clear();
  };
  while (result.status == Status::done && lines.next(line)) {
    bool is_rejected = whole ? rejected < rejections.size() && rejections[rejected].position == result.records
                             : line.starts_with(R"({"error":{"path":)");
    if (is_rejected) {
      ++rejected;
      ++result.rejected;
    } else if (interrupted(impl.options.interrupt) || (whole && good == kept.size())) {
      write();  // stopped, or these lines belong to another run
      result.status = interrupted(impl.options.interrupt) ? Status::interrupted : Status::failed;
      break;
    }
    ++result.records;
    json = line;
    InputError error;
    const KeptVerdict* const of = is_rejected || !whole ? nullptr : &kept[good++];
    if (of != nullptr && !impl.complete(*of, json, error)) {
      is_rejected = true;
      ++result.rejected;
      ++impl_->statistics.rejected;
      json.clear();
      write_error(error, json);
      if (output.rejected) output.rejected(result.records, error);
    }
    if (render) render(json, is_rejected, out);
    else (out += json) += '\n';
    if (out.size() >= kOutputBytes) write();
  }
  write();
  if (lines.failed()) result.status = Status::failed;
  impl_->statistics.steps += impl.statistics.steps - before;
  return result;
}

const InputError* Batch::cohort_error() const { return impl_->own.evaluator.cohort_error(); }

const Statistics& Batch::statistics() const { return impl_->statistics; }
std::uint64_t Batch::malformed() const { return impl_->malformed; }

}  // namespace assay
