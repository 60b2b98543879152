// Parts of a cohort, in any number, order and division of the records, merge into the same bytes. A second pass adds
// the same cohort outputs to each verdict, whether it scores the records again or completes written verdicts.
#include "tests/unit/given.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

constexpr std::string_view kText = R"(
rubric runner "A runner" {
  scale 0..100 decimals 2
  dimension result weight 100%
  input club: one of ("red", "blue", "green")
  input tags: list of text default []
  input extra: any optional
  gate fit = result >= 5
  let third = result / 3
  rank by higher score
  cohort {
    let scores = [r.score for r in records]
    let clubs  = group(r.club: r.third for r in records)
    output typical  = mean(scores)
    output spread   = stdev(scores)
    output by_club  = map(club: mean(list) for club, list in clubs)
    output bad      = [x.error.code for x in rejected]
    output faults   = [e.message for x in rejected for e in x.errors]
    output tags     = [t for r in records for t in r.tags]
    output extras   = count(r.id for r in records when r.extra is given)
    each output place
    each output z       = (score - typical) / spread decimals 3
    each output in_club = rank(third, clubs[club])
    each output refused = count(rejected)
  }
}
)";

std::vector<std::string> records(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> all;
  static constexpr const char* kClubs[] = {"red", "blue", "green", "purple"};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t n = random();
    std::string record =
        "{\"id\":\"r" + std::to_string(n % (2 * count)) + "\",\"club\":\"" + kClubs[n % 31 == 0 ? 3 : n % 3];
    record += "\",\"result\":" + std::to_string(n % 101) + "." + std::to_string(n % 89);
    if (n % 31 == 0) record += ",\"tags\":" + std::to_string(n % 7);
    else if (n % 4 == 0) record += ",\"tags\":[\"t" + std::to_string(n % 7) + "\"]";
    if (n % 5 == 0) record += ",\"extra\":{\"a\": [1, " + std::to_string(n % 11) + "]}";
    all.push_back(record + "}");
  }
  return all;
}

Cohort part(const Rubric& rubric, const std::vector<std::string>& records) {
  Evaluator evaluator(rubric);
  evaluator.start_cohort(Cohort::kUnordered);
  for (const std::string& record : records) evaluator.score(record);
  return evaluator.collected();
}

FrozenCohort frozen(const Cohort& cohort) {
  InputError error;
  const std::optional<FrozenCohort> result = cohort.freeze(error);
  INFO(error.message);
  REQUIRE(result);
  return *result;
}

std::vector<std::string> second_pass(const Rubric& rubric, const FrozenCohort& cohort,
                                     const std::vector<std::string>& records) {
  Evaluator evaluator(rubric);
  REQUIRE_FALSE(evaluator.set_cohort(cohort));
  std::vector<std::string> verdicts;
  for (const std::string& record : records) verdicts.emplace_back(evaluator.score(record).json());
  return verdicts;
}

}  // namespace

TEST_CASE("any partition, merged in any order, has the same bytes") {
  const Rubric rubric = rubric_of(kText);
  for (std::uint64_t seed = 1; seed <= rounds(100); ++seed) {
    std::vector<std::string> all = records(150, seed);
    const Cohort whole = part(rubric, all);
    const std::string saved = whole.save();
    const FrozenCohort expected = frozen(whole);
    const std::vector<std::string> verdicts = second_pass(rubric, expected, all);
    std::mt19937_64 random(seed);
    for (const std::size_t parts : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{64}}) {
      std::vector<std::string> shuffled = all;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      std::vector<Cohort> cohorts;
      for (std::size_t p = 0; p < parts; ++p) {
        std::vector<std::string> own;
        for (std::size_t i = p; i < shuffled.size(); i += parts) own.push_back(shuffled[i]);
        cohorts.push_back(part(rubric, own));
      }
      std::shuffle(cohorts.begin(), cohorts.end(), random);
      while (cohorts.size() > 1) {  // merged as a tree, partly through saved bytes
        Cohort last = std::move(cohorts.back());
        cohorts.pop_back();
        Cohort& into = cohorts[random() % cohorts.size()];
        if (random() % 2 == 0) {
          InputError error;
          std::optional<Cohort> again = Cohort::load(rubric, last.save(), error);
          INFO(error.message);
          REQUIRE(again);
          last = std::move(*again);
        }
        REQUIRE_FALSE(into.merge(last));
      }
      CHECK(cohorts.front().save() == saved);
      const FrozenCohort got = frozen(cohorts.front());
      CHECK(got.outputs() == expected.outputs());
      CHECK(got.hash() == expected.hash());
      InputError error;
      const std::optional<FrozenCohort> loaded = FrozenCohort::load(rubric, got.save(), error);
      INFO(error.message);
      REQUIRE(loaded);
      CHECK(loaded->outputs() == expected.outputs());
      CHECK(second_pass(rubric, *loaded, all) == verdicts);
    }
  }
}

