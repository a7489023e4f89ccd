// The end of contexts, and of what was made in them.
//
// Work under way is finished first. Handles and pointers of what has ended are refused from then
// on; the default streams of the device go on.
#pragma once

#include "state/call_status.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

// Destroys and frees all that was made in a context.
void destroy_contents(context& owner);

// Ends the primary context with all that is in it: memory, streams, events, pools, variables and
// peer access. Contexts of the driver's making keep theirs.
call_status reset_device(device_id device);

// A release of the primary context, of which the last does the same.
call_status release_device(device_id device);

}  // namespace convoy::cuda
