// A Batch has the same result as an Evaluator that scores the records one by one: for any number of threads and any
// block size, the same bytes, errors and counts in the same order. Failures in callbacks, rubrics or data end a run
// without a hang, and the resources of a run are bounded.
#include "tests/property/exactness.hpp"
#include "tests/property/record_generator.hpp"
#include "tests/unit/given.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace assay;

namespace {

const Rubric& plain() {
  static const Rubric kept = rubric_of("rubric plain { scale 0..10 decimals 1 dimension value weight 100% }");
  return kept;
}

struct Outcome {
  std::string text, faults;
  std::vector<std::uint64_t> counts;
  bool operator==(const Outcome&) const = default;
};

std::string fault_line(std::uint64_t line, const InputError& error) {
  return std::to_string(line) + ": " + error.path + ": " + error.code + ": " + error.message + "\n";
}

std::vector<std::uint64_t> counts_of(const Statistics& s, std::uint64_t malformed) {
  return {s.records, s.rejected, s.exact_path, s.steps, malformed};
}

Outcome one_by_one(const Rubric& rubric, std::string_view text, Format format, const EvaluatorOptions& options) {
  Outcome result;
  Evaluator evaluator(rubric, options);
  RecordReader reader(format, reader_of(text), rubric, options.limits);
  Record record;
  InputError problem;
  std::uint64_t malformed = 0;
  for (;;) {
    const RecordReader::Status status = reader.next(record, problem);
    if (status == RecordReader::Status::end) break;
    if (status == RecordReader::Status::error) {
      ++malformed;
      result.text += "{\"error\":{\"path\":\"\",\"code\":\"" + problem.code + "\",\"message\":\"" + problem.message +
                     "\"}" + (problem.id.empty() ? "" : ",\"id\":" + problem.id) + "}\n";
      result.faults += fault_line(record.line, problem);
      continue;
    }
    const Verdict& verdict = evaluator.score(record.json);
    if (verdict.error() != nullptr) result.faults += fault_line(record.line, *verdict.error());
    (result.text += verdict.json()) += '\n';
  }
  result.counts = counts_of(evaluator.statistics(), malformed);
  return result;
}

Outcome in_blocks(const Rubric& rubric, std::string_view text, Format format, const EvaluatorOptions& evaluator,
                  unsigned threads, std::size_t block_bytes) {
  BatchOptions options;
  options.evaluator = evaluator;
  options.threads = threads;
  options.block_bytes = block_bytes;
  Batch batch(rubric, options);
  REQUIRE(batch.error() == nullptr);
  Outcome result;
  std::uint64_t rejected = 0;
  const Batch::Result run = batch.run({format, reader_of(text), {}}, {[&](std::string_view block) {
                                                                        result.text += block;
                                                                        return true;
                                                                      },
                                                                      [&](std::uint64_t line, const InputError& error) {
                                                                        ++rejected;
                                                                        result.faults += fault_line(line, error);
                                                                      }});
  result.counts = counts_of(batch.statistics(), batch.malformed());
  CHECK(run.status == Batch::Status::done);
  CHECK(run.records == static_cast<std::uint64_t>(std::count(result.text.begin(), result.text.end(), '\n')));
  CHECK(run.rejected == rejected);
  return result;
}

void check_alike(const Rubric& rubric, std::string_view text, Format format, const EvaluatorOptions& options = {}) {
  const Outcome expected = one_by_one(rubric, text, format, options);
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    for (const std::size_t block : {std::size_t{1}, std::size_t{300}, std::size_t{4096}, std::size_t{1} << 17}) {
      INFO(rubric.name() << ", threads " << threads << ", blocks of " << block);
      CHECK(in_blocks(rubric, text, format, options, threads, block) == expected);
    }
  }
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string numbered(int count, const char* rest = "") {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += R"({"id": "r)" + std::to_string(i) + R"(", "value": )" + std::to_string(i % 12) + rest + "}\n";
  return text;
}

}  // namespace

