// Checker: the files that a rubric imports, read and parsed once each, and what they declare.
#include "lang/check/checker.hpp"
#include "lang/model/library_prefix.hpp"
#include "lang/syntax/parse.hpp"

namespace assay {

bool Checker::import_text(const ast::Text& from, std::string& shown, std::string& text) {
  std::optional<std::string> found;
  if (importer_) found = importer_(from.str(), sources_.file(from.span.file).name, shown);
  if (!found) {
    error(Code::file_not_found, from.span, "cannot read \"" + from.str() + "\"", "",
          is_library_path(from.str())
              ? "functions in C++ are declared by the modules of the standard library: import one, as "
                "in import \"std/text.rubric\""
              : "");
    return false;
  }
  if (found->size() > source_bytes_) {
    error(Code::file_not_found, from.span,
          "\"" + from.str() + "\" is longer than " + std::to_string(source_bytes_) + " bytes");
    return false;
  }
  if (shown.empty()) shown = from.str();
  text = std::move(*found);
  return true;
}

void Checker::load(const ast::File& file, int depth) {
  for (const ast::Import& import : file.imports) {
    std::string shown, source;
    if (!import_text(import.path, shown, source)) continue;
    if (!loaded_.insert(shown).second) continue;
    if (depth > 32) {
      error(Code::file_not_found, import.path.span, "imports are nested too deep");
      continue;
    }
    budget_.take(2 * source.size());
    const std::uint32_t index = sources_.add(shown, std::move(source));
    Diagnostics own(sources_);
    ast::File& imported = imported_.emplace_back(parse(sources_, index, own, budget_));
    if (own.has_errors() && !sources_.file(index).name.ends_with(".rubric")) {  // no rubric, so nothing of it is shown
      const int line = own.list().front().at.line;
      imported_.pop_back();
      error(Code::file_not_found, import.path.span,
            "\"" + import.path.str() + "\" is no rubric: line " + std::to_string(line) + " of it cannot be read", "",
            "the mistakes of a rubric are shown when its name ends in .rubric");
      continue;
    }
    diagnostics_->adopt(own.take());
    const Nesting nesting(budget_, Budget::kCheckLevels);
    load(imported, depth + 1);
  }
  for (const ast::Rubric& r : file.rubrics) {
    if (!rubric_by_name_.emplace(r.name.text, &r).second) {
      error(Code::duplicate_name, r.name.span, "a rubric named '" + r.name.text + "' is declared twice");
      continue;
    }
    rubric_nodes_.push_back(&r);
  }
}

}  // namespace assay
