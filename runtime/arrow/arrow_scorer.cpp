// Batches of Arrow records → batches of verdicts: the public class. Rows go to the kernels in blocks. Some go to the
// evaluator as JSON, so that results and errors are those of JSON: a row with values that columns cannot hold, a
// rejected row, and all rows if a column or a field has no kernel.
#include "runtime/arrow/arrow_columns.hpp"
#include "runtime/arrow/arrow_records.hpp"
#include "runtime/arrow/arrow_results.hpp"
#include "runtime/arrow/arrow_stream.hpp"

#include <assay/arrow.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

namespace assay {

namespace {

constexpr std::int64_t kMostRows = INT32_MAX;  // of a batch
constexpr std::int64_t kBlocksOfThread = 8;    // blocks for which a thread is started
constexpr std::int64_t kDirectRows = 1 << 15;  // rows of a batch for which binding to its own memory pays
constexpr std::size_t kMostThreads = 1024;
constexpr std::chrono::milliseconds kBetweenPolls{50};

ColumnType written_as(const ArrowField& field) {
  switch (field.form) {
    case ArrowField::Form::number: return ColumnType::f64;
    case ArrowField::Form::decimal: return ColumnType::i64;
    case ArrowField::Form::truth: return ColumnType::i8;
    default: return field.code_bytes == 1 ? ColumnType::i8 : field.code_bytes == 2 ? ColumnType::i16 : ColumnType::i32;
  }
}

std::size_t size_of_column(ColumnType type) {
  switch (type) {
    case ColumnType::i8: return 1;
    case ColumnType::i16: return 2;
    case ColumnType::i32: return 4;
    default: return 8;
  }
}

// The records of a batch: an array, or JSON texts.
struct Rows {
  const ArrowView* view = nullptr;
  const std::vector<std::string_view>* texts = nullptr;
  const std::map<std::size_t, InputError>* unread = nullptr;
  std::int64_t count() const { return texts != nullptr ? static_cast<std::int64_t>(texts->size()) : view->length; }
};

// Calls a function of the host if it is due.
class Poll {
 public:
  explicit Poll(const std::function<void()>* call = nullptr) : call_(call) {}
  void if_due() {
    if (call_ == nullptr || Interrupt::Clock::now() < due_) return;
    (*call_)();
    due_ = Interrupt::Clock::now() + kBetweenPolls;
  }

 private:
  const std::function<void()>* call_;  // null: none
  Interrupt::Clock::time_point due_ = Interrupt::Clock::now() + kBetweenPolls;
};

// The state of one scoring thread.
class Worker {
 public:
  Worker(const Rubric& rubric, const ArrowPlan& plan, const EvaluatorOptions& options, const ArrowOptions& asked)
      : rubric_(rubric), plan_(plan), options_(options), collects_(asked.collect), evaluator_(rubric, options) {
    if (asked.cohort && evaluator_.error() == nullptr) error_ = evaluator_.set_cohort(*asked.cohort);
    if (collects_) evaluator_.start_cohort(Cohort::kUnordered);
    for (const ArrowField& field : plan.fields()) {
      const auto handle = evaluator_.field(field.name);
      handles_.push_back(handle.value_or(FieldHandle{}));
    }
  }
  const InputError* error() const { return error_ ? &*error_ : evaluator_.error(); }
  Cohort collected() const { return evaluator_.collected(); }

  std::optional<InputError> configure(const Settings& settings) {
    settings_ = settings;
    forget_columns();
    return evaluator_.configure(settings);
  }

  // Replaces the columns by others, of other types.
  void bind(const ArrowType& type, const ArrowRecords& records, bool kernels) {
    records_ = &records;
    forget_columns();
    if (kernels) bind_columns(type);
  }