TEST_CASE("every shipped rubric gives the same bytes on any number of threads") {
  const char* const kWrong[] = {"",        "   ",  "{\"id\": 7}",         "[1]", "{\"id\": \"x\"",
                                "nothing", "{}\r", "{\"id\":\"\\u00e9\"}"};
  std::size_t rubrics = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ASSAY_SOURCE_DIR "/rubrics")) {
    if (entry.path().extension() != ".rubric") continue;
    std::string source;
    const std::optional<Rubric> rubric = assay_tests::load_rubric(entry.path().string(), source);
    INFO(entry.path().string());
    REQUIRE(rubric);
    ++rubrics;
    assay_tests::RecordGenerator generator(*rubric, source, 20 + rubrics);
    std::string text = text_of(entry.path().parent_path() / "sample.ndjson");
    for (int i = 0; i < 60; ++i) {
      text += generator.record("r" + std::to_string(i)) + "\n";
      if (i % 7 == 0) text += kWrong[static_cast<std::size_t>(i / 7) % std::size(kWrong)] + std::string("\n");
    }
    check_alike(*rubric, text, Format::ndjson);
  }
  CHECK(rubrics > 10);
}

TEST_CASE("CSV and JSON are batches as well") {
  std::string csv = "id,value,note\n", json = "[";
  for (int i = 0; i < 400; ++i) {
    csv += "\"r\n" + std::to_string(i) + "\"," + std::to_string(i % 12) + (i % 50 == 3 ? "\n" : ",x\n");
    json += (i == 0 ? "" : ",\n") + std::string(R"({"id": "r)") + std::to_string(i) + R"(", "value": )" +
            std::to_string(i % 12) + "}";
  }
  check_alike(plain(), csv, Format::csv);
  check_alike(plain(), csv + "\"open\n" + csv, Format::csv);
  check_alike(plain(), json + "]", Format::json);
  check_alike(plain(), json, Format::json);
}

// Only the VM counts steps.
TEST_CASE("kernels take records of each format, and give the same bytes as the VM") {
  const Rubric rubric = rubric_of(R"rubric(
rubric flagged {
  version "1"
  scale 0..10 decimals 1
  dimension value weight 100%
  input part: { size: number 0..100 optional, note: text optional } optional
  input flags: set of text default []
  deduction "{flag}" = 0.5 for flag in flags
  output size = part.size
}
)rubric");
  const EvaluatorOptions options{{"id", "score", "size"}, {}};
  std::string csv = "id,value,part.size,part.note,flags,more\n", crlf = csv, lines, list = "[", people = " [\n";
  const auto add = [&](const std::string& row, const std::string& record) {
    csv += row + '\n';
    crlf += row + "\r\n";
    lines += record + '\n';
    list += (list.size() > 1 ? "," : "") + record;
    std::string indented;
    for (const char c : record) indented += c == ',' ? ",\n    " : c == ':' ? " : " : std::string(1, c);
    people += (people.size() > 4 ? ",\n" : "") + indented;
  };
  for (int i = 0; i < 500; ++i) {
    const std::string id = "r" + std::to_string(i), value = std::to_string(i % 11 == 7 ? 12 : i % 10) + ".5";
    const std::string size = i % 5 == 0 ? "" : std::to_string(i % 100);
    switch (i % 23) {
      case 3: csv += "\n"; break;
      case 5: csv += id + ",1\n"; break;
      case 7: csv += '"' + id + "\n\",1,,\"a \"\"note\"\"\",x,\n"; break;
      case 9: add(id + ",much,,,,", R"({"id": ")" + id + R"(", "value": "much"})"); break;
      case 11: add('"' + id + "\"\"\",1,,,,", R"({"id": ")" + id + R"(\"", "value": 1})"); break;
      default: break;
    }
    add(id + ',' + value + ',' + size + ",,a;b;" + id + ",1",
        R"({"id": ")" + id + R"(", "value": )" + value + R"(, "part": {"size": )" + (size.empty() ? "null" : size) +
            R"(}, "flags": ["a", "b", ")" + id + R"("]})");
  }
  for (const auto& [text, format] : std::vector<std::pair<std::string, Format>>{{csv, Format::csv},
                                                                                {crlf, Format::csv},
                                                                                {lines, Format::ndjson},
                                                                                {list + "]", Format::json},
                                                                                {people + "\n]\n", Format::json},
                                                                                {people, Format::json}}) {
    const Outcome expected = one_by_one(rubric, text, format, options);
    for (const unsigned threads : {1u, 3u}) {
      for (const std::size_t block : {std::size_t{1}, std::size_t{300}, std::size_t{4096}, std::size_t{1} << 17}) {
        INFO("threads " << threads << ", blocks of " << block << ", " << text.substr(0, 40));
        const Outcome got = in_blocks(rubric, text, format, options, threads, block);
        CHECK(got.text == expected.text);
        CHECK(got.faults == expected.faults);
      }
    }
    BatchOptions alone;
    alone.evaluator = options;
    alone.threads = 1;
    Batch batch(rubric, alone);
    batch.run({format, reader_of(text), {}}, {[](std::string_view) { return true; }, nullptr});
    CHECK((text == people || batch.statistics().kernel > 300));  // that one ends in the middle
  }
}

