// Flags of questions. See flags.hpp.
#include "repl/analysis/flags.hpp"

#include "repl/terminal/messages.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace assay::cli {

namespace {

// `what` is told if the value is empty.
CLI::Validator some(const std::string& what) {
  return {[what](std::string& text) { return text.empty() ? what : std::string(); }, ""};
}

void id_option(CLI::App* verb, std::string& id) {
  verb->add_option("--id", id, "The record with this id")->type_name("ID")->check(some("an id is not empty"));
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool whole = status == std::errc() && end == text.data() + text.size();
            return whole && value >= least && value <= most ? std::string()
                                                            : "'" + text + "' is not a whole number from " +
                                                                  std::to_string(least) + " to " + std::to_string(most);
          },
          ""};
}

template <class Whole>
void whole_option(CLI::App* verb, const std::string& name, Whole& value, int most, const std::string& meaning) {
  verb->add_option(name, value, meaning)->type_name("N")->check(whole_number(1, static_cast<std::uint64_t>(most)));
}

}  // namespace

void repeatable(CLI::App* verb, const std::string& name, std::vector<std::string>& values,
                const std::string& value_name, const std::string& meaning) {
  verb->add_option(name, values, meaning)->type_name(value_name)->allow_extra_args(false);
}

void single(CLI::App* verb, const std::string& name, std::string& value, const std::string& value_name,
            const std::string& meaning) {
  verb->add_option(name, value, meaning)->type_name(value_name);
}

void output_option(CLI::App* verb, std::string& output) {
  verb->add_option("--output,-o", output, "Write to this file: completely, or not at all")
      ->type_name("FILE")
      ->check(some("the name of a file is empty"));
}

void seed_option(CLI::App* verb, std::uint64_t& seed, const std::string& meaning) {
  verb->add_option("--seed", seed, meaning)->type_name("N")->check(whole_number(0, ~std::uint64_t{0}));
}

void names_option(CLI::App* verb, const std::string& name, std::string& value, const std::string& meaning) {
  const auto all_named = [](std::string& text) {
    bool empty = true;
    for (const char c : text + ",") {
      if (c == ',' && empty) return "'" + text + "' lacks a name; write names with a comma between them: id,score";
      empty = c == ',' || (empty && c == ' ');
    }
    return std::string();
  };
  verb->add_option(name, value, meaning)->type_name("NAME,NAME")->check(CLI::Validator(all_named, ""));
}

void format_option(CLI::App* verb, std::string& to, const std::string& formats) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= formats.size();) {
    const std::size_t end = std::min(formats.find('|', at), formats.size());
    names.push_back(formats.substr(at, end - at));
    at = end + 1;
  }
  verb->add_option("--to", to, "Output format (default: text)")
      ->type_name(formats)
      ->check(CLI::IsMember(std::move(names)).description(""));
}

void question_flags(CLI::App* verb, WhatIfOptions& options) {
  id_option(verb, options.question.id);
  format_option(verb, options.question.to, "text|json|markdown");
  output_option(verb, options.question.output);
  repeatable(verb, "--set", options.sets, "FIELD=VALUE", "A field that changes, by its path (repeatable)");
}

void question_flags(CLI::App* verb, ReachOptions& options) {
  id_option(verb, options.question.id);
  output_option(verb, options.question.output);
  repeatable(verb, "--to", options.to, "TARGET|FORMAT",
             "The target (default: the next better band), or the output format: text, json or markdown");
  single(verb, "--target", options.target, "TARGET",
         "A band (A), a score (8.5), 'eligible' or 'place N', whatever its name");
  repeatable(verb, "--cost", options.costs, "FIELD=COST",
             "The cost of one point of this field (default: 1; repeatable)");
  repeatable(verb, "--keep", options.keep, "FIELD", "A field that stays as it is (repeatable)");
  single(verb, "--grid", options.grid, "STEP", "The step of changed numbers (default: the last decimal of the scale)");
  whole_option(verb, "--nodes", options.nodes, 10'000'000, "The boxes of records to examine for each measure");
}

