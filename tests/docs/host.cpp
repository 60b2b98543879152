// The host programs that README.md and docs/embedding.md show, compiled and run. The test of the pages compares their
// blocks with the lines of this file, and this program checks its results against the text of the pages.
#include <assay/arrow.hpp>
#include <assay/assay.hpp>
#include <assay/files.hpp>
#include <assay/mend.hpp>
#include <assay/text.hpp>
#include <assay/verdicts.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::string_view kReview = R"(rubric review "Review of a generated answer" {
  version "1.0"
  scale   1..10 decimals 2
  weights rescaled
  dimension correctness   weight 50%  "Is the output right?"
  dimension completeness  weight 30%  "Is anything missing?"
  dimension safety        weight 20%  "Could it do harm?"
  context strict { weight safety 60% }
  bands grade(score) {
    | score   | grade | label          |
    | >= 9.00 | "A"   | "Excellent"    |
    | >= 7.00 | "B"   | "Satisfactory" |
    | >= 1.00 | "F"   | "Failing"      |
  }
  output change = score - last(history).score
  rank by higher score, higher correctness
  cohort { output typical = median(r.score for r in records) }
}
)";

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("this does not hold: %s\n", what);
}
#define EXPECT(condition) expect(condition, #condition)

// The example of README.md.
int readme(std::string_view text) {
  auto compiled = assay::compile("review.rubric", text);
  if (!compiled.rubric) {
    std::fputs(assay::render(compiled.diagnostics).c_str(), stderr);
    return 1;
  }
  assay::Evaluator evaluator(*compiled.rubric);  // one per thread; the rubric is shared
  const assay::Verdict& verdict = evaluator.score(R"({"correctness": 9.5, "completeness": 8, "safety": 10})");
  if (verdict.error()) return 1;  // what is wrong with the record, and where
  std::cout << verdict.text("grade") << ' ' << verdict.number("score").value_or(0) << '\n';
  EXPECT(verdict.text("grade") == "A" && verdict.number("score") == 9.15);
  return 0;
}

// ---- docs/embedding.md, section by section