TEST_CASE("kernels take records with members set") {
  std::string lines, expected;
  Evaluator evaluator(plain(), {{"id", "score"}, {}});
  for (int i = 0; i < 100; ++i) {
    const std::string record = R"({"id":"r)" + std::to_string(i) + R"(","value":)" + std::to_string(i % 12) + "}";
    lines += record + '\n';
    (expected += evaluator.score(*with_member(record, "value", "7.5")).json()) += '\n';
  }
  const std::string list = '[' + [&] {
    std::string items = lines.substr(0, lines.size() - 1);
    std::replace(items.begin(), items.end(), '\n', ',');
    return items;
  }() + ']';
  for (const auto& [text, format] :
       std::vector<std::pair<std::string, Format>>{{lines, Format::ndjson}, {list, Format::json}}) {
    BatchOptions options;
    options.evaluator.fields = {"id", "score"};
    options.threads = 1;
    options.members = {{"value", "7.5"}};
    Batch batch(plain(), options);
    std::string got;
    batch.run({format, reader_of(text), {}}, {[&](std::string_view block) { return got += block, true; }, nullptr});
    CHECK(got == expected);
    CHECK(batch.statistics().kernel >= 84);
  }
}

TEST_CASE("what follows a row that ends a table is not told, whoever has scored it") {
  EvaluatorOptions options;
  options.limits.record_bytes = 40;
  std::string csv = "id,value\n";
  for (int i = 0; i < 200; ++i) csv += std::to_string(i) + ",1\n";
  csv += std::string(41, 'x') + ",1\n";
  for (int i = 0; i < 200; ++i) csv += std::to_string(i) + ",1\n";
  check_alike(plain(), csv, Format::csv, options);
}

TEST_CASE("records that depend on earlier ones are scored in order") {
  const Rubric runs = rubric_of(R"rubric(
rubric runs {
  scale 0..10 decimals 1
  history by series
  input series: text
  dimension value weight 100%
  output before = count(history)
  output mean_before = mean(h.value for h in history)
}
)rubric");
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += R"({"series": ")" + std::string(1, static_cast<char>('a' + i % 3)) + R"(", "value": )" +
            std::to_string(i % 12) + "}\n";
  }
  check_alike(runs, text, Format::ndjson);
}

