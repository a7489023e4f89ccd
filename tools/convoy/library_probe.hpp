// Runs a batch through a drop-in library, by the function names that its users call.
#pragma once

#include <string>

#include "install_tree.hpp"

namespace convoy::tools {

// What is wrong, in a sentence; empty when nothing is. A broken library may end the process, so
// this is run in one of its own.
std::string probe_native();
std::string probe_ascend(const drop_in_library& library);
std::string probe_cuda(const drop_in_library& library);

}  // namespace convoy::tools
