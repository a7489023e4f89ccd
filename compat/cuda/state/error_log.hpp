// What was refused lately and why, in sentences.
//
// CUDA's strings for codes are fixed, so the sentence that names the function and the pointer goes
// elsewhere: into the log that cudaLogsDumpToMemory() reads, to registered callbacks, to the file
// or stream that CUDA_LOG_FILE names, and with CONVOY_LOG=failures or both to standard error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "state/call_status.hpp"

namespace convoy::cuda {

// Logs that `function` answers `error`.
void log_error(const char* function, const call_status& error) noexcept;

// The same, with a message of the caller's own.
void log_error(const char* function, std::string_view message) noexcept;

// The number of the next refusal; those before it can be read while they are remembered.
std::uint32_t next_log_entry() noexcept;

// The sentences from number `first` on, a line each, and at most `max_bytes` bytes of whole lines.
std::string log_entries_since(std::uint32_t first, std::size_t max_bytes);

// `callback` hears of every later refusal; the answer is for remove_log_callback().
using log_callback =
    std::function<void(void* context, int level, char* message, std::size_t length)>;
std::uint64_t add_log_callback(log_callback callback, void* context);
bool remove_log_callback(std::uint64_t key);

}  // namespace convoy::cuda
