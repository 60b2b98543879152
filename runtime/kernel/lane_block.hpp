// A kernel over a block of rows: each instruction is a loop over the block, which stays in the first-level cache. The
// loops are compiled once for each instruction set (lane_block_*.cpp around lane_block_loops.hpp) and chosen at
// start-up; they are integer arithmetic and correctly rounded operations only, so the results are the same with each.
#pragma once

#include "lang/kernel/kernel.hpp"

#include <assay/columns.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace assay {

// Where a lane comes from, or goes to, for row 0.
struct LaneColumn {
  const char* data = nullptr;
  std::ptrdiff_t stride = 0;
  ColumnType type = ColumnType::f64;
  std::uint8_t shift = 0;
  std::uint32_t mask = 0;  // 0: all bits
  std::int64_t missing = INT64_MIN;
  std::int64_t factor = 1;            // integers: the lane is the value times this
  const std::int32_t* map = nullptr;  // codes: the lane is map[value]; below 0: -1 missing, -2 not for the kernel
  std::uint32_t map_size = 0;
};

// One step of a block program. Registers are positions in a block's memory.
struct BlockStep {
  enum class Kind : std::uint8_t { load_number, load_truth, load_code, fill, compute } kind = Kind::compute;
  LaneOp op = LaneOp::set;
  Rounding mode = Rounding::half_away;
  bool signs = true;  // div, div_x: the numerator may be negative; loads: the number may be
  bool wide = false;  // div, div_x: the quotient may be beyond what a double holds exactly
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  std::uint32_t terms = 0, count = 0;  // in BlockProgram::terms, whose lanes are registers
  std::int64_t x = 0, y = 0;
  // loads: the port, its column and what its lane may hold
  std::uint32_t port = 0;
  bool has_given = false;  // its `given` lane is register b
  bool may_miss = false;   // missing is no surprise
  std::int64_t low = 0, high = 0;
  std::int64_t absent = 0;     // the lane where it is missing
  bool absent_given = false;   // … because there is a default
  double scale = 1;            // numbers: 10^decimals
  std::uint32_t together = 0;  // this and the following steps load doubles, side by side and in the same way
};

struct BlockProgram {
  std::shared_ptr<const Kernel> kernel;
  std::vector<BlockStep> steps;
  std::vector<LaneTerm> terms;
  std::vector<std::uint32_t> results;  // register of each result's lane, and of its `given`
  std::vector<std::uint32_t> givens;
  std::vector<std::pair<Lane, std::uint32_t>> inputs;  // without columns: where the caller puts the lanes of ports
  std::uint32_t registers = 0;
  std::uint32_t rows = 0;  // of a block
};
inline constexpr std::uint32_t kNoRegisterOfBlock = 0xffffffffu;

// `bound[p]`: whether port p has a column. Results keep their registers to the end.
BlockProgram plan_blocks(std::shared_ptr<const Kernel> kernel, const std::vector<bool>& bound);
// The same without loads: the lanes of all ports are in their registers before a block is run.
BlockProgram plan_blocks(std::shared_ptr<const Kernel> kernel);

// Runs all steps over `rows` rows from row `first` of the columns (one per port). `refused[i]` is not 0 where row i is
// not for the kernel. memory: registers * rows lanes of the kernel's width.
struct BlockRun {
  const BlockStep* steps = nullptr;
  std::size_t step_count = 0;
  const LaneTerm* terms = nullptr;
  const LaneColumn* columns = nullptr;
  std::size_t first = 0;
  std::uint32_t rows = 0, stride = 0;  // of this run; of a register
  void* memory = nullptr;
  void* refused = nullptr;  // lanes
};
// A run in `memory`, of lanes T, whose registers are `stride` lanes from each other; behind them is `refused`.
template <class T>
BlockRun block_run(const BlockProgram& program, T* memory, std::uint32_t stride) {
  BlockRun run;
  run.steps = program.steps.data();
  run.step_count = program.steps.size();
  run.terms = program.terms.data();
  run.stride = stride;
  run.memory = memory;
  run.refused = memory + std::size_t{program.registers} * stride;
  return run;
}
struct ResultStore {
  enum class Kind : std::uint8_t { number, code } kind = Kind::number;
  std::uint32_t lane = kNoRegisterOfBlock, given = kNoRegisterOfBlock;
  std::int64_t x = 0;    // without a lane
  char* data = nullptr;  // of row 0
  std::ptrdiff_t stride = 0;
  ColumnType type = ColumnType::f64;
  std::int64_t missing = -1;
  std::int64_t factor = 1;            // integers: the lane times this
  double unit = 1;                    // floating point: the lane over this
  const std::int32_t* map = nullptr;  // codes
  std::uint32_t map_size = 0;
};
struct BlockLoops {
  const char* name;
  bool (*run_narrow)(const BlockRun& run);  // true: a row is refused
  bool (*run_wide)(const BlockRun& run);
  void (*store_narrow)(const BlockRun& run, const ResultStore& store);
  void (*store_wide)(const BlockRun& run, const ResultStore& store);
};
// The instruction sets that this machine has, the best first.
std::vector<const BlockLoops*> block_loops();

}  // namespace assay
