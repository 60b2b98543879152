// Columns that cannot be bound or written, with the reasons, and numbers that a column cannot hold.
#include "tests/unit/columns_rig.hpp"

using namespace assay;
using namespace assay_tests;

TEST_CASE("what is wrong with a binding") {
  Columns columns(
      rubric("input x: number 0..10 input b: bool optional input s: one of (\"u\", \"v\") optional input t: text "
             "optional input l: list of text optional\n"
             "input m: list of number optional input r: { a: number } optional scale 0..10 decimals 2 dimension d "
             "weight 100% = x output yes = b output many = l"));
  std::vector<double> doubles(4, 1);
  std::vector<std::uint8_t> bytes(4, 0);
  std::vector<std::string_view> views(4);
  const Column f64 = column(doubles, ColumnType::f64), u8 = column(bytes, ColumnType::u8),
               text = column(views, ColumnType::text);
  CHECK(code(columns.bind("y", f64)) == "y: input");
  CHECK(code(columns.bind("r.b", f64)) == "r.b: input");
  CHECK(code(columns.bind("x.y", f64)) == "x.y: input");
  CHECK(code(columns.bind("x", text)) == "x: type");
  CHECK(code(columns.bind("b", f64)) == "b: type");
  CHECK(code(columns.bind("s", f64)) == "s: type");
  CHECK(code(columns.bind("s", u8)) == "s: type");  // no names
  CHECK(code(columns.bind("l", text)) == "l: type");
  CHECK(code(columns.bind("r", f64)) == "r: type");
  Column bad = u8;
  bad.names = {"u", "w"};
  CHECK(code(columns.bind("s", bad)) == "s: choice");
  bad.missing = 1;  // the name of the missing code is never read
  CHECK(code(columns.bind("s", bad)).empty());
  bad = f64;
  bad.data = nullptr;
  CHECK(code(columns.bind("x", bad)) == "x: column");
  bad = u8;
  bad.decimals = 10;
  CHECK(code(columns.bind("x", bad)) == "x: column");
  bad = u8;
  bad.shift = 30;
  bad.bits = 3;
  CHECK(code(columns.bind("x", bad)) == "x: column");
  bad = f64;
  bad.bits = 3;
  CHECK(code(columns.bind("x", bad)) == "x: column");
  ListColumn list;
  list.count = u8;
  list.items = text;
  CHECK(code(columns.bind_list("l", list)) == "l: column");  // no stride
  list.items.stride = 16;
  CHECK(code(columns.bind_list("m", list)) == "m: type");
  CHECK(code(columns.bind_list("t", list)) == "t: type");
  list.count = f64;
  CHECK(code(columns.bind_list("l", list)) == "l: column");
  list.count = u8;
  CHECK(code(columns.bind_list("l", list)).empty());

  std::vector<double> out(4);
  CHECK(code(columns.write("nothing", result(out, ColumnType::f64))) == "nothing: field");
  CHECK(code(columns.write("many", result(out, ColumnType::i64))) == "many: type");
  CHECK(code(columns.write("yes", result(out, ColumnType::f64))) == "yes: type");
  CHECK(code(columns.write("score", result(out, ColumnType::text))) == "score: type");
  CHECK(code(columns.write("score", result(out, ColumnType::i64))) == "score: column");  // too few decimals
  CHECK(code(columns.write("score", ResultColumn{nullptr, ColumnType::f64})) == "score: column");
  CHECK(code(columns.write("score", result(out, ColumnType::f64))).empty());
  CHECK(code(columns.score(0, 4)) == "x: required");
  REQUIRE_FALSE(columns.bind("x", f64));
  CHECK(code(columns.score(0, 4)).empty());
  CHECK(out[3] == 1);
  CHECK(columns.texts("status") == std::vector<std::string>{"eligible", "ineligible", "incomplete"});
  CHECK(columns.texts("score").empty());
  CHECK(columns.texts("nothing").empty());
}

