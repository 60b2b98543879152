// Tries suggestions: applies each to the texts in memory, compiles the rubric again, and compares the problems before
// and after.
#include "lang/mend/mend.hpp"
#include "lang/mend/rank.hpp"
#include "lang/mend/titles.hpp"
#include "lang/text/line_diff.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/engine/compile_stages.hpp"
#include "runtime/hooks/stdlib.hpp"

#include <assay/mend.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace assay {
namespace {

using mending::is_syntax, mending::is_unknown_name, mending::touches;
using mending::Rank, mending::Texts, mending::applied, mending::compare, mending::has_remedy, mending::is_error;

// Only the checker knows what belongs to the rows of bands: a proposal that changes the score hides their mistake.
bool is_about_rows(const Diagnostic& d) { return d.code == "E0208" || d.code == "E0209" || d.code == "E0210"; }

class Workbench {
 public:
  Workbench(std::string_view name, std::string_view text, const CompileOptions& options, const MendLimits& limits)
      : name_(name), text_(text), options_(options), limits_(limits) {
    texts_.emplace(name_, text_);
    host_ = options.importer;
    options_.importer = [this](std::string_view path, std::string_view from,
                               std::string& file) -> std::optional<std::string> {
      if (!host_) return std::nullopt;
      // Each file is requested once: trials neither read it again nor report again why it cannot be read.
      const std::string key = std::string(from) + '\n' + std::string(path);
      auto found = read_.find(key);
      if (found == read_.end()) {
        Read read;
        std::optional<std::string> got = host_(path, from, read.name);
        read.found = got.has_value();
        found = read_.emplace(key, std::move(read)).first;
        // A file may be named in many ways: its text is kept once.
        if (got && texts_.count(found->second.name) == 0) {
          texts_.emplace(found->second.name, *got);
          originals_.emplace(found->second.name, std::move(*got));
        }
      }
      file = found->second.name;
      if (!found->second.found) return std::nullopt;
      const auto changed = trying_ != nullptr ? trying_->find(file) : texts_.end();
      if (trying_ != nullptr && changed != trying_->end()) return changed->second;
      return texts_.find(file)->second;
    };
  }

