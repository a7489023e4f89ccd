// What was refused lately and why, in sentences.
//
// CUDA's strings for codes are fixed, so the sentence that names the function and the pointer goes
// elsewhere: into the log that cudaLogsDumpToMemory() reads, to registered callbacks, to the file
// or stream that CUDA_LOG_FILE names, and with CONVOY_LOG=failures or both to standard error.
#pragma once

#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "types/stream.h"

namespace convoy::cuda {

// Logs that `function` failed: "function: message", and the explanation of `cause` where the engine
// refused.
void log_error(const char* function, std::string_view message, const status& cause = {}) noexcept;

// The number of the next refusal; those before it can be read while they are remembered.
std::uint32_t next_log_entry() noexcept;

// The sentences from number `first` on, a line each, and at most `max_bytes` bytes of whole lines.
std::string log_entries_since(std::uint32_t first, std::size_t max_bytes);

// `callback` is called with every later message; the key is for remove_log_callback().
std::uint64_t add_log_callback(cudaLogsCallback_t callback, void* argument);
bool remove_log_callback(std::uint64_t key);

}  // namespace convoy::cuda
