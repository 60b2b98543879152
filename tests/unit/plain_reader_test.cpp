// The fast record reader against the complete one: both accept every text with the same values, or reject it with the
// same error.
#include "runtime/input/inputs.hpp"
#include "runtime/output/report.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include "tests/unit/given.hpp"

#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

const char* const kRubric = R"rubric(
rubric shapes "Every kind of input" {
  version "1"
  type part = { name: text, size: number 0..10, tags: list of text default [], inner: { deep: bool optional } optional }
  input ratio:  number > 0 optional
  input points: whole -5..1_000 default 3
  input level:  one of ("low", "high") optional
  input names:  set of text default []
  input flag:   bool default false
  input extra:  list of any default []
  input parts:  list of part default []
  input gaps:   list of optional number default []
  input lines:  list of optional text default []
  input note:   text optional
  input whole_part: part optional
  output size = sum(p.size for p in parts)
}
)rubric";

const char* const kRecords[] = {
    (R"({"id":"r1","ratio":0.25,"points":17,"level":"low","names":["a","b","a"],"flag":true,"extra":[1,"x",{"y":[null]}],)"
     R"("parts":[{"name":"p","size":9.50,"tags":["t"]},{"size":0,"name":"q","inner":{"deep":false}}],"note":"nothing"})"),
    R"({"points":-5,"unknown":{"a":[1.5e3,"\u00e9"],"b":null},"id":"r2","ratio":123456789.123456789})",
    R"( { "id" : "r3" , "flag" : false , "note" : "æ ø å 漢字 🎉" , "names" : [ "n0","n1","n2","n3","n4","n5","n6","n7","n8","n3" ] } )",
    R"({"whole_part":{"name":"w","size":10.000000000000000001},"note":null,"extra":[]})",
    R"({"gaps":[1,null, 2.5 ,null],"lines":["a",null,""],"flag":true})",
    R"({"whole_part":{"name":"w","size":10},"extra":[true,false,null,-0.0],"points":1000})",
    R"({"id":"a \"quoted\" one","points":1e2,"note":"\n"})",
    R"({})",
};

struct Both {
  Rubric rubric;
  InputReader fast, complete;
  Arena arena;

  explicit Both(Rubric the_rubric, bool strict = false)
      : rubric(std::move(the_rubric)),
        fast(*rubric.impl().model, rubric.impl().index(), Limits(), true, strict),
        complete(*rubric.impl().model, rubric.impl().index(), Limits(), false, strict) {}

  std::string read(InputReader& reader, std::string_view json) {
    const RubricModel& model = rubric.impl().rubric();
    std::vector<Value> slots(model.slots.size(), missing_value());
    arena.reset();
    InputError error;
    if (!reader.read(json, slots.data(), arena, false, error))
      return error.path + ": " + error.code + ": " + error.message;
    std::string out;
    ValueWriter writer(rubric.impl().model->types);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      writer.write(model.slots[i].type, slots[i], kAsGiven, out);
      out += ' ';
    }
    return out;
  }
};

}  // namespace

TEST_CASE("the fast reader and the complete one agree on ordinary records") {
  Both both(rubric_of(kRubric)), strict(rubric_of(kRubric), true);
  for (const char* record : kRecords) {
    for (int again = 0; again < 2; ++again) {  // the second time, the order is known
      INFO(record);
      CHECK(both.read(both.fast, record) == both.read(both.complete, record));
      CHECK(strict.read(strict.fast, record) == strict.read(strict.complete, record));
    }
  }
}

TEST_CASE("the fast reader and the complete one agree on damaged records") {
  Both lenient(rubric_of(kRubric)), strict(rubric_of(kRubric), true);
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string_view marks = "{}[]:,\"\\ \n0123456789.-+eEtrufalsn\x80\xc3\xa9\x01";
  std::size_t accepted = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string text = kRecords[below(std::size(kRecords))];
    for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0: text[at] = marks[below(marks.size())]; break;
        case 1: text.insert(at, 1, marks[below(marks.size())]); break;
        case 2: text.erase(at, 1 + below(3)); break;
        case 3: text.resize(at); break;
        default: text.insert(at, text.substr(below(text.size()), below(12))); break;
      }
    }
    Both& both = round % 4 == 3 ? strict : lenient;
    const std::string expected = both.read(both.complete, text);
    const std::string got = both.read(both.fast, text);
    accepted += expected.find(": ") == std::string::npos;
    if (got == expected) continue;
    INFO(text);
    CHECK(got == expected);
  }
  CHECK(accepted > 1'000);  // enough records stay undamaged for a meaningful test
}
