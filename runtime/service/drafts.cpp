// Inserts declarations into the text of a rubric. See <assay/draft.hpp>.
#include "lang/parse/parse.hpp"
#include "lang/syntax/ast_diff.hpp"

#include <assay/draft.hpp>
#include <assay/format.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace assay {

namespace {

using Tag = RoughToken::Tag;

bool opens(std::string_view sign) { return sign == "(" || sign == "[" || sign == "{"; }
bool closes(std::string_view sign) { return sign == ")" || sign == "]" || sign == "}"; }

// Whether a text without a closing quote continues: one of several lines always, any other never.
constexpr std::string_view kVerbatim = "\"\"\"";

bool unclosed(std::string_view literal) {
  return literal.starts_with(kVerbatim) && (literal.size() < 2 * kVerbatim.size() || !literal.ends_with(kVerbatim));
}

// The key of a declaration in its rubric; empty: it has none.
std::string draft_key(const ast::Item& item) {
  if (const auto* example = std::get_if<ast::Example>(&item.node))
    return example->name.plain() ? "example " + example->name.str() : std::string();
  if (const auto* input = std::get_if<ast::Input>(&item.node))
    return input->names.size() == 1 ? "input " + input->names.front().text : std::string();
  return ast::merge_key(item);
}

// A description: "dimension clarity", "scale".
std::string called(const ast::Item& item, const Sources& sources) {
  std::string text(sources.text(item.word));
  std::string key = draft_key(item);
  if (const auto* input = std::get_if<ast::Input>(&item.node))
    key = "input " + (input->names.empty() ? std::string() : input->names.front().text);
  const std::size_t blank = key.find(' ');
  if (blank == std::string::npos) return text;
  std::string name = key.substr(blank + 1);
  if (name.starts_with(text + " ")) name.erase(0, text.size() + 1);  // "adjustment bonus tests"
  return text + " " + name;
}

// A text with its syntax.
struct Parsed {
  Sources sources;
  ast::File file;
  std::vector<Diagnostic> diagnostics;
  bool good = false;

  Parsed(std::string_view name, std::string text, const Limits& limits) {
    if (text.size() > limits.source_bytes) {
      Diagnostic diagnostic;
      diagnostic.code = "E0902";
      diagnostic.message =
          Printable("the text is longer than " + std::to_string(limits.source_bytes) + " bytes (limit: source_bytes)");
      diagnostics.push_back(std::move(diagnostic));
      return;
    }
    const std::uint32_t index = sources.add(std::string(name), std::move(text));
    Diagnostics found(sources);
    Budget budget(limits, nullptr);
    try {
      file = parse(sources, index, found, budget);
    } catch (const OutOfBudget& out) { report(out, budget, found); }
    diagnostics = found.take();
    good = !has_errors(diagnostics);
  }
  const std::string& text() const { return sources.file(0).text; }
};

// The frame in which typed declarations are parsed: a line of its own, so that only line numbers change.
constexpr std::string_view kFrame = "rubric typed {\n";

// `lines`: of the typed text. An error after it is moved to its end, because nobody typed the frame's bracket.
void shift_lines(std::vector<Diagnostic>& diagnostics, int lines) {
  constexpr std::string_view kFound = "found '}'";
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.at.line > lines + 1) {
      std::string message = diagnostic.message.str();
      if (const std::size_t at = message.rfind(kFound); at != std::string::npos)
        message.replace(at, kFound.size(), "found the end of the text");
      diagnostic.message = Printable(message);
      diagnostic.at.line_text.clear();
    }
    diagnostic.at.line = std::max(diagnostic.at.line - 1, 1);
    diagnostic.suggestions.clear();  // their edits refer to the frame
    for (Note& note : diagnostic.notes) note.at.line = note.at.line > 1 ? note.at.line - 1 : note.at.line;
  }
}

// Removes and returns the imports at the beginning, which cannot be inside a rubric.
std::vector<std::string> take_imports(std::string& text) {
  std::vector<std::string> imports;
  for (std::uint32_t at = 0;;) {
    const RoughToken word = rough_token(text, at), path = rough_token(text, word.end);
    if (shown(text, word) != "import" || path.tag != Tag::text) return imports;
    imports.emplace_back(shown(text, path));
    for (std::uint32_t i = word.begin; i < path.end; ++i) text[i] = text[i] == '\n' ? '\n' : ' ';
    at = path.end;
  }
}

// The declaration in the standard layout, without indentation.
std::string laid_out(std::string_view declaration, const Limits& limits) {
  FormatOptions options;
  options.limits = limits;
  Formatted formatted = format_rubric("typed", std::string(kFrame) + std::string(declaration) + "\n}\n", options);
  if (!formatted.text) return std::string(declaration);
  std::string inner = *formatted.text;
  const std::size_t open = inner.find('\n'), close = inner.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close <= open) return std::string(declaration);
  inner = inner.substr(open + 1, close - open - 1);
  while (!inner.empty() && (inner.back() == '\n' || inner.back() == ' ')) inner.pop_back();
  return inner;
}

struct Change {
  std::size_t begin = 0, end = 0;
  std::string text;
};

class Drafting {
 public:
  Drafting(const Parsed& base, const Parsed& typed, const Limits& limits)
      : base_(base), typed_(typed), limits_(limits), text_(base.text()) {
    for (const ast::Item& item : base.file.items) known_.emplace(draft_key(item), &item);
    for (const ast::Item& item : rubric().items) known_[draft_key(item)] = &item;
    known_.erase("");
  }

