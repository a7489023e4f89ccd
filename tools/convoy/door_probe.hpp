// A batch through a front door, by the names that its users call.
#pragma once

#include <string>

#include "install_tree.hpp"

namespace convoy::cli {

// What is wrong, in a sentence; empty when nothing is. A broken library may end the process, so
// this is run in one of its own.
std::string probe_native();
std::string probe_ascend(const front_door& door);
std::string probe_cuda(const front_door& door);

}  // namespace convoy::cli