  // Compiles these texts; null: the current ones.
  Compiled compile_these(const Texts* trying) {
    trying_ = trying;
    const auto it = trying != nullptr ? trying->find(name_) : texts_.end();
    const std::string& text = trying != nullptr && it != trying->end() ? it->second : texts_.find(name_)->second;
    CompileOptions options = options_;
    if (trying != nullptr) {
      ++trials_;
      bytes_ += text.size();
      Limits& limits = options.limits;  // of its examples, too
      limits.compile_steps = std::min(limits.compile_steps, limits_.steps);
      limits.steps = std::min<std::uint64_t>(limits.steps, 200'000);
      limits.hook_steps = std::min<std::uint64_t>(limits.hook_steps, 200'000);
      limits.memory_bytes = std::min(limits.memory_bytes, std::size_t{16} << 20);
    }
    Stages stages = compile_stages(name_, text, options);
    if (trying != nullptr) steps_ += stages.steps;
    trying_ = nullptr;
    return compiled(std::move(stages));
  }
  bool exhausted() const {
    const std::size_t size = texts_.find(name_)->second.size();
    return trials_ >= limits_.trials || steps_ >= limits_.all_steps || bytes_ + size > limits_.bytes ||
           size > limits_.bytes / 16 || interrupt_state(options_.interrupt) != Interrupt::State::none;
  }
  const Texts& texts() const { return texts_; }
  // What the examples expect in vain now.
  std::size_t unmet();
  void accept(const Texts& changed) {
    unmet_.reset();
    for (const auto& [name, text] : changed) texts_[name] = text;
  }
  const std::string& original(const std::string& file) const {
    const auto found = originals_.find(file);
    return found == originals_.end() ? text_ : found->second;
  }
  const MendLimits& limits() const { return limits_; }
  const CompileOptions& options() const { return options_; }  // with an importer that asks for each file once

 private:
  struct Read {
    std::string name;
    bool found = false;
  };
  std::string name_, text_;
  CompileOptions options_;
  MendLimits limits_;
  Importer host_;
  Texts texts_, originals_;  // now, and as they were read; the rubric itself is in text_
  std::map<std::string, Read> read_;
  const Texts* trying_ = nullptr;
  std::optional<std::size_t> unmet_;
  std::size_t trials_ = 0, bytes_ = 0;
  std::uint64_t steps_ = 0;
};

struct Trial {
  Suggestion suggestion;
  Rank rank;
  Texts changed;
  Compiled compiled;
  std::size_t unmet = 0;  // expectations of the rubric's examples, where several trials are equal otherwise
  bool choice = false;    // see Proposal
};

// Whether the examples of a rubric can decide between several forms of it: there are some, and not too many.
bool has_examples(const Compiled& compiled) {
  constexpr std::size_t kMost = 8;
  const std::size_t count = compiled.rubric ? compiled.rubric->impl().rubric().examples.size() : 0;
  return count > 0 && count <= kMost;
}

std::size_t unmet_expectations(const Compiled& compiled) {
  std::size_t unmet = 0;
  if (!has_examples(compiled)) return unmet;
  for (const ExampleResult& result : compiled.rubric->test()) unmet += result.differences.size();
  return unmet;
}

std::size_t Workbench::unmet() {
  if (!unmet_) unmet_ = unmet_expectations(compile_these(nullptr));
  return *unmet_;
}

// Whether a problem is in an example: whether that one holds is no matter of how it is written.
bool in_example(const Texts& texts, const Diagnostic& problem) {
  const auto file = texts.find(problem.at.file.str());
  if (file == texts.end()) return false;
  const mending::Tokens tokens(file->second);
  std::size_t i = tokens.at(problem.at.offset);
  while (i > 0 && !tokens[i].starts) --i;
  return tokens.is(i, "example");
}

// One suggestion, tried; nothing when it does not help.
std::optional<Trial> try_out(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all,
                             Suggestion suggestion) {
  std::optional<Texts> changed = applied(bench.texts(), suggestion.edits);
  if (!changed || changed->empty()) return std::nullopt;
  Compiled compiled = bench.compile_these(&*changed);
  const Rank rank = compare(bench.texts(), problem, all, compiled.diagnostics, suggestion.edits);
  if (!rank.helps) return std::nullopt;
  suggestion.certain =
      suggestion.certain && mending::lost_name(bench.texts(), *changed, suggestion.edits, false).empty();
  if (suggestion.title.empty() || suggestion.title.str().substr(0, 7) == "write '")
    suggestion.title = mending::title_of(bench.texts().find(suggestion.edits.front().file)->second, suggestion.edits,
                                         problem.at.offset, suggestion.lines);
  return Trial{std::move(suggestion), rank, std::move(*changed), std::move(compiled)};
}

// Whether a suggestion changes a table that a rubric names.
bool changes_table(const Workbench& bench, const Suggestion& suggestion) {
  return std::any_of(suggestion.edits.begin(), suggestion.edits.end(), [&bench](const Edit& edit) {
    return std::any_of(bench.texts().begin(), bench.texts().end(), [&edit](const auto& one) {
      return one.first != edit.file && !mending::keys_of_table(one.second, edit.file).empty();
    });
  });
}

// Edits of a table that the problem is in, or whose keys or cells are of another type than the rubric takes them for.
void propose_tables(const Workbench& bench, const Diagnostic& problem, std::vector<Suggestion>& list) {
  const bool inside = !problem.at.quoted;
  if (!inside && problem.code != "E0401" && problem.code != "E0402" && problem.code != "W0720") return;
  for (const auto& [name, text] : bench.texts()) {
    if (inside && name != problem.at.file.str()) continue;
    std::vector<std::string> keys;
    for (const auto& [other, rubric] : bench.texts()) {
      if (other != name && keys.empty()) keys = mending::keys_of_table(rubric, name);
    }
    for (mending::Proposal& p : mending::propose_table(name, text, keys)) {
      Suggestion s;
      s.title = mending::table_title(name, text, p.edits, keys);
      s.edits = std::move(p.edits);
      s.certain = p.certain;
      list.push_back(std::move(s));
    }
  }
}

// Modules of the standard library for a file that cannot be read.
void propose_modules(const Workbench& bench, const Diagnostic& problem, std::vector<Suggestion>& list) {
  const auto file = bench.texts().find(problem.at.file.str());
  if (problem.code != "E0601" || file == bench.texts().end() || problem.at.bytes < 3) return;
  for (std::string& path : stdlib_paths_like(file->second.substr(problem.at.offset + 1, problem.at.bytes - 2))) {
    Suggestion s;
    s.edits.push_back({file->first, problem.at.offset + 1, problem.at.offset + problem.at.bytes - 1, std::move(path)});
    s.certain = true;
    list.push_back(std::move(s));
  }
}

// The lines that some edits have written.
class Lines {
 public:
  // Behind some edits, which have been applied to these texts; `own`: it adds their lines.
  void follow(const std::vector<Edit>& edits, const Texts& now, bool own) {
    const auto moved = [](std::size_t at, std::ptrdiff_t by) {
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + by);
    };
    std::ptrdiff_t shift = 0;
    std::vector<Line> written;
    for (const Edit& edit : edits) {
      const std::size_t begin = moved(edit.begin, shift), end = begin + edit.text.size();
      const auto grows = static_cast<std::ptrdiff_t>(end) - static_cast<std::ptrdiff_t>(moved(edit.end, shift));
      for (Line& line : lines_) {
        if (line.file != edit.file) continue;
        if (begin < line.begin) line.begin = std::max(moved(line.begin, grows), begin);
        if (begin <= line.end) line.end = std::max(moved(line.end, grows), begin);
      }
      shift += grows;
      const std::string& text = now.find(edit.file)->second;
      const std::size_t first = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
      if (own) written.push_back({edit.file, first, std::min(text.find('\n', end), text.size())});
    }
    lines_.insert(lines_.end(), written.begin(), written.end());
  }
  bool contain(const Diagnostic& d) const {
    return std::any_of(lines_.begin(), lines_.end(), [&d](const Line& line) {
      return d.at.file.str() == line.file && d.at.offset >= line.begin && d.at.offset <= line.end;
    });
  }

 private:
  struct Line {
    std::string file;
    std::size_t begin, end;
  };
  std::vector<Line> lines_;
};

// Whether a default that is never used has another value than a literal: 'done default late', where both were meant.
bool loses_value(const Trial& trial, const Diagnostic& d) {
  const auto file = trial.changed.find(d.at.file.str());
  if (d.code != "W0702" || file == trial.changed.end()) return false;
  const std::size_t at = file->second.find_first_not_of(" (", d.at.offset + d.at.bytes);
  const std::string_view rest = std::string_view(file->second).substr(std::min(at, file->second.size()));
  return !rest.starts_with("true") && !rest.starts_with("false") && !rest.starts_with("missing") && !rest.empty() &&
         (std::isalpha(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '_');
}

// A case of no use is wrong by itself, where a condition that never holds has two sides.
bool idle_case(const Diagnostic& d) { return d.message.str().starts_with("this case is never chosen"); }

// A doubt that the edits of a trial raise, of the kinds that tell that they are not what was meant: weights under which a
// value never uses its range, a condition that never holds or contradicts its own text, texts in an order, missing
// items, a value or a case of no use. Null: none.
const Diagnostic* doubted(const Trial& trial, const std::vector<Diagnostic>& before) {
  static constexpr std::string_view kOfLines[] = {"W0710", "W0719", "W0723", "W0739", "W0755"};
  Lines lines;
  lines.follow(trial.suggestion.edits, trial.changed, true);
  for (const Diagnostic& d : trial.compiled.diagnostics) {
    const bool of_line = std::find(std::begin(kOfLines), std::end(kOfLines), d.code) != std::end(kOfLines);
    const bool kind = d.code == "W0729" || (of_line && lines.contain(d)) ||
                      ((d.code == "W0732" || loses_value(trial, d)) && touches(d, trial.suggestion.edits));
    const auto same = [&d](const Diagnostic& old) { return old.code == d.code && old.message == d.message; };
    if (kind && std::none_of(before.begin(), before.end(), same)) return &d;
  }
  return nullptr;
}

// The edits of a trial and, in one, those that answer the doubt which they raise; nothing if that does not help.
std::optional<Trial> with_fix_it(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all,
                                 const Trial& trial, const Diagnostic& doubt) {
  if (doubt.suggestions.empty() || trial.changed.size() != 1) return std::nullopt;
  const auto answered = applied(trial.changed, doubt.suggestions.front().edits);
  if (!answered || answered->size() != 1) return std::nullopt;
  const std::string& file = answered->begin()->first;
  const std::string_view before = bench.texts().find(file)->second;
  std::string_view after = answered->begin()->second;
  const std::size_t begin = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first - before.begin());
  std::size_t same = 0;  // bytes at the end
  while (same < std::min(before.size(), after.size()) - begin &&
         before[before.size() - 1 - same] == after[after.size() - 1 - same])
    ++same;
  after.remove_suffix(same);
  Suggestion both;
  both.edits.push_back({file, begin, before.size() - same, std::string(after.substr(begin))});
  both.certain = true;
  std::optional<Trial> tried = try_out(bench, problem, all, std::move(both));
  return tried && doubted(*tried, all) == nullptr ? std::move(tried) : std::nullopt;
}

// The only weight with which the examples of a rubric hold; nothing if several have it, or none.
std::optional<Trial> decided_weight(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all) {
  const auto file = bench.texts().find(problem.at.file.str());
  if (file == bench.texts().end()) return std::nullopt;
  std::optional<Trial> found;
  bool other = false;
  for (mending::Proposal& p : mending::propose_weights(file->first, file->second, problem)) {
    Suggestion s;
    s.edits = std::move(p.edits);
    s.certain = true;
    std::optional<Trial> trial = bench.exhausted() ? std::nullopt : try_out(bench, problem, all, std::move(s));
    if (!trial || trial->rank.errors > 0) return std::nullopt;
    const bool unmet = unmet_expectations(trial->compiled) > 0;
    other = other || unmet;
    if (unmet) continue;
    if (found) return std::nullopt;
    found = std::move(trial);
  }
  return other ? std::move(found) : std::nullopt;
}

// Of several readings that are as likely, the only one that compiles is certain, or the only one with which the examples
// hold.
void decide(std::vector<Trial>& trials) {
  std::vector<Trial*> best;
  for (Trial& trial : trials) {
    if (!trial.choice || (!best.empty() && best.front()->rank < trial.rank)) continue;
    if (!best.empty() && trial.rank < best.front()->rank) best.clear();
    best.push_back(&trial);
  }
  const auto fails = [](const Trial* trial) { return trial->unmet > 0; };
  const bool more = best.size() > 1;
  if (more && (!has_examples(best.front()->compiled) || std::none_of(best.begin(), best.end(), fails))) return;
  best.erase(std::remove_if(best.begin(), best.end(), fails), best.end());
  if (best.size() == 1 && best.front()->rank.fresh == 0) best.front()->suggestion.certain = true;
}

// The helpful trials of one problem, best first.
std::vector<Trial> tried(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all) {
  std::vector<Trial> good;
  std::vector<Suggestion> list = problem.suggestions;
  std::set<std::pair<std::size_t, std::string>> choices;  // their edits; see Proposal
  std::size_t own = 0;                                    // where the checker's suggestions begin
  const auto file = bench.texts().find(problem.at.file.str());
  // Text that the parser could not read may declare what has no name now, and use what seems to be of no use.
  const bool unread = (is_unknown_name(problem) || !is_error(problem)) && !is_syntax(problem) &&
                      std::any_of(all.begin(), all.end(), is_syntax);
  const bool remark = problem.code == "W0702" || problem.code == "W0706";  // warnings that an edit can answer
  const bool may =
      (is_error(problem) || remark) && problem.at.quoted && has_remedy(problem.code) && !is_about_rows(problem);
  if (may && !unread && file != bench.texts().end()) {
    for (mending::Proposal& p : mending::propose(file->first, file->second, problem, bench.limits().proposals)) {
      Suggestion s;
      s.edits = std::move(p.edits);
      s.certain = p.certain;
      if (p.choice) choices.emplace(s.edits[0].begin, s.edits[0].text);
      list.push_back(std::move(s));
    }
    // What is known of another language goes before a name that is only spelled like it, and before a word alone.
    if (problem.code == "E0302" || problem.code == "E0301") {
      own = list.size() - problem.suggestions.size();
      std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(problem.suggestions.size()), list.end());
    }
  }
  if (!unread) propose_tables(bench, problem, list);
  propose_modules(bench, problem, list);
  const auto errors = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_error));
  constexpr std::size_t kMostAlternatives = 6;  // among which the examples decide
  std::size_t complete = 0;
  // A doubt is right if the examples fail beside it and pass without it, unless it is about an example.
  const bool of_example = problem.code >= "W0724" && problem.code <= "W0728";
  const bool fails = !is_error(problem) && !of_example && !list.empty() && errors == 0 && bench.unmet() > 0;
  // What a key means is settled before its row moves.
  const bool unsettled = is_about_rows(problem) && std::any_of(all.begin(), all.end(), [&problem](const Diagnostic& d) {
                           return d.code == "W0706" && d.at.file == problem.at.file;
                         });
  for (std::size_t i = 0; i < list.size(); ++i) {
    Suggestion& suggestion = list[i];
    if (bench.exhausted()) break;
    suggestion.certain = suggestion.certain && !unread && !unsettled;
    bool certain = suggestion.certain;
    const Edit first = suggestion.edits.front();
    std::optional<Trial> trial = try_out(bench, problem, all, std::move(suggestion));
    if (!trial) continue;
    if (fails && unmet_expectations(trial->compiled) == 0) certain = trial->suggestion.certain = true;
    trial->choice = choices.count({first.begin, first.text}) != 0;
    if (is_error(problem)) {
      if (const Diagnostic* doubt = doubted(*trial, all)) {
        const bool drops = doubt->code == "W0702";
        if (std::optional<Trial> both = drops ? std::nullopt : with_fix_it(bench, problem, all, *trial, *doubt)) {
          both->suggestion.certain = certain && (idle_case(*doubt) || doubt->code != "W0710");
          good.push_back(std::move(*both));
          complete += good.back().rank.errors == 0 ? 1 : 0;
          break;
        }
        trial->suggestion.certain = false;
      }
    }
    // A guess that only moves a mistake of meaning to another place is none.
    const bool guess = !(i >= own && i < own + problem.suggestions.size()) && !certain && !is_syntax(problem);
    if (guess && is_error(problem) && trial->rank.errors >= errors) continue;
    complete += trial->rank.errors == 0 ? 1 : 0;
    trial->unmet = trial->rank.errors == 0 ? unmet_expectations(trial->compiled) : 0;
    // What contradicts an example is not what was meant, or the example is not.
    if (trial->unmet > 0 && is_error(problem) && !in_example(bench.texts(), problem)) trial->suggestion.certain = false;
    const bool done = trial->rank.errors == 0 && trial->suggestion.certain && trial->unmet == 0;
    good.push_back(std::move(*trial));
    if (done || complete == kMostAlternatives) break;
  }
  if (complete == 0) {
    if (std::optional<Trial> weight = decided_weight(bench, problem, all)) good.push_back(std::move(*weight));
  }
  decide(good);
  // With its head mended a rubric shows the mistakes inside it: more of them tell nothing against a certain edit.
  const bool head = problem.code == "E0107";
  std::stable_sort(good.begin(), good.end(), [head](const Trial& a, const Trial& b) {
    const bool sure = a.suggestion.certain && !b.suggestion.certain;
    const bool solved = a.rank.errors == 0 || b.rank.errors == 0;
    if (head && !solved && a.suggestion.certain != b.suggestion.certain) return sure;
    if (a.rank < b.rank || b.rank < a.rank) return a.rank < b.rank;
    return a.unmet != b.unmet ? a.unmet < b.unmet : sure;
  });
  return good;
}

}  // namespace

