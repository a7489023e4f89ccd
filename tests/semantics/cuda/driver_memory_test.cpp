#include <thread>

#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 4096;

template <class T>
T attribute(CUpointer_attribute name, CUdeviceptr pointer) {
  T found = {};
  EXPECT_EQ(cuPointerGetAttribute(&found, name, pointer), CUDA_SUCCESS) << name;
  return found;
}

class DriverMemory : public in_primary_context {};

TEST_F(DriverMemory, ZeroSizeIsRefused) {
  CUdeviceptr got = 0;
  void* host = nullptr;

  EXPECT_EQ(cuMemAlloc(&got, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocHost(&host, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocManaged(&got, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, PoolsAllocateZeroBytes) {
  const driver_stream stream;
  CUmemoryPool pool = nullptr;
  CUdeviceptr got = 1;
  must(cuDeviceGetDefaultMemPool(&pool, 0));

  EXPECT_EQ(cuMemAllocFromPoolAsync(&got, 0, pool, stream), CUDA_SUCCESS);

  EXPECT_EQ(got, 0U);
  EXPECT_EQ(cuMemFreeAsync(got, stream), CUDA_SUCCESS);
}

TEST_F(DriverMemory, FailureGivesNull) {
  CUdeviceptr got = 1;

  EXPECT_EQ(cuMemAlloc(&got, std::size_t{1} << 60), CUDA_ERROR_OUT_OF_MEMORY);

  EXPECT_EQ(got, 0U);
}

TEST_F(DriverMemory, GranularityIsReported) {
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  std::size_t granularity = 0;

  EXPECT_EQ(cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  EXPECT_EQ(granularity, std::size_t{2} << 20);
  prop.location.id = 99;
  EXPECT_EQ(cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuMemGetAllocationGranularity(&granularity, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, AddressRangeIsReported) {
  const driver_memory memory{bytes(size)};
  CUdeviceptr base = 0;
  std::size_t found = 0;

  EXPECT_EQ(cuMemGetAddressRange(&base, &found, memory + 100), CUDA_SUCCESS);

  EXPECT_EQ(base, CUdeviceptr{memory});
  EXPECT_EQ(found, size);
}

TEST_F(DriverMemory, PageableMemoryHasNoRange) {
  bytes pageable(size);
  CUdeviceptr base = 0;

  EXPECT_EQ(cuMemGetAddressRange(&base, nullptr, address(pageable.data())), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverMemory, PitchElementSizeIsChecked) {
  CUdeviceptr pitched = 0;
  std::size_t pitch = 0;

  EXPECT_EQ(cuMemAllocPitch(&pitched, &pitch, 100, 8, 3), CUDA_ERROR_INVALID_VALUE);
}

class DriverPointers : public in_primary_context {};

TEST_F(DriverPointers, DevicePointerReportsItsAllocation) {
  const driver_memory memory{bytes(size)};
  const CUdeviceptr inside = memory + 8;

  EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, inside),
            unsigned{CU_MEMORYTYPE_DEVICE});
  EXPECT_EQ(attribute<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, inside),
            static_cast<CUcontext>(primary));
  EXPECT_EQ(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, inside), inside);
  EXPECT_EQ(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside),
            CUdeviceptr{memory});
  EXPECT_EQ(attribute<std::size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside), size);
  EXPECT_EQ(attribute<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, inside), 0);
  EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_IS_MANAGED, inside), 0U);
  EXPECT_EQ(attribute<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, inside), nullptr);
}

TEST_F(DriverPointers, DevicePointerHasNoHostPointer) {
  const driver_memory memory{bytes(size)};
  void* host = nullptr;

  EXPECT_EQ(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverPointers, PinnedPointerIsSharedByAll) {
  const driver_pinned memory{bytes(size)};

  EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory),
            unsigned{CU_MEMORYTYPE_HOST});
  EXPECT_EQ(attribute<void*>(CU_POINTER_ATTRIBUTE_HOST_POINTER, memory), memory.data());
  EXPECT_EQ(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory),
            CUdeviceptr{memory});
}

TEST_F(DriverPointers, ManagedPointerIsReported) {
  CUdeviceptr memory = 0;
  must(cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL));

  EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_IS_MANAGED, memory), 1U);
  EXPECT_EQ(attribute<void*>(CU_POINTER_ATTRIBUTE_HOST_POINTER, memory), pointer(memory));

  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
}

TEST_F(DriverPointers, BufferIdIsUnique) {
  const driver_memory first{bytes(size)};
  const driver_memory second{bytes(size)};

  EXPECT_NE(attribute<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, first),
            attribute<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, second));
}

TEST_F(DriverPointers, PageablePointerIsRefused) {
  bytes pageable(size);
  unsigned type = 0;

  EXPECT_EQ(
      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pageable.data())),
      CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverPointers, PageablePointerInListReportsZero) {
  bytes pageable(size);
  unsigned type = 7;
  CUcontext context = primary;
  CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT};
  void* into[] = {&type, &context};

  EXPECT_EQ(cuPointerGetAttributes(2, names, into, address(pageable.data())), CUDA_SUCCESS);

  EXPECT_EQ(type, 0U);
  EXPECT_EQ(context, nullptr);
}

TEST_F(DriverPointers, SyncMemopsIsStored) {
  const driver_memory memory{bytes(size)};
  const unsigned yes = 1;

  EXPECT_EQ(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), CUDA_SUCCESS);

  EXPECT_EQ(attribute<unsigned>(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), 1U);
}

