#include "support/cuda.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 6400;
constexpr std::size_t block = 64;
constexpr std::size_t blocks = size / block;

// A batch of blocks from host memory of one sort to a device.
class CudaBatch : public testing::TestWithParam<memory_kind> {
 protected:
  cuda_batch blocks_of(cudaMemcpySrcAccessOrder order) {
    cuda_batch made(order);
    made.add_blocks(target.data(), source.data(), block, blocks);
    return made;
  }
  void overwrite_source() const {
    const bytes other = numbered(size, 2);
    std::memcpy(source.data(), other.data(), size);
  }

  const cuda_stream stream;
  const cuda_memory source{GetParam(), numbered(size, 1)};
  const cuda_memory target{memory_kind::device, bytes(size)};
};

TEST_P(CudaBatch, LandsInStreamOrder) {
  cuda_batch work = blocks_of(cudaMemcpySrcAccessOrderStream);
  cuda_gate closed(stream);

  EXPECT_EQ(work.submit(stream), cudaSuccess);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST_P(CudaBatch, StreamReadsInStreamOrder) {
  cuda_gate closed(stream);
  EXPECT_EQ(blocks_of(cudaMemcpySrcAccessOrderStream).submit(stream), cudaSuccess);

  overwrite_source();
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 2));
}

TEST_P(CudaBatch, DuringCallReadsBeforeReturning) {
  cuda_gate closed(stream);
  EXPECT_EQ(blocks_of(cudaMemcpySrcAccessOrderDuringApiCall).submit(stream), cudaSuccess);

  overwrite_source();
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST_P(CudaBatch, DuringCallWritesInStreamOrder) {
  cuda_gate closed(stream);

  EXPECT_EQ(blocks_of(cudaMemcpySrcAccessOrderDuringApiCall).submit(stream), cudaSuccess);

  EXPECT_EQ(target.contents(), bytes(size));
}

TEST_P(CudaBatch, AnyReadsBeforeLanding) {
  EXPECT_EQ(blocks_of(cudaMemcpySrcAccessOrderAny).submit(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);

  overwrite_source();

  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST_P(CudaBatch, EachRunHasItsOwnOrder) {
  cuda_batch work = blocks_of(cudaMemcpySrcAccessOrderStream);
  work.add_run(50, cudaMemcpySrcAccessOrderDuringApiCall);
  cuda_gate closed(stream);
  EXPECT_EQ(work.submit(stream), cudaSuccess);

  overwrite_source();
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  bytes wanted = numbered(size, 2);
  const bytes early = numbered(size, 1);
  std::copy(early.begin() + 50 * block, early.end(), wanted.begin() + 50 * block);
  EXPECT_EQ(target.contents(), wanted);
}

INSTANTIATE_TEST_SUITE_P(From, CudaBatch,
                         testing::Values(memory_kind::pinned, memory_kind::pageable),
                         [](const auto& kind) {
                           return kind.param == memory_kind::pinned ? "PinnedMemory"
                                                                    : "PageableMemory";
                         });

TEST(CudaBatchOrder, LargeSourcesAreReadDuringCall) {
  constexpr std::size_t large = 512 << 10;
  const cuda_stream stream;
  const cuda_memory target(memory_kind::device, bytes(8 * large));
  bytes source = numbered(8 * large, 1);
  cuda_batch work(cudaMemcpySrcAccessOrderDuringApiCall);
  work.add_blocks(target.data(), source.data(), large, 8);
  cuda_gate closed(stream);

  EXPECT_EQ(work.submit(stream), cudaSuccess);
  std::fill(source.begin(), source.end(), 0);
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(8 * large, 1));
}

TEST(CudaBatchOrder, LaterBatchSeesEarlierWrites) {
  const cuda_stream stream;
  const cuda_memory host(memory_kind::pinned, numbered(size));
  const cuda_memory first(memory_kind::device, bytes(size));
  const cuda_memory second(memory_kind::device, bytes(size));
  cuda_batch in;
  in.add_blocks(first.data(), host.data(), block, blocks);
  cuda_batch across;
  across.add_blocks(second.data(), first.data(), block, blocks);

  EXPECT_EQ(in.submit(stream), cudaSuccess);
  EXPECT_EQ(across.submit(stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(second.contents(), numbered(size));
}

TEST(CudaBatchOrder, OneSourceFeedsManyDestinations) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::pinned, bytes(block, 7));
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_batch work;
  for (std::size_t i = 0; i != blocks; ++i)
    work.add(target.data() + i * block, source.data(), block);

  EXPECT_EQ(work.submit(stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), bytes(size, 7));
}

TEST(CudaBatchOrder, ArraysMayBeFreedOnReturn) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::pinned, numbered(size));
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_gate closed(stream);
  {
    cuda_batch work;
    work.add_blocks(target.data(), source.data(), block, blocks);
    EXPECT_EQ(work.submit(stream), cudaSuccess);
  }

  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size));
}

