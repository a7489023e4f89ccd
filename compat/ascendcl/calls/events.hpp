// Events, in two modes.
//
// A standard event is a latch: a wait that precedes the recording waits for it, and after a reset
// waits for the next recording. An extended event (aclrtCreateEventExWithFlag) is a position in a
// stream.
#pragma once

#include <acl/acl.h>

#include <cstdint>

#include "state/call_status.hpp"

namespace convoy::ascendcl {

enum class event_mode { standard, extended };

inline constexpr std::uint32_t default_event_flags = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;

call_status create_event(aclrtEvent* into, std::uint32_t flags, event_mode mode);
call_status destroy_event(aclrtEvent handle);

// Flags 0 and 1 have the same effect; others are refused.
call_status record_event(aclrtEvent handle, aclrtStream stream_handle, std::uint32_t flag);
call_status wait_for_event(aclrtStream stream_handle, aclrtEvent handle, std::uint32_t flag);
call_status wait_for_event_with_timeout(aclrtStream stream_handle, aclrtEvent handle,
                                        std::int32_t timeout);
call_status reset_event(aclrtEvent handle, aclrtStream stream_handle);

call_status query_event(aclrtEvent handle, aclrtEventStatus* into);
call_status query_event_recorded(aclrtEvent handle, aclrtEventRecordedStatus* into);
call_status query_event_waits(aclrtEvent handle, aclrtEventWaitStatus* into);

// -1 waits without limit.
call_status synchronize_event(aclrtEvent handle, std::int32_t milliseconds);

call_status get_elapsed_time(float* into, aclrtEvent start, aclrtEvent end);
call_status get_event_timestamp(aclrtEvent handle, std::uint64_t* into);
call_status get_event_id(aclrtEvent handle, std::uint32_t* into);
call_status count_available_events(std::uint32_t* into);

call_status export_event_handle(aclrtEvent handle, aclrtIpcEventHandle* into);
call_status import_event_handle(const aclrtIpcEventHandle& handle, aclrtEvent* into);

// Operator timeouts have no effect, because no operators run.
call_status set_operator_timeout();
call_status set_operator_timeout(std::uint64_t timeout, std::uint64_t* actual);

}  // namespace convoy::ascendcl
