// One verdict as people look at it: from composite to score, dimensions against their weights, reasons, flags.
#pragma once

#include "repl/pages/drawing.hpp"

#include <assay/assay.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// What is the same for all verdicts of a rubric.
struct ViewFrame {
  explicit ViewFrame(const Rubric& rubric);

  std::string band;                  // the first; empty: there is none
  std::vector<std::string> outputs;  // of the rubric's own
  double low = 0, high = 1;          // of scores
  bool open = true;                  // there is no end of the scale: `high` grows with what is seen
  double widest = 0;                 // the largest weight
  void see(std::string_view verdict);
};

class RecordView {
 public:
  RecordView(const ViewFrame& frame, std::string_view verdict);

  std::string text(const std::string& key) const;       // without quotes; a dash for what is missing
  std::string_view json(const std::string& key) const;  // a part of the verdict, which has to live on
  std::string score() const { return text("score"); }
  std::string band() const { return text(frame_.band.empty() ? "status" : frame_.band); }
  std::vector<Part> parts() const;     // the drawings
  std::string html(bool drawn) const;  // everything; drawings as tables of bars, or as sentences
 private:
  std::vector<Bar> way() const;
  std::vector<Bar> dimensions() const;

  const ViewFrame& frame_;
  std::map<std::string, std::string_view> parts_;
};

}  // namespace assay::cli
