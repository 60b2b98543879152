// assay score: one verdict per record, in input order, for any file format. A record that cannot be scored is reported
// on standard error with its place, and its error takes the place of its verdict.
#include "repl/files/misspelt.hpp"
#include "repl/files/odd_values.hpp"
#include "repl/files/output.hpp"
#include "repl/files/spool.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/terminal/progress.hpp"
#include "repl/verbs/score_npy.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verdicts/formats.hpp"
#include "repl/verdicts/verdict_table.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>

namespace assay::cli {

namespace {

std::string uppercase(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// Of all files together; 0 if one is not a regular file, or is compressed: progress counts decompressed bytes.
std::uint64_t input_bytes(const std::vector<std::string>& files) {
  std::uint64_t total = 0;
  for (const std::string& file : files) {
    std::error_code failed;
    const std::string ending = file_ending(file);
    if (file == "-" || ending == ".gz" || ending == ".zst" || !std::filesystem::is_regular_file(file, failed)) return 0;
    total += std::filesystem::file_size(file, failed);
    if (failed) return 0;
  }
  return total;
}

// Verdicts with equal ids can only be told apart by their order.
void note_repeated(const std::vector<RepeatedId>& ids) {
  if (ids.empty()) return;
  constexpr std::size_t kMostNamed = 5;
  std::string text = ids.size() == 1 ? "an id is that of several records: " : "some ids are those of several records: ";
  for (std::size_t i = 0; i < ids.size() && i < kMostNamed; ++i) {
    text += (i > 0 ? ", \"" : "\"") + printable(shorten(ids[i].id, kMostQuoted)) + "\" (" +
            std::to_string(ids[i].count) + ')';
  }
  note(text + (ids.size() > kMostNamed ? " …" : ""));
}

// Writes the cohort's outputs, and with a spool of all verdicts their second pass. False: an error was reported, and
// the run ends.
bool end_cohort(Batch& batch, Spool* spool, const OutputFormat& format, VerdictPrinter& writer,
                std::string_view& outputs, bool& rejected) {
  outputs = batch.cohort();
  if (const InputError* error = batch.cohort_error()) {
    if (interrupted()) return false;
    rejected = true;
    say(place_message("cohort", *error));
  }
  note_repeated(batch.collected().repeated_ids());
  if (spool == nullptr) return true;
  const auto failed = [&] {
    refuse(spool->problem());
    return false;
  };
  if (!spool->rewind()) return failed();
  const Batch::Result result =
      batch.second_pass([&](char* buffer, std::size_t size) { return spool->read(buffer, size); },
                        {[&](std::string_view block) { return writer.add(block); },
                         [&](std::uint64_t record, const InputError& error) {
                           rejected = true;
                           say(place_message("record " + std::to_string(record), error));
                         }});
  if (result.status == Batch::Status::interrupted) {
    (void)interrupted();  // which reports it
    return false;
  }
  if (result.status == Batch::Status::failed) return failed();
  const bool apart = format.layout == OutputFormat::Layout::rows;
  if (outputs == "{}" || (apart && batch.cohort_error() != nullptr)) outputs = {};  // everything is in the verdicts
  if (!outputs.empty() && apart) {
    note("what the cohort says of the run itself does not go into " + uppercase(format.name) +
         ": --to ndjson or json has it");
    outputs = {};
  }
  return true;
}

// The fields of a verdict that the columns need; all columns if none were chosen. Nothing: see `problem`.
std::optional<std::vector<std::string>> choose_columns(std::vector<std::string>& columns, const Rubric& rubric,
                                                       bool two_passes, const OutputFormat& format,
                                                       std::string& problem) {
  std::vector<std::string> keys = verdict_keys(rubric, columns);
  if (!two_passes) problem = one_pass_message(rubric, keys);
  if (problem.empty()) problem = reach_message(rubric, columns);
  if (!problem.empty()) return std::nullopt;
  if (columns.empty()) columns = verdict_columns(rubric, two_passes);
  else keys.erase(std::remove(keys.begin(), keys.end(), "error"), keys.end());
  if (format.layout == OutputFormat::Layout::rows &&
      std::find(columns.begin(), columns.end(), "error") == columns.end())
    columns.emplace_back("error");
  return keys;
}

BatchInput source_of(RecordFile& file, Progress& progress) {
  return {file.format(),
          [&](char* buffer, std::size_t size) {
            const long count = file.read(buffer, size);
            if (count > 0) progress.read(static_cast<std::uint64_t>(count));
            return count;
          },
          [&] { return file.would_wait(); }};
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
  std::optional<Output> output = Output::open_answer(options.output, problem);
  if (!output) return refuse(problem);
  const OutputFormat* const chosen_format =
      choose_format(options.to, options.output, output->terminal(), "ndjson", problem);
  if (chosen_format == nullptr) return refuse(problem);
  const OutputFormat& format = *chosen_format;
  using Layout = OutputFormat::Layout;
  if (format.layout == Layout::columns) return score_npy(options, *rubric, limits, files, *output);
  const bool two_passes = options.cohort && !rubric->each_fields().empty();
  if (options.cohort && !two_passes && format.layout == Layout::rows)
    return refuse("--cohort does not go into " + uppercase(format.name) + ": take --to ndjson or json");

  BatchOptions batch_options;
  batch_options.threads = options.threads;
  batch_options.members = *sets;
  batch_options.evaluator = loading->evaluator(options.evaluation.strict);
  std::vector<std::string> columns = split_fields(options.fields);
  const bool chosen = !columns.empty();
  const std::optional<std::vector<std::string>> keys = choose_columns(columns, *rubric, two_passes, format, problem);
  if (!keys) return refuse(problem);
  batch_options.evaluator.fields = *keys;
  std::string header;  // of rows, until the options are known to be good
  bool started = false;
  const auto write = [&](std::string_view text) { return started ? output->write(text) : (header += text, true); };
  VerdictPrinter writer(write, format, std::move(columns), table_width());
  batch_options.render = writer.render();
  Batch batch(*rubric, std::move(batch_options));
  if (const InputError* error = batch.error()) {
    std::error_code failed;
    const bool file = std::filesystem::exists(options.fields, failed);  // which took the place of the names
    return refuse(file ? "--fields takes names of fields, and '" + printable(options.fields) + "' is a file"
                       : fields_message(*rubric, *keys, *error));
  }
  std::optional<Preparation> preparation = prepare(*rubric, options.evaluation, limits);
  if (!preparation) return kRefused;
  if (const std::optional<InputError> error = batch.configure(preparation->settings))
    return refuse(settings_text(*error));
  if (!preparation->history.empty()) batch.set_history(std::move(preparation->history));

  Spool spool;
  if (two_passes && !spool.open(problem)) return refuse(problem);
  started = true;
  if (!header.empty()) output->write(header);
  if (two_passes) batch.start_two_passes();
  else if (options.cohort) batch.start_cohort();
  const auto start = std::chrono::steady_clock::now();
  // A table on the same terminal shows enough progress.
  Progress progress(input_bytes(files), !output->terminal());
  std::uint64_t bytes = 0;
  bool rejected = false;
  MisspeltKeys misspelt(*rubric, std::move(*sets));
  PlacesOfIds ids;
  for (std::size_t i = 0; i < files.size() && output->alive(); ++i) {
    std::optional<RecordFile> file =
        RecordFile::open(files[i], options.evaluation.from, *rubric, options.evaluation.strict, problem);
    if (!file) return refuse(problem);
    const Batch::Result result = batch.run(
        source_of(*file, progress), {[&](std::string_view block) {
                                       progress.scored(block);
                                       return two_passes ? spool.write(block) : writer.add(block) && output->flush();
                                     },
                                     [&](std::uint64_t line, const InputError& error) {
                                       progress.hide();
                                       say(place_message(file->label() + ":" + std::to_string(line),
                                                         misspelt.with_cause(file->beginning(), line, error)));
                                     }});
    if (result.status == Batch::Status::interrupted) {
      (void)interrupted();
      // Complete lines; a file is written completely or not at all. With two passes nothing has been written yet.
      if (options.output.empty() && !two_passes) writer.end({}, !chosen);
      return kRefused;
    }
    if (!spool.problem().empty()) return refuse(spool.problem());
    rejected = rejected || result.rejected > 0;
    bytes += file->bytes();
    if (result.status == Batch::Status::failed)
      return refuse(result.problem.empty() ? file->problem() : file->unreadable(result.problem));
    if (result.status == Batch::Status::done && result.records == 0) note_no_records(file->label());
    if (output->alive()) misspelt.note(file->beginning());
    if (output->alive()) note_odd_values(file->beginning(), *rubric, &ids);
  }
  progress.hide();
  std::string_view outputs;
  if (options.cohort && output->alive() &&
      !end_cohort(batch, two_passes ? &spool : nullptr, format, writer, outputs, rejected))
    return kRefused;
  if (output->alive()) writer.end(outputs, !chosen);
  if (options.statistics) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    say_statistics(batch.statistics(), batch.malformed(), bytes, taken.count());
  }
  return output->finish(rejected ? kRejected : kDone);
}

}  // namespace assay::cli
