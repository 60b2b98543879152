// The C interface: Arrow arrays and streams.
#include "runtime/c/c_api.hpp"

#include <assay/arrow.h>
#include <assay/arrow.hpp>

#include <optional>

using namespace assay;
using namespace assay::c;

struct assay_arrow {
  std::optional<ArrowScorer> scorer;  // none: a stream has taken it
  InputError error;

  assay_status told(std::optional<InputError> problem) {
    if (!problem) return ASSAY_OK;
    error = std::move(*problem);
    return error.code == "cancelled" || error.code == "timeout" ? ASSAY_INTERRUPTED : ASSAY_REJECTED;
  }
};

namespace {

static_assert(static_cast<int>(ArrowResult::json) == ASSAY_ARROW_JSON &&
              static_cast<int>(ArrowResult::verdicts) == ASSAY_ARROW_VERDICTS);

bool usable(const assay_arrow* arrow) { return arrow != nullptr && arrow->scorer.has_value(); }

}  // namespace

extern "C" {

assay_status assay_arrow_new(const assay_rubric* rubric, const assay_arrow_options* options, assay_arrow** arrow) {
  if (arrow == nullptr) return ASSAY_INVALID_ARGUMENT;
  *arrow = nullptr;
  if (rubric == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    ArrowOptions chosen;
    if (options != nullptr) {
      assay_arrow_options given{};
      if (!read_options(options, given) || !evaluator_options(&given.evaluator, chosen.evaluator) ||
          given.result < ASSAY_ARROW_COLUMNS || given.result > ASSAY_ARROW_JSON) {
        return ASSAY_INVALID_ARGUMENT;
      }
      chosen.result = static_cast<ArrowResult>(given.result);
      if (given.decimals != 0) chosen.numbers = ArrowNumbers::decimals;
      chosen.threads = given.threads;
    }
    auto made = std::make_unique<assay_arrow>();
    made->scorer.emplace(rubric->rubric, std::move(chosen));
    if (made->scorer->error() != nullptr) return ASSAY_INVALID_ARGUMENT;
    *arrow = made.release();
    return ASSAY_OK;
  });
}

assay_status assay_arrow_configure(assay_arrow* arrow, const char* const* contexts, size_t context_count,
                                   const assay_weight* weights, size_t weight_count) {
  if (!usable(arrow)) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Settings settings;
    if (!set_settings(contexts, context_count, weights, weight_count, settings)) return ASSAY_INVALID_ARGUMENT;
    return arrow->told(arrow->scorer->configure(settings));
  });
}

assay_status assay_arrow_bind(assay_arrow* arrow, const struct ArrowSchema* records, struct ArrowSchema* verdicts) {
  if (verdicts != nullptr) verdicts->release = nullptr;
  if (!usable(arrow) || records == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    if (auto problem = arrow->scorer->bind(*records)) return arrow->told(std::move(problem));
    return verdicts == nullptr ? ASSAY_OK : arrow->told(arrow->scorer->result_schema(*verdicts));
  });
}

assay_status assay_arrow_score(assay_arrow* arrow, struct ArrowArray* records, struct ArrowArray* verdicts) {
  if (verdicts != nullptr) verdicts->release = nullptr;
  if (!usable(arrow) || records == nullptr || verdicts == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] { return arrow->told(arrow->scorer->score(*records, *verdicts)); });
}

assay_status assay_arrow_score_stream(assay_arrow* arrow, struct ArrowArrayStream* records,
                                      struct ArrowArrayStream* verdicts) {
  if (verdicts != nullptr) verdicts->release = nullptr;
  if (!usable(arrow) || records == nullptr || verdicts == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    ArrowScorer scorer = std::move(*arrow->scorer);
    arrow->scorer.reset();
    return arrow->told(std::move(scorer).score(*records, *verdicts));
  });
}

uint64_t assay_arrow_rejected(const assay_arrow* arrow) { return usable(arrow) ? arrow->scorer->rejected() : 0; }

assay_error assay_arrow_error(const assay_arrow* arrow) {
  return arrow == nullptr ? view(InputError()) : view(arrow->error);
}

void assay_arrow_free(assay_arrow* arrow) { delete arrow; }

}  // extern "C"
