// The state of a REPL and its commands, without the terminal: a line in, text out. What a command cannot do it says in
// its text; nothing ends the session but `:quit`.
#pragma once

#include "repl/files/record_stream.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class Session {
 public:
  explicit Session(Loading loading);

  // The answer to one line. Sets ended() on `:quit`.
  std::string answer(std::string_view line);
  bool ended() const { return ended_; }
  bool loaded() const { return !rubric_file_.empty(); }

  std::string load(std::string_view file);
  std::string records(std::string_view file);

  // Everything an expression may name, and the commands, for completion.
  const std::vector<std::string>& names() const { return names_; }
  static std::vector<std::string> commands();

 private:
  struct Command;
  static const Command kCommands[];

  std::string evaluate(std::string_view expression);
  std::string describe(std::string_view name);
  std::string configure();
  std::string go(std::size_t index);
  std::string go_to(std::string_view text);
  std::string set(std::string_view text);
  std::string unset(std::string_view text);
  std::string show_record(std::string_view text);
  std::string verdict(std::string_view text);
  std::string why(std::string_view text);
  std::string explain(std::string_view text);
  std::string context(std::string_view text);
  std::string weight(std::string_view text);
  std::string history(std::string_view text);
  std::string rank(std::string_view text);
  std::string test(std::string_view text);
  std::string list_names(std::string_view text);
  std::string reload(std::string_view text);
  std::string help(std::string_view text);
  std::string forward(std::string_view text);
  std::string back(std::string_view text);
  std::string quit(std::string_view text);
  std::string load_command(std::string_view text);
  std::string records_command(std::string_view text);

  void use(Rubric rubric);
  Evaluator fresh() const;  // with the same settings; a verdict asked for twice is not its own history
  std::string whereabouts() const;

  Loading loading_;
  std::string rubric_file_;  // empty: no rubric but the bare one that expressions need
  std::optional<Rubric> rubric_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<std::string> names_;
  std::string records_file_;
  std::vector<std::string> records_;
  std::size_t current_ = 0;
  std::string record_ = "{}";  // the current one, with what :set changed
  Settings settings_;
  std::vector<std::string> history_;
  bool ended_ = false;
};

}  // namespace assay::cli
