// Checks that the claims of the checker are true: it checks random rubrics, and random records try to refute each
// claim. No shipped rubric has such a warning.
#include <assay/assay.hpp>

#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace assay;
using assay_tests::Random;
using nlohmann::json;

namespace {

constexpr const char* kInputs = R"(
  input a: number -3..3
  input b: whole 0..4
  input c: number 0..1 optional
  input d: number optional
  input e: number > 0 default 2
  input k: one of ("x", "y", "z")
  input o: one of ("p", "q") optional
  input t: bool
  input u: bool optional
  input xs: list of number 0..2 default []
)";

// Expressions over these inputs, as text.
class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string number(int depth) {
    static const std::vector<std::string> kLeaves = {
        "a", "b", "c", "d", "e", "b", "a", "count(xs)", "sum(xs)", "sum(vv * vv for vv in xs)", "(a / (b * 0))"};
    if (depth == 0 || random_.one_in(3)) return random_.one_in(4) ? literal() : random_.pick(kLeaves);
    const std::string x = number(depth - 1), y = number(depth - 1);
    switch (random_.below(12)) {
      case 0: return "(" + x + " + " + y + ")";
      case 1: return "(" + x + " - " + y + ")";
      case 2: return "(" + x + " * " + y + ")";
      case 3: return "(" + x + " / (" + y + "))";
      case 4: return "abs(" + x + ")";
      case 5: return "min(" + x + ", " + y + ")";
      case 6: return "max(" + x + ", " + y + ")";
      case 7: return "round(" + x + ", " + std::to_string(random_.below(3)) + ")";
      case 8: return "clamp(" + x + ", 0.." + std::to_string(1 + random_.below(3)) + ")";
      case 9: return "(c default " + literal() + ")";
      case 10: return "sqrt(" + x + ")";
      default: return "(" + x + " when " + condition(depth - 1) + " else " + y + ")";
    }
  }

  std::string condition(int depth) {
    if (depth == 0 || random_.one_in(3)) {
      switch (random_.below(13)) {
        case 0: return "t";
        case 1: return "u";
        case 2: return random_.one_in(2) ? "k == \"x\"" : "k != \"y\"";
        case 3: return random_.one_in(2) ? "k in [\"x\", \"y\", \"z\"]" : "o in [\"p\"]";
        case 4: return random_.one_in(2) ? "o == \"p\"" : "o != \"p\"";
        case 5: return random_.one_in(2) ? "c is missing" : "d is given";
        case 6: return "b in " + std::to_string(random_.below(3)) + ".." + std::to_string(3 + random_.below(4));
        case 7: return "any(vv > " + literal() + " for vv in xs)";
        case 8: return "all(vv <= " + literal() + " for vv in xs)";
        default: return compared(number(0), number(0));
      }
    }
    const std::string x = condition(depth - 1), y = condition(depth - 1);
    switch (random_.below(7)) {
      case 0:
      case 1: return "(" + x + " and " + y + ")";
      case 2:
      case 3: return "(" + x + " or " + y + ")";
      case 4: return "(" + x + " xor " + y + ")";
      case 5: return "not (" + x + ")";
      default: return compared(number(depth - 1), number(depth - 1));
    }
  }

  std::string filter() {
    std::string text = compared("vv", literal());
    if (random_.one_in(2)) text += " and " + compared("vv", random_.one_in(2) ? literal() : "b");
    return text;
  }

 private:
  std::string literal() {
    static const std::vector<std::string> kLiterals = {"0", "1", "2", "3", "4", "5", "0.5", "-1", "-3", "1.5", "10"};
    return random_.pick(kLiterals);
  }
  std::string compared(const std::string& x, const std::string& y) {
    static const std::vector<std::string> kOperators = {"<", "<=", ">", ">=", "==", "!="};
    return "(" + x + ") " + random_.pick(kOperators) + " (" + y + ")";
  }

  Random& random_;
};

