// What differs between two rubrics, for those who keep verdicts: which changes are texts for people, which move bands,
// and which make scores incomparable.
#pragma once

#include <assay/diagnostic.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class Rubric;

enum class Effect : std::uint8_t {
  prose,   // no number depends on it: texts, versions, examples, flags, advice
  bands,   // thresholds and names of bands: the score stays what it was
  scores,  // anything else: scores before and after are not to be compared
};

struct Change {
  enum class Kind : std::uint8_t { changed, added, removed, renamed, moved };
  Kind kind = Kind::changed;
  Effect effect = Effect::scores;
  std::string what;           // the declaration: "dimension correctness", "bands grade, row \"A\""
  std::string part;           // of it: "weight"; empty: all of it, or what speaks for itself
  std::string before, after;  // as written, on one line; empty: there is none
  Location was, is;           // line 0: there is none
};

// In the order of the rubric after; layout, comments and how a number is written make no difference. When both have one
// scoring_hash(), every change is prose. Any thread.
std::vector<Change> differences(const Rubric& before, const Rubric& after);

}  // namespace assay
