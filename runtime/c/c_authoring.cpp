// The C interface: schemas of records and verdicts, and instructions for judges.
#include "runtime/c/c_api.hpp"

#include <assay/authoring.h>
#include <assay/authoring.hpp>

using namespace assay;
using namespace assay::c;

namespace {

// False: a name is missing.
bool read_names(const char* const* names, std::size_t count, std::vector<std::string>& into) {
  if (names == nullptr && count > 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] == nullptr) return false;
    into.emplace_back(names[i]);
  }
  return true;
}

bool schema_options(const assay_schema_options* options, SchemaOptions& into) {
  if (options == nullptr) return true;
  assay_schema_options given{};
  if (!read_options(options, given)) return false;
  into.of = given.verdict != 0 ? SchemaOptions::Of::verdict : SchemaOptions::Of::record;
  into.judged = given.judged != 0;
  into.strict_subset = given.strict_subset != 0;
  return read_names(given.judged_too, given.judged_too_count, into.judged_too) &&
         read_names(given.only, given.only_count, into.only);
}

bool prompt_options(const assay_prompt_options* options, PromptOptions& into) {
  if (options == nullptr) return true;
  assay_prompt_options given{};
  if (!read_options(options, given)) return false;
  if (given.dimension != nullptr) into.dimension = given.dimension;
  // an empty text is neither JSON nor a frame
  if (given.frame != nullptr) into.frame = *given.frame == '\0' ? " " : given.frame;
  return read_names(given.contexts, given.context_count, into.contexts) &&
         read_names(given.judged_too, given.judged_too_count, into.judged_too);
}

}  // namespace

extern "C" {

assay_status assay_rubric_schema(const assay_rubric* rubric, const assay_schema_options* options, assay_answer** schema,
                                 assay_answer** not_expressed) {
  if (schema != nullptr) *schema = nullptr;
  if (not_expressed != nullptr) *not_expressed = nullptr;
  if (rubric == nullptr || schema == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    SchemaOptions wanted;
    if (!schema_options(options, wanted)) return ASSAY_INVALID_ARGUMENT;
    const Schema made = json_schema(rubric->rubric, wanted);
    if (!made.problem.empty()) {
      const assay_status told = answered(schema, [&] { return made.problem.str(); });
      return told == ASSAY_OK ? ASSAY_REJECTED : told;
    }
    std::vector<std::string> sentences;
    for (const Printable& sentence : made.not_expressed) sentences.push_back(sentence.str());
    if (not_expressed != nullptr) {
      const assay_status listed = answered(not_expressed, [&] { return json_list(sentences); });
      if (listed != ASSAY_OK) return listed;
    }
    return answered(schema, [&] { return made.json; });
  });
}

assay_status assay_rubric_prompt(const assay_rubric* rubric, const assay_prompt_options* options,
                                 assay_answer** prompt) {
  if (prompt != nullptr) *prompt = nullptr;
  if (rubric == nullptr || prompt == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    PromptOptions wanted;
    if (!prompt_options(options, wanted)) return ASSAY_INVALID_ARGUMENT;
    const Prompt made = judge_prompt(rubric->rubric, wanted);
    const bool rejected = !made.problem.empty();
    const assay_status told = answered(prompt, [&] { return rejected ? made.problem.str() : made.markdown; });
    return told == ASSAY_OK && rejected ? ASSAY_REJECTED : told;
  });
}

assay_status assay_prompt_frame(assay_answer** frame) { return answered(frame, prompt_frame); }

}  // extern "C"
