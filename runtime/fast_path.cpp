// Learning the shape of a rubric's inputs.
#include "runtime/fast_path.hpp"

#include "runtime/record_plan.hpp"

namespace assay {

namespace {

// A number is assumed to stay within four times what has been seen: products of wide numbers do not fit a lane.
constexpr std::int64_t kLeast = 64, kMost = std::int64_t{1} << 50, kRoom = 4;

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

FastPath::FastPath(const Model& model, int rubric, const std::vector<VerdictField>& fields, const Limits& limits) {
  request_.model = &model;
  request_.rubric = rubric;
  for (const VerdictField& field : fields) {
    request_.roots.push_back(field.item);
    request_.decimals.push_back(field.decimals);
  }
  if (limits.steps < kSteps) {
    why_ = "the limit of steps is low";
    never_ = hopeless_ = true;
  }
  const std::vector<Slot>& slots = model.rubrics[static_cast<std::size_t>(rubric)].slots;
  for (std::size_t i = 0; i < slots.size(); ++i)
    add_numbers(model, slots[i].type, {static_cast<std::uint32_t>(i)}, numbers_);
}

void FastPath::set_weights(const std::vector<Number>* weights) {
  weights_.clear();
  if (weights != nullptr) weights_ = *weights;
  request_.weights = weights_.empty() ? nullptr : weights_.data();
  // What was impossible with other weights may be possible now, and a kernel of other weights is of no use.
  const bool had = machine_ != nullptr;
  machine_.reset();
  if (!never_) {
    hopeless_ = false;
    why_.clear();
  }
  if (had) make();
}

// Widens the shapes until the record's numbers fit.
void FastPath::look(const Value* slots) {
  for (const InputPath& path : numbers_) {
    Value v = slots[path[0]];
    for (std::size_t i = 1; i < path.size() && !v.missing(); ++i)
      v = path[i] < v.record.size ? v.record.fields[path[i]] : missing_value();
    if (v.missing() || !v.number.small()) continue;
    int decimals = 0;
    while (decimals < 9 && kPowersOfTen[decimals] % v.number.den != 0) ++decimals;
    if (kPowersOfTen[decimals] % v.number.den != 0) continue;
    while (decimals > 0 && v.number.num % 10 == 0 && v.number.den == kPowersOfTen[decimals]) {  // 9.50
      v.number.num /= 10;
      v.number.den /= 10;
      --decimals;
    }
    const std::int64_t magnitude = v.number.num / v.number.den;
    const auto [at, added] = request_.shapes.try_emplace(path);
    NumberShape& shape = at->second;
    if (added || decimals > shape.decimals) {
      shape.decimals = decimals;
      widened_ = true;
    }
    if (added) shape.limit = kLeast;
    while (shape.limit < kMost && (magnitude > shape.limit / kRoom || magnitude < -shape.limit / kRoom)) {
      shape.limit *= 4;
      widened_ = true;
    }
  }
}

void FastPath::learn(const Value* slots) {
  if (hopeless_) return;
  look(slots);
  ++seen_;
  if (machine_) ++missed_;
  if (seen_ < next_) return;
  next_ = seen_ * 2;
  if (!machine_ || (widened_ && missed_ * 8 > records_)) make();
}

void FastPath::make() {
  std::string why;
  std::shared_ptr<const Kernel> kernel = compile_kernel(request_, why);
  widened_ = false;
  records_ = missed_ = 0;
  if (!kernel) {
    // The shapes may be what makes it impossible: then the kernel that was made with narrower ones stays.
    if (!machine_) why_ = std::move(why);
    hopeless_ = true;
    return;
  }
  machine_ = std::make_unique<LaneMachine>(std::move(kernel));
  ++generation_;
}

}  // namespace assay
