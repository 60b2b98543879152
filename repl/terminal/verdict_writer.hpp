// Verdicts in a format. The thread that scored a verdict does everything that concerns it alone (render); blocks of the
// results come here in order. Only tables are held back until the end.
#pragma once

#include "repl/files/output.hpp"
#include "repl/terminal/formats.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class VerdictWriter {
 public:
  VerdictWriter(Output& output, const OutputFormat& format, std::vector<std::string> columns);

  std::function<void(std::string_view json, bool faulty, std::string& out)> render() const;
  // False: going on is pointless.
  bool add(std::string_view block);
  // `cohort`: the JSON of a cohort's outputs, which comes last; empty: none. `tidy`: omits uninformative columns.
  void end(std::string_view cohort, bool tidy);

 private:
  bool add_rows(std::string_view block);
  void end_table(bool tidy);

  Output* output_;
  const OutputFormat* format_;
  std::vector<std::string> columns_;
  Table table_;
  bool first_ = true;
  bool all_eligible_ = true;
};

}  // namespace assay::cli
