// Learns the number ranges of a rubric's inputs.
#include "runtime/dispatch/kernel_tuner.hpp"

#include "lang/number/powers_of_ten.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace assay {

namespace {

// A number is assumed to stay within four times the largest seen: products of wider numbers do not fit a register.
constexpr std::int64_t kLeast = 64, kMost = std::int64_t{1} << 50, kRoom = 4;
constexpr int kMostDecimals = 9, kMagnitudes = 23;  // kLeast * 4^magnitude is the limit

void add_numbers(const Model& model, TypeId type, const InputPath& path, std::vector<InputPath>& out) {
  const Type& t = model.types[type];
  if (t.kind == TypeKind::number) out.push_back(path);
  if (t.kind != TypeKind::record || path.size() > 8) return;
  for (std::size_t i = 0; i < t.fields.size() && out.size() < 1000; ++i) {
    InputPath inner = path;
    inner.push_back(static_cast<std::uint32_t>(i));
    add_numbers(model, t.fields[i].type, inner, out);
  }
}

}  // namespace

KernelTuner::KernelTuner(const Model& model, int rubric, const std::vector<VerdictField>& fields, const Limits& limits,
                         KernelCache& cache)
    : cache_(&cache) {
  request_.model = &model;
  request_.rubric = rubric;
  for (const VerdictField& field : fields) {
    request_.roots.push_back(field.item);
    request_.decimals.push_back(field.decimals);
    fields_ += std::to_string(field.item) + ':' + std::to_string(field.decimals) + ' ';
  }
  purpose_ = fields_;
  if (limits.steps < kSteps) {
    why_ = "the limit of steps is low";
    never_ = hopeless_ = true;
  }
  const std::vector<Slot>& slots = model.rubrics[static_cast<std::size_t>(rubric)].slots;
  for (std::size_t i = 0; i < slots.size(); ++i)
    add_numbers(model, slots[i].type, {static_cast<std::uint32_t>(i)}, numbers_);
  if (!never_) adopt();
}

void KernelTuner::set_weights(const std::vector<Number>& weights) {
  weights_ = weights;
  request_.weights = weights_.empty() ? nullptr : weights_.data();
  purpose_ = fields_;
  for (const Number& weight : weights_) {
    purpose_ += '|';
    if (!weight.missing()) write_exact(weight, purpose_);
  }
  kernel_.reset();  // a kernel for other weights is useless
  if (never_) return;
  // A kernel that was impossible with other weights may be possible now.
  hopeless_ = false;
  why_.clear();
  waited_ = 0;
  wait_ = kFirst;
  if (!adopt() && generation_ > 0) compile(covered_);
}

// Records the decimals and magnitudes of the record's numbers.
void KernelTuner::look(const Value* slots) {
  if (sample_.empty()) {
    sample_.resize(numbers_.size() * kSample);
    widest_.resize(numbers_.size());
    covered_.resize(numbers_.size());
  }
  Need* const record = sample_.data() + seen_ % kSample * numbers_.size();
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    const InputPath& path = numbers_[k];
    Need& need = record[k] = {};
    Value v = slots[path[0]];
    for (std::size_t i = 1; i < path.size() && !v.missing(); ++i)
      v = path[i] < v.record.size ? v.record.fields[path[i]] : missing_value();
    if (v.missing() || !v.number.small()) continue;
    int decimals = 0;
    while (decimals < kMostDecimals && kPowersOfTen[decimals] % v.number.den != 0) ++decimals;
    if (kPowersOfTen[decimals] % v.number.den != 0) continue;
    while (decimals > 0 && v.number.num % 10 == 0 && v.number.den == kPowersOfTen[decimals]) {  // 9.50
      v.number.num /= 10;
      v.number.den /= 10;
      --decimals;
    }
    const std::int64_t whole = v.number.num / v.number.den;
    std::int64_t limit = kLeast;
    int magnitude = 0;
    for (; limit < kMost && (whole > limit / kRoom || whole < -limit / kRoom); limit *= 4) ++magnitude;
    need = {static_cast<std::int8_t>(decimals), static_cast<std::int8_t>(magnitude)};
    widest_[k].widen(need);
    news_ = news_ || need.decimals > covered_[k].decimals || need.magnitude > covered_[k].magnitude;
  }
}

