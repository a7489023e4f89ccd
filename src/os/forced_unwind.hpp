// The exception that pthread_exit() and pthread_cancel() unwind a thread with. A handler that
// catches it, even as `...`, must rethrow it: the C library aborts the process otherwise.
#pragma once

#include <cxxabi.h>

namespace convoy::os {

using forced_unwind = abi::__forced_unwind;

}  // namespace convoy::os
