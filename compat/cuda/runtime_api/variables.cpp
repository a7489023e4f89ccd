// Variables of device code, by their shadows on the host.
#include "calls/variables.hpp"

#include <cuda_runtime_api.h>

#include "calls/copy.hpp"
#include "runtime_api/border.hpp"
#include "state/context.hpp"

using namespace convoy::cuda;

namespace {

outcome variable_here(const void* symbol, variable_memory* found) {
  const auto on = enter_runtime_device();
  if (!on) return on;
  return find_variable(convoy::number(*on), symbol, found);
}

// The bytes of the variable that a copy touches.
outcome part_of(const void* symbol, size_t offset, size_t count, std::byte** start) {
  variable_memory found;
  if (const outcome o = variable_here(symbol, &found); !o.ok()) return o;
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

outcome copy_to(manner how, cudaStream_t stream, const symbol_copy& what, const void* src) {
  std::byte* start = nullptr;
  const bool goes_there = what.kind == cudaMemcpyHostToDevice ||
                          what.kind == cudaMemcpyDeviceToDevice || what.kind == cudaMemcpyDefault;
  if (!goes_there) return cudaErrorInvalidMemcpyDirection;
  if (const outcome o = part_of(what.symbol, what.offset, what.count, &start); !o.ok()) return o;
  return copy_bytes(how, stream, {start, src, what.count}, what.kind);
}

outcome copy_from(manner how, cudaStream_t stream, void* dst, const symbol_copy& what) {
  std::byte* start = nullptr;
  const bool comes_back = what.kind == cudaMemcpyDeviceToHost ||
                          what.kind == cudaMemcpyDeviceToDevice || what.kind == cudaMemcpyDefault;
  if (!comes_back) return cudaErrorInvalidMemcpyDirection;
  if (const outcome o = part_of(what.symbol, what.offset, what.count, &start); !o.ok()) return o;
  return copy_bytes(how, stream, {dst, start, what.count}, what.kind);
}

}  // namespace

extern "C" {

CONVOY_EXPORT cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  return border(__func__, [&]() -> outcome {
    if (devPtr == nullptr) return cudaErrorInvalidValue;
    variable_memory found;
    const outcome o = variable_here(symbol, &found);
    if (o.ok()) *devPtr = found.start;
    return o;
  });
}

CONVOY_EXPORT cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return border(__func__, [&] { return size_of_variable(symbol, size); });
}

CONVOY_EXPORT cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count,
                                             size_t offset, cudaMemcpyKind kind) {
  return border(__func__, [&] {
    return copy_to(manner::in_passing, cudaStreamLegacy, {symbol, count, offset, kind}, src);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyToSymbol_ptds(const void* symbol, const void* src, size_t count,
                                                  size_t offset, cudaMemcpyKind kind) {
  return border(__func__, [&] {
    return copy_to(manner::in_passing, cudaStreamPerThread, {symbol, count, offset, kind}, src);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return border(__func__, [&] {
    return copy_to(manner::in_stream, stream, {symbol, count, offset, kind}, src);
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* src,
                                                       size_t count, size_t offset,
                                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, per_thread(stream));
}

CONVOY_EXPORT cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count,
                                               size_t offset, cudaMemcpyKind kind) {
  return border(__func__, [&] {
    return copy_from(manner::in_passing, cudaStreamLegacy, dst, {symbol, count, offset, kind});
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyFromSymbol_ptds(void* dst, const void* symbol, size_t count,
                                                    size_t offset, cudaMemcpyKind kind) {
  return border(__func__, [&] {
    return copy_from(manner::in_passing, cudaStreamPerThread, dst, {symbol, count, offset, kind});
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t stream) {
  return border(__func__, [&] {
    return copy_from(manner::in_stream, stream, dst, {symbol, count, offset, kind});
  });
}

CONVOY_EXPORT cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void* dst, const void* symbol,
                                                         size_t count, size_t offset,
                                                         cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, per_thread(stream));
}

}  // extern "C"