void question_flags(CLI::App* verb, SensitivityVerbOptions& options) {
  format_option(verb, options.question.to, "text|json|markdown");
  output_option(verb, options.question.output);
  single(verb, "--noise", options.noise, "N",
         "The standard deviation of judged dimensions, to see how often bands change");
  whole_option(verb, "--samples", options.samples, 10'000'000,
               "Samples of weights; 9604, the default, estimate a share within 0.01");
  seed_option(verb, options.seed, "The seed of the samples");
}

void question_flags(CLI::App* verb, CalibrateOptions& options) {
  format_option(verb, options.question.to, "text|json|markdown");
  output_option(verb, options.question.output);
  repeatable(verb, "--records", options.records, "FILE", "Records to join with the gold by id (repeatable)");
  repeatable(verb, "--fail-under", options.fail_under, "FIGURE=N",
             "Exit with 1 if a figure is below N, of all measures or of one: grade.kappa=0.6 (repeatable)");
  whole_option(verb, "--floor", options.floor, 1'000'000, "The fewest pairs for a conclusion (default: 10)");
  seed_option(verb, options.seed, "The seed of the samples for intervals");
}

void question_flags(CLI::App* verb, ReportOptions& options) { output_option(verb, options.question.output); }

void question_flags(CLI::App* verb, ExplainOptions& options) {
  id_option(verb, options.id);
  single(verb, "--versus", options.versus, "ID", "Explain why the record of --id ranks above or below this one");
  format_option(verb, options.to, "text|json|markdown|html|svg");
  verb->add_flag("--cohort", options.cohort, "Include the values that depend on all records of the run");
  single(verb, "--why", options.name, "NAME",
         "Only this value, deduction, cap or flag: how it was computed, or why it did not apply");
  repeatable(verb, "--open", options.open, "NAME",
             "Show the steps inside this value or function; 'all': inside all of them");
  output_option(verb, options.output);
}

std::string verb_meant(const std::string& word, const std::vector<std::string>& verbs) {
  // What other programs call them.
  static constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"validate", "check"}, {"verify", "check"},   {"lint", "check"},    {"evaluate", "score"}, {"run", "score"},
      {"grade", "score"},    {"apply", "score"},    {"format", "fmt"},    {"sort", "rank"},      {"order", "rank"},
      {"compare", "diff"},   {"init", "new"},       {"create", "new"},    {"why", "explain"},    {"what-if", "whatif"},
      {"improve", "reach"},  {"optimise", "reach"}, {"optimize", "reach"}};
  for (const auto& [other, verb] : kOtherNames) {
    const bool there = std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
    if (word == other && there) return std::string(verb);
  }
  return nearest(word, verbs);
}

namespace {

// The option that an unknown one stands for: another program's name of it, a similar one, --json for --to json, and -v
// for the only name that begins so. Empty: none.
std::string option_meant(const CLI::App& where, const std::string& flag) {
  static constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"format", "to"},    {"output-format", "to"}, {"input-format", "from"},
      {"jobs", "threads"}, {"columns", "fields"},   {"select", "fields"},
      {"override", "set"}, {"compare", "versus"},   {"minimum", "threshold"}};
  const std::string word = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  std::vector<std::string> known;
  std::string other, chosen, begins;
  std::size_t beginning = 0;
  for (const CLI::Option* option : where.get_options()) {
    if (option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    known.insert(known.end(), option->get_lnames().begin(), option->get_lnames().end());
    if (name.front() == word.front() && beginning++ == 0) begins = "--" + name;
    for (const auto& [foreign, ours] : kOtherNames) other = word == foreign && name == ours ? "--" + name : other;
    const std::string choices = '|' + option->get_type_name() + '|';
    const bool takes = choices.find('|', 1) + 1 < choices.size() && choices.find('|' + word + '|') != choices.npos;
    if (takes && (chosen.empty() || name == "to")) chosen = "--" + name + ' ' + word;  // a format is that of the answer
  }
  if (word.size() == 1) return beginning == 1 ? begins : "";
  const std::string near = nearest(word, known);
  return !other.empty() ? other : !chosen.empty() ? chosen : near.empty() ? "" : "--" + near;
}

// What to write for an unknown option.
std::string instead_of(const CLI::App& where, const std::string& flag) {
  if (const std::string near = option_meant(where, flag); !near.empty()) return "; did you mean '" + near + "'?";
  for (const CLI::Option* operand : where.get_options()) {
    std::string name = operand->get_positional() ? "--" + operand->get_name(true) : "";
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (name == flag) return "; '" + operand->get_name(true) + "' is written alone";
  }
  return {};
}

}  // namespace

