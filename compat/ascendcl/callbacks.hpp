// Functions of the program that the door calls: in stream order, or when streams and devices
// change.
#pragma once

#include <convoy/ids.hpp>

#include "streams.hpp"

namespace convoy::ascendcl {

void tell_stream_state(aclrtStream stream, aclrtStreamState state);
void tell_device_state(device_id device, aclrtDeviceState state);

// A stream that goes leaves no thread subscribed to it.
void forget_subscriptions(stream_record& gone);

}  // namespace convoy::ascendcl
