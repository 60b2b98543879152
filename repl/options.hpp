// How options are spelled, for the files that add verbs: main.cpp defines these, and repl/analysis/flags.cpp those that the
// prompt has as well.
#pragma once

#include "repl/analysis/flags.hpp"
#include "repl/files/record_stream.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace assay::cli {

using AddVerb = std::function<CLI::App*(const std::string& name, const std::string& meaning,
                                        const std::string& examples, std::function<int()> action)>;

CLI::Validator line_number();
void required_file(CLI::App* verb, const std::string& name, std::string& value, const std::string& meaning);
// Options for loading rubrics, common to all verbs.
void load_options(CLI::App* verb, LoadOptions& options);
void evaluation_options(CLI::App* verb, EvaluationOptions& options, bool history, bool sets = true);
void strict_option(CLI::App* verb, bool& strict);

// repl/questions.cpp: whatif, reach, sensitivity, calibrate, report.
void add_questions(const AddVerb& verb);

}  // namespace assay::cli
