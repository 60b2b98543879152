// What the formatter promises, of programs with comments, empty lines and line ends in every gap between two tokens. The
// programs are the rubrics of the project and the series of tests/property/structure.hpp, which go through every production
// of the grammar. A lexer of its own, which knows nothing of the formatter's, holds tokens and comments against each other.
//
// Usage: assay-format-property COUNT SEED. First a comment goes into each gap of each program, one at a time; then COUNT
// programs with random gaps follow. One in so many formatted programs is compiled as well: its scoring hash has to stay.
#include "tests/property/random.hpp"
#include "tests/property/structure.hpp"

#include <assay/assay.hpp>
#include <assay/format.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of a quoted text, of which '{' opens an expression.
std::size_t text_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size();) {
    if (text[at] == '\\') {
      at += text.substr(at, 3) == "\\u{" ? text.find('}', at) - at + 1 : 2;
    } else if (text[at] == '"') {
      return at + 1;
    } else if (text[at] != '{') {
      ++at;
    } else {
      int braces = 0;
      do {
        if (text[at] == '"') {
          at = text_end(text, at);
          continue;
        }
        if (text[at] == '#') {
          at = text.find('\n', at);
          continue;
        }
        braces += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        ++at;
      } while (braces > 0);
    }
  }
  return text.size();
}

// The size of the rule of a table at the beginning of a text; 0: there is none.
std::size_t rule_size(std::string_view text) {
  std::size_t size = 0;
  for (std::size_t at = 1; at < text.size();) {
    const std::size_t bar = std::min(text.find('|', at), text.size());
    std::string cell;
    for (const char c : text.substr(at, bar - at)) cell += c == ' ' || c == '\t' ? "" : std::string(1, c);
    if (bar == text.size() || cell.find('-') == cell.npos || cell.find_first_not_of(":-") != cell.npos) break;
    size = at = bar + 1;
  }
  return size;
}

// Tokens, and comments with their sign.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    if (text[at] == '#') {
      end = std::min(text.find('\n', at), text.size());
      while (std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
    } else if (text[at] == '"') {
      const auto token = std::find_if(pieces.rbegin(), pieces.rend(), [](const std::string& p) { return p[0] != '#'; });
      const bool raw = token != pieces.rend() && *token == "lua" && text.substr(at, 3) == "\"\"\"";
      end = raw ? text.find("\"\"\"", at + 3) + 3 : text_end(text, at);
    } else if (is_word(text[at])) {
      const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      const auto goes_on = [&](std::size_t i) {
        if (i >= text.size()) return false;
        if (is_word(text[i])) return true;
        if (!number) return false;
        if (text[i] == '%') return true;
        if (text[i] == '.') return i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
        return (text[i] == '-' || text[i] == '+') && (text[i - 1] == 'e' || text[i - 1] == 'E') &&
               i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
      };
      while (goes_on(end)) ++end;
    } else if (text[at] == '|') {
      if (const std::size_t rule = rule_size(text.substr(at)); rule > 0) {  // its colons count, its dashes do not
        std::string kept;
        for (const char c : text.substr(at, rule)) {
          if (c != ' ' && c != '\t' && !(c == '-' && kept.back() == '-')) kept += c;
        }
        pieces.push_back(kept);
        at += rule;
        continue;
      }
    } else {
      static constexpr std::string_view kPairs[] = {"==", "!=", "<=", ">=", ".."};
      if (std::find(std::begin(kPairs), std::end(kPairs), text.substr(at, 2)) != std::end(kPairs)) ++end;
    }
    pieces.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