// Whether calls without a stream wait for the copy or fill that they submit.
class DriverSyncMemops : public in_primary_context {
 protected:
  void set_sync_memops(CUdeviceptr memory, unsigned value) {
    must(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  }

  // Makes the call while the legacy stream is held by a gate that another thread opens. True when
  // no work of the stream is pending after the call.
  template <class Call>
  bool waits(const Call& call) {
    driver_gate closed(CU_STREAM_LEGACY);
    std::thread opener([&] {
      closed.wait_for_arrival();
      closed.open();
    });
    call();
    const bool empty = cuStreamQuery(CU_STREAM_LEGACY) == CUDA_SUCCESS;
    opener.join();
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    return empty;
  }

  const driver_memory one{bytes(size)};
  const driver_memory other{bytes(size)};
};

TEST_F(DriverSyncMemops, CopyFromMarkedMemoryWaits) {
  set_sync_memops(one, 1);

  EXPECT_TRUE(waits([&] { EXPECT_EQ(cuMemcpyDtoD(other, one, size), CUDA_SUCCESS); }));
}

TEST_F(DriverSyncMemops, CopyIntoMarkedMemoryWaits) {
  set_sync_memops(one + size / 2, 1);

  EXPECT_TRUE(waits([&] {
    EXPECT_EQ(cudaMemcpy(pointer(one + 64), pointer(other), size - 64, cudaMemcpyDeviceToDevice),
              cudaSuccess);
  }));
}

TEST_F(DriverSyncMemops, FillWaits) {
  set_sync_memops(one, 1);

  EXPECT_TRUE(waits([&] { EXPECT_EQ(cuMemsetD8(one, 1, size), CUDA_SUCCESS); }));
}

TEST_F(DriverSyncMemops, PeerCopyWaits) {
  set_sync_memops(one, 1);

  EXPECT_TRUE(
      waits([&] { EXPECT_EQ(cuMemcpyPeer(one, primary, other, primary, size), CUDA_SUCCESS); }));
}

TEST_F(DriverSyncMemops, StreamCopyDoesNotWait) {
  const driver_stream stream;
  set_sync_memops(one, 1);
  driver_gate closed(stream);

  EXPECT_EQ(cuMemcpyDtoDAsync(one, other, size, stream), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
}

TEST_F(DriverSyncMemops, UnmarkedMemoryDoesNotWait) {
  set_sync_memops(one, 1);
  set_sync_memops(one, 0);
  driver_gate closed(CU_STREAM_LEGACY);

  EXPECT_EQ(cuMemcpyDtoD(one, other, size), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamQuery(CU_STREAM_LEGACY), CUDA_ERROR_NOT_READY);
  closed.open();
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(DriverSyncMemops, ContextFlagMakesCopiesWait) {
  must(cuCtxSetFlags(CU_CTX_SYNC_MEMOPS));

  EXPECT_TRUE(waits([&] { EXPECT_EQ(cuMemcpyDtoD(one, other, size), CUDA_SUCCESS); }));

  must(cuCtxSetFlags(0));
}

class DriverPools : public in_primary_context {
 protected:
  const driver_stream stream;
};

TEST_F(DriverPools, PointerReportsItsPool) {
  CUmemoryPool pool = nullptr;
  CUdeviceptr got = 0;
  must(cuDeviceGetDefaultMemPool(&pool, 0));
  must(cuMemAllocAsync(&got, size, stream));

  EXPECT_EQ(attribute<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, got), pool);

  EXPECT_EQ(cuMemFree(got), CUDA_SUCCESS);
}

TEST_F(DriverPools, AttributesAreStored) {
  CUmemoryPool pool = nullptr;
  cuuint64_t threshold = 1 << 20;
  cuuint64_t found = 0;
  must(cuDeviceGetDefaultMemPool(&pool, 0));

  EXPECT_EQ(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold),
            CUDA_SUCCESS);
  EXPECT_EQ(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &found), CUDA_SUCCESS);

  EXPECT_EQ(found, threshold);
}

TEST_F(DriverPools, PoolCanBeChosenForDevice) {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr;
  CUmemoryPool found = nullptr;
  must(cuMemPoolCreate(&pool, &properties));

  EXPECT_EQ(cuDeviceSetMemPool(0, pool), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetMemPool(&found, 0), CUDA_SUCCESS);
  EXPECT_EQ(found, pool);
  EXPECT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);

  EXPECT_EQ(cuDeviceGetMemPool(&found, 0), CUDA_SUCCESS);
  EXPECT_NE(found, pool);
}

class DriverManaged : public in_primary_context {};

TEST_F(DriverManaged, AdviceIsStored) {
  CUdeviceptr memory = 0;
  int mostly = 0;
  must(cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL));

  EXPECT_EQ(
      cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_READ_MOSTLY, {CU_MEM_LOCATION_TYPE_DEVICE, 0}),
      CUDA_SUCCESS);
  EXPECT_EQ(cuMemRangeGetAttribute(&mostly, sizeof mostly, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                   memory, size),
            CUDA_SUCCESS);

  EXPECT_EQ(mostly, 1);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
}

TEST_F(DriverManaged, PrefetchLocationIsStored) {
  CUdeviceptr memory = 0;
  int location = -2;
  const driver_stream stream;
  must(cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL));

  EXPECT_EQ(cuMemPrefetchAsync(memory, size, {CU_MEM_LOCATION_TYPE_DEVICE, 1}, 0, stream),
            CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRangeGetAttribute(&location, sizeof location,
                                   CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory, size),
            CUDA_SUCCESS);

  EXPECT_EQ(location, 1);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
}

}  // namespace
}  // namespace convoy::test
