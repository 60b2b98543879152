// Writes the layout, and checks the result before returning it.
#include "lang/format/tokens.hpp"
#include "lang/parse/parse.hpp"

#include <assay/format.hpp>

#include <algorithm>
#include <optional>

namespace assay {
namespace {

using format::kNone;
using format::Place;
using format::Style;
using format::Token;
using format::Tokens;

struct Written {
  Tokens tokens;  // of the text read
  std::vector<Place> places;
  std::string text;
  std::vector<std::size_t> ends;  // the end of each token in the formatted text
};

class Writer {
 public:
  explicit Writer(Written& written) : w_(written) {}

  void run() {
    w_.text.reserve(w_.tokens.text.size() + w_.tokens.text.size() / 8);
    w_.ends.reserve(w_.tokens.list.size());
    for (std::uint32_t t = 0; t < w_.tokens.list.size(); ++t) {
      const Token& token = w_.tokens.list[t];
      gap(t, token);
      w_.text += token.written == kNone ? w_.tokens.shown(token) : std::string_view(w_.tokens.written[token.written]);
      w_.ends.push_back(w_.text.size());
    }
  }

 private:
  void gap(std::uint32_t t, const Token& token) {
    if (!w_.places[t].begins_line) {
      w_.text.append(token.gap.space + token.placing.pad, ' ');
      return;
    }
    // Keeps empty lines between statements, but not after '{', before '}' and at both ends of the text.
    const bool closes = token.placing.hard && token.block && token.partner < t;
    const bool first = t == 0 || opens(t - 1);
    const bool end = token.tag == Token::Tag::end;
    std::uint32_t indent = w_.places[t].column;
    if (closes) indent += static_cast<std::uint32_t>(kFormatIndent);
    bool empty = first;  // nothing follows the opening brace yet
    for (std::uint32_t i = 0; i < token.comments; ++i) {
      const format::Comment& comment = w_.tokens.comments[token.first_comment + i];
      if (comment.own_line) {
        line(token.placing.hard && comment.blank_before && !empty);
        w_.text.append(indent, ' ');
      } else {
        w_.text.append(token.placing.comment_column - column(t - 1), ' ');
      }
      w_.text += w_.tokens.shown(comment);
      empty = false;
    }
    if (end) {
      if (!w_.text.empty()) w_.text += '\n';
      return;
    }
    line(token.placing.hard && token.blank && !empty && !closes);
    w_.text.append(w_.places[t].column, ' ');
  }

  bool opens(std::uint32_t t) const {
    const Token& token = w_.tokens.list[t];
    return token.block && token.partner != kNone && token.partner > t;
  }

  // The column after a token.
  std::uint32_t column(std::uint32_t t) const {
    const Token& token = w_.tokens.list[t];
    return (token.multiline ? 0 : w_.places[t].column) + token.width;
  }

  void line(bool blank) {
    if (w_.text.empty()) return;
    w_.text += blank ? "\n\n" : "\n";
  }