// The needs of the sampled records, except those of the rarest.
KernelTuner::Needs KernelTuner::needs_without(std::size_t rarest) const {
  const std::size_t width = numbers_.size(), count = std::min<std::size_t>(seen_, kSample);
  std::vector<std::size_t> common(count, count);  // for each record: how many need as much of its rarest number
  for (std::size_t k = 0; k < width && rarest > 0; ++k) {
    std::size_t decimals[kMostDecimals + 1] = {}, magnitudes[kMagnitudes] = {};  // how many need that, or more
    for (std::size_t i = 0; i < count; ++i) {
      const Need need = sample_[i * width + k];
      for (int d = 0; d <= need.decimals; ++d) ++decimals[d];
      for (int m = 0; m <= need.magnitude; ++m) ++magnitudes[m];
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Need need = sample_[i * width + k];
      if (need.decimals >= 0) common[i] = std::min({common[i], decimals[need.decimals], magnitudes[need.magnitude]});
    }
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return common[a] > common[b]; });
  Needs needs(width);
  for (std::size_t i = 0; i + rarest < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) needs[k].widen(sample_[order[i] * width + k]);
  }
  return needs;
}

void KernelTuner::learn(const Value* slots) {
  if (hopeless_) return;
  look(slots);
  ++seen_;
  ++waited_;
  if (kernel_) ++missed_;
  if (waited_ < wait_ || (kernel_ && (!news_ || missed_ * 8 <= records_))) return;
  make();
}

void KernelTuner::make() {
  waited_ = 0;
  if (adopt()) return;
  wait_ = std::min(wait_ * 2, kLongest);
  const std::size_t count = std::min<std::size_t>(seen_, kSample);
  const std::size_t rarest[] = {0, count / 8, count / 4, count / 2};
  bool made = compile(widest_);
  // The last records are those that the current kernel declines: the new one should still take what the current one
  // takes …
  for (std::size_t i = 0; kernel_ && !made && i < std::size(rarest); ++i) {
    Needs needs = needs_without(rarest[i]);
    for (std::size_t k = 0; k < needs.size(); ++k) needs[k].widen(covered_[k]);
    if (needs == covered_) break;  // nothing can be gained
    made = compile(needs);
  }
  // … unless most records are different by now.
  const bool others = !kernel_ || missed_ > records_;
  for (std::size_t i = 0; others && !made && i < std::size(rarest); ++i) made = compile(needs_without(rarest[i]));
  records_ = missed_ = 0;
  news_ = false;
  // If it cannot be made for the smallest numbers, it cannot be made for any.
  if (kernel_) return;
  ask_for(Needs(numbers_.size(), {0, 0}));
  std::string why;
  hopeless_ = compile_kernel(request_, why) == nullptr;
}

void KernelTuner::ask_for(const Needs& needs) {
  request_.bounds.clear();
  for (std::size_t k = 0; k < needs.size(); ++k) {
    if (needs[k].decimals >= 0) request_.bounds[numbers_[k]] = {needs[k].decimals, kLeast << (2 * needs[k].magnitude)};
  }
}

bool KernelTuner::compile(const Needs& needs) {
  std::string why;
  const auto make = [&] {
    ask_for(needs);
    return compile_kernel(request_, why);
  };
  std::shared_ptr<SharedKernel> kernel = cache_->get(purpose_, needs, make);
  if (!kernel) {
    if (!kernel_) why_ = std::move(why);
    return false;
  }
  use(std::move(kernel), needs);
  return true;
}

bool KernelTuner::adopt() {
  std::optional<KernelCache::Entry> found = cache_->last(purpose_);
  if (!found || found->kernel == kernel_) return false;
  // A kernel that declined records is only replaced by one that takes them.
  for (std::size_t k = 0; kernel_ && k < numbers_.size(); ++k) {
    Need both = found->needs[k];
    both.widen(widest_[k]);
    if (both != found->needs[k]) return false;
  }
  use(std::move(found->kernel), found->needs);
  return true;
}

void KernelTuner::use(std::shared_ptr<SharedKernel> kernel, const Needs& needs) {
  kernel_ = std::move(kernel);
  covered_ = needs;
  records_ = missed_ = 0;
  news_ = false;
  why_.clear();
  ++generation_;
}

}  // namespace assay
