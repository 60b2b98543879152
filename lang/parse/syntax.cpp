// The list of nodes while the grammar matches, and the recovery: where to continue after an error.
#include "lang/parse/syntax.hpp"

#include "lang/parse/begins.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/syntax/foreign_words.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace assay {
std::string_view shown(std::string_view text, const RoughToken& token) {
  return text.substr(token.begin, token.end - token.begin);
}

bool first_in_line(std::string_view text, std::uint32_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

// ---- nodes

void Syntax::charge() {
  constexpr std::size_t kAtOnce = 256;
  budget_.take(kAtOnce * sizeof(Node));
  charged_ += kAtOnce;
}

std::vector<std::uint32_t> Syntax::opened() const {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = open_; node != 0; node = nodes_[node].next) nodes.push_back(node);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

void Syntax::note_item(const State& state, std::uint32_t begin, std::uint32_t end, std::uint64_t steps_before) {
  if (state.nodes >= nodes_.size() || !is_item(nodes_[state.nodes].kind)) return;
  while (!items_.empty() && items_.back().begin >= begin) items_.pop_back();  // those inside a cohort
  items_.push_back({static_cast<std::uint32_t>(state.nodes), begin, end, budget_.steps() - steps_before});
}

void Syntax::adopt(std::vector<Node> nodes, std::vector<ItemNodes> items) {
  while (charged_ < nodes.size()) charge();
  nodes_ = std::move(nodes);
  items_ = std::move(items);
}

void Syntax::restore(const State& state) {
  nodes_.resize(state.nodes);
  open_ = state.open;
  nodes_.front().next = static_cast<std::uint32_t>(nodes_.size());
}

void Syntax::fail(const Expected& expected, std::uint32_t at) {
  // Suggestions need a search in the surrounding text; nobody reads that of the thousandth problem.
  constexpr std::size_t kMostExplained = 200, kBytesAStep = 64;
  constexpr std::uint64_t kProblemSteps = 1000;
  failed_at_ = at;
  outside_ = expected.wanted == Wanted::top;
  if (at <= quiet_until_) return;
  if (problems_.size() < kMostExplained) {
    budget_.step(kProblemSteps + text_.size() / kBytesAStep);
    if (!explain_swallowed(expected, at)) explain(expected, at);
  } else {
    problems_.push_back({Code::syntax_expected, {file_, at, at + 1}, "this cannot be read"});
  }
  quiet_until_ = failed_at_;
}

// ---- recovery

std::uint32_t skip_blanks(std::string_view text, std::uint32_t at) {
  while (at < text.size()) {
    if (text[at] == '#') {
      while (at < text.size() && text[at] != '\n') ++at;
    } else if (is_white_space(text[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

RoughToken rough_token(std::string_view text, std::uint32_t at) {
  using Tag = RoughToken::Tag;
  const std::uint32_t begin = skip_blanks(text, at);
  std::uint32_t end = begin;
  if (begin >= text.size()) return {Tag::end, begin, begin};
  const auto peek = [&](std::uint32_t i) { return i < text.size() ? text[i] : '\0'; };
  if (is_name_character(text[begin])) {
    const bool number = is_digit(text[begin]);
    while (end < text.size() &&
           (is_name_character(text[end]) || (number && text[end] == '.' && is_digit(peek(end + 1)))))
      ++end;
    if (number && peek(end) == '%') ++end;
    return {number ? Tag::number : Tag::word, begin, end};
  }
  if (text[begin] == '"') {
    if (text.substr(begin, 3) == "\"\"\"") {
      const std::size_t close = text.find("\"\"\"", begin + 3);
      return {Tag::text, begin, static_cast<std::uint32_t>(close == text.npos ? text.size() : close + 3)};
    }
    for (end = begin + 1; end < text.size() && text[end] != '"' && text[end] != '\n'; ++end) {
      if (text[end] == '\\' && peek(end + 1) != '\n' && end + 1 < text.size()) ++end;
    }
    return {Tag::text, begin, end < text.size() && text[end] == '"' ? end + 1 : end};
  }
  ++end;
  while (end < text.size() && continues_character(text[end])) ++end;
  static constexpr std::string_view kPairs[] = {"==", "!=", "<=", ">=", "..", "&&", "||", "//", "/*",
                                                "**", "=>", "->", "<>", ":=", "::", "??", "?.", "=~"};
  // Tested first, because most signs begin no such pair.
  constexpr std::string_view kFirst = "=!<>.&|/*-:?", kSecond = "=.&|/*>:?~";
  if (begin + 1 < text.size() && kSecond.find(text[begin + 1]) != kSecond.npos &&
      kFirst.find(text[begin]) != kFirst.npos &&
      std::find(std::begin(kPairs), std::end(kPairs), text.substr(begin, 2)) != std::end(kPairs))
    end = begin + 2;
  return {Tag::sign, begin, end};
}

const std::vector<std::string_view>& declaration_words() {
  static const std::vector<std::string_view> kWords = [] {
    std::vector<std::string_view> words;
    for (const DeclarationWord& row : kDeclarationWords) {
      if (row.in_rubric) words.push_back(row.word);
    }
    return words;
  }();
  return kWords;
}

namespace {

// Splits the words of a column at blanks.
template <typename Use>
bool any_word(std::string_view words, const Use& use) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (use(words.substr(0, end))) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

// Whether a word continues an expression.
bool continues(std::string_view word) {
  static constexpr std::string_view kContinues[] = {"and",  "or",  "xor",     "in",    "is",       "when",
                                                    "else", "for", "default", "where", "decimals", "with",
                                                    "then", "by",  "while",   "at"};
  return std::find(std::begin(kContinues), std::end(kContinues), word) != std::end(kContinues);
}

}  // namespace

std::string adjustment_lists() {
  std::string all;
  for (const AdjustmentRow& row : kAdjustments) {
    const bool last = &row == std::end(kAdjustments) - 1;
    all += (all.empty() ? "" : last ? " or " : ", ") + std::string(row.list);
  }
  return all;
}

std::string_view declaration_word_for(std::string_view foreign) {
  for (const DeclarationWord& row : kDeclarationWords) {
    if (any_word(row.foreign, [&](std::string_view word) { return word == foreign; })) return row.word;
  }
  for (const auto& [word, meant] : kForeignDeclarations) {
    if (word == foreign) return meant;
  }
  return {};
}

// A word of declarations can also be a name: the next token decides.
bool begins_declaration(std::string_view text, const RoughToken& word) {
  return word.tag == RoughToken::Tag::word && would_begin(text, word, shown(text, word));
}

bool would_begin(std::string_view text, const RoughToken& word, std::string_view meant) {
  using Tag = RoughToken::Tag;
  const DeclarationWord* row = find_declaration(meant);
  if (row == nullptr) return false;
  const RoughToken next = rough_token(text, word.end);
  const std::string_view n = shown(text, next);
  return any_word(row->follows, [&](std::string_view what) {
    if (what == "TEXT") return next.tag == Tag::text;
    if (what == "NUMBER") return next.tag == Tag::number;
    if (what == "WORD") return next.tag == Tag::word;
    if (what == "NAME") return next.tag == Tag::word && !continues(n);
    if (what != "DEFINED") return what == n;
    if (next.tag != Tag::word || !continues(n)) return next.tag == Tag::word;
    // 'let when = 3' is a declaration with a reserved name, 'input when x' is a value
    const std::string_view after = shown(text, rough_token(text, next.end));
    return after == "=" || after == ":";
  });
}

namespace {

// 'penalty x = 2': this was meant as a declaration, whatever its first word is.
bool defines(std::string_view text, const RoughToken& word) {
  static constexpr std::string_view kClauses[] = {"where", "with", "weight", "points",  "at",      "by",    "for",
                                                  "in",    "when", "while",  "and",     "or",      "xor",   "not",
                                                  "else",  "is",   "then",   "missing", "default", "level", "decimals"};
  const RoughToken name = rough_token(text, word.end), equals = rough_token(text, name.end);
  return name.tag == RoughToken::Tag::word && shown(text, equals) == "=" &&
         text.substr(word.begin, equals.end - word.begin).find('\n') == text.npos &&
         std::find(std::begin(kClauses), std::end(kClauses), shown(text, word)) == std::end(kClauses);
}

// A misspelled word of declarations, followed by a possible declaration.
bool resembles_declaration(std::string_view text, const RoughToken& word) {
  const std::string_view w = shown(text, word);
  if (begins_declaration(text, word)) return false;
  const RoughToken next = rough_token(text, word.end);
  if (defines(text, word)) return true;
  if (next.tag == RoughToken::Tag::word && !declaration_word_for(w).empty()) return true;
  if (w.size() < 4 || (next.tag != RoughToken::Tag::word && next.tag != RoughToken::Tag::text)) return false;
  const auto& words = declaration_words();
  return std::find(words.begin(), words.end(), w) == words.end() && !nearest(w, words).empty();
}

}  // namespace

// Continues at the next declaration that begins a line, at the end of the block around the failed declaration, or at
// the end of the text. Counts the braces that the failed declaration has opened; a declaration that is impossible in
// such a block ends the counting, because a brace must be missing.
std::uint32_t Syntax::resume(std::uint32_t begin) {
  int braces = 0;
  std::uint32_t at = begin;
  for (RoughToken token = rough_token(text_, begin); token.begin < failed_at_ && token.tag != RoughToken::Tag::end;
       token = rough_token(text_, token.end)) {
    if (text_[token.begin] == '{') ++braces;
    if (text_[token.begin] == '}' && braces > 0) --braces;
    at = token.end;
  }
  at = std::max(at, failed_at_);
  bool moved = at > skip_blanks(text_, begin);
  while (true) {
    const RoughToken token = rough_token(text_, at);
    at = token.begin;
    if (token.tag == RoughToken::Tag::end) break;
    const std::string_view word = shown(text_, token);
    if (word == "}" && braces == 0 && moved && !outside_) break;
    if (word == "}" && braces > 0) --braces;
    if (word == "{") ++braces;
    const bool starts = moved && token.tag == RoughToken::Tag::word && first_in_line(text_, token.begin);
    if (starts && (outside_ ? !nearest(word, {"rubric", "import"}).empty()
                            : braces == 0 && resembles_declaration(text_, token))) {
      quiet_until_ = std::max<std::int64_t>(quiet_until_, at - 1);  // a misspelled word is a separate problem
      return at;
    }
    if (starts && begins_declaration(text_, token)) {
      const bool inner = word == "criterion" || word == "level";
      const bool shared = word == "type" || word == "fn" || word == "table" || word == "hook";
      const bool file_level = word == "rubric" || word == "import" ||
                              (shared && braces == 0 && text_.find("\nrubric ", at) != std::string_view::npos);
      if (outside_ ? file_level : !(braces > 0 && inner)) break;
    }
    at = token.end;
    moved = true;
  }
  quiet_until_ = std::max<std::int64_t>(quiet_until_, at);
  return at;
}

// ---- bytes

namespace {

// How many bytes at the beginning are printable ASCII or white space: as much as can be told quickly.
std::size_t plain_bytes(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101, kHigh = 0x80 * kEach, kBlank = 0x20 * kEach;
  constexpr std::size_t kMost = 4096;  // between two looks at the budget
  std::size_t count = 0;
  while (count < kMost && text.size() - count >= sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + count, sizeof eight);
    // A byte that is below a blank, above ASCII or 0x7F sets a high bit; the byte behind such a one may as well.
    if ((((eight - kBlank) | eight | (eight + kEach)) & kHigh) != 0) break;
    count += sizeof eight;
  }
  // Few lines are a multiple of eight, so the rest of one is told byte by byte.
  const auto plain = [](char c) { return (c >= 0x20 && c < 0x7F) || is_white_space(c); };
  const std::size_t most = std::min(text.size(), count + sizeof(std::uint64_t));
  while (count < most && plain(text[count])) ++count;
  return count;
}

}  // namespace

// The first mark of a merge that has two versions behind it: "<<<<<<< ", "=======" and ">>>>>>> " at the beginning of
// lines. npos: there is none.
static std::size_t mark_of_merge(std::string_view text) {
  const auto line = [text](std::string_view mark, std::size_t from) {
    std::size_t at = text.find(mark, from);
    while (at != text.npos && at > 0 && text[at - 1] != '\n') at = text.find(mark, at + 1);
    return at;
  };
  const std::size_t first = line("<<<<<<< ", 0);
  const std::size_t middle = first == text.npos ? first : line("=======", first);
  return middle == text.npos || line(">>>>>>> ", middle) == text.npos ? text.npos : first;
}

bool check_bytes(const Sources& sources, std::uint32_t file, std::vector<Problem>& problems, Budget& budget) {
  const std::string_view text = sources.file(file).text;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto problem = [&](std::size_t at, std::size_t length, std::string message, std::string help) {
    problems.push_back({Code::syntax_bytes,
                        {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + length)},
                        std::move(message),
                        "",
                        std::move(help)});
  };
  if (text.size() >= 0x7FFFFFFF) {
    problem(0, 1, "the file is larger than 2 GB", "");  // no test: it would take as much memory
    return false;                                       // no test: as above
  }
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
    problem(0, 2, "the text is UTF-16", "save the file as UTF-8");
    return false;
  }
  if (const std::size_t mark = mark_of_merge(text); mark != text.npos) {
    const auto end = std::min(text.find_first_of("\r\n", mark), text.size());
    problems.push_back({Code::syntax_expected,
                        {file, static_cast<std::uint32_t>(mark), static_cast<std::uint32_t>(end)},
                        "this is the mark of a merge that is not finished",
                        "",
                        "keep one of the two versions, above or below the line of '=', and remove the three marks"});
    return false;
  }
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  std::size_t looked = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (i >= looked) {
      budget.look();
      looked += kAtOnce;
    }
    const unsigned c = byte(i);
    if (c < 0x80) {
      if (const std::size_t plain = plain_bytes(text.substr(i)); plain > 0) {
        i += plain;
        continue;
      }
      problem(i, 1, c == 0 ? "a NUL byte in the text" : "a control character in the text",
              "a rubric is plain text; in a text literal, write \\u{…}");
      return false;
    }
    const std::size_t length = utf8_length(text.substr(i, 4));
    if (length == 0) {
      problem(i, 1, "the text is not valid UTF-8", "save the file as UTF-8");
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace assay
