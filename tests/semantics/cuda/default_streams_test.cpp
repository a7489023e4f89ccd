#include <thread>

#include "support/cuda.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 256;

// Something that has landed or not.
struct marked_copy {
  const cuda_memory source{memory_kind::pinned, numbered(size)};
  const cuda_memory target{memory_kind::device, bytes(size)};

  void submit(cudaStream_t stream) const {
    must(cudaMemcpyAsync(target.data(), source.data(), size, cudaMemcpyDefault, stream));
  }
  [[nodiscard]] bool landed() const { return target.contents() == numbered(size); }
};

TEST(CudaLegacyStream, WaitsForBlockingStreams) {
  const cuda_stream blocking;
  const marked_copy copy;
  cuda_gate closed(blocking);

  copy.submit(nullptr);

  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_TRUE(copy.landed());
}

TEST(CudaLegacyStream, BlockingStreamsWaitForIt) {
  const cuda_stream blocking;
  const marked_copy copy;
  cuda_gate closed(cudaStreamLegacy);

  copy.submit(blocking);

  EXPECT_EQ(cudaStreamQuery(blocking), cudaErrorNotReady);
  EXPECT_FALSE(copy.landed());
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(blocking), cudaSuccess);
  EXPECT_TRUE(copy.landed());
}

TEST(CudaLegacyStream, NonBlockingStreamsAreUnordered) {
  const cuda_stream free(cudaStreamNonBlocking);
  const marked_copy copy;
  const cuda_gate closed(nullptr);

  copy.submit(free);

  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_TRUE(copy.landed());
}

TEST(CudaLegacyStream, OtherDevicesAreUnordered) {
  const cuda_gate closed(nullptr);

  on_device(1, [] { EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess); });

  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
}

TEST(CudaLegacyStream, EventsCountAsWork) {
  const cuda_stream blocking;
  const cuda_event event;
  cuda_gate closed(blocking);

  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);

  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  closed.open();
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
}

TEST(CudaThreadStream, IsABlockingStream) {
  const marked_copy copy;
  cuda_gate closed(cudaStreamLegacy);

  copy.submit(cudaStreamPerThread);

  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_TRUE(copy.landed());
}

TEST(CudaThreadStream, DoesNotWaitForOtherStreams) {
  const cuda_stream blocking;
  const marked_copy copy;
  const cuda_gate closed(blocking);

  copy.submit(cudaStreamPerThread);

  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_TRUE(copy.landed());
}

TEST(CudaThreadStream, EachThreadHasOne) {
  unsigned long long mine = 0;
  unsigned long long theirs = 0;
  EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &mine), cudaSuccess);

  std::thread([&] { cudaStreamGetId(cudaStreamPerThread, &theirs); }).join();

  EXPECT_NE(mine, theirs);
}

TEST(CudaThreadStream, PtszZeroIsPerThreadStream) {
  unsigned long long named = 0;
  unsigned long long zero = 0;
  unsigned long long legacy = 0;

  EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &named), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId_ptsz(nullptr, &zero), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId_ptsz(cudaStreamLegacy, &legacy), cudaSuccess);

  EXPECT_EQ(zero, named);
  EXPECT_NE(legacy, named);
}

TEST(CudaStreamZero, IsTheLegacyStream) {
  unsigned long long zero = 0;
  unsigned long long legacy = 0;

  EXPECT_EQ(cudaStreamGetId(nullptr, &zero), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(cudaStreamLegacy, &legacy), cudaSuccess);

  EXPECT_EQ(zero, legacy);
}

}  // namespace
}  // namespace convoy::test
