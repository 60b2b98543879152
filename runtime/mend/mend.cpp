// Applies certain suggestions one after the other.
#include "lang/mend/rank.hpp"
#include "runtime/mend/lines.hpp"
#include "runtime/mend/trials.hpp"

#include <assay/mend.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace assay {

using mending::is_error, mending::is_syntax;

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
