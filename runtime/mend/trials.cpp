#include "runtime/mend/trials.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/titles.hpp"
#include "lang/text/ascii.hpp"
#include "runtime/hooks/stdlib.hpp"
#include "runtime/mend/lines.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace assay {

using mending::applied, mending::compare, mending::has_remedy, mending::is_error, mending::Rank;
using mending::is_syntax, mending::is_unknown_name, mending::touches;

bool is_about_rows(const Diagnostic& d) { return d.code == "E0208" || d.code == "E0209" || d.code == "E0210"; }

std::pair<std::size_t, std::size_t> mistakes(const std::vector<Diagnostic>& all) {
  return {static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_syntax)),
          static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_error))};
}

namespace {

// Whether an edit gives the scale the digits of another declaration, where the problem is: every score would be rounded.
bool rounds_scores(const Texts& texts, const Diagnostic& problem, const std::vector<Edit>& edits) {
  const auto line_of = [](std::string_view text, std::size_t at) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return without_blanks(text.substr(begin, text.find('\n', begin) - begin));
  };
  const auto file = texts.find(problem.at.file.str());
  const std::string_view own = file == texts.end() ? "" : line_of(file->second, problem.at.offset);
  if (own.starts_with("scale ") || own.starts_with("decimals ") || own.starts_with("digits ")) return false;
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    const std::string_view added = without_blanks(edit.text);
    return edit.begin == edit.end && (added.starts_with("decimals ") || added.starts_with("digits ")) &&
           line_of(texts.find(edit.file)->second, edit.begin).starts_with("scale ");
  });
}

}  // namespace

std::optional<Trial> try_out(Workbench& bench, const Diagnostic& problem, const std::vector<Diagnostic>& all,
                             Suggestion suggestion) {
  std::optional<Texts> changed = applied(bench.texts(), suggestion.edits);
  if (!changed || changed->empty() || rounds_scores(bench.texts(), problem, suggestion.edits)) return std::nullopt;
  Compiled compiled = bench.compile_these(&*changed);
  const Rank rank = compare(bench.texts(), problem, all, compiled.diagnostics, suggestion.edits);
  if (!rank.helps) return std::nullopt;
  if (mending::loses_declaration(bench.texts(), *changed, suggestion.edits)) {
    const auto removes = [](const Edit& edit) { return edit.text.empty(); };
    if (!std::all_of(suggestion.edits.begin(), suggestion.edits.end(), removes)) return std::nullopt;
    suggestion.certain = false;
  }
  suggestion.certain =
      suggestion.certain && mending::lost_name(bench.texts(), *changed, suggestion.edits, false).empty() &&
      !mending::loses_operand(bench.texts(), suggestion.edits) && !mending::drops_unit(bench.texts(), suggestion.edits);
  if (suggestion.title.empty() || suggestion.title.str().substr(0, 7) == "write '")
    suggestion.title = mending::title_of(bench.texts().find(suggestion.edits.front().file)->second, suggestion.edits,
                                         problem.at.offset, suggestion.lines);
  return Trial{std::move(suggestion), rank, std::move(*changed), std::move(compiled)};
}

bool changes_table(const Workbench& bench, const Suggestion& suggestion) {
  return std::any_of(suggestion.edits.begin(), suggestion.edits.end(), [&bench](const Edit& edit) {
    return std::any_of(bench.texts().begin(), bench.texts().end(), [&edit](const auto& one) {
      return one.first != edit.file && !mending::keys_of_table(one.second, edit.file).empty();
    });
  });
}

namespace {

// Whether a problem is in an example: whether that one holds is no matter of how it is written.
bool in_example(const Texts& texts, const Diagnostic& problem) {
  const auto file = texts.find(problem.at.file.str());
  if (file == texts.end()) return false;
  const mending::Tokens tokens(file->second);
  return tokens.is(tokens.head(tokens.at(problem.at.offset)), "example");
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

}  // namespace

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
    if (problem.code == "E0302" || problem.code == "E0301" || problem.code == "E0401") {
      own = list.size() - problem.suggestions.size();
      std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(problem.suggestions.size()), list.end());
    }
  }
  if (std::optional<Edit> line =
          file == bench.texts().end() ? std::nullopt : mending::line_again(file->first, file->second, problem)) {
    Suggestion s;
    s.edits.push_back(std::move(*line));
    s.certain = true;
    list.insert(list.begin(), std::move(s));
    ++own;
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
    const bool checker = i >= own && i < own + problem.suggestions.size();
    const bool typed = checker && file != bench.texts().end() && first.file == file->first &&
                       mending::takes_keystroke_back(file->second, problem, suggestion.edits);
    std::optional<Trial> trial = try_out(bench, problem, all, std::move(suggestion));
    if (!trial) continue;
    // Where the rubric is whole with it and its examples hold, nobody meant anything else.
    if (typed && !unread && trial->rank.errors == 0 && unmet_expectations(trial->compiled) == 0)
      certain = trial->suggestion.certain = true;
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
    const bool guess = !checker && !certain && !is_syntax(problem);
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

}  // namespace assay
