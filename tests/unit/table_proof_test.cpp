// The sweep over the rows of a table has the same result as trying every combination of keys: the reachable rows, and
// the first keys without a row.
#include "lang/proof/table_proof.hpp"
#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <string>
#include <vector>

using namespace assay;
using namespace assay_tests;

namespace {

constexpr int kHighest = 6;  // of the numbers in cells

struct Made {
  TypeTable types;
  LookupTable table;
  std::vector<std::vector<Value>> keys;
};

CellTest value_test(Value value) {
  CellTest t;
  t.value = value;
  return t;
}

std::vector<CellTest> random_cell(TypeKind kind, const std::vector<Value>& keys, Random& random) {
  std::vector<CellTest> cell;
  if (random.one_in(4)) return cell;  // anything
  for (std::uint64_t i = 1 + random.below(2); i > 0; --i) {
    CellTest t;
    if (random.one_in(8)) {
      t.kind = CellTest::Kind::missing;
    } else if (kind == TypeKind::number && !random.one_in(4)) {
      t.kind = CellTest::Kind::range;
      const auto low = static_cast<std::int64_t>(random.below(kHighest)),
                 high = low + static_cast<std::int64_t>(random.below(4));
      t.range = {random.one_in(5) ? kMissing : whole(low), random.one_in(5) ? kMissing : whole(high), random.one_in(2),
                 random.one_in(2)};
    } else {
      Value v = keys[random.below(keys.size())];
      if (v.missing()) v = keys[0];
      t = value_test(v);
    }
    cell.push_back(t);
  }
  return cell;
}

void make(Made& made, Random& random) {
  const std::size_t columns = 1 + random.below(4);
  for (std::size_t k = 0; k < columns; ++k) {
    const TypeKind kind = random.one_in(2) ? TypeKind::number : random.one_in(2) ? TypeKind::text : TypeKind::boolean;
    std::vector<Value> keys;
    if (kind == TypeKind::number) {
      for (int half = -1; half <= 2 * kHighest + 1; ++half) keys.push_back(make_number({half, 2}));
    } else if (kind == TypeKind::text) {
      for (const char* text : {"red", "blue", "green", "another"}) keys.push_back(make_text(text));
    } else {
      keys = {make_bool(true), make_bool(false)};
    }
    if (random.one_in(2)) keys.push_back(missing_value());
    TableKey key;
    key.type = kind == TypeKind::number ? kNumber : kind == TypeKind::text ? kText : kBool;
    made.table.keys.push_back(key);
    made.keys.push_back(std::move(keys));
  }
  for (std::uint64_t r = 1 + random.below(12); r > 0; --r) {
    TableRow row;
    for (std::size_t k = 0; k < columns; ++k)
      row.cells.push_back(random_cell(made.types.kind(made.table.keys[k].type), made.keys[k], random));
    made.table.rows.push_back(std::move(row));
  }
}

bool fits(TypeKind kind, const std::vector<CellTest>& cell, const Value& key) {
  if (cell.empty()) return true;
  for (const CellTest& t : cell) {
    if (t.kind == CellTest::Kind::missing) {
      if (key.missing()) return true;
    } else if (key.missing()) {
      continue;
    } else if (t.kind == CellTest::Kind::range) {
      const RangeData& r = t.range;
      const int low = r.low.missing() ? 1 : compare(key.number, r.low),
                high = r.high.missing() ? -1 : compare(key.number, r.high);
      if ((low > 0 || (low == 0 && !r.low_open)) && (high < 0 || (high == 0 && !r.high_open))) return true;
    } else if (kind == TypeKind::number ? compare(key.number, t.value.number) == 0
               : kind == TypeKind::text ? key.text.view() == t.value.text.view()
                                        : key.boolean.truth == t.value.boolean.truth) {
      return true;
    }
  }
  return false;
}

// Each combination of keys, the last column slowest.
void try_all(const Made& made, std::vector<char>& reached, std::vector<Value>& gap) {
  const std::size_t n = made.keys.size();
  std::vector<std::size_t> at(n, 0);
  for (std::size_t k = 0; k < n;) {
    bool found = false, given = true;
    for (std::size_t r = 0; r < made.table.rows.size() && !found; ++r) {
      found = true;
      for (std::size_t c = 0; c < n && found; ++c)
        found = fits(made.types.kind(made.table.keys[c].type), made.table.rows[r].cells[c], made.keys[c][at[c]]);
      if (found) reached[r] = 1;
    }
    for (std::size_t c = 0; c < n; ++c) given = given && !made.keys[c][at[c]].missing();
    if (!found && given && gap.empty())
      for (std::size_t c = 0; c < n; ++c) gap.push_back(made.keys[c][at[c]]);
    for (k = 0; k < n && ++at[k] == made.keys[k].size(); ++k) at[k] = 0;
  }
}

bool same(const Value& a, const Value& b) { return a.words.first == b.words.first && a.words.second == b.words.second; }

}  // namespace

TEST_CASE("sweeping finds what trying every combination finds", "[table_proof]") {
  Random random(20'260'402);
  std::size_t gaps = 0, unreached = 0;
  for (int round = 0; round < 3000; ++round) {
    Made made;
    make(made, random);
    const std::size_t rows = made.table.rows.size();
    std::vector<char> expected(rows, 0), reached(rows, 0), alone(rows, 0);
    std::vector<Value> gap;
    try_all(made, expected, gap);
    Budget budget;
    TableProof proof(made.types, made.table, made.keys, budget);
    std::size_t work = 1'000'000;
    REQUIRE(proof.run(reached, true, work));
    REQUIRE(reached == expected);
    REQUIRE(proof.gap().size() == gap.size());
    for (std::size_t k = 0; k < gap.size(); ++k) REQUIRE(same(proof.gap()[k], gap[k]));
    REQUIRE(proof.run(alone, false, work));
    REQUIRE(alone == expected);
    CHECK(proof.gap().empty());
    CHECK(work > 0);
    gaps += !gap.empty();
    for (const char one : expected) unreached += one == 0;
  }
  CHECK(gaps > 300);
  CHECK(gaps < 2900);
  CHECK(unreached > 1000);
}
