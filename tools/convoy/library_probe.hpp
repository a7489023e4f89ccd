// Runs a batch through a drop-in library, by the function names that its users call.
#pragma once

#include <string>

#include "install_tree.hpp"

namespace convoy::tools {

// The problem, in a sentence; empty when there is none. A broken library may crash, so the probes
// run in a process of their own.
std::string probe_native();
std::string probe_ascend(const drop_in_library& library);
std::string probe_cuda(const drop_in_library& library);

// Asks for each installed library by a path that does not exist, as a program with a fixed path to
// a vendor's does, and looks at what is mapped. The process must have been started with
// library_environment().
std::string probe_loaded(const install_tree& tree);

}  // namespace convoy::tools
