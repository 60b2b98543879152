// Suggestions are edits, and the tests apply them: for every rubric of the corpus, of the docs and of mutations,
// applying a suggestion results in a rubric that compiles or in the next problem, never in the same one. Mending never
// makes a rubric worse.
#include "lang/mend/rank.hpp"
#include "tests/case_file.hpp"
#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <assay/mend.hpp>
#include <assay/text.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

struct Source {
  std::string title, text;
  std::map<std::string, std::string> files;
};

std::vector<Source> corpus() {
  std::vector<Source> all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(ASSAY_SOURCE_DIR) / "tests" / "corpus")) {
    if (entry.path().extension() != ".case" || entry.path().parent_path().filename() == "without_lua") continue;
    for (const Case& c : read_cases(entry.path()).cases) {
      Source source{entry.path().stem().string() + ": " + c.title, c.text(""), {}};
      for (const Section& section : c.sections) {
        if (section.name.substr(0, 5) == "file ") source.files[section.name.substr(5)] = section.text;
      }
      // Expensive cases are about limits, and slow.
      if (source.text.size() < 20'000 && c.find("limits") == nullptr) all.push_back(std::move(source));
    }
  }
  std::sort(all.begin(), all.end(), [](const Source& a, const Source& b) { return a.title < b.title; });
  return all;
}

assay::CompileOptions options_of(const Source& source) {
  assay::CompileOptions options;
  options.importer = [&source](std::string_view path, std::string_view,
                               std::string& name) -> std::optional<std::string> {
    const auto found = source.files.find(std::string(path));
    if (found == source.files.end()) return std::nullopt;
    name = found->first;
    return found->second;
  };
  return options;
}

std::size_t errors(const std::vector<assay::Diagnostic>& list, bool syntax) {
  return static_cast<std::size_t>(std::count_if(list.begin(), list.end(), [syntax](const assay::Diagnostic& d) {
    return d.severity == assay::Severity::error && (!syntax || d.code.substr(0, 3) == "E01");
  }));
}

// How many certain suggestions there were, and how many of them are neither what mend() writes nor a step to it.
struct Steps {
  std::size_t all = 0, off = 0;
};

// Applies each suggestion as an editor would.
void check_suggestions(const Source& source, Steps& steps) {
  const assay::CompileOptions options = options_of(source);
  const assay::Compiled compiled = assay::compile_with_suggestions("case.rubric", source.text, options);
  std::string mended = source.text;
  for (const assay::MendedFile& file : assay::mend("case.rubric", source.text, options).files) {
    if (file.name == "case.rubric") mended = file.after;
  }
  for (const assay::Diagnostic& d : compiled.diagnostics) {
    for (const assay::Suggestion& suggestion : d.suggestions) {
      INFO(source.title << "\n" << source.text << "\n" << assay::render(d));
      REQUIRE(!suggestion.edits.empty());
      CHECK(!suggestion.title.empty());
      std::string text = source.text;
      bool here = true;
      std::size_t before = text.size();
      for (std::size_t i = suggestion.edits.size(); i-- > 0;) {
        const assay::Edit& edit = suggestion.edits[i];
        here = here && edit.file == "case.rubric";
        if (!here) break;
        REQUIRE(edit.begin <= edit.end);
        REQUIRE(edit.end <= before);  // in order, without overlaps
        before = edit.begin;
        text.replace(edit.begin, edit.end - edit.begin, edit.text);
      }
      if (!here) continue;
      CHECK(text != source.text);
      const bool moves = suggestion.edits.size() > 1 || suggestion.edits[0].text.find('\n') != std::string::npos;
      const bool applies = suggestion.certain && !moves && d.severity == assay::Severity::error;
      INFO("mended:\n" << mended << "\nas suggested:\n" << text);
      steps.all += applies;
      steps.off += applies && !assay::mending::is_step(source.text, text, mended);
      for (const assay::Diagnostic& next : assay::compile("case.rubric", text, options).diagnostics) {
        INFO("after the suggestion: " << assay::render(next));
        const bool same = next.code == d.code && next.message == d.message && next.at.line == d.at.line &&
                          next.at.column == d.at.column && next.at.line_text == d.at.line_text;
        CHECK(!same);
      }
    }
  }
}

