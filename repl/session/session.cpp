// The commands of the REPL: one table row each, so that help, completion and dispatch cannot disagree.
#include "repl/session/session.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/terminal/ranking.hpp"
#include "repl/terminal/table.hpp"
#include "repl/verbs/test.hpp"

#include <assay/library.hpp>

#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <iterator>

namespace assay::cli {

namespace {

// Ctrl-C ends what an evaluator does.
EvaluatorOptions watched(const Limits& limits) {
  EvaluatorOptions options;
  options.limits = limits;
  options.interrupt = interrupt();
  return options;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t stop = std::min(text.find_first_of(" \t,"), text.size());
    if (stop > 0) result.emplace_back(text.substr(0, stop));
    text.remove_prefix(std::min(stop + 1, text.size()));
  }
  return result;
}

std::string failure(std::string_view message) { return painted("error: " + printable(message) + "\n", STDOUT_FILENO); }

std::string failure(const InputError& error) { return failure(printable(error_text(error))); }

std::string with_newline(std::string text) {
  if (text.empty() || text.back() != '\n') text += '\n';
  return text;
}

constexpr std::string_view kNoRubric = "no rubric is loaded; ':load FILE' loads one";

}  // namespace

struct Session::Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view meaning;
  std::string (Session::*run)(std::string_view text);
  bool needs_rubric;
};

const Session::Command Session::kCommands[] = {
    {"load", "FILE", "load a rubric", &Session::load_command, false},
    {"reload", "", "load it again, keeping records and settings", &Session::reload, true},
    {"records", "FILE", "read records (.ndjson .json .csv) and go to the first", &Session::records_command, true},
    {"next", "", "the next record", &Session::forward, true},
    {"prev", "", "the record before", &Session::back, true},
    {"goto", "N|ID", "the record of that number or id", &Session::go_to, true},
    {"set", "FIELD=VALUE", "change a field of the current record", &Session::set, false},
    {"unset", "FIELD", "take a field out of the current record", &Session::unset, false},
    {"record", "", "show the current record", &Session::show_record, false},
    {"verdict", "", "score the current record", &Session::verdict, true},
    {"why", "NAME", "one value, and what it was made of", &Session::why, true},
    {"explain", "", "every stage of the verdict", &Session::explain, true},
    {"context", "[NAME…]", "the contexts in force; none: as written", &Session::context, true},
    {"weight", "[NAME=WEIGHT…]", "the weights set; none: as written", &Session::weight, true},
    {"history", "[FILE]", "earlier records; none: without", &Session::history, true},
    {"rank", "", "all records, best first", &Session::rank, true},
    {"test", "", "run the rubric's examples", &Session::test, true},
    {"names", "", "everything an expression may name", &Session::list_names, true},
    {"help", "", "this list", &Session::help, false},
    {"quit", "", "leave (so does the end of the input)", &Session::quit, false},
};

Session::Session(Loading loading) : loading_(std::move(loading)) {
  Compiled bare = compile("expressions", "rubric expressions {\n}\n");
  if (bare.rubric) use(std::move(*bare.rubric));
}

std::vector<std::string> Session::commands() {
  std::vector<std::string> result;
  for (const Command& command : kCommands) result.push_back(":" + std::string(command.name));
  return result;
}

std::string Session::answer(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line.front() == '#') return {};
  if (line.front() == '?') return describe(trimmed(line.substr(1)));
  if (line.front() != ':') return evaluate(line);
  const std::size_t stop = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view name = line.substr(1, stop - 1);
  for (const Command& command : kCommands) {
    if (command.name != name) continue;
    if (command.needs_rubric && rubric_file_.empty()) return failure(kNoRubric);
    return (this->*command.run)(trimmed(line.substr(stop)));
  }
  const std::string near = nearest(line.substr(0, stop), commands());
  return failure("there is no command '" + printable(line.substr(0, stop)) + "'" +
                 (near.empty() ? "; ':help' lists them" : "; did you mean '" + near + "'?"));
}

// What the standard library says of a function or a module.
std::string Session::describe(std::string_view name) {
  std::string text;
  std::vector<std::string> names;
  for (const LibraryModule& module : library_modules()) {
    const std::string& full = module.name;  // "std/text.rubric", also as "text" and "std/text"
    const bool asked = !name.empty() && (name == full || full == "std/" + std::string(name) + ".rubric" ||
                                         full == std::string(name) + ".rubric");
    for (const LibraryFunction& function : module.functions) names.push_back(function.name);
    if (name.empty()) text += full + ": " + module.prose.substr(0, module.prose.find(". ") + 1) + "\n";
    if (!asked) continue;
    text += module.prose + "\n";
    for (const LibraryFunction& function : module.functions) text += "  " + function.signature + "\n";
  }
  for (const auto& [module, function] : find_library_functions(name)) {
    text += function->signature + (function->result.empty() ? "" : ": " + function->result) + "\n  " + function->prose +
            "\n";
    if (!function->units.empty()) text += "  Units: " + function->units + "\n";
    if (!function->range.empty()) text += "  Range: " + function->range + "\n";
    if (!function->source.empty()) text += "  Source: " + function->source + "\n";
    for (const std::string& example : function->examples) text += "  Example: " + example + "\n";
    text += "  import \"" + module->name + "\"\n";
  }
  if (!text.empty()) return text;
  const std::string near = nearest(name, names);
  return failure("the standard library has no '" + printable(name) + "'" +
                 (near.empty() ? "; '?' lists its modules" : "; did you mean '" + near + "'?"));
}

