// The records determine what a kernel is generated for (runtime/dispatch/kernel_tuner.hpp): a few unusual numbers
// neither prevent nor remove a kernel, and it follows when the data change. Verdicts never depend on it.
#include "runtime/dispatch/kernel_tuner.hpp"
#include "tests/property/random.hpp"
#include "tests/property/register_pair.hpp"

#include "tests/unit/given.hpp"

#include <assay/batch.hpp>

#include <functional>
#include <vector>

using namespace assay;
using namespace assay_tests;

namespace {

// A product that is too large for a register if its numbers have more than a few digits each.
constexpr const char* kProduct =
    "rubric product \"Product\" {\n  version \"1\"\n  input x, y: number\n  output o = x * y * x * y decimals 2\n}\n";
constexpr const char* kSum =
    "rubric sum \"Sum\" {\n  version \"1\"\n  input x, y: number\n  output o = x * 3 + y decimals 4\n}\n";

using Spelling = std::function<std::string(std::size_t)>;

// Scores the records with a batch and with an evaluator, and counts the records that a kernel accepted.
class Stream {
 public:
  explicit Stream(const char* text) : Stream(known_rubric("stream.rubric", text)) {}
  explicit Stream(const Rubric& rubric)
      : rubric_(rubric), batch_(rubric_, options()), evaluator_(rubric_, options().evaluator) {}

  // Adds this many records with the given x and a small y.
  std::uint64_t add(std::size_t count, const Spelling& x) {
    std::string text, expected, got;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string record = R"({"id":"r","x":)" + x(i) + R"(,"y":)" + std::to_string(i % 9) + ".5}";
      text += record + '\n';
      (expected += evaluator_.score(record).json()) += '\n';
    }
    BatchInput input;
    input.read = reader_of(text);
    BatchOutput output;
    output.write = [&](std::string_view block) {
      got += block;
      return true;
    };
    const std::uint64_t before = batch_.statistics().kernel;
    batch_.run(input, output);
    CHECK(got == expected);
    return batch_.statistics().kernel - before;
  }

 private:
  static BatchOptions options() {
    BatchOptions options;
    options.evaluator.fields = {"id", "o"};
    options.threads = 1;
    return options;
  }

  Rubric rubric_;
  Batch batch_;
  Evaluator evaluator_;
};

std::string short_number(std::size_t i) { return std::to_string(i % 9) + '.' + std::to_string(i % 90 + 10); }
std::string precise(std::size_t i) { return "0.1234" + std::to_string(i % 89 + 10) + '1'; }
std::string large(std::size_t i) { return std::to_string(i % 89 + 10) + "00000001"; }

}  // namespace

TEST_CASE("one record unlike the others, among the first or later, leaves the kernel to the rest") {
  for (const Spelling& odd : {Spelling(precise), Spelling(large)}) {
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{7}, KernelTuner::kFirst - 1, KernelTuner::kFirst, std::size_t{300}}) {
      INFO(at);
      Stream stream(kProduct);
      CHECK(stream.add(1000, [&](std::size_t i) { return i == at ? odd(i) : short_number(i); }) >=
            1000 - 2 * KernelTuner::kFirst);
    }
  }
  Stream both(kProduct);  // an eighth of the first ones
  const auto first = [](std::size_t i) { return i == 3 ? precise(i) : i == 11 ? large(i) : short_number(i); };
  CHECK(both.add(1000, first) >= 1000 - 2 * KernelTuner::kFirst);
}

