#include <atomic>
#include <latch>
#include <thread>

#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

cudaMemPoolProps on(int device) {
  cudaMemPoolProps made = {};
  made.allocType = cudaMemAllocationTypePinned;
  made.location = {cudaMemLocationTypeDevice, device};
  return made;
}

class CudaPool : public testing::Test {
 protected:
  CudaPool() {
    const cudaMemPoolProps props = on(0);
    must(cudaMemPoolCreate(&pool, &props));
  }
  ~CudaPool() override { cudaMemPoolDestroy(pool); }

  [[nodiscard]] unsigned long long attribute(cudaMemPoolAttr name) const {
    unsigned long long value = 0;
    must(cudaMemPoolGetAttribute(pool, name, &value));
    return value;
  }
  void* allocate(std::size_t size) {
    void* got = nullptr;
    must(cudaMallocFromPoolAsync(&got, size, pool, stream));
    return got;
  }

  const cuda_stream stream;
  cudaMemPool_t pool = nullptr;
};

template <class Api>
class CudaMallocAsync : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaMallocAsync, cuda_apis, api_names);

TYPED_TEST(CudaMallocAsync, MemoryServesFollowingWork) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> source(memory_kind::pinned, numbered(64));
  const api_memory<TypeParam> back(memory_kind::pinned, bytes(64));
  void* start = nullptr;
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::allocate_async(&start, 64, stream), TypeParam::success);
  EXPECT_EQ(TypeParam::copy_async(start, source.data(), 64, stream), TypeParam::success);
  EXPECT_EQ(TypeParam::copy_async(back.data(), start, 64, stream), TypeParam::success);
  EXPECT_EQ(TypeParam::free_async(start, stream), TypeParam::success);

  closed.open();
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(back.contents(), numbered(64));
}

TYPED_TEST(CudaMallocAsync, UsesDeviceOfStream) {
  cudaStream_t there = nullptr;
  void* start = nullptr;
  TypeParam::on_device(1, [&] { must(TypeParam::create_stream(&there, 0)); });

  EXPECT_EQ(TypeParam::allocate_async(&start, 64, there), TypeParam::success);

  EXPECT_EQ(TypeParam::device_of(start), 1);
  EXPECT_EQ(TypeParam::free_async(start, there), TypeParam::success);
  EXPECT_EQ(TypeParam::destroy_stream(there), TypeParam::success);
}

template <class Api>
class CudaFreeAsync : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaFreeAsync, cuda_apis, api_names);

TYPED_TEST(CudaFreeAsync, DoesNotWait) {
  const api_stream<TypeParam> stream;
  void* start = nullptr;
  must(TypeParam::allocate_async(&start, 64, stream));
  const api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::free_async(start, stream), TypeParam::success);

  EXPECT_EQ(TypeParam::query(stream), TypeParam::not_ready);
  EXPECT_EQ(TypeParam::free_async(start, stream), TypeParam::invalid_value);
}

TYPED_TEST(CudaFreeAsync, MayMixWithCudaFree) {
  const api_stream<TypeParam> stream;
  void* plain = nullptr;
  void* ordered = nullptr;
  must(TypeParam::allocate(&plain, 64));
  must(TypeParam::allocate_async(&ordered, 64, stream));

  EXPECT_EQ(TypeParam::free_async(plain, stream), TypeParam::success);
  EXPECT_EQ(TypeParam::free(ordered), TypeParam::success);
}

// Four threads allocate and free at once: the addresses that one frees the others get next.
TYPED_TEST(CudaFreeAsync, ThreadsNeverLoseAPointer) {
  constexpr int threads = 4;
  constexpr int rounds = 10000;
  std::atomic<int> refused = 0;
  std::latch start(threads);
  const auto allocate_and_free = [&] {
    TypeParam::on_device(0, [&] {
      const api_stream<TypeParam> stream(cudaStreamNonBlocking);
      start.arrive_and_wait();
      for (int i = 0; i != rounds; ++i) {
        void* memory = nullptr;
        must(TypeParam::allocate_async(&memory, 64, stream));
        if (TypeParam::free_async(memory, stream) != TypeParam::success) ++refused;
      }
    });
  };

  std::vector<std::thread> team;
  for (int i = 0; i != threads; ++i) team.emplace_back(allocate_and_free);
  for (std::thread& each : team) each.join();

  EXPECT_EQ(refused, 0);
}

