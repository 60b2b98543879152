// assay repl: a rubric, its records and a prompt. Without a terminal it reads entries from standard input and echoes
// nothing, so that a session can be a script and a test; its exit code is then that of the worst answer.
#include "repl/files/output.hpp"
#include "repl/prompt/line_reader.hpp"
#include "repl/prompt/pager.hpp"
#include "repl/session/session.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verdicts/formats.hpp"

#include <assay/draft.hpp>

#include <unistd.h>
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

namespace {

bool begins_command(std::string_view line) {
  return line.size() > 1 && line[0] == ':' && line[1] >= 'a' && line[1] <= 'z';
}

// Cuts typed, pasted or read text into entries: one per line, or as many lines as its brackets need. A command always
// begins a new entry, so that an unclosed bracket does not swallow the rest.
class Entries {
 public:
  explicit Entries(const Session& session) : session_(session) {}
  // Calls use(entry) for each entry that the line completes; false: use() returned false.
  template <class Use>
  bool line(std::string_view text, const Use& use) {
    if (begins_command(text) && !open_.empty() && !end(use)) return false;
    std::optional<std::string_view> part = text;
    if (open_.empty()) {
      brackets_ = {};
      part = session_.bracketed(text);
      open_ = text;
    } else {
      open_.append(1, '\n').append(text);
    }
    return (part && brackets_.add(*part)) || end(use);
  }
  template <class Use>
  bool end(const Use& use) {
    if (open_.empty()) return true;
    const std::string entry = std::move(open_);
    open_.clear();
    return use(entry);
  }

 private:
  const Session& session_;
  std::string open_;
  UnfinishedText brackets_;  // of open_, whose lines are looked at once
};

}  // namespace

int repl(const ReplOptions& options) {
  std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const bool terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  Session session(std::move(*loading), terminal);
  LineReader reader({.complete = [&](std::string_view entry, std::size_t at) { return session.complete(entry, at); },
                     .colours = [&](std::string_view entry) { return session.colours(entry); },
                     .unfinished = [&](std::string_view entry) { return session.unfinished(entry); },
                     .idle = [&] { return session.look_at_files(); }});
  const auto show = [&](const std::string& text) {
    if (reader.interactive() && paged(text)) return true;
    output->write(text);
    return output->flush();
  };
  if (reader.interactive()) {
    end_only_in_order();
    set_table_width(screen_size().columns);
    show("assay " + std::string(version()) + ". ':help' lists the commands, Tab completes, '?name' explains.\n");
  }
  if (!options.rubric.empty()) show(session.load(options.rubric));
  const bool refused = !options.rubric.empty() && !session.loaded();
  if (!options.records.empty() && !refused) show(session.answer(":records " + options.records));
  Entries entries(session);
  // False: the session is over.
  const auto use = [&](const std::string& entry) {
    if (reader.interactive()) set_table_width(screen_size().columns);
    if (!show(session.answer(entry)) || session.ended()) return false;
    // Ctrl-C has ended only that answer, which says so.
    if (reader.interactive() && take_cancellation()) return true;
    return !interrupted();
  };
  bool on = true;
  while (on && output->alive()) {
    const std::optional<std::string> read = reader.read(session.prompt());
    if (reader.interactive() && take_cancellation()) {  // Ctrl-C at the prompt
      show("\n");
      continue;
    }
    if (interrupted()) break;
    if (!read) {
      entries.end(use);
      if (reader.interactive()) show("\n");
      break;
    }
    for (std::size_t at = 0; on && at <= read->size();) {
      const std::size_t end = std::min(read->find('\n', at), read->size());
      on = entries.line(std::string_view(*read).substr(at, end - at), use);
      at = end + 1;
    }
    if (on && reader.interactive()) on = entries.end(use);
  }
  if (reader.interactive()) return output->finish(kDone);
  return output->finish(refused ? kRefused : session.code());
}

}  // namespace assay::cli
