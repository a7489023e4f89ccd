// The calls that read the error log, for both interfaces.
#pragma once

#include <cstddef>

#include "state/call_status.hpp"
#include "types/stream.h"

namespace convoy::cuda {

call_status register_log_callback(cudaLogsCallback_t callback, void* argument,
                                  cudaLogsCallbackHandle* handle);
call_status unregister_log_callback(cudaLogsCallbackHandle handle);

// An iterator at the next message.
call_status current_log(cudaLogIterator* iterator, unsigned flags);

// The messages since the iterator, which moves behind them; all of them where it is null.
call_status dump_log_to_file(cudaLogIterator* iterator, const char* path, unsigned flags);

// As many whole lines as fit into `*size` bytes with a null behind them; sets `*size` to the bytes
// before the null.
call_status dump_log_to_memory(cudaLogIterator* iterator, char* buffer, std::size_t* size,
                               unsigned flags);

}  // namespace convoy::cuda
