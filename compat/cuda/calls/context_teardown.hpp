// Destruction of contexts and of everything made in them.
//
// Pending work is finished first. The handles and pointers are invalid afterwards; the default
// streams of the device remain usable.
#pragma once

#include "state/call_status.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

// Destroys the streams and events and frees the memory of a context.
void destroy_contents(context& owner);

// Resets the primary context: destroys its memory, streams, events, pools and variables, and
// disables peer access. Contexts created with cuCtxCreate() keep theirs.
call_status reset_device(device_id device);

// Releases the primary context; the last release resets it.
call_status release_device(device_id device);

}  // namespace convoy::cuda
