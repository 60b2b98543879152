// The state of a prompt and its commands, without the terminal: an entry in, text out. A command that fails says so in
// its text; only `:quit` ends the session. The rubric is a text that entries change; if it does not compile, the last
// valid version stays in force.
#pragma once

#include "repl/analysis/flags.hpp"
#include "repl/analysis/questions.hpp"
#include "repl/files/record_stream.hpp"
#include "repl/session/assistant.hpp"
#include "repl/session/watched.hpp"
#include "repl/terminal/messages.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class Session {
 public:
  // `interactive`: results are shown with the names by which later entries can use them.
  Session(Loading loading, bool interactive);

  // Answers one entry. Sets ended() on `:quit`.
  std::string answer(std::string_view entry);
  bool ended() const { return ended_; }
  bool loaded() const { return !draft_.file.empty(); }
  // The worst result so far: kDone, kRejected (a record, an example), kRefused (a command that failed).
  int code() const { return code_; }
  std::string prompt() const;
  // Whether the entry continues on another line.
  bool unfinished(std::string_view entry) const;
  // The part of an entry's first line that may open brackets; nothing: the entry has one line.
  std::optional<std::string_view> bracketed(std::string_view line) const;
  // A report on watched files that have changed; empty: none.
  std::string look_at_files();

  std::string load(std::string_view file);

  // For the terminal.
  Candidates complete(std::string_view entry, std::size_t at);
  std::vector<Paint> colours(std::string_view entry) { return assistant_.colours(entry); }

 private:
  enum class Takes : unsigned char { nothing, file, path, paths, name, record, context, weight, target, example, help };
  struct Command {
    std::string_view name, arguments, meaning;
    std::string (Session::*run)(std::string_view text);
    bool needs_rubric;
    Takes takes;
    std::string_view group;
  };
  static const std::vector<Command>& commands();
  static const Command* find(std::string_view name);

  struct FieldEdit {
    std::string path, before, after;  // JSON; empty: absent
  };
  struct Edited {
    std::string json;
    std::vector<FieldEdit> edits;
  };
  struct Draft {         // the rubric as it is being written
    std::string name;    // of the text, in messages and for imports
    std::string file;    // empty: no file was loaded
    std::string text;    // the rubric with all declarations
    std::string good;    // the rubric in force; differs while `text` is unfinished
    std::string saved;   // the contents of the file
    std::string broken;  // an edited text that does not compile
  };
  struct Records {
    std::string file;
    std::vector<std::string> texts, ids;  // as read
    std::size_t current = 0;
    std::string scratch = "{}";  // the record if none were read
    std::map<std::size_t, Edited> edited;
  };
  struct State {  // a state that :undo restores
    std::string what;
    Draft draft;
    std::map<std::size_t, Edited> edited;
  };
  static constexpr std::size_t kMostUndo = 100;
  static constexpr std::size_t kScratch = static_cast<std::size_t>(-1);  // the index of the record if none were read

  // ---- session.cpp
  std::string run(std::string_view entry);
  std::string evaluate(std::string_view expression);
  std::string help(std::string_view text);
  std::string quit(std::string_view text);
  std::string timing(std::string_view text);
  std::string list_names(std::string_view text);
  std::string failure(std::string_view message, int code = kRefused);
  std::string failure(const InputError& error);
  std::string rendered(const std::vector<Diagnostic>& diagnostics);
  std::string with_code(std::string text, int code);
  bool drafted() const { return !draft_.file.empty() || touched_; }  // whether there is more than an empty rubric

  // ---- rubric.cpp
  bool load_file(const std::string& path, std::string& shown);
  std::string load_command(std::string_view text);
  std::string reload(std::string_view text);
  std::string declare(std::string_view declarations);
  std::string take_text(std::string text, const std::string& what);
  std::string edit(std::string_view text);
  std::string save(std::string_view text);
  std::string undo(std::string_view text);
  std::string show_rubric(std::string_view text);
  std::string watch(std::string_view text);
  std::string example(std::string_view text);
  std::string diff(std::string_view text);
  std::string moved(const Rubric& before, bool each);
  std::optional<Compiled> read_file(const std::string& file, std::string& text, std::string& problem);
  void use(Rubric rubric);
  void remember(const std::string& what);
  std::string configure();
  bool unfinished_rubric() const { return draft_.text != draft_.good; }
  bool unsaved() const { return drafted() && draft_.text != draft_.saved; }

  // ---- records.cpp
  std::string records_command(std::string_view text);
  std::string go(std::size_t index);
  std::string go_to(std::string_view text);
  std::string forward(std::string_view text);
  std::string back(std::string_view text);
  std::string set(std::string_view text);
  std::string unset(std::string_view text);
  std::string change(const std::string& path, std::optional<std::string_view> value);
  std::string show_record(std::string_view text);
  std::string verdict(std::string_view text);
  std::string why(std::string_view text);
  std::string explain(std::string_view text);
  std::string explained(std::string_view text, bool one);
  std::string context(std::string_view text);
  std::string weight(std::string_view text);
  std::string history(std::string_view text);
  std::string rank(std::string_view text);
  std::string whereabouts() const;
  std::string edits_text() const;
  std::size_t here() const { return records_.texts.empty() ? kScratch : records_.current; }
  const std::string& record() const;  // the current one, with its changes
  std::vector<std::string> all_records() const;
  std::string edited_note() const;

  // ---- questions.cpp
  std::string test(std::string_view text);
  std::string cover(std::string_view text);
  std::string what_if(std::string_view text);
  std::string reach(std::string_view text);
  std::string sensitivity(std::string_view text);
  std::string calibrate(std::string_view text);
  std::string report(std::string_view text);
  std::string bench(std::string_view text);
  // Reads the flags of a question, which are those of its verb. False: `refusal` is the answer.
  template <class Options>
  bool flags(std::string_view command, std::string_view text, Options& options, std::vector<std::string>& operands,
             std::string& refusal);
  std::string told(int code, std::string text, const std::string& file);
  EvaluatorOptions options() const { return loading_.evaluator(); }
  Evaluator fresh() const;  // with the same settings, so that repeated verdicts do not become history
  Questioning questioning() const;

  Loading loading_;
  bool interactive_;
  Watched files_;
  Assistant assistant_;
  Draft draft_;
  bool touched_ = false;
  std::optional<Rubric> rubric_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<std::string> names_;
  Records records_;
  Settings settings_;
  std::vector<std::string> history_;
  std::string history_file_;
  std::vector<std::string> results_;  // as expressions; empty: not expressible
  std::vector<State> undo_;
  bool timing_ = false, watching_ = false, ended_ = false;
  int code_ = kDone;
};

// ---- shared text helpers

std::string_view trimmed(std::string_view text);
// Splits at blanks outside brackets and quotes.
std::vector<std::string> words(std::string_view text);
std::string with_newline(std::string text);
// JSON as a literal of the rubric language; nothing if a key or a number cannot be written.
std::string as_literal(std::string_view json);

}  // namespace assay::cli
