// assay score from rows to rows: refuses options that this path does not support, and processes blocks of columns.
#include "repl/verbs/score_npy.hpp"

#include "repl/files/misspelt.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verdicts/verdict_table.hpp"

#include <assay/npy_columns.hpp>
#include <assay/verdicts.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace assay::cli {

namespace {

// The option that --to npy does not support; empty: none.
std::string misfit(const ScoreOptions& options, const std::vector<std::string>& files, const Output& output) {
  if (files.size() > 1) return "--to npy takes one file of records, not " + std::to_string(files.size());
  if (options.cohort) return "--cohort does not go into .npy: take --to ndjson or json";
  if (!options.evaluation.sets.empty()) return "--set does not go with --to npy: set a field of the array";
  if (!options.evaluation.history.empty()) return "--history does not go with --to npy: take --to ndjson";
  if (output.terminal()) return "--to npy is not for a terminal: take --output";
  return {};
}

// The id field of the file, if it has one.
const NpyField* id_of(const RecordFile& file) {
  for (const NpyInput& input : file.inputs()) {
    if (input.field.path == "id") return &input.field;
  }
  return nullptr;
}

// Adds the default fields: those of tables, as far as a column can hold them.
void add_default(const RecordFile& file, const Rubric& rubric, Columns& columns, NpyResults& results) {
  for (const std::string& name : verdict_columns(rubric)) {
    if (name != "id") (void)results.add(name, columns);
    else if (const NpyField* const id = id_of(file)) results.add_copy(*id);
  }
}

// Adds the chosen fields. Returns an error, or nothing.
std::string add_chosen(const RecordFile& file, const Rubric& rubric, const std::vector<std::string>& fields,
                       Columns& columns, NpyResults& results) {
  std::vector<std::string> seen;
  for (const std::string& name : fields) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    if (name == "id") {
      const NpyField* const id = id_of(file);
      if (id == nullptr) return "--fields: 'id' is not a field of '" + file.label() + "'";
      results.add_copy(*id);
      continue;
    }
    if (name.find('.') != std::string::npos)
      return "--fields: '" + name + "' is a part of a field, which goes into tables and CSV";
    const std::optional<InputError> error = results.add(name, columns);
    if (!error) continue;
    if (error->code == "field") return fields_message(rubric, {name}, *error);
    return "--fields: '" + name + "' does not go into .npy, which takes numbers, truths and texts of a known set";
  }
  return {};
}

// Input and result columns.
class NpyRows {
 public:
  NpyRows(const RecordFile& file, const Rubric& rubric, const Limits& limits)
      : row_bytes_(file.table().row_bytes),
        most_(npy_block_rows(row_bytes_)),
        inputs_(file.inputs(), row_bytes_, most_),
        line_(file.inputs()),
        results_(most_),
        columns_(rubric, {{}, limits}) {}

  // Returns an error, or nothing.
  std::string prepare(const RecordFile& file, const Rubric& rubric, const Settings& settings,
                      const std::vector<std::string>& fields, const Limits& limits) {
    std::optional<InputError> error = columns_.configure(settings);
    if (error) return settings_text(*error);
    error = inputs_.bind(columns_);
    if (error) return "'" + file.label() + "': " + error->message + "; --to ndjson may read it";
    if (fields.empty()) add_default(file, rubric, columns_, results_);
    else if (std::string problem = add_chosen(file, rubric, fields, columns_, results_); !problem.empty())
      return problem;
    records_ = std::make_unique<Evaluator>(rubric, EvaluatorOptions{results_.names(), limits});
    if ((error = records_->configure(settings))) return settings_text(*error);
    serial_ = rubric.serial();
    error = columns_.score(0, 0);  // checks the bindings
    if (!error) return {};
    if (error->code != "required") return error_text(*error);
    return error->path + " is required, and '" + file.label() + "' has no field of that name";
  }
  std::string header(std::uint64_t rows) const { return results_.header(rows); }

  // Appends the rows of the verdicts of these rows.
  void append(std::string& out, std::string_view rows) {
    errors_.clear();
    for (std::size_t first = 0; !rows.empty(); first += most_) {
      const std::string_view block = rows.substr(0, most_ * row_bytes_);
      rows.remove_prefix(block.size());
      append_block(out, block, first);
    }
  }
  // The errors of rows in the last append(), by row.
  const std::vector<std::pair<std::size_t, InputError>>& errors() const { return errors_; }
  Statistics statistics() const {
    Statistics statistics = columns_.statistics();
    statistics.rejected = rejected_;
    return statistics;
  }

