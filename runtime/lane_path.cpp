#include "runtime/lane_path.hpp"

#include <algorithm>

namespace assay {

LanePath::LanePath(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                   std::shared_ptr<const Kernel> kernel, const Limits& limits, bool with_name, bool with_version)
    : machine_(kernel),
      reader_(model, rubric, kernel, limits),
      writer_(model, rubric, fields, kernel, with_name, with_version),
      shown_(model.rubrics[static_cast<std::size_t>(rubric)].slots.size()),
      record_bytes_(limits.record_bytes),
      output_bytes_(limits.output_bytes) {
  const auto is_input = [](const LaneResult& result) { return result.kind == LaneResult::Kind::input; };
  shown_count_ = static_cast<std::size_t>(std::count_if(kernel->results.begin(), kernel->results.end(), is_input));
}

}  // namespace assay
