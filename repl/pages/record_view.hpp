// One verdict for people: from composite to score, dimensions against their weights, reasons, flags.
#pragma once

#include "repl/pages/drawing.hpp"

#include <assay/assay.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

double number_of(std::string_view text);  // as a drawing needs it

// Data common to all verdicts of a rubric.
struct ViewFrame {
  explicit ViewFrame(const Rubric& rubric);

  std::string band;                  // the first one; empty: none
  std::vector<std::string> outputs;  // declared by the rubric
  double low = 0, high = 1;          // of scores
  std::string low_text, high_text;   // the same as the rubric has them
  bool open = true;                  // there is no end of the scale: `high` grows with what is seen
  double widest = 0;                 // the largest weight
  void see(std::string_view verdict);
};

class RecordView {
 public:
  RecordView(const ViewFrame& frame, std::string_view verdict);

  std::string text(const std::string& key) const;       // without quotes; a dash if missing
  std::string_view json(const std::string& key) const;  // a part of the verdict, which must outlive it
  std::string score() const { return text("score"); }
  std::string band() const { return text(frame_.band.empty() ? "status" : frame_.band); }
  std::vector<Part> parts() const;     // the drawings
  std::string html(bool drawn) const;  // the complete view; drawings as tables of bars, or as sentences
 private:
  std::vector<Bar> fix() const;
  std::vector<Bar> dimensions() const;

  const ViewFrame& frame_;
  std::map<std::string, std::string_view> parts_;
};

}  // namespace assay::cli
