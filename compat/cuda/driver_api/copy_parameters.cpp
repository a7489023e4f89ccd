#include "driver_api/copy_parameters.hpp"

#include "driver_api/layout_casts.hpp"

namespace convoy::cuda {
namespace {

// Source or destination of a parameter structure.
struct parameter_side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  std::size_t x;
  std::size_t y;
  std::size_t z;
  std::size_t pitch;
  std::size_t height;
};

bool is_empty(const box& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

call_status find_start(const parameter_side& side, const void** start) {
  switch (side.type) {
    case CU_MEMORYTYPE_HOST: *start = side.host; break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: *start = pointer(side.device); break;
    case CU_MEMORYTYPE_ARRAY: return status{errc::not_supported};
    default: return cudaErrorInvalidValue;
  }
  return *start != nullptr ? cudaSuccess : cudaErrorInvalidValue;
}

// Computes the offset of the box from the start of the memory; false on overflow.
bool offset_of(const parameter_side& side, std::size_t pitch, std::size_t height,
               std::size_t* offset) {
  std::size_t slices = 0;
  std::size_t rows = 0;
  return !__builtin_mul_overflow(side.z, height, &slices) &&
         !__builtin_add_overflow(slices, side.y, &rows) &&
         !__builtin_mul_overflow(rows, pitch, offset) &&
         !__builtin_add_overflow(*offset, side.x, offset);
}

call_status read_side(const parameter_side& side, const box& extent, pitched* into) {
  const void* start = nullptr;
  if (const call_status s = find_start(side, &start); !s.ok()) return s;
  // A pitch or height of 0 is not specified: the box then ends where the row or slice ends.
  std::size_t row_end = 0;
  std::size_t slice_end = 0;
  if (__builtin_add_overflow(extent.width, side.x, &row_end) ||
      __builtin_add_overflow(extent.height, side.y, &slice_end)) {
    return cudaErrorInvalidValue;
  }
  const std::size_t pitch = side.pitch == 0 ? row_end : side.pitch;
  const std::size_t height = side.height == 0 ? slice_end : side.height;
  std::size_t offset = 0;
  const bool fits =
      pitch >= row_end && height >= extent.height && offset_of(side, pitch, height, &offset);
  if (!fits) return cudaErrorInvalidValue;
  std::uint64_t first = 0;
  if (__builtin_add_overflow(address(start), offset, &first)) return cudaErrorInvalidValue;
  *into = {pointer(first), pitch, height};
  return cudaSuccess;
}

cudaMemcpyKind kind_of(CUmemorytype dst, CUmemorytype src) {
  if (dst == CU_MEMORYTYPE_UNIFIED || src == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (src == CU_MEMORYTYPE_HOST) {
    return dst == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  }
  return dst == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

call_status read_sides(const parameter_side& dst, const parameter_side& src, const box& extent,
                       described_copy* into) {
  into->box.extent = extent;
  into->kind = kind_of(dst.type, src.type);
  if (is_empty(extent)) return cudaSuccess;
  if (const call_status s = read_side(dst, extent, &into->box.dst); !s.ok()) return s;
  return read_side(src, extent, &into->box.src);
}

template <class Block>
call_status describe_cube(const Block* from, described_copy* into) {
  if (from == nullptr || from->srcLOD != 0 || from->dstLOD != 0) return cudaErrorInvalidValue;
  const parameter_side dst{from->dstMemoryType, from->dstHost, from->dstDevice, from->dstXInBytes,
                           from->dstY,          from->dstZ,    from->dstPitch,  from->dstHeight};
  const parameter_side src{from->srcMemoryType, from->srcHost, from->srcDevice, from->srcXInBytes,
                           from->srcY,          from->srcZ,    from->srcPitch,  from->srcHeight};
  return read_sides(dst, src, {from->WidthInBytes, from->Height, from->Depth}, into);
}

}  // namespace

call_status describe_copy(const CUDA_MEMCPY2D* from, described_copy* into) {
  if (from == nullptr) return cudaErrorInvalidValue;
  const parameter_side dst{from->dstMemoryType, from->dstHost,
                           from->dstDevice,     from->dstXInBytes,
                           from->dstY,          0,
                           from->dstPitch,      0};
  const parameter_side src{from->srcMemoryType, from->srcHost,
                           from->srcDevice,     from->srcXInBytes,
                           from->srcY,          0,
                           from->srcPitch,      0};
  return read_sides(dst, src, {from->WidthInBytes, from->Height, 1}, into);
}

call_status describe_copy(const CUDA_MEMCPY3D* from, described_copy* into) {
  return describe_cube(from, into);
}

call_status describe_copy(const CUDA_MEMCPY3D_PEER* from, described_copy* into) {
  return describe_cube(from, into);
}

}  // namespace convoy::cuda
