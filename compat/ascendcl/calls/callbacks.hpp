// Functions of the program that run in stream order, and the one that is told of failed steps.
#pragma once

#include <acl/acl.h>

#include <cstdint>

#include "state/call_status.hpp"
#include "state/streams.hpp"

struct aclrtExceptionInfo {
  std::uint32_t task = 0;
  std::uint32_t stream = 0;
  std::uint32_t thread = 0;  // that saw the step fail
  std::uint32_t device = 0;
  std::uint32_t code = 0;
};

namespace convoy::ascendcl {

// Has a thread of the program run the callbacks of a stream.
call_status subscribe(callback_family family, std::uint64_t thread, aclrtStream handle);
call_status unsubscribe(callback_family family, std::uint64_t thread, aclrtStream handle);

// Runs one callback that a stream has left for this thread; -1 is for ever.
call_status process_callback(callback_family family, std::int32_t milliseconds);

call_status launch_callback(aclrtStream handle, aclrtCallback function, void* argument,
                            aclrtCallbackBlockType block);
call_status launch_host_function(aclrtStream handle, aclrtHostFunc function, void* argument);

// The callback before has returned everywhere when this does.
call_status set_exception_callback(aclrtExceptionInfoCallback next);

// The number of the last step that the thread submitted.
call_status get_last_task(std::uint32_t* into);

}  // namespace convoy::ascendcl
