#include "support/cuda.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 4096;

// An asynchronous copy from memory of one kind to memory of another.
template <class Api, memory_kind From, memory_kind To>
struct route {
  using api = Api;
  static constexpr memory_kind from = From;
  static constexpr memory_kind to = To;
  static std::string name() { return std::string(Api::name) + name_of(from) + "To" + name_of(to); }

  static typename Api::result copy(void* dst, const void* src, cudaStream_t stream) {
    constexpr bool from_device = from == memory_kind::device;
    constexpr bool to_device = to == memory_kind::device;
    if (from_device && to_device) return Api::copy_on_device_async(dst, src, size, stream);
    if (from_device) return Api::copy_to_host_async(dst, src, size, stream);
    if (to_device) return Api::copy_to_device_async(dst, src, size, stream);
    return Api::copy_async(dst, src, size, stream);
  }
};

struct route_names {
  template <class Route>
  static std::string GetName(int) {
    return Route::name();
  }
};

template <class Route>
class cuda_route_test : public cuda_test<typename Route::api> {
 protected:
  const api_stream<typename Route::api> stream;
  const api_memory<typename Route::api> source{Route::from, numbered(size, 1)};
  const api_memory<typename Route::api> target{Route::to, bytes(size)};
};

template <class Route>
class CudaAsyncCopy : public cuda_route_test<Route> {};
using async_routes = testing::Types<route<runtime_api, memory_kind::pinned, memory_kind::device>,
                                    route<runtime_api, memory_kind::device, memory_kind::pinned>,
                                    route<runtime_api, memory_kind::device, memory_kind::device>,
                                    route<runtime_api, memory_kind::pageable, memory_kind::device>,
                                    route<driver_api, memory_kind::pinned, memory_kind::device>,
                                    route<driver_api, memory_kind::device, memory_kind::pinned>,
                                    route<driver_api, memory_kind::device, memory_kind::device>,
                                    route<driver_api, memory_kind::pageable, memory_kind::device>>;
TYPED_TEST_SUITE(CudaAsyncCopy, async_routes, route_names);

TYPED_TEST(CudaAsyncCopy, ReturnsBeforeLanding) {
  using api = typename TypeParam::api;
  api_gate<api> closed(this->stream);

  EXPECT_EQ(TypeParam::copy(this->target.data(), this->source.data(), this->stream), api::success);

  EXPECT_EQ(api::query(this->stream), api::not_ready);
  EXPECT_EQ(this->target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(api::synchronize(this->stream), api::success);
  EXPECT_EQ(this->target.contents(), numbered(size, 1));
}

template <class Route>
class CudaBlockingCopy : public cuda_route_test<Route> {};
using blocking_routes =
    testing::Types<route<runtime_api, memory_kind::device, memory_kind::pageable>,
                   route<runtime_api, memory_kind::pinned, memory_kind::pinned>,
                   route<runtime_api, memory_kind::pageable, memory_kind::pageable>,
                   route<runtime_api, memory_kind::pinned, memory_kind::pageable>,
                   route<driver_api, memory_kind::device, memory_kind::pageable>,
                   route<driver_api, memory_kind::pinned, memory_kind::pinned>,
                   route<driver_api, memory_kind::pageable, memory_kind::pageable>,
                   route<driver_api, memory_kind::pinned, memory_kind::pageable>>;
TYPED_TEST_SUITE(CudaBlockingCopy, blocking_routes, route_names);

TYPED_TEST(CudaBlockingCopy, LandsBeforeReturning) {
  using api = typename TypeParam::api;

  EXPECT_EQ(TypeParam::copy(this->target.data(), this->source.data(), this->stream), api::success);

  EXPECT_EQ(api::query(this->stream), api::success);
  EXPECT_EQ(this->target.contents(), numbered(size, 1));
}

template <class Api>
class CudaCopy : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaCopy, cuda_apis, api_names);