TEST_CASE("a column of integers that cannot hold what its field can be is refused") {
  const Rubric of = rubric(
      "input x: number 0..1000 input y: number -100..100 optional input yes: bool optional "
      "output large = x output hundredths = x decimals 2 output below = 0 - x / 10 decimals 0 output maybe = y "
      "decimals 0 "
      "output open = yes output kept = y default 0 decimals 0 "
      "output sign = \"minus\" when y < 0 else \"plus\" when y > 0 else \"none\"");
  Columns columns(of);
  std::vector<std::int64_t> out(4);
  const auto write = [&](const char* field, ColumnType type, int decimals = 0, std::int64_t missing = -1) {
    const auto error = columns.write(field, ResultColumn{out.data(), type, 0, decimals, missing});
    if (error) CHECK((error->code == "column" && error->path == field));
    return error ? error->message : Printable();
  };
  CHECK(write("hundredths", ColumnType::i16, 2) ==
        "hundredths is a number 0..1000, which with 2 decimals is beyond the -32768..32767 that its column holds");
  CHECK(write("hundredths", ColumnType::u16, 2) ==
        "hundredths is a number 0..1000, which with 2 decimals is beyond the 0..65535 that its column holds");
  CHECK(write("hundredths", ColumnType::i32, 2).empty());
  CHECK(write("hundredths", ColumnType::u32, 6).empty());
  CHECK_FALSE(write("hundredths", ColumnType::i32, 9).empty());
  for (const ColumnType small : {ColumnType::i8, ColumnType::u8}) CHECK_FALSE(write("large", small).empty());
  for (const ColumnType enough : {ColumnType::i16, ColumnType::u16, ColumnType::i32, ColumnType::u32, ColumnType::i64})
    CHECK(write("large", enough).empty());
  CHECK(write("below", ColumnType::i8).empty());
  CHECK_FALSE(write("below", ColumnType::u8).empty());
  // If a field may be missing, its missing value must differ from every value and fit the column.
  CHECK(write("maybe", ColumnType::i8) ==
        "maybe may be missing, and what its column holds then, -1, is a value as well");
  CHECK(write("maybe", ColumnType::i8, 0, -101).empty());
  CHECK(write("maybe", ColumnType::i8, 0, 127).empty());
  CHECK_FALSE(write("maybe", ColumnType::i8, 0, 100).empty());
  CHECK(write("maybe", ColumnType::i8, 0, 128) == "maybe has 128 for missing, and its column holds -128..127");
  CHECK(write("kept", ColumnType::i8).empty());
  CHECK(write("open", ColumnType::u8).empty());
  CHECK(write("open", ColumnType::i8).empty());
  CHECK_FALSE(write("open", ColumnType::i8, 0, 1).empty());
  CHECK(write("sign", ColumnType::u8, 0, 255).empty());
  CHECK_FALSE(write("sign", ColumnType::u8, 0, 256).empty());
  CHECK(columns.texts("sign").size() == 3);
}

TEST_CASE("more texts than a column tells apart") {
  std::string choices, maybe;
  for (int i = 0; i < 129; ++i) choices += (i > 0 ? ", \"c" : "\"c") + std::to_string(i) + '"';
  Columns columns(
      rubric("input t: one of (" + choices + ") input m: one of (" + choices + ") optional output o = t output p = m"));
  std::vector<std::int64_t> out(1);
  CHECK(code(columns.write("o", result(out, ColumnType::i8))) == "o: column");
  CHECK(columns.write("o", result(out, ColumnType::i8))->message ==
        "o is one of 129 texts, and its column holds -128..127");
  CHECK(code(columns.write("o", result(out, ColumnType::u8))).empty());
  CHECK(code(columns.write("o", ResultColumn{out.data(), ColumnType::u8, 0, 0, 128})).empty());  // o is never missing
  CHECK(code(columns.write("p", ResultColumn{out.data(), ColumnType::u8, 0, 0, 128})) == "p: column");
  CHECK(code(columns.write("p", ResultColumn{out.data(), ColumnType::u8, 0, 0, 129})).empty());
}

TEST_CASE("a number without a range that its column of integers does not hold is an error of its row") {
  // With a kernel and without one, in columns that can hold most of the numbers.
  for (const char* field : {"product", "root"}) {
    INFO(field);
    Columns columns(
        rubric("input x: number output product = x * x decimals 1 output root = sqrt(x * x * x * x) decimals 1"));
    std::vector<double> x(kRows);
    std::vector<std::int16_t> y(kRows);
    REQUIRE_FALSE(columns.bind("x", column(x, ColumnType::f64)));
    REQUIRE_FALSE(columns.write(field, ResultColumn{y.data(), ColumnType::i16, 0, 1}));
    for (int pass = 0; pass < 3; ++pass) {
      for (std::size_t k = 0; k < kRows; ++k) x[k] = static_cast<double>(k % (pass == 0 ? 50 : 90));
      REQUIRE_FALSE(columns.score(0, kRows));
      std::size_t wrong = 0, expected = 0, at = 0;
      for (std::size_t k = 0; k < kRows; ++k) {
        const double square = 10 * x[k] * x[k];
        const bool fits = square <= 32767;
        wrong += y[k] != (fits ? static_cast<std::int16_t>(square) : -1);
        if (fits) continue;
        ++expected;
        const auto& errors = columns.errors();
        wrong += at >= errors.size() || errors[at].first != k || errors[at].second.code != "column";
        ++at;
      }
      CHECK(wrong == 0);
      CHECK(columns.errors().size() == expected);
      CHECK((pass == 0 || expected > 0));
    }
  }
}
