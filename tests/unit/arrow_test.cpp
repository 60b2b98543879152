// Arrow arrays that a host should not hand over: each is one clear error or the verdicts that its values have, and
// everything that was handed over is released once.
#include "tests/unit/catch.hpp"

#include <assay/arrow.hpp>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace assay;

namespace {

const Rubric& rubric() {
  static const Rubric made = *compile("arrow.rubric", R"(rubric arrow "Arrow" {
  scale 0..10
  input id: text optional
  input team: text default "none"
  input parts: { first: number 0..10 optional, second: number optional } optional
  input bag: any optional
  dimension quality weight 100%
})")
                                  .rubric;
  return made;
}

struct Part {  // a column, or the table itself
  std::string format, name;
  std::int64_t length = 0;
  std::vector<const void*> buffers;
  std::vector<Part> children = {};
  std::vector<Part> dictionary = {};  // one, or none
};

// Makes structs of the interface from parts. They stay valid, and it counts how often they are released.
class Host {
 public:
  ArrowSchema& schema(const Part& part) {
    ArrowSchema& made = schemas_.emplace_back();
    made = {};
    made.format = texts_.emplace_back(part.format).c_str();
    made.name = texts_.emplace_back(part.name).c_str();
    std::vector<ArrowSchema*> children;
    for (const Part& child : part.children) children.push_back(&schema(child));
    made.n_children = static_cast<std::int64_t>(children.size());
    made.children = schema_lists_.emplace_back(std::move(children)).data();
    if (!part.dictionary.empty()) made.dictionary = &schema(part.dictionary[0]);
    made.release = [](ArrowSchema* of) { of->release = nullptr; };
    return made;
  }
  ArrowArray& array(const Part& part) {
    ArrowArray& made = arrays_.emplace_back();
    made = {};
    made.length = part.length;
    made.null_count = -1;
    made.n_buffers = static_cast<std::int64_t>(part.buffers.size());
    made.buffers = pointers_.emplace_back(part.buffers).data();
    std::vector<ArrowArray*> children;
    for (const Part& child : part.children) children.push_back(&array(child));
    made.n_children = static_cast<std::int64_t>(children.size());
    made.children = array_lists_.emplace_back(std::move(children)).data();
    if (!part.dictionary.empty()) made.dictionary = &array(part.dictionary[0]);
    made.private_data = &released;
    made.release = [](ArrowArray* of) {
      ++*static_cast<int*>(of->private_data);
      of->release = nullptr;
    };
    return made;
  }
  int released = 0;

 private:
  std::deque<std::string> texts_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::vector<const void*>> pointers_;
  std::deque<std::vector<ArrowSchema*>> schema_lists_;
  std::deque<std::vector<ArrowArray*>> array_lists_;
};

const double kQuality[] = {1, 2, 3};
const std::int32_t kEnds[] = {0, 1, 2, 3};
const std::int8_t kIndices[] = {0, 0, 0};

Part quality() { return {"g", "quality", 3, {nullptr, kQuality}}; }
Part text(const std::string& name) { return {"u", name, 3, {nullptr, kEnds, "abc"}}; }
Part table(std::vector<Part> columns) { return {"+s", "", 3, {nullptr}, std::move(columns)}; }

std::optional<InputError> bound(const Part& part) {
  Host host;
  ArrowScorer scorer(rubric());
  return scorer.bind(host.schema(part));
}

}  // namespace

TEST_CASE("a column with a dictionary that its type has not is an error") {
  Host host;
  ArrowScorer scorer(rubric());
  const Part part = table({quality(), text("id")});
  REQUIRE(!scorer.bind(host.schema(part)));
  ArrowArray& records = host.array(part);
  records.children[1]->dictionary = &host.array(table({}));
  records.children[1]->dictionary->n_children = 7;  // and one that would be read past its end
  ArrowArray verdicts;
  const auto error = scorer.score(records, verdicts);
  REQUIRE(error);
  CHECK(error->code == "column");
  CHECK(error->message.str() == "the column id has a dictionary, which its type has not");
  CHECK(verdicts.release == nullptr);
  CHECK(host.released == 1);
}