assay::Compiled compile_file(const std::string& path) {
  const auto read = [](const std::string& name) -> std::optional<std::string> {
    std::ifstream file(name, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  };
  assay::CompileOptions options;
  options.importer = [read](std::string_view wanted, std::string_view from, std::string& name) {
    const std::size_t folder = from.rfind('/');
    name = folder == std::string_view::npos ? std::string(wanted)
                                            : std::string(from.substr(0, folder + 1)) + std::string(wanted);
    return read(name);
  };
  return assay::compile(path, read(path).value_or(""), options);
}

bool suggests(const std::string& text) {
  const assay::Mended mended = assay::mend("review.rubric", text);
  for (const assay::MendedFile& file : mended.files)
    std::cout << assay::unified_diff(file.name, file.before, file.after);
  return mended.compiled.rubric.has_value();
}

// ---- docs/security.md

std::string score_stranger(std::string_view text, std::string_view record) {
  assay::Limits limits;
  limits.source_bytes = 64 << 10;
  limits.record_bytes = 1 << 20;
  limits.list_items = 10'000;
  limits.text_bytes = 64 << 10;
  limits.nesting = 50;
  limits.steps = 1'000'000;
  limits.memory_bytes = 16 << 20;
  limits.output_bytes = 1 << 20;
  assay::CompileOptions options;  // no importer: nothing but the standard library
  options.limits = limits;
  options.lua = false;
  const assay::Compiled compiled = assay::compile("stranger.rubric", text, options);
  if (!compiled.rubric) return assay::render(compiled.diagnostics);
  assay::Evaluator evaluator(*compiled.rubric, {{}, limits});
  return std::string(evaluator.score(record).json());
}

void strangers() {
  const auto says = [](const std::string& answer, const char* words) {
    return answer.find(words) != std::string::npos;
  };
  EXPECT(says(score_stranger("rubric a { output n = 1 }", "{}"), "\"n\":1"));
  EXPECT(says(score_stranger("rubric a { output n = count(1 for a in 1..10000 for b in 1..10000) }", "{}"),
              "\"code\":\"limit\""));
  EXPECT(says(score_stranger("import \"/etc/passwd\" rubric a { output n = 1 }", "{}"), "E0601"));
  EXPECT(!says(
      score_stranger("rubric a { hook f(): number lua \"\"\"function f() return 1 end\"\"\" output n = f() }", "{}"),
      "\"n\":1"));
}

void errors(const assay::Rubric& rubric) {
  assay::Evaluator evaluator(rubric);
  const assay::Verdict& verdict = evaluator.score(R"({"correctness": 11, "completeness": 8, "safety": 10})");
  if (const assay::InputError* error = verdict.error()) {
    std::cerr << error->path << ": " << error->message << " [" << error->code << "]\n";
  }
  EXPECT(verdict.error() && verdict.error()->path == "correctness" && verdict.error()->code == "range");
}

void threads(const assay::Rubric& rubric, const std::vector<std::string>& records) {
  std::vector<std::string> verdicts(records.size());
  std::vector<std::thread> workers;
  for (std::size_t first = 0; first < 4; ++first) {
    workers.emplace_back([&, first] {
      assay::Evaluator evaluator(rubric);
      for (std::size_t i = first; i < records.size(); i += 4) verdicts[i] = evaluator.score(records[i]).json();
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const std::string& verdict : verdicts) EXPECT(verdict.find("\"score\":") != std::string::npos);
}

void settings(const assay::Rubric& rubric) {
  assay::Evaluator evaluator(rubric);
  if (auto error = evaluator.configure({.contexts = {"strict"}, .weights = {{"completeness", "10%"}}})) {
    std::cerr << error->path << ": " << error->message << '\n';
  }
  evaluator.set_history({R"({"correctness": 8, "completeness": 8, "safety": 8})"});
  const assay::Verdict& verdict = evaluator.score(R"({"correctness": 9, "completeness": 9, "safety": 9})");
  std::cout << verdict.number("change").value_or(0) << '\n';
  EXPECT(verdict.number("change") == 1.0);
  EXPECT(evaluator.configure({.contexts = {"lenient"}, .weights = {}})->path == "context[0]");
}

void unknown_keys(const assay::Rubric& rubric, std::string_view record) {
  for (const assay::UnknownKey& key : rubric.unknown_keys(record)) {
    if (key.misspelt) std::cerr << key.path << " is perhaps " << key.nearest << '\n';
  }
  assay::EvaluatorOptions options;
  options.strict = true;
  assay::Evaluator evaluator(rubric, options);
  const assay::InputError* error = evaluator.score(record).error();
  EXPECT(error != nullptr && error->path == "compleetness" && error->code == "unknown");
  EXPECT(rubric.unknown_keys(record).size() == 1 && rubric.unknown_keys(record)[0].nearest == "completeness");
}

void deadlines(const assay::Rubric& rubric, std::string_view record) {
  assay::Interrupt interrupt;
  assay::EvaluatorOptions options;
  options.interrupt = &interrupt;  // must outlive every object that it is given to
  assay::Evaluator evaluator(rubric, options);
  interrupt.set_deadline(assay::Interrupt::Clock::now() + std::chrono::milliseconds(50));
  const assay::InputError* error = evaluator.score(record).error();
  if (error != nullptr && error->code == "timeout") std::cerr << "too slow\n";  // or "cancelled", after cancel()
  // The evaluator can be used as before.
  interrupt.clear();
  EXPECT(evaluator.score(record).error() == nullptr);
}

void fields_and_limits(const assay::Rubric& rubric) {
  assay::EvaluatorOptions options;
  options.fields = {"id", "score", "grade"};
  options.limits.record_bytes = 1 << 20;
  options.limits.steps = 100'000;
  assay::Evaluator evaluator(rubric, options);
  if (const assay::InputError* unknown = evaluator.error()) std::cerr << unknown->message << '\n';
  const std::string_view json =
      evaluator.score(R"({"id": "a", "correctness": 9, "completeness": 9, "safety": 9})").json();
  EXPECT(json == R"({"id":"a","score":9,"grade":"A"})");
  options.fields = {"scroe"};
  EXPECT(assay::Evaluator(rubric, options).error() != nullptr);
}

void ranking(const assay::Rubric& rubric) {
  assay::Evaluator evaluator(rubric);
  const std::vector<std::string_view> records{
      R"({"id": "a", "correctness": 7, "completeness": 7, "safety": 7})",
      R"({"id": "b", "correctness": 9, "completeness": 9, "safety": 9})",
  };
  assay::Ranking ranking;
  if (auto error = evaluator.rank(records, ranking)) std::cerr << error->path << ": " << error->message << '\n';
  for (const auto& group : ranking.groups) std::cout << group.front() << '\n';
  EXPECT(ranking.json() == R"({"ranking":[["b"],["a"]],"ineligible":[]})");
}

void streams(const assay::Rubric& rubric, std::string_view text) {
  assay::RecordReader reader(
      assay::Format::ndjson,
      [&text](char* buffer, std::size_t size) {
        const std::size_t count = text.copy(buffer, size);
        text.remove_prefix(count);
        return static_cast<long>(count);
      },
      rubric);
  assay::Evaluator evaluator(rubric);
  evaluator.start_cohort();
  assay::Record record;
  assay::InputError problem;
  using Status = assay::RecordReader::Status;
  for (Status status = reader.next(record, problem); status != Status::end; status = reader.next(record, problem)) {
    if (status == Status::error) {
      std::cerr << "line " << record.line << ": " << problem.message << '\n';
      continue;
    }
    std::cout << evaluator.score(record.json).json() << '\n';
  }
  std::cout << evaluator.cohort() << '\n';
  EXPECT(evaluator.cohort() == R"({"typical":8})");
}

void cohorts(const std::vector<std::vector<std::string_view>>& parts) {
  auto compiled = assay::compile("run.rubric", R"(rubric run { input x: number output y = x rank by higher y
    cohort { output most = max(r.y for r in records) each output place each output share = y / most } })");
  EXPECT(compiled.rubric.has_value());
  const assay::Rubric& rubric = *compiled.rubric;
  assay::Cohort whole(rubric);
  for (const auto& part : parts) {
    assay::Evaluator first(rubric);
    first.start_cohort(assay::Cohort::kUnordered);
    for (const std::string_view one : part) first.score(one);
    const std::string bytes = first.collected().save();  // for the place where the parts are merged
    assay::InputError wrong;
    const std::optional<assay::Cohort> again = assay::Cohort::load(rubric, bytes, wrong);
    if (!again || whole.merge(*again)) return;
  }
  assay::InputError wrong;
  const std::optional<assay::FrozenCohort> frozen = whole.freeze(wrong);
  if (!frozen) return;
  std::cout << frozen->outputs() << ' ' << frozen->hash() << '\n';
  assay::Evaluator second(rubric);
  if (second.set_cohort(*frozen)) return;
  std::cout << second.score(parts[0][0]).json("place") << '\n';
  EXPECT(frozen->outputs() == R"({"most":4})");
  EXPECT(second.score(parts[0][0]).json("place") == "2");
}

void batches(const assay::Rubric& rubric, std::string_view text) {
  const auto read = [&text](char* buffer, std::size_t size) {
    const std::size_t count = text.copy(buffer, size);
    text.remove_prefix(count);
    return static_cast<long>(count);
  };
  assay::BatchOptions options;
  options.evaluator.fields = {"id", "score", "grade"};
  options.threads = 0;  // one for each core; 1, the default, starts none
  assay::Batch batch(rubric, options);
  if (batch.error()) return;
  const auto write = [](std::string_view block) { return static_cast<bool>(std::cout << block); };
  const auto rejected = [](std::uint64_t line, const assay::InputError& error) {
    std::cerr << "line " << line << ": " << error.message << '\n';
  };
  const assay::Batch::Result result = batch.run({assay::Format::ndjson, read, {}}, {write, rejected});
  EXPECT(result.status == assay::Batch::Status::done && result.records == 2 && result.rejected == 0);
}

void files(const assay::Rubric& rubric) {
  std::string_view text = "id,correctness,completeness,safety\na,9,8,7\n";
  const auto read = [&text](char* buffer, std::size_t size) {
    const std::size_t count = text.copy(buffer, size);
    text.remove_prefix(count);
    return static_cast<long>(count);
  };
  assay::Batch batch(rubric);
  const auto write = [](std::string_view) { return true; };
  const auto rejected = [](std::uint64_t, const assay::InputError&) {};
  std::string problem;
  auto source = assay::RecordSource::open({read, {}}, "answers.csv.zst", rubric, {}, problem);
  if (!source) return void(std::cerr << "cannot read 'answers.csv.zst': " << problem << '\n');
  const auto unpacked = [&source](char* buffer, std::size_t size) { return source->read(buffer, size); };
  const assay::Batch::Result result = batch.run({source->format(), unpacked, {}}, {write, rejected});
  EXPECT(result.status == assay::Batch::Status::done && result.records == 1 && result.rejected == 0);
}

void tables(const assay::Rubric& rubric) {
  std::string_view records = R"({"id": "a", "correctness": 9, "completeness": 8, "safety": 7})";
  const auto read = [&records](char* buffer, std::size_t size) {
    const std::size_t count = records.copy(buffer, size);
    records.remove_prefix(count);
    return static_cast<long>(count);
  };
  const auto rejected = [](std::uint64_t, const assay::InputError&) {};
  const auto print = [](std::string_view text) { return static_cast<bool>(std::cout << text); };
  assay::VerdictPrinter writer(print, *assay::find_output_format("csv"), assay::verdict_columns(rubric));
  assay::BatchOptions options;
  options.render = writer.render();
  assay::Batch batch(rubric, options);
  const auto write = [&writer](std::string_view block) { return writer.add(block); };
  const assay::Batch::Result result = batch.run({assay::Format::ndjson, read, {}}, {write, rejected});
  writer.end({}, true);
  EXPECT(result.records == 1 && result.rejected == 0);
}

void requests(const assay::Rubric& rubric) {
  assay::Evaluator evaluator(rubric);
  std::cout << evaluator.eval(R"({"op": "score", "input": {"correctness": 9, "completeness": 9, "safety": 9}})")
            << '\n';
  EXPECT(evaluator.eval("[]") ==
         R"({"error":{"path":"","code":"type","message":"the request is a list, expected an object"}})");
}

void expressions(const assay::Rubric& rubric) {
  assay::Evaluator evaluator(rubric);
  const std::string_view record = R"({"correctness": 9, "completeness": 9, "safety": 9})";
  const auto result = evaluator.evaluate("correctness + safety", record);
  std::cout << result.value << " : " << result.type << '\n';
  std::cout << evaluator.explain(record, "score");
  EXPECT(result.value == "18");
}

// ---- docs/performance.md and docs/hooks.md

int bound(const assay::Rubric& rubric, const std::vector<std::string_view>& names) {
  assay::Evaluator evaluator(rubric, {{"score", "grade"}, {}});
  assay::Inputs& inputs = evaluator.inputs();
  const assay::InputHandle correctness = *inputs.find("scores.correctness"), flags = *inputs.find("red_flags");
  const assay::FieldHandle score = *evaluator.field("score"), grade = *evaluator.field("grade");

  inputs.set_number(correctness, 9.25);    // a double means the shortest decimal that reads back as it
  inputs.set_number(correctness, 925, 2);  // the same from an integer, and faster
  inputs.set_texts(flags, names.data(), names.size());
  const assay::Verdict& verdict = evaluator.score_inputs();
  if (verdict.error()) return 1;
  const auto hundredths = verdict.scaled(score, 2);  // 875 is 8.75
  const std::string_view letter = verdict.text(grade);
  EXPECT(hundredths == 875 && letter == "B");
  return 0;
}

constexpr std::string_view kBound = R"(rubric bound {
  scale 0..10 decimals 2
  input scores: { correctness: number 0..10 }
  input red_flags: set of text default []
  dimension quality weight 100% = scores.correctness
  deduction "{flag}" = 0.5 for flag in red_flags
  bands grade(score) { | score | grade | | >= 9 | "A" | | >= 0 | "B" | }
}
)";