std::string Session::evaluate(std::string_view expression) {
  if (!evaluator_) return failure(kNoRubric);
  const Evaluator::Evaluated result = evaluator_->evaluate(expression, record_);
  if (has_errors(result.diagnostics)) {
    std::string text = painted(render(result.diagnostics), STDOUT_FILENO);
    const bool unknown = result.diagnostics.front().code.rfind("E03", 0) == 0;  // names
    if (unknown && rubric_file_.empty()) text += "(" + std::string(kNoRubric) + ")\n";
    return text;
  }
  if (result.error) return failure(*result.error);
  std::string value = result.value;
  if (value.size() > 100) {
    value = pretty(value);
    while (!value.empty() && value.back() == '\n') value.pop_back();
  }
  return value + " : " + printable(result.type) + "\n";
}

void Session::use(Rubric rubric) {
  evaluator_.reset();  // it may look at the rubric
  rubric_ = std::move(rubric);
  evaluator_ = std::make_unique<Evaluator>(*rubric_, watched(loading_.limits()));
  names_ = rubric_->names();
  std::sort(names_.begin(), names_.end());
}

Evaluator Session::fresh() const {
  Evaluator evaluator(*rubric_, watched(loading_.limits()));
  evaluator.configure(settings_);
  if (!history_.empty()) evaluator.set_history(history_);
  return evaluator;
}

std::string Session::load(std::string_view file) {
  std::string problem;
  const std::string path(file);
  std::optional<Compiled> compiled = compile_file(path, problem, loading_);
  if (!compiled) return failure(problem);
  std::string text = painted(render(compiled->diagnostics), STDOUT_FILENO);
  if (!compiled->rubric) return text;
  use(std::move(*compiled->rubric));
  rubric_file_ = path;
  text += rubric_->name() + (rubric_->version().empty() ? "" : " " + rubric_->version());
  if (!rubric_->prose().empty()) text += ": " + printable(rubric_->prose());
  text += "\n" + configure();
  if (!history_.empty()) evaluator_->set_history(history_);
  return text;
}

std::string Session::load_command(std::string_view text) {
  if (text.empty()) return failure(":load takes the file of a rubric");
  settings_ = {};
  history_.clear();
  return load(text);
}

std::string Session::reload(std::string_view) { return load(std::string(rubric_file_)); }

// Settings that no longer fit are dropped, and that is said.
std::string Session::configure() {
  const std::optional<InputError> error = evaluator_->configure(settings_);
  if (!error) return {};
  settings_ = {};
  return failure(*error);
}

std::string Session::records(std::string_view file) {
  std::string problem;
  EvaluationOptions options;
  RecordStream stream(*rubric_, {std::string(file)}, options);
  if (file == "-") return failure("the records of a REPL come from a file");
  if (!stream.check(problem)) return failure(problem);
  std::vector<std::string> read;
  std::string text;
  for (bool more = true; more;) {
    switch (stream.next()) {
      case RecordStream::Status::record: read.emplace_back(stream.json()); break;
      case RecordStream::Status::faulty: text += place_message(stream.place(), stream.problem()); break;
      case RecordStream::Status::end: more = false; break;
      case RecordStream::Status::failed: return text + failure(stream.problem().message);
    }
  }
  records_file_ = file;
  records_ = std::move(read);
  text += counted(records_.size(), "record") + "\n";
  if (records_.empty()) {
    record_ = "{}";
    return text;
  }
  return text + go(0);
}

std::string Session::records_command(std::string_view text) {
  return text.empty() ? failure(":records takes a file") : records(text);
}

std::string Session::whereabouts() const {
  const std::vector<std::string> id = cells(record_, {"id"});
  std::string text = "record " + std::to_string(current_ + 1) + " of " + std::to_string(records_.size());
  if (!id.empty() && !id.front().empty()) text += ": " + printable(id.front());
  return text + "\n";
}

std::string Session::go(std::size_t index) {
  current_ = index;
  record_ = records_[index];
  return whereabouts();
}

std::string Session::forward(std::string_view) {
  if (current_ + 1 >= records_.size())
    return failure(records_.empty() ? "there are no records" : "this is the last record");
  return go(current_ + 1);
}

std::string Session::back(std::string_view) {
  if (current_ == 0) return failure(records_.empty() ? "there are no records" : "this is the first record");
  return go(current_ - 1);
}

