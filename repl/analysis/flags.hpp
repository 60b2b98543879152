// The flags of the verbs that ask questions, declared once: the command line has them, and the commands of the prompt take
// the same ones. flags.cpp, with main.cpp and questions.cpp of the command, is all that knows CLI11.
#pragma once

#include "repl/analysis/questions.hpp"
#include "repl/verbs/verbs.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace assay::cli {

// An option that may be given several times, one value each.
void repeatable(CLI::App* verb, const std::string& name, std::vector<std::string>& values,
                const std::string& value_name, const std::string& meaning);
void single(CLI::App* verb, const std::string& name, std::string& value, const std::string& value_name,
            const std::string& meaning);
void seed_option(CLI::App* verb, std::uint64_t& seed, const std::string& meaning);
// Names with commas between them.
void names_option(CLI::App* verb, const std::string& name, std::string& value, const std::string& meaning);
void output_option(CLI::App* verb, std::string& output);
// `--to`; `formats`: "text|json|markdown"
void format_option(CLI::App* verb, std::string& to, const std::string& formats);
// The verb that a word stands for which is none. Empty: nobody can tell.
std::string verb_meant(const std::string& word, const std::vector<std::string>& verbs);
// One sentence for what CLI11 refused: an unknown flag is named, with the nearest known one. `where`: the app or its verb;
// `rest`: what it could not place.
std::string misuse_text(const CLI::App& where, const std::vector<std::string>& rest, const CLI::ParseError& error);

// What each verb asks, without the rubric, its records and how they are read.
void question_flags(CLI::App* verb, WhatIfOptions& options);
void question_flags(CLI::App* verb, ReachOptions& options);
void question_flags(CLI::App* verb, SensitivityVerbOptions& options);
void question_flags(CLI::App* verb, CalibrateOptions& options);
void question_flags(CLI::App* verb, ReportOptions& options);
void question_flags(CLI::App* verb, ExplainOptions& options);

// What stands behind a command of the prompt: flags, and `operands`, which are all other words. False: `problem` says what
// is wrong, or with --help which flags there are (then `helped`).
struct TypedFlags {
  std::vector<std::string> operands;
  std::string problem;
  bool helped = false;
};
bool read_flags(const std::vector<std::string>& words, WhatIfOptions& options, TypedFlags& typed);
bool read_flags(const std::vector<std::string>& words, ReachOptions& options, TypedFlags& typed);
bool read_flags(const std::vector<std::string>& words, SensitivityVerbOptions& options, TypedFlags& typed);
bool read_flags(const std::vector<std::string>& words, CalibrateOptions& options, TypedFlags& typed);
bool read_flags(const std::vector<std::string>& words, ReportOptions& options, TypedFlags& typed);
bool read_flags(const std::vector<std::string>& words, ExplainOptions& options, TypedFlags& typed);

}  // namespace assay::cli
