// What CONVOY_KERNELS asks for: plug-ins that register host functions, and launches to skip.
#pragma once

#include "state/call_status.hpp"

namespace convoy::cuda {

// Loads the plug-ins at the first call; returns cudaErrorInitializationError, with the reason, from
// every call if one cannot be used. A plug-in that calls CUDA while it is loaded gets that answer.
call_status load_kernel_plugins();

// True if a launch of a kernel without a host function succeeds and does nothing.
bool skips_kernels() noexcept;

}  // namespace convoy::cuda
