// The data of a Service: documents, and the results about each.
#pragma once

#include "lang/names/names.hpp"
#include "lang/text/place_map.hpp"
#include "runtime/engine/compile_stages.hpp"

#include <assay/coverage.hpp>
#include <assay/service.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace assay {

struct TextAnalysis {
  std::unique_ptr<Staging> staging;  // null: the diagnostics have been taken
  std::shared_ptr<Rubric::Impl> impl;
  bool checked = false;  // false: the syntax tree is all there is; see Service::Impl::analysis()
  bool good = false;     // checked, and without errors
  CheckNotes notes;
  std::set<std::string> read;  // names of all requested files, found or not
  // Computed on demand.
  const std::vector<Diagnostic>& diagnostics();  // with the warnings, which answers about names and types do not need
  std::vector<Diagnostic> told;
  std::optional<std::vector<ExampleResult>> examples;
  std::optional<std::vector<Finding>> problems;            // the diagnostics
  std::map<std::size_t, std::vector<Suggestion>> tried;    // of diagnostics that were asked for: those that worked
  std::map<std::string, std::vector<std::string>> values;  // by example, see item_values()
  const Names& names() const;                              // none before the check
  mutable std::optional<Names> resolved;
  PlaceMap<const Item*> items;  // by the place of their names

  const ast::File& file() const { return impl->file; }
  const Sources& sources() const { return impl->sources; }
  const std::string& text() const { return impl->sources.file(0).text; }
  const Model* model() const { return impl->model.get(); }
  const RubricModel* main() const { return model() != nullptr && model()->main >= 0 ? &impl->rubric() : nullptr; }
  std::string type_text(Span at) const;  // of the expression there; empty: unknown
  const Item* item_at(Span name) const;  // an item of the main rubric, by the place of its name; null: none
  const ast::Rubric* rubric_around(std::size_t at) const;
  const ast::Item* item_around(std::size_t at) const;  // the innermost enclosing declaration; null: none
};

struct Document {
  std::string text;
  bool held = true;  // false: read for a search
  std::shared_ptr<TextAnalysis> current, good;
  ParsedText parsed;    // of the last text that was read without a problem of its syntax
  std::string example;  // the chosen example; empty: the first
};

struct Service::Impl {
  ServiceOptions options;
  std::map<std::string, Document> documents;
  std::vector<std::string> project;
  // Analyses that no document needs any more: freeing them takes as long as an answer may, so tidy() does it.
  std::vector<std::shared_ptr<TextAnalysis>> retired;

  void retire(std::shared_ptr<TextAnalysis>& analysis);
  Document* find(const std::string& name);
  std::shared_ptr<TextAnalysis> read(const std::string& name, const std::string& text, const ParsedText* before,
                                     ParsedText* now);
  void check(TextAnalysis& analysis);
  // Of another text for this name, which no document holds.
  std::shared_ptr<TextAnalysis> analyse(const std::string& name, const std::string& text);
  // Null: the file is not held. syntax() needs the tree only, checked or not.
  TextAnalysis* syntax(const std::string& name);
  TextAnalysis* analysis(const std::string& name);
  // The last analysis without errors, or the current one.
  TextAnalysis* best(const std::string& name);
  std::vector<std::string> known_files() const;
  CompileOptions compile_options(std::set<std::string>* read) const;
  std::string resolve(std::string_view path, std::string_view from) const;
};

TextRange range_of(Span at);
TextRange range_of(const Location& at, std::string_view text);
// The meaning of the name at a place, as Markdown; `use` may be null.
std::string describe(const TextAnalysis& analysis, int symbol);
std::string type_of_symbol(const TextAnalysis& analysis, int symbol);
std::string prose_of_symbol(const TextAnalysis& analysis, int symbol);
const std::vector<ExampleResult>& run_examples(TextAnalysis& analysis);
// The findings that need no example to be run; null: the file is not held.
const std::vector<Finding>* problems(Service::Impl& impl, const std::string& name);
Finding failure(const ExampleResult& result, std::string_view text);
std::string_view line_at(std::string_view text, std::size_t at);
std::size_t line_begin(std::string_view text, std::size_t at);
std::size_t declaration_begin(std::string_view text, std::size_t at);  // of the declaration around or before the place
std::string indent_at(std::string_view text, std::size_t at);
// example_coverage() of the wanted points alone, for one who waits; no answer says anything about others. Null: of all.
using WantedPoint = std::function<bool(const CoveragePoint&)>;
Coverage coverage_of(const Rubric& rubric, const Interrupt* interrupt, const WantedPoint& wanted);
// An example for the row at a place, if none exercises it and a suitable record is found within a second. `later`: the
// record is not searched for, and the example has no edits.
std::optional<Rewrite> example_for_row(Service::Impl& impl, const std::string& name, TextAnalysis& analysis,
                                       TextRange range, bool later);

}  // namespace assay
