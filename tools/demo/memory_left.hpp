// How much memory a program may take without pushing others out.
#pragma once

#include <cstddef>

namespace convoy::demo {

// Of the machine, or of the control group where that is tighter.
std::size_t memory_left();

}  // namespace convoy::demo
