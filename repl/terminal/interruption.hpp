// Early ends of the command: Ctrl-C and --timeout. Both trigger one Interrupt, which is passed to everything that
// compiles, reads or scores. The first Ctrl-C ends the work in order: output consists of complete lines. The second one
// kills. A verb calls interrupted() before it continues or reports an error, and returns; main() then reports the
// reason once.
//
// A verb may take long to end in order: it gives back the memory of a large rubric, or waits for a reader that does not
// read. So a timer ends the process, with the same message and exit code: about 15 ms after the interrupt if nothing has
// been written, after a tenth of a second if an output has begun, and after a second in any case. Files lose nothing by
// that, because they take their names last.
#pragma once

#include <assay/interrupt.hpp>

#include <string_view>

namespace assay::cli {

inline constexpr int kCancelled = 130;  // the exit code that shells use for Ctrl-C

const Interrupt* interrupt();  // of this process

// Whether the work has to end. Once true, main() ends with the message and the exit code of an interrupted run.
bool interrupted();

void cancel_on_signal();         // Ctrl-C cancels
void end_after(double seconds);  // starts now; also ends waiting for input
void end_only_in_order();        // switches that timer off, for a prompt, which continues after Ctrl-C
bool take_cancellation();        // whether Ctrl-C was pressed; resets it, for a prompt that continues

// Says why a verb cannot go on, unless the run was interrupted, which main() reports. Returns the exit code.
int refuse(std::string_view message);

// The exit code: `code`, unless the run was interrupted, which is then reported.
int finish_interrupted(int code);

}  // namespace assay::cli