  // Scores blocks that no thread has taken, until there are none. An error ends all threads.
  std::optional<InputError> score(const Rows& rows, std::atomic<std::int64_t>& next, std::atomic<bool>& stop,
                                  ArrowBatch& batch, Poll poll) {
    poll_ = poll;
    const bool direct = rows.view != nullptr && columns_ && batch.direct_rows() && bind_direct(*rows.view, batch);
    while (!stop.load(std::memory_order_relaxed)) {
      const std::int64_t first = next.fetch_add(kArrowBlock, std::memory_order_relaxed);
      if (first >= rows.count()) break;
      const std::int64_t count = std::min(kArrowBlock, rows.count() - first);
      std::optional<InputError> error = rows.texts != nullptr ? score_texts(rows, first, count, batch)
                                        : direct              ? score_direct(*rows.view, first, count, batch)
                                        : columns_            ? score_columns(*rows.view, first, count, batch)
                                                              : score_records(*rows.view, first, count, batch);
      if (error) {
        stop.store(true, std::memory_order_relaxed);
        return error;
      }
      poll_.if_due();
    }
    return std::nullopt;
  }

  Statistics statistics() const {
    Statistics all = past_;
    all += evaluator_.statistics();
    if (columns_) all += columns_->statistics();
    if (direct_) all += direct_->statistics();
    all.records -= again_;  // rows scored twice
    return all;
  }

 private:
  void forget_columns() {
    if (columns_) past_ += columns_->statistics();
    if (direct_) past_ += direct_->statistics();
    columns_.reset();
    direct_.reset();
  }

  void bind_columns(const ArrowType& type) {
    columns_.emplace(rubric_, options_);
    bool good = !settings_ || !columns_->configure(*settings_);
    good = good && !inputs_.bind(type, records_->leaves(), *columns_);
    results_.clear();
    results_.resize(plan_.fields().size());
    for (std::size_t at = 0; good && at < results_.size(); ++at) {
      const ArrowField& field = plan_.fields()[at];
      if (field.form == ArrowField::Form::id || field.form == ArrowField::Form::constant) continue;
      results_[at].resize(static_cast<std::size_t>(kArrowBlock));
      good = !columns_->write(field.name, written(at, results_[at].data()));
    }
    if (!good || columns_->score(0, 0)) forget_columns();
  }

  // Binds columns to the memory of this batch and of its verdicts, so that nothing is copied. False: copying is
  // necessary.
  bool bind_direct(const ArrowView& records, ArrowBatch& batch) {
    if (!direct_) {
      direct_.emplace(rubric_, options_);
      if (settings_ && direct_->configure(*settings_)) return false;
    }
    if (!inputs_.bind_records(records, records_->leaves(), *direct_)) return false;
    for (std::size_t at = 0; at < results_.size(); ++at) {
      if (results_[at].empty()) continue;
      if (direct_->write(plan_.fields()[at].name, written(at, batch.direct(at)))) return false;
    }
    return !direct_->score(0, 0);
  }

  ResultColumn written(std::size_t at, void* data) const {
    const ArrowField& field = plan_.fields()[at];
    ResultColumn column{data, written_as(field)};
    column.decimals = field.form == ArrowField::Form::decimal ? field.decimals : 0;
    if (field.form == ArrowField::Form::decimal) column.missing = INT64_MIN;
    return column;
  }

  std::optional<InputError> interrupted() const {
    if (options_.interrupt == nullptr) return std::nullopt;
    switch (options_.interrupt->state()) {
      case Interrupt::State::cancelled: return InputError{"", "cancelled", "the scoring was cancelled"};
      case Interrupt::State::timeout: return InputError{"", "timeout", "the scoring ran out of time"};
      case Interrupt::State::none: break;
    }
    return std::nullopt;
  }

  std::optional<InputError> score_record(const ArrowView& records, std::int64_t row, ArrowBatch& batch) {
    records_->write(records, row, options_.limits.record_bytes, record_);
    return score_text(record_, row, batch);
  }

  std::optional<InputError> score_text(std::string_view record, std::int64_t row, ArrowBatch& batch) {
    poll_.if_due();
    const Verdict& verdict = evaluator_.score(record);
    if (verdict.error() != nullptr) {
      if (auto error = interrupted()) return error;
    }
    batch.put_verdict(row, verdict, handles_);
    if (verdict.error() != nullptr) batch.put_id(row, record);
    return std::nullopt;
  }

