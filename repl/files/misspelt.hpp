// Finds keys of records that are probably misspelled: they are ignored silently, so that a verdict is wrong without an
// error. After the records have been read, the first few of each file are examined again, and a note on standard error
// names such a key and the missing one. The layout of a file is examined first, at its first error. We report only near-certain misspellings (UnknownKey::misspelt): useless notes
// teach people to ignore notes. Users who want certainty use --strict.
#pragma once

#include "repl/files/layout.hpp"
#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

class MisspeltKeys {
 public:
  // `sets`: the fields that --set changes in each record. The rubric must outlive this object.
  MisspeltKeys(const Rubric& rubric, std::vector<std::pair<std::string, std::string>> sets)
      : rubric_(&rubric), sets_(std::move(sets)) {}

  // Examines the first records, or column names, of a file; reports each key once, and only a few.
  void note(const Beginning& beginning);
  // For each error of a record, before it is printed. If the first one of a file follows from the file itself, a table
  // gets the cause in its place, and any other file a note ahead of its errors; note() then has nothing to add.
  InputError with_cause(const Beginning& beginning, std::uint64_t line, InputError error);

 private:
  void note_problem(const Beginning& beginning, const LayoutProblem& problem);
  std::vector<UnknownKey> columns(std::vector<std::string> names) const;
  void note_records(const Beginning& beginning);
  void note_header(const std::string& label, const std::vector<std::string>& header,
                   const std::vector<UnknownKey>& meant);
  void note_unread(const std::string& place, const std::vector<std::string>& missing,
                   const std::vector<UnknownKey>& unread);
  void tell(const UnknownKey& key, const std::string& place, std::string_view rejected);

  const Rubric* rubric_;
  std::vector<std::pair<std::string, std::string>> sets_;
  std::set<std::string> told_;
  std::set<std::string> examined_;   // files with an error so far
  std::set<std::string> explained_;  // those whose layout has been told
};

}  // namespace assay::cli
