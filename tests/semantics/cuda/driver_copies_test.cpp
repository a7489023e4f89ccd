#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 4096;
constexpr std::size_t pitch = 64;
constexpr std::size_t rows = size / pitch;

class DriverCopy : public in_primary_context {
 protected:
  const driver_stream stream;
  const driver_pinned source{numbered(size, 1)};
  const driver_memory target{bytes(size)};
};

// Eight columns from the ninth on, of rows from the third on.
CUDA_MEMCPY2D inner(CUdeviceptr dst, const void* src) {
  CUDA_MEMCPY2D made = {};
  made.srcMemoryType = CU_MEMORYTYPE_HOST;
  made.srcHost = src;
  made.srcPitch = pitch;
  made.srcXInBytes = 8;
  made.srcY = 2;
  made.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  made.dstDevice = dst;
  made.dstPitch = 8;
  made.WidthInBytes = 8;
  made.Height = rows - 2;
  return made;
}

bytes inner_of(const bytes& all) {
  bytes made;
  for (std::size_t row = 2; row != rows; ++row) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * pitch + 8);
    made.insert(made.end(), first, first + 8);
  }
  return made;
}

TEST_F(DriverCopy, Copy2DFollowsPitchAndPosition) {
  const CUDA_MEMCPY2D parameters = inner(target, source.data());

  EXPECT_EQ(cuMemcpy2D(&parameters), CUDA_SUCCESS);

  EXPECT_EQ(contents_of(target, (rows - 2) * 8), inner_of(numbered(size, 1)));
}

TEST_F(DriverCopy, ZeroPitchIsTakenFromExtent) {
  CUDA_MEMCPY2D parameters = inner(target, source.data());
  parameters.dstPitch = 0;

  EXPECT_EQ(cuMemcpy2D(&parameters), CUDA_SUCCESS);

  EXPECT_EQ(contents_of(target, (rows - 2) * 8), inner_of(numbered(size, 1)));
}

TEST_F(DriverCopy, ArraysAreNotSupported) {
  CUDA_MEMCPY2D parameters = inner(target, source.data());
  parameters.dstMemoryType = CU_MEMORYTYPE_ARRAY;

  EXPECT_EQ(cuMemcpy2D(&parameters), CUDA_ERROR_NOT_SUPPORTED);
}

// Two slices of four rows of eight bytes, out of a box of sixteen rows of 64 bytes.
CUDA_MEMCPY3D cube(CUdeviceptr dst, CUdeviceptr src) {
  CUDA_MEMCPY3D made = {};
  made.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  made.srcDevice = src;
  made.srcPitch = pitch;
  made.srcHeight = 16;
  made.srcXInBytes = 16;
  made.srcY = 1;
  made.srcZ = 1;
  made.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  made.dstDevice = dst;
  made.dstPitch = 8;
  made.dstHeight = 4;
  made.WidthInBytes = 8;
  made.Height = 4;
  made.Depth = 2;
  return made;
}

bytes cube_of(const bytes& all) {
  bytes made;
  for (const std::size_t row : {17, 18, 19, 20, 33, 34, 35, 36}) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * pitch + 16);
    made.insert(made.end(), first, first + 8);
  }
  return made;
}

TEST_F(DriverCopy, Copy3DFollowsHeightAndPosition) {
  const CUDA_MEMCPY3D parameters = cube(target, source);

  EXPECT_EQ(cuMemcpy3D(&parameters), CUDA_SUCCESS);

  EXPECT_EQ(contents_of(target, 64), cube_of(numbered(size, 1)));
}

TEST_F(DriverCopy, ZeroHeightIsTakenFromExtent) {
  CUDA_MEMCPY3D parameters = cube(target, source);
  parameters.dstPitch = 0;
  parameters.dstHeight = 0;

  EXPECT_EQ(cuMemcpy3D(&parameters), CUDA_SUCCESS);

  EXPECT_EQ(contents_of(target, 64), cube_of(numbered(size, 1)));
}

TEST_F(DriverCopy, Copy3DRunsInStreamOrder) {
  const CUDA_MEMCPY3D parameters = cube(target, source);
  driver_gate closed(stream);

  EXPECT_EQ(cuMemcpy3DAsync(&parameters, stream), CUDA_SUCCESS);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(contents_of(target, 64), cube_of(numbered(size, 1)));
}

class DriverPeerCopy : public DriverCopy {
 protected:
  DriverPeerCopy() {
    const pushed elsewhere(second);
    must(cuMemAlloc(&there, size));
  }
  ~DriverPeerCopy() override { cuMemFree(there); }

  const primary_context second{1};
  CUdeviceptr there = 0;
};

TEST_F(DriverPeerCopy, NullContextIsRefused) {
  EXPECT_EQ(cuMemcpyPeer(there, nullptr, target, primary, size), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverPeerCopy, Copy3DGoesBetweenContexts) {
  CUDA_MEMCPY3D_PEER parameters = {};
  const CUDA_MEMCPY3D same = cube(there, source);
  std::memcpy(&parameters, &same, sizeof parameters);
  parameters.srcContext = primary;
  parameters.dstContext = second;

  EXPECT_EQ(cuMemcpy3DPeer(&parameters), CUDA_SUCCESS);

  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(contents_of(there, 64), cube_of(numbered(size, 1)));
}

class DriverFill : public DriverCopy {};

TEST_F(DriverFill, RepeatsOneTwoAndFourBytes) {
  EXPECT_EQ(cuMemsetD8(target, 0x11, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD16(target + 4, 0x2233, 2), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32(target + 8, 0x44556677, 1), CUDA_SUCCESS);

  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(contents_of(target, 13),
            (bytes{0x11, 0x11, 0x11, 0x11, 0x33, 0x22, 0x33, 0x22, 0x77, 0x66, 0x55, 0x44, 0}));
}

TEST_F(DriverFill, RowsOfUnitsLeaveGapsUnchanged) {
  EXPECT_EQ(cuMemsetD2D16(target, 4, 0x0101, 1, 2), CUDA_SUCCESS);

  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(contents_of(target, 8), (bytes{1, 1, 0, 0, 1, 1, 0, 0}));
}

TEST_F(DriverFill, WideUnitsRunInStreamOrder) {
  driver_gate closed(stream);

  EXPECT_EQ(cuMemsetD32Async(target, 0x01010101, size / 4, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD2D8Async(target, pitch, 2, 1, rows, stream), CUDA_SUCCESS);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(contents_of(target + pitch, 2), (bytes{2, 1}));
}

TEST_F(DriverFill, MisalignedFillIsRefused) {
  EXPECT_EQ(cuMemsetD16(target + 1, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(target + 2, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD2D32(target, 6, 1, 1, 2), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverFill, OverflowingFillIsRefused) {
  EXPECT_EQ(cuMemsetD32(target, 1, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD8(target, 1, size + 1), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(target.contents(), bytes(size));
}

}  // namespace
}  // namespace convoy::test
