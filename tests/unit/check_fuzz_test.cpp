// The checker on broken rubrics: the shipped rubrics with tokens and lines deleted, duplicated, swapped or replaced. In
// every case compile() returns diagnostics, or a program that verifies and scores the sample records. ASSAY_FUZZ_ROUNDS
// and ASSAY_FUZZ_SEED in the environment change the few rounds of a test run.
#include <assay/assay.hpp>

#include "tests/unit/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Words, numbers, texts, signs and the gaps between them. Joined again, they are the source.
std::vector<std::string> tokens_of(const std::string& source) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = at + 1;
    const auto is = [&](std::size_t i, auto test) {
      return i < source.size() && test(static_cast<unsigned char>(source[i]));
    };
    const auto word = [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 128; };
    const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
    if (is(at, word)) {
      while (is(end, word)) ++end;
    } else if (is(at, space)) {
      while (is(end, space)) ++end;
    } else if (source[at] == '"') {
      while (end < source.size() && source[end] != '"' && source[end] != '\n') end += source[end] == '\\' ? 2U : 1U;
      end = std::min(end + 1, source.size());
    } else if (source[at] == '#') {
      while (end < source.size() && source[end] != '\n') ++end;
    } else if (end < source.size() && std::string("== != <= >= ..").find(source.substr(at, 2)) != std::string::npos) {
      ++end;
    }
    tokens.push_back(source.substr(at, end - at));
    at = end;
  }
  return tokens;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(const std::string& source) {
    std::string text = source;
    for (std::size_t n = 1 + below(3); n > 0; --n) text = below(4) == 0 ? lines(text) : words(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

  // A significant token: gaps and comments are not changed.
  std::size_t pick(const std::vector<std::string>& tokens) {
    std::size_t at = below(tokens.size());
    for (std::size_t tries = 0;
         tries < 50 && (std::isspace(static_cast<unsigned char>(tokens[at][0])) || tokens[at][0] == '#'); ++tries)
      at = below(tokens.size());
    return at;
  }

  std::string words(const std::string& source) {
    static const std::vector<std::string> kOthers = {"0",
                                                     "-1",
                                                     "1e30",
                                                     "100%",
                                                     "0.5",
                                                     "missing",
                                                     "true",
                                                     "\"x\"",
                                                     "\"{score}\"",
                                                     "\"\"",
                                                     "[]",
                                                     "{}",
                                                     "score",
                                                     "input",
                                                     "dimensions",
                                                     "history",
                                                     "flags",
                                                     "gates",
                                                     "not",
                                                     "and",
                                                     "+",
                                                     "-",
                                                     "*",
                                                     "/",
                                                     "^",
                                                     "==",
                                                     "<",
                                                     "in",
                                                     "default",
                                                     "when",
                                                     "else",
                                                     "..",
                                                     "for",
                                                     "otherwise",
                                                     "optional",
                                                     "number",
                                                     "text",
                                                     "bool",
                                                     "list of text",
                                                     "any",
                                                     "weight",
                                                     "points",
                                                     "advisory",
                                                     "1..10",
                                                     "(",
                                                     ")",
                                                     "[",
                                                     "]",
                                                     "composite",
                                                     "coverage",
                                                     "id",
                                                     "count",
                                                     "mean",
                                                     "max",
                                                     "keys",
                                                     "\"a\", \"b\"",
                                                     "by higher",
                                                     "is missing",
                                                     "decimals 2",
                                                     "missing skip"};
    std::vector<std::string> tokens = tokens_of(source);
    if (tokens.empty()) return source;
    const std::size_t at = pick(tokens), other = pick(tokens);
    switch (below(5)) {
      case 0: tokens[at].clear(); break;
      case 1: tokens[at] += " " + tokens[at]; break;
      case 2: std::swap(tokens[at], tokens[other]); break;
      case 3: tokens[at] = tokens[other]; break;
      default: tokens[at] = kOthers[below(kOthers.size())];
    }
    std::string result;
    for (const std::string& token : tokens) result += token;
    return result;
  }

  std::string lines(const std::string& source) {
    std::vector<std::string> all;
    std::istringstream in(source);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    if (all.empty()) return source;
    const std::size_t at = below(all.size()), other = below(all.size());
    switch (below(3)) {
      case 0: all.erase(all.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 1: all.insert(all.begin() + static_cast<std::ptrdiff_t>(other), std::string(all[at])); break;
      default: std::swap(all[at], all[other]);
    }
    std::string result;
    for (const std::string& line : all) result += line + "\n";
    return result;
  }

  std::mt19937_64 random_;
};

unsigned long from_environment(const char* name, unsigned long otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoul(value, nullptr, 10) : otherwise;
}

}  // namespace

TEST_CASE("mutated rubrics give diagnostics or programs that run") {
  const fs::path root = fs::path(ASSAY_SOURCE_DIR) / "rubrics";
  std::vector<fs::path> rubrics;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".rubric") rubrics.push_back(entry.path());
  }
  std::sort(rubrics.begin(), rubrics.end());
  REQUIRE(!rubrics.empty());
  std::map<std::string, std::vector<std::string>> records;  // for each rubric, the first of its conformance cases
  for (const fs::path& path : rubrics) {
    std::vector<std::string>& of = records[path.stem().string()];
    std::ifstream in(fs::path(ASSAY_SOURCE_DIR) / "tests" / "conformance" / path.stem() / "cases.ndjson");
    for (std::string line; of.size() < 6 && std::getline(in, line);) {
      const auto request = nlohmann::json::parse(line, nullptr, false);
      if (request.is_object() && request.contains("input")) of.push_back(request["input"].dump());
    }
    of.emplace_back("{}");
  }
  assay::CompileOptions options;
  options.importer = [](std::string_view path, std::string_view from, std::string& name) -> std::optional<std::string> {
    const fs::path found = fs::path(from).parent_path() / fs::path(path);
    if (!fs::exists(found)) return std::nullopt;
    name = found.string();
    return read(found);
  };
  const unsigned long rounds = from_environment("ASSAY_FUZZ_ROUNDS", 400);
  const unsigned long seed = from_environment("ASSAY_FUZZ_SEED", 1);
  const std::string trace = std::getenv("ASSAY_FUZZ_TRACE") ? std::getenv("ASSAY_FUZZ_TRACE") : "";
  std::size_t sound = 0;
  for (unsigned long round = 0; round < rounds; ++round) {
    Mutator mutator(seed * 1000003 + round);
    const fs::path& path = rubrics[round % rubrics.size()];
    const std::string text = mutator.mutate(read(path));
    if (!trace.empty()) std::ofstream(trace, std::ios::binary) << text;  // the current text, in case the process dies
    INFO(path << ", round " << round << ":\n" << text);
    const auto compiled = assay::compile(path.string(), text, options);
    REQUIRE(compiled.rubric.has_value() != assay::has_errors(compiled.diagnostics));
    for (const assay::Diagnostic& d : compiled.diagnostics) {
      CHECK(!d.message.empty());
      CHECK(d.at.line > 0);
    }
    if (!compiled.rubric) continue;
    ++sound;
    CHECK(!compiled.rubric->show(assay::View::bytecode).empty());
    assay::EvaluatorOptions limits;
    limits.limits.steps = 1'000'000;
    assay::Evaluator evaluator(*compiled.rubric, limits);
    for (const std::string& line : records[path.stem().string()]) CHECK(!evaluator.score(line).json().empty());
  }
  // Changes of prose, prunable declarations and numbers leave many rubrics valid. If none were, nothing would have been
  // scored.
  CHECK(sound > 0);
}
