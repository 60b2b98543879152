// Loads the files that a rubric imports, each read and parsed once.
#pragma once

#include "lang/check/state/check_base.hpp"

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>

namespace assay {

class FileLoader : public CheckBase {
 public:
  using CheckBase::CheckBase;

  void load_imports_of(const ast::File& file);
  const std::deque<ast::File>& imported() const { return imported_; }
  std::deque<ast::File> take_imported() { return std::move(imported_); }

 private:
  void load(const ast::File& file);

  std::deque<ast::File> imported_;
  int depth_ = 0;
  std::set<std::string> loaded_;
  std::set<std::pair<std::uint32_t, std::string>> asked_;  // the file that imports, and what it says
};

}  // namespace assay