std::string random_record(Random& random) {
  static const std::vector<std::string> kNumbers = {"-3", "-1", "-0.5", "0", "0.5", "1", "1.5", "2", "3"};
  static const std::vector<std::string> kShares = {"0", "0.25", "0.5", "1"};
  static const std::vector<std::string> kAny = {"-100", "-1", "0", "0.5", "1", "2", "4", "5", "10", "1000"};
  static const std::vector<std::string> kItems = {"0", "0.5", "1", "1.5", "2"};
  std::string text = "{\"a\":" + random.pick(kNumbers) + ",\"b\":" + std::to_string(random.below(5));
  if (!random.one_in(3)) text += ",\"c\":" + random.pick(kShares);
  if (!random.one_in(3)) text += ",\"d\":" + random.pick(kAny);
  if (!random.one_in(2)) text += ",\"e\":" + std::string(random.one_in(2) ? "0.001" : "3");
  text += ",\"k\":\"" + std::string(1, "xyz"[random.below(3)]) + "\"";
  if (!random.one_in(3)) text += ",\"o\":\"" + std::string(1, "pq"[random.below(2)]) + "\"";
  text += std::string(",\"t\":") + (random.one_in(2) ? "true" : "false");
  if (!random.one_in(3)) text += std::string(",\"u\":") + (random.one_in(2) ? "true" : "false");
  text += ",\"xs\":[";
  const std::uint64_t items = random.below(4);
  for (std::uint64_t i = 0; i < items; ++i) text += (i ? "," : "") + random.pick(kItems);
  return text + "]}";
}

// The claim of a warning about one value of the verdict.
struct Claim {
  std::string field;
  enum class Says { always, never, never_false, always_missing, at_most, not_equal } says;
  int number = 0;
  std::string message;
};

bool refuted(const Claim& claim, const json& verdict) {
  const json& value = verdict.at(claim.field);
  switch (claim.says) {
    case Claim::Says::always: return value != true;
    case Claim::Says::never: return value == true;
    case Claim::Says::never_false: return value == false;
    case Claim::Says::always_missing: return !value.is_null();
    case Claim::Says::at_most: return value.get<int>() > claim.number;
    case Claim::Says::not_equal: return value.get<int>() == claim.number;
  }
  return true;
}

class Trial {
 public:
  std::map<std::string, int> found;  // by code

  void run(std::uint64_t seed, int records) {
    Random random(seed);
    Writer writer(random);
    lines_ = {"rubric r {"};
    std::istringstream inputs(kInputs);
    for (std::string line; std::getline(inputs, line);) lines_.push_back(line);
    lines_.push_back("  output items = count(xs)");
    lines_.push_back("  output used = [\"{a} {b} {c} {d} {e} {k} {o} {t} {u}\"]");
    for (int i = 0; i < 6; ++i) {
      const std::string n = std::to_string(i), cond = writer.condition(3);
      claim_of_line_[lines_.size() + 1] = {"c" + n, Claim::Says::always, 0, {}};
      lines_.push_back("  flag f" + n + " when " + cond);
      lines_.push_back("  output c" + n + " =");
      lines_.push_back("    " + cond);
    }
    for (int i = 0; i < 3; ++i) {
      const std::string n = std::to_string(i);
      lines_.push_back("  output h" + n + " =");
      for (int j = 0; j < 3; ++j) {
        claim_of_line_[lines_.size() + 1] = {"h" + n, Claim::Says::not_equal, j, {}};
        lines_.push_back(std::string("    ") + (j > 0 ? "else " : "") + std::to_string(j) + " when " +
                         writer.condition(1));
      }
      lines_.push_back("    else 3");
      claim_of_line_[lines_.size() + 1] = {"s" + n, Claim::Says::at_most, 0, {}};
      lines_.push_back("  output s" + n + " = count(vv for vv in xs when " + writer.filter() + ")");
    }
    lines_.push_back("}");
    const auto doubted = compile("r.rubric", text());
    if (!doubted.rubric) return;  // a division by 0, or a word that is not one of the choices
    for (const Diagnostic& d : doubted.diagnostics) take(d);
    if (claims_.empty()) return;
    lines_.insert(lines_.end() - 1, parts_.begin(), parts_.end());
    const auto compiled = compile("r.rubric", text());
    REQUIRE(compiled.rubric);
    Evaluator evaluator(*compiled.rubric);
    for (int i = 0; i < records; ++i) {
      const std::string record = random_record(random);
      const Verdict& verdict = evaluator.score(record);
      INFO(record);
      REQUIRE(verdict.error() == nullptr);
      const json values = json::parse(verdict.json());
      for (const Claim& claim : claims_) {
        INFO(text());
        INFO(claim.message);
        INFO(verdict.json());
        REQUIRE_FALSE(refuted(claim, values));
      }
    }
  }

 private:
  std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