TYPED_TEST(CudaCopy, ShortPageableSourceIsReadEarly) {
  const api_stream<TypeParam> stream;
  bytes source = numbered(size, 1);
  const api_memory<TypeParam> target(memory_kind::device, bytes(size));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_to_device_async(target.data(), source.data(), size, stream),
            TypeParam::success);
  std::fill(source.begin(), source.end(), 0);
  closed.open();

  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TYPED_TEST(CudaCopy, SynchronousCopyLandsOnReturn) {
  const api_memory<TypeParam> device(memory_kind::device, bytes(size));
  const bytes source = numbered(size, 1);
  bytes found(size);

  EXPECT_EQ(TypeParam::copy_to_device(device.data(), source.data(), size), TypeParam::success);
  EXPECT_EQ(device.contents(), source);
  EXPECT_EQ(TypeParam::copy_to_host(found.data(), device.data(), size), TypeParam::success);

  EXPECT_EQ(found, source);
}

TYPED_TEST(CudaCopy, DeviceToDeviceDoesNotWait) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> source(memory_kind::device, numbered(size, 1));
  const api_memory<TypeParam> target(memory_kind::device, bytes(size));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_on_device(target.data(), source.data(), size), TypeParam::success);

  EXPECT_EQ(TypeParam::query(cudaStreamLegacy), TypeParam::not_ready);
  closed.open();
  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TYPED_TEST(CudaCopy, SynchronousCopyFollowsBlockingStreams) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> source(memory_kind::pinned, numbered(size, 1));
  const api_memory<TypeParam> between(memory_kind::device, bytes(size));
  bytes target(size);
  EXPECT_EQ(TypeParam::copy_async(between.data(), source.data(), size, stream), TypeParam::success);

  EXPECT_EQ(TypeParam::copy(target.data(), between.data(), size), TypeParam::success);

  EXPECT_EQ(target, numbered(size, 1));
}

TYPED_TEST(CudaCopy, PtdsCopyIgnoresBlockingStreams) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> target(memory_kind::device, bytes(size));
  const bytes source = numbered(size, 1);
  const api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_to_device_ptds(target.data(), source.data(), size), TypeParam::success);

  EXPECT_EQ(target.contents(), source);
}

TYPED_TEST(CudaCopy, WrongKindIsRefused) {
  const api_memory<TypeParam> device(memory_kind::device, bytes(8));
  bytes host(8);
  bytes other(8);

  EXPECT_EQ(TypeParam::copy_to_device(host.data(), device.data(), 8), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::copy_to_device(host.data(), other.data(), 8), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::copy_on_device(device.data(), host.data(), 8), TypeParam::invalid_value);
}

TYPED_TEST(CudaCopy, ZeroBytesSucceed) {
  EXPECT_EQ(TypeParam::copy(nullptr, nullptr, 0), TypeParam::success);
  EXPECT_EQ(TypeParam::copy_to_device_async(nullptr, nullptr, 0, nullptr), TypeParam::success);
}

TYPED_TEST(CudaCopy, RangeBeyondAllocationIsRefused) {
  const api_memory<TypeParam> device(memory_kind::device, bytes(8));
  bytes host(64);

  EXPECT_EQ(TypeParam::copy(nullptr, host.data(), 8), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::copy_to_device(device.data(), host.data(), 9), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::copy_to_device(device.data() + 1, host.data(), 8), TypeParam::invalid_value);
  EXPECT_EQ(device.contents(), bytes(8));
}

TEST(CudaCopyKind, UnknownKindIsRefused) {
  bytes source(8);
  bytes target(8);

  EXPECT_EQ(cudaMemcpy(target.data(), source.data(), 8, static_cast<cudaMemcpyKind>(5)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyAsync(target.data(), source.data(), 8, static_cast<cudaMemcpyKind>(7), 0),
            cudaErrorInvalidMemcpyDirection);
}

template <class Api>
class CudaRows : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaRows, cuda_apis, api_names);

TYPED_TEST(CudaRows, CopyLeavesGapsUnchanged) {
  const api_memory<TypeParam> device(memory_kind::device, bytes(4 * 16));
  const bytes source = numbered(4 * 8);

  EXPECT_EQ(TypeParam::copy_rows(device.data(), 16, source.data(), 8, 8, 4), TypeParam::success);

  bytes wanted(4 * 16);
  for (std::size_t row = 0; row != 4; ++row) {
    std::copy_n(source.begin() + row * 8, 8, wanted.begin() + row * 16);
  }
  EXPECT_EQ(device.contents(), wanted);
}

