// The error log: one line for each failed call, with the reason.
//
// The strings of CUDA's error codes are fixed. The message that names the function, the item and
// the pointer goes to the log that cudaLogsDumpToMemory() reads, to registered callbacks, to the
// file or stream in CUDA_LOG_FILE, and to standard error if CONVOY_LOG is `failures` or `both`.
#pragma once

#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "state/call_status.hpp"
#include "types/stream.h"

namespace convoy::cuda {

// Logs "function: message", followed by the explanation of `cause` if the engine refused the call.
void log_error(const char* function, std::string_view message, const status& cause = {}) noexcept;

// Logs an error under the name of its code, with its reason or its cause, and reports it to
// observers.
void log_failed_call(const char* function, const char* code_name,
                     const call_status& error) noexcept;

// Returns the number of the next entry. The log drops the oldest entries.
std::uint32_t next_log_entry() noexcept;

// Returns the entries from number `first` on, one per line: as many whole lines as fit into
// `max_bytes`.
std::string log_entries_since(std::uint32_t first, std::size_t max_bytes);

// Calls `callback` with every later message until remove_log_callback() with the returned key.
std::uint64_t add_log_callback(cudaLogsCallback_t callback, void* argument);
bool remove_log_callback(std::uint64_t key);

}  // namespace convoy::cuda
