// Loads the files that a rubric imports, each read and parsed once.
#pragma once

#include "lang/check/state/check_base.hpp"

#include <deque>
#include <set>
#include <string>

namespace assay {

class FileLoader : public CheckBase {
 public:
  using CheckBase::CheckBase;

  void load_imports_of(const ast::File& file);
  const std::deque<ast::File>& imported() const { return imported_; }
  std::deque<ast::File> take_imported() { return std::move(imported_); }

 private:
  void load(const ast::File& file, int depth);

  std::deque<ast::File> imported_;
  std::set<std::string> loaded_;
};

}  // namespace assay
