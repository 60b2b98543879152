// What ends the command early: Ctrl-C and --timeout. Both go into one Interrupt, which everything that compiles, reads
// or scores is given. The first Ctrl-C ends the work politely: what has been written stays whole lines. The second one
// kills. A verb asks interrupted() where it would go on or would tell an error, and returns; main() then says why, once.
#pragma once

#include <assay/interrupt.hpp>

#include <string_view>

namespace assay::cli {

inline constexpr int kCancelled = 130;  // as shells call a program that Ctrl-C has ended

const Interrupt* interrupt();  // of this process

// Says why a verb cannot go on, unless the run was interrupted, which main() says: the exit code.
int refuse(std::string_view message);

// Whether the work has to end. Once true, main() ends with the message and the exit code of an interrupted run.
bool interrupted();

void cancel_on_signal();         // Ctrl-C cancels
void end_after(double seconds);  // from now on; also ends waiting for input
bool take_cancellation();        // Ctrl-C was pressed; forgets it: for a prompt, which goes on

// The exit code: `code`, unless the run was interrupted, which is then said.
int finish_interrupted(int code);

}  // namespace assay::cli
