// A stream of records → a stream of verdicts, batch by batch.
#include "runtime/arrow/arrow_stream.hpp"

#include "runtime/arrow/arrow_type.hpp"

#include <assay/text.hpp>

#include <cerrno>
#include <new>

namespace assay {

namespace {

struct Scored {
  ArrowScorer scorer;
  ArrowArrayStream records;
  Printable problem;  // a host may hand on the text of a file

  Scored(ArrowScorer the_scorer, ArrowArrayStream& given) : scorer(std::move(the_scorer)), records(given) {
    given.release = nullptr;
  }
  ~Scored() {
    if (records.release != nullptr) records.release(&records);
  }
  Scored(const Scored&) = delete;
  Scored& operator=(const Scored&) = delete;

  std::string told() {  // the error that the stream of records reports
    const char* const text = records.get_last_error == nullptr ? nullptr : records.get_last_error(&records);
    return text == nullptr ? "the stream of records failed" : text;
  }

  std::optional<InputError> bind() {
    ArrowSchema schema{};
    if (records.release == nullptr) return arrow_error("", "is a stream that has been released");
    if (records.get_schema == nullptr || records.get_next == nullptr) return arrow_error("", "is not a stream");
    if (records.get_schema(&records, &schema) != 0) return InputError{"", "column", told()};
    auto error = scorer.bind(schema);
    if (schema.release != nullptr) schema.release(&schema);
    return error;
  }

  int next(ArrowArray& out) {
    ArrowArray batch{};
    if (const int status = records.get_next(&records, &batch); status != 0) {
      problem = told();
      return status;
    }
    if (batch.release == nullptr) return 0;  // the end
    const auto error = scorer.score(batch, out);
    if (!error) return 0;
    problem = error->message;
    return error->code == "cancelled" ? ECANCELED : error->code == "timeout" ? ETIMEDOUT : EINVAL;
  }
};

template <class Work>
int guarded(ArrowArrayStream* stream, const Work& work) noexcept {
  auto* const scored = static_cast<Scored*>(stream->private_data);
  try {
    return work(*scored);
  } catch (const std::bad_alloc&) { return ENOMEM; } catch (...) {
    return EIO;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream, [&](Scored& scored) {
    const auto error = scored.scorer.result_schema(*out);
    if (error) scored.problem = error->message;
    return error ? EINVAL : 0;
  });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  *out = {};
  return guarded(stream, [&](Scored& scored) { return scored.next(*out); });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const auto* const scored = static_cast<Scored*>(stream->private_data);
  return scored->problem.str().empty() ? nullptr : scored->problem.str().c_str();
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<Scored*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

std::optional<InputError> score_arrow_stream(ArrowScorer scorer, ArrowArrayStream& records,
                                             ArrowArrayStream& verdicts) {
  verdicts = {};
  auto scored = std::make_unique<Scored>(std::move(scorer), records);
  if (auto error = scored->bind()) return error;
  verdicts.get_schema = get_schema;
  verdicts.get_next = get_next;
  verdicts.get_last_error = get_last_error;
  verdicts.release = release_stream;
  verdicts.private_data = scored.release();
  return std::nullopt;
}

}  // namespace assay
