// Rows in columns of every type, with kernels and without: what is bound, what is rejected and where, and what is
// written. kernel_test.cpp compares the results with those of the VM for many more rubrics.
#include "tests/unit/columns_rig.hpp"

using namespace assay;
using namespace assay_tests;

namespace {

// The same for every integer type: x with one decimal, from k mod 90, doubled.
template <class T>
void integers(ColumnType type) {
  Columns columns(rubric(
      "input x: number 0..50 input y: number 0..50 optional output o = x * 2 decimals 1 output p = y + 1 decimals 1"));
  std::vector<T> x(kRows), y(kRows);
  std::vector<double> o(kRows), p(kRows);
  for (std::size_t k = 0; k < kRows; ++k) {
    x[k] = static_cast<T>(k % 90);
    y[k] = static_cast<T>(k % 7 == 3 ? 99 : k % 40);
  }
  Column cx = column(x, type), cy = column(y, type);
  cx.decimals = cy.decimals = 1;
  cy.missing = 99;
  REQUIRE_FALSE(columns.bind("x", cx));
  REQUIRE_FALSE(columns.bind("y", cy));
  REQUIRE_FALSE(columns.write("o", result(o, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("p", result(p, ColumnType::f64)));
  for (int pass = 0; pass < 2; ++pass) {
    REQUIRE_FALSE(columns.score(0, kRows));
    CHECK(errors(columns).empty());
    bool same = true;
    for (std::size_t k = 0; k < kRows; ++k) {
      same = same && o[k] == static_cast<double>(k % 90 * 2) / 10;
      same = same && (k % 7 == 3 ? std::isnan(p[k]) : p[k] == static_cast<double>(k % 40 + 10) / 10);
    }
    CHECK(same);
  }
  CHECK(columns.statistics().kernel > kRows);
}

// … and as results: scaled, missing, of every type.
template <class T>
void results(ColumnType type, std::int64_t missing) {
  INFO(static_cast<int>(type));
  Columns columns(
      rubric("input x: number 0..50 input y: number 0..5 optional output o = x / 4 decimals 1 output p = y decimals 1 "
             "output t = y > 2"));
  std::vector<double> x(kRows), y(kRows);
  std::vector<T> o(kRows), p(kRows), t(kRows);
  for (std::size_t k = 0; k < kRows; ++k) {
    x[k] = static_cast<double>(k % 45);
    y[k] = k % 5 == 0 ? kNan : static_cast<double>(k % 5);
  }
  REQUIRE_FALSE(columns.bind("x", column(x, ColumnType::f64)));
  REQUIRE_FALSE(columns.bind("y", column(y, ColumnType::f64)));
  const auto as = [&](std::vector<T>& values, int decimals) {
    ResultColumn c = result(values, type);
    c.decimals = decimals;
    c.missing = missing;
    return c;
  };
  REQUIRE_FALSE(columns.write("o", as(o, 1)));
  REQUIRE_FALSE(columns.write("p", as(p, 1)));
  REQUIRE_FALSE(columns.write("t", as(t, 0)));
  for (int pass = 0; pass < 2; ++pass) {
    std::fill(o.begin(), o.end(), T{77});
    REQUIRE_FALSE(columns.score(0, kRows));
    std::string wrong;
    for (std::size_t k = 0; k < kRows && wrong.empty(); ++k) {
      const auto exact = static_cast<std::int64_t>(k % 45) * 10;  // quarters of it, half away from zero
      const T expected = static_cast<T>((exact * 2 + 4) / 8);
      const T gone = static_cast<T>(missing);
      const bool is = k % 5 == 0;
      if (o[k] != expected || p[k] != (is ? gone : static_cast<T>(k % 5 * 10)) ||
          t[k] != (is ? gone : static_cast<T>(k % 5 > 2)))
        wrong = std::to_string(k);
    }
    CHECK(wrong == "");
  }
}

}  // namespace

TEST_CASE("columns of every type of integer") {
  integers<std::int8_t>(ColumnType::i8);
  integers<std::int16_t>(ColumnType::i16);
  integers<std::int32_t>(ColumnType::i32);
  integers<std::int64_t>(ColumnType::i64);
  integers<std::uint8_t>(ColumnType::u8);
  integers<std::uint16_t>(ColumnType::u16);
  integers<std::uint32_t>(ColumnType::u32);
}

TEST_CASE("results of every type") {
  results<std::int8_t>(ColumnType::i8, -1);
  results<std::int16_t>(ColumnType::i16, -32768);
  results<std::int32_t>(ColumnType::i32, INT32_MIN);
  results<std::int64_t>(ColumnType::i64, INT64_MIN);
  results<std::uint8_t>(ColumnType::u8, 255);
  results<std::uint16_t>(ColumnType::u16, 65535);
  results<std::uint32_t>(ColumnType::u32, 0xffffffff);
}

TEST_CASE("floats, strides and members of records") {
  struct Row {
    float x;
    std::uint8_t ok;
    double y;
    float out;
    std::int16_t truth;
  };
  Columns columns(
      rubric("input x: number -10..10 input y: number optional input ok: bool optional output o = x * 3 decimals 2 "
             "output q = ok and y > 1"));
  std::vector<Row> rows(kRows);
  for (std::size_t k = 0; k < kRows; ++k) {
    rows[k] = {static_cast<float>(static_cast<int>(k % 100) - 50) / 10, static_cast<std::uint8_t>(k % 3),
               k % 4 == 0 ? kNan : static_cast<double>(k % 4), 0, 0};
  }
  const auto at = [&](const void* member, ColumnType type) {
    Column c;
    c.data = member;
    c.type = type;
    c.stride = sizeof(Row);
    return c;
  };
  Column ok = at(&rows[0].ok, ColumnType::u8);
  ok.missing = 2;
  REQUIRE_FALSE(columns.bind("x", at(&rows[0].x, ColumnType::f32)));
  REQUIRE_FALSE(columns.bind("y", at(&rows[0].y, ColumnType::f64)));
  REQUIRE_FALSE(columns.bind("ok", ok));
  ResultColumn out{&rows[0].out, ColumnType::f32, sizeof(Row)}, truth{&rows[0].truth, ColumnType::i16, sizeof(Row)};
  REQUIRE_FALSE(columns.write("o", out));
  REQUIRE_FALSE(columns.write("q", truth));
  for (int pass = 0; pass < 2; ++pass) {
    REQUIRE_FALSE(columns.score(0, kRows));
    CHECK(errors(columns).empty());
    std::string wrong;
    for (std::size_t k = 0; k < kRows && wrong.empty(); ++k) {
      const float o = static_cast<float>(static_cast<double>((static_cast<int>(k % 100) - 50) * 3) / 10);
      const bool known = k % 3 != 2, y_known = k % 4 != 0, y = k % 4 > 1;
      const int q = (known && k % 3 == 0) || (y_known && !y) ? 0 : known && y_known ? 1 : -1;
      if (rows[k].out != o || rows[k].truth != q)
        wrong = std::to_string(k) + ": " + std::to_string(rows[k].out) + ' ' + std::to_string(rows[k].truth);
    }
    CHECK(wrong == "");
  }
}

TEST_CASE("bits of bytes and words, with a code for missing within them") {
  Columns columns(
      rubric("input a: bool input b: bool optional input s: one of (\"x\", \"y\", \"z\") optional input n: whole 0..15 "
             "optional\n"
             "output p = a and b output q = 1 when s == \"x\" else 2 when s == \"z\" else 3 when s is missing else 4 "
             "output r = n + 1"));
  std::vector<std::uint8_t> bytes(kRows);
  std::vector<std::uint16_t> words(kRows);
  std::vector<std::int8_t> p(kRows), q(kRows), r(kRows);
  for (std::size_t k = 0; k < kRows; ++k) {
    bytes[k] = static_cast<std::uint8_t>(k * 37);  // a: bit 0, b: bits 2 and 3, 3 is missing
    words[k] = static_cast<std::uint16_t>((k % 4) << 5 | (k % 16) << 10 | 0x1f);  // s: two bits, n: four, 15 is missing
  }
  const auto bits = [](Column c, unsigned shift, unsigned count, std::int64_t missing) {
    c.shift = shift;
    c.bits = count;
    c.missing = missing;
    return c;
  };
  REQUIRE_FALSE(columns.bind("a", bits(column(bytes, ColumnType::u8), 0, 1, INT64_MIN)));
  REQUIRE_FALSE(columns.bind("b", bits(column(bytes, ColumnType::u8), 2, 2, 3)));
  Column s = bits(column(words, ColumnType::u16), 5, 2, 3);
  s.names = {"z", "x", "y"};
  REQUIRE_FALSE(columns.bind("s", s));
  REQUIRE_FALSE(columns.bind("n", bits(column(words, ColumnType::u16), 10, 4, 15)));
  REQUIRE_FALSE(columns.write("p", result(p, ColumnType::i8)));
  REQUIRE_FALSE(columns.write("q", result(q, ColumnType::i8)));
  REQUIRE_FALSE(columns.write("r", result(r, ColumnType::i8)));
  for (int pass = 0; pass < 2; ++pass) {
    REQUIRE_FALSE(columns.score(0, kRows));
    CHECK(errors(columns).empty());
    std::string wrong;
    for (std::size_t k = 0; k < kRows && wrong.empty(); ++k) {
      const bool a = (bytes[k] & 1) != 0;
      const int b = bytes[k] >> 2 & 3;
      const int expected = !a ? 0 : b == 3 ? -1 : b != 0;
      const int codes[] = {2, 1, 4, 3};
      if (p[k] != expected || q[k] != codes[k % 4] || r[k] != (k % 16 == 15 ? -1 : static_cast<int>(k % 16) + 1))
        wrong = std::to_string(k);
    }
    CHECK(wrong == "");
  }
}

TEST_CASE("codes of texts: of any width, negative, unknown, more than a byte has") {
  std::string names, list;
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) {
    all.push_back("n" + std::to_string(i));
    list += (i > 0 ? ", \"" : "\"") + all.back() + '"';
  }
  const Rubric of = rubric("input s: one of (" + list +
                           ") optional output o = 1 when s == \"n199\" else 2 when s in [\"n0\", \"n127\", \"n128\"] "
                           "else 3 when s is missing else 4");
  std::vector<std::int8_t> narrow(kRows);
  std::vector<std::int64_t> wide(kRows);
  for (std::size_t k = 0; k < kRows; ++k) {
    narrow[k] = static_cast<std::int8_t>(k % 128);
    wide[k] = k % 201 == 200 ? -7 : static_cast<std::int64_t>(k % 201);
  }
  narrow[50] = -1;
  narrow[51] = -56;  // as an unsigned byte it would be 200
  narrow[52] = -57;
  wide[60] = 200;
  wide[61] = -1;
  wide[62] = INT64_MAX;
  for (const bool bytes : {true, false}) {
    Columns columns(of);
    std::vector<std::int16_t> o(kRows);
    Column s = bytes ? column(narrow, ColumnType::i8) : column(wide, ColumnType::i64);
    s.missing = bytes ? -1 : -7;
    s.names = all;
    REQUIRE_FALSE(columns.bind("s", s));
    REQUIRE_FALSE(columns.write("o", result(o, ColumnType::i16)));
    for (int pass = 0; pass < 2; ++pass) {
      REQUIRE_FALSE(columns.score(0, kRows));
      CHECK(errors(columns) == (bytes ? "51 s: choice\n52 s: choice\n" : "60 s: choice\n61 s: choice\n62 s: choice\n"));
      std::string wrong;
      for (std::size_t k = 0; k < kRows && wrong.empty(); ++k) {
        const std::int64_t v = bytes ? narrow[k] : wide[k];
        const bool refused = bytes ? k == 51 || k == 52 : k >= 60 && k <= 62;
        const int expected = refused ? -1 : v == s.missing ? 3 : v == 199 ? 1 : v == 0 || v == 127 || v == 128 ? 2 : 4;
        if (o[k] != expected) wrong = std::to_string(k) + ": " + std::to_string(o[k]);
      }
      CHECK(wrong == "");
    }
  }
}

TEST_CASE("lists of codes and of texts, with repeats") {
  const Rubric of = rubric(
      "input any: set of text default [] input closed: set of one of (\"a\", \"b\", \"c\") optional input words: list "
      "of text default []\n"
      "output o = count(any) output p = count(closed) output q = count(words)");
  constexpr std::size_t kItems = 4;
  const std::vector<std::string> names = {"c", "a", "b", "a"};  // a repeated name is one text
  std::vector<std::int32_t> counts(kRows), closed_counts(kRows);
  std::vector<std::uint8_t> codes(kRows * kItems);
  std::vector<std::string_view> texts(kRows * kItems);
  std::vector<double> o(kRows), p(kRows), q(kRows);
  static const char* const kTexts[] = {"", "x", "a text of more than sixteen bytes", "y", "x"};
  for (std::size_t k = 0; k < kRows; ++k) {
    counts[k] = static_cast<std::int32_t>(k % 5);
    closed_counts[k] = k % 6 == 5 ? -9 : static_cast<std::int32_t>(k % 5);
    for (std::size_t i = 0; i < kItems; ++i) {
      codes[k * kItems + i] = static_cast<std::uint8_t>((k / 5 + i * (k % 3)) % 4);
      texts[k * kItems + i] = kTexts[(k / 7 + i * (k % 4)) % 5];
    }
  }
  codes[18 * kItems + 1] = 4;  // a code without a name
  counts[23] = -1;
  Columns columns(of);
  ListColumn any, closed, words;
  any.count = words.count = column(counts, ColumnType::i32);
  any.items = words.items = column(texts, ColumnType::text);
  any.items.stride = words.items.stride = kItems * sizeof(std::string_view);
  closed.count = column(closed_counts, ColumnType::i32);
  closed.count.missing = -9;
  closed.items = column(codes, ColumnType::u8);
  closed.items.stride = kItems;
  closed.items.names = names;
  REQUIRE_FALSE(columns.bind_list("any", any));
  REQUIRE_FALSE(columns.bind_list("closed", closed));
  REQUIRE_FALSE(columns.bind_list("words", words));
  REQUIRE_FALSE(columns.write("o", result(o, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("p", result(p, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("q", result(q, ColumnType::f64)));
  for (int pass = 0; pass < 2; ++pass) {
    REQUIRE_FALSE(columns.score(0, kRows));
    CHECK(errors(columns) == "18 closed: choice\n23 any: type\n");
    std::string wrong;
    for (std::size_t k = 0; k < kRows && wrong.empty(); ++k) {
      if (k == 18 || k == 23) {
        if (!std::isnan(o[k]) || !std::isnan(p[k]) || !std::isnan(q[k])) wrong = "a refused row has results";
        continue;
      }
      std::vector<std::string_view> free(texts.begin() + static_cast<std::ptrdiff_t>(k * kItems),
                                         texts.begin() + static_cast<std::ptrdiff_t>(k * kItems) + counts[k]);
      std::vector<std::string> chosen;
      for (std::int32_t i = 0; i < std::max(closed_counts[k], 0); ++i)
        chosen.push_back(names[codes[k * kItems + static_cast<std::size_t>(i)]]);
      std::sort(free.begin(), free.end());
      std::sort(chosen.begin(), chosen.end());
      const auto different = static_cast<double>(std::unique(free.begin(), free.end()) - free.begin());
      const auto closed_different = static_cast<double>(std::unique(chosen.begin(), chosen.end()) - chosen.begin());
      const bool gone = closed_counts[k] == -9;
      if (o[k] != different || q[k] != counts[k] || (gone ? !std::isnan(p[k]) : p[k] != closed_different))
        wrong = std::to_string(k);
    }
    CHECK(wrong == "");
  }
  CHECK(columns.statistics().kernel > kRows);
}

TEST_CASE("a row that is rejected has no results and an error, and the others are scored") {
  const Rubric of = rubric(
      "input x: number 0..10 input unused: whole 0..5 input late: number default 0 check late < 3 at late \"late\" "
      "output o = x + late decimals 3 output t = x > 5");
  std::vector<double> x(kRows, 7.5), unused(kRows, 3), late(kRows, 1);
  std::vector<double> o(kRows);
  std::vector<std::int8_t> t(kRows);
  x[3] = -0.01;
  x[4] = 10;
  x[5] = 10.001;
  x[1000] = std::numeric_limits<double>::infinity();
  x[1001] = kNan;
  unused[1002] = 6;
  unused[1003] = 2.5;
  unused[1004] = kNan;
  unused[1005] = 5;
  late[2000] = 3;
  late[2001] = kNan;
  late[2002] = 2.999;
  x[2003] = 0.1 + 0.2;  // seventeen digits, which are valid
  for (const bool rows : {false, true}) {
    Columns columns(of);
    REQUIRE_FALSE(columns.bind("x", column(x, ColumnType::f64)));
    REQUIRE_FALSE(columns.bind("unused", column(unused, ColumnType::f64)));
    REQUIRE_FALSE(columns.bind("late", column(late, ColumnType::f64)));
    REQUIRE_FALSE(columns.write("o", result(o, ColumnType::f64)));
    REQUIRE_FALSE(columns.write("t", result(t, ColumnType::i8)));
    for (int pass = 0; pass < 2; ++pass) {
      std::fill(o.begin(), o.end(), -1);
      std::string found;
      if (!rows) {
        REQUIRE_FALSE(columns.score(0, kRows));
        found = errors(columns);
      } else {
        for (std::size_t k = 0; k < kRows; ++k) {
          REQUIRE_FALSE(columns.score(k, k + 1));
          found += errors(columns);
        }
      }
      CHECK(found ==
            "3 x: range\n5 x: range\n1000 x: type\n1001 x: required\n1002 unused: range\n1003 unused: range\n1004 "
            "unused: required\n2000 late: rule\n");
      CHECK(std::isnan(o[3]));
      CHECK(t[3] == -1);
      CHECK(o[4] == 11);
      CHECK(std::isnan(o[1002]));
      CHECK(o[1005] == 8.5);
      CHECK(std::isnan(o[2000]));
      CHECK(o[2001] == 7.5);
      CHECK(o[2002] == 10.499);
      CHECK(o[2003] == 1.3);
      CHECK(std::count(o.begin(), o.end(), 8.5) == kRows - 12);
    }
    CHECK(columns.statistics().kernel > kRows);
    CHECK(columns.statistics().rejected >= 16);
  }
}

TEST_CASE("optional records: there when a field of them is bound") {
  const Rubric of = rubric(
      "input r: { a: number 0..10, b: number 0..10 default 4, c: text optional } optional input s: { d: number 0..1 "
      "default 0.5 } optional\n"
      "output o = r.a + r.b decimals 1 output p = r is given output q = s.d decimals 1 output t = r.c == \"x\"");
  std::vector<double> a(kRows, 2), o(kRows), q(kRows);
  std::vector<std::int8_t> p(kRows), t(kRows);
  Columns columns(of);
  REQUIRE_FALSE(columns.write("o", result(o, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("p", result(p, ColumnType::i8)));
  REQUIRE_FALSE(columns.write("q", result(q, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("t", result(t, ColumnType::i8)));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK(errors(columns).empty());
  CHECK((std::isnan(o[kRows - 1]) && p[kRows - 1] == 0 && std::isnan(q[kRows - 1]) && t[kRows - 1] == -1));
  REQUIRE_FALSE(columns.bind("r.a", column(a, ColumnType::f64)));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK((o[0] == 6 && p[0] == 1 && o[kRows - 1] == 6 && p[kRows - 1] == 1 && t[kRows - 1] == -1));
  Columns incomplete(of);  // r exists without r.a
  std::vector<double> b(kRows, 1);
  REQUIRE_FALSE(incomplete.bind("r.b", column(b, ColumnType::f64)));
  REQUIRE_FALSE(incomplete.write("q", result(q, ColumnType::f64)));
  for (int pass = 0; pass < 2; ++pass) {
    REQUIRE_FALSE(incomplete.score(0, 40));
    REQUIRE(incomplete.errors().size() == 40);
    CHECK(incomplete.errors()[39].second.path == "r.a");
  }
}

TEST_CASE("settings, another column in the place of one, other fields") {
  Columns columns(rubric("scale 0..10 decimals 2 weights rescaled dimension a weight 50% dimension b weight 50%"));
  std::vector<double> a(kRows, 8), b(kRows, 4), other(kRows, 10), score(kRows), composite(kRows);
  REQUIRE_FALSE(columns.bind("a", column(a, ColumnType::f64)));
  REQUIRE_FALSE(columns.bind("b", column(b, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("score", result(score, ColumnType::f64)));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK((score[0] == 6 && score[kRows - 1] == 6));
  Settings settings;
  settings.weights = {{"a", "0.75"}};
  REQUIRE_FALSE(columns.configure(settings));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK((score[0] == 7 && score[kRows - 1] == 7));
  settings.weights = {{"a", "7"}};
  CHECK(columns.configure(settings));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK(score[kRows - 1] == 7);  // unchanged
  REQUIRE_FALSE(columns.bind("b", column(other, ColumnType::f64)));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK((score[0] == 8.5 && score[kRows - 1] == 8.5));
  REQUIRE_FALSE(columns.write("composite", result(composite, ColumnType::f64)));
  REQUIRE_FALSE(columns.score(1, 2));
  CHECK((composite[1] == 8.5 && composite[0] == 0));
  REQUIRE_FALSE(columns.score(5, 5));
  REQUIRE_FALSE(columns.score(0, 0));
  CHECK(columns.errors().empty());
}

TEST_CASE("a rubric without a kernel, and numbers that grow after the kernel was made") {
  Columns without(rubric("input x: number 0..100 output o = sqrt(x) decimals 3"));
  std::vector<double> x(kRows), o(kRows);
  for (std::size_t k = 0; k < kRows; ++k) x[k] = static_cast<double>(k % 100);
  REQUIRE_FALSE(without.bind("x", column(x, ColumnType::f64)));
  REQUIRE_FALSE(without.write("o", result(o, ColumnType::f64)));
  REQUIRE_FALSE(without.score(0, kRows));
  CHECK((o[9] == 3 && o[2] == 1.414 && o[kRows - 1] == 9.95));
  CHECK(without.statistics().kernel == 0);

  Columns growing(rubric("input x: number output o = x * 3 decimals 9"));
  REQUIRE_FALSE(growing.bind("x", column(x, ColumnType::f64)));
  REQUIRE_FALSE(growing.write("o", result(o, ColumnType::f64)));
  const auto pass = [&](std::size_t factor, double unit) {
    std::string wrong;
    for (std::size_t k = 0; k < kRows; ++k) x[k] = static_cast<double>(k % 97 * factor) / unit;
    for (int round = 0; round < 8; ++round) {
      REQUIRE_FALSE(growing.score(0, kRows));
      for (std::size_t k = 0; k < kRows && wrong.empty(); ++k) {
        if (o[k] != static_cast<double>(k % 97 * factor * 3) / unit)
          wrong = std::to_string(x[k]) + " * 3 is " + std::to_string(o[k]);
      }
    }
    CHECK(wrong == "");
  };
  pass(1, 1);
  const std::uint64_t small = growing.statistics().kernel;
  CHECK(small > kRows);
  pass(1, 1000);
  pass(100'000, 1);
  CHECK(growing.statistics().kernel > small + 4 * kRows);
}

TEST_CASE("numbers that a column of doubles cannot tell apart are those of the shortest decimal") {
  // Beyond 15 digits, several decimals have the same double; a kernel supports only one of them.
  const Rubric of = rubric(
      "input x: number 0..100000000000000 output o = x * 2 decimals 2 output p = x >= 12345678901234.565 output q = x "
      "decimals 2");
  std::vector<double> x;
  for (int k = 0; k < 64; ++k) x.push_back(k + 0.25);
  for (int k = 0; k < 64; ++k) {
    x.push_back(12345678901234.5 + k / 64.0);
    x.push_back(98765432109876.5 + k / 64.0);
  }
  std::vector<double> o(x.size()), q(x.size());
  std::vector<std::int8_t> p(x.size());
  Columns columns(of);
  REQUIRE_FALSE(columns.bind("x", column(x, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("o", result(o, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("p", result(p, ColumnType::i8)));
  REQUIRE_FALSE(columns.write("q", result(q, ColumnType::f64)));
  Evaluator evaluator(of);
  for (int pass = 0; pass < 3; ++pass) {
    REQUIRE_FALSE(columns.score(0, x.size()));
    std::string wrong;
    for (std::size_t k = 0; k < x.size() && wrong.empty(); ++k) {
      evaluator.inputs().set_number(*evaluator.inputs().find("x"), x[k]);
      const Verdict& verdict = evaluator.score_inputs();
      REQUIRE(verdict.error() == nullptr);
      if (o[k] != verdict.number(*evaluator.field("o")) || q[k] != verdict.number(*evaluator.field("q")) ||
          p[k] != static_cast<int>(*verdict.boolean("p")))
        wrong = std::to_string(x[k]);
    }
    CHECK(wrong == "");
  }
}

TEST_CASE("results in integers of more decimals than the field, and whole numbers for ranges without one") {
  Columns columns(
      rubric("input x: number 0..50 input y: number 0.2..0.8 output o = x * 2 decimals 1 output p = y decimals 2 "
             "output r = x"));
  std::vector<double> x(kRows, 12.5);
  std::vector<std::uint8_t> y(kRows, 0);
  std::vector<std::int64_t> o(kRows), p(kRows), r(kRows);
  REQUIRE_FALSE(columns.bind("x", column(x, ColumnType::f64)));
  REQUIRE_FALSE(columns.bind("y", column(y, ColumnType::u8)));
  REQUIRE_FALSE(columns.write("p", ResultColumn{p.data(), ColumnType::i64, 0, 2}));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK(columns.errors().size() == kRows);  // 0 is not in the range, nor is another whole number
  std::vector<double> good(kRows, 0.5);
  REQUIRE_FALSE(columns.bind("y", column(good, ColumnType::f64)));
  REQUIRE_FALSE(columns.write("o", ResultColumn{o.data(), ColumnType::i64, 0, 9}));
  REQUIRE_FALSE(columns.score(0, kRows));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK((o[0] == 25'000'000'000 && o[kRows - 1] == 25'000'000'000));
  CHECK(p[kRows - 1] == 50);
  // An unrounded number in an integer column: a number with a decimal does not fit and is reported.
  REQUIRE_FALSE(columns.write("r", result(r, ColumnType::i64)));
  REQUIRE_FALSE(columns.score(0, kRows));
  REQUIRE_FALSE(columns.score(0, kRows));
  CHECK(columns.errors().size() == kRows);
  CHECK((r[0] == -1 && r[kRows - 1] == -1));
}