void check_mending(const Source& source) {
  INFO(source.title << "\n" << source.text);
  const assay::CompileOptions options = options_of(source);
  const assay::Compiled before = assay::compile("case.rubric", source.text, options);
  const assay::Mended mended = assay::mend("case.rubric", source.text, options);
  const std::vector<assay::Diagnostic>& after = mended.compiled.diagnostics;
  CHECK((mended.applied == 0) == mended.files.empty());
  if (before.rubric) CHECK(mended.compiled.rubric);
  // A mistake in its head hides those inside a rubric or a table, and one between rows hides what is wrong with them.
  const auto in_head = [](const assay::Diagnostic& d) {
    return d.code == "E0107" || d.message.str().starts_with("expected '{'") ||
           d.message.str().starts_with("expected another row");
  };
  const bool hidden = std::any_of(before.diagnostics.begin(), before.diagnostics.end(), in_head);
  if (!hidden) CHECK(errors(after, true) <= errors(before.diagnostics, true));
  if (errors(before.diagnostics, true) == 0) CHECK(errors(after, false) <= errors(before.diagnostics, false));
  // Once is enough, for what it imports as well.
  Source again = source;
  for (const assay::MendedFile& file : mended.files)
    (file.name == "case.rubric" ? again.text : again.files[file.name]) = file.after;
  if (!mended.files.empty()) CHECK(assay::mend("case.rubric", again.text, options_of(again)).files.empty());
}

}  // namespace

TEST_CASE("suggestions of the corpus lead on") {
  Steps steps;
  for (const Source& source : corpus()) check_suggestions(source, steps);
  CHECK(steps.off == 0);
}

TEST_CASE("mending never makes a rubric worse") {
  for (const Source& source : corpus()) check_mending(source);
}

TEST_CASE("suggestions of mutations lead on") {
  const std::vector<Source> all = corpus();
  Random random(15);
  Steps steps;
  static const std::vector<std::string> kPieces = {"&&", "=", ":",    "if",  "(",     ")",      "}", "else", "'a'",
                                                   ",",  ";", "null", "0,5", "x.f()", "weight", "[", "?"};
  for (std::size_t i = 0; i < rounds(600); ++i) {
    Source source = random.pick(all);
    if (source.text.empty() || source.text.size() > 2000) continue;
    const std::size_t at = random.below(source.text.size());
    const std::size_t blank = std::min(source.text.find(' ', at), source.text.size() - 1);
    switch (random.below(3)) {
      case 0: source.text.insert(blank, " " + random.pick(kPieces)); break;
      case 1: source.text.erase(blank, source.text.find_first_of(" \n", blank + 1) - blank); break;
      default: source.text.erase(at, 1); break;
    }
    check_suggestions(source, steps);
    check_mending(source);
  }
  CHECK(steps.off <= 1 + steps.all / 20);  // where a brace is lost, mend() may find a shorter way in the end
}

// The examples of the reference, one for each diagnostic.
static std::vector<Source> reference() {
  std::vector<Source> all;
  const std::string page = read_file(fs::path(ASSAY_SOURCE_DIR) / "docs" / "language.md");
  const std::string fence = "```assay-error";
  for (std::size_t at = page.find(fence); at != page.npos; at = page.find(fence, at + 1)) {
    const std::size_t begin = page.find('\n', at) + 1, end = page.find("\n```", begin) + 1;
    std::string text = page.substr(begin, end - begin);
    if (text.find("rubric ") == text.npos) text = "rubric r {\n" + text + "}\n";
    all.push_back({page.substr(at, begin - at), text, {}});
  }
  return all;
}

TEST_CASE("each diagnostic has an edit, or a reason why none can be") {
  std::map<std::string, std::string> names, reasons;
#define ASSAY_DIAGNOSTIC(code, name, severity, title) names[code] = #name;
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
#define ASSAY_REMEDY(name, reason) reasons[#name] = reason;
#include "lang/mend/remedies.def"
#undef ASSAY_REMEDY
  CHECK(reasons.size() == names.size());
  std::vector<Source> all = corpus();
  for (Source& source : reference()) all.push_back(std::move(source));
  std::set<std::string> edited;
  for (const Source& source : all) {
    for (const assay::Diagnostic& d :
         assay::compile_with_suggestions("case.rubric", source.text, options_of(source)).diagnostics) {
      if (!d.suggestions.empty()) edited.insert(d.code);
    }
  }
  for (const auto& [code, name] : names) {
    INFO(code << " (" << name << ")");
    REQUIRE(reasons.count(name) == 1);
    if (reasons[name].empty()) CHECK(edited.count(code) == 1);
    else CHECK(edited.count(code) == 0);
  }
}

TEST_CASE("a diff is what diff -u writes") {
  CHECK(assay::unified_diff("a", "x\n", "x\n").empty());
  CHECK(assay::unified_diff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "--- a/a\n+++ b/a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(assay::unified_diff("a", "", "x\n") == "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
  CHECK(assay::unified_diff("a", "x", "y") ==
        "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n");
}

TEST_CASE("what is imported is mended, too") {
  const Source source{"import",
                      "import \"lib.rubric\"\nrubric r { output y = twice(2) }\n",
                      {{"lib.rubric", "def twice(x): return 2 * x\n"}}};
  const assay::Mended mended = assay::mend("case.rubric", source.text, options_of(source));
  REQUIRE(mended.files.size() == 1);
  CHECK(mended.files[0].name == "lib.rubric");
  CHECK(mended.files[0].after == "fn twice(x) = 2 * x\n");
  CHECK(mended.compiled.rubric.has_value());
}