TEST_F(CudaPool, UsedAndReservedAreCounted) {
  void* const got = allocate(3 * mebibyte);

  EXPECT_EQ(attribute(cudaMemPoolAttrUsedMemCurrent), 3 * mebibyte);
  EXPECT_EQ(attribute(cudaMemPoolAttrReservedMemCurrent), 32 * mebibyte);
  must(cudaFreeAsync(got, stream));
  EXPECT_EQ(attribute(cudaMemPoolAttrUsedMemCurrent), 0U);
  EXPECT_EQ(attribute(cudaMemPoolAttrUsedMemHigh), 3 * mebibyte);
}

TEST_F(CudaPool, SynchronizeReleasesAboveThreshold) {
  must(cudaFreeAsync(allocate(mebibyte), stream));
  EXPECT_EQ(attribute(cudaMemPoolAttrReservedMemCurrent), 32 * mebibyte);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);

  EXPECT_EQ(attribute(cudaMemPoolAttrReservedMemCurrent), 0U);
}

TEST_F(CudaPool, ThresholdKeepsReserve) {
  unsigned long long everything = ~0ULL;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything),
            cudaSuccess);
  must(cudaFreeAsync(allocate(mebibyte), stream));

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(attribute(cudaMemPoolAttrReservedMemCurrent), 32 * mebibyte);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);

  EXPECT_EQ(attribute(cudaMemPoolAttrReservedMemCurrent), 0U);
}

TEST_F(CudaPool, AttributesHaveTheirDefaults) {
  int reuse = 0;

  for (int number = cudaMemPoolReuseFollowEventDependencies;
       number <= cudaMemPoolReuseAllowInternalDependencies; ++number) {
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(number), &reuse),
              cudaSuccess);
    EXPECT_EQ(reuse, 1);
  }
  EXPECT_EQ(attribute(cudaMemPoolAttrReleaseThreshold), 0U);
}

TEST_F(CudaPool, HighWatermarksCanOnlyBeReset) {
  unsigned long long zero = 0;
  unsigned long long one = 1;
  must(cudaFreeAsync(allocate(mebibyte), stream));

  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero), cudaSuccess);

  EXPECT_EQ(attribute(cudaMemPoolAttrUsedMemHigh), 0U);
}

TEST_F(CudaPool, PoolCanBeChosenForDevice) {
  cudaMemPool_t default_pool = nullptr;
  cudaMemPool_t current = nullptr;
  must(cudaDeviceGetDefaultMemPool(&default_pool, 0));

  EXPECT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, pool);
  EXPECT_EQ(cudaDeviceSetMemPool(1, pool), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);

  EXPECT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, default_pool);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
}

TEST_F(CudaPool, DefaultPoolCannotBeDestroyed) {
  cudaMemPool_t default_pool = nullptr;
  must(cudaDeviceGetDefaultMemPool(&default_pool, 0));

  EXPECT_EQ(cudaMemPoolDestroy(default_pool), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&default_pool, 99), cudaErrorInvalidDevice);
}

TEST_F(CudaPool, PeerAccessCanBeGranted) {
  cudaMemLocation other = {cudaMemLocationTypeDevice, 1};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtReadWrite;
  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &other), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtNone);

  const cudaMemAccessDesc given = {other, cudaMemAccessFlagsProtReadWrite};
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &given, 1), cudaSuccess);

  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &other), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
}

TEST_F(CudaPool, AccessOfUnknownDeviceIsRefused) {
  cudaMemLocation unknown = {cudaMemLocationTypeDevice, 99};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  const cudaMemAccessDesc given = {unknown, cudaMemAccessFlagsProtReadWrite};
  cudaMemPool_t found = nullptr;

  EXPECT_EQ(cudaMemPoolSetAccess(pool, &given, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &unknown), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetMemPool(&found, 99), cudaErrorInvalidValue);
  must(cuInit(0));
  EXPECT_EQ(cuDeviceGetMemPool(&found, 99), CUDA_ERROR_INVALID_VALUE);
}

