// Modules and libraries that programs load at run time, and their kernels by name.
//
// Convoy does not read device code, so it does not know which kernels an image has: every name is
// found, and the launch tells whether the kernel has a host function. A module and a library are
// one thing, and their handles are interchangeable.
#pragma once

#include "state/call_status.hpp"
#include "state/kernel_registry.hpp"

namespace convoy::cuda {

// Returns a handle. The image is not read; the file has to exist.
call_status load_module(const void* image, void** handle);
call_status load_module_file(const char* file, void** handle);

// Unknown and unloaded handles are cudaErrorInvalidResourceHandle.
call_status unload_module(const void* handle);
call_status check_module(const void* handle);
call_status find_in_module(const void* handle, const char* name, const kernel** found);

}  // namespace convoy::cuda