namespace {

// How far compilation gets; less is better.
std::pair<std::size_t, std::size_t> mistakes(const std::vector<Diagnostic>& all) {
  return {static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_syntax)),
          static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_error))};
}

// How the file changes when all that is certain is mended.
struct Outcome {
  std::string text;
  std::vector<LineChange> changes;
  bool better = false;  // fewer mistakes are left
};
Outcome mended_lines(const Workbench& bench, std::string_view name, std::string_view text,
                     const std::vector<Diagnostic>& all) {
  MendLimits limits = bench.limits();
  limits.trials /= 2, limits.bytes /= 2, limits.all_steps /= 2;
  const Mended mended = mend(name, text, bench.options(), limits);
  Outcome outcome{std::string(text), {}, mistakes(mended.compiled.diagnostics) < mistakes(all)};
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
  const Outcome outcome = wrong_file ? mended_lines(bench, name, text, all) : Outcome{std::string(text), {}, false};
  const std::vector<LineChange>& changes = outcome.changes;
  std::size_t looked = 0;
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
    const bool wrong = std::all_of(trials.begin(), trials.end(), [](const Trial& t) { return t.rank.within; });
    if (!trials.empty() && wrong) {
      if (std::optional<Trial> both = continued(bench, d, all, name, trials.front()))
        trials.insert(trials.begin(), std::move(*both));
    }
    // What is shown is what mend() writes, or a step to it.
    std::optional<Suggestion> writes = is_error(d) ? of_lines(changes, name, text, d, true) : std::nullopt;
    if (writes && (trials.empty() || !leads_to(outcome, name, text, trials.front()))) {
      if (std::optional<Trial> trial = try_out(bench, d, all, std::move(*writes))) {
        trial->rank.within = false;  // mend() keeps it
        trials.insert(trials.begin(), std::move(*trial));
      }
    }
    d.suggestions.clear();
    for (Trial& trial : trials) {
      if (!trial.rank.within && d.suggestions.empty()) d.suggestions.push_back(std::move(trial.suggestion));
    }
    if (!d.suggestions.empty()) {
      Suggestion& first = d.suggestions.front();
      // A step that a later one does not complete is taken back by mend(): nothing to apply by itself.
      if (is_error(d) && first.certain && !is_kept(changes, name, text, first.edits)) first.certain = false;
      d.help = first.title;
      if (!limits.tables && changes_table(bench, d.suggestions.front())) d.suggestions.clear();
    } else if (proposed && !is_about_rows(d) && (is_error(d) || d.help.str().substr(0, 6) == "write ")) {
      d.help = {};
    }
  }
  return compiled;
}

