// assay score: one verdict a record, in input order, whatever the files look like. A record that cannot be scored is
// told on standard error with its place, and its error stands where its verdict would.
#include "repl/files/misspelt.hpp"
#include "repl/files/npy_verdicts.hpp"
#include "repl/files/output.hpp"
#include "repl/terminal/columns.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/terminal/table.hpp"
#include "repl/verbs/score_npy.hpp"
#include "repl/verbs/verbs.hpp"

#include <algorithm>
#include <chrono>

namespace assay::cli {

namespace {

// A verdict's cells. A faulty record has a status and its error, and nothing else.
std::vector<std::string> row(std::string_view json, bool faulty, const std::vector<std::string>& columns) {
  std::vector<std::string> cells = assay::cells(faulty ? "{}" : json, columns);
  for (std::size_t i = 0; faulty && i < columns.size(); ++i) {
    if (columns[i] == "status") cells[i] = "error";
    if (columns[i] == "error") {
      const std::vector<std::string> parts = assay::cells(json, {"error.path", "error.message"});
      cells[i] = error_text({parts[0], {}, parts[1]});
    }
  }
  return cells;
}

// Verdicts in the chosen shape. What can be done for a verdict alone is done by the thread that scored it (render);
// blocks of that come here in order. Only tables are held back until the end.
class VerdictWriter {
 public:
  VerdictWriter(Output& output, Shape shape, std::vector<std::string> columns)
      : output_(&output), shape_(shape), columns_(std::move(columns)) {
    if (shape_ == Shape::ndjson || shape_ == Shape::json) return;
    for (const std::string& column : columns_) table_.header.push_back(heading(column));
    if (shape_ == Shape::csv) output_->write(csv_row(table_.header));
  }

  std::function<void(std::string_view json, bool faulty, std::string& out)> render() const {
    switch (shape_) {
      case Shape::ndjson: return {};
      case Shape::json: return [](std::string_view json, bool, std::string& out) { (out += kBetween) += json; };
      case Shape::csv:
        return [columns = columns_](std::string_view json, bool faulty, std::string& out) {
          out += csv_row(row(json, faulty, columns));
        };
      case Shape::table:
      case Shape::markdown:
      case Shape::npy: break;
    }
    return
        [](std::string_view json, bool faulty, std::string& out) { ((out += faulty ? kFaulty : ' ') += json) += '\n'; };
  }

  // False: there is no point in going on.
  bool add(std::string_view block) {
    switch (shape_) {
      case Shape::ndjson:
      case Shape::csv: output_->write(block); break;
      case Shape::json:
        if (first_) output_->write("[\n");
        output_->write(first_ ? block.substr(kBetween.size()) : block);
        first_ = false;
        break;
      case Shape::table:
      case Shape::markdown: return add_rows(block);
      case Shape::npy: break;  // not by way of verdicts: repl/verbs/score_npy.cpp
    }
    return output_->flush();
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
      add(shape_ == Shape::json ? std::string(kBetween) + object : object + "\n");
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
  static constexpr std::string_view kBetween = ",\n";  // two verdicts of a JSON array
  static constexpr char kFaulty = '!';

  bool add_rows(std::string_view block) {
    while (!block.empty()) {
      const std::size_t newline = block.find('\n');
      std::vector<std::string>& cells =
          table_.rows.emplace_back(row(block.substr(1, newline - 1), block.front() == kFaulty, columns_));
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] == "status") all_eligible_ = all_eligible_ && cells[i] == "eligible";
      }
      block.remove_prefix(newline + 1);
    }
    return output_->alive();
  }

  Output* output_;
  Shape shape_;
  std::vector<std::string> columns_;
  Table table_;
  bool first_ = true;
  bool all_eligible_ = true;
};

// A scorer for each thread; none when rows have to be scored as records.
RowScorers row_scorers(const RecordFile& file, const Rubric& rubric, const std::vector<std::string>& fields,
                       const Limits& limits, const Settings& settings, unsigned threads) {
  RowScorers scorers;
  if (!file.npy()) return scorers;
  for (unsigned i = row_threads(file.table(), threads); i > 0; --i) {
    std::unique_ptr<RowScorer> scorer = NpyVerdicts::make(file, rubric, fields, limits, settings);
    if (!scorer) break;
    scorers.push_back(std::move(scorer));
  }
  return scorers;
}

int refuse(std::string_view message) {
  complain(message);
  return kRefused;
}

}  // namespace

