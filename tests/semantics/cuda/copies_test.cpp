#include "support/cuda.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 4096;

// A copy between two sorts of memory behind a gate: did the call wait for it?
struct route {
  memory_kind from;
  memory_kind to;
};

class CudaCopyAsync : public testing::TestWithParam<route> {
 protected:
  const cuda_stream stream;
  const cuda_memory source{GetParam().from, numbered(size, 1)};
  const cuda_memory target{GetParam().to, bytes(size)};
};

std::string named(const testing::TestParamInfo<route>& info) {
  const auto name = [](memory_kind kind) {
    switch (kind) {
      case memory_kind::device: return "Device";
      case memory_kind::pinned: return "Pinned";
      case memory_kind::managed: return "Managed";
      case memory_kind::pageable: return "Pageable";
    }
    return "";
  };
  return std::string(name(info.param.from)) + "To" + name(info.param.to);
}

using CudaAsyncCopy = CudaCopyAsync;

TEST_P(CudaAsyncCopy, ReturnsBeforeLanding) {
  cuda_gate closed(stream);

  EXPECT_EQ(cudaMemcpyAsync(target.data(), source.data(), size, cudaMemcpyDefault, stream),
            cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

INSTANTIATE_TEST_SUITE_P(From, CudaAsyncCopy,
                         testing::Values(route{memory_kind::pinned, memory_kind::device},
                                         route{memory_kind::device, memory_kind::pinned},
                                         route{memory_kind::device, memory_kind::device},
                                         route{memory_kind::pageable, memory_kind::device}),
                         named);

using CudaBlockingCopy = CudaCopyAsync;

TEST_P(CudaBlockingCopy, LandsBeforeReturning) {
  EXPECT_EQ(cudaMemcpyAsync(target.data(), source.data(), size, cudaMemcpyDefault, stream),
            cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

INSTANTIATE_TEST_SUITE_P(From, CudaBlockingCopy,
                         testing::Values(route{memory_kind::device, memory_kind::pageable},
                                         route{memory_kind::pinned, memory_kind::pinned},
                                         route{memory_kind::pageable, memory_kind::pageable},
                                         route{memory_kind::pinned, memory_kind::pageable}),
                         named);

TEST(CudaCopy, ShortPageableSourceIsReadEarly) {
  const cuda_stream stream;
  bytes source = numbered(size, 1);
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_gate closed(stream);

  EXPECT_EQ(cudaMemcpyAsync(target.data(), source.data(), size, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  std::fill(source.begin(), source.end(), 0);
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST(CudaCopy, SynchronousCopyLandsOnReturn) {
  const cuda_memory source(memory_kind::device, numbered(size, 1));
  bytes target(size);

  EXPECT_EQ(cudaMemcpy(target.data(), source.data(), size, cudaMemcpyDeviceToHost), cudaSuccess);

  EXPECT_EQ(target, numbered(size, 1));
}

TEST(CudaCopy, DeviceToDeviceDoesNotWait) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::device, numbered(size, 1));
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_gate closed(stream);

  EXPECT_EQ(cudaMemcpy(target.data(), source.data(), size, cudaMemcpyDeviceToDevice), cudaSuccess);

  EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  closed.open();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST(CudaCopy, SynchronousCopyFollowsBlockingStreams) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::pinned, numbered(size, 1));
  const cuda_memory between(memory_kind::device, bytes(size));
  bytes target(size);
  EXPECT_EQ(cudaMemcpyAsync(between.data(), source.data(), size, cudaMemcpyDefault, stream),
            cudaSuccess);

  EXPECT_EQ(cudaMemcpy(target.data(), between.data(), size, cudaMemcpyDefault), cudaSuccess);

  EXPECT_EQ(target, numbered(size, 1));
}

TEST(CudaCopy, PtdsCopyIgnoresBlockingStreams) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::device, numbered(size, 1));
  bytes target(size);
  const cuda_gate closed(stream);

  EXPECT_EQ(cudaMemcpy_ptds(target.data(), source.data(), size, cudaMemcpyDefault), cudaSuccess);

  EXPECT_EQ(target, numbered(size, 1));
}

TEST(CudaCopyKind, UnknownKindIsRefused) {
  bytes source(8);
  bytes target(8);

  EXPECT_EQ(cudaMemcpy(target.data(), source.data(), 8, static_cast<cudaMemcpyKind>(5)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyAsync(target.data(), source.data(), 8, static_cast<cudaMemcpyKind>(7), 0),
            cudaErrorInvalidMemcpyDirection);
}

TEST(CudaCopyKind, WrongKindIsRefused) {
  const cuda_memory device(memory_kind::device, bytes(8));
  bytes host(8);

  EXPECT_EQ(cudaMemcpy(host.data(), device.data(), 8, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device.data(), host.data(), 8, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidValue);
}

TEST(CudaCopy, ZeroBytesSucceed) {
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
}

TEST(CudaCopy, RangeBeyondAllocationIsRefused) {
  const cuda_memory device(memory_kind::device, bytes(8));
  bytes host(64);

  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), 8, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device.data(), host.data(), 9, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST(CudaRows, CopyLeavesGapsUnchanged) {
  const cuda_memory device(memory_kind::device, bytes(4 * 16));
  const bytes source = numbered(4 * 8);

  EXPECT_EQ(cudaMemcpy2D(device.data(), 16, source.data(), 8, 8, 4, cudaMemcpyHostToDevice),
            cudaSuccess);

  bytes wanted(4 * 16);
  for (std::size_t row = 0; row != 4; ++row) {
    std::copy_n(source.begin() + row * 8, 8, wanted.begin() + row * 16);
  }
  EXPECT_EQ(device.contents(), wanted);
}

TEST(CudaRows, ShortPitchIsRefused) {
  const cuda_memory device(memory_kind::device, bytes(64));
  bytes host(64);

  EXPECT_EQ(cudaMemcpy2D(device.data(), 7, host.data(), 8, 8, 4, cudaMemcpyDefault),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(device.data(), 8, host.data(), 7, 8, 4, cudaMemcpyDefault),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(
      cudaMemcpy2D(device.data(), std::size_t{1} << 31, host.data(), 8, 8, 4, cudaMemcpyDefault),
      cudaErrorInvalidValue);
}

TEST(CudaRows, DeviceToDeviceDoesNotWait) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::device, numbered(64));
  const cuda_memory target(memory_kind::device, bytes(64));
  cuda_gate closed(stream);

  EXPECT_EQ(
      cudaMemcpy2DAsync(target.data(), 16, source.data(), 16, 16, 4, cudaMemcpyDefault, stream),
      cudaSuccess);

  EXPECT_EQ(target.contents(), bytes(64));
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(64));
}

// A box of 4 x 2 x 2 bytes at a position, in slices of 8 x 4.
cudaMemcpy3DParms box_parameters(void* dst, void* src) {
  cudaMemcpy3DParms made = {};
  made.srcPtr = make_cudaPitchedPtr(src, 8, 8, 4);
  made.dstPtr = make_cudaPitchedPtr(dst, 8, 8, 4);
  made.dstPos = make_cudaPos(1, 1, 1);
  made.extent = make_cudaExtent(4, 2, 2);
  made.kind = cudaMemcpyDefault;
  return made;
}

TEST(CudaBox, CopyFollowsPosition) {
  const cuda_memory source(memory_kind::device, numbered(96));
  const cuda_memory target(memory_kind::device, bytes(96));
  const cudaMemcpy3DParms parameters = box_parameters(target.data(), source.data());

  EXPECT_EQ(cudaMemcpy3D(&parameters), cudaSuccess);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const bytes from = numbered(96);
  bytes wanted(96);
  for (std::size_t z = 0; z != 2; ++z) {
    for (std::size_t y = 0; y != 2; ++y) {
      std::copy_n(from.begin() + z * 32 + y * 8, 4,
                  wanted.begin() + (z + 1) * 32 + (y + 1) * 8 + 1);
    }
  }
  EXPECT_EQ(target.contents(), wanted);
}

TEST(CudaBox, ShortPitchIsRefused) {
  const cuda_memory source(memory_kind::device, numbered(96));
  const cuda_memory target(memory_kind::device, bytes(96));
  cudaMemcpy3DParms parameters = box_parameters(target.data(), source.data());

  parameters.extent.width = 9;
  EXPECT_EQ(cudaMemcpy3D(&parameters), cudaErrorInvalidPitchValue);
  parameters.extent.width = 8;
  EXPECT_EQ(cudaMemcpy3D(&parameters), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
}

TEST(CudaPeerCopy, NeedsNoPeerAccess) {
  const cuda_memory source(memory_kind::device, numbered(size));
  void* there = nullptr;
  on_device(1, [&] { must(cudaMalloc(&there, size)); });

  EXPECT_EQ(cudaMemcpyPeer(there, 1, source.data(), 0, size), cudaSuccess);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(contents_of(there, size), numbered(size));
  EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST(CudaPeerCopy, FollowsOrderOfBothDevices) {
  const cuda_memory source(memory_kind::device, numbered(size));
  void* there = nullptr;
  cudaStream_t far_stream = nullptr;
  on_device(1, [&] {
    must(cudaMalloc(&there, size));
    must(cudaStreamCreate(&far_stream));
  });
  copy_aside<runtime_api>(there, bytes(size).data(), size);
  cuda_gate closed(far_stream);

  EXPECT_EQ(cudaMemcpyPeer(there, 1, source.data(), 0, size), cudaSuccess);

  EXPECT_EQ(contents_of(there, size), bytes(size));
  closed.open();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(contents_of(there, size), numbered(size));
  EXPECT_EQ(cudaStreamDestroy(far_stream), cudaSuccess);
  EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST(CudaPeerCopy, UnknownDeviceIsRefused) {
  const cuda_memory source(memory_kind::device, numbered(size));

  EXPECT_EQ(cudaMemcpyPeer(source.data(), 99, source.data(), 0, 8), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemcpyPeerAsync(source.data(), 0, source.data(), -1, 8, nullptr),
            cudaErrorInvalidDevice);
}

TEST(CudaFill, RunsInStreamOrder) {
  const cuda_stream stream;
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_gate closed(stream);

  EXPECT_EQ(cudaMemsetAsync(target.data(), 0x1A7, size, stream), cudaSuccess);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), bytes(size, 0xA7));
}

TEST(CudaFill, DefaultStreamFillDoesNotWait) {
  const cuda_stream stream;
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_gate closed(stream);

  EXPECT_EQ(cudaMemset(target.data(), 7, size), cudaSuccess);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(target.contents(), bytes(size, 7));
}

TEST(CudaFill, PinnedMemoryIsFilledOnReturn) {
  const cuda_memory target(memory_kind::pinned, bytes(size));

  EXPECT_EQ(cudaMemset(target.data(), 7, size), cudaSuccess);

  EXPECT_EQ(bytes(target.data(), target.data() + size), bytes(size, 7));
}

TEST(CudaFill, RowsLeaveGapsUnchanged) {
  const cuda_memory target(memory_kind::device, bytes(32));

  EXPECT_EQ(cudaMemset2D(target.data(), 8, 9, 3, 4), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);

  bytes wanted(32);
  for (std::size_t row = 0; row != 4; ++row) std::fill_n(wanted.begin() + row * 8, 3, 9);
  EXPECT_EQ(target.contents(), wanted);
}

TEST(CudaFill, PageableMemoryIsRefused) {
  bytes own(8);

  EXPECT_EQ(cudaMemset(own.data(), 1, 8), cudaErrorInvalidValue);
  EXPECT_EQ(own, bytes(8));
}

}  // namespace
}  // namespace convoy::test
