// See table_proof.hpp.
#include "lang/proof/table_proof.hpp"

#include "lang/value/map.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace assay {

namespace {

constexpr std::size_t kMostSeen = 4'000'000;  // rows in the remembered sets

}  // namespace

// Sets of visited rows, by column: the same set gives no new results.
class TableProof::Seen {
 public:
  bool add(const std::vector<std::uint32_t>& rows) {  // false: it was known
    if (size_ + rows.size() > kMostSeen) return sets_.find(rows) == sets_.end();
    if (!sets_.insert(rows).second) return false;
    size_ += rows.size();
    return true;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& rows) const {
      std::uint64_t h = rows.size();
      for (const std::uint32_t row : rows) h = mix_hash(h ^ row) + row;
      return static_cast<std::size_t>(h);
    }
  };
  std::unordered_set<std::vector<std::uint32_t>, Hash> sets_;
  std::size_t size_ = 0;
};

TableProof::TableProof(const TypeTable& types, const LookupTable& table, std::vector<std::vector<Value>> keys,
                       Budget& budget)
    : budget_(budget), columns_(keys.size()), whole_(table.rows.size(), 0), chosen_(keys.size(), 0) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    columns_[k].values = std::move(keys[k]);
    place(columns_[k], types.kind(table.keys[k].type), k, table);
  }
  for (std::size_t r = 0; r < whole_.size(); ++r) {
    const auto all = [&](const Column& c) {
      const std::uint32_t at = c.first[r];
      return c.first[r + 1] == at + 1 && c.spans[at].begin == 0 && c.spans[at].end == c.values.size();
    };
    while (whole_[r] < columns_.size() && all(columns_[whole_[r]])) ++whole_[r];
  }
}

TableProof::~TableProof() = default;

// Locates the cells of a column among its values.
void TableProof::place(Column& column, TypeKind kind, std::size_t key, const LookupTable& table) {
  const std::vector<Value>& values = column.values;
  const auto count = static_cast<std::uint32_t>(values.size());
  column.given = count > 0 && values.back().missing() ? count - 1 : count;
  std::unordered_map<std::string_view, std::uint32_t> texts;
  for (std::uint32_t i = 0; kind == TypeKind::text && i < column.given; ++i) texts.emplace(values[i].text.view(), i);
  const auto first = [&](const auto& past) {  // the first of the numbers for which this holds
    const auto at = std::partition_point(values.begin(), values.begin() + column.given,
                                         [&](const Value& v) { return !past(v.number); });
    return static_cast<std::uint32_t>(at - values.begin());
  };
  const auto numbers = [&](const RangeData& r) {
    Span span{0, column.given};
    if (!r.low.missing()) span.begin = first([&](Number n) { return compare(n, r.low) > (r.low_open ? 0 : -1); });
    if (!r.high.missing()) span.end = first([&](Number n) { return compare(n, r.high) > (r.high_open ? -1 : 0); });
    return span;
  };
  std::vector<Span> spans;
  for (const TableRow& row : table.rows) {
    budget_.step();
    spans.clear();
    if (row.cells[key].empty()) spans.push_back({0, count});
    for (const CellTest& t : row.cells[key]) {
      if (t.kind == CellTest::Kind::missing) {
        spans.push_back({column.given, count});
      } else if (t.kind == CellTest::Kind::range) {
        spans.push_back(numbers(t.range));
      } else if (kind == TypeKind::number) {
        spans.push_back(numbers({t.value.number, t.value.number, false, false}));
      } else if (kind == TypeKind::text) {
        if (const auto at = texts.find(t.value.text.view()); at != texts.end())
          spans.push_back({at->second, at->second + 1});
      } else if (kind == TypeKind::boolean) {
        for (std::uint32_t i = 0; i < column.given; ++i)
          if (values[i].boolean.truth == t.value.boolean.truth) spans.push_back({i, i + 1});
      }
    }
    std::erase_if(spans, [](const Span& s) { return s.begin >= s.end; });
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    column.first.push_back(static_cast<std::uint32_t>(column.spans.size()));
    for (const Span& s : spans) {
      if (column.spans.size() > column.first.back() && column.spans.back().end >= s.begin) {
        column.spans.back().end = std::max(column.spans.back().end, s.end);
      } else {
        column.spans.push_back(s);
      }
    }
  }
  column.first.push_back(static_cast<std::uint32_t>(column.spans.size()));
}