  Written& w_;
};

// A text with its layout; nothing after reporting that it cannot be parsed.
std::optional<Written> write(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget) {
  const std::string_view text = sources.file(file).text;
  const std::vector<Node> nodes = parse_nodes(sources, file, diagnostics, budget);
  if (nodes.empty()) return std::nullopt;
  Written written;
  written.tokens = format::tokens_of(text, nodes, budget);
  Style style = format::style_of(written.tokens, nodes, budget);
  written.places = format::lay_out(written.tokens, style, budget);
  budget.take(text.size());
  Writer(written).run();
  return written;
}

constexpr std::string_view kFault = "the formatter is at fault, so the text stays as it is: ";

struct Attempt {
  std::optional<Written> written;  // by the first pass
  std::string text;                // by the last one
  std::vector<Diagnostic> diagnostics;
  Printable problem;
};

// Formats and checks. The text must outlive the result.
Attempt attempt(Sources& sources, std::string_view name, std::string_view text, const FormatOptions& options) {
  Attempt result;
  const std::uint32_t file =
      sources.add(std::string(name), std::string(text.substr(0, options.limits.source_bytes + 1)));
  Diagnostics diagnostics(sources);
  Budget budget(options.limits, options.interrupt);
  if (text.size() > options.limits.source_bytes) {
    diagnostics.report(Code::file_not_found, {file, 0, 1},
                       "the file is longer than " + std::to_string(options.limits.source_bytes) + " bytes");
    result.diagnostics = diagnostics.take();
    return result;
  }
  try {
    budget.take(2 * text.size());
    result.written = write(sources, file, diagnostics, budget);
    // A row that is too long for its line may be broken in one pass and aligned with its neighbours in the next.
    constexpr int kMostPasses = 4;
    if (result.written) result.text = result.written->text;
    bool settled = !result.written || result.text == text;  // otherwise the checks would compare the text with itself
    for (int pass = 1; !settled && result.problem.empty(); ++pass) {
      const std::uint32_t next = sources.add(std::string(name), result.text);
      Diagnostics again(sources);
      std::optional<Written> after = write(sources, next, again, budget);
      settled = after && after->text == result.text;
      if (!after) {
        result.problem = Printable(std::string(kFault) + "its text cannot be read");  // no test: a fault of its own
      } else if (!format::same(result.written->tokens, after->tokens)) {
        result.problem = Printable(std::string(kFault) + "it would change a token or a comment");  // no test: as above
      } else if (!settled && pass == kMostPasses) {
        result.problem = Printable(std::string(kFault) + "formatting twice gives another text");  // no test: as above
      } else if (!settled) {
        result.text = std::move(after->text);
      }
    }
    if (!result.problem.empty()) result.written.reset();
  } catch (const OutOfBudget& out) {
    report(out, budget, diagnostics);
    result.written.reset();
  }
  result.diagnostics = diagnostics.take();
  return result;
}

}  // namespace

Formatted format_rubric(std::string_view name, std::string_view text, const FormatOptions& options) {
  Sources sources;
  Attempt made = attempt(sources, name, text, options);
  Formatted result;
  if (made.written) result.text = std::move(made.text);
  result.diagnostics = std::move(made.diagnostics);
  result.problem = std::move(made.problem);
  return result;
}

FormattedRange format_rubric_range(std::string_view name, std::string_view text, std::size_t begin, std::size_t end,
                                   const FormatOptions& options) {
  Sources sources;
  Attempt made = attempt(sources, name, text, options);
  FormattedRange result;
  result.diagnostics = std::move(made.diagnostics);
  result.problem = std::move(made.problem);
  if (!made.written) return result;
  const Written& w = *made.written;
  const std::vector<Token>& list = w.tokens.list;
  end = std::min(end, text.size());
  begin = std::min(begin, end);
  // Extends the range back to a token that begins a line in both texts; likewise at its end.
  const auto both = [&](std::size_t t) { return w.places[t].begins_line && list[t].newline; };
  const auto behind = [&](std::size_t at) {
    return static_cast<std::size_t>(
        std::partition_point(list.begin(), list.end() - 1, [at](const Token& token) { return token.end < at; }) -
        list.begin());
  };
  std::size_t first = behind(begin), last = behind(std::max(end, begin + 1)) + 1;
  while (first > 0 && !both(first)) --first;
  while (last < list.size() && !both(last)) ++last;
  const std::size_t source_begin = first == 0 ? 0 : list[first - 1].end,
                    written_begin = first == 0 ? 0 : w.ends[first - 1];
  const std::size_t source_end = last >= list.size() ? text.size() : list[last - 1].end;
  const std::size_t written_end = last >= list.size() ? w.text.size() : w.ends[last - 1];
  const std::string_view after = std::string_view(w.text).substr(written_begin, written_end - written_begin);
  if (text.substr(source_begin, source_end - source_begin) != after)
    result.edit = TextEdit{source_begin, source_end, std::string(after)};
  return result;
}

}  // namespace assay