  void take(const Diagnostic& d) {
    ++found[d.code];
    const std::string message = render(d);
    const std::string written = lines_[static_cast<std::size_t>(d.at.line) - 1].substr(
        static_cast<std::size_t>(d.at.column) - 1, static_cast<std::size_t>(d.at.length));
    const auto claim = [&](const std::string& condition, Claim::Says says) {
      const std::string name = "p" + std::to_string(claims_.size());
      parts_.push_back("  output " + name + " = " + condition);
      claims_.push_back({name, says, 0, message});
    };
    const auto part = [&](Claim::Says says) { claim("(" + written + ")", says); };
    const bool local = written.find("vv") != written.npos && written.find("for vv") == written.npos;
    if (const std::size_t beside = d.message.find(" changes nothing beside '"); beside != std::string::npos) {
      const std::size_t begin = d.message.find('\'', beside) + 1, end = d.message.find("': ", begin);
      if (local || end == std::string::npos) return;
      const std::string other = d.message.substr(begin, end - begin);
      const bool both = d.message.ends_with("it holds wherever that does");
      claim("(" + (both ? other : written) + ") and not (" + (both ? written : other) + ")", Claim::Says::never);
      return;
    }
    if (d.message.find("unless a value is missing") != std::string::npos) {
      if (!local) part(Claim::Says::never_false);
      return;
    }
    const auto line = claim_of_line_.find(static_cast<std::size_t>(d.at.line));
    const bool whole = line != claim_of_line_.end() && (d.code == "W0709" || d.code == "W0710" || d.code == "W0711") &&
                       d.message.starts_with("this");
    if (whole && d.message.starts_with(line->second.field[0] == 'c'   ? "this flag"
                                       : line->second.field[0] == 'h' ? "this case"
                                                                      : "this filter")) {
      Claim own = line->second;
      own.message = message;
      const bool always = d.code == "W0709";
      if (own.says == Claim::Says::always && !always)
        own.says = d.code == "W0710" ? Claim::Says::never : Claim::Says::always_missing;
      if (own.says == Claim::Says::not_equal && always) own.says = Claim::Says::at_most;
      claims_.push_back(own);
      return;
    }
    if (local) return;
    if (d.code == "W0709") part(Claim::Says::always);
    if (d.code == "W0710" && d.message.find("before it") == std::string::npos) part(Claim::Says::never);
    if (d.code == "W0711" || d.code == "W0720") part(Claim::Says::always_missing);
    if (d.code == "W0712")
      part(d.message.find("never holds") != std::string::npos ? Claim::Says::never : Claim::Says::never_false);
  }

  std::vector<std::string> lines_, parts_;
  std::map<std::size_t, Claim> claim_of_line_;
  std::vector<Claim> claims_;
};

}  // namespace

TEST_CASE("no record refutes what the checker has proved") {
  constexpr std::size_t kRubrics = 400;
  constexpr int kRecords = 40;
  std::map<std::string, int> found;
  for (std::size_t i = 0; i < rounds(10 * kRubrics); ++i) {
    Trial trial;
    INFO("seed " << i);
    trial.run(static_cast<std::uint64_t>(i), kRecords);
    for (const auto& [code, times] : trial.found) found[code] += times;
  }
  for (const char* code : {"W0709", "W0710", "W0711", "W0712", "W0720"}) {
    INFO(code);
    CHECK(found[code] > 5);
  }
}

TEST_CASE("no shipped rubric is doubted") {
  std::size_t looked_at = 0;
  for (const char* folder : {ASSAY_SOURCE_DIR "/rubrics", ASSAY_SOURCE_DIR "/tests/bench/workloads"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".rubric") continue;
      CompileOptions options;
      const auto read = [](const std::filesystem::path& path, std::string& into) {
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        into = text.str();
        return file.good();
      };
      options.importer = [&read](std::string_view wanted, std::string_view from,
                                 std::string& name) -> std::optional<std::string> {
        name = (std::filesystem::path(from).parent_path() / std::filesystem::path(wanted)).lexically_normal().string();
        std::string text;
        if (!read(name, text)) return std::nullopt;
        return text;
      };
      std::string text;
      REQUIRE(read(entry.path(), text));
      const auto result = compile(entry.path().string(), text, options);
      ++looked_at;
      for (const Diagnostic& d : result.diagnostics) {
        INFO(render(d));
        CHECK(d.code == "W0704");  // a base that others extend
      }
    }
  }
  CHECK(looked_at > 20);
}
