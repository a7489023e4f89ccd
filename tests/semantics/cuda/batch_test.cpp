#include "support/cuda.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 6400;
constexpr std::size_t block = 64;
constexpr std::size_t blocks = size / block;

template <class Api, memory_kind Kind>
struct batch_source {
  using api = Api;
  static constexpr memory_kind kind = Kind;
};
using batch_sources = testing::Types<batch_source<runtime_api, memory_kind::pinned>,
                                     batch_source<runtime_api, memory_kind::pageable>,
                                     batch_source<driver_api, memory_kind::pinned>,
                                     batch_source<driver_api, memory_kind::pageable>>;
struct source_names {
  template <class Source>
  static std::string GetName(int) {
    return std::string(Source::api::name) + name_of(Source::kind);
  }
};

// A batch of blocks from host memory of one kind to a device.
template <class Source>
class CudaBatch : public cuda_test<typename Source::api> {
 protected:
  using source_api = typename Source::api;

  api_batch<source_api> batch_with(typename source_api::access_order order) {
    api_batch<source_api> made(order);
    made.add_blocks(target.data(), source.data(), block, blocks);
    return made;
  }
  void overwrite_source() const {
    const bytes other = numbered(size, 2);
    std::memcpy(source.data(), other.data(), size);
  }

  const api_stream<source_api> stream;
  const api_memory<source_api> source{Source::kind, numbered(size, 1)};
  const api_memory<source_api> target{memory_kind::device, bytes(size)};
};
TYPED_TEST_SUITE(CudaBatch, batch_sources, source_names);

