// Events in their two modes.
//
// The older one is a flag: a wait before the recording waits for the recording to come, and a reset
// makes it wait for the next one. The newer one ("Ex") is a point in a stream.
#pragma once

#include <acl/acl.h>

#include <cstdint>

#include "state/outcome.hpp"

namespace convoy::ascendcl {

enum class event_mode { older, newer };

inline constexpr std::uint32_t plain_event_flags = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;

outcome create_event(aclrtEvent* into, std::uint32_t flags, event_mode mode);
outcome destroy_event(aclrtEvent handle);

// Flag 0 or 1 makes no difference; others are refused.
outcome record_event(aclrtEvent handle, aclrtStream in, std::uint32_t flag);
outcome wait_for_event(aclrtStream in, aclrtEvent handle, std::uint32_t flag);
outcome wait_for_event_with_timeout(aclrtStream in, aclrtEvent handle, std::int32_t timeout);
outcome reset_event(aclrtEvent handle, aclrtStream in);

outcome query_event(aclrtEvent handle, aclrtEventStatus* into);
outcome query_event_recorded(aclrtEvent handle, aclrtEventRecordedStatus* into);
outcome query_event_waits(aclrtEvent handle, aclrtEventWaitStatus* into);

// -1 is for ever.
outcome synchronize_event(aclrtEvent handle, std::int32_t milliseconds);

outcome get_elapsed_time(float* into, aclrtEvent start, aclrtEvent end);
outcome get_event_timestamp(aclrtEvent handle, std::uint64_t* into);
outcome get_event_id(aclrtEvent handle, std::uint32_t* into);
outcome count_available_events(std::uint32_t* into);

outcome export_event_handle(aclrtEvent handle, aclrtIpcEventHandle* into);
outcome import_event_handle(const aclrtIpcEventHandle& handle, aclrtEvent* into);

// Timeouts of operators, which do not run here.
outcome set_operator_timeout();
outcome set_operator_timeout(std::uint64_t timeout, std::uint64_t* actual);

}  // namespace convoy::ascendcl
