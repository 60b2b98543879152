// assay score: one verdict a record, in input order, whatever the files look like. A record that cannot be scored is
// told on standard error with its place, and its error stands where its verdict would.
#include "repl/columns.hpp"
#include "repl/json_text.hpp"
#include "repl/messages.hpp"
#include "repl/output.hpp"
#include "repl/table.hpp"
#include "repl/verbs.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace assay::cli {

namespace {

// Verdicts in the chosen shape. Only tables are held back until the end.
class VerdictWriter {
 public:
  VerdictWriter(Output& output, Shape shape, std::vector<std::string> columns)
      : output_(&output), shape_(shape), columns_(std::move(columns)) {
    if (shape_ == Shape::ndjson || shape_ == Shape::json) return;
    for (const std::string& column : columns_) table_.header.push_back(heading(column));
    if (shape_ == Shape::csv) output_->write(csv_row(table_.header));
  }

  bool add(std::string_view json, bool faulty) {
    switch (shape_) {
      case Shape::ndjson: output_->write(json); return output_->write("\n");
      case Shape::json:
        output_->write(first_ ? "[\n" : ",\n");
        first_ = false;
        return output_->write(json);
      case Shape::csv: return output_->write(csv_row(row(json, faulty)));
      case Shape::table:
      case Shape::markdown: table_.rows.push_back(row(json, faulty)); return output_->alive();
    }
    return false;
  }

  // `tidy`: leave out columns that say nothing.
  void end(bool tidy) {
    if (shape_ == Shape::json) output_->write(first_ ? "[]\n" : "\n]\n");
    if (shape_ != Shape::table && shape_ != Shape::markdown) return;
    if (tidy) {
      if (all_eligible_) table_.drop("status");
      table_.drop_empty("score");
    }
    output_->write(shape_ == Shape::table ? table_.text() : table_.markdown());
  }

  void cohort(std::string_view json) {
    const std::string object = "{\"cohort\":" + std::string(json) + "}";
    if (shape_ == Shape::ndjson || shape_ == Shape::json) {
      add(object, false);
      return;
    }
    const bool markdown = shape_ == Shape::markdown;
    output_->write(markdown ? "\n```json\n" : "\n");
    const std::string text = pretty(object);
    output_->write(text);
    if (text.empty() || text.back() != '\n') output_->write("\n");
    if (markdown) output_->write("```\n");
  }

 private:
  std::vector<std::string> row(std::string_view json, bool faulty) {
    std::vector<std::string> cells = assay::cells(faulty ? "{}" : json, columns_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == "status") {
        if (faulty) cells[i] = "error";
        all_eligible_ = all_eligible_ && cells[i] == "eligible";
      }
      if (columns_[i] == "error" && faulty) {
        const std::vector<std::string> parts = assay::cells(json, {"error.path", "error.message"});
        cells[i] = error_text({parts[0], {}, parts[1]});
      }
    }
    return cells;
  }

  Output* output_;
  Shape shape_;
  std::vector<std::string> columns_;
  Table table_;
  bool first_ = true;
  bool all_eligible_ = true;
};

void say_statistics(const Statistics& statistics, std::uint64_t unreadable, std::uint64_t bytes, double seconds) {
  const std::uint64_t records = statistics.records + unreadable;
  const auto per = [](double amount, double by) { return by > 0 ? amount / by : 0.0; };
  const double megabytes = static_cast<double>(bytes) / 1e6;
  char text[512];
  std::snprintf(
      text, sizeof text,
      "records     %llu\nrejected    %llu\nexact path  %llu\nsteps       %llu (%.1f a record)\n"
      "input       %.3f MB in %.3f s: %.1f MB/s, %.0f records/s\n",
      static_cast<unsigned long long>(records), static_cast<unsigned long long>(statistics.rejected + unreadable),
      static_cast<unsigned long long>(statistics.exact_path), static_cast<unsigned long long>(statistics.steps),
      per(static_cast<double>(statistics.steps), static_cast<double>(statistics.records)), megabytes, seconds,
      per(megabytes, seconds), per(static_cast<double>(records), seconds));
  say(text);
}

int refuse(std::string_view message) {
  complain(message);
  return kRefused;
}

}  // namespace

int score(const ScoreOptions& options) {
  const std::optional<Limits> limits = read_limits(options.evaluation.limits);
  if (!limits) return kRefused;
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *limits);
  if (!rubric) return kRefused;
  if (options.cohort && !rubric->has_cohort()) {
    return refuse("rubric '" + rubric->name() + "' has no cohort block for --cohort");
  }
  std::string problem;
  RecordStream stream(*rubric, options.files, options.evaluation, *limits);
  if (!stream.check(problem)) return refuse(problem);
  std::optional<Output> output = Output::open(options.output, problem);
  if (!output) return refuse(problem);
  const Shape shape = choose_shape(options.to, options.output, output->terminal(), Shape::ndjson);
  if (options.cohort && shape == Shape::csv) return refuse("--cohort does not go into CSV: take --to ndjson or json");

  EvaluatorOptions evaluator_options;
  evaluator_options.limits = *limits;
  std::vector<std::string> columns = split_fields(options.fields);
  evaluator_options.fields = keys_of(columns);
  const bool chosen = !columns.empty();
  if (chosen) {
    auto& keys = evaluator_options.fields;
    keys.erase(std::remove(keys.begin(), keys.end(), "error"), keys.end());
  } else {
    columns = verdict_columns(*rubric);
    if (shape == Shape::csv) columns.emplace_back("error");
  }
  Evaluator evaluator(*rubric, evaluator_options);
  if (const InputError* error = evaluator.error()) {
    std::vector<std::string> known;
    for (const FieldInfo& field : rubric->fields()) known.push_back(field.name);
    std::string hint;
    for (const std::string& key : evaluator_options.fields) {
      if (std::find(known.begin(), known.end(), key) == known.end()) hint = nearest(key, known);
    }
    const bool said = error->message.find("did you mean") != std::string::npos;
    return refuse("--fields: " + error->message + (hint.empty() || said ? "" : "; did you mean '" + hint + "'?"));
  }
  const std::optional<Preparation> preparation = prepare(*rubric, options.evaluation, *limits);
  if (!preparation || !preparation->apply(evaluator)) return kRefused;

  VerdictWriter writer(*output, shape, std::move(columns));
  stream.before_wait([&] { output->flush(); });
  if (options.cohort) evaluator.start_cohort();
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t unreadable = 0;
  bool rejected = false;
  bool more = true;
  while (more && output->alive()) {
    switch (stream.next()) {
      case RecordStream::Status::record: {
        const Verdict& verdict = evaluator.score(stream.json());
        const InputError* error = verdict.error();
        if (error != nullptr) {
          rejected = true;
          say(place_message(stream.place(), *error));
        }
        writer.add(verdict.json(), error != nullptr);
        break;
      }
      case RecordStream::Status::faulty:
        rejected = true;
        ++unreadable;
        say(place_message(stream.place(), stream.problem()));
        writer.add(error_object(stream.problem()), true);
        break;
      case RecordStream::Status::end: more = false; break;
      case RecordStream::Status::failed: return refuse(stream.problem().message);
    }
  }
  if (output->alive()) {
    const bool last = shape == Shape::ndjson || shape == Shape::json;
    if (options.cohort && last) writer.cohort(evaluator.cohort());
    writer.end(!chosen);
    if (options.cohort && !last) writer.cohort(evaluator.cohort());
  }
  if (options.statistics) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    say_statistics(evaluator.statistics(), unreadable, stream.bytes(), taken.count());
  }
  return output->finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
