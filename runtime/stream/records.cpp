// Reads a stream record by record: walks through the blocks of runtime/stream/blocks.hpp.
#include "runtime/stream/blocks.hpp"

#include "lang/value/limit_message.hpp"

namespace assay {

struct RecordReader::Impl {
  BlockReader blocks;
  BlockRecords records;
  Chunk block;
  bool within = false;  // inside the block
  bool finished = false;
  const Interrupt* interrupt;
  std::uint64_t lines = 0;  // before the block

  Impl(Format format, Read read, const Rubric& rubric, const Limits& limits, bool strict,
       const Interrupt* the_interrupt)
      : blocks(format, std::move(read), rubric, limits, strict, std::size_t{1} << 18, the_interrupt),
        records(rubric, limits),
        interrupt(the_interrupt) {}

  Status next(Record& record, InputError& problem) {
    while (!finished) {
      if (within) {
        const BlockRecords::Step step = records.next(record, problem);
        if (step != BlockRecords::Step::end) {
          record.line += lines;
          finished = records.stopped();
          return step == BlockRecords::Step::record ? Status::record : Status::error;
        }
        lines += records.lines();
      }
      within = blocks.cut(block);
      if (within) {
        lines += block.lines_before;
        records.begin(block);
      } else if (!blocks.fill() && blocks.done()) {
        finished = true;
      }
    }
    record = Record();
    return Status::end;
  }
};

RecordReader::RecordReader(Format format, Read read, const Rubric& rubric, Limits limits, bool strict,
                           const Interrupt* interrupt)
    : impl_(std::make_unique<Impl>(format, std::move(read), rubric, limits, strict, interrupt)) {}
RecordReader::~RecordReader() = default;
RecordReader::RecordReader(RecordReader&&) noexcept = default;

RecordReader::Status RecordReader::next(Record& record, InputError& problem) {
  record = Record();
  const bool over = impl_->finished;
  if (const Interrupt::State state = interrupt_state(impl_->interrupt); state != Interrupt::State::none && !over) {
    problem = {"", interrupt_code(state), interrupt_message(state)};
    return Status::error;
  }
  const Status status = impl_->next(record, problem);
  if (status != Status::end || over || !impl_->blocks.failed()) return status;
  if (const Interrupt::State state = interrupt_state(impl_->interrupt); state != Interrupt::State::none) {
    problem = {"", interrupt_code(state), interrupt_message(state)};
    return Status::error;
  }
  const std::string& why = impl_->blocks.failure();
  problem = {"", "read", why.empty() ? "the input could not be read" : why};
  return Status::error;
}

std::vector<std::string> RecordReader::columns() const {
  std::vector<std::string> names;
  const CsvTable* const table = impl_->block.table.get();
  for (std::size_t i = 0; table != nullptr && i < table->size(); ++i) {
    std::string& name = names.emplace_back();
    for (const std::string& step : table->path(i)) (name += &step == &table->path(i).front() ? "" : ".") += step;
  }
  return names;
}

}  // namespace assay
