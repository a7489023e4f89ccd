#include <thread>

#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 256;

// A copy, and whether it has landed.
template <class Api>
struct test_copy {
  const api_memory<Api> source{memory_kind::pinned, numbered(size)};
  const api_memory<Api> target{memory_kind::device, bytes(size)};

  void submit(cudaStream_t stream) const {
    must(Api::copy_async(target.data(), source.data(), size, stream));
  }
  [[nodiscard]] bool landed() const { return target.contents() == numbered(size); }
};

template <class Api>
unsigned long long id_of(cudaStream_t stream) {
  unsigned long long id = 0;
  must(Api::stream_id(stream, &id));
  return id;
}

template <class Api>
class CudaLegacyStream : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaLegacyStream, cuda_apis, api_names);

TYPED_TEST(CudaLegacyStream, WaitsForBlockingStreams) {
  const api_stream<TypeParam> blocking;
  const test_copy<TypeParam> copy;
  api_gate<TypeParam> closed(blocking);

  copy.submit(nullptr);

  EXPECT_EQ(TypeParam::query(nullptr), TypeParam::not_ready);
  EXPECT_FALSE(copy.landed());
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(nullptr), TypeParam::success);
  EXPECT_TRUE(copy.landed());
}

TYPED_TEST(CudaLegacyStream, BlockingStreamsWaitForIt) {
  const api_stream<TypeParam> blocking;
  const test_copy<TypeParam> copy;
  api_gate<TypeParam> closed(cudaStreamLegacy);

  copy.submit(blocking);

  EXPECT_EQ(TypeParam::query(blocking), TypeParam::not_ready);
  EXPECT_FALSE(copy.landed());
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(blocking), TypeParam::success);
  EXPECT_TRUE(copy.landed());
}

TYPED_TEST(CudaLegacyStream, NonBlockingStreamsAreUnordered) {
  const api_stream<TypeParam> free(cudaStreamNonBlocking);
  const test_copy<TypeParam> copy;
  const api_gate<TypeParam> closed(nullptr);

  copy.submit(free);

  EXPECT_EQ(TypeParam::synchronize(free), TypeParam::success);
  EXPECT_TRUE(copy.landed());
}

TYPED_TEST(CudaLegacyStream, OtherDevicesAreUnordered) {
  const api_gate<TypeParam> closed(nullptr);

  TypeParam::on_device(1, [] { EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success); });

  EXPECT_EQ(TypeParam::query(nullptr), TypeParam::not_ready);
}

TYPED_TEST(CudaLegacyStream, EventsCountAsWork) {
  const api_stream<TypeParam> blocking;
  const api_event<TypeParam> event;
  api_gate<TypeParam> closed(blocking);

  EXPECT_EQ(TypeParam::record(event, nullptr), TypeParam::success);

  EXPECT_EQ(TypeParam::query_event(event), TypeParam::not_ready);
  closed.open();
  EXPECT_EQ(TypeParam::synchronize_event(event), TypeParam::success);
}

// Opens the gate as soon as it blocks its stream.
template <class Api>
class opened_on_arrival {
 public:
  explicit opened_on_arrival(api_gate<Api>& gate)
      : opener_([&gate] {
          gate.wait_for_arrival();
          gate.open();
        }) {}
  ~opened_on_arrival() { opener_.join(); }
  opened_on_arrival(const opened_on_arrival&) = delete;
  opened_on_arrival& operator=(const opened_on_arrival&) = delete;

 private:
  std::thread opener_;
};

TYPED_TEST(CudaLegacyStream, QueryIncludesBlockingStreams) {
  for (const cudaStream_t legacy : {cudaStream_t{}, cudaStreamLegacy}) {
    const api_stream<TypeParam> blocking;
    api_gate<TypeParam> closed(blocking);

    EXPECT_EQ(TypeParam::query(legacy), TypeParam::not_ready);

    closed.open();
    EXPECT_EQ(TypeParam::synchronize(blocking), TypeParam::success);
    EXPECT_EQ(TypeParam::query(legacy), TypeParam::success);
  }
}

