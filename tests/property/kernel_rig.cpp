// See kernel_rig.hpp: kernels and lines. Columns are in kernel_rig_columns.cpp.
#include "tests/property/kernel_rig.hpp"

#include "runtime/dispatch/kernel_tuner.hpp"
#include "tests/property/kernel_rig_state.hpp"

#include <algorithm>
#include <cstring>

namespace assay_tests {

using namespace assay;

std::vector<RigRecord> product_of(const std::vector<RigInput>& inputs, std::size_t most) {
  std::size_t count = 1;
  for (const RigInput& input : inputs) count *= input.values.size();
  std::vector<RigRecord> records;
  const std::size_t n = std::min(count, most);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t at =
        n == count
            ? k
            : static_cast<std::size_t>(static_cast<double>(k) * (static_cast<double>(count) / static_cast<double>(n)));
    RigRecord record;
    for (const RigInput& input : inputs) {
      record.push_back(input.values[at % input.values.size()]);
      at /= input.values.size();
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::string json_of(const std::vector<RigInput>& inputs, const RigRecord& record) {
  std::string out = "{\"id\":\"r\"";
  std::string open;  // the record being written
  bool begun = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t dot = inputs[i].path.find('.');
    const std::string outer = dot == std::string::npos ? std::string() : inputs[i].path.substr(0, dot);
    if (outer != open) {
      if (!open.empty()) out += '}';
      if (!outer.empty()) out += ",\"" + outer + "\":{";
      open = outer;
      begun = false;
    }
    if (record[i].empty()) continue;
    if (open.empty() || begun) out += ',';
    begun = true;
    out += '"' + inputs[i].path.substr(dot == std::string::npos ? 0 : dot + 1) + "\":" + record[i];
  }
  return out + (open.empty() ? "}" : "}}");
}

KernelRig::KernelRig(Rubric rubric, std::vector<std::string> fields)
    : state_(std::make_unique<State>(std::move(rubric), std::move(fields))) {}
KernelRig::~KernelRig() = default;
KernelRig::KernelRig(KernelRig&&) noexcept = default;

KernelRig::State::State(Rubric the_rubric, std::vector<std::string> the_fields) : rubric(std::move(the_rubric)) {
  for (const VerdictField& field : meaning().verdict.fields) {
    if (!the_fields.empty() && std::find(the_fields.begin(), the_fields.end(), field.name) == the_fields.end())
      continue;
    names.push_back(field.name);
    fields.push_back(field);
  }
  evaluator.emplace(rubric, EvaluatorOptions{names, {}});
}

std::optional<InputError> KernelRig::configure(const Settings& settings) {
  if (auto error = state_->evaluator->configure(settings)) return error;
  state_->settings = settings;
  return apply_settings(state_->meaning(), settings, state_->numbers, state_->weights);
}

bool KernelRig::learn(const std::vector<std::string>& records) {
  State& s = *state_;
  KernelCache cache;  // separate: kernels of other rigs say nothing about these records
  KernelTuner fast(s.model(), s.rubric.impl().index(), s.fields, Limits(), cache);
  if (!s.weights.empty()) fast.set_weights(s.weights);
  InputReader reader(s.model(), s.rubric.impl().index(), Limits());
  std::vector<Value> slots(s.meaning().slots.size(), missing_value());
  Arena arena;
  InputError error;
  // Often enough that a kernel is generated after all have been read.
  std::size_t seen = 0, all = 0;
  while (all < 2 || seen < 4 * KernelTuner::kFirst * records.size()) {
    for (const std::string& record : records) {
      arena.reset();
      if (!reader.read(record, slots.data(), arena, false, error)) continue;
      fast.learn(slots.data());
      ++seen;
    }
    if (++all > 200 || seen > 40'000) break;
  }
  s.why = fast.why_not();
  s.kernel = fast.kernel() == nullptr ? nullptr : fast.kernel()->kernel();
  return s.kernel != nullptr;
}

bool KernelRig::make(const InputBounds& bounds) {
  State& s = *state_;
  KernelRequest request;
  request.model = &s.model();
  request.rubric = s.rubric.impl().index();
  for (const VerdictField& field : s.fields) {
    request.roots.push_back(field.item);
    request.decimals.push_back(field.decimals);
  }
  if (!s.weights.empty()) request.weights = s.weights.data();
  request.bounds = bounds;
  s.why.clear();
  s.kernel = compile_kernel(request, s.why);
  return s.kernel != nullptr;
}

const std::string& KernelRig::why_not() const { return state_->why; }
const Kernel& KernelRig::kernel() const { return *state_->kernel; }
const std::vector<std::string>& KernelRig::fields() const { return state_->names; }

// ---- lines

namespace {

// Both buffers have exactly the promised size, so that a sanitizer detects accesses beyond it.
struct PaddedLine {
  std::unique_ptr<char[]> memory;
  std::string_view line;
  explicit PaddedLine(const std::string& from)
      : memory(std::make_unique<char[]>(from.size() + KernelStream::kPadding)) {
    std::memcpy(memory.get(), from.data(), from.size());
    std::memset(memory.get() + from.size(), '"', KernelStream::kPadding);
    memory[from.size()] = '\n';
    line = {memory.get(), from.size()};
  }
};

}  // namespace

std::string KernelRig::compare_lines(const std::vector<std::string>& records, std::size_t& taken, std::size_t& scored) {
  State& s = *state_;
  EvaluatorOptions options;
  options.fields = s.names;
  struct Fix {
    const char* name;
    KernelStream path;
    std::vector<bool> takes;
  };
  const auto path = [&](std::uint64_t jit_threshold) {
    options.jit_threshold = jit_threshold;
    return KernelStream(s.model(), s.rubric.impl().index(), s.fields, std::make_shared<SharedKernel>(s.kernel),
                        options);
  };
  Fix fixes[] = {{"interpreter", path(EvaluatorOptions::kNever), {}}, {"machine code", path(0), {}}};
  if (!fixes[0].path.usable()) return "the reader does not know a input";
  for (const std::string& record : records) {
    const PaddedLine padded(record);
    const Verdict& verdict = s.evaluator->score(record);
    scored += verdict.error() == nullptr;
    for (Fix& fix : fixes) {
      const auto written = std::make_unique<char[]>(fix.path.room(record.size()));
      char* end = written.get();
      fix.takes.push_back(fix.path.score_line(padded.line, end));
      if (!fix.takes.back()) continue;
      const std::string_view got(written.get(), static_cast<std::size_t>(end - written.get()));
      if (got == verdict.json()) continue;
      return record + '\n' + fix.name + ": " + std::string(got) + "\nVM: " + std::string(verdict.json());
    }
    if (fixes[0].takes.back() != fixes[1].takes.back()) return record + "\nis rejected by one of them";
    taken += fixes[0].takes.back();
  }
  const bool jit = fixes[1].path.take_statistics().jit_rows == fixes[0].path.take_statistics().records;
  return jit || !JitCode::available() ? "" : "not all lines were taken by machine code";
}

}  // namespace assay_tests
