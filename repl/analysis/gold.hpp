// Human ratings of records ("gold"), from the records themselves or from a separate file.
#pragma once

#include <assay/analysis.hpp>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

struct Gold {
  std::string id, judge;
  std::vector<std::pair<std::string, std::string>> values;  // measure, value without quotes
  std::string problem;                                      // the member 'gold' is no object; empty: it is, or absent
};

// `flat`: if there is no member 'gold', all members except the id and the judge are gold.
Gold gold_of(std::string_view record, bool flat);
// What gold may name: dimensions and fields of the verdict.
std::set<std::string> known_measures(const Rubric& rubric);

// Collects pairs of a verdict's values and what people say of them.
class RatedPairs {
 public:
  RatedPairs(const Rubric& rubric, const Analysis& analysis);
  // Whether a record's gold cannot be read, which is then told. A rubric may have an input of that name.
  bool refuses(const Gold& gold, const std::string& place, bool& rejected) const;
  // The pairs of one record. What cannot be a rating is told with its place, and sets `rejected`; measures without a
  // value in the verdict are counted and make no pair. `id`: of the record, for the pairs.
  void add(const Gold& gold, const std::string& id, const Verdict& verdict, const std::string& place, bool& rejected);
  const std::vector<RatedPair>& all() const { return pairs_; }
  void note_unrated() const;

 private:
  const Analysis* analysis_;
  bool gold_is_input_ = false;
  std::vector<RatedPair> pairs_;
  std::size_t unrated_ = 0;
};

}  // namespace assay::cli