std::vector<std::string> programs() {
  std::vector<std::string> all;
  for (const char* folder :
       {"rubrics", "stdlib", "tests/bench/workloads", "tests/property", "tests/fuzz/corpus/rubric"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ASSAY_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".rubric") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }
  std::vector<Growth> growths;
  add_grammar(growths);
  add_library(growths);
  for (const Growth& growth : growths) {
    for (const std::size_t n : {1, 2}) all.push_back(growth.subject(n).rubric);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.erase(
      std::remove_if(all.begin(), all.end(),
                     [](const std::string& text) { return text.empty() || !assay::format_rubric("p", text).text; }),
      all.end());
  return all;
}

struct Gaps {
  std::vector<std::string> pieces;  // without comments
  std::vector<std::string> before;  // as they are written; one more than pieces
};

Gaps gaps_of(std::string_view text) {
  Gaps gaps;
  std::size_t at = 0;
  std::string gap;
  for (const std::string& piece : pieces_of(text)) {
    const bool rule = piece.starts_with("|") && piece.size() > 1;
    std::size_t begin = at;
    while (std::isspace(static_cast<unsigned char>(text[begin])) != 0) ++begin;
    std::size_t end = begin + piece.size();
    if (rule) end = begin + rule_size(text.substr(begin));
    gap += text.substr(at, begin - at);
    if (piece.front() == '#') {
      gap += piece + "\n";
      at = std::min(begin + piece.size(), text.size());
      if (at < text.size()) at = text.find('\n', at) + 1;
      continue;
    }
    gaps.before.push_back(gap);
    gap.clear();
    gaps.pieces.emplace_back(text.substr(begin, end - begin));
    at = end;
  }
  gaps.before.push_back(gap + std::string(text.substr(std::min(at, text.size()))));
  return gaps;
}

std::string joined(const Gaps& gaps) {
  std::string text;
  for (std::size_t i = 0; i < gaps.pieces.size(); ++i) text += gaps.before[i] + gaps.pieces[i];
  return text + gaps.before.back();
}

std::uint64_t done = 0, compiled = 0, bytes = 0;

[[noreturn]] void fail(const std::string& what, const std::string& text, const std::string& formatted) {
  std::fprintf(stderr, "%s\n---- program\n%s\n---- formatted\n%s\n", what.c_str(), text.c_str(), formatted.c_str());
  std::exit(1);
}

void check(const std::string& text, bool compiles) {
  const assay::Formatted formatted = assay::format_rubric("p.rubric", text);
  ++done;
  bytes += text.size();
  if (!formatted.text)
    fail("not formatted: " + formatted.problem.str() + assay::render(formatted.diagnostics), text, "");
  if (pieces_of(text) != pieces_of(*formatted.text)) fail("a token or a comment has changed", text, *formatted.text);
  const assay::Formatted twice = assay::format_rubric("p.rubric", *formatted.text);
  if (twice.text != formatted.text) fail("formatting twice changes it", text, *formatted.text);
  for (std::size_t at = 0; at < formatted.text->size();) {
    const std::size_t end = std::min(formatted.text->find('\n', at), formatted.text->size());
    if (end > at && (*formatted.text)[end - 1] == ' ' && formatted.text->find("\"\"\"") == std::string::npos)
      fail("blanks at the end of a line", text, *formatted.text);
    at = end + 1;
  }
  if (!compiles) return;
  const assay::Compiled before = assay::compile("p.rubric", text), after = assay::compile("p.rubric", *formatted.text);
  if (before.rubric.has_value() != after.rubric.has_value()) fail("it does not compile alike", text, *formatted.text);
  if (!before.rubric) return;
  ++compiled;
  if (before.rubric->scoring_hash() != after.rubric->scoring_hash())
    fail("another scoring hash", text, *formatted.text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: assay-format-property COUNT SEED\n");
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  Random random(std::strtoull(argv[2], nullptr, 10));
  const std::vector<std::string> all = programs();
  std::vector<Gaps> cut;
  for (const std::string& text : all) {
    check(text, cut.size() % 10 == 0);
    cut.push_back(gaps_of(text));
    check(joined(cut.back()), false);
  }
  // One comment in each gap, as long as that is no more than half of all programs; of more, each so many.
  static constexpr const char* kComments[] = {" # behind\n", "\n# above\n", "\n\n# far above\n\n"};
  std::uint64_t gaps_in_all = 0;
  for (const Gaps& gaps : cut) gaps_in_all += gaps.before.size();
  const std::uint64_t step =
      std::max<std::uint64_t>(1, 2 * gaps_in_all * std::size(kComments) / std::max<std::uint64_t>(count, 1));
  std::uint64_t place = random.below(step);
  for (const Gaps& gaps : cut) {
    for (; place < gaps.before.size() * std::size(kComments); place += step) {
      Gaps with = gaps;
      with.before[place / std::size(kComments)] += kComments[place % std::size(kComments)];
      check(joined(with), random.one_in(50));
    }
    place -= gaps.before.size() * std::size(kComments);
  }
  static constexpr const char* kGapTexts[] = {
      " ",  "\n",      "\n\n",      "\n\n\n\n",      "\r\n",           "\t",
      "  ", "# one\n", " # two \n", "\n  # three\n", "\n\n# four\n\n", "# a\n# b\n"};
  while (done < count) {
    const Gaps& gaps = cut[random.below(cut.size())];
    if (gaps.pieces.size() > 400 && !random.one_in(30)) continue;
    Gaps with = gaps;
    const std::uint64_t often = 1 + random.below(20);
    for (std::string& gap : with.before) {
      if (random.one_in(often)) gap += kGapTexts[random.below(std::size(kGapTexts))];
      // A gap that is nothing but blanks may be any blanks.
      const bool blank = !gap.empty() && gap.find('#') == gap.npos;
      if (blank && random.one_in(often)) gap = kGapTexts[random.below(6)];
    }
    check(joined(with), random.one_in(200));
  }
  std::printf(
      "%llu programs (%llu bytes) made of %zu kept their tokens and comments, %llu of those their scoring hash\n",
      static_cast<unsigned long long>(done), static_cast<unsigned long long>(bytes), all.size(),
      static_cast<unsigned long long>(compiled));
  return 0;
}
