// Help while an entry is typed: colours, completion, and explanations of names. The language service supplies it, for
// the rubric's text with the entry inserted.
#pragma once

#include "repl/files/record_stream.hpp"
#include "repl/prompt/line_reader.hpp"

#include <assay/authoring.hpp>
#include <assay/service.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class Assistant {
 public:
  explicit Assistant(const Loading& loading);

  void set_rubric(const Rubric& rubric, const std::string& name, const std::string& text);

  std::vector<Paint> colours(std::string_view entry);
  Candidates complete(std::string_view entry, std::size_t at);
  // Fields of records by their paths, with types and prose; after '=', the possible values of a field.
  Candidates complete_field(std::string_view entry, std::size_t begin, std::size_t at, std::string_view record);
  static Candidates complete_file(std::string_view entry, std::size_t begin, std::size_t at);
  // The meaning of a name of the rubric, the language or its library, as plain text; empty: unknown.
  std::string explain(const std::string& name);
  // The names among which to suggest a similar one.
  std::vector<std::string> known() const;

 private:
  struct FieldPath {
    std::string path, type, prose;
    std::vector<std::string> choices;  // JSON
  };
  // Opens the text with the entry inserted; returns the beginning of the entry.
  std::size_t place(std::string_view entry, bool expression);
  std::vector<FieldPath> field_paths(std::string_view record) const;

  std::shared_ptr<std::map<std::string, std::string>> imported_;
  Service service_;
  std::string name_, text_;
  std::size_t end_ = 0;  // end of the rubric's block in the text
  std::string schema_;   // of its records
  std::vector<std::string> names_;
  std::string opened_;  // the text that the service holds
};

}  // namespace assay::cli