 private:
  // A row that columns reject is scored as a record: errors are reported as for any record, and a value that only
  // columns cannot hold is not an error.
  void append_block(std::string& out, std::string_view block, std::size_t first) {
    inputs_.load(block);
    (void)columns_.score(0, block.size() / row_bytes_);  // the setup has not changed
    std::vector<std::pair<std::size_t, InputError>> rejected(columns_.errors().begin(), columns_.errors().end());
    rejected.insert(rejected.end(), inputs_.errors().begin(), inputs_.errors().end());
    std::stable_sort(rejected.begin(), rejected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    rejected_rows_.clear();
    held_.clear();
    for (std::size_t i = 0; i < rejected.size(); ++i) {
      const std::size_t row = rejected[i].first;
      if (i > 0 && rejected[i - 1].first == row) continue;
      const InputError* error = record(block, row).error();
      if (error == nullptr && !serial_) {
        held_.push_back(row);
        continue;
      }
      rejected_rows_.push_back(row);
      errors_.emplace_back(first + row, error != nullptr ? *error : rejected[i].second);
      ++rejected_;
    }
    const std::size_t begin = out.size();
    results_.append(out, block, row_bytes_, rejected_rows_);
    for (const std::size_t row : held_) results_.replace(out, begin + row * results_.row_bytes(), record(block, row));
  }

  const Verdict& record(std::string_view block, std::size_t row) {
    record_.clear();
    line_.append(record_, block.data() + row * row_bytes_);
    return records_->score(record_);
  }

  std::size_t row_bytes_, most_;
  NpyColumns inputs_;
  NpyLines line_;
  NpyResults results_;
  Columns columns_;
  std::unique_ptr<Evaluator> records_;  // for rows that columns reject
  bool serial_ = false;                 // a verdict depends on earlier records, which `records_` has not seen
  std::string record_;
  std::vector<std::size_t> rejected_rows_, held_;  // rows of a block that are rejected, and rows scored as records
  std::uint64_t rejected_ = 0;
  std::vector<std::pair<std::size_t, InputError>> errors_;
};

}  // namespace

int score_npy(const ScoreOptions& options, const Rubric& rubric, const Limits& limits,
              const std::vector<std::string>& files, Output& output) {
  if (const std::string message = misfit(options, files, output); !message.empty()) return refuse(message);
  std::string problem;
  std::optional<RecordFile> file =
      RecordFile::open(files.front(), options.evaluation.from, rubric, options.evaluation.strict, problem);
  if (!file) return refuse(problem);
  if (file->format() != Format::npy)
    return refuse("--to npy takes records from a .npy file, which '" + file->label() + "' is not: take --to csv");
  std::optional<Preparation> preparation = prepare(rubric, options.evaluation, limits);
  if (!preparation) return kRefused;

  const NpyTable& table = file->table();
  const std::vector<std::string> fields = split_fields(options.fields);
  NpyRows scorer(*file, rubric, limits);
  problem = scorer.prepare(*file, rubric, preparation->settings, fields, limits);
  if (!problem.empty()) return refuse(problem);

  const auto start = std::chrono::steady_clock::now();
  bool rejected = false;
  output.write(scorer.header(table.rows));
  const auto read = [&](char* buffer, std::size_t size) { return file->read(buffer, size); };
  NpyReader reader;
  NpyReader::Status status = reader.open(read) ? NpyReader::Status::rows : NpyReader::Status::failed;
  std::string_view rows;
  std::string out;
  std::uint64_t done = 0;  // rows
  while (status == NpyReader::Status::rows && output.alive() && !interrupted()) {
    status = reader.next(read, rows);
    if (status != NpyReader::Status::rows) break;
    out.clear();
    scorer.append(out, rows);
    for (const auto& [row, error] : scorer.errors())
      say(place_message(file->label() + ":" + std::to_string(done + row + 1), error));
    rejected = rejected || !scorer.errors().empty();
    done += rows.size() / table.row_bytes;
    if (output.write(out) && file->would_wait()) output.flush();
    rows = {};
  }
  if (interrupted()) return kRefused;
  if (status == NpyReader::Status::failed)
    return refuse(file->problem().empty() ? file->unreadable(reader.problem()) : file->problem());
  if (table.rows == 0) note_no_records(file->label());
  if (output.alive()) MisspeltKeys(rubric, {}).note(file->beginning());
  if (options.statistics) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    say_statistics(scorer.statistics(), 0, file->bytes(), taken.count());
  }
  return output.finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
