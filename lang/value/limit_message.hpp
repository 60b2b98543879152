// The sentences about an evaluation or a compilation that was stopped: by a limit, by a deadline, by a cancellation. They
// are written here alone, so that every limit is told in the same way: what went past it, its value, and its name, which
// raises it (Limits::steps, --limit steps=N). What stopped is told apart by codes, never by these texts.
#pragma once

#include <assay/interrupt.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// "output 'x' takes", 50000000, "steps", "steps":
// "output 'x' takes more than 50000000 steps (raise the limit 'steps' to allow more)".
// `limit`: a name of limit_infos(); empty: nobody can raise it.
std::string limit_message(std::string_view what, std::uint64_t value, std::string_view unit, std::string_view limit);

// Of a state that is not none: the code ("cancelled", "timeout") and the sentence of the error.
const char* interrupt_code(Interrupt::State state);
const char* interrupt_message(Interrupt::State state);

// Whether somebody asks for the end; nobody does where there is no interrupt.
inline Interrupt::State interrupt_state(const Interrupt* interrupt) {
  return interrupt == nullptr ? Interrupt::State::none : interrupt->state();
}
inline bool interrupted(const Interrupt* interrupt) { return interrupt_state(interrupt) != Interrupt::State::none; }

}  // namespace assay
