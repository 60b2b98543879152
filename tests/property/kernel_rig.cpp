// See kernel_rig.hpp: kernels, lines and blocks of lanes. Columns are in kernel_rig_columns.cpp.
#include "tests/property/kernel_rig.hpp"

#include "runtime/kernel/lane_block.hpp"
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
  std::string open;  // the record that is being written
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
  for (const VerdictField& field : meaning().verdict) {
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
  FastPath fast(s.model(), s.rubric.impl().index(), s.fields, Limits());
  if (!s.weights.empty()) fast.set_weights(&s.weights);
  InputReader reader(s.model(), s.rubric.impl().index(), Limits());
  std::vector<Value> slots(s.meaning().slots.size(), missing_value());
  Arena arena;
  InputError error;
  // Often enough that a kernel is made after all have been seen.
  std::size_t seen = 0, all = 0;
  while (all < 2 || seen < 4 * FastPath::kFirst * records.size()) {
    for (const std::string& record : records) {
      arena.reset();
      if (!reader.read(record, slots.data(), arena, false, error)) continue;
      fast.learn(slots.data());
      ++seen;
    }
    if (++all > 200 || seen > 40'000) break;
  }
  s.why = fast.why_not();
  s.kernel = fast.machine() == nullptr ? nullptr : fast.machine_kernel();
  return s.kernel != nullptr;
}

bool KernelRig::make(const InputShapes& shapes) {
  State& s = *state_;
  KernelRequest request;
  request.model = &s.model();
  request.rubric = s.rubric.impl().index();
  for (const VerdictField& field : s.fields) {
    request.roots.push_back(field.item);
    request.decimals.push_back(field.decimals);
  }
  if (!s.weights.empty()) request.weights = s.weights.data();
  request.shapes = shapes;
  s.why.clear();
  s.kernel = compile_kernel(request, s.why);
  return s.kernel != nullptr;
}

const std::string& KernelRig::why_not() const { return state_->why; }
const Kernel& KernelRig::kernel() const { return *state_->kernel; }
const std::vector<std::string>& KernelRig::fields() const { return state_->names; }

// ---- lines

namespace {

// Both buffers have exactly the size that is promised, so that a sanitizer sees what goes beyond.
struct PaddedLine {
  std::unique_ptr<char[]> memory;
  std::string_view line;
  explicit PaddedLine(const std::string& from) : memory(std::make_unique<char[]>(from.size() + LanePath::kPadding)) {
    std::memcpy(memory.get(), from.data(), from.size());
    std::memset(memory.get() + from.size(), '"', LanePath::kPadding);
    memory[from.size()] = '\n';
    line = {memory.get(), from.size()};
  }
};

using Lanes = std::vector<std::int64_t>;

// The values of a port over all rows, as a column that gives its lane and whether it is given.
struct PortColumn {
  std::vector<std::int64_t> values;
  std::vector<std::int32_t> map;
  std::int64_t absent = 0;
};

PortColumn port_column(const Port& port, const std::vector<Lanes>& rows) {
  PortColumn out;
  for (const Lanes& lanes : rows) {
    const bool given = port.given == kNoLane || lanes[port.given] != 0;
    const std::int64_t lane = port.lane == kNoLane ? port.low : lanes[port.lane];
    if (!given) out.absent = lane;
    out.values.push_back(given ? lane : INT64_MIN);
  }
  for (std::size_t i = 0; i <= port.names.size(); ++i) out.map.push_back(static_cast<std::int32_t>(i));
  return out;
}

template <class T>
std::string compare_block(const BlockLoops& loops, const Kernel& kernel, BlockProgram& program,
                          const std::vector<LaneColumn>& columns, const std::vector<Lanes>& after,
                          const std::vector<bool>& refused) {
  std::vector<T> memory(static_cast<std::size_t>(program.registers + 2) * program.rows, T{77});
  for (std::size_t first = 0; first < after.size(); first += program.rows) {
    BlockRun run = block_run(program, memory.data(), program.rows);
    run.columns = columns.data();
    run.first = first;
    run.rows = static_cast<std::uint32_t>(std::min<std::size_t>(program.rows, after.size() - first));
    const T* const out = static_cast<T*>(run.refused);
    sizeof(T) == 4 ? loops.run_narrow(run) : loops.run_wide(run);
    for (std::uint32_t i = 0; i < run.rows; ++i) {
      const std::size_t row = first + i;
      const std::string at =
          std::string(loops.name) + (sizeof(T) == 4 ? " narrow" : " wide") + " row " + std::to_string(row);
      if ((out[i] != 0) != refused[row]) return at + " is refused by one of them";
      if (refused[row]) continue;
      for (std::size_t r = 0; r < kernel.results.size(); ++r) {
        const LaneResult& result = kernel.results[r];
        const auto lane = [&](std::uint32_t reg) {
          return static_cast<std::int64_t>(memory[static_cast<std::size_t>(reg) * program.rows + i]);
        };
        const bool given = result.given == kNoLane || after[row][result.given] != 0;
        if (result.given != kNoLane && (lane(program.givens[r]) != 0) != given)
          return at + " result " + std::to_string(r) + " given";
        if (!given || result.lane == kNoLane || lane(program.results[r]) == after[row][result.lane]) continue;
        return at + " result " + std::to_string(r) + ": " + std::to_string(lane(program.results[r])) + ", one row " +
               std::to_string(after[row][result.lane]);
      }
    }
  }
  return {};
}

// Rows of lanes, as read and as they are after the machine of one row.
std::string compare_blocks(const std::shared_ptr<const Kernel>& kernel, const std::vector<Lanes>& before,
                           const std::vector<Lanes>& after, const std::vector<bool>& refused) {
  std::vector<PortColumn> ports;
  for (const Port& port : kernel->ports) ports.push_back(port_column(port, before));
  std::vector<LaneColumn> columns(ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p) {
    LaneColumn& c = columns[p];
    c.data = reinterpret_cast<const char*>(ports[p].values.data());
    c.stride = sizeof(std::int64_t);
    c.type = ColumnType::i64;
    c.missing = INT64_MIN;
    if (kernel->ports[p].kind != Port::Kind::symbol) continue;
    c.map = ports[p].map.data();
    c.map_size = static_cast<std::uint32_t>(ports[p].map.size());
  }
  BlockProgram program = plan_blocks(kernel, std::vector<bool>(ports.size(), true));
  for (BlockStep& s : program.steps) {
    if (s.kind == BlockStep::Kind::compute) continue;
    s.absent = ports[s.port].absent;
    s.may_miss = kernel->ports[s.port].given != kNoLane;
  }
  for (const BlockLoops* loops : block_loops()) {
    if (std::string d = compare_block<std::int64_t>(*loops, *kernel, program, columns, after, refused); !d.empty())
      return d;
    if (!kernel->narrow) continue;
    if (std::string d = compare_block<std::int32_t>(*loops, *kernel, program, columns, after, refused); !d.empty())
      return d;
  }
  return {};
}

}  // namespace

std::string KernelRig::compare_lines(const std::vector<std::string>& records, std::size_t& taken, std::size_t& scored) {
  State& s = *state_;
  LanePath path(s.model(), s.rubric.impl().index(), s.fields, s.kernel, Limits(), false, false, false);
  LaneReader reader(s.model(), s.rubric.impl().index(), s.kernel, Limits());
  LaneMachine machine(s.kernel);
  std::vector<std::string_view> shown(s.meaning().slots.size());
  std::vector<Lanes> before, after;
  std::vector<bool> refused;
  if (!path.usable()) return "the reader does not know a port";
  for (const std::string& record : records) {
    const PaddedLine padded(record);
    const Verdict& verdict = s.evaluator->score(record);
    scored += verdict.error() == nullptr;
    const auto written = std::make_unique<char[]>(path.room(record.size()));
    char* end = written.get();
    if (path.score_line(padded.line, end)) {
      ++taken;
      const std::string_view got(written.get(), static_cast<std::size_t>(end - written.get()));
      if (got != verdict.json())
        return record + "\nkernel: " + std::string(got) + "\nVM:     " + std::string(verdict.json());
    }
    if (!reader.read(padded.line, machine.lanes(), shown.data())) continue;
    before.emplace_back(machine.lanes(), machine.lanes() + s.kernel->lanes + 1);
    refused.push_back(!machine.run());
    after.emplace_back(machine.lanes(), machine.lanes() + s.kernel->lanes + 1);
  }
  return compare_blocks(s.kernel, before, after, refused);
}

}  // namespace assay_tests
