// The differences between two rubrics, for those who keep verdicts: which changes only concern texts, which move bands,
// and which make scores incomparable.
#pragma once

#include <assay/diagnostic.hpp>
#include <assay/interrupt.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class Rubric;

enum class Effect : std::uint8_t {
  prose,   // no number depends on it: texts, versions, examples, flags, advice
  bands,   // thresholds and names of bands: the score stays the same
  scores,  // everything else: scores before and after are not comparable
};

struct Change {
  enum class Kind : std::uint8_t { changed, added, removed, renamed, moved };
  Kind kind = Kind::changed;
  Effect effect = Effect::scores;
  std::string what;           // the declaration: "dimension correctness", "bands grade, row \"A\""
  std::string part;           // the changed part: "weight"; empty: the whole declaration, or it is obvious
  std::string before, after;  // as written, on one line; empty: absent
  Location was, is;           // line 0: absent
};

// In the order of the rubric `after`. Layout, comments and the spelling of numbers do not count as differences. If both
// rubrics have the same scoring_hash(), every change is prose. Empty if the interrupt is due before the end. Any thread.
std::vector<Change> differences(const Rubric& before, const Rubric& after, const Interrupt* interrupt = nullptr);

}  // namespace assay
