// Reads arbitrary bytes as an Arrow array with its schema: types, lengths, offsets, null counts, indices and list
// offsets that may contradict each other. Buffers are long enough for every accepted length and offset, because the
// interface does not tell their size. Every scored row must have the same result as JSON.
#include "tests/fuzz/fuzz.hpp"

#include <assay/arrow.hpp>

#include <cstring>
#include <deque>
#include <string>
#include <vector>

using namespace assay;

namespace {

constexpr std::size_t kElements = 256;  // per buffer

const char* const kFormats[] = {"n",      "b",  "c",   "C",  "s",  "S",     "i",          "I",
                                "l",      "L",  "e",   "f",  "g",  "d:9,2", "d:38,4,128", "d:60,3,256",
                                "d:5,-2", "u",  "U",   "vu", "+l", "+L",    "+w:2",       "+vl",
                                "+s",     "+m", "tdD", "u",  "g",  "l",     "b",          "g"};
const char* const kColumns[] = {"quality", "speed", "count", "urgent",      "team",
                                "tags",    "parts", "id",    "parts.first", "other"};

const Rubric& rubric() {
  static const Rubric made = *compile("fuzz.rubric", R"(rubric fuzz "Fuzz" {
  scale 0..10 decimals 2
  weights rescaled
  input quality: number 0..10 optional
  input count: whole -1000..1000 default 0
  input urgent: bool default false
  input team: one of ("red", "green", "blue") default "red"
  input tags: list of text default []
  input parts: { first: number optional, second: text optional } optional
  dimension q weight 60% missing 2 = quality
  dimension speed weight 40% missing 3
  deduction late = 1 when urgent else 0 "Late"
  output doubled = count * 2
})")
                                  .rubric;
  return made;
}

class Arrays {
 public:
  Arrays(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  void make(ArrowSchema& schema, ArrowArray& array) {
    fill(schema, array, "+s", "", 0);
    const std::size_t columns = next() % 8;
    add_children(schema, array, columns, 1);
  }

 private:
  std::uint8_t next() { return at_ < size_ ? bytes_[at_++] : 0; }

  // Mostly small; sometimes an invalid value.
  std::int64_t number(std::int64_t usual) {
    switch (next()) {
      case 1: return -1;
      case 2: return INT64_MIN;
      case 3: return INT64_MAX;
      case 4: return std::int64_t{1} << 60;
      case 5: return next() % 24;
      default: return usual;
    }
  }

  const void* buffer(int bytes) {
    std::vector<char>& made = buffers_.emplace_back(kElements * 16 + 64);
    const std::uint8_t kind = next();
    if (kind == 0 && at_ >= size_ / 2) return nullptr;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < kElements; ++i) {
      std::int64_t value = 0;
      if (kind < 128) value = before += next() % 3;             // ordered offsets
      else value = static_cast<std::int64_t>(next() % 24) - 2;  // or unordered ones, and indices
      if (bytes == 16) {                                        // text views
        const std::int32_t words[4] = {static_cast<std::int32_t>(value), next() % 3 - 1, next() % 3 - 1,
                                       next() % 3 - 1};
        std::memcpy(made.data() + i * 16, words, 16);
      } else {
        std::memcpy(made.data() + i * static_cast<std::size_t>(bytes), &value, static_cast<std::size_t>(bytes));
      }
    }
    if (bytes == 8 && kind > 250) {
      const double d = static_cast<double>(next()) / 25;
      for (std::size_t i = 0; i < kElements; ++i) std::memcpy(made.data() + 8 * i, &d, 8);
    }
    return made.data();
  }