TEST_CASE("a history and settings hold for every thread") {
  const Rubric rubric = rubric_of(R"rubric(
rubric pair {
  scale 0..10 decimals 2
  weights rescaled
  dimension a weight 50%  dimension b weight 50%
  history by series
  input series: text default "s"
  output before = count(history)
}
)rubric");
  std::string text;
  for (int i = 0; i < 300; ++i) text += R"({"a": )" + std::to_string(i % 11) + R"(, "b": 5})" + "\n";
  const std::vector<std::string> history{R"({"a": 1, "b": 2})", R"({"a": 3, "b": 4})"};
  const auto run = [&](unsigned threads) {
    Batch batch(
        rubric,
        {.evaluator = {{"score", "before"}, {}}, .threads = threads, .block_bytes = 50, .members = {}, .render = {}});
    CHECK(batch.configure({{"none"}, {}})->path == "context[0]");
    CHECK_FALSE(batch.configure({{}, {{"a", "80%"}}}));
    batch.set_history(history);
    std::string out;
    batch.run({Format::ndjson, reader_of(text), {}}, {[&](std::string_view block) {
                                                        out += block;
                                                        return true;
                                                      },
                                                      {}});
    return out;
  };
  const std::string expected = run(1);
  CHECK(expected.substr(0, expected.find('\n')) == R"({"score":1,"before":2})");
  for (const unsigned threads : {2u, 8u}) CHECK(run(threads) == expected);
}

TEST_CASE("a cohort is of the records of all runs") {
  const Rubric rubric = rubric_of(R"rubric(
rubric many {
  scale 0..10 decimals 1
  dimension value weight 100%
  cohort { output sizes = count(records)  output typical = median(r.score for r in records) }
}
)rubric");
  Batch batch(rubric, {.evaluator = {}, .threads = 4, .block_bytes = 30, .members = {{"value", "7"}}, .render = {}});
  const BatchOutput nowhere{[](std::string_view) { return true; }, {}};
  const std::string text = numbered(100);
  batch.run({Format::ndjson, reader_of(text), {}}, nowhere);
  batch.start_cohort();
  batch.run({Format::ndjson, reader_of(text), {}}, nowhere);
  batch.run({Format::ndjson, reader_of(text), {}}, nowhere);
  CHECK(batch.cohort() == R"({"sizes":200,"typical":7})");
}

TEST_CASE("members are set, verdicts rendered") {
  for (const unsigned threads : {1u, 3u}) {
    BatchOptions options;
    options.evaluator.fields = {"id", "score"};
    options.threads = threads;
    options.block_bytes = 20;
    options.members = {{"value", "3"}, {"id", "all"}};
    options.render = [](std::string_view json, bool rejected, std::string& out) {
      (out += rejected ? "!" : "=") += json;
    };
    Batch batch(plain(), options);
    std::string out;
    const std::string text = R"({"value": 1})"
                             "\n[]\n"
                             R"({"value": 99, "id": "x"})"
                             "\n" +
                             std::string(5000, ' ') + "\n";
    batch.run({Format::ndjson, reader_of(text), {}}, {[&](std::string_view block) {
                                                        out += block;
                                                        return true;
                                                      },
                                                      {}});
    CHECK(out == R"(={"id":"all","score":3})"
                 R"(!{"error":{"path":"","code":"type","message":"the record is a list, expected an object"}})"
                 R"(={"id":"all","score":3})");
  }
}

TEST_CASE("a record that comes alone is answered before the next one is waited for") {
  for (const unsigned threads : {1u, 4u}) {
    Batch batch(
        plain(),
        {.evaluator = {{"score"}, {}}, .threads = threads, .block_bytes = 1 << 17, .members = {}, .render = {}});
    int asked = 0, answered = 0;
    const auto read = [&](char* buffer, std::size_t) {
      CHECK(answered == asked);
      if (asked == 20) return 0L;
      ++asked;
      std::memcpy(buffer, "{\"value\": 1}\n", 13);
      return 13L;
    };
    const auto write = [&](std::string_view block) {
      answered += static_cast<int>(std::count(block.begin(), block.end(), '\n'));
      return true;
    };
    CHECK(batch.run({Format::ndjson, read, [] { return true; }}, {write, {}}).records == 20);
    CHECK(answered == 20);
  }
}