TYPED_TEST(CudaLegacyStream, QueryIncludesPerThreadStreams) {
  api_gate<TypeParam> closed(cudaStreamPerThread);

  std::thread([] {
    TypeParam::on_device(0, [] { EXPECT_EQ(TypeParam::query(nullptr), TypeParam::not_ready); });
  }).join();

  closed.open();
  EXPECT_EQ(TypeParam::synchronize(nullptr), TypeParam::success);
  EXPECT_EQ(TypeParam::query(cudaStreamPerThread), TypeParam::success);
}

TYPED_TEST(CudaLegacyStream, SynchronizeWaitsForBlockingStreams) {
  const api_stream<TypeParam> blocking;
  const test_copy<TypeParam> copy;
  api_gate<TypeParam> closed(blocking);
  copy.submit(blocking);
  const opened_on_arrival<TypeParam> opener(closed);

  EXPECT_EQ(TypeParam::synchronize(nullptr), TypeParam::success);

  EXPECT_EQ(TypeParam::query(blocking), TypeParam::success);
  EXPECT_TRUE(copy.landed());
}

TYPED_TEST(CudaLegacyStream, WaitsIgnoreNonBlockingStreams) {
  const api_stream<TypeParam> free(cudaStreamNonBlocking);
  const api_gate<TypeParam> closed(free);

  EXPECT_EQ(TypeParam::query(nullptr), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(nullptr), TypeParam::success);

  EXPECT_EQ(TypeParam::query(free), TypeParam::not_ready);
}

// A wait for the legacy stream is no work: it holds no other stream back.
TYPED_TEST(CudaLegacyStream, QueryHoldsNoStream) {
  const api_stream<TypeParam> held;
  const api_stream<TypeParam> other;
  const test_copy<TypeParam> copy;
  const api_gate<TypeParam> closed(held);

  EXPECT_EQ(TypeParam::query(nullptr), TypeParam::not_ready);

  copy.submit(other);
  EXPECT_EQ(TypeParam::synchronize(other), TypeParam::success);
}

TYPED_TEST(CudaLegacyStream, IsStreamZero) {
  EXPECT_EQ(id_of<TypeParam>(nullptr), id_of<TypeParam>(cudaStreamLegacy));
}

template <class Api>
class CudaThreadStream : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaThreadStream, cuda_apis, api_names);

TYPED_TEST(CudaThreadStream, IsABlockingStream) {
  const test_copy<TypeParam> copy;
  api_gate<TypeParam> closed(cudaStreamLegacy);

  copy.submit(cudaStreamPerThread);

  EXPECT_EQ(TypeParam::query(cudaStreamPerThread), TypeParam::not_ready);
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(cudaStreamPerThread), TypeParam::success);
  EXPECT_TRUE(copy.landed());
}

TYPED_TEST(CudaThreadStream, DoesNotWaitForOtherStreams) {
  const api_stream<TypeParam> blocking;
  const test_copy<TypeParam> copy;
  const api_gate<TypeParam> closed(blocking);

  copy.submit(cudaStreamPerThread);

  EXPECT_EQ(TypeParam::synchronize(cudaStreamPerThread), TypeParam::success);
  EXPECT_TRUE(copy.landed());
}

TYPED_TEST(CudaThreadStream, EachThreadHasOne) {
  const unsigned long long own = id_of<TypeParam>(cudaStreamPerThread);
  unsigned long long other = own;

  std::thread([&] {
    TypeParam::on_device(0, [&] { other = id_of<TypeParam>(cudaStreamPerThread); });
  }).join();

  EXPECT_NE(own, other);
}

TYPED_TEST(CudaThreadStream, PtszZeroIsPerThreadStream) {
  unsigned long long zero = 0;
  unsigned long long legacy = 0;

  EXPECT_EQ(TypeParam::stream_id_ptsz(nullptr, &zero), TypeParam::success);
  EXPECT_EQ(TypeParam::stream_id_ptsz(cudaStreamLegacy, &legacy), TypeParam::success);

  EXPECT_EQ(zero, id_of<TypeParam>(cudaStreamPerThread));
  EXPECT_EQ(legacy, id_of<TypeParam>(cudaStreamLegacy));
}

class DriverDefaultStream : public in_primary_context {};

TEST_F(DriverDefaultStream, FollowsCurrentContext) {
  CUcontext found = nullptr;

  EXPECT_EQ(cuStreamGetCtx(nullptr, &found), CUDA_SUCCESS);

  EXPECT_EQ(found, static_cast<CUcontext>(primary));
}

}  // namespace
}  // namespace convoy::test