// docs/performance.md, columns.
int columns(const assay::Rubric& rubric) {
  const std::vector<double> correctness{9.25, 7.5, 8.0};
  std::vector<double> scores(3);
  std::vector<std::uint8_t> grades(3);

  assay::Columns columns(rubric);
  columns.bind("scores.correctness", {correctness.data(), assay::ColumnType::f64});
  columns.write("score", {scores.data(), assay::ColumnType::f64});
  columns.write("grade", {grades.data(), assay::ColumnType::u8});  // positions in columns.texts("grade")
  if (const auto error = columns.score(0, correctness.size())) return 1;
  for (const auto& [row, error] : columns.errors()) std::printf("row %zu: %s\n", row, error.message.c_str());
  EXPECT(scores[0] == 9.25 && columns.texts("grade")[grades[1]] == "B");
  return 0;
}

std::optional<assay::InputError> score_arrow(const assay::Rubric& rubric, const ArrowSchema& schema,
                                             ArrowArray& records, ArrowArray& verdicts) {
  assay::ArrowOptions options;
  options.threads = 0;  // one for each core
  assay::ArrowScorer scorer(rubric, options);
  ArrowSchema verdicts_schema;
  if (auto error = scorer.bind(schema)) return error;  // a column is missing, or of a type that its input cannot hold
  if (auto error = scorer.result_schema(verdicts_schema)) return error;
  verdicts_schema.release(&verdicts_schema);
  return scorer.score(records, verdicts);  // `records` is moved from; a rejected row has nulls and its `error`
}

