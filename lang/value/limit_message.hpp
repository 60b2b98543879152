// The messages about an interrupted evaluation or compilation: by a limit, a deadline, or a cancellation. They are only
// written here, so that all limits have the same form: the cause, the value, and the name with which to raise it
// (Limits::steps, --limit steps=N). Programs distinguish them by codes, never by text.
#pragma once

#include <assay/interrupt.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// "output 'x' takes", 50000000, "steps", "steps":
// "output 'x' takes more than 50000000 steps (raise the limit 'steps' to allow more)".
// `limit`: a name of limit_infos(); empty: it cannot be raised.
std::string limit_message(std::string_view what, std::uint64_t value, std::string_view unit, std::string_view limit);

// For a state other than none: the code ("cancelled", "timeout") and the message of the error.
const char* interrupt_code(Interrupt::State state);
const char* interrupt_message(Interrupt::State state);

// Whether the interrupt is due; never without an interrupt.
inline Interrupt::State interrupt_state(const Interrupt* interrupt) {
  return interrupt == nullptr ? Interrupt::State::none : interrupt->state();
}
inline bool interrupted(const Interrupt* interrupt) { return interrupt_state(interrupt) != Interrupt::State::none; }

}  // namespace assay
