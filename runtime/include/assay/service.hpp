// Answers questions about rubrics while they are being written: what is wrong, what may follow, what a name means,
// where it is used. It serves editors, notebooks and reviews, and depends on none of them. Texts are held in memory
// under names; their imports come from there, or else from the host. Positions are byte offsets in UTF-8; a position
// inside a character counts as its first byte, one beyond the end as the end.
//
// A question about a text with errors is answered from the parts that could be read and from the last version that
// compiled. Answers are values. The service throws, prints and opens nothing; the limits of compiling and evaluating
// bound its work.
//
// Thread rule: a Service belongs to one thread at a time.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct TextRange {
  std::size_t begin = 0, end = 0;  // bytes, end exclusive
  friend bool operator==(const TextRange&, const TextRange&) = default;
};
struct Place {
  std::string file;
  TextRange range;
};
struct Replacement {
  std::string file;
  TextRange range;
  std::string text;
};

struct ServiceOptions {
  // The name under which the file that `from` calls `path` is held or read. Empty: nothing can be imported.
  std::function<std::string(std::string_view path, std::string_view from)> resolve;
  // The text of a file that is not open; nothing if there is no such file.
  std::function<std::optional<std::string>(const std::string& name)> read;
  // Names of the files in the folder of `name` and below, to propose as imports. Empty: only rubrics are proposed.
  std::function<std::vector<std::string>(const std::string& name)> beside;
  Limits limits;
  bool lua = true;
};

struct Finding {
  Severity severity = Severity::error;
  std::string code;     // a Diagnostic's code, or "example" for an example that fails
  std::string message;  // including the help
  TextRange range;
  bool unused = false;  // the range is unused and may be removed
  std::vector<std::pair<Place, std::string>> related;
};

struct FileFindings {
  std::vector<Finding> findings;
  std::set<std::string> read;  // the files that the file names, found or not
};

struct Rewrite {  // a possible change of a text, with a title: "Share out the missing 5%"
  enum class Kind : std::uint8_t { quick_fix, extract, inline_, rewrite } kind = Kind::quick_fix;
  std::string title;
  std::vector<Replacement> edits;
  bool preferred = false;          // it is certain, and the only one
  std::optional<Finding> finding;  // quick_fix: the problem that it fixes, if it fixes one
};

struct Proposal {  // one item of a completion
  enum class Kind : std::uint8_t {
    word,
    declaration,
    input,
    dimension,
    value,
    function,
    table,
    type,
    field,
    choice,
    file
  };
  Kind kind = Kind::value;
  std::string label;
  std::string detail;  // its type and unit, or a signature
  std::string prose;   // Markdown
  std::string insert;  // the text that replaces `range`; with `snippet`, ${1:name} marks a place to fill in
  bool snippet = false;
  TextRange range;
};

struct Explanation {
  TextRange range;  // of the name
  std::string markdown;
};

struct CallHelp {
  std::string label;                                            // "clamp(x, low..high)"
  std::vector<std::pair<std::size_t, std::size_t>> parameters;  // their places in the label, in bytes
  std::size_t active = 0;
  std::string prose;
};

struct Outline {
  enum class Kind : std::uint8_t {
    rubric,
    type,
    input,
    value,
    function,
    table,
    gate,
    dimension,
    rule,
    output,
    example,
    field
  };
  Kind kind = Kind::value;
  std::string name, detail;
  TextRange whole, at;  // the declaration, its name
  std::vector<Outline> parts;
};

enum class TokenKind : std::uint8_t {
  keyword,
  type,
  input,
  dimension,
  value,
  parameter,
  function,
  field,
  choice,
  text,
  number,
  sign,
  comment
};
struct TextToken {
  TextRange range;  // within one line
  TokenKind kind{};
  bool declares = false;
  bool builtin = false;
};

struct Link {
  TextRange range;
  std::string file;
};

struct Lens {  // a line of text above a declaration: an action or a result
  TextRange range;
  std::string title;
  enum class Does : std::uint8_t { nothing, choose_example } does = Does::nothing;
  std::string argument;  // the name of the example
};