  void add(const ast::Item& item, std::vector<std::string>& done) {
    std::string written = laid_out(typed_.sources.text(item.span), limits_);
    const std::string name = called(item, typed_.sources);
    const auto known = known_.find(draft_key(item));
    if (known != known_.end()) {
      const Span at = known->second->span;
      const std::string was = called(*known->second, base_.sources);
      written.erase(0, std::min(written.find_first_not_of(' '), written.size()));
      changes_.push_back({at.begin, at.end, std::move(written)});
      done.push_back("replaced " + was + (was == name ? "" : " by " + name));
      return;
    }
    const std::size_t at = place_for(item);
    // Further text on the same line goes to a line of its own.
    const std::size_t rest = std::min(text_.find_first_not_of(" \t", at), text_.size());
    const bool within = rest < text_.size() && text_[rest] != '\n';
    changes_.push_back({at, within ? rest : at, "\n" + written + (within ? "\n" + indent(rest) : "")});
    done.push_back("added " + name);
  }

  void import(const std::string& path, std::vector<std::string>& done) {
    for (const ast::Import& one : base_.file.imports) {
      if (base_.sources.text(one.path.span) == path) {
        done.push_back("import " + path + " stands there already");
        return;
      }
    }
    const std::size_t at = base_.file.imports.empty() ? 0 : base_.file.imports.back().span.end;
    changes_.push_back({at, at, at == 0 ? "import " + path + "\n" : "\nimport " + path});
    done.push_back("added import " + path);
  }

  std::string text() {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t at = 0;
    for (const Change& change : changes_) {
      out += text_.substr(at, change.begin - at) + change.text;
      at = change.end;
    }
    return out + text_.substr(at);
  }

 private:
  const ast::Rubric& rubric() const { return base_.file.rubrics.back(); }

  // After the last declaration of its kind; otherwise of a kind that comes earlier in the usual order.
  std::size_t place_for(const ast::Item& item) const {
    std::size_t at = text_.find('{', head_end()) + 1;
    bool like = false;
    for (const ast::Item& one : rubric().items) {
      const bool same = one.node.index() == item.node.index();
      if (same || (!like && one.node.index() < item.node.index())) at = one.span.end;
      like = like || same;
    }
    // A comment after it on the same line belongs to it.
    const std::size_t line = std::min(text_.find('\n', at), text_.size());
    const std::size_t rest = text_.find_first_not_of(" \t", at);
    return rest >= line || text_[rest] == '#' ? line : at;
  }
  std::string indent(std::size_t at) const {
    return text_[at] == '}' ? std::string() : std::string(kFormatIndent, ' ');
  }
  std::size_t head_end() const {
    const ast::Rubric& r = rubric();
    return std::max(
        {r.name.span.end, r.extends.text.empty() ? 0U : r.extends.span.end, r.prose.given ? r.prose.span.end : 0U});
  }

  const Parsed& base_;
  const Parsed& typed_;
  const Limits& limits_;
  const std::string& text_;
  std::map<std::string, const ast::Item*> known_;
  std::vector<Change> changes_;
};

}  // namespace

Typed kind_of_typed(std::string_view text) {
  const RoughToken first = rough_token(text, 0);
  if (first.tag == Tag::end) return Typed::nothing;
  // File items and imports may stand before a rubric.
  for (RoughToken token = first; token.tag != Tag::end; token = rough_token(text, token.end)) {
    if (token.tag == Tag::word && shown(text, token) == "rubric" && first_in_line(text, token.begin) &&
        begins_declaration(text, token)) {
      const bool whole = token.begin == first.begin || begins_declaration(text, first);
      if (whole) return Typed::rubric;
    }
  }
  return begins_declaration(text, first) ? Typed::declarations : Typed::expression;
}

bool is_unfinished(std::string_view text) { return UnfinishedText().add(text); }

bool UnfinishedText::add(std::string_view line) {
  if (complete_) return false;
  std::uint32_t at = 0;
  if (in_text_) {
    const std::size_t close = line.find(kVerbatim);
    if (close == line.npos) return true;
    in_text_ = false;
    at = static_cast<std::uint32_t>(close + kVerbatim.size());
  }
  while (true) {
    const RoughToken token = rough_token(line, at);
    if (token.tag == Tag::end) return !open_.empty();
    const std::string_view sign = shown(line, token);
    if (token.tag == Tag::text && unclosed(sign)) return in_text_ = true;
    if (token.tag == Tag::sign && opens(sign)) open_ += sign;
    if (token.tag == Tag::sign && closes(sign)) {
      if (open_.empty()) {
        complete_ = true;
        return false;
      }
      open_.pop_back();
    }
    at = token.end;
  }
}

Drafted with_declarations(std::string_view name, std::string_view text, std::string_view declarations,
                          const Limits& limits) {
  Drafted drafted;
  std::string typed(declarations);
  const std::vector<std::string> imports = take_imports(typed);
  Parsed given("input", std::string(kFrame) + typed + "\n}\n", limits);
  if (!given.good || given.file.rubrics.size() != 1) {
    drafted.diagnostics = std::move(given.diagnostics);
    shift_lines(drafted.diagnostics, 1 + static_cast<int>(std::count(typed.begin(), typed.end(), '\n')));
    return drafted;
  }
  const Parsed base(name, std::string(text), limits);
  if (!base.good || base.file.rubrics.empty()) {
    drafted.diagnostics = base.diagnostics;
    return drafted;
  }
  Drafting drafting(base, given, limits);
  for (const std::string& path : imports) drafting.import(path, drafted.done);
  for (const ast::Item& item : given.file.rubrics.front().items) drafting.add(item, drafted.done);
  drafted.text = drafting.text();
  return drafted;
}

}  // namespace assay