int score(const ScoreOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const Limits& limits = loading->limits();
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading);
  if (!rubric) return kRefused;
  if (options.cohort && !rubric->has_cohort()) {
    return refuse("rubric '" + rubric->name() + "' has no cohort block for --cohort");
  }
  std::string problem;
  std::vector<std::string> files = options.files;
  std::optional<std::vector<Assignment>> sets = assignments(options.evaluation.sets, {&*rubric}, problem);
  if (!sets || !find_files(files, problem)) return refuse(problem);
  std::optional<Output> output = Output::open(options.output, problem);
  if (!output) return refuse(problem);
  const std::optional<Shape> chosen_shape =
      choose_shape(options.to, options.output, output->terminal(), Shape::ndjson, problem);
  if (!chosen_shape) return refuse(problem);
  const Shape shape = *chosen_shape;
  if (shape == Shape::npy) return score_npy(options, *rubric, limits, files, *output);
  if (options.cohort && shape == Shape::csv) return refuse("--cohort does not go into CSV: take --to ndjson or json");

  BatchOptions batch_options;
  batch_options.threads = options.threads;
  batch_options.members = *sets;
  batch_options.evaluator.limits = limits;
  batch_options.evaluator.strict = options.evaluation.strict;
  std::vector<std::string> columns = split_fields(options.fields);
  std::vector<std::string> keys = keys_of(columns);
  const bool chosen = !columns.empty();
  if (const std::string message = reach_message(*rubric, columns); !message.empty()) return refuse(message);
  if (chosen) {
    keys.erase(std::remove(keys.begin(), keys.end(), "error"), keys.end());
  } else {
    columns = verdict_columns(*rubric);
  }
  if (shape == Shape::csv && std::find(columns.begin(), columns.end(), "error") == columns.end())
    columns.emplace_back("error");
  batch_options.evaluator.fields = keys;
  VerdictWriter writer(*output, shape, std::move(columns));
  batch_options.render = writer.render();
  Batch batch(*rubric, std::move(batch_options));
  if (const InputError* error = batch.error()) return refuse(fields_message(*rubric, keys, *error));
  std::optional<Preparation> preparation = prepare(*rubric, options.evaluation, limits);
  if (!preparation) return kRefused;
  if (const std::optional<InputError> error = batch.configure(preparation->settings))
    return refuse(printable(error_text(*error)));
  const bool by_columns = shape == Shape::ndjson && chosen && options.evaluation.sets.empty() && !options.cohort &&
                          preparation->history.empty() && !rubric->serial();
  if (!preparation->history.empty()) batch.set_history(std::move(preparation->history));

  if (options.cohort) batch.start_cohort();
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t bytes = 0;
  Statistics by_rows;
  bool rejected = false;
  MisspeltKeys misspelt(*rubric, std::move(*sets));
  for (std::size_t i = 0; i < files.size() && output->alive(); ++i) {
    std::optional<RecordFile> file =
        RecordFile::open(files[i], options.evaluation.from, *rubric, options.evaluation.strict, problem);
    if (!file) return refuse(problem);
    RowScorers scorers;
    if (by_columns) scorers = row_scorers(*file, *rubric, keys, limits, preparation->settings, options.threads);
    if (!scorers.empty()) {
      if (!score_rows(*file, scorers, *output, rejected)) return refuse(file->problem());
      for (const auto& scorer : scorers) by_rows += scorer->statistics();
      bytes += file->bytes();
      if (file->table().rows == 0) note_no_records(file->label());
      if (output->alive()) misspelt.note(file->beginning());
      continue;
    }
    const Batch::Result result =
        batch.run({file->format(), [&](char* buffer, std::size_t size) { return file->read(buffer, size); },
                   [&] { return file->would_wait(); }},
                  {[&](std::string_view block) { return writer.add(block); },
                   [&](std::uint64_t line, const InputError& error) {
                     say(place_message(file->label() + ":" + std::to_string(line), error));
                   }});
    rejected = rejected || result.faulty > 0;
    bytes += file->bytes();
    if (result.status == Batch::Status::failed) return refuse(file->problem());
    if (result.status == Batch::Status::done && result.records == 0) note_no_records(file->label());
    if (output->alive()) misspelt.note(file->beginning());
  }
  if (output->alive()) {
    const bool last = shape == Shape::ndjson || shape == Shape::json;
    if (options.cohort && last) writer.cohort(batch.cohort());
    writer.end(!chosen);
    if (options.cohort && !last) writer.cohort(batch.cohort());
  }
  if (options.statistics) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    by_rows += batch.statistics();
    say_statistics(by_rows, batch.unreadable(), bytes, taken.count());
  }
  return output->finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
