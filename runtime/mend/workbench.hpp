// The texts of a rubric while it is mended: each trial compiles it again with other texts, within limits.
#pragma once

#include "lang/mend/rank.hpp"
#include "runtime/engine/compile_stages.hpp"

#include <assay/mend.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

using mending::Texts;

class Workbench {
 public:
  // What `options` points at has to outlive the workbench.
  Workbench(std::string_view name, std::string_view text, const CompileOptions& options, const MendLimits& limits);

  // Compiles these texts; null: the current ones.
  Compiled compile_these(const Texts* trying);
  bool exhausted() const;  // no more trials are allowed
  const Texts& texts() const { return texts_; }
  // What the examples expect in vain now.
  std::size_t unmet();
  void accept(const Texts& changed) {
    unmet_.reset();
    for (const auto& [name, text] : changed) texts_[name] = text;
  }
  const std::string& original(const std::string& file) const {
    const auto found = originals_.find(file);
    return found == originals_.end() ? text_ : found->second;
  }
  const MendLimits& limits() const { return limits_; }
  const CompileOptions& options() const { return options_; }  // with an importer that asks for each file once

 private:
  struct Read {
    std::string name;
    bool found = false;
  };
  std::string name_, text_;
  CompileOptions options_;
  MendLimits limits_;
  Importer host_;
  Texts texts_, originals_;  // now, and as they were read; the rubric itself is in text_
  std::map<std::string, Read> read_;
  const Texts* trying_ = nullptr;
  std::optional<std::size_t> unmet_;
  std::size_t trials_ = 0, bytes_ = 0;
  std::uint64_t steps_ = 0;
};

// Whether the examples of a rubric can decide between several forms of it: there are some, and not too many.
bool has_examples(const Compiled& compiled);

// What its examples expect in vain; 0 where they cannot decide.
std::size_t unmet_expectations(const Compiled& compiled);

}  // namespace assay
