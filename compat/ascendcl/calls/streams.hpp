// Streams: creation, waiting, attributes, and values in memory that streams write and wait for.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>

#include "state/outcome.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {

outcome create_stream(aclrtStream* into, const stream_wish& wish);
outcome create_configured_stream(aclrtStream* into, const aclrtStreamConfigHandle* wish);
outcome configure_stream(aclrtStreamConfigHandle* which, aclrtStreamConfigAttr attribute,
                         const void* value, std::size_t bytes);
outcome destroy_configuration(aclrtStreamConfigHandle* gone);
outcome destroy_stream(aclrtStream handle, ending how);

// -1 is for ever.
outcome synchronize_stream(aclrtStream handle, std::int32_t milliseconds);

// A failed step shows at the next synchronize, not here.
outcome query_stream(aclrtStream handle, aclrtStreamStatus* into);
outcome abort_stream(aclrtStream handle);

outcome get_stream_id(aclrtStream handle, std::int32_t* into);
outcome get_stream_priority(aclrtStream handle, std::uint32_t* into);
outcome get_stream_flags(aclrtStream handle, std::uint32_t* into);
outcome count_available_streams(std::uint32_t* into);

outcome set_failure_mode(aclrtStream handle, std::uint64_t mode);
outcome set_stream_attribute(aclrtStream handle, aclrtStreamAttr which,
                             aclrtStreamAttrValue* value);
outcome get_stream_attribute(aclrtStream handle, aclrtStreamAttr which,
                             aclrtStreamAttrValue* value);
outcome set_overflow_switch(aclrtStream handle, std::uint32_t flag);
outcome get_overflow_switch(aclrtStream handle, std::uint32_t* into);

// 64 bits of device memory.
outcome write_stream_value(void* at, std::uint64_t value, std::uint32_t flag, aclrtStream handle);
outcome wait_for_stream_value(void* at, std::uint64_t value, std::uint32_t flag,
                              aclrtStream handle);

}  // namespace convoy::ascendcl
