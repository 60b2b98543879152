// The loops over blocks of rows for the instruction set in ASSAY_LANES_NAME: the flags are set by CMakeLists.txt.
#define ASSAY_LANES_SET lanes_baseline
#define ASSAY_LANES_LOOPS lane_loops_baseline
#define ASSAY_LANES_NAME "baseline"
#define ASSAY_LANES_FMA 0
#include "runtime/kernel/lane_block_loops.hpp"