  std::optional<InputError> score_texts(const Rows& rows, std::int64_t first, std::int64_t count, ArrowBatch& batch) {
    for (std::int64_t row = first; row < first + count; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const auto unread = rows.unread->find(at);
      if (unread != rows.unread->end()) {
        batch.put_unread(row, unread->second);
        if (collects_) evaluator_.reject(unread->second);
      } else if (auto error = score_text((*rows.texts)[at], row, batch)) {
        return error;
      }
    }
    return std::nullopt;
  }

  std::optional<InputError> score_records(const ArrowView& records, std::int64_t first, std::int64_t count,
                                          ArrowBatch& batch) {
    for (std::int64_t row = first; row < first + count; ++row) {
      if (auto error = score_record(records, row, batch)) return error;
    }
    return std::nullopt;
  }

  std::optional<InputError> score_columns(const ArrowView& records, std::int64_t first, std::int64_t count,
                                          ArrowBatch& batch) {
    others_.clear();
    inputs_.load(records, first, count, others_);
    if (columns_->score(0, static_cast<std::size_t>(count))) {
      if (auto error = interrupted()) return error;
      return score_records(records, first, count, batch);
    }
    for (std::size_t at = 0; at < results_.size(); ++at) {
      if (!results_[at].empty()) batch.put_block(at, first, count, results_[at].data());
    }
    for (const auto& [row, error] : columns_->errors()) others_.push_back(static_cast<std::uint32_t>(row));
    return score_others(records, first, batch);
  }

  std::optional<InputError> score_direct(const ArrowView& records, std::int64_t first, std::int64_t count,
                                         ArrowBatch& batch) {
    others_.clear();
    inputs_.check(first, count, others_);
    if (direct_->score(static_cast<std::size_t>(first), static_cast<std::size_t>(first + count))) {
      if (auto error = interrupted()) return error;
      return score_records(records, first, count, batch);
    }
    for (std::size_t at = 0; at < results_.size(); ++at) {
      if (results_[at].empty()) continue;
      const ColumnType type = written_as(plan_.fields()[at]);
      batch.put_block(at, first, count, batch.direct(at) + static_cast<std::size_t>(first) * size_of_column(type));
    }
    for (const auto& [row, error] : direct_->errors())
      others_.push_back(static_cast<std::uint32_t>(static_cast<std::int64_t>(row) - first));
    return score_others(records, first, batch);
  }

  // Scores the rows of a block that need the evaluator.
  std::optional<InputError> score_others(const ArrowView& records, std::int64_t first, ArrowBatch& batch) {
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    again_ += others_.size();
    for (const std::uint32_t row : others_) {
      if (auto error = score_record(records, first + row, batch)) return error;
    }
    return std::nullopt;
  }

  const Rubric& rubric_;
  const ArrowPlan& plan_;
  EvaluatorOptions options_;
  bool collects_;
  Evaluator evaluator_;
  std::optional<InputError> error_;
  std::vector<FieldHandle> handles_;
  std::optional<Settings> settings_;
  const ArrowRecords* records_ = nullptr;
  ArrowColumns inputs_;
  std::optional<Columns> columns_;                  // null: no kernel takes these columns
  std::optional<Columns> direct_;                   // bound to the memory of the batch
  std::vector<std::vector<std::int64_t>> results_;  // memory for a block of each field
  std::vector<std::uint32_t> others_;
  std::string record_;
  Poll poll_;
  Statistics past_;
  std::uint64_t again_ = 0;
};

EvaluatorOptions computing(const ArrowOptions& options, const ArrowPlan& plan) {
  EvaluatorOptions chosen = options.evaluator;
  chosen.fields = plan.computed();
  if (chosen.fields.empty() && !plan.whole()) chosen.fields.emplace_back("id");
  return chosen;
}

}  // namespace

struct ArrowScorer::Impl {
  Impl(const Rubric& the_rubric, ArrowOptions the_options)
      : rubric(the_rubric), options(std::move(the_options)), plan(rubric, options) {
    error = plan.error();
    if (!error) workers.push_back(worker());
    if (!error && workers[0]->error() != nullptr) error = *workers[0]->error();
    threads = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    threads = std::min<std::size_t>(threads, kMostThreads);
    if (rubric.serial()) threads = 1;
  }