TYPED_TEST(CudaRows, ShortPitchIsRefused) {
  const api_memory<TypeParam> device(memory_kind::device, bytes(64));
  bytes host(64);

  EXPECT_EQ(TypeParam::copy_rows(device.data(), 7, host.data(), 8, 8, 4), TypeParam::invalid_pitch);
  EXPECT_EQ(TypeParam::copy_rows(device.data(), 8, host.data(), 7, 8, 4), TypeParam::invalid_pitch);
  EXPECT_EQ(TypeParam::copy_rows(device.data(), std::size_t{1} << 31, host.data(), 8, 8, 4),
            TypeParam::invalid_value);
  EXPECT_EQ(device.contents(), bytes(64));
}

TYPED_TEST(CudaRows, ShortPageableSourceIsReadEarly) {
  const api_stream<TypeParam> stream;
  bytes source = numbered(96);
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_rows_async(target.data(), 16, source.data(), 24, 16, 4, stream),
            TypeParam::success);
  std::fill(source.begin(), source.end(), 0);
  EXPECT_EQ(TypeParam::query(stream), TypeParam::not_ready);
  closed.open();

  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  const bytes all = numbered(96);
  bytes wanted;
  for (int row = 0; row != 4; ++row) {
    wanted.insert(wanted.end(), all.begin() + row * 24, all.begin() + row * 24 + 16);
  }
  EXPECT_EQ(target.contents(), wanted);
}

TYPED_TEST(CudaRows, StagedRowsStayInTheirAllocation) {
  const api_stream<TypeParam> stream;
  const bytes source = numbered(96);
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  const api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_rows_async(target.data(), 16, source.data(), 16, 16, 5, stream),
            TypeParam::invalid_value);
}

TYPED_TEST(CudaRows, DeviceToDeviceDoesNotWait) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> source(memory_kind::device, numbered(64));
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_rows_async(target.data(), 16, source.data(), 16, 16, 4, stream),
            TypeParam::success);

  EXPECT_EQ(target.contents(), bytes(64));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
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

// Memory and a stream of device 1, and a source on device 0.
template <class Api>
class CudaPeerCopy : public cuda_test<Api> {
 protected:
  CudaPeerCopy() {
    Api::on_device(1, [this] {
      must(Api::allocate(&far, size));
      must(Api::create_stream(&far_stream, 0));
    });
    copy_aside<Api>(far, bytes(size).data(), size);
  }
  ~CudaPeerCopy() override {
    Api::destroy_stream(far_stream);
    Api::free(far);
  }
  [[nodiscard]] bytes far_contents() const { return read_memory<Api>(far, size); }

  const api_memory<Api> source{memory_kind::device, numbered(size)};
  void* far = nullptr;
  cudaStream_t far_stream = nullptr;
};
TYPED_TEST_SUITE(CudaPeerCopy, cuda_apis, api_names);

TYPED_TEST(CudaPeerCopy, NeedsNoPeerAccess) {
  EXPECT_EQ(TypeParam::copy_peer(this->far, 1, this->source.data(), 0, size), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);
  EXPECT_EQ(this->far_contents(), numbered(size));
}

TYPED_TEST(CudaPeerCopy, FollowsOrderOfBothDevices) {
  api_gate<TypeParam> closed(this->far_stream);

  EXPECT_EQ(TypeParam::copy_peer(this->far, 1, this->source.data(), 0, size), TypeParam::success);

  EXPECT_EQ(this->far_contents(), bytes(size));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);
  EXPECT_EQ(this->far_contents(), numbered(size));
}

TYPED_TEST(CudaPeerCopy, PlainCopyFollowsOrderOfOwner) {
  const api_memory<TypeParam> found(memory_kind::pinned, bytes(size));
  api_gate<TypeParam> closed(this->far_stream);
  must(TypeParam::fill_async(this->far, 7, size, this->far_stream));

  EXPECT_EQ(TypeParam::copy_async(found.data(), this->far, size, nullptr), TypeParam::success);

  closed.open();
  EXPECT_EQ(TypeParam::synchronize(nullptr), TypeParam::success);
  EXPECT_EQ(found.contents(), bytes(size, 7));
}

