// Warnings on standard error, each once in a process and whatever CONVOY_LOG says: without them a
// program that cannot work ends in an error code, or in wrong results, that say nothing.
#pragma once

#include <string>

namespace convoy::cuda {

// NVIDIA's CUDA runtime, which `caller` is an address in, asks for what only NVIDIA's driver has.
void warn_of_other_runtime(const void* caller) noexcept;

// The kernel with this mangled name was launched and has no host function.
void warn_of_missing_function(const std::string& kernel) noexcept;

// The kernel with this mangled name was launched and skipped. Once for each kernel.
void report_skipped_kernel(const std::string& kernel) noexcept;

}  // namespace convoy::cuda
