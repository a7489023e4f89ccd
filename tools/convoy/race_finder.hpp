// Explains bytes that differ after a replay by copies that have no order.
#pragma once

#include <span>
#include <string>

#include "replayer.hpp"

namespace convoy::tools {

// A sentence that names a step whose copies overlap each other, or two steps that ran at the same
// time, one of which writes bytes that the other reads or writes; empty when there are none.
std::string find_race(std::span<const prepared_step> steps);

}  // namespace convoy::tools
