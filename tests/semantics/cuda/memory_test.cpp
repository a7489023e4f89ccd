#include "support/cuda.hpp"

namespace convoy::test {
namespace {

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes found = {};
  must(cudaPointerGetAttributes(&found, pointer));
  return found;
}

TEST(CudaMalloc, ZeroSizeGivesNull) {
  void* got = &got;

  EXPECT_EQ(cudaMalloc(&got, 0), cudaSuccess);

  EXPECT_EQ(got, nullptr);
}

TEST(CudaMalloc, TooLargeAllocationFails) {
  void* got = nullptr;

  EXPECT_EQ(cudaMalloc(&got, std::size_t{1} << 60), cudaErrorMemoryAllocation);

  EXPECT_EQ(got, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST(CudaMalloc, UsesCurrentDevice) {
  void* there = nullptr;
  on_device(1, [&] { must(cudaMalloc(&there, 64)); });

  EXPECT_EQ(attributes_of(there).device, 1);
  EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST(CudaMalloc, MemInfoFollowsAllocations) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  void* got = nullptr;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);

  must(cudaMalloc(&got, 8 << 20));
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);

  EXPECT_GE(before - after, std::size_t{8 << 20});
  EXPECT_GE(total, before);
  EXPECT_EQ(cudaFree(got), cudaSuccess);
}

TEST(CudaMalloc, PitchFitsTheRow) {
  void* rows = nullptr;
  std::size_t pitch = 0;
  cudaPitchedPtr box = {};

  EXPECT_EQ(cudaMallocPitch(&rows, &pitch, 1000, 10), cudaSuccess);
  EXPECT_EQ(cudaMalloc3D(&box, make_cudaExtent(100, 4, 3)), cudaSuccess);

  EXPECT_GE(pitch, 1000U);
  EXPECT_EQ(pitch % 256, 0U);
  EXPECT_EQ(cudaMemset2D(rows, pitch, 0, 1000, 10), cudaSuccess);
  EXPECT_EQ(box.xsize, 100U);
  EXPECT_EQ(box.ysize, 4U);
  EXPECT_EQ(cudaMemset3D(box, 0, make_cudaExtent(100, 4, 3)), cudaSuccess);
  EXPECT_EQ(cudaFree(rows), cudaSuccess);
  EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
}

TEST(CudaFree, NullSucceeds) {
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
}

TEST(CudaFree, DoubleAndForeignFreeAreRefused) {
  void* got = nullptr;
  int own = 0;
  must(cudaMalloc(&got, 64));

  EXPECT_EQ(cudaFree(static_cast<char*>(got) + 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(got), cudaSuccess);
  EXPECT_EQ(cudaFree(got), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(&own), cudaErrorInvalidValue);
}

TEST(CudaFree, WrongFunctionIsRefused) {
  void* device = nullptr;
  void* pinned = nullptr;
  must(cudaMalloc(&device, 64));
  must(cudaMallocHost(&pinned, 64));

  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);

  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST(CudaFree, WaitsForWorkOfDevice) {
  const cuda_stream stream;
  void* unrelated = nullptr;
  must(cudaMalloc(&unrelated, 64));
  bool ran = false;
  must(cudaLaunchHostFunc(
      stream, [](void* flag) { *static_cast<bool*>(flag) = true; }, &ran));

  EXPECT_EQ(cudaFree(unrelated), cudaSuccess);

  EXPECT_TRUE(ran);
}

TEST(CudaHostMemory, FlagsAreCheckedAndReported) {
  void* pinned = nullptr;
  unsigned flags = 0;

  EXPECT_EQ(cudaHostAlloc(&pinned, 64, 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable), cudaSuccess);

  EXPECT_EQ(cudaHostGetFlags(&flags, pinned), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaHostAllocPortable | cudaHostAllocMapped});
  EXPECT_EQ(cudaHostGetFlags(&flags, &flags), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST(CudaHostMemory, DevicePointerIsHostPointer) {
  const cuda_memory pinned(memory_kind::pinned, bytes(64));
  void* device = nullptr;

  EXPECT_EQ(cudaHostGetDevicePointer(&device, pinned.data() + 8, 0), cudaSuccess);

  EXPECT_EQ(device, pinned.data() + 8);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, pinned.data(), 1), cudaErrorInvalidValue);
}

TEST(CudaHostRegister, PinsUntilUnregistered) {
  bytes own(8192);

  EXPECT_EQ(cudaHostRegister(own.data(), own.size(), cudaHostRegisterPortable), cudaSuccess);

  EXPECT_EQ(attributes_of(own.data() + 100).type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_EQ(attributes_of(own.data() + 100).type, cudaMemoryTypeUnregistered);
}

TEST(CudaHostRegister, OverlapsFlagsAndNullAreRefused) {
  bytes own(8192);
  must(cudaHostRegister(own.data(), own.size(), 0));

  EXPECT_EQ(cudaHostRegister(own.data() + 10, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostRegister(nullptr, 10, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(own.data(), 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(own.data(), 10, 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(own.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
}

TEST(CudaHostRegister, UnregisterNeedsStartOfRange) {
  bytes own(8192);
  must(cudaHostRegister(own.data(), own.size(), 0));

  EXPECT_EQ(cudaHostUnregister(own.data() + 1), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);
}

TEST(CudaPointer, DevicePointerHasNoHostPointer) {
  const cuda_memory memory(memory_kind::device, bytes(64));

  const cudaPointerAttributes found = attributes_of(memory.data() + 5);

  EXPECT_EQ(found.type, cudaMemoryTypeDevice);
  EXPECT_EQ(found.device, 0);
  EXPECT_EQ(found.devicePointer, memory.data() + 5);
  EXPECT_EQ(found.hostPointer, nullptr);
}

TEST(CudaPointer, PinnedAndManagedPointersHaveBoth) {
  const cuda_memory pinned(memory_kind::pinned, bytes(64));
  const cuda_memory managed(memory_kind::managed, bytes(64));

  EXPECT_EQ(attributes_of(pinned.data()).type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes_of(pinned.data()).hostPointer, pinned.data());
  EXPECT_EQ(attributes_of(pinned.data()).devicePointer, pinned.data());
  EXPECT_EQ(attributes_of(managed.data()).type, cudaMemoryTypeManaged);
  EXPECT_EQ(attributes_of(managed.data()).hostPointer, managed.data());
}

TEST(CudaPointer, UnknownPointerIsUnregistered) {
  int own = 0;

  const cudaPointerAttributes found = attributes_of(&own);

  EXPECT_EQ(found.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(found.device, cudaInvalidDeviceId);
  EXPECT_EQ(found.devicePointer, nullptr);
  EXPECT_EQ(found.hostPointer, &own);
}

}  // namespace
}  // namespace convoy::test
