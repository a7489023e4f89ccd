// Values in device memory that streams write and wait for.
#include <convoy/stream.hpp>

#include "calls/copy_steps.hpp"
#include "calls/streams.hpp"

namespace convoy::ascendcl {
namespace {

stream_value stream_value_at(void* address, std::uint64_t value) {
  return {address, value, sizeof value};
}

// 100000 for NULL, 107000 for an address that no 8-byte value has.
call_status check_address(const void* address) {
  if (address == nullptr) return invalid_param("devAddr is NULL");
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(std::uint64_t) == 0) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "devAddr is not a multiple of 8");
}

lookup<value_test> test_of(std::uint32_t flag) {
  switch (flag) {
    case ACL_STREAM_WAIT_VALUE_GEQ: return {value_test::at_least};
    case ACL_STREAM_WAIT_VALUE_EQ: return {value_test::equal};
    case ACL_STREAM_WAIT_VALUE_AND: return {value_test::any_bit};
    case ACL_STREAM_WAIT_VALUE_NOR: return {value_test::not_all_bits};
    default: break;
  }
  return failed(ACL_ERROR_RT_PARAM_INVALID,
                "flag is none of the four ACL_STREAM_WAIT_VALUE_ tests");
}

}  // namespace

call_status write_stream_value(void* address, std::uint64_t value, std::uint32_t flag,
                               aclrtStream handle) {
  if (auto checked = check_address(address); !checked.ok()) return checked;
  if (flag != 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is not 0");
  const auto stream = stream_in_context(handle);
  return stream ? record_submitted(handle, write_value(*stream, stream_value_at(address, value)))
                : stream.error;
}

call_status wait_for_stream_value(void* address, std::uint64_t value, std::uint32_t flag,
                                  aclrtStream handle) {
  if (auto checked = check_address(address); !checked.ok()) return checked;
  const auto test = test_of(flag);
  if (!test) return test.error;
  const auto stream = stream_in_context(handle);
  return stream
             ? record_submitted(handle, wait_value(*stream, stream_value_at(address, value), *test))
             : stream.error;
}

}  // namespace convoy::ascendcl
