// assay score from rows to rows: what cannot be had this way is refused, the rest is blocks of columns in and out.
#include "repl/score_npy.hpp"

#include "repl/columns.hpp"
#include "repl/messages.hpp"
#include "repl/misspelt.hpp"
#include "repl/npy_columns.hpp"
#include "repl/npy_results.hpp"

#include <algorithm>
#include <chrono>

namespace assay::cli {

namespace {

// Of rows that are scored at once: their columns stay in the cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 17;
constexpr std::size_t kBlockRows = 2048;

// What --to npy does not go together with; empty: nothing.
std::string misfit(const ScoreOptions& options, const std::vector<std::string>& files, const Output& output) {
  if (files.size() > 1) return "--to npy takes one file of records, not " + std::to_string(files.size());
  if (options.cohort) return "--cohort does not go into .npy: take --to ndjson or json";
  if (!options.evaluation.sets.empty()) return "--set does not go with --to npy: set a field of the array";
  if (!options.evaluation.history.empty()) return "--history does not go with --to npy: take --to ndjson";
  if (output.terminal()) return "--to npy is not for a terminal: take --output";
  return {};
}

// The id as it is in the file, if it has one.
const NpyField* id_of(const RecordFile& file) {
  for (const NpyInput& input : file.inputs()) {
    if (input.field.path == "id") return &input.field;
  }
  return nullptr;
}

// What is written when nobody says what: what tables show, as far as a column holds it.
void add_default(const RecordFile& file, const Rubric& rubric, Columns& columns, NpyResults& results) {
  for (const std::string& name : verdict_columns(rubric)) {
    if (name != "id") (void)results.add(name, columns);
    else if (const NpyField* const id = id_of(file)) results.add_copy(*id);
  }
}

// Fields that were asked for. What is wrong with them, or nothing.
std::string add_chosen(const RecordFile& file, const Rubric& rubric, const std::vector<std::string>& fields,
                       Columns& columns, NpyResults& results) {
  std::vector<std::string> seen;
  for (const std::string& name : fields) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    if (name == "id") {
      const NpyField* const id = id_of(file);
      if (id == nullptr) return "--fields: 'id' is no field of '" + file.label() + "'";
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

}  // namespace

int score_npy(const ScoreOptions& options, const Rubric& rubric, const Limits& limits,
              const std::vector<std::string>& files, Output& output) {
  const auto refuse = [](std::string_view message) {
    complain(printable(message));
    return kRefused;
  };
  if (const std::string message = misfit(options, files, output); !message.empty()) return refuse(message);
  std::string problem;
  std::optional<RecordFile> file =
      RecordFile::open(files.front(), options.evaluation.from, rubric, options.evaluation.strict, problem);
  if (!file) return refuse(problem);
  if (!file->npy())
    return refuse("--to npy takes records from a .npy file, which '" + file->label() + "' is not: take --to csv");
  std::optional<Preparation> preparation = prepare(rubric, options.evaluation, limits);
  if (!preparation) return kRefused;

  const NpyTable& table = file->table();
  const std::size_t most = std::clamp<std::size_t>(kBlockBytes / table.row_bytes, 1, kBlockRows);
  NpyColumns inputs(file->inputs(), table.row_bytes, most);
  NpyResults results(most);
  Columns columns(rubric, {{}, limits});
  std::optional<InputError> error = columns.configure(preparation->settings);
  if (error) return refuse(error_text(*error));
  error = inputs.bind(columns);
  if (error) return refuse("'" + file->label() + "': " + error->message + "; --to ndjson may read it");
  const std::vector<std::string> fields = split_fields(options.fields);
  if (fields.empty()) add_default(*file, rubric, columns, results);
  else problem = add_chosen(*file, rubric, fields, columns, results);
  if (!problem.empty()) return refuse(problem);

  const auto start = std::chrono::steady_clock::now();
  std::string text = results.header(table.rows);
  std::uint64_t first = 0, unreadable = 0;  // rows before those at hand; rows refused before they were scored
  bool rejected = false;
  std::vector<std::size_t> faulty;
  const auto tell = [&](std::size_t row, const InputError& what) {
    faulty.push_back(row);
    say(place_message(file->label() + ":" + std::to_string(first + row + 1), what));
  };
  for (bool more = true; more && output.alive();) {
    std::string_view rows;
    const NpyReader::Status status = file->rows(rows);
    if (status == NpyReader::Status::failed) return refuse(file->problem());
    more = status == NpyReader::Status::rows;
    while (!rows.empty()) {
      const std::string_view block = rows.substr(0, most * table.row_bytes);
      rows.remove_prefix(block.size());
      const std::size_t count = block.size() / table.row_bytes;
      inputs.load(block);
      if (error = columns.score(0, count); error) {
        if (error->code != "required") return refuse(error_text(*error));
        return refuse(error->path + " is required, and '" + file->label() + "' has no field of that name");
      }
      faulty.clear();
      auto own = inputs.faults().begin();
      const auto own_end = inputs.faults().end();
      for (const auto& [row, what] : columns.errors()) {
        for (; own != own_end && own->first < row; ++own, ++unreadable) tell(own->first, own->second);
        const bool unread = own != own_end && own->first == row;
        tell(row, unread ? own->second : what);
        if (unread) ++own;
      }
      for (; own != own_end; ++own, ++unreadable) tell(own->first, own->second);
      rejected = rejected || !faulty.empty();
      results.append(text, block, table.row_bytes, faulty);
      if (!output.write(text)) break;
      text.clear();
      first += count;
    }
  }
  output.write(text);  // the header, when there are no rows
  if (table.rows == 0) note_no_records(file->label());
  if (output.alive()) MisspeltKeys(rubric, {}).note(file->beginning());
  if (options.statistics) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    Statistics statistics = columns.statistics();
    statistics.rejected += unreadable;
    say_statistics(statistics, 0, file->bytes(), taken.count());
  }
  return output.finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
