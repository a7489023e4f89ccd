#include <limits>

#include "support/cuda.hpp"

namespace convoy::test {
namespace {

// A good batch that each test spoils in one way. Nothing may have happened then: no byte has moved,
// and the stream takes the same batch once it is good again.
class CudaBatchRefusal : public testing::Test {
 protected:
  static constexpr std::size_t block = 64;

  CudaBatchRefusal() { work.add_blocks(target.data(), source.data(), block, 4); }

  void expect_refused(cudaStream_t to) {
    EXPECT_EQ(work.submit(to), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    expect_nothing_happened();
  }
  void expect_refused() { expect_refused(stream); }

  void expect_nothing_happened() const {
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(target.contents(), bytes(4 * block));
  }

  const cuda_stream stream;
  const cuda_memory source{memory_kind::pinned, numbered(4 * block)};
  const cuda_memory target{memory_kind::device, bytes(4 * block)};
  cuda_batch work;
};

TEST_F(CudaBatchRefusal, LegacyStreamIsRefused) {
  expect_refused(nullptr);
  expect_refused(cudaStreamLegacy);
}

TEST_F(CudaBatchRefusal, PerThreadStreamIsAccepted) {
  EXPECT_EQ(work.submit(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(target.contents(), source.contents());
}

TEST_F(CudaBatchRefusal, PtszZeroIsPerThreadStream) {
  EXPECT_EQ(cudaMemcpyBatchAsync_ptsz(work.dsts.data(), work.srcs.data(), work.sizes.data(), 4,
                                      work.attributes.data(), work.firsts.data(), 1, nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(target.contents(), source.contents());
  EXPECT_EQ(
      cudaMemcpyBatchAsync_ptsz(work.dsts.data(), work.srcs.data(), work.sizes.data(), 4,
                                work.attributes.data(), work.firsts.data(), 1, cudaStreamLegacy),
      cudaErrorInvalidValue);
}

TEST_F(CudaBatchRefusal, UnknownStreamIsRefused) {
  EXPECT_EQ(work.submit(reinterpret_cast<cudaStream_t>(0x1234560)), cudaErrorInvalidResourceHandle);
  expect_nothing_happened();
}

TEST_F(CudaBatchRefusal, DestroyedStreamIsRefused) {
  cudaStream_t gone = nullptr;
  must(cudaStreamCreate(&gone));
  must(cudaStreamDestroy(gone));

  EXPECT_EQ(work.submit(gone), cudaErrorContextIsDestroyed);
  expect_nothing_happened();
}

TEST_F(CudaBatchRefusal, MissingArraysAreRefused) {
  const auto submit = [&](void* const* dsts, const void* const* srcs, const std::size_t* sizes,
                          std::size_t count) {
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, work.attributes.data(),
                                work.firsts.data(), 1, static_cast<cudaStream_t>(stream));
  };

  EXPECT_EQ(submit(nullptr, work.srcs.data(), work.sizes.data(), 4), cudaErrorInvalidValue);
  EXPECT_EQ(submit(work.dsts.data(), nullptr, work.sizes.data(), 4), cudaErrorInvalidValue);
  EXPECT_EQ(submit(work.dsts.data(), work.srcs.data(), nullptr, 4), cudaErrorInvalidValue);
  EXPECT_EQ(submit(work.dsts.data(), work.srcs.data(), work.sizes.data(), 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(submit(work.dsts.data(), work.srcs.data(), work.sizes.data(), SIZE_MAX),
            cudaErrorInvalidValue);
  expect_nothing_happened();
}

TEST_F(CudaBatchRefusal, NullDestinationIsRefused) {
  work.dsts[3] = nullptr;
  expect_refused();
}

TEST_F(CudaBatchRefusal, NullSourceIsRefused) {
  work.srcs[3] = nullptr;
  expect_refused();
}

TEST_F(CudaBatchRefusal, ZeroSizeIsRefused) {
  work.sizes[3] = 0;
  expect_refused();
}

TEST_F(CudaBatchRefusal, RangeBeyondAllocationIsRefused) {
  work.sizes[3] = block + 1;
  expect_refused();
}

TEST_F(CudaBatchRefusal, WrappingSizeIsRefused) {
  work.sizes[3] = std::numeric_limits<std::size_t>::max() - 8;
  expect_refused();
}

TEST_F(CudaBatchRefusal, FreedMemoryIsRefused) {
  void* freed = nullptr;
  must(cudaMalloc(&freed, block));
  must(cudaFree(freed));
  work.srcs[3] = freed;
  expect_refused();
}

TEST_F(CudaBatchRefusal, NoAttributesAreRefused) {
  work.attributes.clear();
  work.firsts.clear();
  expect_refused();
}

TEST_F(CudaBatchRefusal, MissingAttributeArraysAreRefused) {
  const auto submit = [&](cudaMemcpyAttributes* attributes, std::size_t* firsts) {
    return cudaMemcpyBatchAsync(work.dsts.data(), work.srcs.data(), work.sizes.data(), 4,
                                attributes, firsts, 1, static_cast<cudaStream_t>(stream));
  };

  EXPECT_EQ(submit(nullptr, work.firsts.data()), cudaErrorInvalidValue);
  EXPECT_EQ(submit(work.attributes.data(), nullptr), cudaErrorInvalidValue);
  expect_nothing_happened();
}

TEST_F(CudaBatchRefusal, MoreRunsThanCopiesAreRefused) {
  EXPECT_EQ(cudaMemcpyBatchAsync(work.dsts.data(), work.srcs.data(), work.sizes.data(), 4,
                                 work.attributes.data(), work.firsts.data(),
                                 std::numeric_limits<std::size_t>::max(),
                                 static_cast<cudaStream_t>(stream)),
            cudaErrorInvalidValue);
  expect_nothing_happened();
}

TEST_F(CudaBatchRefusal, FirstRunMustStartAtZero) {
  work.firsts[0] = 1;
  expect_refused();
}

TEST_F(CudaBatchRefusal, RunStartsMustIncrease) {
  work.add_run(2, cudaMemcpySrcAccessOrderAny);
  work.add_run(2, cudaMemcpySrcAccessOrderStream);
  expect_refused();
}

TEST_F(CudaBatchRefusal, RunBeyondEndIsRefused) {
  work.add_run(4, cudaMemcpySrcAccessOrderStream);
  expect_refused();
}

TEST_F(CudaBatchRefusal, UnknownAccessOrderIsRefused) {
  work.attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  expect_refused();
  work.attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderMax;
  expect_refused();
  work.attributes[0].srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(4);
  expect_refused();
}

TEST_F(CudaBatchRefusal, StreamStaysUsable) {
  work.sizes[3] = 0;
  expect_refused();

  work.sizes[3] = block;

  EXPECT_EQ(work.submit(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), source.contents());
}

}  // namespace
}  // namespace convoy::test