TEST_CASE("nobody reads any more, or nothing can be read") {
  const std::string text = numbered(5000);
  for (const unsigned threads : {1u, 2u, 8u}) {
    Batch batch(plain(), {.evaluator = {}, .threads = threads, .block_bytes = 500, .members = {}, .render = {}});
    int writes = 0;
    const Batch::Result stopped =
        batch.run({Format::ndjson, reader_of(text), {}}, {[&](std::string_view) { return ++writes < 3; }, {}});
    CHECK(stopped.status == Batch::Status::stopped);
    CHECK(writes == 3);
    CHECK(stopped.records < 5000);

    std::string out;
    RecordReader::Read some = reader_of(std::string_view(text).substr(0, 20 * 500 + 3));
    const Batch::Result failed = batch.run({Format::ndjson,
                                            [&](char* buffer, std::size_t size) {
                                              const long count = some(buffer, size);
                                              return count == 0 ? -1L : count;
                                            },
                                            {}},
                                           {[&](std::string_view block) {
                                              out += block;
                                              return true;
                                            },
                                            {}});
    CHECK(failed.status == Batch::Status::failed);
    const std::string whole = text.substr(0, text.rfind('\n', 20 * 500 + 2) + 1);
    CHECK(out == one_by_one(plain(), whole, Format::ndjson, {}).text);
    CHECK(batch.run({Format::ndjson, reader_of(text), {}}, {[](std::string_view) { return true; }, {}}).records ==
          5000);
  }
}

TEST_CASE("what a callback throws ends the run, on every thread") {
  const std::string text = numbered(3000);
  for (const unsigned threads : {1u, 2u, 8u}) {
    BatchOptions options;
    options.threads = threads;
    options.block_bytes = 400;
    bool armed = true;
    options.render = [&armed](std::string_view json, bool, std::string& out) {
      if (armed && json.find("\"r1500\"") != std::string_view::npos) throw std::runtime_error("render");
      (out += json) += '\n';
    };
    Batch batch(plain(), options);
    std::string out;
    const BatchOutput output{[&](std::string_view block) {
                               out += block;
                               return true;
                             },
                             {}};
    CHECK_THROWS_WITH(batch.run({Format::ndjson, reader_of(text), {}}, output), "render");
    CHECK(out.find("\"r1500\"") == std::string::npos);
    const auto read = [](char*, std::size_t) -> long { throw std::runtime_error("read"); };
    CHECK_THROWS_WITH(batch.run({Format::ndjson, read, {}}, output), "read");
    const auto write = [](std::string_view) -> bool { throw std::runtime_error("write"); };
    CHECK_THROWS_WITH(batch.run({Format::ndjson, reader_of(text), {}}, {write, {}}), "write");
    armed = false;
    CHECK(batch.run({Format::ndjson, reader_of(text), {}}, output).records == 3000);
  }
}

TEST_CASE("one thread is the calling one; others score, but call no callback of the run") {
  const std::string text = numbered(4000);
  const std::thread::id here = std::this_thread::get_id();
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<bool> elsewhere{false}, astray{false};
    BatchOptions options;
    options.threads = threads;
    options.block_bytes = 1000;
    options.render = [&](std::string_view, bool, std::string& out) {
      if (std::this_thread::get_id() != here) elsewhere = true;
      out += '.';
    };
    const auto note = [&] { astray = astray || std::this_thread::get_id() != here; };
    Batch batch(plain(), options);
    RecordReader::Read read = reader_of(text);
    batch.run({Format::ndjson,
               [&](char* buffer, std::size_t size) {
                 note();
                 return read(buffer, size);
               },
               {}},
              {[&](std::string_view) {
                 note();
                 return true;
               },
               [&](std::uint64_t, const InputError&) { note(); }});
    CHECK_FALSE(astray);
    if (threads == 1) CHECK_FALSE(elsewhere);
  }
}