namespace {

// Applies certain suggestions step by step. A step whose own text is wrong is kept only if a later step fixes that; until
// then the steps are about its lines only, so that no line depends on the mistakes of another one.
class Mender {
 public:
  Mender(Workbench& bench, Mended& result) : bench_(bench), result_(result) {}

  void run() {
    seen_.insert(state_of(bench_.texts()));
    while (!bench_.exhausted()) {
      if (step()) {
        if (doubtful_ && resolved()) doubtful_.reset();
        continue;
      }
      if (doubtful_) {
        go_back();
      } else if (fruitless_.empty() || !changed_) {
        break;
      } else {
        fruitless_.clear();  // changes elsewhere may have removed the obstacle
        changed_ = false;
      }
    }
    if (doubtful_) go_back();
  }

 private:
  struct Checkpoint {
    Texts texts;
    Compiled compiled;
    std::string doubt;  // see Rank
    Lines lines;
  };

  static std::string state_of(const Texts& texts) {
    std::string state;
    for (const auto& [file, now] : texts) state += file + '\0' + now;
    return state;
  }
  // Whether the lines that the edits of a trial have written can be read, keep what was said and raise no new doubt but that
  // of a total.
  bool is_whole(const Trial& trial) const {
    if (!mending::lost_name(bench_.texts(), trial.changed, trial.suggestion.edits, true).empty()) return false;
    Lines lines;
    lines.follow(trial.suggestion.edits, trial.changed, true);
    const std::vector<Diagnostic>& left = trial.compiled.diagnostics;
    return std::none_of(left.begin(), left.end(),
                        [&lines](const Diagnostic& d) { return is_error(d) && d.code != "E0201" && lines.contain(d); });
  }
  // Whether what the doubtful steps have written can be read.
  bool readable() const {
    const std::vector<Diagnostic>& now = result_.compiled.diagnostics;
    return std::none_of(now.begin(), now.end(),
                        [this](const Diagnostic& d) { return is_syntax(d) && doubtful_->lines.contain(d); });
  }
  // Whether fewer mistakes are left than before the doubtful step, and not the one that it made.
  bool resolved() const {
    const std::vector<Diagnostic>& now = result_.compiled.diagnostics;
    return readable() && mistakes(now) < mistakes(doubtful_->compiled.diagnostics) &&
           (doubtful_->doubt.empty() || std::none_of(now.begin(), now.end(), [this](const Diagnostic& d) {
              return d.code + d.message.str() == doubtful_->doubt;
            }));
  }
  bool step() {
    const std::vector<Diagnostic> all = result_.compiled.diagnostics;
    std::size_t looked = 0;
    const bool elsewhere = !doubtful_ || readable();
    for (const Diagnostic& d : all) {
      if (d.at.line == 0 || ++looked > bench_.limits().problems) continue;
      if (!elsewhere && !doubtful_->lines.contain(d)) continue;
      const std::string key = d.code + d.message.str() + d.at.line_text;
      if (fruitless_.count(key) != 0) continue;
      for (Trial& trial : tried(bench_, d, all)) {
        if (!trial.suggestion.certain && is_whole(trial)) break;  // a likelier reading
        if (!trial.suggestion.certain) continue;
        if (!bench_.limits().tables && changes_table(bench_, trial.suggestion)) continue;
        if (!seen_.insert(state_of(trial.changed)).second) continue;
        const bool doubt = trial.rank.within || !trial.rank.doubt.empty();
        if (doubt && doubtful_ && doubtful_steps_ >= kMostDoubtful) continue;
        if (doubt && !doubtful_) {
          doubtful_ = Checkpoint{bench_.texts(), std::move(result_.compiled), {}, {}};
          doubtful_steps_ = 0;
        }
        const bool own = doubt || (doubtful_ && doubtful_->lines.contain(d));
        if (!trial.rank.doubt.empty()) doubtful_->doubt = std::move(trial.rank.doubt);
        ++doubtful_steps_;
        bench_.accept(trial.changed);
        if (doubtful_) doubtful_->lines.follow(trial.suggestion.edits, bench_.texts(), own);
        result_.compiled = std::move(trial.compiled);
        changed_ = true;
        return true;
      }
      fruitless_.insert(key);
    }
    return false;
  }
  void go_back() {
    bench_.accept(doubtful_->texts);
    result_.compiled = std::move(doubtful_->compiled);
    doubtful_.reset();
    fruitless_.clear();
  }