TEST_CASE("a batch completes its verdicts as an evaluator scores them") {
  const Rubric rubric = rubric_of(kText);
  const std::vector<std::string> all = records(500, 7);
  std::string text;
  for (const std::string& record : all) text += record + "\n";
  text.insert(text.find('\n') + 1, "[1]\n{\"id\": \"cut\"\n");

  Batch batch(rubric);
  batch.start_two_passes();
  std::string first, complete;
  const Batch::Result run = batch.run({Format::ndjson, reader_of(text, 4096), {}},
                                      {[&](std::string_view block) { return first.append(block), true; }, {}});
  REQUIRE(run.status == Batch::Status::done);
  const std::string outputs(batch.cohort());
  const Batch::Result second = batch.second_pass(
      reader_of(first, 77), {[&](std::string_view block) { return complete.append(block), true; }, {}});
  CHECK(second.status == Batch::Status::done);
  CHECK(second.records == run.records);
  CHECK(second.rejected == run.rejected);

  InputError error;
  const std::optional<FrozenCohort> cohort = batch.collected().freeze(error);
  REQUIRE(cohort);
  CHECK(cohort->outputs() == outputs);
  for (const unsigned threads : {1u, 4u}) {
    BatchOptions options;
    options.threads = threads;
    options.block_bytes = 2000;
    Batch again(rubric, options);
    REQUIRE_FALSE(again.set_cohort(*cohort));
    std::string scored;
    again.run({Format::ndjson, reader_of(text, 4096), {}},
              {[&](std::string_view block) { return scored.append(block), true; }, {}});
    CHECK(scored == complete);
  }
  CHECK(complete.find("\"place\":1,") != std::string::npos);
}

TEST_CASE("fields of the second pass are read like others") {
  const Rubric rubric = rubric_of(kText);
  const FrozenCohort cohort =
      frozen(part(rubric, {R"({"id":"a","club":"red","result":80})", R"({"id":"b","club":"red","result":60})",
                           R"({"id":"c","club":"blue","result":3})"}));
  EvaluatorOptions options;
  options.fields = {"score", "place", "z", "in_club"};
  Evaluator evaluator(rubric, options);
  REQUIRE(evaluator.error() == nullptr);
  CHECK(evaluator.score(R"({"id":"b","club":"red","result":60})").json() == R"({"score":60})");
  CHECK_FALSE(evaluator.field("place"));
  REQUIRE_FALSE(evaluator.set_cohort(cohort));
  const std::optional<FieldHandle> place = evaluator.field("place");
  REQUIRE(place);
  const Verdict& verdict = evaluator.score(R"({"id":"b","club":"red","result":60})");
  CHECK(verdict.json() == R"({"score":60,"place":2,"z":0.309,"in_club":2})");
  CHECK(verdict.number("place") == 2.0);
  CHECK(verdict.scaled(*place, 0) == 2);
  CHECK(verdict.json("z") == "0.309");
  // A record outside the cohort has the place that it would take; an ineligible record has none.
  CHECK(evaluator.score(R"({"id":"n","club":"red","result":100})").json("place") == "1");
  CHECK(evaluator.score(R"({"id":"n","club":"red","result":1})").json("place") == "null");
  Inputs& inputs = evaluator.inputs();
  inputs.set_text(*inputs.find("club"), "red");
  inputs.set_number(*inputs.find("result"), 60, 0);
  CHECK(evaluator.score_inputs().json() == R"({"score":60,"place":2,"z":0.309,"in_club":2})");
}

TEST_CASE("what was saved is taken for nothing else") {
  const Rubric rubric = rubric_of(kText);
  const Cohort cohort = part(rubric, records(20, 3));
  const std::string saved = cohort.save();
  InputError error;
  CHECK_FALSE(FrozenCohort::load(rubric, saved, error));
  CHECK(error.message == "this is a cohort that was saved before it was frozen");
  CHECK_FALSE(Cohort::load(rubric, frozen(cohort).save(), error));
  CHECK(error.message == "this is a frozen cohort, to which nothing can be added");
  std::string other(kText);
  other.replace(other.find("mean(scores)"), 12, "median(scores)");
  const Rubric changed = rubric_of(other);
  CHECK_FALSE(Cohort::load(changed, saved, error));
  CHECK(error.message == "this cohort belongs to another rubric than 'runner', or to another state of it");
  Cohort of_changed(changed);
  CHECK(of_changed.merge(cohort));
  CHECK(of_changed.verdicts() == 0);
  // The same text compiled a second time is the same rubric.
  const Rubric again = rubric_of(kText);
  Cohort of_again(again);
  CHECK_FALSE(of_again.merge(cohort));
  CHECK(of_again.save() == saved);
  Evaluator evaluator(again);
  CHECK_FALSE(evaluator.set_cohort(frozen(cohort)));
  CHECK(evaluator.score(R"({"id":"r1","club":"red","result":60})").error() == nullptr);
  // All damage is detected, and none crashes the reader.
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < saved.size(); i += 7) {
    std::string damaged = saved;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 + static_cast<int>(random() % 255)));
    CHECK_FALSE(Cohort::load(rubric, damaged, error));
    CHECK_FALSE(Cohort::load(rubric, std::string_view(saved).substr(0, i), error));
  }
}

