// The calls that read the error log, for both interfaces.
#pragma once

#include <cstddef>

#include "state/call_status.hpp"
#include "types/stream.h"

namespace convoy::cuda {

call_status register_log_callback(cudaLogsCallback_t callback, void* argument,
                                  cudaLogsCallbackHandle* handle);
call_status unregister_log_callback(cudaLogsCallbackHandle handle);

// Sets the iterator to the end of the log.
call_status current_log(cudaLogIterator* iterator, unsigned flags);

// Appends the messages since the iterator to a file and moves the iterator to the end. A null
// iterator means all messages.
call_status dump_log_to_file(cudaLogIterator* iterator, const char* path, unsigned flags);

// Writes as many whole lines as fit into `*size` bytes, null-terminated, and sets `*size` to their
// length without the null.
call_status dump_log_to_memory(cudaLogIterator* iterator, char* buffer, std::size_t* size,
                               unsigned flags);

}  // namespace convoy::cuda
