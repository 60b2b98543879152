// Complete scripts for shells: completing does not run the command.
#include "repl/help/command_table.hpp"

#include <algorithm>

namespace assay::cli {

bool OptionRow::files() const {
  static constexpr std::string_view kFiles[] = {"FILE", "OLD", "NEW", "RUBRIC", "RECORDS", "DIR"};
  const std::string& what = operand ? name : value;
  return std::find(std::begin(kFiles), std::end(kFiles), what) != std::end(kFiles);
}

namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string flags(const VerbRow& verb) {
  std::string text = "--help";
  for (const OptionRow& option : verb.options) {
    if (option.operand) continue;
    text += " " + option.name + (option.letter.empty() ? "" : " " + option.letter);
  }
  return text;
}

std::string verb_names(const CommandTable& table) {
  std::string text = "help version";
  for (const VerbRow& verb : table.verbs) text += " " + verb.name;
  return text;
}

bool takes_files(const VerbRow& verb) {
  return std::any_of(verb.options.begin(), verb.options.end(),
                     [](const OptionRow& o) { return o.operand && o.files(); });
}

std::vector<std::string> operand_choices(const VerbRow& verb) {
  for (const OptionRow& option : verb.options) {
    if (option.operand && !option.choices.empty()) return option.choices;
  }
  return {};
}

std::string bash(const CommandTable& table) {
  std::string out =
      "# Completion of assay for bash: source it, or put it into ~/.local/share/bash-completion/completions/assay\n"
      "_assay() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"" +
      verb_names(table) +
      " --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb in\n"
      "    help) COMPREPLY=($(compgen -W \"" +
      verb_names(table) + "\" -- \"$word\")); return;;\n";
  for (const VerbRow& verb : table.verbs) {
    out += "    " + verb.name + ")\n      case $before in\n";
    for (const OptionRow& option : verb.options) {
      if (option.operand || option.value.empty()) continue;
      const std::string names = option.name + (option.letter.empty() ? "" : "|" + option.letter);
      out += "        " + names + ") ";
      if (!option.choices.empty()) {
        out += "COMPREPLY=($(compgen -W \"" + joined(option.choices) + "\" -- \"$word\"));";
      } else if (option.files()) {
        out += "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"));";
      }
      out += " return;;\n";
    }
    out += "      esac\n      case $word in -*) COMPREPLY=($(compgen -W \"" + flags(verb) +
           "\" -- \"$word\")); return;; esac\n";
    if (const auto choices = operand_choices(verb); !choices.empty())
      out += "      COMPREPLY=($(compgen -W \"" + joined(choices) + "\" -- \"$word\"))\n";
    if (takes_files(verb)) out += "      compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))\n";
    out += "      ;;\n";
  }
  return out + "  esac\n}\ncomplete -F _assay assay\n";
}

// Escapes text for '…' in zsh's _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_values(const OptionRow& option) {
  if (!option.choices.empty()) return "(" + joined(option.choices) + ")";
  return option.files() ? "_files" : " ";
}

std::string zsh(const CommandTable& table) {
  std::string out =
      "#compdef assay\n# Completion of assay for zsh: put it into a folder of $fpath as _assay\n"
      "_assay() {\n  local -a verbs\n  verbs=(\n    'help:Explain a verb'\n    'version:Say which version this is'\n";
  for (const VerbRow& verb : table.verbs) out += "    '" + zsh_text(verb.name) + ":" + zsh_text(verb.meaning) + "'\n";
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe -t verbs verb verbs\n    return\n  fi\n"
      "  local verb=${words[2]}\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n"
      "    help) _describe -t verbs verb verbs;;\n";
  for (const VerbRow& verb : table.verbs) {
    out += "    " + verb.name + ")\n      _arguments -s \\\n        '--help[Explain the verb]'";
    for (const OptionRow& option : verb.options) {
      out += " \\\n        ";
      const std::string repeat = option.repeats ? "*" : "";
      if (option.operand) {
        out += "'" + repeat + ":" + zsh_text(option.name) + ":" + zsh_values(option) + "'";
        continue;
      }
      for (const std::string& name : {option.name, option.letter}) {
        if (name.empty()) continue;
        if (&name != &option.name && name == option.letter && name != option.name) out += " ";
        out += "'" + repeat + name + (option.value.empty() ? "" : "=") + "[" + zsh_text(option.meaning) + "]";
        if (!option.value.empty()) out += ":" + zsh_text(option.value) + ":" + zsh_values(option);
        out += "'";
      }
    }
    out += "\n      ;;\n";
  }
  return out + "  esac\n}\n_assay \"$@\"\n";
}

std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish(const CommandTable& table) {
  std::string out =
      "# Completion of assay for fish: put it into ~/.config/fish/completions/assay.fish\n"
      "complete -c assay -f\n"
      "complete -c assay -n __fish_use_subcommand -a help -d 'Explain a verb'\n"
      "complete -c assay -n __fish_use_subcommand -a version -d 'Say which version this is'\n";
  for (const VerbRow& verb : table.verbs) {
    out += "complete -c assay -n __fish_use_subcommand -a " + verb.name + " -d " + fish_text(verb.meaning) + "\n";
    const std::string within = "complete -c assay -n '__fish_seen_subcommand_from " + verb.name + "'";
    for (const OptionRow& option : verb.options) {
      if (option.operand) {
        if (!option.choices.empty()) out += within + " -a " + fish_text(joined(option.choices)) + "\n";
        if (option.files()) out += within + " -F\n";
        continue;
      }
      out += within + " -l " + option.name.substr(2) + (option.letter.empty() ? "" : " -s " + option.letter.substr(1));
      if (!option.value.empty()) out += option.files() ? " -r -F" : " -x";
      if (!option.choices.empty()) out += " -a " + fish_text(joined(option.choices));
      out += " -d " + fish_text(option.meaning) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string completion_script(const CommandTable& table, std::string_view shell) {
  if (shell == "bash") return bash(table);
  if (shell == "zsh") return zsh(table);
  if (shell == "fish") return fish(table);
  return {};
}

}  // namespace assay::cli
