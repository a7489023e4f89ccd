// Copies, batches, fills, descriptors and reductions. The _sync forms return when the bytes have
// landed and synchronize no stream of the program; the others run in stream order.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>

#include "state/call_status.hpp"

namespace convoy::ascendcl {

// The arguments of one copy.
struct copy_call {
  void* dst;
  std::size_t capacity;
  const void* src;
  std::size_t bytes;
  aclrtMemcpyKind kind;
};
call_status copy_sync(const copy_call& c);
call_status copy_async(const copy_call& c, aclrtStream handle);

// `dst` and `src` point to addresses in device memory, which are read when the copy executes.
struct offset_call {
  void** dst;
  std::size_t capacity;
  std::size_t dst_offset;
  const void** src;
  std::size_t bytes;
  std::size_t src_offset;
  aclrtMemcpyKind kind;
};
call_status copy_by_offsets(const offset_call& c, aclrtStream handle);

// `height` rows of `width` bytes.
struct copy_2d_call {
  void* dst;
  std::size_t dst_pitch;
  const void* src;
  std::size_t src_pitch;
  std::size_t width;
  std::size_t height;
  aclrtMemcpyKind kind;
};
call_status copy_2d_sync(const copy_2d_call& r);
call_status copy_2d_async(const copy_2d_call& r, aclrtStream handle);

// The arguments of a batch: parallel arrays.
struct batch_call {
  void** dsts;
  std::size_t* capacities;
  void** srcs;
  std::size_t* sizes;
  std::size_t count;
  aclrtMemcpyBatchAttr* attributes;
  std::size_t* firsts;  // the item that each attribute starts at
  std::size_t attribute_count;
};

// `fail_index` gets the item that failed, or SIZE_MAX; null is refused.
call_status copy_batch_sync(const batch_call& b, std::size_t* fail_index);
call_status copy_batch_async(const batch_call& b, std::size_t* fail_index, aclrtStream handle);

struct byte_fill {
  void* start;
  std::size_t capacity;
  std::int32_t value;
  std::size_t bytes;
};
call_status fill_sync(const byte_fill& f);
call_status fill_async(const byte_fill& f, aclrtStream handle);

struct d32_fill {
  void* start;
  std::size_t capacity;
  std::uint32_t value;
  std::size_t count;
};
call_status fill_sync(const d32_fill& f);
call_status fill_async(const d32_fill& f, aclrtStream handle);

// The fields of a descriptor of a copy, and of a cache operation.
struct copy_description {
  void* descriptor;
  aclrtMemcpyKind kind;
  void* src;
  void* dst;
  std::size_t bytes;
  void* config;
};
struct cache_description {
  void* descriptor;
  void* src;
  std::size_t bytes;
};
call_status get_descriptor_size(aclrtMemcpyKind kind, std::size_t* into);
call_status get_cache_descriptor_size(std::size_t* into);
call_status write_descriptor(const copy_description& d);
call_status write_descriptor(const cache_description& d);
call_status launch_descriptor(void* descriptor, aclrtMemcpyKind kind, aclrtStream handle);
call_status launch_descriptor(void* descriptor, aclrtCmoType type, aclrtStream handle,
                              const void* reserve);

struct reduce_call {
  void* dst;
  const void* src;
  std::size_t bytes;
  aclrtReduceKind kind;
  aclDataType type;
  const void* reserve;
};
call_status reduce_async(const reduce_call& c, aclrtStream handle);

}  // namespace convoy::ascendcl