  std::unique_ptr<Worker> worker() const {
    return std::make_unique<Worker>(rubric, plan, computing(options, plan), options);
  }

  std::unique_ptr<Worker> prepared_worker() const {
    auto made = worker();
    if (settings) (void)made->configure(*settings);  // the first worker has accepted them
    if (bound) made->bind(type, records, kernels());
    return made;
  }

  bool kernels() const { return plan.direct() && !records.irregular() && !rubric.serial(); }

  std::optional<InputError> bind(const ArrowSchema& schema) {
    if (error) return error;
    if (options.json_records) return arrow_error("", "is not expected: the scorer was made for JSON texts");
    ArrowType given;
    if (auto problem = read_type(schema, given)) {
      bound = false;
      return problem;
    }
    if (bound && same_type(type, given)) return std::nullopt;
    bound = false;
    type = std::move(given);
    if (auto problem = records.bind(rubric, type, options.evaluator.strict)) return problem;
    for (auto& worker : workers) {
      if (worker) worker->bind(type, records, kernels());
    }
    bound = true;
    return std::nullopt;
  }

  std::optional<InputError> score(ArrowArray& given, ArrowArray& verdicts) {
    const auto held = std::make_shared<ArrowHeld>(given);
    if (error) return error;
    if (!bound) return arrow_error("", "has no schema: records have to be bound first");
    ArrowView view;
    if (auto problem = view_array(type, held->array(), view)) return problem;
    if (view.length > kMostRows)
      return InputError{"", "limit",
                        "a batch has " + std::to_string(view.length) + " rows, more than " + std::to_string(kMostRows)};
    ArrowBatch batch(plan, view.length);
    if (view.length >= kDirectRows && kernels()) batch.prepare_direct();
    if (auto problem = score_blocks({&view, nullptr, nullptr}, batch)) return problem;
    rejected += batch.rejected();
    batch.finish(held, records.id(), verdicts);
    return std::nullopt;
  }

  std::optional<InputError> score(const std::vector<std::string_view>& given, ArrowArray& verdicts,
                                  const std::map<std::size_t, InputError>& unread) {
    if (error) return error;
    if (!options.json_records) return arrow_error("", "is expected: the scorer was not made for JSON texts");
    ArrowBatch batch(plan, static_cast<std::int64_t>(given.size()));
    if (auto problem = score_blocks({nullptr, &given, &unread}, batch)) return problem;
    rejected += batch.rejected();
    batch.finish(nullptr, -1, verdicts);
    return std::nullopt;
  }

  // The calling thread only waits: a system that puts a new thread beside one that is busy lets it wait for milliseconds,
  // but gives it the processor of one that sleeps at once.
  void run_threads(std::size_t count, const std::function<void(std::size_t)>& run) const {
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t left = 0;  // threads that have not ended
    std::vector<std::thread> running;
    for (std::size_t k = 0; k < count; ++k) {
      try {
        const std::lock_guard guard(mutex);
        running.emplace_back([&, k] {
          run(k);
          const std::lock_guard in_thread(mutex);
          if (--left == 0) ended.notify_one();
        });
        ++left;
      } catch (const std::system_error&) {  // fewer threads suffice
        if (k == 0) run(0);
        break;
      }
    }
    std::unique_lock guard(mutex);
    while (!ended.wait_for(guard, kBetweenPolls, [&] { return left == 0; })) {
      guard.unlock();
      if (options.poll) options.poll();
      guard.lock();
    }
    guard.unlock();
    for (std::thread& thread : running) thread.join();
  }