std::string misuse_text(const CLI::App& where, const std::vector<std::string>& rest, const CLI::ParseError& error) {
  for (const std::string& one : rest) {
    if (one.size() < 2 || one.front() != '-') continue;
    const std::string flag = one.substr(0, one.find('='));
    return "there is no option '" + flag + "'" + instead_of(where, flag);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty())
    return "'" + rest.front() + "' is one argument too many";
  // CLI11 counts where a sentence is wanted: "--to: At Most 1 required but received 2", "--weight: 1 required NAME
  // missing".
  const std::string message = error.what();
  const std::string option = message.substr(0, message.find(':'));
  if (message.find("At Most 1 required") != std::string::npos) return option + " is given more than once";
  const std::size_t required = message.find(": 1 required ");
  if (required == option.size() && message.ends_with(" missing")) {
    const std::size_t begin = required + std::string_view(": 1 required ").size();
    return option + " needs a value: " + message.substr(begin, message.rfind(' ') - begin);
  }
  // "--to: xml not in {text,json}"
  const std::size_t list = message.find(" not in {");
  if (list != std::string::npos && list > option.size() + 2 && message.back() == '}') {
    const std::string given = message.substr(option.size() + 2, list - option.size() - 2);
    std::vector<std::string> choices;
    std::string shown;
    for (std::size_t at = message.find('{') + 1; at < message.size();) {
      const std::size_t end = std::min(message.find(',', at), message.size() - 1);
      choices.push_back(message.substr(at, end - at));
      shown += (shown.empty() ? "" : ", ") + choices.back();
      at = end + 1;
    }
    const std::string near = nearest(given, choices);
    return option + " cannot be '" + printable(given) + "'" +
           (near.empty() ? "; it can be " + shown : "; did you mean '" + near + "'?");
  }
  return message;
}

namespace {

// "place 1" in quotes is one word; quotes within a word belong to its value.
std::string unquoted(const std::string& word) {
  const bool quoted = word.size() >= 2 && word.front() == '"' && word.back() == '"';
  return quoted ? word.substr(1, word.size() - 2) : word;
}

template <class Options>
bool read(const std::vector<std::string>& words, Options& options, TypedFlags& typed) {
  CLI::App app;
  app.add_option("OPERAND", typed.operands)->group("");
  question_flags(&app, options);
  std::vector<std::string> from_the_end;
  for (std::size_t i = words.size(); i-- > 0;) from_the_end.push_back(unquoted(words[i]));
  try {
    app.parse(from_the_end);
  } catch (const CLI::CallForHelp&) {
    typed.helped = true;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
      const bool valued = option->get_expected_max() > 0;
      std::string name = "  --" + option->get_lnames()[0] + (valued ? " " + option->get_type_name() : "");
      if (!option->get_snames().empty()) name += ", -" + option->get_snames()[0];
      constexpr std::size_t kWidth = 34;
      name += std::string(name.size() < kWidth ? kWidth - name.size() : 1, ' ');
      typed.problem += name + option->get_description() + "\n";
    }
    return false;
  } catch (const CLI::ParseError& error) {
    typed.problem = misuse_text(app, app.remaining(), error);
    return false;
  }
  return true;
}

}  // namespace

bool read_flags(const std::vector<std::string>& words, WhatIfOptions& options, TypedFlags& typed) {
  return read(words, options, typed);
}
bool read_flags(const std::vector<std::string>& words, ReachOptions& options, TypedFlags& typed) {
  return read(words, options, typed);
}
bool read_flags(const std::vector<std::string>& words, SensitivityVerbOptions& options, TypedFlags& typed) {
  return read(words, options, typed);
}
bool read_flags(const std::vector<std::string>& words, CalibrateOptions& options, TypedFlags& typed) {
  return read(words, options, typed);
}
bool read_flags(const std::vector<std::string>& words, ReportOptions& options, TypedFlags& typed) {
  return read(words, options, typed);
}
bool read_flags(const std::vector<std::string>& words, ExplainOptions& options, TypedFlags& typed) {
  return read(words, options, typed);
}

}  // namespace assay::cli
