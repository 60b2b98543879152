// Reads arbitrary bytes as a record stream, in each format, scored by a shipped rubric that the first line names. Every
// record gets a verdict or an error, and the verdict of a record does not depend on earlier records. Read strictly, it
// gets the same verdict, or an error that names the first of its unknown keys.
#include "tests/fuzz/fuzz.hpp"

#include <cstring>

using namespace assay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(bytes), size);
  assay_tests::FuzzedRubric& chosen = assay_tests::choose_rubric(input);
  for (const Format format : {Format::ndjson, Format::json, Format::csv}) {
    std::string_view rest = input;
    RecordReader reader(
        format,
        [&rest](char* buffer, std::size_t room) {
          const std::size_t count = std::min(room, rest.size());
          std::memcpy(buffer, rest.data(), count);
          rest.remove_prefix(count);
          return static_cast<long>(count);
        },
        chosen.rubric, assay_tests::tight_limits());
    Record record;
    InputError problem;
    for (;;) {
      const RecordReader::Status status = reader.next(record, problem);
      if (status == RecordReader::Status::end) break;
      if (status == RecordReader::Status::error) continue;
      const std::string first(chosen.evaluator->score(record.json).json());
      assay_tests::insist(!first.empty() && first.find('\n') == std::string::npos && is_utf8(first));
      const Verdict& again = chosen.evaluator->score(record.json);
      assay_tests::insist(again.json() == first);
      const Verdict& verdict = chosen.strict->score(record.json);
      const std::vector<UnknownKey> unknown = chosen.rubric.unknown_keys(record.json);
      if (verdict.error() != nullptr && verdict.error()->code == "unknown") {
        assay_tests::insist(!unknown.empty() && unknown.front().path == verdict.error()->path);
      } else if (verdict.error() != nullptr) {  // the same first error; unknown keys may be among the others
        const InputError *is = again.error(), *strictly = verdict.error();
        assay_tests::insist(is != nullptr && is->path == strictly->path && is->code == strictly->code &&
                            is->message == strictly->message);
      } else {
        assay_tests::insist(verdict.json() == first && unknown.empty());
      }
    }
  }
  return 0;
}
