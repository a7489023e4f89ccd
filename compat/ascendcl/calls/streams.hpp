// Streams, their attributes, and values in device memory that streams write and wait for.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>

#include "state/call_status.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {

call_status create_stream(aclrtStream* into, const stream_settings& settings);
call_status create_configured_stream(aclrtStream* into,
                                     const aclrtStreamConfigHandle* configuration);
call_status configure_stream(aclrtStreamConfigHandle* configuration,
                             aclrtStreamConfigAttr attribute, const void* value, std::size_t bytes);
call_status destroy_configuration(aclrtStreamConfigHandle* configuration);
call_status destroy_stream(aclrtStream handle, close_mode mode);

// -1 waits without limit.
call_status synchronize_stream(aclrtStream handle, std::int32_t milliseconds);

// Does not return the error of a failed step; the next synchronization does.
call_status query_stream(aclrtStream handle, aclrtStreamStatus* into);
call_status abort_stream(aclrtStream handle);

call_status get_stream_id(aclrtStream handle, std::int32_t* into);
call_status get_stream_priority(aclrtStream handle, std::uint32_t* into);
call_status get_stream_flags(aclrtStream handle, std::uint32_t* into);
call_status count_available_streams(std::uint32_t* into);

call_status set_failure_mode(aclrtStream handle, std::uint64_t mode);
call_status set_stream_attribute(aclrtStream handle, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value);
call_status get_stream_attribute(aclrtStream handle, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value);
call_status set_overflow_switch(aclrtStream handle, std::uint32_t flag);
call_status get_overflow_switch(aclrtStream handle, std::uint32_t* into);

// Values are 64 bits wide. Defined in stream_values.cpp.
call_status write_stream_value(void* address, std::uint64_t value, std::uint32_t flag,
                               aclrtStream handle);
call_status wait_for_stream_value(void* address, std::uint64_t value, std::uint32_t flag,
                                  aclrtStream handle);

}  // namespace convoy::ascendcl
