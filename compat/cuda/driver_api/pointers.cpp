// Attributes of pointers.
#include "calls/memory.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "state/visible_devices.hpp"

using namespace convoy::cuda;
using convoy::memory_kind;

namespace {

template <class T>
call_status write(void* into, T value) {
  *static_cast<T*>(into) = value;
  return cudaSuccess;
}

CUcontext context_of(const pointer_record& found) {
  context* const owner = found.entry.owner;
  return reinterpret_cast<CUcontext>(owner != nullptr ? owner : primary_of(found.entry.device));
}

unsigned type_of(const pointer_record& found) {
  return is_host(found.attributes.kind) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

// Writes an attribute of a known pointer, in the type that CUDA documents for it.
call_status write_attribute(const pointer_record& found, CUpointer_attribute attribute,
                            const void* queried, void* into) {
  const bool exportable =
      found.attributes.kind == memory_kind::device && found.entry.pool == nullptr;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return write(into, context_of(found));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return write(into, type_of(found));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return write(into, address(queried));
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (found.attributes.kind == memory_kind::device) return cudaErrorInvalidValue;
      return write(into, queried);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return write<unsigned>(into, found.entry.synchronous ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return write<unsigned long long>(into, found.entry.id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return write<unsigned>(into, found.attributes.kind == memory_kind::managed ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return write(into, ordinal_of(found.entry.device));
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return write<unsigned>(into, exportable ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: return write(into, address(found.attributes.base));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: return write(into, found.attributes.size);
    case CU_POINTER_ATTRIBUTE_MAPPED: return write<unsigned>(into, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return write<unsigned long long>(into, 0);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: return write<unsigned>(into, 0);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return write<unsigned>(into, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return write(into, reinterpret_cast<CUmemoryPool>(found.entry.pool));
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

bool is_known(const pointer_record& found) { return found.attributes.base != nullptr; }

// Writes the value that an attribute has for an unknown pointer.
call_status write_default(CUpointer_attribute attribute, void* into) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return write<std::uint64_t>(into, 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return write(into, int{CU_DEVICE_INVALID});
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return write<unsigned>(into, 0);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

// cuPointerGetAttributes() writes a default where the attribute does not apply to the pointer.
call_status write_attribute_or_default(const pointer_record& found, CUpointer_attribute attribute,
                                       const void* queried, void* into) {
  if (into == nullptr) return cudaErrorInvalidValue;
  const bool applies = is_known(found) && !(attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER &&
                                            found.attributes.kind == memory_kind::device);
  return applies ? write_attribute(found, attribute, queried, into)
                 : write_default(attribute, into);
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute,
                                             CUdeviceptr ptr) {
  return driver_call(__func__, [&]() -> call_status {
    const pointer_record found = find_pointer(pointer(ptr));
    if (data == nullptr || !is_known(found)) return cudaErrorInvalidValue;
    return write_attribute(found, attribute, pointer(ptr), data);
  });
}

CONVOY_EXPORT CUresult cuPointerGetAttributes(unsigned int numAttributes,
                                              CUpointer_attribute* attributes, void** data,
                                              CUdeviceptr ptr) {
  return driver_call(__func__, [&]() -> call_status {
    if (attributes == nullptr || data == nullptr || numAttributes == 0) {
      return cudaErrorInvalidValue;
    }
    const pointer_record found = find_pointer(pointer(ptr));
    for (unsigned i = 0; i != numAttributes; ++i) {
      const call_status s = write_attribute_or_default(found, attributes[i], pointer(ptr), data[i]);
      if (!s.ok()) return s;
    }
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                             CUdeviceptr ptr) {
  return driver_call(__func__, [&]() -> call_status {
    const pointer_record found = find_pointer(pointer(ptr));
    const bool settable = attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    if (value == nullptr || !settable || !is_known(found)) return cudaErrorInvalidValue;
    const bool wanted = *static_cast<const unsigned*>(value) != 0;
    return allocations().set_synchronous(found.attributes.base, wanted) ? cudaSuccess
                                                                        : cudaErrorInvalidValue;
  });
}

}  // extern "C"
