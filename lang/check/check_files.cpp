// Checker: the files that a rubric imports, each read and parsed once, and their declarations.
#include "lang/check/file_loader.hpp"
#include "lang/parse/parse.hpp"

namespace assay {

void FileLoader::load_imports_of(const ast::File& file) {
  loaded_.insert(sources_.file(file.file).name);
  load(file);
}

void FileLoader::load(const ast::File& file) {
  constexpr int kMostImports = 32;  // within each other
  for (const ast::Import& import : file.imports) {
    if (depth_ == kMostImports) {
      error(Code::syntax_too_deep, import.path.span,
            "files import each other more than " + std::to_string(kMostImports) + " deep", "",
            "import the files that are needed, rather than each from the one before");
      break;
    }
    if (!asked_.emplace(file.file, import.path.str()).second) continue;
    std::string shown, source;
    if (!import_text(import.path, shown, source)) continue;
    if (!loaded_.insert(shown).second) continue;
    budget_.take(2 * source.size());
    const std::uint32_t index = sources_.add(shown, std::move(source));
    Diagnostics own(sources_);
    ast::File& imported = imported_.emplace_back(parse(sources_, index, own, budget_));
    if (own.has_errors() && !sources_.file(index).name.ends_with(".rubric")) {  // not a rubric, so none of it is shown
      const int line = own.list().front().at.line;
      imported_.pop_back();
      error(Code::file_not_found, import.path.span,
            "\"" + import.path.str() + "\" is not a rubric: line " + std::to_string(line) + " of it cannot be read", "",
            "the mistakes of a rubric are shown when its name ends in .rubric");
      continue;
    }
    diagnostics_->adopt(own.take());
    const Nesting nesting(budget_, Budget::kCheckLevels);
    ++depth_;
    load(imported);
    --depth_;
  }
  for (const ast::Rubric& r : file.rubrics) {
    if (!declared_.rubric_by_name.emplace(r.name.text, &r).second) {
      error(Code::duplicate_name, r.name.span, "a rubric named '" + r.name.text + "' is declared twice");
      continue;
    }
    declared_.rubric_nodes.push_back(&r);
  }
}

}  // namespace assay
