// The answer of a verb, independent of the format: headings, sentences and tables, written as text or as Markdown.
#pragma once

#include <assay/verdicts.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class Document {
 public:
  void heading(std::string text);
  void line(std::string text);  // a sentence, or several
  void item(std::string text);  // of a list
  void table(TextTable table);
  std::string text() const;  // printable, ends with a newline
  std::string markdown() const;
  std::string as(std::string_view format) const { return format == "markdown" ? markdown() : text(); }

 private:
  struct Part {
    enum class Kind : unsigned char { heading, line, item, table } kind;
    std::string text;
    TextTable table;
  };
  std::vector<Part> parts_;
};

// An exact decimal or fraction as people read it: at most `digits` significant digits, "≈" before a fraction's.
std::string shown_number(std::string_view exact, int digits = 6);
std::string shown_double(double value, int decimals);
// A JSON text without its quotes, any other JSON unchanged, null as a dash.
std::string bare(std::string_view json);

}  // namespace assay::cli
