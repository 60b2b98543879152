#include "runtime/mend/workbench.hpp"
#include "lang/value/limit_message.hpp"

#include <algorithm>
#include <utility>

namespace assay {

Workbench::Workbench(std::string_view name, std::string_view text, const CompileOptions& options,
                     const MendLimits& limits)
    : name_(name), text_(text), options_(options), limits_(limits) {
  texts_.emplace(name_, text_);
  host_ = options.importer;
  options_.importer = [this](std::string_view path, std::string_view from,
                             std::string& file) -> std::optional<std::string> {
    if (!host_) return std::nullopt;
    // Each file is requested once: trials neither read it again nor report again why it cannot be read.
    const std::string key = std::string(from) + '\n' + std::string(path);
    auto found = read_.find(key);
    if (found == read_.end()) {
      Read read;
      std::optional<std::string> got = host_(path, from, read.name);
      read.found = got.has_value();
      found = read_.emplace(key, std::move(read)).first;
      // A file may be named in many ways: its text is kept once.
      if (got && texts_.count(found->second.name) == 0) {
        texts_.emplace(found->second.name, *got);
        originals_.emplace(found->second.name, std::move(*got));
      }
    }
    file = found->second.name;
    if (!found->second.found) return std::nullopt;
    const auto changed = trying_ != nullptr ? trying_->find(file) : texts_.end();
    if (trying_ != nullptr && changed != trying_->end()) return changed->second;
    return texts_.find(file)->second;
  };
}

Compiled Workbench::compile_these(const Texts* trying) {
  trying_ = trying;
  const auto it = trying != nullptr ? trying->find(name_) : texts_.end();
  const std::string& text = trying != nullptr && it != trying->end() ? it->second : texts_.find(name_)->second;
  CompileOptions options = options_;
  if (trying != nullptr) {
    ++trials_;
    bytes_ += text.size();
    Limits& limits = options.limits;  // of its examples, too
    limits.compile_steps = std::min(limits.compile_steps, limits_.steps);
    limits.steps = std::min<std::uint64_t>(limits.steps, 200'000);
    limits.hook_steps = std::min<std::uint64_t>(limits.hook_steps, 200'000);
    limits.memory_bytes = std::min(limits.memory_bytes, std::size_t{16} << 20);
  }
  Stages stages = compile_stages(name_, text, options);
  if (trying != nullptr) steps_ += stages.steps;
  trying_ = nullptr;
  return compiled(std::move(stages));
}

bool Workbench::exhausted() const {
  const std::size_t size = texts_.find(name_)->second.size();
  return trials_ >= limits_.trials || steps_ >= limits_.all_steps || bytes_ + size > limits_.bytes ||
         size > limits_.bytes / 16 || interrupt_state(options_.interrupt) != Interrupt::State::none;
}

std::size_t Workbench::unmet() {
  if (!unmet_) unmet_ = unmet_expectations(compile_these(nullptr));
  return *unmet_;
}

bool has_examples(const Compiled& compiled) {
  constexpr std::size_t kMost = 8;
  const std::size_t count = compiled.rubric ? compiled.rubric->impl().rubric().examples.size() : 0;
  return count > 0 && count <= kMost;
}

std::size_t unmet_expectations(const Compiled& compiled) {
  std::size_t unmet = 0;
  if (!has_examples(compiled)) return unmet;
  for (const ExampleResult& result : compiled.rubric->test()) unmet += result.differences.size();
  return unmet;
}

}  // namespace assay