TYPED_TEST(CudaPeerCopy, OwnerWaitsForPlainCopy) {
  const api_stream<TypeParam> here;
  const api_memory<TypeParam> found(memory_kind::pinned, bytes(size));
  api_gate<TypeParam> closed(here);
  EXPECT_EQ(TypeParam::copy_async(this->far, this->source.data(), size, nullptr),
            TypeParam::success);

  EXPECT_EQ(TypeParam::copy_async(found.data(), this->far, size, this->far_stream),
            TypeParam::success);

  EXPECT_EQ(TypeParam::query(this->far_stream), TypeParam::not_ready);
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(this->far_stream), TypeParam::success);
  EXPECT_EQ(found.contents(), numbered(size));
}

TYPED_TEST(CudaPeerCopy, RunsInStreamOrder) {
  const api_stream<TypeParam> stream;
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::copy_peer_async(this->far, 1, this->source.data(), 0, size, stream),
            TypeParam::success);

  EXPECT_EQ(this->far_contents(), bytes(size));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(this->far_contents(), numbered(size));
}

TEST(CudaPeerDevice, UnknownDeviceIsRefused) {
  const cuda_memory source(memory_kind::device, numbered(size));

  EXPECT_EQ(cudaMemcpyPeer(source.data(), 99, source.data(), 0, 8), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemcpyPeerAsync(source.data(), 0, source.data(), -1, 8, nullptr),
            cudaErrorInvalidDevice);
}

template <class Api>
class CudaFill : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaFill, cuda_apis, api_names);

TYPED_TEST(CudaFill, RunsInStreamOrder) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> target(memory_kind::device, bytes(size));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::fill_async(target.data(), 0x1A7, size, stream), TypeParam::success);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(target.contents(), bytes(size, 0xA7));
}

TYPED_TEST(CudaFill, DefaultStreamFillDoesNotWait) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> target(memory_kind::device, bytes(size));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::fill(target.data(), 7, size), TypeParam::success);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);
  EXPECT_EQ(target.contents(), bytes(size, 7));
}

TYPED_TEST(CudaFill, PinnedMemoryIsFilledOnReturn) {
  const api_memory<TypeParam> target(memory_kind::pinned, bytes(size));

  EXPECT_EQ(TypeParam::fill(target.data(), 7, size), TypeParam::success);

  EXPECT_EQ(bytes(target.data(), target.data() + size), bytes(size, 7));
}

TYPED_TEST(CudaFill, RowsLeaveGapsUnchanged) {
  const api_memory<TypeParam> target(memory_kind::device, bytes(32));

  EXPECT_EQ(TypeParam::fill_rows(target.data(), 8, 9, 3, 4), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);

  bytes wanted(32);
  for (std::size_t row = 0; row != 4; ++row) std::fill_n(wanted.begin() + row * 8, 3, 9);
  EXPECT_EQ(target.contents(), wanted);
}

TYPED_TEST(CudaFill, ShortPitchIsRefused) {
  const api_memory<TypeParam> target(memory_kind::device, bytes(32));

  EXPECT_EQ(TypeParam::fill_rows(target.data(), 2, 9, 3, 4), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::fill_rows(target.data(), 8, 9, SIZE_MAX, 4), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::fill_rows(target.data(), 8, 9, 3, SIZE_MAX), TypeParam::invalid_value);
  EXPECT_EQ(target.contents(), bytes(32));
}

TEST(CudaFillBox, LargestExtentsAreRefused) {
  const cuda_memory target(memory_kind::device, bytes(64));
  const cudaPitchedPtr memory{target.data(), 8, 8, 4};

  EXPECT_EQ(cudaMemset3D(memory, 9, {SIZE_MAX, SIZE_MAX, SIZE_MAX}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset3D(memory, 9, {9, 1, 2}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset3D(memory, 9, {8, 4, 2}), cudaSuccess);
}

TYPED_TEST(CudaFill, PageableMemoryIsRefused) {
  bytes pageable(8);

  EXPECT_EQ(TypeParam::fill(pageable.data(), 1, 8), TypeParam::invalid_value);
  EXPECT_EQ(pageable, bytes(8));
}

}  // namespace
}  // namespace convoy::test
