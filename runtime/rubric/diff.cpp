// The differences of two rubrics: of their files, of the files that they import, and of tables and hooks in files. The
// effect of a change is that of its declaration, checked against the scoring hashes.
#include <assay/diff.hpp>

#include "lang/syntax/ast_diff.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <algorithm>
#include <map>

namespace assay {

namespace {

Effect effect_of(ast::Decides decides) {
  switch (decides) {
    case ast::Decides::nothing:
    case ast::Decides::labels: return Effect::prose;
    case ast::Decides::bands: return Effect::bands;
    case ast::Decides::scores: break;
  }
  return Effect::scores;
}

Change::Kind kind_of(ast::Difference::Kind kind) {
  switch (kind) {
    case ast::Difference::Kind::changed: return Change::Kind::changed;
    case ast::Difference::Kind::added: return Change::Kind::added;
    case ast::Difference::Kind::removed: return Change::Kind::removed;
    case ast::Difference::Kind::renamed: return Change::Kind::renamed;
    case ast::Difference::Kind::moved: break;
  }
  return Change::Kind::moved;
}

std::string base_name(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

// The files of a rubric besides its own, by name without the folder: two versions of a rubric are usually in two
// folders.
std::map<std::string, std::uint32_t> files_beside(const Rubric::Impl& impl) {
  std::map<std::string, std::uint32_t> files;
  for (std::size_t i = 0; i < impl.sources.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    const std::string& name = impl.sources.file(index).name;
    if (index != impl.file.file && name.compare(0, 4, "std/") != 0) files.emplace(base_name(name), index);
  }
  return files;
}

const ast::File* parsed(const Rubric::Impl& impl, std::uint32_t file) {
  const auto found =
      std::find_if(impl.imported.begin(), impl.imported.end(), [file](const ast::File& f) { return f.file == file; });
  return found == impl.imported.end() ? nullptr : &*found;
}

class Differences {
 public:
  Differences(const Rubric::Impl& before, const Rubric::Impl& after, const Interrupt* interrupt)
      : before_(before), after_(after), budget_(Budget::without_limits(interrupt)) {}

  std::vector<Change> take() {
    compare(before_.file, after_.file);
    const std::map<std::string, std::uint32_t> was = files_beside(before_), is = files_beside(after_);
    for (const auto& [name, file] : is) {
      const auto old = was.find(name);
      if (old == was.end()) {
        whole_file(Change::Kind::added, name, nullptr, &file);
      } else if (before_.sources.file(old->second).text != after_.sources.file(file).text) {
        const ast::File* a = parsed(before_, old->second);
        const ast::File* b = parsed(after_, file);
        if (a && b) compare(*a, *b);
        else texts(name, old->second, file);
      }
    }
    for (const auto& [name, file] : was) {
      if (is.count(name) == 0) whole_file(Change::Kind::removed, name, &file, nullptr);
    }
    hold_against_hashes();
    return std::move(changes_);
  }

 private:
  void compare(const ast::File& before, const ast::File& after) {
    std::vector<ast::Difference> found = ast::differences({before, before_.sources}, {after, after_.sources}, budget_);
    const auto place = [](const ast::Difference& d) { return d.is.end > d.is.begin ? d.is.begin : d.was.begin; };
    std::stable_sort(found.begin(), found.end(),
                     [&](const ast::Difference& a, const ast::Difference& b) { return place(a) < place(b); });
    for (ast::Difference& d : found) {
      budget_.step(kStepsAPlace);
      Change change;
      change.kind = kind_of(d.kind);
      change.effect = effect_of(d.decides);
      change.what = std::move(d.what);
      change.part = std::move(d.part);
      change.before = std::move(d.before);
      change.after = std::move(d.after);
      if (d.was.end > d.was.begin) change.was = before_.sources.locate(d.was);
      if (d.is.end > d.is.begin) change.is = after_.sources.locate(d.is);
      if (d.decides == ast::Decides::labels) labels_.push_back(changes_.size());
      changes_.push_back(std::move(change));
    }
  }

  void whole_file(Change::Kind kind, const std::string& name, const std::uint32_t* was, const std::uint32_t* is) {
    Change change;
    change.kind = kind;
    change.what = "file " + name;
    if (was) change.was = before_.sources.locate({*was, 0, 0});
    if (is) change.is = after_.sources.locate({*is, 0, 0});
    changes_.push_back(std::move(change));
  }

  // A file that is not a rubric: reports where the texts first differ.
  void texts(const std::string& name, std::uint32_t was, std::uint32_t is) {
    const std::string& a = before_.sources.file(was).text;
    const std::string& b = after_.sources.file(is).text;
    const auto at = static_cast<std::uint32_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    Change change;
    change.what = "file " + name;
    change.was = before_.sources.locate({was, at, at});
    change.is = after_.sources.locate({is, at, at});
    change.before = change.was.line_text;
    change.after = change.is.line_text;
    changes_.push_back(std::move(change));
  }

  // Equal hashes: whatever was rewritten means the same. Different hashes without a change that decides: then flags or
  // advice that an expression refers to have changed.
  void hold_against_hashes() {
    if (before_.rubric().scoring_hash == after_.rubric().scoring_hash) {
      for (Change& change : changes_) change.effect = Effect::prose;
      return;
    }
    const bool told = std::any_of(changes_.begin(), changes_.end(),
                                  [](const Change& change) { return change.effect != Effect::prose; });
    for (const std::size_t i : labels_) {
      if (!told) changes_[i].effect = Effect::scores;
    }
  }

  const Rubric::Impl& before_;
  const Rubric::Impl& after_;
  static constexpr std::uint64_t kStepsAPlace = 16;
  Budget budget_;
  std::vector<Change> changes_;
  std::vector<std::size_t> labels_;  // changes of flags, advice and orders
};

}  // namespace

std::vector<Change> differences(const Rubric& before, const Rubric& after, const Interrupt* interrupt) {
  try {
    return Differences(before.impl(), after.impl(), interrupt).take();
  } catch (const OutOfBudget&) { return {}; }
}

}  // namespace assay
