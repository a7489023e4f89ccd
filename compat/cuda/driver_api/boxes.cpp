#include "driver_api/boxes.hpp"

#include "driver_api/twins.hpp"

namespace convoy::cuda {
namespace {

// One side of a block, whichever it is of.
struct block_side {
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

outcome find_start(const block_side& of, const void** start) {
  switch (of.type) {
    case CU_MEMORYTYPE_HOST: *start = of.host; break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: *start = pointer(of.device); break;
    case CU_MEMORYTYPE_ARRAY: return status{errc::not_supported};
    default: return cudaErrorInvalidValue;
  }
  return *start != nullptr ? cudaSuccess : cudaErrorInvalidValue;
}

// Bytes before the box; false when there is no such number.
bool skip(const block_side& of, std::size_t pitch, std::size_t height, std::size_t* before) {
  std::size_t slices = 0;
  std::size_t rows = 0;
  return !__builtin_mul_overflow(of.z, height, &slices) &&
         !__builtin_add_overflow(slices, of.y, &rows) &&
         !__builtin_mul_overflow(rows, pitch, before) &&
         !__builtin_add_overflow(*before, of.x, before);
}

outcome read_side(const block_side& of, const box& extent, pitched* into) {
  const void* start = nullptr;
  if (const outcome o = find_start(of, &start); !o.ok()) return o;
  const bool one_row = extent.height == 1 && extent.depth == 1 && of.y == 0 && of.z == 0;
  const bool one_slice = extent.depth == 1 && of.z == 0;
  std::size_t reached = 0;
  if (__builtin_add_overflow(extent.width, of.x, &reached)) return cudaErrorInvalidValue;
  const std::size_t pitch = of.pitch == 0 && one_row ? reached : of.pitch;
  const std::size_t height = of.height == 0 && one_slice ? extent.height : of.height;
  std::size_t before = 0;
  const bool fits = pitch >= reached && height >= extent.height && skip(of, pitch, height, &before);
  if (!fits) return cudaErrorInvalidValue;
  std::uint64_t first = 0;
  if (__builtin_add_overflow(address(start), before, &first)) return cudaErrorInvalidValue;
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

outcome read_sides(const block_side& dst, const block_side& src, const box& extent,
                   described_copy* into) {
  into->box.extent = extent;
  into->kind = kind_of(dst.type, src.type);
  if (is_empty(extent)) return cudaSuccess;
  if (const outcome o = read_side(dst, extent, &into->box.dst); !o.ok()) return o;
  return read_side(src, extent, &into->box.src);
}

template <class Block>
outcome describe_cube(const Block* from, described_copy* into) {
  if (from == nullptr || from->srcLOD != 0 || from->dstLOD != 0) return cudaErrorInvalidValue;
  const block_side dst{from->dstMemoryType, from->dstHost, from->dstDevice, from->dstXInBytes,
                       from->dstY,          from->dstZ,    from->dstPitch,  from->dstHeight};
  const block_side src{from->srcMemoryType, from->srcHost, from->srcDevice, from->srcXInBytes,
                       from->srcY,          from->srcZ,    from->srcPitch,  from->srcHeight};
  return read_sides(dst, src, {from->WidthInBytes, from->Height, from->Depth}, into);
}

}  // namespace

outcome describe_copy(const CUDA_MEMCPY2D* from, described_copy* into) {
  if (from == nullptr) return cudaErrorInvalidValue;
  const block_side dst{from->dstMemoryType, from->dstHost,
                       from->dstDevice,     from->dstXInBytes,
                       from->dstY,          0,
                       from->dstPitch,      0};
  const block_side src{from->srcMemoryType, from->srcHost,
                       from->srcDevice,     from->srcXInBytes,
                       from->srcY,          0,
                       from->srcPitch,      0};
  return read_sides(dst, src, {from->WidthInBytes, from->Height, 1}, into);
}

outcome describe_copy(const CUDA_MEMCPY3D* from, described_copy* into) {
  return describe_cube(from, into);
}

outcome describe_copy(const CUDA_MEMCPY3D_PEER* from, described_copy* into) {
  return describe_cube(from, into);
}

}  // namespace convoy::cuda
