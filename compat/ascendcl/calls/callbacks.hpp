// Callbacks that run in stream order, and the callback for failed steps.
#pragma once

#include <acl/acl.h>

#include <cstdint>

#include "state/call_status.hpp"
#include "state/streams.hpp"

struct aclrtExceptionInfo {
  std::uint32_t task = 0;
  std::uint32_t stream = 0;
  std::uint32_t thread = 0;  // gettid() of the thread that saw the failure
  std::uint32_t device = 0;
  std::uint32_t code = 0;
};

namespace convoy::ascendcl {

// Starts and ends running the callbacks of a stream on a thread of the program.
call_status subscribe(callback_family family, std::uint64_t thread, aclrtStream handle);
call_status unsubscribe(callback_family family, std::uint64_t thread, aclrtStream handle);

// Runs one callback that is queued for the calling thread; -1 waits without limit.
call_status process_callback(callback_family family, std::int32_t milliseconds);

call_status launch_callback(aclrtStream handle, aclrtCallback function, void* argument,
                            aclrtCallbackBlockType block);
call_status launch_host_function(aclrtStream handle, aclrtHostFunc function, void* argument);

// When this returns, no other thread still runs the previous callback. Null removes it.
call_status set_exception_callback(aclrtExceptionInfoCallback next);

// The number of the last step that the thread submitted.
call_status get_last_task(std::uint32_t* into);

}  // namespace convoy::ascendcl
