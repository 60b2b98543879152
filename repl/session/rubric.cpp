// The rubric of a session as a text that changes: loaded, typed, edited, saved, watched, compared. The last valid
// version stays in force until another one compiles.
#include "repl/files/files.hpp"
#include "repl/files/output.hpp"
#include "repl/session/session.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/json_text.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/diff.hpp"

#include <assay/draft.hpp>

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostMoved = 10'000;  // records to score again after each declaration

// Warnings about unused declarations: at a prompt, every declaration begins unused.
bool unfinished_work(const Diagnostic& diagnostic) { return diagnostic.code == "W0701" || diagnostic.code == "W0704"; }

// Errors that another declaration may fix: until then the previous rubric stays in force.
bool lacks_something(const std::vector<Diagnostic>& diagnostics) {
  static constexpr std::string_view kCodes[] = {"E0201", "E0202", "E0207", "E0213"};  // sums of weights, the scale
  return has_errors(diagnostics) && std::all_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& one) {
           return one.severity != Severity::error ||
                  std::find(std::begin(kCodes), std::end(kCodes), one.code) != std::end(kCodes);
         });
}

// Warnings that the previous rubric did not have.
std::vector<Diagnostic> fresh_warnings(const std::vector<Diagnostic>& now, const std::vector<Diagnostic>& before) {
  std::vector<Diagnostic> fresh;
  for (const Diagnostic& one : now) {
    const bool known = std::any_of(before.begin(), before.end(), [&](const Diagnostic& other) {
      return other.code == one.code && other.message.str() == one.message.str();
    });
    if (!known && !unfinished_work(one)) fresh.push_back(one);
  }
  return fresh;
}

