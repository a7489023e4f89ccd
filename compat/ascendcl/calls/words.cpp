// Words in device memory that streams write and wait for.
#include <convoy/stream.hpp>

#include "calls/copy_steps.hpp"
#include "calls/streams.hpp"

namespace convoy::ascendcl {
namespace {

stream_value value_at(void* at, std::uint64_t value) { return {at, value, sizeof value}; }

found<value_test> test_of(std::uint32_t flag) {
  switch (flag) {
    case ACL_STREAM_WAIT_VALUE_GEQ: return {value_test::at_least};
    case ACL_STREAM_WAIT_VALUE_EQ: return {value_test::equal};
    case ACL_STREAM_WAIT_VALUE_AND: return {value_test::any_bit};
    case ACL_STREAM_WAIT_VALUE_NOR: return {value_test::not_all_bits};
    default: break;
  }
  return none<value_test>(failed(ACL_ERROR_RT_PARAM_INVALID, "flag is none of the four"));
}

}  // namespace

outcome write_stream_value(void* at, std::uint64_t value, std::uint32_t flag, aclrtStream handle) {
  if (at == nullptr) return refused("devAddr is NULL");
  if (flag != 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is not 0");
  const auto to = own_stream(handle);
  return to ? submitted(handle, write_value(*to, value_at(at, value))) : to.why;
}

outcome wait_for_stream_value(void* at, std::uint64_t value, std::uint32_t flag,
                              aclrtStream handle) {
  if (at == nullptr) return refused("devAddr is NULL");
  const auto test = test_of(flag);
  if (!test) return test.why;
  const auto to = own_stream(handle);
  return to ? submitted(handle, wait_value(*to, value_at(at, value), *test)) : to.why;
}

}  // namespace convoy::ascendcl