// Builds a table of doubles by hand.
void arrow(const assay::Rubric& rubric) {
  const char* const names[] = {"correctness", "completeness", "safety"};
  const double values[3][2] = {{9.5, 8}, {8, 9}, {10, 99}};
  ArrowSchema columns[3] = {}, schema = {};
  ArrowArray arrays[3] = {}, records = {};
  ArrowSchema* column_list[3];
  ArrowArray* array_list[3];
  const void* buffers[3][2];
  const void* none[1] = {nullptr};
  const auto release_schema = [](ArrowSchema* released) { released->release = nullptr; };
  const auto release_array = [](ArrowArray* released) { released->release = nullptr; };
  for (int i = 0; i < 3; ++i) {
    buffers[i][0] = nullptr;
    buffers[i][1] = values[i];
    columns[i] = {"g", names[i], nullptr, 0, 0, nullptr, nullptr, release_schema, nullptr};
    arrays[i] = {2, 0, 0, 2, 0, buffers[i], nullptr, nullptr, release_array, nullptr};
    column_list[i] = &columns[i];
    array_list[i] = &arrays[i];
  }
  schema = {"+s", "", nullptr, 0, 3, column_list, nullptr, release_schema, nullptr};
  records = {2, 0, 0, 1, 3, none, array_list, nullptr, release_array, nullptr};
  ArrowArray verdicts;
  EXPECT(!score_arrow(rubric, schema, records, verdicts));
  EXPECT(records.release == nullptr && verdicts.length == 2);
  const ArrowArray& scores = *verdicts.children[2];  // after id and status
  EXPECT(scores.null_count == 1 && static_cast<const double*>(scores.buffers[1])[0] == 9.15);
  verdicts.release(&verdicts);
}