bool is_name(std::string_view key) {
  if (key.empty() || (key[0] >= '0' && key[0] <= '9')) return false;
  return std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string text_literal(const std::string& text) {
  std::string out;
  for (const char c : cli::quoted(text)) {
    if (c == '{' || c == '}') out += '\\';
    out += c;
  }
  // Writes JSON's \u00e9 as \u{00e9}, and resolves the other short escapes.
  std::string fixed;
  for (std::size_t i = 0; i < out.size(); ++i) {
    fixed += out[i];
    if (out[i] != '\\' || i + 1 >= out.size()) continue;
    const char next = out[++i];
    const std::string_view kShort = "bfr/";
    const std::size_t at = kShort.find(next);
    if (next == 'u' && i + 4 < out.size()) {
      fixed += "u{" + out.substr(i + 1, 4) + "}";
      i += 4;
    } else if (at != std::string_view::npos) {
      static constexpr const char* kLong[] = {"u{8}", "u{c}", "u{d}", "u{2f}"};
      fixed += kLong[at];
    } else {
      fixed += next;
    }
  }
  return fixed;
}

// The editor command, in words; empty: none is chosen, and the usual one would wait for a terminal that there is not.
std::string chosen_editor() {
  for (const char* name : {"VISUAL", "EDITOR"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 ? "vi" : "";
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string as_literal(std::string_view json) {
  if (json == "null") return "missing";
  if (json.empty()) return "missing";
  if (json.front() == '"') return text_literal(bare(json));
  if (json.front() == '[') {
    std::string out = "[";
    for (const std::string_view item : items(json)) out += (out.size() > 1 ? ", " : "") + as_literal(item);
    return out + "]";
  }
  if (json.front() != '{') return std::string(json);
  std::string out = "{";
  for (const auto& [key, value] : members(json)) {
    if (value == "null") continue;  // as if it were absent
    out += (out.size() > 1 ? ", " : " ") + (is_name(key) ? key : text_literal(key)) + ": " + as_literal(value);
  }
  return out + (out.size() > 1 ? " }" : "}");
}

void Session::use(Rubric rubric) {
  evaluator_.reset();  // it may refer to the rubric
  rubric_ = std::move(rubric);
  evaluator_ = std::make_unique<Evaluator>(*rubric_, options());
  names_ = rubric_->names();
  std::sort(names_.begin(), names_.end());
  assistant_.set_rubric(*rubric_, draft_.name, draft_.text);
  if (!history_.empty()) evaluator_->set_history(history_);
}

void Session::remember(const std::string& what) {
  undo_.push_back({what, draft_, records_.edited});
  if (undo_.size() > kMostUndo) undo_.erase(undo_.begin());
}

// Drops settings that are no longer valid, and reports that.
std::string Session::configure() {
  const std::optional<InputError> error = evaluator_->configure(settings_);
  if (!error) return {};
  settings_ = {};
  return failure(*error) + "(contexts and weights are as written again)\n";
}

std::optional<Compiled> Session::read_file(const std::string& file, std::string& text, std::string& problem) {
  std::optional<std::string> read = read_rubric(file, loading_.roots, loading_.limits().source_bytes, problem);
  if (!read) return std::nullopt;
  text = std::move(*read);
  files_.begin(file);
  return compile(file_label(file), text, loading_.compile);
}

std::string Session::load(std::string_view file) {
  std::string shown;
  (void)load_file(std::string(file), shown);
  return shown;
}

// False: the previous rubric stays.
bool Session::load_file(const std::string& path, std::string& shown) {
  std::string problem, text;
  if (path == "-") return shown = failure("the rubric of a session comes from a file"), false;
  std::optional<Compiled> compiled = read_file(path, text, problem);
  if (!compiled) return shown = failure(problem), false;
  if (!records_instead(path, compiled->diagnostics, false).empty())
    return shown = failure("'" + file_label(path) + "' holds records: ':records " + path + "' reads them"), false;
  shown = rendered(compiled->diagnostics);
  if (!compiled->rubric) {
    if (!has_errors(compiled->diagnostics)) shown += failure("'" + file_label(path) + "' holds no rubric");
    if (path != draft_.file) files_.begin(draft_.file);
    if (drafted()) shown += "(the rubric before stays in force)\n";
    return false;
  }
  if (drafted()) remember("loading '" + path + "'");
  draft_.name = file_label(path);
  draft_.file = path;
  draft_.text = draft_.good = draft_.saved = std::move(text);
  draft_.broken.clear();
  touched_ = false;
  use(std::move(*compiled->rubric));
  shown += rubric_->name() + (rubric_->version().empty() ? "" : " " + printable(rubric_->version()));
  if (!rubric_->prose().empty()) shown += ": " + printable(rubric_->prose());
  shown += "\n" + configure();
  return true;
}

std::string Session::load_command(std::string_view text) {
  if (text.empty()) return failure(":load takes the file of a rubric");
  const bool set = !settings_.contexts.empty() || !settings_.weights.empty() || !history_.empty();
  const Settings settings = std::exchange(settings_, {});
  std::vector<std::string> history = std::exchange(history_, {});
  std::string shown;
  if (load_file(std::string(text), shown))
    return shown + (set ? "(contexts, weights and history of the rubric before are gone)\n" : "");
  settings_ = settings;
  history_ = std::move(history);
  return shown;
}

std::string Session::reload(std::string_view) {
  if (draft_.file.empty()) return failure("the rubric comes from no file; ':save FILE' writes one");
  const bool lost = unsaved();
  std::string shown;
  if (load_file(std::string(draft_.file), shown) && lost)
    shown += "(what was not saved is gone; ':undo' brings it back)\n";
  return shown;
}

// The verdicts of the records that have changed.
std::string Session::moved(const Rubric& before, bool each) {
  if (records_.texts.empty() || records_.texts.size() > kMostMoved) return {};
  const std::vector<std::string> records = all_records();
  const Overheard ignored;  // records that are rejected now were rejected before
  const DiffAnswer answer =
      diff_of({&before, draft_.name}, {&*rubric_, draft_.name}, records, {settings_, history_}, loading_.limits());
  if (each) return answer.verdicts + answer.summary;
  return answer.differ > 0 ? answer.summary : std::string();
}

std::string Session::take_text(std::string text, const std::string& what) {
  if (text == draft_.text) return "nothing has changed\n";
  Compiled compiled = compile(draft_.name, text, loading_.compile);
  if (!compiled.rubric) {
    draft_.broken = std::move(text);
    return rendered(compiled.diagnostics) + "(the rubric stays as it was; ':edit' goes on with this text)\n";
  }
  const std::vector<Diagnostic> before = compile(draft_.name, draft_.good, loading_.compile).diagnostics;
  remember(what);
  const Rubric was = *rubric_;
  const bool scored = drafted();
  draft_.text = draft_.good = std::move(text);
  draft_.broken.clear();
  touched_ = true;
  use(std::move(*compiled.rubric));
  std::string shown = rendered(fresh_warnings(compiled.diagnostics, before)) + configure();
  return shown + "took " + what + "\n" + (scored ? moved(was, true) : "");
}

std::string Session::declare(std::string_view declarations) {
  Drafted drafted_text = with_declarations(draft_.name, draft_.text, declarations, loading_.limits());
  if (has_errors(drafted_text.diagnostics) || drafted_text.text.empty()) return rendered(drafted_text.diagnostics);
  std::string done;
  for (const std::string& one : drafted_text.done) done += (done.empty() ? "" : ", ") + one;
  if (drafted_text.text == draft_.text) return printable(done.empty() ? "nothing has changed" : done) + "\n";
  Compiled compiled = compile(draft_.name, drafted_text.text, loading_.compile);
  if (!compiled.rubric && lacks_something(compiled.diagnostics)) {
    remember(done);
    draft_.text = std::move(drafted_text.text);
    touched_ = true;
    assistant_.set_rubric(*rubric_, draft_.name, draft_.text);
    std::string shown = printable(done) + "\n";
    for (const Diagnostic& one : compiled.diagnostics) {
      if (one.severity != Severity::error) continue;
      shown += "not in force yet: " + one.message.str() + (one.help.empty() ? "" : "; " + one.help.str()) + "\n";
      break;
    }
    return shown;
  }
  if (!compiled.rubric) return rendered(compiled.diagnostics);
  const std::vector<Diagnostic> before = compile(draft_.name, draft_.good, loading_.compile).diagnostics;
  remember(done);
  const Rubric was = *rubric_;
  const bool scored = drafted();
  draft_.text = draft_.good = std::move(drafted_text.text);
  touched_ = true;
  use(std::move(*compiled.rubric));
  std::string text = rendered(fresh_warnings(compiled.diagnostics, before)) + configure() + printable(done) + "\n";
  return scored ? text + moved(was, false) : text;
}

std::string Session::edit(std::string_view) {
  const std::string editor = chosen_editor();
  if (editor.empty()) return failure("':edit' needs a terminal, or an editor named by $VISUAL or $EDITOR");
  std::string pattern = (fs::temp_directory_path() / "assay-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return failure("cannot make a folder for the text that is edited");
  const fs::path folder = pattern;
  const fs::path file = folder / (draft_.file.empty() ? fs::path("session.rubric") : fs::path(draft_.file).filename());
  {
    std::ofstream out(file, std::ios::binary);
    out << (draft_.broken.empty() ? draft_.text : draft_.broken);
  }
  const int status = std::system((editor + " " + shell_quoted(file.string())).c_str());
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const bool read = in.good() || in.eof();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (status != 0) return failure("'" + editor + "' did not end well; the rubric stays as it was");
  if (!read) return failure("the edited text cannot be read; the rubric stays as it was");
  if (!text.empty() && text == draft_.broken) {
    draft_.broken.clear();  // unchanged: compile it again to report its errors
    Compiled again = compile(draft_.name, text, loading_.compile);
    draft_.broken = std::move(text);
    if (!again.rubric) return rendered(again.diagnostics) + "(the rubric stays as it was)\n";
    text = draft_.broken;
  }
  return take_text(std::move(text), "the edited text");
}

std::string Session::save(std::string_view text) {
  const bool force = text == "--force";
  const std::string path(force || text.empty() ? std::string_view(draft_.file) : text);
  if (path.empty()) return failure("the rubric comes from no file: ':save FILE' names one");
  if (path == "-") return failure(":save writes a file; ':rubric' shows the text");
  std::string problem;
  if (path == draft_.file && !force) {
    std::string ignored;
    const std::optional<std::string> there = read_rubric(path, loading_.roots, loading_.limits().source_bytes, ignored);
    if (there && *there != draft_.saved)
      return failure("'" + path +
                     "' has changed since it was read: ':reload' takes what it holds, ':save --force' "
                     "writes over it");
    if (there && draft_.text == draft_.saved) return "nothing has changed since it was read\n";
  } else if (std::error_code unknown; path != draft_.file && fs::exists(path, unknown)) {
    return failure("'" + path + "' is there already; ':save' writes only over the file that was loaded");
  }
  std::optional<Output> output = Output::open(path, problem);
  if (!output) return failure(problem);
  output->write(draft_.text);
  if (output->finish(kDone) != kDone) return with_code({}, kRefused);
  const bool named = path != draft_.file;
  draft_.file = path;
  draft_.saved = draft_.text;
  if (named && !unfinished_rubric()) {
    draft_.name = file_label(path);
    Compiled compiled = compile(draft_.name, draft_.text, loading_.compile);
    if (!compiled.rubric) return rendered(compiled.diagnostics);  // it imports relative to its new place
    use(std::move(*compiled.rubric));
    (void)configure();
    files_.begin(path);
  }
  files_.look();
  return "wrote '" + printable(path) + "'\n";
}

std::string Session::undo(std::string_view) {
  if (undo_.empty()) return failure("there is nothing to take back");
  State state = std::move(undo_.back());
  undo_.pop_back();
  const bool text = state.draft.text != draft_.text;
  const bool good = state.draft.good != draft_.good || state.draft.name != draft_.name;
  std::string shown = "took back: " + printable(state.what) + "\n";
  std::optional<Compiled> compiled;
  if (good) compiled = compile(state.draft.name, state.draft.good, loading_.compile);
  if (good && !compiled->rubric) return rendered(compiled->diagnostics);  // an import has changed
  const Rubric was = *rubric_;
  draft_ = std::move(state.draft);
  records_.edited = std::move(state.edited);
  touched_ = touched_ && !undo_.empty();
  if (good) {
    use(std::move(*compiled->rubric));
    shown = configure() + shown + moved(was, false);
  } else if (text) {
    assistant_.set_rubric(*rubric_, draft_.name, draft_.text);
  }
  return shown;
}

std::string Session::show_rubric(std::string_view) { return with_newline(printable_lines(draft_.text)); }

std::string Session::watch(std::string_view text) {
  if (!text.empty() && text != "on" && text != "off") return failure(":watch takes 'on' or 'off'");
  if (text == "on" && draft_.file.empty()) return failure("the rubric comes from no file; ':save FILE' writes one");
  if (text == "on") files_.look();
  if (!text.empty()) watching_ = text == "on";
  return watching_ ? "watching '" + printable(draft_.file) + "' and what it imports\n" : "watching is off\n";
}

std::string Session::look_at_files() {
  if (!watching_ || draft_.file.empty() || !files_.changed()) return {};
  std::string text, problem;
  if (unsaved()) {
    files_.look();
    return "'" + printable(draft_.file) +
           "' has changed, and so has the rubric here: ':reload' takes the file, ':save --force' "
           "writes over it\n";
  }
  std::optional<Compiled> compiled = read_file(draft_.file, text, problem);
  files_.look();
  if (!compiled) return failure(problem) + "(the rubric stays as it was)\n";
  if (!compiled->rubric)
    return painted(render(compiled->diagnostics), STDOUT_FILENO) + "(the rubric stays as it was)\n";
  remember("the change of '" + draft_.file + "'");
  const Rubric was = *rubric_;
  draft_.text = draft_.good = draft_.saved = std::move(text);
  use(std::move(*compiled->rubric));
  const std::string settings = configure();
  const std::string verdicts = moved(was, true);
  return "'" + printable(draft_.file) + "' has changed\n" + settings + verdicts;
}

std::string Session::diff(std::string_view text) {
  std::optional<Compiled> other;
  std::string problem;
  const std::string path = text.empty() ? draft_.file : std::string(text);
  if (text.empty()) {
    if (draft_.file.empty()) return failure("the rubric comes from no file: ':diff FILE' compares it with one");
    other = compile(draft_.name, draft_.saved, loading_.compile);
  } else {
    other = compile_file(path, problem, loading_);
  }
  if (!other) return failure(problem);
  if (!other->rubric) return rendered(other->diagnostics);
  const std::vector<std::string> records = all_records();
  const DiffAnswer answer =
      diff_of({&*other->rubric, path}, {&*rubric_, draft_.name}, records, {settings_, history_}, loading_.limits());
  if (answer.changes.empty() && answer.differ == 0) return "no difference\n" + answer.summary;
  return answer.changes + answer.verdicts + answer.summary;
}

std::string Session::example(std::string_view text) {
  std::string name(text);
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  if (name.empty()) return failure(":example takes a name: :example a good answer");
  // Omits keys that the rubric does not read: an example contains what decides.
  std::string given = "{";
  std::vector<std::string> unknown;
  for (const UnknownKey& key : rubric_->unknown_keys(record())) unknown.push_back(key.path);
  // In the library's compact form, so that its members can be separated; nulls are omitted below.
  const std::string compact = with_member(record(), "\x01", "null").value_or(record());
  for (const auto& [key, value] : members(compact)) {
    const bool known = std::find(unknown.begin(), unknown.end(), key) == unknown.end();
    if (!known || value == "null") continue;
    given += (given.size() > 1 ? ", " : " ") + (is_name(key) ? key : text_literal(key)) + ": " + as_literal(value);
  }
  given += given.size() > 1 ? " }" : "}";
  std::string block = "example " + text_literal(name) + " {\n  given " + given + "\n";
  if (!history_.empty()) {
    block += "  history [";
    for (std::size_t i = 0; i < history_.size(); ++i) block += (i > 0 ? ", " : "") + as_literal(history_[i]);
    block += "]\n";
  }
  if (!settings_.contexts.empty()) {
    block += "  context [";
    for (std::size_t i = 0; i < settings_.contexts.size(); ++i)
      block += (i > 0 ? ", " : "") + text_literal(settings_.contexts[i]);
    block += "]\n";
  }
  if (!settings_.weights.empty()) {
    block += "  weights {";
    for (std::size_t i = 0; i < settings_.weights.size(); ++i)
      block += (i > 0 ? ", " : " ") + settings_.weights[i].first + ": " + settings_.weights[i].second;
    block += " }\n";
  }
  Evaluator scorer = fresh();
  const Verdict& verdict = scorer.score(record());
  if (const InputError* error = verdict.error()) {
    block += "  error at " + (error->path.empty() ? std::string("record") : error->path.str()) + "\n}";
  } else {
    std::string expect;
    for (const FieldInfo& field : rubric_->fields()) {
      const bool told = field.name == "status" || field.name == "score" || field.role == FieldInfo::Role::band;
      if (!told) continue;
      expect += (expect.empty() ? " " : ", ") + (is_name(field.name) ? field.name : text_literal(field.name)) + ": " +
                as_literal(verdict.json(field.name));
    }
    block += "  expect {" + expect + " }\n}";
  }
  std::string shown = declare(block);
  for (const ExampleResult& one : rubric_->test(interrupt())) {
    if (one.name != name || one.passed) continue;
    for (const std::string& difference : one.differences) shown += printable(difference) + "\n";
    shown += failure("the example does not pass; ':undo' takes it back");
  }
  return shown;
}

}  // namespace assay::cli
