// The loops over blocks of rows for the instruction set in ASSAY_LANES_NAME: the flags are set by CMakeLists.txt.
#define ASSAY_LANES_SET lanes_v3
#define ASSAY_LANES_LOOPS lane_loops_v3
#define ASSAY_LANES_NAME "x86-64-v3"
#define ASSAY_LANES_FMA 1
#include "runtime/kernel/lane_block_loops.hpp"
