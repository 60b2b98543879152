// parse() with an earlier parse of a similar text gives what it gives without: the same nodes, steps, tree and
// diagnostics, for sequences of edits of the shipped rubrics.
#include "tests/unit/catch.hpp"

#include "lang/parse/parse.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace assay;

namespace {

struct Outcome {
  std::string tree, diagnostics;
  std::uint64_t steps = 0;
};

Outcome outcome(const std::string& text, const ParsedText* before, ParsedText* now) {
  Sources sources;
  const std::uint32_t file = sources.add("test.rubric", text);
  Diagnostics diagnostics(sources);
  Budget budget;
  Outcome made;
  const ast::File tree = parse(sources, file, diagnostics, budget, before, now);
  made.tree = dump(tree);
  made.steps = budget.steps();
  for (const Diagnostic& one : diagnostics.take())
    made.diagnostics += one.code + " " + std::to_string(one.at.offset) + " " + one.message.str() + "\n";
  return made;
}

bool same_nodes(const ParsedText& a, const ParsedText& b) {
  const auto node = [](const Node& x, const Node& y) {
    return x.kind == y.kind && x.begin == y.begin && x.end == y.end && x.next == y.next;
  };
  const auto item = [](const ItemNodes& x, const ItemNodes& y) {
    return x.node == y.node && x.begin == y.begin && x.end == y.end && x.steps == y.steps;
  };
  return a.text == b.text && a.steps == b.steps &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), node) &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), item);
}

std::vector<std::string> shipped() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(ASSAY_SOURCE_DIR) + "/rubrics")) {
    if (entry.path().extension() != ".rubric") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

// An edit as people make them: letters typed or removed, a word replaced, lines moved or removed.
void edit(std::string& text, std::mt19937& random) {
  const auto below = [&](std::size_t most) { return most == 0 ? 0 : random() % most; };
  const auto line_at = [&](std::size_t at) {
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
  };
  const std::size_t at = below(text.size() + 1);
  static const char* const kPieces[] = {"1",     " ",   "\n",         "#",        "}",        "{",         "\"",
                                        "x",     "let", " when ",     "optional", ":",        "rubric r ", " else ",
                                        "| 1 |", ", ",  "output o\n", "each ",    "cohort {", "(",         "="};
  switch (below(6)) {
    case 0: text.insert(at, kPieces[below(std::size(kPieces))]); break;
    case 1: text.erase(at, 1 + below(4)); break;
    case 2: text.insert(line_at(at), "  let t" + std::to_string(below(1000)) + " = 1 + 2\n"); break;
    case 3: {  // moves a line
      const std::size_t begin = line_at(at), end = text.find('\n', begin);
      if (end == std::string::npos) break;
      const std::string line = text.substr(begin, end + 1 - begin);
      text.erase(begin, line.size());
      text.insert(line_at(below(text.size() + 1)), line);
      break;
    }
    case 4: {  // another digit
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
      break;
    }
    default: {
      const std::size_t begin = line_at(at), end = text.find('\n', begin);
      if (end != std::string::npos) text.erase(begin, end + 1 - begin);
    }
  }
}

}  // namespace

TEST_CASE("parse: after any edit as without an earlier parse") {
  std::mt19937 random(11);
  const std::vector<std::string> texts = shipped();
  REQUIRE(texts.size() > 20);
  const int count = rounds(4000);
  int good = 0;
  for (const std::string& shipped_text : texts) {
    std::string text = shipped_text;
    ParsedText kept;
    outcome(text, nullptr, &kept);
    REQUIRE_FALSE(kept.items.empty());
    for (int i = 0; i < count / static_cast<int>(texts.size()) + 1; ++i) {
      const std::string last = text;
      for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) edit(text, random);
      ParsedText again, fresh;
      const Outcome now = outcome(text, &kept, &again), whole = outcome(text, nullptr, &fresh);
      INFO(text);
      REQUIRE(now.tree == whole.tree);
      REQUIRE(now.diagnostics == whole.diagnostics);
      REQUIRE(now.steps == whole.steps);
      REQUIRE(same_nodes(again, fresh));
      if (fresh.nodes.empty()) {
        text = last;  // so that half of the texts stay readable
      } else {
        ++good;
        kept = std::move(again);
      }
    }
  }
  REQUIRE(good > count / 4);
}