  static constexpr int kMostDoubtful = 8;  // steps in a row
  Workbench& bench_;
  Mended& result_;
  std::set<std::string> seen_;       // states: prevents cycles
  std::set<std::string> fruitless_;  // problems without a helpful suggestion
  bool changed_ = false;             // since they were examined
  std::optional<Checkpoint> doubtful_;
  int doubtful_steps_ = 0;
};

}  // namespace

Mended mend(std::string_view name, std::string_view text, const CompileOptions& options, const MendLimits& limits) {
  Workbench bench(name, text, options, limits);
  Mended result;
  result.compiled = bench.compile_these(nullptr);
  const std::vector<Diagnostic> told = result.compiled.diagnostics;
  Mender(bench, result).run();
  for (const auto& [file, now] : bench.texts()) {
    const std::string& before = bench.original(file);
    if (before != now) result.files.push_back({file, before, now});
  }
  // Without its errors a rubric may have warnings, and fewer of them tell nothing of errors.
  const bool errors = std::any_of(told.begin(), told.end(), is_error);
  std::multiset<std::string> left;
  for (const Diagnostic& d : result.compiled.diagnostics) left.insert(d.code + d.message.str());
  const auto gone = std::count_if(told.begin(), told.end(), [&](const Diagnostic& d) {
    const auto same = left.find(d.code + d.message.str());
    if (same == left.end()) return is_error(d) == errors;
    left.erase(same);
    return false;
  });
  // Several steps may answer one problem, and one step several problems; steps may cancel each other.
  result.applied = result.files.empty() ? 0 : std::max<std::size_t>(1, static_cast<std::size_t>(gone));
  return result;
}

}  // namespace assay
