// Numbers in memory that streams write and wait for.
#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <span>
#include <vector>

#include "driver_api/border.hpp"
#include "driver_api/twins.hpp"

using namespace convoy::cuda;
using convoy::stream_value;
using convoy::value_test;

namespace {

constexpr unsigned most_at_once = 256;

// A step of a batch of them, known to be good.
struct value_step {
  stream_value what;
  value_test test = {};
  bool waits = false;
};

outcome check_place(const stream_value& what) {
  const auto where = convoy::locate(what.address);
  if (!where) return where;
  const bool known = where->kind != convoy::memory_kind::pageable;
  const bool fits = number(what.address) % what.bytes == 0 && where->bytes_left >= what.bytes;
  return known && fits ? cudaSuccess : cudaErrorInvalidValue;
}

// Nothing is ever in flight beyond the processor's own caches, so there is nothing to flush.
outcome read_wait(const stream_value& what, unsigned flags, value_step* into) {
  if ((flags & CU_STREAM_WAIT_VALUE_FLUSH) != 0) return cudaErrorNotSupported;
  if (flags > CU_STREAM_WAIT_VALUE_NOR) return cudaErrorInvalidValue;
  constexpr value_test tests[] = {value_test::at_least, value_test::equal, value_test::any_bit,
                                  value_test::not_all_bits};
  *into = {what, tests[flags], true};
  return check_place(what);
}

outcome read_write(const stream_value& what, unsigned flags, value_step* into) {
  if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return cudaErrorInvalidValue;
  *into = {what};
  return check_place(what);
}

outcome put(convoy::stream_ref stream, const value_step& step) {
  if (step.waits) return wait_value(stream, step.what, step.test);
  return write_value(stream, step.what);
}

outcome put_one(CUstream stream, const outcome& checked, const value_step& step) {
  if (!checked.ok()) return checked;
  const auto on = native(stream);
  if (!on) return on;
  return put(*on, step);
}

outcome put_wait(CUstream stream, const stream_value& what, unsigned flags) {
  value_step step;
  const outcome checked = read_wait(what, flags, &step);
  return put_one(stream, checked, step);
}

outcome put_write(CUstream stream, const stream_value& what, unsigned flags) {
  value_step step;
  const outcome checked = read_write(what, flags, &step);
  return put_one(stream, checked, step);
}

outcome read_step(const CUstreamBatchMemOpParams& from, std::vector<value_step>& steps) {
  value_step& next = steps.emplace_back();
  switch (from.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return read_wait({pointer(from.waitValue.address), from.waitValue.value, 4},
                       from.waitValue.flags, &next);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return read_wait({pointer(from.waitValue.address), from.waitValue.value64, 8},
                       from.waitValue.flags, &next);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return read_write({pointer(from.writeValue.address), from.writeValue.value, 4},
                        from.writeValue.flags, &next);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return read_write({pointer(from.writeValue.address), from.writeValue.value64, 8},
                        from.writeValue.flags, &next);
    case CU_STREAM_MEM_OP_BARRIER: steps.pop_back(); return cudaSuccess;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

// All of them are good before the first goes into the stream.
outcome put_all(CUstream stream, const CUstreamBatchMemOpParams* list, unsigned count,
                unsigned flags) {
  if (list == nullptr || count == 0 || count > most_at_once || flags != 0) {
    return cudaErrorInvalidValue;
  }
  const auto on = native(stream);
  if (!on) return on;
  std::vector<value_step> steps;
  for (const CUstreamBatchMemOpParams& each : std::span(list, count)) {
    if (const outcome o = read_step(each, steps); !o.ok()) return o;
  }
  for (const value_step& each : steps) {
    if (const outcome o = put(*on, each); !o.ok()) return o;
  }
  return on->device();
}

}  // namespace

#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp

extern "C" {

CONVOY_EXPORT CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                              unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return put_wait(stream, {pointer(addr), value, 4}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                   cuuint32_t value, unsigned int flags) {
  return cuStreamWaitValue32_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                               unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return put_write(stream, {pointer(addr), value, 4}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                    cuuint32_t value, unsigned int flags) {
  return cuStreamWriteValue32_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                           unsigned int flags) {
  return cuStreamWaitValue32_v2(stream, addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                                unsigned int flags) {
  return cuStreamWaitValue32_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                                            unsigned int flags) {
  return cuStreamWriteValue32_v2(stream, addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr,
                                                 cuuint32_t value, unsigned int flags) {
  return cuStreamWriteValue32_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                              unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return put_wait(stream, {pointer(addr), value, 8}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                   cuuint64_t value, unsigned int flags) {
  return cuStreamWaitValue64_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                               unsigned int flags) {
  return in_stream(__func__, stream, [&] {
    return put_write(stream, {pointer(addr), value, 8}, flags);
  });
}

CONVOY_EXPORT CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                    cuuint64_t value, unsigned int flags) {
  return cuStreamWriteValue64_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                           unsigned int flags) {
  return cuStreamWaitValue64_v2(stream, addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                                unsigned int flags) {
  return cuStreamWaitValue64_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                                            unsigned int flags) {
  return cuStreamWriteValue64_v2(stream, addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr,
                                                 cuuint64_t value, unsigned int flags) {
  return cuStreamWriteValue64_v2(per_thread(stream), addr, value, flags);
}

CONVOY_EXPORT CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                                             CUstreamBatchMemOpParams* paramArray,
                                             unsigned int flags) {
  return in_stream(__func__, stream, [&] { return put_all(stream, paramArray, count, flags); });
}

CONVOY_EXPORT CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned int count,
                                                  CUstreamBatchMemOpParams* paramArray,
                                                  unsigned int flags) {
  return cuStreamBatchMemOp_v2(per_thread(stream), count, paramArray, flags);
}

CONVOY_EXPORT CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                          CUstreamBatchMemOpParams* paramArray,
                                          unsigned int flags) {
  return cuStreamBatchMemOp_v2(stream, count, paramArray, flags);
}

CONVOY_EXPORT CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned int count,
                                               CUstreamBatchMemOpParams* paramArray,
                                               unsigned int flags) {
  return cuStreamBatchMemOp_v2(per_thread(stream), count, paramArray, flags);
}

}  // extern "C"
