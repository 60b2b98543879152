// assay repl: a rubric, its records and a prompt. Without a terminal it reads commands from standard input and echoes
// nothing, so that a session can be a test.
#include "repl/files/output.hpp"
#include "repl/session/line_reader.hpp"
#include "repl/session/session.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <assay/library.hpp>

#include <cctype>

namespace assay::cli {

namespace {

bool begins(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// Names are completed behind any operator: "a+co" becomes "a+correctness".
Completions complete(const Session& session, std::string_view line, std::string_view word) {
  Completions result;
  for (const std::string_view command : {":load ", ":records ", ":history "}) {
    result.file_names = result.file_names || begins(line, command);
  }
  if (result.file_names) return result;
  if (begins(word, ":") && line.size() == word.size()) {
    for (const std::string& command : Session::commands()) {
      if (begins(command, word)) result.words.push_back(command + " ");
    }
    return result;
  }
  if (begins(line, "?")) {
    const std::string_view mark = begins(word, "?") ? "?" : "";
    for (const LibraryModule& module : library_modules()) {
      for (const LibraryFunction& function : module.functions) {
        if (begins(function.name, word.substr(mark.size()))) result.words.push_back(std::string(mark) + function.name);
      }
    }
    return result;
  }
  std::size_t start = word.size();
  while (start > 0 && (std::isalnum(static_cast<unsigned char>(word[start - 1])) != 0 || word[start - 1] == '_'))
    --start;
  for (const std::string& name : session.names()) {
    if (start < word.size() && begins(name, word.substr(start))) {
      result.words.push_back(std::string(word.substr(0, start)) + name);
    }
  }
  return result;
}

}  // namespace

int repl(const ReplOptions& options) {
  std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  Session session(std::move(*loading));
  LineReader reader([&](std::string_view line, std::string_view word) { return complete(session, line, word); });
  const auto show = [&](const std::string& text) {
    output->write(text);
    return output->flush();
  };
  if (reader.interactive()) show("assay " + std::string(version()) + ". ':help' lists the commands.\n");
  if (!options.rubric.empty()) show(session.load(options.rubric));
  if (!options.records.empty()) show(session.answer(":records " + options.records));
  const bool refused = !options.rubric.empty() && !session.loaded();
  while (!session.ended() && output->alive()) {
    const std::optional<std::string> line = reader.read("assay> ");
    if (reader.interactive() && take_cancellation()) {  // Ctrl-C at the prompt
      show("\n");
      continue;
    }
    if (interrupted()) break;
    if (!line) {
      if (reader.interactive()) show("\n");
      break;
    }
    if (!show(session.answer(*line))) break;
    if (reader.interactive()) (void)take_cancellation();  // it ended that command, whose answer says so
    if (interrupted()) break;
  }
  return output->finish(refused && !reader.interactive() ? kRefused : kDone);
}

}  // namespace assay::cli
