// Variables of device code, named by their host shadow variables.
#include "calls/variables.hpp"

#include <cuda_runtime_api.h>

#include "calls/copy.hpp"
#include "runtime_api/runtime_call.hpp"
#include "state/context.hpp"

using namespace convoy::cuda;

namespace {

call_status variable_here(const void* symbol, variable_memory* found) {
  const auto device = enter_runtime_device();
  if (!device) return device;
  return find_variable(convoy::number(*device), symbol, found);
}

// Finds the first byte of a range of a variable and checks that the range is inside.
call_status range_start(const void* symbol, size_t offset, size_t count, std::byte** start) {
  variable_memory found;
  if (const call_status s = variable_here(symbol, &found); !s.ok()) return s;
  if (offset > found.bytes || count > found.bytes - offset) return cudaErrorInvalidValue;
  *start = static_cast<std::byte*>(found.start) + offset;
  return cudaSuccess;
}

struct symbol_copy {
  const void* symbol;
  size_t count;
  size_t offset;
  cudaMemcpyKind kind;
};

call_status copy_to(call_kind call, cudaStream_t stream, const symbol_copy& range,
                    const void* src) {
  std::byte* start = nullptr;
  const bool to_device = range.kind == cudaMemcpyHostToDevice ||
                         range.kind == cudaMemcpyDeviceToDevice || range.kind == cudaMemcpyDefault;
  if (!to_device) return cudaErrorInvalidMemcpyDirection;
  if (const call_status s = range_start(range.symbol, range.offset, range.count, &start); !s.ok())
    return s;
  return copy_bytes(call, stream, {start, src, range.count}, range.kind);
}

call_status copy_from(call_kind call, cudaStream_t stream, void* dst, const symbol_copy& range) {
  std::byte* start = nullptr;
  const bool from_device = range.kind == cudaMemcpyDeviceToHost ||
                           range.kind == cudaMemcpyDeviceToDevice ||
                           range.kind == cudaMemcpyDefault;
  if (!from_device) return cudaErrorInvalidMemcpyDirection;
  if (const call_status s = range_start(range.symbol, range.offset, range.count, &start); !s.ok())
    return s;
  return copy_bytes(call, stream, {dst, start, range.count}, range.kind);
}

}  // namespace

// Each is exported twice, for the legacy and for the per-thread default stream; see
// cmake/ConvoyPerThreadForms.cmake.
namespace convoy::cuda::on_default_stream {

cudaError_t cudaMemcpyToSymbol(cudaStream_t stream, const void* symbol, const void* src,
                               size_t count, size_t offset, cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    return copy_to(call_kind::sync, stream, {symbol, count, offset, kind}, src);
  });
}

cudaError_t cudaMemcpyFromSymbol(cudaStream_t stream, void* dst, const void* symbol, size_t count,
                                 size_t offset, cudaMemcpyKind kind) {
  return runtime_call(__func__, [&] {
    return copy_from(call_kind::sync, stream, dst, {symbol, count, offset, kind});
  });
}

}  // namespace convoy::cuda::on_default_stream

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  return runtime_call(__func__, [&]() -> call_status {
    if (devPtr == nullptr) return cudaErrorInvalidValue;
    variable_memory found;
    const call_status s = variable_here(symbol, &found);
    if (s.ok()) *devPtr = found.start;
    return s;
  });
}

CONVOY_EXPORT cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return runtime_call(__func__, [&] { return size_of_variable(symbol, size); });
}

CONVOY_EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return copy_to(call_kind::async, stream, {symbol, count, offset, kind}, src);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t stream) {
  return runtime_call(__func__, [&] {
    return copy_from(call_kind::async, stream, dst, {symbol, count, offset, kind});
  });
}

}  // extern "C"
