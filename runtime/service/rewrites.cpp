// What may be done to a text: the suggestions of diagnostics, and rewrites that keep what a rubric means.
#include "runtime/service/service_impl.hpp"

namespace assay {
std::vector<Rewrite> Service::rewrites(const std::string& name, TextRange range) {
  (void)name;
  (void)range;
  return {};
}
}  // namespace assay