TEST(CudaBatchLocations, DirectionsAndDevicesMayBeMixed) {
  const cuda_stream stream;
  const cuda_memory host(memory_kind::pinned, numbered(4 * block));
  const cuda_memory pageable(memory_kind::pageable, bytes(block));
  const cuda_memory managed(memory_kind::managed, bytes(block));
  const cuda_memory here(memory_kind::device, numbered(block, 3));
  void* there = nullptr;
  on_device(1, [&] { must(cudaMalloc(&there, 2 * block)); });
  cuda_batch work;
  work.add(there, host.data(), block);
  work.add(static_cast<char*>(there) + block, here.data(), block);
  work.add(pageable.data(), here.data(), block);
  work.add(managed.data(), host.data(), block);

  EXPECT_EQ(work.submit(stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(contents_of(there, block), bytes(host.data(), host.data() + block));
  EXPECT_EQ(contents_of(static_cast<char*>(there) + block, block), numbered(block, 3));
  EXPECT_EQ(pageable.contents(), numbered(block, 3));
  EXPECT_EQ(managed.contents(), bytes(host.data(), host.data() + block));
  EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST(CudaBatchLocations, HintsAndFlagsChangeNothing) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::pinned, numbered(size));
  const cuda_memory target(memory_kind::device, bytes(size));
  cuda_batch work;
  work.add_blocks(target.data(), source.data(), block, blocks);
  work.attributes[0].srcLocHint = {cudaMemLocationTypeDevice, 77};
  work.attributes[0].dstLocHint = {cudaMemLocationTypeHostNumaCurrent, -5};
  work.attributes[0].flags = cudaMemcpyFlagPreferOverlapWithCompute;

  EXPECT_EQ(work.submit(stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size));
}

TEST(CudaBatchForms, OneAttributeAppliesToAll) {
  const cuda_stream stream;
  const cuda_memory source(memory_kind::pinned, numbered(size));
  const cuda_memory target(memory_kind::device, bytes(size));
  unsigned char* dsts[] = {target.data()};
  const unsigned char* srcs[] = {source.data()};
  const std::size_t sizes[] = {size};
  cudaMemcpyAttributes plain = {};
  plain.srcAccessOrder = cudaMemcpySrcAccessOrderStream;

  EXPECT_EQ(cudaMemcpyBatchAsync(dsts, srcs, sizes, 1, plain, stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size));
}

TEST(CudaBatchForms, SingleCopyTakesAttributes) {
  const cuda_stream stream;
  bytes source = numbered(size, 1);
  const cuda_memory target(memory_kind::device, bytes(size));
  cudaMemcpyAttributes early = {};
  early.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  cuda_gate closed(stream);

  EXPECT_EQ(cudaMemcpyWithAttributesAsync(target.data(), source.data(), size, &early, stream),
            cudaSuccess);
  std::fill(source.begin(), source.end(), 0);
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size, 1));
  EXPECT_EQ(cudaMemcpyWithAttributesAsync(target.data(), source.data(), size, &early, nullptr),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace convoy::test