std::string Session::go_to(std::string_view text) {
  if (text.empty()) return failure(":goto takes the number or the id of a record");
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const std::vector<std::string> id = cells(records_[i], {"id"});
    if (!id.empty() && id.front() == text) return go(i);
  }
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  if (whole && number >= 1 && number <= records_.size()) return go(number - 1);
  return failure("there is no record '" + printable(text) + "' among " + counted(records_.size(), "record"));
}

std::string Session::set(std::string_view text) {
  std::string problem;
  const std::optional<Assignment> pair = assignment(std::string(text), ":set", problem);
  if (!pair) return failure(problem);
  const std::string path(trimmed(pair->first));
  if (!rubric_file_.empty()) {
    const std::string unknown = unknown_field({path, std::string(trimmed(pair->second))}, {&*rubric_});
    if (!unknown.empty()) return failure(printable(unknown));
  }
  std::optional<std::string> changed = with_member(record_, path, trimmed(pair->second));
  if (!changed) return failure("the record cannot take a field '" + printable(path) + "'");
  record_ = std::move(*changed);
  return {};
}

std::string Session::unset(std::string_view text) {
  if (text.empty()) return failure(":unset takes a field");
  std::optional<std::string> changed = with_member(record_, text, "null");  // null is absent
  if (!changed) return failure("the record has no field '" + printable(text) + "'");
  record_ = std::move(*changed);
  return {};
}

std::string Session::show_record(std::string_view) { return with_newline(pretty(record_)); }

std::string Session::verdict(std::string_view) {
  Evaluator scorer = fresh();
  return with_newline(pretty(scorer.score(record_).json()));
}

std::string Session::why(std::string_view text) {
  if (text.empty()) return failure(":why takes the name of a value");
  Evaluator scorer = fresh();
  if (const InputError* error = scorer.score(record_).error()) return failure(*error);
  bool unknown = false;
  std::string why = evaluator_->explain(record_, text, &unknown);
  if (unknown) return failure(why.substr(0, why.size() - 1));
  return with_newline(std::move(why));
}

std::string Session::explain(std::string_view) {
  Evaluator scorer = fresh();
  if (const InputError* error = scorer.score(record_).error()) return failure(*error);
  return with_newline(evaluator_->explain(record_));
}

std::string Session::context(std::string_view text) {
  Settings changed = settings_;
  changed.contexts = words(text);
  if (const std::optional<InputError> error = evaluator_->configure(changed)) return failure(*error);
  settings_ = std::move(changed);
  return {};
}

std::string Session::weight(std::string_view text) {
  Settings changed = settings_;
  changed.weights.clear();
  std::string problem;
  for (const std::string& word : words(text)) {
    std::optional<Assignment> pair = assignment(word, ":weight", problem);
    if (!pair) return failure(problem);
    changed.weights.push_back(std::move(*pair));
  }
  if (const std::optional<InputError> error = evaluator_->configure(changed)) return failure(*error);
  settings_ = std::move(changed);
  return {};
}

std::string Session::history(std::string_view text) {
  history_.clear();
  if (!text.empty()) {
    std::optional<std::vector<std::string>> read = read_records(*rubric_, std::string(text));
    if (!read) return {};
    history_ = std::move(*read);
  }
  evaluator_->set_history(history_);
  return text.empty() ? std::string() : counted(history_.size(), "earlier record") + "\n";
}

std::string Session::rank(std::string_view) {
  if (!rubric_->ranked()) return failure("the rubric does not say how to rank; give it a 'rank by higher score'");
  if (records_.empty()) return failure("there are no records; ':records FILE' reads some");
  const std::vector<std::string_view> records(records_.begin(), records_.end());
  Evaluator scorer = fresh();
  const RankedRecords ranked = rank_records(*rubric_, *evaluator_, &scorer, records);
  std::string text = ranking_text(ranked, *find_format("table"));
  for (const auto& [index, error] : ranked.errors) {
    text += place_message("record " + std::to_string(index + 1), error);
  }
  return text;
}

std::string Session::test(std::string_view) {
  TestCount count;
  std::string text;
  run_examples(*rubric_, STDOUT_FILENO, text, count);
  return text + summary(count);
}

std::string Session::list_names(std::string_view) {
  std::string text;
  std::size_t width = 0;
  for (const std::string& name : names_) {
    if (width > 0 && width + name.size() > 78) {
      text += "\n";
      width = 0;
    }
    if (width > 0) text += "  ";
    text += name;
    width += name.size() + 2;
  }
  return text + "\n";
}

std::string Session::help(std::string_view) {
  std::string text;
  for (const Command& command : kCommands) {
    std::string call = "  :" + std::string(command.name) + " " + std::string(command.arguments);
    const std::size_t width = display_width(call);
    text += call + std::string(width < 26 ? 26 - width : 1, ' ') + std::string(command.meaning) + "\n";
  }
  return text + "  ?NAME                   a function or a module of the standard library; '?': its modules\n" +
         "Anything else is an expression over the current record.\n";
}

std::string Session::quit(std::string_view) {
  ended_ = true;
  return {};
}

}  // namespace assay::cli
