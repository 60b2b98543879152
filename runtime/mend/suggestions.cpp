// The suggestions of each diagnostic: those that help when they are tried.
#include "lang/mend/mend.hpp"
#include "lang/mend/rank.hpp"
#include "lang/text/line_diff.hpp"
#include "lang/text/source.hpp"
#include "runtime/mend/trials.hpp"

#include <assay/mend.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace assay {

using mending::has_remedy, mending::is_error;

namespace {

// How the file changes when all that is certain is mended.
struct Outcome {
  std::string text;
  std::vector<LineChange> changes;
  bool better = false;           // fewer mistakes are left
  std::vector<Diagnostic> left;  // what is wrong then
};
Outcome mended_lines(const Workbench& bench, std::string_view name, std::string_view text,
                     const std::vector<Diagnostic>& all) {
  MendLimits limits = bench.limits();
  limits.trials /= 2, limits.bytes /= 2, limits.all_steps /= 2;
  Mended mended = mend(name, text, bench.options(), limits);
  Outcome outcome{std::string(text), {}, mistakes(mended.compiled.diagnostics) < mistakes(all), {}};
  outcome.left = std::move(mended.compiled.diagnostics);
  for (const MendedFile& file : mended.files) {
    if (file.name != name) continue;
    outcome.text = file.after;
    outcome.changes = line_changes(file.before, file.after);
  }
  return outcome;
}

// Whether the edits of a trial are those of mend(), or a step to them.
bool leads_to(const Outcome& outcome, std::string_view name, std::string_view text, const Trial& trial) {
  const auto now = trial.changed.find(name);
  return now == trial.changed.end() || mending::is_step(text, now->second, outcome.text);
}

// Whether mend() keeps an edit of this file: it changes a line that the edit changes.
bool is_kept(const std::vector<LineChange>& changes, std::string_view name, std::string_view text,
             const std::vector<Edit>& edits) {
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    if (edit.file != name) return true;
    const std::size_t end = std::min(text.find('\n', edit.end), text.size());
    return std::any_of(changes.begin(), changes.end(), [&](const LineChange& c) {
      const bool behind = c.begin == c.end && c.begin == end + 1;  // a line behind that of the edit
      return behind || (c.begin <= end && edit.begin <= c.end);
    });
  });
}

// The change that the line of a problem lies in; of lines that change one by one only that line when it is `alone`.
std::optional<Suggestion> of_lines(const std::vector<LineChange>& changes, std::string_view name, std::string_view text,
                                   const Diagnostic& problem, bool alone) {
  if (problem.at.file.str() != name) return std::nullopt;
  for (const LineChange& change : changes) {
    if (problem.at.offset < change.begin || problem.at.offset >= std::max(change.end, change.begin + 1)) continue;
    // The indentation of the first line and the end of the last one stay.
    std::size_t begin = change.begin, end = change.end;
    std::string_view now = change.text;
    if (alone &&
        std::count(now.begin(), now.end(), '\n') == std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                               text.begin() + static_cast<std::ptrdiff_t>(end), '\n')) {
      while (true) {
        const std::size_t old_line = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const std::size_t new_line = std::min(now.find('\n'), now.size() - 1) + 1;
        if (problem.at.offset < old_line || old_line >= end || new_line >= now.size()) {
          end = std::min(end, old_line);
          now = now.substr(0, new_line);
          break;
        }
        begin = old_line;
        now.remove_prefix(new_line);
      }
    }
    while (begin < end && !now.empty() && text[begin] == now.front() && (now.front() == ' ' || now.front() == '\t'))
      ++begin, now.remove_prefix(1);
    while (end > begin && !now.empty() && text[end - 1] == now.back() && now.back() == '\n')
      --end, now.remove_suffix(1);
    Suggestion suggestion;
    suggestion.edits.push_back({std::string(name), begin, end, std::string(now)});
    suggestion.certain = true;
    return suggestion;
  }
  return std::nullopt;
}

// "this follows from line 4; correct that first", of an error on a line that stays as it is and is right when others are
// corrected; empty: it is a mistake of its own.
std::string cause_of(const Outcome& outcome, std::string_view name, std::string_view text, const Diagnostic& d) {
  if (!is_error(d) || !outcome.better || d.at.file.str() != name) return {};
  const bool left = std::any_of(outcome.left.begin(), outcome.left.end(), [&d](const Diagnostic& other) {
    return other.code == d.code && other.at.line_text == d.at.line_text;
  });
  std::vector<std::ptrdiff_t> lines;
  for (const LineChange& change : outcome.changes) {
    if (d.at.offset >= change.begin && d.at.offset < std::max(change.end, change.begin + 1)) return {};
    lines.push_back(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(change.begin), '\n'));
  }
  if (left || lines.empty()) return {};
  if (lines.size() == 1) return "this follows from line " + std::to_string(lines[0]) + "; correct that first";
  return "this follows from lines that --fix corrects; correct those first";
}

// Adds the keys that the edits of a trial leave as they are because they mean nothing: they hide behind the head of an
// outline, and are told at their own places, as they are once it is mended.
void tell_keys(const Trial& trial, std::string_view name, std::string_view text, std::vector<Diagnostic>& all) {
  Sources sources;
  const std::uint32_t file = sources.add(std::string(name), std::string(text));
  for (const Diagnostic& d : trial.compiled.diagnostics) {
    if (d.code != "E0107" || d.at.file.str() != name) continue;
    std::size_t at = d.at.offset;  // in the text before the edits
    bool kept = true;
    for (const Edit& edit : trial.suggestion.edits) {
      if (edit.begin > at) break;
      kept = kept && at >= edit.begin + edit.text.size();
      at += edit.end - edit.begin - std::min(edit.text.size(), at - edit.begin);
    }
    if (!kept || at + d.at.bytes >= text.size()) continue;
    const auto begin = static_cast<std::uint32_t>(at), end = static_cast<std::uint32_t>(at + d.at.bytes);
    Diagnostic key = d;
    key.at = sources.locate({file, begin, end});
    key.suggestions.clear();
    all.push_back(std::move(key));
  }
}

