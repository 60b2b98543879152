// Answers to questions about texts of rubrics while somebody writes them: what is wrong, what may follow, what a name
// means, where it is used. For editors, notebooks and reviews; it knows none of them. Texts are held in memory under names;
// what they import is taken from there or else read through the host. Positions are byte offsets in UTF-8, positions
// within a character count as its beginning, and beyond the end as the end.
//
// A question about a text with errors is answered from whatever could be read of it, and from the last text that could be
// compiled. Answers are values. Nothing is thrown, printed or opened here; what costs much is bounded by the limits of
// compiling and of evaluating.
//
// Thread rule: a Service belongs to one thread at a time.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  // What the file `from` calls `path`: the name under which it is held or read. Empty: there are no imports.
  std::function<std::string(std::string_view path, std::string_view from)> resolve;
  // The text of a file that is not held; nothing when there is none.
  std::function<std::optional<std::string>(const std::string& name)> read;
  // Names of files in the folder of a file and below it, to propose what it may import. Empty: only rubrics are proposed.
  std::function<std::vector<std::string>(const std::string& name)> beside;
  Limits limits;
  bool lua = true;
};

struct Rewrite {  // something that may be done to a text, with its title: "Share out the missing 5%"
  enum class Kind : std::uint8_t { quick_fix, extract, inline_, rewrite } kind = Kind::quick_fix;
  std::string title;
  std::vector<Replacement> edits;
  bool preferred = false;   // certain, and the only one
  std::size_t finding = 0;  // quick_fix: 1 + the index in findings() of what it mends; 0: none
};

struct Finding {
  Severity severity = Severity::error;
  std::string code;     // of a Diagnostic; "example" for an example that fails
  std::string message;  // with the help
  TextRange range;
  bool unused = false;  // what is there may be removed
  std::vector<std::pair<Place, std::string>> related;
};

struct Proposal {  // of a completion
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
  std::string insert;  // what replaces `range`; with `snippet`, places to fill are ${1:name}
  bool snippet = false;
  TextRange range;
};

struct Explanation {
  TextRange range;  // of the name
  std::string markdown;
};

struct CallHelp {
  std::string label;                                            // "clamp(x, low..high)"
  std::vector<std::pair<std::size_t, std::size_t>> parameters;  // where they stand in the label, bytes
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

struct Lens {  // above a line: what can be done there, or what came out
  TextRange range;
  std::string title;
  enum class Does : std::uint8_t { nothing, choose_example } does = Does::nothing;
  std::string argument;  // the name of the example
};

struct Hint {  // a text beside a place that is not in the file
  std::size_t at = 0;
  std::string text, prose;
};

struct Renaming {
  std::vector<Replacement> edits;
  std::string problem;  // not empty: why it cannot be done
};

struct ScoredRecord {
  std::string example;      // its name, where an example gives the record
  std::string record;       // JSON
  std::string verdict;      // JSON; empty: there is none
  std::string explanation;  // stage by stage, as a text
  std::string problem;      // not empty: why there is no verdict
  bool earlier = false;     // the text has errors: this is the verdict of the last one without
};

class Service {
 public:
  explicit Service(ServiceOptions options = {});
  ~Service();
  Service(Service&&) noexcept;
  Service& operator=(Service&&) noexcept;

  // ---- texts
  void open(const std::string& name, std::string text);  // or replace
  // False: it is not open. A range that is not within the text is cut to it.
  bool edit(const std::string& name, TextRange range, std::string_view text);
  void close(const std::string& name);
  const std::string* text(const std::string& name) const;  // null: it is not open
  std::vector<std::string> opened() const;
  // A file that was read may have changed.
  void changed(const std::string& name);
  // Frees what earlier texts needed. Answers put this off, since it takes a while: call it when nobody waits for one.
  void tidy();
  // Files to be searched for uses of a name, beside those that are open; each is read when it is needed.
  void set_project(std::vector<std::string> files);

  // ---- answers; about a file that is not open: none
  std::vector<Finding> findings(const std::string& name);
  std::vector<std::string> importers(const std::string& name);  // open files that read it, itself not among them
  std::vector<Proposal> complete(const std::string& name, std::size_t at);
  std::optional<Explanation> explain(const std::string& name, std::size_t at);
  std::optional<Place> definition(const std::string& name, std::size_t at);
  // Places of the name in all known files; with `within`, in this file alone.
  std::vector<Place> references(const std::string& name, std::size_t at, bool with_declaration, bool within = false);
  std::optional<TextRange> can_rename(const std::string& name, std::size_t at);
  // Carried out on trial: a renaming after which a file has other errors, or in which a name comes to mean something
  // else, is refused.
  Renaming rename(const std::string& name, std::size_t at, std::string_view to);
  std::optional<CallHelp> call(const std::string& name, std::size_t at);
  std::vector<Outline> outline(const std::string& name);
  std::vector<std::pair<Place, Outline>> search(std::string_view query, std::size_t most = 200);
  std::vector<TextToken> tokens(const std::string& name);
  std::vector<TextRange> folds(const std::string& name);                   // of several lines each
  std::vector<TextRange> around(const std::string& name, std::size_t at);  // the innermost first
  std::vector<Link> links(const std::string& name);
  std::vector<Lens> lenses(const std::string& name);
  std::vector<Hint> hints(const std::string& name, TextRange range);
  void choose_example(const std::string& name,
                      std::string example);  // whose values hints() shows; first: the first one
  std::vector<Rewrite> rewrites(const std::string& name, TextRange range);

  // ---- verdicts, within two seconds; while the text has errors, of the last one without
  // The record of an example, with its context, weights and history. Empty: of the one that was chosen.
  ScoredRecord score_example(const std::string& name, std::string_view example = {});
  ScoredRecord score_record(const std::string& name, std::string_view json);
  std::optional<Rubric> rubric(const std::string& name);  // nothing: no text of it was without errors

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