TEST_CASE("a block that writes much is written in parts, in its place") {
  std::string expected;
  const std::string large(300'000, 'x');
  for (int i = 0; i < 60; ++i) expected += std::to_string(i) + large;
  std::string text;
  for (int i = 0; i < 60; ++i) text += R"({"value": 1, "id": ")" + std::to_string(i) + "\"}\n";
  for (const unsigned threads : {1u, 2u, 5u}) {
    BatchOptions options;
    options.evaluator.fields = {"id"};
    options.threads = threads;
    options.block_bytes = 400;
    options.render = [&large](std::string_view json, bool, std::string& out) {
      (out += json.substr(7, json.size() - 9)) += large;  // {"id":"7"}
    };
    Batch batch(plain(), options);
    std::string out;
    std::size_t most = 0;
    const Batch::Result result = batch.run({Format::ndjson, reader_of(text), {}}, {[&](std::string_view block) {
                                                                                     most =
                                                                                         std::max(most, block.size());
                                                                                     out += block;
                                                                                     return true;
                                                                                   },
                                                                                   {}});
    CHECK(result.records == 60);
    CHECK(most < 1'400'000);
    CHECK(out == expected);
  }
}

// ---- memory. Sanitizers delay the release of memory, so nothing can be measured with them.

#if defined(__linux__) && !ASSAY_TEST_SANITIZE
namespace {

std::size_t status_kilobytes(const std::string& name) {
  std::istringstream status(text_of("/proc/self/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1));
  }
  return 0;
}

// The peak memory of a run, minus the memory of the process before it.
std::size_t peak_kilobytes(const std::function<void()>& run) {
  const std::size_t before = status_kilobytes("VmRSS");
  std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak
  run();
  const std::size_t peak = status_kilobytes("VmHWM");
  REQUIRE(peak > 0);
  return peak > before ? peak - before : 0;
}

// Repeats `unit` up to `bytes` bytes.
RecordReader::Read endless(const std::string& unit, std::size_t bytes) {
  return [unit, left = bytes, at = std::size_t{0}](char* buffer, std::size_t size) mutable {
    const std::size_t count = std::min(size, left);
    for (std::size_t done = 0; done < count;) {
      const std::size_t part = std::min(count - done, unit.size() - at);
      std::memcpy(buffer + done, unit.data() + at, part);
      done += part;
      at = (at + part) % unit.size();
    }
    left -= count;
    return static_cast<long>(count);
  };
}

constexpr std::size_t kMegabyte = 1024;
constexpr std::size_t kLarge = 200'000'000;

}  // namespace

TEST_CASE("memory does not grow with the file") {
  const std::string record = R"({"id": "r", "value": 7, "note": ")" + std::string(160, 'n') + "\"}\n";
  for (const unsigned threads : {1u, 4u}) {
    std::uint64_t records = 0;
    const std::size_t peak = peak_kilobytes([&] {
      Batch batch(plain(), {.evaluator = {}, .threads = threads, .block_bytes = 1 << 17, .members = {}, .render = {}});
      records =
          batch.run({Format::ndjson, endless(record, kLarge), {}}, {[](std::string_view) { return true; }, {}}).records;
    });
    INFO("threads " << threads << ", peak " << peak << " KB");
    CHECK(records >= kLarge / record.size());
    CHECK(peak <= 16 * kMegabyte + 4 * kMegabyte * threads);
  }
}

TEST_CASE("a file of one line ends at the limit of a record, not in memory") {
  std::string faults;
  const std::size_t peak = peak_kilobytes([&] {
    Batch batch(plain());
    const Batch::Result result =
        batch.run({Format::ndjson, endless("x", kLarge), {}},
                  {[](std::string_view) { return true; },
                   [&](std::uint64_t line, const InputError& error) { faults += fault_line(line, error); }});
    CHECK(result.records == 1);
  });
  INFO("peak " << peak << " KB");
  CHECK(faults ==
        "1: : limit: the record takes more than 67108864 bytes (raise the limit 'record_bytes' to allow more)\n");
  CHECK(peak <= (64 + 16) * kMegabyte);
}
#endif