// A guess whose own text has another mistake, with the certain edits that mend this one.
std::optional<Trial> continued(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all,
                               std::string_view name, const Trial& guess) {
  const auto changed = guess.changed.find(std::string(name));
  if (changed == guess.changed.end()) return std::nullopt;
  MendLimits limits = bench.limits();
  limits.trials /= 4, limits.bytes /= 4, limits.all_steps /= 4;
  const Mended mended = mend(name, changed->second, bench.options(), limits);
  const std::string& before = bench.texts().find(name)->second;
  for (const MendedFile& file : mended.files) {
    if (file.name != name) continue;
    std::optional<Suggestion> lines = of_lines(line_changes(before, file.after), name, before, problem, true);
    if (!lines) return std::nullopt;
    lines->certain = false;
    return try_out(bench, problem, all, std::move(*lines));
  }
  return std::nullopt;
}

}  // namespace

Compiled compile_with_suggestions(std::string_view name, std::string_view text, const CompileOptions& options,
                                  const MendLimits& limits) {
  Workbench bench(name, text, options, limits);
  Compiled compiled = bench.compile_these(nullptr);
  const std::vector<Diagnostic> all = compiled.diagnostics;
  const bool wrong_file = std::any_of(all.begin(), all.end(), is_error);
  const Outcome outcome = wrong_file ? mended_lines(bench, name, text, all) : Outcome{std::string(text), {}, false, {}};
  const std::vector<LineChange>& changes = outcome.changes;
  // A trial that does not even make its own lines readable says nothing, unless mend() takes it for a step.
  const auto is_nonsense = [&](const Trial& trial) {
    const bool step = trial.suggestion.certain && is_kept(changes, name, text, trial.suggestion.edits);
    return trial.rank.within || (trial.rank.beside && !step);
  };
  std::size_t looked = 0;
  std::vector<Diagnostic> keys;
  for (Diagnostic& d : compiled.diagnostics) {
    if (d.at.line == 0 || ++looked > limits.problems || bench.exhausted()) continue;
    const bool proposed = !d.suggestions.empty();
    std::vector<Trial> trials = tried(bench, d, all);
    // Where no single edit mends all of a line, the line as it is when everything is mended may.
    const bool whole = (!trials.empty() && trials.front().rank.errors == 0) || !d.at.quoted || !has_remedy(d.code);
    for (const bool alone : {true, false}) {
      // Other lines are mended by their own suggestions.
      const bool own =
          !alone && !trials.empty() && trials.front().suggestion.certain &&
          trials.front().rank.errors < static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_error));
      std::optional<Suggestion> lines =
          whole || own || !outcome.better ? std::nullopt : of_lines(changes, name, text, d, alone);
      if (!lines) break;
      std::optional<Trial> trial = try_out(bench, d, all, std::move(*lines));
      if (trial && (trials.empty() || trial->rank < trials.front().rank))
        trials.insert(trials.begin(), std::move(*trial));
    }
    const bool wrong = std::all_of(trials.begin(), trials.end(), is_nonsense);
    if (!trials.empty() && wrong) {
      if (std::optional<Trial> both = continued(bench, d, all, name, trials.front()))
        trials.insert(trials.begin(), std::move(*both));
    }
    // What is shown is what mend() writes, or a step to it.
    std::optional<Suggestion> writes = is_error(d) ? of_lines(changes, name, text, d, true) : std::nullopt;
    if (writes && (trials.empty() || !leads_to(outcome, name, text, trials.front()))) {
      if (std::optional<Trial> trial = try_out(bench, d, all, std::move(*writes))) {
        trial->rank.within = trial->rank.beside = false;  // mend() keeps it
        trials.insert(trials.begin(), std::move(*trial));
      }
    }
    d.suggestions.clear();
    if (!trials.empty() && all.size() == 1 && is_error(d) && trials.front().suggestion.certain && keys.empty() &&
        trials.front().suggestion.edits.size() > 1)
      tell_keys(trials.front(), name, text, keys);
    for (Trial& trial : trials) {
      if (!is_nonsense(trial) && d.suggestions.empty()) d.suggestions.push_back(std::move(trial.suggestion));
    }
    const bool answers = !d.suggestions.empty() && d.suggestions.front().certain &&
                         is_kept(changes, name, text, d.suggestions.front().edits);
    if (const std::string cause = answers ? std::string() : cause_of(outcome, name, text, d); !cause.empty()) {
      d.suggestions.clear();
      d.help = cause;
    } else if (!d.suggestions.empty()) {
      Suggestion& first = d.suggestions.front();
      // A step that a later one does not complete is taken back by mend(): nothing to apply by itself.
      if (is_error(d) && first.certain && !is_kept(changes, name, text, first.edits)) first.certain = false;
      d.help = first.title;
      if (!limits.tables && changes_table(bench, d.suggestions.front())) d.suggestions.clear();
    } else if (proposed && !is_about_rows(d) && (is_error(d) || d.help.str().substr(0, 6) == "write ")) {
      d.help = {};
    }
  }
  std::move(keys.begin(), keys.end(), std::back_inserter(compiled.diagnostics));
  return compiled;
}

}  // namespace assay
