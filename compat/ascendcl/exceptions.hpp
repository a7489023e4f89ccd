// What programs learn of steps that fail in their streams.
//
// A call that waits for a step of its own, in a stream that no program has, answers its failure
// itself and nobody else hears of it.
#pragma once

#include <convoy/ids.hpp>

#include "outcome.hpp"

namespace convoy::ascendcl {

// Remembers from now on which devices had a step fail.
outcome watch_steps();

void forget_failures(device_id on);

}  // namespace convoy::ascendcl