TEST_CASE("values of every kind come back from bytes") {
  const Rubric rubric = rubric_of(R"(rubric kinds {
    input id: whole
    input x: number
    input s: text optional
    input any: any optional
    output y = x / 3
    rank by lower y, higher s
    let p = { a: x, b: s }
    cohort {
      let by_text  = map(r.s default "none": r.p for r in records)
      let powers   = [r.y ^ 50 for r in records]
      let range_of = min(r.y for r in records)..max(r.y for r in records)
      let truths   = [r.s is given for r in records]
      let shown    = [r.any for r in records]
      each output place
      each output same   = by_text[s default "none"].a
      each output inside = y in range_of
      each output power  = sum(powers)
      each output given  = count(t for t in truths when t)
      each output any_of = count(a for a in shown when a is given)
      each output refused = [x.id for x in rejected]
    }
  })");
  std::vector<std::string> all = {R"({"id":3,"x":10,"s":"a","any":{"k":[1,null]}})", R"({"id":3,"x":-10})",
                                  R"({"id":20000000000000000000001,"x":0.1,"s":"zo\u00eb"})", R"({"id":-7,"x":"no"})",
                                  R"({"id":"bad","x":1})"};
  for (int i = 0; i < 20; ++i)  // a map with many keys
    all.push_back(R"({"id":)" + std::to_string(100 + i) + R"(,"x":)" + std::to_string(i * i) + R"(,"s":"t)" +
                  std::to_string(i) + "\"}");
  const Cohort cohort = part(rubric, all);
  CHECK(cohort.rejected() == 2);
  CHECK(cohort.repeated_ids().size() == 1);
  const std::string saved = cohort.save();
  InputError error;
  const std::optional<Cohort> again = Cohort::load(rubric, saved, error);
  REQUIRE(again);
  CHECK(again->save() == saved);
  const FrozenCohort expected = frozen(cohort), got = frozen(*again);
  CHECK(got.save() == expected.save());
  const std::optional<FrozenCohort> loaded = FrozenCohort::load(rubric, got.save(), error);
  REQUIRE(loaded);
  const std::vector<std::string> verdicts = second_pass(rubric, expected, all);
  CHECK(second_pass(rubric, *loaded, all) == verdicts);
  CHECK(verdicts[2].find("\"refused\":[null,-7]") != std::string::npos);
  CHECK(verdicts[1].find("\"place\":1,") != std::string::npos);
}

TEST_CASE("positions keep the order of a run") {
  const Rubric rubric = rubric_of(R"(rubric r { input x: number
    output double = x * 2
    cohort { output all = [r.id for r in records] output refused = [r.id for r in rejected] } })");
  const auto piece = [&](std::uint64_t first, const std::vector<std::string>& some) {
    Evaluator evaluator(rubric);
    evaluator.start_cohort(first);
    for (const std::string& record : some) evaluator.score(record);
    return evaluator.collected();
  };
  Cohort whole = piece(2, {R"({"id":"b","x":1})", R"({"id":"a","x":1})"});
  REQUIRE_FALSE(whole.merge(piece(0, {R"({"id":"d","x":1})", R"({"id":"c","x":"one"})"})));
  CHECK(frozen(whole).outputs() == R"({"all":["d","b","a"],"refused":["c"]})");
  CHECK(whole.verdicts() == 3);
  CHECK(whole.rejected() == 1);
  CHECK(whole.repeated_ids().empty());
  REQUIRE_FALSE(whole.merge(whole));
  CHECK(whole.verdicts() == 6);
  CHECK(whole.repeated_ids().size() == 4);
  CHECK(whole.repeated_ids().front().id == "a");
  CHECK(whole.repeated_ids(1).front().count == 2);
}

TEST_CASE("a cohort of nothing, and a rubric without one") {
  const Rubric rubric = rubric_of(kText);
  InputError error;
  const std::optional<FrozenCohort> empty = Cohort(rubric).freeze(error);
  REQUIRE(empty);
  CHECK(empty->verdicts() == 0);
  CHECK(second_pass(rubric, *empty, {R"({"id":"a","club":"red","result":80})"}).front().find("\"place\":1") !=
        std::string::npos);
  const Rubric plain = rubric_of("rubric plain { input x: number output y = x }");
  CHECK_FALSE(Cohort(plain).freeze(error));
  CHECK(error.message == "rubric 'plain' has no cohort block");
  Evaluator evaluator(plain);
  CHECK(evaluator.set_cohort(*empty));
}