struct Hint {  // text shown beside a place, which is not in the file
  std::size_t at = 0;
  std::string text, prose;
};

struct Renaming {
  std::vector<Replacement> edits;
  std::string problem;  // not empty: why the rename was refused
};

struct ScoredRecord {
  std::string example;      // name of the example that supplied the record
  std::string record;       // JSON
  std::string verdict;      // JSON; empty: no verdict
  std::string explanation;  // stage by stage, as a text
  std::string problem;      // not empty: why there is no verdict
  bool earlier = false;     // the text has errors: this verdict is from the last version without errors
};

class Service {
 public:
  explicit Service(ServiceOptions options = {});
  ~Service();
  Service(Service&&) noexcept;
  Service& operator=(Service&&) noexcept;

  // ---- texts
  void open(const std::string& name, std::string text);  // or replace
  // False: the file is not open. A range beyond the text is cut to it.
  bool edit(const std::string& name, TextRange range, std::string_view text);
  void close(const std::string& name);
  const std::string* text(const std::string& name) const;  // null: the file is not open
  std::vector<std::string> opened() const;
  // Tells the service that a file which it read may have changed.
  void changed(const std::string& name);
  // Frees memory of earlier versions. Answers leave this to idle times because it takes a while.
  void tidy();
  // More files, besides the open ones, in which to search for uses of a name. Each is read when needed.
  void set_project(std::vector<std::string> files);

  // ---- answers; empty for a file that is not open
  std::vector<Finding> findings(const std::string& name);
  // Of any file, also one that is not open: it is read for this and not kept. Nothing if it cannot be read.
  std::optional<FileFindings> findings_of_file(const std::string& name);
  std::vector<std::string> importers(const std::string& name);  // open files that read it, except itself
  std::vector<Proposal> complete(const std::string& name, std::size_t at);
  std::optional<Explanation> explain(const std::string& name, std::size_t at);
  std::optional<Place> definition(const std::string& name, std::size_t at);
  // All uses of the name in all known files; with `within`, in this file alone.
  std::vector<Place> references(const std::string& name, std::size_t at, bool with_declaration, bool within = false);
  std::optional<TextRange> can_rename(const std::string& name, std::size_t at);
  // The rename is first carried out on trial. It is refused if a file would then have other errors, or if a name would
  // change its meaning.
  Renaming rename(const std::string& name, std::size_t at, std::string_view to);
  std::optional<CallHelp> call(const std::string& name, std::size_t at);
  std::vector<Outline> outline(const std::string& name);
  std::vector<std::pair<Place, Outline>> search(std::string_view query, std::size_t most = 200);
  std::vector<TextToken> tokens(const std::string& name);
  std::vector<TextRange> folds(const std::string& name);                   // ranges of several lines each
  std::vector<TextRange> around(const std::string& name, std::size_t at);  // enclosing ranges, innermost first
  std::vector<Link> links(const std::string& name);
  std::vector<Lens> lenses(const std::string& name);
  std::vector<Hint> hints(const std::string& name, TextRange range);
  void choose_example(const std::string& name,
                      std::string example);  // the example whose values hints() shows; empty: the first one
  // `later`: an example for a row, whose record has to be searched for, comes without edits; row_example() has them.
  std::vector<Rewrite> rewrites(const std::string& name, TextRange range, bool later = false);
  // The example for the row of a table at a place; nothing if one exercises it, or no record is found within a second.
  std::optional<Rewrite> row_example(const std::string& name, TextRange range);

  // ---- verdicts, within two seconds; while the text has errors, by its last version without errors
  // Scores the record of an example with its context, weights and history. Empty: of the chosen example.
  ScoredRecord score_example(const std::string& name, std::string_view example = {});
  ScoredRecord score_record(const std::string& name, std::string_view json);
  std::optional<Rubric> rubric(const std::string& name);  // nothing: no version of the text compiled

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