  void fill(ArrowSchema& schema, ArrowArray& array, const char* format, const char* name, int depth) {
    schema = {};
    array = {};
    schema.format = format;
    schema.name = name;
    schema.release = [](ArrowSchema* released) { released->release = nullptr; };
    array.release = [](ArrowArray* released) { released->release = nullptr; };
    if (depth == 0) length_ = next() % 24;
    array.length = number(depth == 0 ? length_ : length_ + 20);
    array.offset = number(next() % 4);
    array.null_count = number(-1) % 64;
    const std::string_view f = format;
    std::vector<const void*>& pointers = pointers_.emplace_back();
    const auto add = [&](int bytes) { pointers.push_back(buffer(bytes)); };
    if (f != "n") pointers.push_back(next() % 2 == 0 ? nullptr : buffer(1));
    if (f == "u" || f == "+l" || f == "+m") add(4);
    else if (f == "U" || f == "+L") add(8);
    else if (f == "vu") add(16);
    else if (f == "+vl") add(4), add(4);
    else if (f[0] == 'd')
      add(f == "d:60,3,256" ? 8 : 8), buffers_.back().resize(kElements * 32 + 64),
          pointers.back() = buffers_.back().data();
    else if (f[0] != '+' && f != "n") add(8);
    if (f == "u" || f == "U") add(1);
    if (f == "vu") {
      add(1);
      std::vector<char>& sizes = buffers_.emplace_back(8);
      const std::int64_t size = next();
      std::memcpy(sizes.data(), &size, 8);
      pointers.push_back(sizes.data());
    }
    array.n_buffers = next() == 9 ? next() % 5 : static_cast<std::int64_t>(pointers.size());
    if (array.n_buffers > static_cast<std::int64_t>(pointers.size()))
      pointers.resize(static_cast<std::size_t>(array.n_buffers));
    array.buffers = pointers.data();
    if (depth == 0 || depth > 4) return;
    if (f == "+s") add_children(schema, array, next() % 3, depth + 1);
    else if (f == "+m") add_children(schema, array, 1, depth + 1, "+s");
    else if (f[0] == '+') add_children(schema, array, 1, depth + 1);
    const bool index = f.size() == 1 && std::strchr("cCsSiIlL", f[0]) != nullptr;
    if (index && next() % 2 == 0) {
      schema.dictionary = &schemas_.emplace_back();
      array.dictionary = next() == 7 ? nullptr : &arrays_.emplace_back();
      ArrowArray spare;
      fill(*schema.dictionary, array.dictionary == nullptr ? spare : *array.dictionary, next() % 8 == 0 ? "g" : "u", "",
           depth + 1);
    }
  }

  void add_children(ArrowSchema& schema, ArrowArray& array, std::size_t count, int depth, const char* only = nullptr) {
    std::vector<ArrowSchema*> schemas;
    std::vector<ArrowArray*> arrays;
    for (std::size_t i = 0; i < count; ++i) {
      schemas.push_back(&schemas_.emplace_back());
      arrays.push_back(&arrays_.emplace_back());
      const char* const format = only != nullptr ? only : kFormats[next() % std::size(kFormats)];
      const char* const name = depth > 1 ? (i == 0 ? "first" : "second") : kColumns[next() % std::size(kColumns)];
      fill(*schemas.back(), *arrays.back(), format, name, depth);
      if (next() == 11) arrays.back() = nullptr;
    }
    schema.n_children = static_cast<std::int64_t>(count);
    array.n_children = next() == 9 ? number(1) : schema.n_children;
    schema.children = schema_lists_.emplace_back(std::move(schemas)).data();
    array.children = array_lists_.emplace_back(std::move(arrays)).data();
  }

  const std::uint8_t* bytes_;
  std::size_t size_, at_ = 0;
  std::int64_t length_ = 0;
  std::deque<std::vector<char>> buffers_;
  std::deque<std::vector<const void*>> pointers_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::vector<ArrowSchema*>> schema_lists_;
  std::deque<std::vector<ArrowArray*>> array_lists_;
};

struct Outcome {
  bool bound = false, scored = false;
  std::int64_t rows = 0;
  std::uint64_t rejected = 0;
};

Outcome score(const std::uint8_t* bytes, std::size_t size, ArrowResult result) {
  Arrays arrays(bytes, size);
  ArrowSchema schema, out_schema;
  ArrowArray records, verdicts;
  arrays.make(schema, records);
  ArrowOptions options;
  options.result = result;
  options.numbers = size % 2 == 0 ? ArrowNumbers::doubles : ArrowNumbers::decimals;
  options.evaluator.jit_threshold = 4;
  options.evaluator.limits.record_bytes = 1 << 16;
  ArrowScorer scorer(rubric(), options);
  Outcome outcome;
  outcome.bound = !scorer.bind(schema);
  if (!outcome.bound) return outcome;
  assay_tests::insist(!scorer.result_schema(out_schema));
  const auto error = scorer.score(records, verdicts);
  assay_tests::insist(records.release == nullptr);
  outcome.scored = !error;
  if (error) assay_tests::insist(!error->message.empty() && verdicts.release == nullptr);
  if (outcome.scored) {
    assay_tests::insist(verdicts.n_children == out_schema.n_children);
    for (std::int64_t i = 0; i < verdicts.n_children; ++i)
      assay_tests::insist(verdicts.children[i]->length == verdicts.length);
    outcome.rows = verdicts.length;
    outcome.rejected = scorer.rejected();
    verdicts.release(&verdicts);
  }
  out_schema.release(&out_schema);
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Outcome columns = score(bytes, size, ArrowResult::columns);
  const Outcome json = score(bytes, size, ArrowResult::json);
  const Outcome nested = score(bytes, size, ArrowResult::verdicts);
  for (const Outcome& other : {json, nested}) {
    assay_tests::insist(columns.bound == other.bound && columns.scored == other.scored);
    assay_tests::insist(columns.rows == other.rows && columns.rejected == other.rejected);
  }
  return 0;
}