// Copies of a stream on device 1 into the pool of device 0.
TEST_F(CudaPool, CopyOfOtherDeviceNeedsAccess) {
  void* const target = allocate(64);
  must(cudaStreamSynchronize(stream));
  cudaStream_t there = nullptr;
  on_device(1, [&] { must(cudaStreamCreate(&there)); });
  const cuda_memory source(memory_kind::pinned, numbered(64));

  EXPECT_EQ(cudaMemcpyAsync(target, source.data(), 64, cudaMemcpyDefault, there),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DAsync(target, 8, source.data(), 8, 8, 8, cudaMemcpyDefault, there),
            cudaErrorInvalidValue);
  EXPECT_EQ(cuMemcpyHtoDAsync(address(target), source.data(), 64, there), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaMemcpyPeerAsync(target, 0, source.data(), 1, 64, there), cudaSuccess);
  const cudaMemAccessDesc given = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  must(cudaMemPoolSetAccess(pool, &given, 1));
  EXPECT_EQ(cudaMemcpyAsync(target, source.data(), 64, cudaMemcpyDefault, there), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(there), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(there), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(target, stream), cudaSuccess);
}

TEST_F(CudaPool, ExportNeedsHandleType) {
  int handle = -1;

  EXPECT_EQ(
      cudaMemPoolExportToShareableHandle(&handle, pool, cudaMemHandleTypePosixFileDescriptor, 0),
      cudaErrorInvalidValue);
  EXPECT_EQ(
      cuMemPoolExportToShareableHandle(&handle, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
      CUDA_ERROR_INVALID_VALUE);
}

TYPED_TEST(CudaMallocAsync, ZeroBytesGiveNull) {
  const api_stream<TypeParam> stream;
  void* start = &start;

  EXPECT_EQ(TypeParam::allocate_async(&start, 0, stream), TypeParam::success);

  EXPECT_EQ(start, nullptr);
  EXPECT_EQ(TypeParam::free_async(start, stream), TypeParam::success);
}

TEST_F(CudaPool, OwnAccessCannotBeRevoked) {
  cudaMemLocation own = {cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  const cudaMemAccessDesc taken = {own, cudaMemAccessFlagsProtNone};

  EXPECT_NE(cudaMemPoolSetAccess(pool, &taken, 1), cudaSuccess);

  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &own), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
}

TEST(CudaPoolLocation, MayBeHostOrManaged) {
  const cuda_stream stream;
  cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  cudaMemPool_t pool = nullptr;
  void* got = nullptr;
  cudaPointerAttributes found = {};

  EXPECT_EQ(cudaMemGetDefaultMemPool(&pool, &host, cudaMemAllocationTypePinned), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&got, 64, pool, stream), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&found, got), cudaSuccess);
  EXPECT_EQ(found.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaFreeAsync(got, stream), cudaSuccess);

  EXPECT_EQ(cudaMemGetMemPool(&pool, &host, cudaMemAllocationTypeManaged), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&got, 64, pool, stream), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&found, got), cudaSuccess);
  EXPECT_EQ(found.type, cudaMemoryTypeManaged);
  EXPECT_EQ(cudaFreeAsync(got, stream), cudaSuccess);
}

TEST(CudaPoolSize, IsNotExceeded) {
  const cuda_stream stream;
  cudaMemPoolProps props = on(0);
  props.maxSize = 4 * mebibyte;
  cudaMemPool_t pool = nullptr;
  void* first = nullptr;
  void* second = nullptr;
  must(cudaMemPoolCreate(&pool, &props));

  EXPECT_EQ(cudaMallocFromPoolAsync(&first, 3 * mebibyte, pool, stream), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&second, 2 * mebibyte, pool, stream),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&second, 2 * mebibyte, pool, stream), cudaSuccess);

  EXPECT_EQ(cudaFreeAsync(second, stream), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
}

TEST(CudaPoolSharing, IsReportedAsUnsupported) {
  int types = -1;
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props = on(0);
  props.handleTypes = cudaMemHandleTypePosixFileDescriptor;

  EXPECT_EQ(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0),
            cudaSuccess);
  EXPECT_EQ(types, cudaMemHandleTypeNone);
  EXPECT_EQ(cudaMemPoolCreate(&pool, &props), cudaErrorNotSupported);
}

TEST(CudaPoolHandle, UnknownPoolIsRefused) {
  void* got = nullptr;
  const auto never = reinterpret_cast<cudaMemPool_t>(0x5550);
  int value = 0;

  EXPECT_EQ(cudaMallocFromPoolAsync(&got, 64, never, cudaStreamPerThread), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolGetAttribute(nullptr, cudaMemPoolReuseAllowOpportunistic, &value),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace convoy::test