TEST_CASE("what a dictionary holds is looked at as what a column holds") {
  const Part dates = {"tdD", "first", 3, {nullptr, kEnds}};
  const auto as_dictionary = [](std::vector<Part> members) {
    Part values = table(std::move(members));
    return Part{"c", "parts", 3, {nullptr, kIndices}, {}, {values}};
  };
  const auto error = bound(table({quality(), as_dictionary({dates})}));
  REQUIRE(error);
  CHECK(error->message.str().find("'tdD'") != std::string::npos);

  Host host;
  ArrowScorer scorer(rubric());
  Part first = quality(), other = dates;
  first.name = "first";
  other.name = "other";  // of no field: ignored, as in a struct
  const Part part = table({quality(), as_dictionary({first, other})});
  REQUIRE(!scorer.bind(host.schema(part)));
  ArrowArray verdicts;
  REQUIRE(!scorer.score(host.array(part), verdicts));
  CHECK(scorer.rejected() == 0);
  verdicts.release(&verdicts);
  CHECK(host.released == 1);
}

TEST_CASE("a name of very many parts is an error and no deep record") {
  for (const std::size_t parts : {std::size_t{501}, std::size_t{200'000}}) {
    std::string name = "bag";
    for (std::size_t k = 1; k < parts; ++k) name += ".a";
    const auto error = bound(table({quality(), text(name)}));
    REQUIRE(error);
    CHECK(error->message.str().find("more than 500 parts") != std::string::npos);
    CHECK(error->message.str().size() < 300);
  }
  const auto error = bound(table({quality(), {std::string(1 << 20, 'x'), "team", 3, {}}}));
  REQUIRE(error);
  CHECK(error->message.str().size() < 300);
}

TEST_CASE("the ids of verdicts have the nulls of their bitmap, whatever their count says") {
  const std::uint8_t kMiddleMissing[] = {0b101};
  Host host;
  ArrowScorer scorer(rubric());
  Part id = text("id");
  id.buffers[0] = kMiddleMissing;
  const Part part = table({quality(), id});
  REQUIRE(!scorer.bind(host.schema(part)));
  for (const std::int64_t count : {0, 1, 3, -1}) {
    ArrowArray& records = host.array(part);
    records.children[1]->null_count = count;
    ArrowArray verdicts;
    REQUIRE(!scorer.score(records, verdicts));
    CHECK(verdicts.children[0]->null_count == -1);  // its reader counts
    verdicts.release(&verdicts);
  }
  CHECK(host.released == 4);
}

TEST_CASE("a stream that has been released is not read") {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema*) -> int { std::abort(); };
  stream.get_next = [](ArrowArrayStream*, ArrowArray*) -> int { std::abort(); };
  ArrowArrayStream verdicts;
  const auto error = ArrowScorer(rubric()).score(stream, verdicts);
  REQUIRE(error);
  CHECK(error->message.str() == "the array is a stream that has been released");
  CHECK(verdicts.release == nullptr);
}

TEST_CASE("a stream tells its errors in printable text, and ends released") {
  struct Failing {
    Host host;
    Part part = table({quality()});
    int batches = 1, ended = 0;
  } failing;
  ArrowArrayStream stream{};
  stream.private_data = &failing;
  stream.get_schema = [](ArrowArrayStream* of, ArrowSchema* out) {
    auto& made = *static_cast<Failing*>(of->private_data);
    *out = made.host.schema(made.part);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* of, ArrowArray* out) {
    auto& made = *static_cast<Failing*>(of->private_data);
    if (made.batches-- <= 0) return EIO;
    *out = made.host.array(made.part);
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "row \xff\x1b[2J of\na file"; };
  stream.release = [](ArrowArrayStream* of) {
    ++static_cast<Failing*>(of->private_data)->ended;
    of->release = nullptr;
  };
  ArrowArrayStream verdicts;
  REQUIRE(!ArrowScorer(rubric()).score(stream, verdicts));
  CHECK(stream.release == nullptr);
  ArrowArray batch;
  REQUIRE(verdicts.get_next(&verdicts, &batch) == 0);
  batch.release(&batch);
  CHECK(verdicts.get_next(&verdicts, &batch) == EIO);
  const std::string told = verdicts.get_last_error(&verdicts);
  CHECK(told.find('\x1b') == std::string::npos);
  CHECK(told.find('\xff') == std::string::npos);
  CHECK(told.find("of") != std::string::npos);
  CHECK(batch.release == nullptr);
  verdicts.release(&verdicts);
  CHECK(failing.ended == 1);
  CHECK(failing.host.released == 1);
}
