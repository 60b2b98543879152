// assay eval: serves another program. One request per line in, one answer per line out, flushed before the next line is
// read. A request that cannot be answered is answered by its error and does not fail the run.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <algorithm>
#include <utility>

namespace assay::cli {

namespace {

// Lines of a stream, one at a time; a line beyond the bound is cut and its rest skipped.
class Lines {
 public:
  Lines(InputFile file, std::size_t longest) : file_(std::move(file)), longest_(longest) {}

  bool next(std::string& line, bool& too_long) {
    line.clear();
    too_long = false;
    for (;;) {
      const std::size_t newline = std::string_view(buffer_, size_).find('\n', at_);
      const std::size_t stop = newline == std::string_view::npos ? size_ : newline;
      if (line.size() + (stop - at_) > longest_) too_long = true;
      if (!too_long) line.append(buffer_ + at_, stop - at_);
      at_ = stop;
      if (newline != std::string_view::npos) {
        ++at_;
        return true;
      }
      const long count = file_.read(buffer_, sizeof buffer_);
      if (count <= 0) return count == 0 && (too_long || !line.empty());
      size_ = static_cast<std::size_t>(count);
      at_ = 0;
    }
  }
  const std::string& problem() const { return file_.problem(); }

 private:
  InputFile file_;
  std::size_t longest_;
  char buffer_[1 << 16] = {};
  std::size_t size_ = 0;
  std::size_t at_ = 0;
};

// Records where requests belong: the first line holds inputs of the rubric itself, or the name is that of a table.
void note_no_request(const Rubric& rubric, const std::string& file, const std::string& line, std::string_view answer) {
  if (!answer.starts_with("{\"error\":{\"path\":\"\",")) return;
  const std::vector<std::pair<std::string, std::string_view>> keys = members(line);
  const std::vector<InputInfo> inputs = rubric.inputs();
  const bool record = std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const InputInfo& i) { return i.name == key.first; });
  });
  const std::string ending = file_ending(file);
  if (record || ending == ".csv" || ending == ".tsv")
    note("'" + printable(file_label(file)) +
         "' holds records, and 'assay eval' reads requests, such as {\"input\": { … }}: 'assay score' scores records");
}

}  // namespace

int eval(const EvalOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const Limits& limits = loading->limits();
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading);
  if (!rubric) return kRefused;
  std::string problem;
  std::optional<InputFile> file = InputFile::open(options.file, problem);
  if (!file) return refuse(problem);
  std::optional<Output> output = Output::open({}, problem);
  const EvaluatorOptions evaluation = loading->evaluator(options.strict);
  Evaluator evaluator(*rubric, evaluation);
  const auto lines = std::make_unique<Lines>(std::move(*file), limits.record_bytes);
  std::string line;
  bool too_long = false, first = true;
  while (lines->next(line, too_long)) {
    if (!too_long && line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const InputError error{{},
                           "limit",
                           "the request takes more than " + std::to_string(limits.record_bytes) +
                               " bytes (raise the limit 'record_bytes' to allow more)"};
    std::string answer = too_long ? error_object(error) : std::string(evaluator.eval(line));
    if (interrupted()) break;  // interrupted during a request, which gets no answer
    if (std::exchange(first, false) && !too_long) note_no_request(*rubric, options.file, line, answer);
    answer += '\n';
    output->write(answer);
    if (!output->flush()) break;
  }
  if (!lines->problem().empty() && !interrupted()) return refuse(lines->problem());
  return output->finish(kDone);
}

}  // namespace assay::cli
