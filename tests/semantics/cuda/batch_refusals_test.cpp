#include <limits>

#include "support/cuda.hpp"

namespace convoy::test {
namespace {

// A valid batch that each test changes in one way. A refusal copies nothing, and the stream accepts
// the batch once it is valid again.
template <class Api>
class CudaBatchRefusal : public cuda_test<Api> {
 protected:
  static constexpr std::size_t block = 64;

  CudaBatchRefusal() {
    cudaGetLastError();
    work.add_blocks(target.data(), source.data(), block, 4);
  }

  void expect_refused(cudaStream_t to) {
    EXPECT_EQ(work.submit(to), Api::invalid_value);
    EXPECT_EQ(cudaGetLastError(),
              static_cast<cudaError_t>(Api::last_error_after(Api::invalid_value)));
    expect_no_copy();
  }
  void expect_refused() { expect_refused(stream); }

  void expect_no_copy() const {
    EXPECT_EQ(Api::synchronize(stream), Api::success);
    EXPECT_EQ(target.contents(), bytes(4 * block));
  }

  const api_stream<Api> stream;
  const api_memory<Api> source{memory_kind::pinned, numbered(4 * block)};
  const api_memory<Api> target{memory_kind::device, bytes(4 * block)};
  api_batch<Api> work;
};
TYPED_TEST_SUITE(CudaBatchRefusal, cuda_apis, api_names);

TYPED_TEST(CudaBatchRefusal, LegacyStreamIsRefused) {
  this->expect_refused(nullptr);
  this->expect_refused(cudaStreamLegacy);
}

TYPED_TEST(CudaBatchRefusal, PerThreadStreamIsAccepted) {
  EXPECT_EQ(this->work.submit(cudaStreamPerThread), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(cudaStreamPerThread), TypeParam::success);
  EXPECT_EQ(this->target.contents(), this->source.contents());
}

TYPED_TEST(CudaBatchRefusal, PtszZeroIsPerThreadStream) {
  EXPECT_EQ(this->work.submit_ptsz(nullptr), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(cudaStreamPerThread), TypeParam::success);
  EXPECT_EQ(this->target.contents(), this->source.contents());
  EXPECT_EQ(this->work.submit_ptsz(cudaStreamLegacy), TypeParam::invalid_value);
}

TYPED_TEST(CudaBatchRefusal, UnknownStreamIsRefused) {
  EXPECT_EQ(this->work.submit(reinterpret_cast<cudaStream_t>(0x1234560)),
            TypeParam::invalid_handle);
  this->expect_no_copy();
}

TYPED_TEST(CudaBatchRefusal, DestroyedStreamIsRefused) {
  cudaStream_t destroyed = nullptr;
  must(TypeParam::create_stream(&destroyed, 0));
  must(TypeParam::destroy_stream(destroyed));

  EXPECT_EQ(this->work.submit(destroyed), TypeParam::destroyed);
  this->expect_no_copy();
}

TYPED_TEST(CudaBatchRefusal, MissingArraysAreRefused) {
  auto& batch = this->work;
  auto* const dsts = batch.dsts.data();
  auto* const srcs = batch.srcs.data();
  auto* const sizes = batch.sizes.data();
  const auto submit = [&](auto* some_dsts, auto* some_srcs, auto* some_sizes, std::size_t count) {
    return TypeParam::submit_batch(some_dsts, some_srcs, some_sizes, count, batch.attributes.data(),
                                   batch.firsts.data(), 1, this->stream);
  };

  EXPECT_EQ(submit(decltype(dsts){}, srcs, sizes, 4), TypeParam::invalid_value);
  EXPECT_EQ(submit(dsts, decltype(srcs){}, sizes, 4), TypeParam::invalid_value);
  EXPECT_EQ(submit(dsts, srcs, decltype(sizes){}, 4), TypeParam::invalid_value);
  EXPECT_EQ(submit(dsts, srcs, sizes, 0), TypeParam::invalid_value);
  EXPECT_EQ(submit(dsts, srcs, sizes, SIZE_MAX), TypeParam::invalid_value);
  this->expect_no_copy();
}

TYPED_TEST(CudaBatchRefusal, NullDestinationIsRefused) {
  this->work.dsts[3] = {};
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, NullSourceIsRefused) {
  this->work.srcs[3] = {};
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, ZeroSizeIsRefused) {
  this->work.sizes[3] = 0;
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, RangeBeyondAllocationIsRefused) {
  this->work.sizes[3] = this->block + 1;
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, WrappingSizeIsRefused) {
  this->work.sizes[3] = std::numeric_limits<std::size_t>::max() - 8;
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, FreedMemoryIsRefused) {
  void* freed = nullptr;
  must(TypeParam::allocate(&freed, this->block));
  must(TypeParam::free(freed));
  this->work.srcs[3] = TypeParam::batch_pointer(freed);
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, NoAttributesAreRefused) {
  this->work.attributes.clear();
  this->work.firsts.clear();
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, MissingAttributeArraysAreRefused) {
  auto& batch = this->work;
  const auto submit = [&](typename TypeParam::batch_attributes* attributes, std::size_t* firsts) {
    return TypeParam::submit_batch(batch.dsts.data(), batch.srcs.data(), batch.sizes.data(), 4,
                                   attributes, firsts, 1, this->stream);
  };

  EXPECT_EQ(submit(nullptr, batch.firsts.data()), TypeParam::invalid_value);
  EXPECT_EQ(submit(batch.attributes.data(), nullptr), TypeParam::invalid_value);
  this->expect_no_copy();
}

TYPED_TEST(CudaBatchRefusal, MoreRunsThanCopiesAreRefused) {
  auto& batch = this->work;

  EXPECT_EQ(TypeParam::submit_batch(batch.dsts.data(), batch.srcs.data(), batch.sizes.data(), 4,
                                    batch.attributes.data(), batch.firsts.data(),
                                    std::numeric_limits<std::size_t>::max(), this->stream),
            TypeParam::invalid_value);
  this->expect_no_copy();
}

TYPED_TEST(CudaBatchRefusal, FirstRunMustStartAtZero) {
  this->work.firsts[0] = 1;
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, RunStartsMustIncrease) {
  this->work.add_run(2, TypeParam::order_any);
  this->work.add_run(2, TypeParam::order_stream);
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, RunBeyondEndIsRefused) {
  this->work.add_run(4, TypeParam::order_stream);
  this->expect_refused();
}

TYPED_TEST(CudaBatchRefusal, UnknownAccessOrderIsRefused) {
  using order = typename TypeParam::access_order;
  for (const order each : {TypeParam::order_invalid, TypeParam::order_max, static_cast<order>(4)}) {
    this->work.attributes[0].srcAccessOrder = each;
    this->expect_refused();
  }
}

TYPED_TEST(CudaBatchRefusal, StreamStaysUsable) {
  this->work.sizes[3] = 0;
  this->expect_refused();

  this->work.sizes[3] = this->block;

  EXPECT_EQ(this->work.submit(this->stream), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(this->target.contents(), this->source.contents());
}

}  // namespace
}  // namespace convoy::test
