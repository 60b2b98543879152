// Kernel → block program: inputs are loaded just before they are used, registers are given out and taken back, so that
// a block fits the first-level cache.
#include "runtime/kernel/lane_block.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace assay {

extern const BlockLoops lane_loops_baseline;
#if ASSAY_X86_LEVELS
extern const BlockLoops lane_loops_v3;
extern const BlockLoops lane_loops_v4;
#endif

std::vector<const BlockLoops*> block_loops() {
  std::vector<const BlockLoops*> sets;
#if ASSAY_X86_LEVELS
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  if (v4) sets.push_back(&lane_loops_v4);
  if (v3) sets.push_back(&lane_loops_v3);
#endif
  sets.push_back(&lane_loops_baseline);
  return sets;
}

namespace {

// Calls visit for every lane that a step reads.
template <class Visit>
void reads(const BlockStep& s, const std::vector<LaneTerm>& terms, Visit&& visit) {
  if (s.kind == BlockStep::Kind::compute) for_each_read(s, terms, visit);
}

BlockProgram plan(std::shared_ptr<const Kernel> kernel, const std::vector<bool>* bound) {
  BlockProgram out;
  out.terms = kernel->terms;
  std::vector<std::uint32_t> port_of(kernel->lanes + 1, kNoRegisterOfBlock);
  for (std::size_t p = 0; p < kernel->ports.size(); ++p) {
    for (const Lane lane : {kernel->ports[p].lane, kernel->ports[p].given}) {
      if (lane != kNoLane) port_of[lane] = static_cast<std::uint32_t>(p);
    }
  }
  const std::uint32_t nowhere = kernel->lanes;  // lane of what nobody reads
  std::vector<bool> loaded(kernel->ports.size(), false);
  const auto load = [&](Lane lane) {
    if (bound == nullptr || lane == kNoLane || port_of[lane] == kNoRegisterOfBlock || loaded[port_of[lane]]) return;
    const std::uint32_t p = port_of[lane];
    loaded[p] = true;
    const Port& port = kernel->ports[p];
    BlockStep s;
    s.port = p;
    s.a = port.lane == kNoLane ? nowhere : port.lane;
    s.has_given = port.given != kNoLane;
    s.b = s.has_given ? port.given : nowhere;
    s.low = port.low;
    s.high = port.high;
    s.scale = std::pow(10.0, port.decimals);
    s.kind = !(*bound)[p]                      ? BlockStep::Kind::fill
             : port.kind == Port::Kind::truth  ? BlockStep::Kind::load_truth
             : port.kind == Port::Kind::symbol ? BlockStep::Kind::load_code
                                               : BlockStep::Kind::load_number;
    out.steps.push_back(s);
  };
  for (const LaneInstruction& i : kernel->code) {
    BlockStep s;
    s.op = i.op;
    s.mode = i.mode;
    s.signs = i.signs;
    s.wide = i.wide;
    s.a = i.op == LaneOp::refuse ? nowhere : i.a;
    s.b = i.b;
    s.c = i.c;
    s.d = i.d;
    s.x = i.x;
    s.y = i.y;
    s.terms = i.terms;
    s.count = i.count;
    if (i.op == LaneOp::first) {  // the loops let a later term win
      std::reverse(out.terms.begin() + i.terms, out.terms.begin() + i.terms + i.count);
    }
    reads(s, out.terms, load);
    out.steps.push_back(s);
  }
  for (const LaneResult& r : kernel->results) {
    load(r.lane);
    load(r.given);
  }
  for (const Port& port : kernel->ports) {  // what is not read has to be as it was assumed all the same
    load(port.lane);
    load(port.given);
  }
  // The last step that reads each lane; results are read behind the end.
  const std::size_t end = out.steps.size();
  std::vector<std::size_t> last(kernel->lanes + 1, 0);
  for (std::size_t k = 0; k < end; ++k) reads(out.steps[k], out.terms, [&](Lane lane) { last[lane] = k; });
  for (const LaneResult& r : kernel->results) {
    for (const Lane lane : {r.lane, r.given}) {
      if (lane != kNoLane) last[lane] = end;
    }
  }
  std::vector<std::uint32_t> reg(kernel->lanes + 1, kNoRegisterOfBlock), free;
  const auto take = [&](std::uint32_t lane) {
    if (!free.empty()) {
      reg[lane] = free.back();
      free.pop_back();
    } else {
      reg[lane] = out.registers++;
    }
  };
  for (Lane lane = 0; bound == nullptr && lane < kernel->lanes; ++lane) {
    if (port_of[lane] == kNoRegisterOfBlock) continue;
    take(lane);
    out.inputs.emplace_back(lane, reg[lane]);
  }
  std::vector<LaneTerm> renamed = out.terms;
  for (std::size_t k = 0; k < end; ++k) {
    BlockStep& s = out.steps[k];
    const BlockStep before = s;
    const std::uint32_t a = s.a;
    std::vector<Lane> done;
    reads(before, out.terms, [&](Lane lane) {
      if (last[lane] == k && std::find(done.begin(), done.end(), lane) == done.end()) done.push_back(lane);
    });
    take(a);  // before the operands are free: a loop writes while it reads
    const bool loads = s.kind != BlockStep::Kind::compute;
    if (loads) {
      const std::uint32_t given = s.b;
      if (s.has_given) take(given);
      s.b = s.has_given ? reg[given] : 0;
      s.a = reg[a];
      if (a == nowhere || last[a] == 0) free.push_back(reg[a]);
      if (s.has_given && last[given] == 0) free.push_back(reg[given]);
      continue;
    }
    const auto at = [&](std::uint32_t lane) { return reg[lane] == kNoRegisterOfBlock ? 0 : reg[lane]; };
    s.a = reg[a];
    s.b = at(before.b);
    s.c = at(before.c);
    s.d = at(before.d);
    const bool lanes = reads_of(s.op) == LaneReads::terms;
    for (std::uint32_t t = 0; lanes && t < s.count; ++t) renamed[s.terms + t].lane = at(out.terms[s.terms + t].lane);
    for (const Lane lane : done) free.push_back(reg[lane]);
    if (a == nowhere || last[a] == 0) free.push_back(reg[a]);
  }
  out.terms = std::move(renamed);
  for (const LaneResult& r : kernel->results) {
    out.results.push_back(r.lane == kNoLane ? kNoRegisterOfBlock : reg[r.lane]);
    out.givens.push_back(r.given == kNoLane ? kNoRegisterOfBlock : reg[r.given]);
  }
  const std::size_t width = kernel->narrow ? 4 : 8;
  const std::size_t bytes = std::max<std::size_t>(out.registers + 1, 1) * width;
  out.rows = static_cast<std::uint32_t>(std::clamp<std::size_t>((std::size_t{32} << 10) / bytes / 64 * 64, 64, 1024));
  out.kernel = std::move(kernel);
  return out;
}

}  // namespace

BlockProgram plan_blocks(std::shared_ptr<const Kernel> kernel) { return plan(std::move(kernel), nullptr); }

BlockProgram plan_blocks(std::shared_ptr<const Kernel> kernel, const std::vector<bool>& bound) {
  return plan(std::move(kernel), &bound);
}

}  // namespace assay