  std::optional<InputError> score_blocks(const Rows& rows, ArrowBatch& batch) {
    const std::int64_t blocks = (rows.count() + kArrowBlock - 1) / kArrowBlock;
    const auto useful =
        static_cast<std::size_t>(std::max<std::int64_t>(1, blocks / (kernels() && bound ? kBlocksOfThread : 1)));
    const std::size_t count = std::min(threads, useful);
    if (workers.size() < count) workers.resize(count);
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> stop{false};
    std::vector<std::optional<InputError>> errors(count);
    std::vector<std::exception_ptr> thrown(count);
    const auto run = [&](std::size_t k, Poll poll) {
      try {
        if (!workers[k]) workers[k] = prepared_worker();
        errors[k] = workers[k]->score(rows, next, stop, batch, poll);
      } catch (...) {
        thrown[k] = std::current_exception();
        stop.store(true, std::memory_order_relaxed);
      }
    };
    if (count == 1) run(0, Poll(options.poll ? &options.poll : nullptr));
    else run_threads(count, [&](std::size_t k) { run(k, Poll()); });
    for (std::size_t k = 0; k < count; ++k) {
      if (thrown[k]) std::rethrow_exception(thrown[k]);
    }
    for (std::optional<InputError>& problem : errors) {
      if (problem) return std::move(problem);
    }
    return std::nullopt;
  }

  Rubric rubric;
  ArrowOptions options;
  ArrowPlan plan;
  std::optional<InputError> error;
  std::size_t threads = 1;
  std::vector<std::unique_ptr<Worker>> workers;  // of each thread; null: it has not been needed, or did not start
  std::optional<Settings> settings;
  ArrowType type;
  ArrowRecords records;
  bool bound = false;
  std::uint64_t rejected = 0;
  Statistics statistics;
};

ArrowScorer::ArrowScorer(const Rubric& rubric, ArrowOptions options)
    : impl_(std::make_shared<Impl>(rubric, std::move(options))) {}
ArrowScorer::~ArrowScorer() = default;
ArrowScorer::ArrowScorer(ArrowScorer&&) noexcept = default;
ArrowScorer& ArrowScorer::operator=(ArrowScorer&&) noexcept = default;

const InputError* ArrowScorer::error() const { return impl_->error ? &*impl_->error : nullptr; }

std::optional<InputError> ArrowScorer::configure(const Settings& settings) {
  if (impl_->error) return impl_->error;
  for (auto& worker : impl_->workers) {
    if (!worker) continue;
    if (auto error = worker->configure(settings)) return error;
    if (impl_->bound) worker->bind(impl_->type, impl_->records, impl_->kernels());
  }
  impl_->settings = settings;
  return std::nullopt;
}

std::optional<InputError> ArrowScorer::bind(const ArrowSchema& schema) { return impl_->bind(schema); }

std::optional<InputError> ArrowScorer::result_schema(ArrowSchema& out) const {
  out.release = nullptr;
  if (impl_->error) return impl_->error;
  if (!impl_->bound && !impl_->options.json_records)
    return arrow_error("", "has no schema: records have to be bound first");
  const int id = impl_->records.id();
  export_result_schema(impl_->plan, id < 0 ? nullptr : &impl_->type.children[static_cast<std::size_t>(id)], out);
  return std::nullopt;
}

std::optional<InputError> ArrowScorer::score(ArrowArray& records, ArrowArray& verdicts) {
  verdicts.release = nullptr;
  return impl_->score(records, verdicts);
}

std::optional<InputError> ArrowScorer::score(const std::vector<std::string_view>& records, ArrowArray& verdicts,
                                             const std::map<std::size_t, InputError>& unread) {
  verdicts.release = nullptr;
  return impl_->score(records, verdicts, unread);
}

std::optional<InputError> ArrowScorer::score(ArrowArrayStream& records, ArrowArrayStream& verdicts) && {
  return score_arrow_stream(std::move(*this), records, verdicts);
}

std::uint64_t ArrowScorer::rejected() const { return impl_->rejected; }

Cohort ArrowScorer::collected() const {
  Cohort whole(impl_->rubric, impl_->options.evaluator.limits);
  for (const auto& worker : impl_->workers) {
    if (worker) (void)whole.merge(worker->collected());  // of the same rubric
  }
  return whole;
}

const Statistics& ArrowScorer::statistics() const {
  impl_->statistics = {};
  for (const auto& worker : impl_->workers) {
    if (worker) impl_->statistics += worker->statistics();
  }
  impl_->statistics.rejected = impl_->rejected;
  return impl_->statistics;
}

}  // namespace assay