TEST_CASE("one record in twenty unlike the others costs these records only") {
  for (const Spelling& odd : {Spelling(precise), Spelling(large)}) {
    Stream stream(kProduct);
    const auto mixed = [&](std::size_t i) { return i % 20 == 5 ? odd(i) : short_number(i); };
    CHECK(stream.add(4000, mixed) >= 3800 - 2 * KernelTuner::kFirst);
    CHECK(stream.add(20'000, mixed) == 19'000);
  }
  Stream wide(kSum);  // where one kernel can have all of them it has
  CHECK(wide.add(4000, [](std::size_t i) { return i % 20 == 5 ? precise(i) : short_number(i); }) >= 3700);
}

TEST_CASE("a kernel follows when the data change") {
  for (const char* rubric : {kSum, kProduct}) {
    INFO(rubric);
    Stream stream(rubric);
    const auto other = [&](std::size_t i) { return std::to_string(i % 9) + "." + std::to_string(1001 + i % 8000); };
    CHECK(stream.add(5000, short_number) >= 5000 - 2 * KernelTuner::kFirst);
    CHECK(stream.add(5000, rubric == kSum ? Spelling(other) : Spelling(precise)) >= (rubric == kSum ? 4000u : 0u));
    CHECK(stream.add(5000, short_number) >= 4000);
  }
  // From one shape to another that no single kernel covers together with it.
  Stream turning("rubric turn \"Turn\" {\n  version \"1\"\n  input x, y: number\n  output o = x * y decimals 2\n}\n");
  for (int turn = 0; turn < 4; ++turn) {
    INFO(turn);
    CHECK(turning.add(10'000, turn % 2 == 0 ? Spelling(precise) : Spelling(large)) >= 8000);
  }
}

TEST_CASE("where no kernel fits most records there is one for some, or none, and verdicts are right") {
  Stream half(kProduct);
  CHECK(half.add(4000, [](std::size_t i) { return i % 2 == 0 ? precise(i) : short_number(i); }) >= 1800);
  Stream none(kProduct);
  CHECK(none.add(3000, precise) == 0);
  CHECK(none.add(6000, short_number) >= 4000);  // and hope is not lost
  Random random(5);
  Stream any(kProduct);
  any.add(5000, [&](std::size_t) {
    std::string number = random.one_in(2) ? "-" : "";
    number += std::to_string(1 + random.below(9));
    for (std::uint64_t k = random.below(9); k > 0; --k) number += static_cast<char>('0' + random.below(10));
    if (random.one_in(3)) return number;
    number += '.';
    for (std::uint64_t k = 1 + random.below(11); k > 0; --k) number += static_cast<char>('0' + random.below(10));
    return number;
  });
  Stream root(
      "rubric root \"Root\" {\n  version \"1\"\n  input x, y: number\n  output o = sqrt(x * y) decimals 2\n}\n");
  CHECK(root.add(500, short_number) == 0);
}

TEST_CASE("what one has learned of a rubric's records serves all who ask for the same") {
  const Rubric rubric = known_rubric("stream.rubric", kSum);
  CHECK(Stream(rubric).add(1000, short_number) == 1000 - KernelTuner::kFirst);
  CHECK(Stream(rubric).add(1000, short_number) == 1000);
  Stream other(rubric);  // whose records do not fit; those after it begin with what it has learned
  CHECK(other.add(1000, precise) >= 1000 - 2 * KernelTuner::kFirst);
  CHECK(Stream(rubric).add(1000, precise) == 1000);
  CHECK(Stream(kSum).add(1000, short_number) == 1000 - KernelTuner::kFirst);  // another rubric, if of the same text
}

TEST_CASE("kernels of other weights or fields are not mixed up") {
  const Rubric rubric =
      known_rubric("weights.rubric",
                   "rubric weights \"Weights\" {\n  version \"1\"\n  scale 0..10 decimals 2\n  weights rescaled\n"
                   "  dimension a weight 60%\n  dimension b weight 40%\n}\n");
  std::string lines;
  for (int i = 0; i < 100; ++i)
    lines += R"({"id":"r","a":)" + std::to_string(i % 9) + R"(.5,"b":)" + std::to_string(i % 7) + "}\n";
  const auto scored = [&](const char* weight, const std::vector<std::string>& fields, std::uint64_t& by_kernel) {
    BatchOptions options;
    options.evaluator.fields = fields;
    options.threads = 2;
    Settings settings;
    if (weight != nullptr) settings.weights = {{"a", weight}};
    Evaluator evaluator(rubric, options.evaluator);
    Batch batch(rubric, options);
    REQUIRE(!batch.configure(settings));
    REQUIRE(!evaluator.configure(settings));
    std::string got, expected;
    BatchInput input;
    input.read = reader_of(lines);
    BatchOutput output;
    output.write = [&](std::string_view block) { return got += block, true; };
    batch.run(input, output);
    for (std::string_view rest = lines; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
      (expected += evaluator.score(rest.substr(0, rest.find('\n'))).json()) += '\n';
    by_kernel = batch.statistics().kernel;
    return got == expected;
  };
  std::uint64_t first = 0, second = 0;
  for (const std::vector<std::string>& fields : {std::vector<std::string>{"score"}, {"id", "score"}}) {
    for (const char* weight : {static_cast<const char*>(nullptr), "0.5", "0.25"}) {
      INFO(fields.size() << ' ' << (weight == nullptr ? "" : weight));
      CHECK(scored(weight, fields, first));
      CHECK(scored(weight, fields, second));
      CHECK(first == (weight == nullptr ? 100 - KernelTuner::kFirst : 100));  // numbers look as they did before
      CHECK(second == 100);
    }
  }
}