double trigram_similarity(std::string_view a, std::string_view b) { return a == b ? 1 : 0.5; }

void host_hook() {
  assay::CompileOptions options;
  options.hooks["similarity"] = [](const std::vector<assay::HookValue>& args) {
    return assay::HookValue(trigram_similarity(args[0].text, args[1].text));
  };
  const auto compiled = assay::compile("close.rubric", R"(rubric close {
  hook similarity(a: text, b: text): number 0..1 from "host:similarity"
  input a, b: text
  output near = similarity(a, b)
}
)",
                                       options);
  EXPECT(compiled.rubric.has_value());
  if (!compiled.rubric) return;
  assay::Evaluator evaluator(*compiled.rubric);
  EXPECT(evaluator.score(R"({"a": "x", "b": "y"})").number("near") == 0.5);
}

}  // namespace

int main() {
  EXPECT(readme(kReview) == 0);
  const auto compiled = assay::compile("review.rubric", kReview);
  EXPECT(compiled.rubric.has_value());
  EXPECT(compile_file(ASSAY_SOURCE_DIR "/rubrics/phraseology_session/phraseology_session.rubric").rubric.has_value());
  EXPECT(!compile_file("nowhere.rubric").rubric.has_value());
  EXPECT(suggests("rubric review { output late = 1 > 2 && true }"));
  if (!compiled.rubric) return 1;
  const assay::Rubric& rubric = *compiled.rubric;
  strangers();
  errors(rubric);
  files(rubric);
  tables(rubric);
  threads(rubric, std::vector<std::string>(40, R"({"correctness": 9, "completeness": 9, "safety": 9})"));
  settings(rubric);
  unknown_keys(rubric, R"({"correctness": 9, "compleetness": 9, "safety": 9})");
  deadlines(rubric, R"({"correctness": 9, "completeness": 9, "safety": 9})");
  fields_and_limits(rubric);
  ranking(rubric);
  streams(rubric,
          "{\"correctness\": 7, \"completeness\": 7, \"safety\": 7}\n\nnonsense\n{\"correctness\": 9, "
          "\"completeness\": 9, \"safety\": 9}\n");
  cohorts({{R"({"id": "a", "x": 1})"}, {R"({"id": "b", "x": 4})", R"({"id": "c"})"}});
  batches(rubric,
          "{\"correctness\": 7, \"completeness\": 7, \"safety\": 7}\n{\"correctness\": 9, \"completeness\": 9, "
          "\"safety\": 9}\n");
  requests(rubric);
  expressions(rubric);
  const auto bindable = assay::compile("bound.rubric", kBound);
  EXPECT(bindable.rubric && bound(*bindable.rubric, {"hurried"}) == 0);
  EXPECT(bindable.rubric && columns(*bindable.rubric) == 0);
  arrow(rubric);
  host_hook();
  return failures == 0 ? 0 : 1;
}