// A subset of a list of rows, in order: a bit for each row, and a bit for each nonzero word of those.
class TableProof::Fitting {
 public:
  explicit Fitting(const std::vector<std::uint32_t>& rows)
      : rows_(rows), bits_((rows.size() + 63) / 64, 0), words_((bits_.size() + 63) / 64, 0) {}
  void turn(std::size_t i) {
    const std::size_t w = i / 64;
    const std::uint64_t word = std::uint64_t{1} << (w % 64);
    bits_[w] ^= std::uint64_t{1} << (i % 64);
    if (bits_[w] != 0) words_[w / 64] |= word;
    else words_[w / 64] &= ~word;
  }
  // Calls visit(row) for each, until it returns false.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      for (std::uint64_t words = words_[at]; words != 0; words &= words - 1) {
        const std::size_t w = at * 64 + static_cast<std::size_t>(std::countr_zero(words));
        for (std::uint64_t left = bits_[w]; left != 0; left &= left - 1) {
          if (!visit(rows_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))])) return;
        }
      }
    }
  }

 private:
  const std::vector<std::uint32_t>& rows_;
  std::vector<std::uint64_t> bits_, words_;
};

// Calls visit(first place, matching rows) for each stretch of a column in which the same rows match. False: too much
// work, here or in a visit.
template <class Visit>
bool TableProof::sweep(const Column& column, const std::vector<std::uint32_t>& rows, Visit&& visit) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // of spans: place, position among the rows
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    for (std::uint32_t s = column.first[rows[i]]; s < column.first[rows[i] + 1]; ++s) {
      ends.emplace_back(column.spans[s].begin, i);
      ends.emplace_back(column.spans[s].end, i);
    }
  }
  std::sort(ends.begin(), ends.end(), [this](const auto& a, const auto& b) {
    constexpr std::size_t kBetweenLooks = 4096;
    if (++compared_ % kBetweenLooks == 0) budget_.look();
    return a < b;
  });
  if (!spend(ends.size())) return false;
  Fitting fitting(rows);
  const auto count = static_cast<std::uint32_t>(column.values.size());
  auto next = ends.begin();
  for (std::uint32_t at = 0; at < count;) {
    for (; next != ends.end() && next->first == at; ++next) fitting.turn(next->second);
    if (!visit(at, fitting)) return false;
    std::uint32_t to = next != ends.end() ? next->first : count;
    if (at < column.given) to = std::min(to, column.given);  // rows that match missing say nothing about other values
    at = to;
  }
  return true;
}

// The chosen keys, and the first value of each remaining column.
void TableProof::found_gap(std::size_t column) {
  for (std::size_t k = 0; k < column; ++k) {
    if (columns_[k].given == 0) return;
    chosen_[k] = 0;
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) gap_.push_back(columns_[k].values[chosen_[k]]);
}

bool TableProof::visit(std::size_t column, const std::vector<std::uint32_t>& rows, bool open) {
  const Nesting nesting(budget_);  // key columns are visited recursively
  const Column& c = columns_[column];
  std::vector<char>& reached = *reached_;
  return sweep(c, rows, [&](std::uint32_t at, const Fitting& fitting) {
    const bool counts = open && gaps_ && gap_.empty() && at < c.given;
    chosen_[column] = at;
    bool covered = false;
    if (column == 0) {
      fitting.each([&](std::uint32_t row) {
        reached[row] = 1;
        covered = true;
        return false;
      });
      if (!covered && counts) found_gap(0);
      return true;
    }
    // Rows after one that matches everything left are not reached.
    std::vector<std::uint32_t> below;
    std::size_t unreached = 0;  // rows up to the last unreached one
    fitting.each([&](std::uint32_t row) {
      below.push_back(row);
      covered = whole_[row] >= column;
      if (!reached[row]) unreached = below.size();
      return !covered;
    });
    if (!spend(below.size() + 1)) return false;
    const bool look = counts && !covered;
    if (!look) below.resize(unreached);
    if (below.empty()) {
      if (look) found_gap(column);
      return true;
    }
    if (!seen_[2 * column + look].add(below)) return true;
    return visit(column - 1, below, look);
  });
}

bool TableProof::run(std::vector<char>& reached, bool gaps, std::size_t& work) {
  reached_ = &reached;
  gaps_ = gaps;
  gap_.clear();
  left_ = work;
  seen_ = std::vector<Seen>(2 * columns_.size());
  std::vector<std::uint32_t> rows(whole_.size());
  for (std::uint32_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const bool complete = columns_.empty() || visit(columns_.size() - 1, rows, true);
  work = left_;
  return complete;
}

}  // namespace assay
