// Stream memory operations: steps that write a value to memory or wait for one.
#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <span>
#include <vector>

#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;
using convoy::stream_value;
using convoy::value_test;

namespace {

constexpr unsigned max_operations = 256;

// A checked operation.
struct value_step {
  stream_value value;
  value_test test = {};
  bool is_wait = false;
};

call_status check_address(const stream_value& value) {
  const auto located = convoy::locate(value.address);
  if (!located) return located;
  const bool known = located->kind != convoy::memory_kind::pageable;
  const bool fits = number(value.address) % value.bytes == 0 && located->bytes_left >= value.bytes;
  return known && fits ? cudaSuccess : cudaErrorInvalidValue;
}

// A flush of remote writes is not supported: CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES is 0.
call_status parse_wait(const stream_value& value, unsigned flags, value_step* into) {
  const unsigned test = flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH};
  if (test > CU_STREAM_WAIT_VALUE_NOR) return cudaErrorInvalidValue;
  if (test != flags) return cudaErrorNotSupported;
  constexpr value_test tests[] = {value_test::at_least, value_test::equal, value_test::any_bit,
                                  value_test::not_all_bits};
  *into = {value, tests[flags], true};
  return check_address(value);
}

call_status parse_write(const stream_value& value, unsigned flags, value_step* into) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return cudaErrorInvalidValue;
  *into = {value};
  return check_address(value);
}

call_status enqueue(convoy::stream_ref stream, const value_step& step) {
  if (step.is_wait) return wait_value(stream, step.value, step.test);
  return write_value(stream, step.value);
}

call_status enqueue_one(CUstream stream, const call_status& checked, const value_step& step) {
  if (!checked.ok()) return checked;
  const auto target = native(stream);
  if (!target) return target;
  return enqueue(*target, step);
}

call_status enqueue_wait(CUstream stream, const stream_value& value, unsigned flags) {
  value_step step;
  const call_status checked = parse_wait(value, flags, &step);
  return enqueue_one(stream, checked, step);
}

call_status enqueue_write(CUstream stream, const stream_value& value, unsigned flags) {
  value_step step;
  const call_status checked = parse_write(value, flags, &step);
  return enqueue_one(stream, checked, step);
}

call_status parse_step(const CUstreamBatchMemOpParams& from, std::vector<value_step>& steps) {
  value_step& next = steps.emplace_back();
  switch (from.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return parse_wait({pointer(from.waitValue.address), from.waitValue.value, 4},
                        from.waitValue.flags, &next);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return parse_wait({pointer(from.waitValue.address), from.waitValue.value64, 8},
                        from.waitValue.flags, &next);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return parse_write({pointer(from.writeValue.address), from.writeValue.value, 4},
                         from.writeValue.flags, &next);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return parse_write({pointer(from.writeValue.address), from.writeValue.value64, 8},
                         from.writeValue.flags, &next);
    case CU_STREAM_MEM_OP_BARRIER: steps.pop_back(); return cudaSuccess;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

// Checks every operation before it enqueues the first.
call_status enqueue_all(CUstream stream, const CUstreamBatchMemOpParams* list, unsigned count,
                        unsigned flags) {
  if (list == nullptr || count == 0 || count > max_operations || flags != 0) {
    return cudaErrorInvalidValue;
  }
  const auto target = native(stream);
  if (!target) return target;
  std::vector<value_step> steps;
  for (const CUstreamBatchMemOpParams& each : std::span(list, count)) {
    if (const call_status s = parse_step(each, steps); !s.ok()) return s;
  }
  for (const value_step& each : steps) {
    if (const call_status s = enqueue(*target, each); !s.ok()) return s;
  }
  return target->device();
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                              unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return enqueue_wait(stream, {pointer(addr), value, 4}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                               unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return enqueue_write(stream, {pointer(addr), value, 4}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                              unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return enqueue_wait(stream, {pointer(addr), value, 8}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                               unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return enqueue_write(stream, {pointer(addr), value, 8}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                                             CUstreamBatchMemOpParams* paramArray,
                                             unsigned int flags) {
  return in_stream(__func__, stream, [&] { return enqueue_all(stream, paramArray, count, flags); });
}

}  // extern "C"