TYPED_TEST(CudaBatch, LandsInStreamOrder) {
  using api = typename TypeParam::api;
  api_batch<api> work = this->batch_with(api::order_stream);
  api_gate<api> closed(this->stream);

  EXPECT_EQ(work.submit(this->stream), api::success);

  EXPECT_EQ(this->target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(api::synchronize(this->stream), api::success);
  EXPECT_EQ(this->target.contents(), numbered(size, 1));
}

TYPED_TEST(CudaBatch, StreamReadsInStreamOrder) {
  using api = typename TypeParam::api;
  api_gate<api> closed(this->stream);
  EXPECT_EQ(this->batch_with(api::order_stream).submit(this->stream), api::success);

  this->overwrite_source();
  closed.open();

  EXPECT_EQ(api::synchronize(this->stream), api::success);
  EXPECT_EQ(this->target.contents(), numbered(size, 2));
}

TYPED_TEST(CudaBatch, DuringCallReadsBeforeReturning) {
  using api = typename TypeParam::api;
  api_gate<api> closed(this->stream);
  EXPECT_EQ(this->batch_with(api::order_during_call).submit(this->stream), api::success);

  this->overwrite_source();
  closed.open();

  EXPECT_EQ(api::synchronize(this->stream), api::success);
  EXPECT_EQ(this->target.contents(), numbered(size, 1));
}

TYPED_TEST(CudaBatch, DuringCallWritesInStreamOrder) {
  using api = typename TypeParam::api;
  const api_gate<api> closed(this->stream);

  EXPECT_EQ(this->batch_with(api::order_during_call).submit(this->stream), api::success);

  EXPECT_EQ(this->target.contents(), bytes(size));
}

TYPED_TEST(CudaBatch, AnyReadsBeforeLanding) {
  using api = typename TypeParam::api;
  EXPECT_EQ(this->batch_with(api::order_any).submit(this->stream), api::success);
  EXPECT_EQ(api::synchronize(this->stream), api::success);

  this->overwrite_source();

  EXPECT_EQ(this->target.contents(), numbered(size, 1));
}

TYPED_TEST(CudaBatch, EachRunHasItsOwnOrder) {
  using api = typename TypeParam::api;
  api_batch<api> work = this->batch_with(api::order_stream);
  work.add_run(50, api::order_during_call);
  api_gate<api> closed(this->stream);
  EXPECT_EQ(work.submit(this->stream), api::success);

  this->overwrite_source();
  closed.open();

  EXPECT_EQ(api::synchronize(this->stream), api::success);
  bytes wanted = numbered(size, 2);
  const bytes early = numbered(size, 1);
  std::copy(early.begin() + 50 * block, early.end(), wanted.begin() + 50 * block);
  EXPECT_EQ(this->target.contents(), wanted);
}

template <class Api>
class CudaBatchOrder : public cuda_test<Api> {
 protected:
  const api_stream<Api> stream;
  const api_memory<Api> source{memory_kind::pinned, numbered(size)};
  const api_memory<Api> target{memory_kind::device, bytes(size)};
};
TYPED_TEST_SUITE(CudaBatchOrder, cuda_apis, api_names);

TYPED_TEST(CudaBatchOrder, EarlyDestinationFaultIsAsynchronous) {
  const unmapped_page unmapped;
  api_batch<TypeParam> work(TypeParam::order_during_call);
  work.add(unmapped.data(), this->source.data(), 64);
  const api_stream<TypeParam> idle;
  const api_stream<TypeParam> busy;
  api_gate<TypeParam> closed(busy);

  EXPECT_EQ(work.submit(idle), TypeParam::success);
  EXPECT_EQ(work.submit(busy), TypeParam::success);

  closed.open();
  EXPECT_EQ(TypeParam::synchronize(idle), TypeParam::illegal_address);
  EXPECT_EQ(TypeParam::synchronize(busy), TypeParam::illegal_address);
}

TYPED_TEST(CudaBatchOrder, LargeSourcesAreReadDuringCall) {
  constexpr std::size_t large = 512 << 10;
  const api_memory<TypeParam> large_target(memory_kind::device, bytes(8 * large));
  bytes large_source = numbered(8 * large, 1);
  api_batch<TypeParam> work(TypeParam::order_during_call);
  work.add_blocks(large_target.data(), large_source.data(), large, 8);
  api_gate<TypeParam> closed(this->stream);

  EXPECT_EQ(work.submit(this->stream), TypeParam::success);
  std::fill(large_source.begin(), large_source.end(), 0);
  closed.open();

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(large_target.contents(), numbered(8 * large, 1));
}

TYPED_TEST(CudaBatchOrder, LaterBatchSeesEarlierWrites) {
  const api_memory<TypeParam> second(memory_kind::device, bytes(size));
  api_batch<TypeParam> in;
  in.add_blocks(this->target.data(), this->source.data(), block, blocks);
  api_batch<TypeParam> across;
  across.add_blocks(second.data(), this->target.data(), block, blocks);

  EXPECT_EQ(in.submit(this->stream), TypeParam::success);
  EXPECT_EQ(across.submit(this->stream), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(second.contents(), numbered(size));
}

TYPED_TEST(CudaBatchOrder, OneSourceFeedsManyDestinations) {
  const api_memory<TypeParam> one(memory_kind::pinned, bytes(block, 7));
  api_batch<TypeParam> work;
  for (std::size_t i = 0; i != blocks; ++i) {
    work.add(this->target.data() + i * block, one.data(), block);
  }

  EXPECT_EQ(work.submit(this->stream), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(this->target.contents(), bytes(size, 7));
}

TYPED_TEST(CudaBatchOrder, ArraysMayBeFreedOnReturn) {
  api_gate<TypeParam> closed(this->stream);
  {
    api_batch<TypeParam> work;
    work.add_blocks(this->target.data(), this->source.data(), block, blocks);
    EXPECT_EQ(work.submit(this->stream), TypeParam::success);
  }

  closed.open();

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(this->target.contents(), numbered(size));
}

TYPED_TEST(CudaBatchOrder, DirectionsAndDevicesMayBeMixed) {
  const api_memory<TypeParam> pageable(memory_kind::pageable, bytes(block));
  const api_memory<TypeParam> managed(memory_kind::managed, bytes(block));
  const api_memory<TypeParam> here(memory_kind::device, numbered(block, 3));
  void* allocated = nullptr;
  TypeParam::on_device(1, [&] { must(TypeParam::allocate(&allocated, 2 * block)); });
  auto* const there = static_cast<unsigned char*>(allocated);
  api_batch<TypeParam> work;
  work.add(there, this->source.data(), block);
  work.add(there + block, here.data(), block);
  work.add(pageable.data(), here.data(), block);
  work.add(managed.data(), this->source.data(), block);

  EXPECT_EQ(work.submit(this->stream), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(read_memory<TypeParam>(there, block), numbered(block));
  EXPECT_EQ(read_memory<TypeParam>(there + block, block), numbered(block, 3));
  EXPECT_EQ(pageable.contents(), numbered(block, 3));
  EXPECT_EQ(managed.contents(), numbered(block));
  EXPECT_EQ(TypeParam::free(there), TypeParam::success);
}

TYPED_TEST(CudaBatchOrder, SingleCopyTakesAttributes) {
  bytes early = numbered(size, 1);
  typename TypeParam::batch_attributes attributes = {};
  attributes.srcAccessOrder = TypeParam::order_during_call;
  const auto copy = [&](cudaStream_t to) {
    return TypeParam::copy_with_attributes(this->target.data(), early.data(), size, &attributes,
                                           to);
  };
  api_gate<TypeParam> closed(this->stream);

  EXPECT_EQ(copy(this->stream), TypeParam::success);
  std::fill(early.begin(), early.end(), 0);

  EXPECT_EQ(this->target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(this->target.contents(), numbered(size, 1));
  EXPECT_EQ(copy(nullptr), TypeParam::invalid_value);
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

}  // namespace
}  // namespace convoy::test
