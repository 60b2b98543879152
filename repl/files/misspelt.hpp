// Keys of records that are probably misspelt: they are passed over in silence, so that a verdict is wrong without an
// error. When records have been read, a few at the beginning of their file are looked at once more, and a note on
// standard error names the key, and the one that it lacks. Only what is hardly anything else is told
// (UnknownKey::misspelt): a note that means nothing teaches people not to read notes. --strict is for those who want to
// be sure.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

class MisspeltKeys {
 public:
  // `sets`: what --set changes in each record. The rubric has to outlive it.
  MisspeltKeys(const Rubric& rubric, std::vector<std::pair<std::string, std::string>> sets)
      : rubric_(&rubric), sets_(std::move(sets)) {}

  // Looks at the first records, or names of columns, of a file; each key is told once, and not more than a few are.
  void note(const Beginning& beginning);

 private:
  std::vector<UnknownKey> columns(std::vector<std::string> names) const;
  void note_records(const Beginning& beginning);
  void tell(const UnknownKey& key, const std::string& place, std::string_view refused);

  const Rubric* rubric_;
  std::vector<std::pair<std::string, std::string>> sets_;
  std::set<std::string> told_;
};

}  // namespace assay::cli
