// The commands of the prompt, one row each, so that help, completion and dispatch always agree; expressions and
// results.
#include "repl/session/session.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <assay/draft.hpp>
#include <assay/library.hpp>

#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>

namespace assay::cli {

namespace {

constexpr std::string_view kNoRubric = "no rubric is loaded; ':load FILE' loads one, and 'dimension …' begins one";
constexpr std::string_view kBare = "rubric session {\n}\n";

bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The results that an expression uses: "_" is the last one, "_3" the third.
std::vector<std::string> result_names(std::string_view expression) {
  std::vector<std::string> names;
  bool quoted = false;
  for (std::size_t i = 0; i < expression.size();) {
    if (expression[i] == '\\' && quoted) {
      i += 2;
      continue;
    }
    if (expression[i] == '"') quoted = !quoted;
    if (!word_character(expression[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < expression.size() && word_character(expression[end])) ++end;
    const std::string name(expression.substr(i, end - i));
    const bool field = i > 0 && expression[i - 1] == '.' && (i < 2 || expression[i - 2] != '.');
    const bool result = name[0] == '_' && name.find_first_not_of("0123456789", 1) == std::string::npos;
    if (result && !field && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    i = end;
  }
  return names;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  std::string word;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      word += c;
      word += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (!quoted && depth <= 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (!word.empty()) result.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) result.push_back(std::move(word));
  return result;
}

std::string with_newline(std::string text) {
  if (text.empty() || text.back() != '\n') text += '\n';
  return text;
}

const std::vector<Session::Command>& Session::commands() {
  using S = Session;
  using T = Takes;
  static const std::vector<Command> kCommands = {
      {"load", "FILE", "load a rubric", &S::load_command, false, T::file, "The rubric"},
      {"reload", "", "load it again, keeping records and settings", &S::reload, true, T::nothing, ""},
      {"rubric", "", "its text, with what was declared here", &S::show_rubric, true, T::nothing, ""},
      {"edit", "", "change its text in $VISUAL or $EDITOR", &S::edit, false, T::nothing, ""},
      {"undo", "", "take back the last change of the rubric or a record", &S::undo, false, T::nothing, ""},
      {"save", "[FILE]", "write its text", &S::save, true, T::file, ""},
      {"diff", "[FILE]", "what differs from the file, or another; whose verdicts", &S::diff, true, T::file, ""},
      {"watch", "[on|off]", "reload it when its file changes", &S::watch, true, T::nothing, ""},
      {"test", "", "run its examples", &S::test, true, T::nothing, ""},
      {"cover", "", "what its examples do not exercise", &S::cover, true, T::nothing, ""},
      {"example", "NAME", "make the record and its verdict an example", &S::example, true, T::example, ""},
      {"names", "", "everything an expression may name", &S::list_names, true, T::nothing, ""},
      {"records", "FILE", "read records (.ndjson .json .csv) and go to the first", &S::records_command, true, T::file,
       "Records"},
      {"next", "", "the next record", &S::forward, true, T::nothing, ""},
      {"prev", "", "the record before", &S::back, true, T::nothing, ""},
      {"goto", "N|ID", "the record of that number or id", &S::go_to, true, T::record, ""},
      {"set", "[FIELD[=VALUE]]", "change a field; without a value: show", &S::set, false, T::path, ""},
      {"unset", "FIELD", "take a field out of the record", &S::unset, false, T::path, ""},
      {"record", "", "show the record, and what was changed", &S::show_record, false, T::nothing, ""},
      {"verdict", "", "score the record", &S::verdict, true, T::nothing, "Verdicts"},
      {"why", "NAME", "one value, and what it was made of", &S::why, true, T::name, ""},
      {"explain", "[FLAGS]", "every stage of the verdict", &S::explain, true, T::nothing, ""},
      {"rank", "", "all records, best first", &S::rank, true, T::nothing, ""},
      {"whatif", "FIELD=VALUE…", "what would change with these values", &S::what_if, true, T::paths,
       "Questions (each takes the flags of its verb: :reach --help)"},
      {"reach", "[TARGET]", "the smallest changes to a band, a score, 'place 1'", &S::reach, true, T::target, ""},
      {"sensitivity", "[NOISE]", "what order, winner and bands depend on", &S::sensitivity, true, T::nothing, ""},
      {"calibrate", "[GOLD]", "agreement with people: gold in the records, or a file", &S::calibrate, true, T::file,
       ""},
      {"report", "FILE.html", "all verdicts as a page", &S::report, true, T::file, ""},
      {"context", "[NAME…|-]", "contexts in force; -: as written", &S::context, true, T::context, "Settings"},
      {"weight", "[NAME=WEIGHT…|-]", "weights; -: as written", &S::weight, true, T::weight, ""},
      {"history", "[FILE|-]", "earlier records; -: none", &S::history, true, T::file, ""},
      {"timing", "[on|off]", "how long each answer takes", &S::timing, false, T::nothing, ""},
      {"bench", "", "how fast the records are scored", &S::bench, true, T::nothing, ""},
      {"help", "[NAME]", "this list, or help on anything: as ?NAME", &S::help, false, T::help, "Others"},
      {"quit", "", "leave (so does the end of the input)", &S::quit, false, T::nothing, ""},
  };
  return kCommands;
}

const Session::Command* Session::find(std::string_view name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

Session::Session(Loading loading, bool interactive)
    : loading_(std::move(loading)), interactive_(interactive), assistant_(loading_) {
  loading_.compile.importer = files_.noting(loading_.compile.importer);
  draft_.name = "session.rubric";
  draft_.text = draft_.good = draft_.saved = kBare;
  Compiled bare = compile(draft_.name, draft_.text, loading_.compile);
  if (bare.rubric) use(std::move(*bare.rubric));
}

std::string Session::failure(std::string_view message, int code) {
  code_ = std::max(code_, code);
  return painted("error: " + printable(message) + "\n", STDOUT_FILENO);
}

std::string Session::failure(const InputError& error) { return failure(printable(error_text(error)), kRejected); }

std::string Session::with_code(std::string text, int code) {
  code_ = std::max(code_, code);
  return text;
}

std::string Session::rendered(const std::vector<Diagnostic>& diagnostics) {
  if (has_errors(diagnostics)) code_ = kRefused;
  return painted(render(diagnostics), STDOUT_FILENO);
}

std::optional<std::string_view> Session::bracketed(std::string_view line) const {
  const std::string_view text = trimmed(line);
  if (text.starts_with("?")) return std::nullopt;
  if (!text.starts_with(":")) return text;
  const std::size_t stop = std::min(text.find_first_of(" \t\n"), text.size());
  const Command* command = find(text.substr(1, stop - 1));
  if (command == nullptr || (command->takes != Takes::path && command->takes != Takes::paths)) return std::nullopt;
  return text.substr(stop);
}

bool Session::unfinished(std::string_view entry) const {
  const std::optional<std::string_view> part = bracketed(entry);
  return part && is_unfinished(*part);
}

std::string Session::answer(std::string_view entry) {
  const auto start = std::chrono::steady_clock::now();
  std::string text = look_at_files();
  Overheard said;
  std::string answered = run(trimmed(entry));
  text += said.text() + answered;
  if (timing_ && !trimmed(entry).empty()) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    char shown[64];
    std::snprintf(shown, sizeof shown, "(%.1f ms)\n", took.count());
    text += shown;
  }
  return text;
}

namespace {

std::string command_line(std::string_view name, std::string_view arguments, std::string_view meaning) {
  std::string call = "  :" + std::string(name) + " " + std::string(arguments);
  const std::size_t width = display_width(call);
  return call + std::string(width < 26 ? 26 - width : 1, ' ') + std::string(meaning) + "\n";
}

// The documentation of a library function or module.
std::string library_help(std::string_view name) {
  std::string text;
  for (const LibraryModule& module : library_modules()) {
    const std::string& full = module.name;  // "std/text.rubric", also "text" and "std/text"
    const bool asked = !name.empty() && (name == full || full == "std/" + std::string(name) + ".rubric" ||
                                         full == std::string(name) + ".rubric");
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
  return text;
}

}  // namespace

std::string Session::run(std::string_view entry) {
  if (entry.empty() || entry.front() == '#') {
    if (kind_of_typed(entry) == Typed::nothing) return {};
  }
  if (entry == "?") return printable_lines(library_help(""));
  if (entry.front() == '?') return help(trimmed(entry.substr(1)));
  if (entry.front() == ':') {
    const std::size_t stop = std::min(entry.find_first_of(" \t\n"), entry.size());
    const Command* command = find(entry.substr(1, stop - 1));
    if (command != nullptr) {
      if (command->needs_rubric && !drafted()) return failure(kNoRubric);
      const std::string_view rest = trimmed(entry.substr(stop));
      if (command->arguments.empty() && !rest.empty())
        return failure(":" + std::string(command->name) + " takes nothing behind it, not '" + std::string(rest) + "'");
      return (this->*command->run)(rest);
    }
    std::vector<std::string> all;
    for (const Command& one : commands()) all.push_back(":" + std::string(one.name));
    const std::string near = nearest(entry.substr(0, stop), all);
    return failure("there is no command '" + printable(entry.substr(0, stop)) + "'" +
                   (near.empty() ? "; ':help' lists them" : "; did you mean '" + near + "'?"));
  }
  const std::string_view word = entry.ends_with("()") ? entry.substr(0, entry.size() - 2) : entry;
  for (const auto& [other, command] :
       {std::pair{"quit", "quit"}, {"exit", "quit"}, {"bye", "quit"}, {"help", "help"}}) {
    if (word == other && std::find(names_.begin(), names_.end(), other) == names_.end())
      return failure("a command begins with ':': write ':" + std::string(command) + "'");
  }
  switch (kind_of_typed(entry)) {
    case Typed::nothing: return {};
    case Typed::rubric: return take_text(std::string(entry) + "\n", "the rubric that was typed");
    case Typed::declarations: return declare(entry);
    case Typed::expression: break;
  }
  return evaluate(entry);
}

std::string Session::evaluate(std::string_view expression) {
  if (!evaluator_) return failure(kNoRubric);
  // Results are values of a temporary rubric for this expression.
  Evaluator* evaluator = evaluator_.get();
  std::optional<Rubric> with_results;
  std::unique_ptr<Evaluator> other;
  std::string values;
  for (const std::string& name : result_names(expression)) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) continue;  // declared by the rubric
    std::size_t number = results_.size();
    if (name.size() > 1) number = name.size() > 9 ? results_.size() + 1 : std::stoul(name.substr(1));
    if (number == 0 || number > results_.size())
      return failure(results_.empty()
                         ? "there is no result yet"
                         : "there is no result '" + name + "': the last is '_" + std::to_string(results_.size()) + "'");
    if (results_[number - 1].empty())
      return failure("the value of '" + name + "' cannot be used again: it is too large, or of no type");
    values += "let " + name + " = " + results_[number - 1] + "\n";
  }
  if (!values.empty()) {
    const Drafted drafted = with_declarations(draft_.name, draft_.good, values, loading_.limits());
    Compiled compiled = compile(draft_.name, drafted.text, loading_.compile);
    if (!compiled.rubric) return rendered(compiled.diagnostics);
    with_results = std::move(*compiled.rubric);
    other = std::make_unique<Evaluator>(*with_results, options());
    (void)other->configure(settings_);
    if (!history_.empty()) other->set_history(history_);
    evaluator = other.get();
  }
  const Evaluator::Evaluated result = evaluator->evaluate(expression, record());
  if (has_errors(result.diagnostics)) {
    std::string text = rendered(result.diagnostics);
    const bool unknown = result.diagnostics.front().code.rfind("E03", 0) == 0;  // an unknown name
    if (unknown && !drafted()) text += "(" + std::string(kNoRubric) + ")\n";
    return text;
  }
  if (result.error) return failure(*result.error);
  std::string value = result.value;
  if (value.size() > 100) {
    value = pretty(value);
    while (!value.empty() && value.back() == '\n') value.pop_back();
  }
  results_.push_back(result.literal);
  std::string text = printable_lines(value) + " : " + printable(result.type);
  if (interactive_) {
    const std::string name = "_" + std::to_string(results_.size());
    text += wants_colour(STDOUT_FILENO) ? "  \033[2m" + name + "\033[0m" : "  " + name;
  }
  return text + "\n";
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

std::string Session::timing(std::string_view text) {
  if (!text.empty() && text != "on" && text != "off") return failure(":timing takes 'on' or 'off'");
  if (!text.empty()) timing_ = text == "on";
  return std::string("timing is ") + (timing_ ? "on" : "off") + "\n";
}

std::string Session::quit(std::string_view) {
  ended_ = true;
  return {};
}

std::string Session::help(std::string_view text) {
  if (text.empty()) {
    std::string all;
    for (const Command& command : commands()) {
      if (!command.group.empty()) all += (all.empty() ? "" : "\n") + std::string(command.group) + "\n";
      all += command_line(command.name, command.arguments, command.meaning);
    }
    return all +
           "\nAn entry may also be\n"
           "  an expression           over the current record; _ is the last result, _3 the third\n"
           "  a declaration           let, fn, dimension, bands …: it becomes part of the rubric\n"
           "  ?NAME                   help on a name, a word, a function, a command; '?' alone: the modules of the "
           "library\n"
           "Brackets that are open let an entry go on in the next line.\n";
  }
  const std::string name(text.front() == ':' ? text.substr(1) : text);
  std::string all;
  if (const Command* command = find(name)) all += command_line(command->name, command->arguments, command->meaning);
  if (text.front() != ':') {
    all += assistant_.explain(name);
    all += library_help(name);
  }
  if (!all.empty()) return printable_lines(all);
  std::vector<std::string> known = assistant_.known();
  for (const Command& command : commands()) known.push_back(":" + std::string(command.name));
  const std::string near = nearest(text, known);
  return failure(
      "nothing is known of '" + printable(text) + "'" +
      (near.empty() ? "; ':help' lists the commands, '?' the standard library" : "; did you mean '" + near + "'?"));
}

std::string Session::prompt() const {
  if (!drafted()) return "assay> ";
  constexpr std::size_t kMost = 24;
  std::string text = printable(shorten(rubric_->name(), kMost)) + (unsaved() ? "+" : "") +
                     (unfinished_rubric() ? " (unfinished)" : "");
  const bool edited = records_.edited.count(here()) > 0;
  if (records_.texts.empty()) return text + (edited ? " *" : "") + "> ";
  std::string id = records_.current < records_.ids.size() ? printable(shorten(records_.ids[records_.current], kMost))
                                                          : std::string();
  return text + " " + id + (edited ? "*" : "") + (id.empty() && !edited ? "" : " ") +
         std::to_string(records_.current + 1) + "/" + std::to_string(records_.texts.size()) + "> ";
}

namespace {

Candidates among(std::string_view word, std::size_t begin, const std::vector<Candidate>& all) {
  Candidates result;
  result.begin = begin;
  for (const Candidate& one : all) {
    if (std::string_view(one.insert).starts_with(word)) result.all.push_back(one);
  }
  return result;
}

}  // namespace

Candidates Session::complete(std::string_view entry, std::size_t at) {
  const std::string_view before = entry.substr(0, at);
  std::vector<Candidate> all;
  if (before.starts_with("?")) {
    for (const std::string& name : assistant_.known()) all.push_back({name, name, "", ""});
    for (const Command& one : commands())
      all.push_back(
          {std::string(one.name), std::string(one.name), std::string(one.arguments), std::string(one.meaning)});
    return among(before.substr(1), 1, all);
  }
  if (!before.starts_with(":")) return assistant_.complete(entry, at);
  const std::size_t blank = before.find_first_of(" \t");
  if (blank == std::string_view::npos) {
    for (const Command& one : commands()) {
      const std::string name = ":" + std::string(one.name);
      all.push_back(
          {name + (one.arguments.empty() ? "" : " "), name, std::string(one.arguments), std::string(one.meaning)});
    }
    return among(before, 0, all);
  }
  const Command* command = find(before.substr(1, blank - 1));
  if (command == nullptr) return {};
  const std::size_t begin = before.find_last_of(" \t") + 1;
  const std::size_t first = std::min(before.find_first_not_of(" \t", blank), at);
  const auto named = [&](const std::string& name, const std::string& detail, const std::string& prose) {
    all.push_back({name, name, detail, prose});
  };
  switch (command->takes) {
    case Takes::nothing: return {};
    case Takes::file: return Assistant::complete_file(entry, first, at);
    case Takes::path: return assistant_.complete_field(entry, first, at, record());
    case Takes::paths: return assistant_.complete_field(entry, begin, at, record());
    case Takes::name: {
      for (const std::string& name : names_) named(name, "", "");
      break;
    }
    case Takes::record: {
      for (const std::string& id : records_.ids) named(id, "", "");
      return among(before.substr(first), first, all);
    }
    case Takes::context: {
      for (const ContextInfo& one : rubric_->contexts()) named(one.name, "", one.prose);
      break;
    }
    case Takes::weight: {
      for (const DimensionInfo& one : rubric_->dimensions()) {
        all.push_back({one.name + "=", one.name, one.weight.empty() ? "advisory" : "weight " + one.weight, one.prose});
      }
      break;
    }
    case Takes::target: {
      for (const BandOrder& bands : Analysis(*rubric_, options()).bands()) {
        for (const std::string& name : bands.worst_first) named(name, bands.name, "");
      }
      named("eligible", "status", "");
      named("place ", "rank", "");
      break;
    }
    case Takes::example: {
      for (const ExampleResult& one : rubric_->test(interrupt())) named(one.name, one.passed ? "passes" : "fails", "");
      return among(before.substr(first), first, all);
    }
    case Takes::help: return {};
  }
  return among(before.substr(begin), begin, all);
}

}  // namespace assay::cli
