#include <atomic>
#include <latch>
#include <thread>

#include "support/cuda.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

template <class Api>
class CudaMemory : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaMemory, cuda_apis, api_names);

TYPED_TEST(CudaMemory, TooLargeAllocationFails) {
  void* start = nullptr;

  EXPECT_EQ(TypeParam::allocate(&start, std::size_t{1} << 60), TypeParam::out_of_memory);

  EXPECT_EQ(start, nullptr);
  EXPECT_EQ(static_cast<int>(cudaGetLastError()),
            static_cast<int>(TypeParam::last_error_after(TypeParam::out_of_memory)));
}

TYPED_TEST(CudaMemory, UsesCurrentDevice) {
  void* there = nullptr;
  TypeParam::on_device(1, [&] { must(TypeParam::allocate(&there, 64)); });

  EXPECT_EQ(TypeParam::device_of(there), 1);
  EXPECT_EQ(TypeParam::free(there), TypeParam::success);
}

TYPED_TEST(CudaMemory, MemInfoFollowsAllocations) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  void* start = nullptr;
  EXPECT_EQ(TypeParam::memory_info(&before, &total), TypeParam::success);

  must(TypeParam::allocate(&start, 8 << 20));
  EXPECT_EQ(TypeParam::memory_info(&after, &total), TypeParam::success);

  EXPECT_GE(before - after, std::size_t{8 << 20});
  EXPECT_GE(total, before);
  EXPECT_EQ(TypeParam::free(start), TypeParam::success);
}

TYPED_TEST(CudaMemory, PitchFitsTheRow) {
  void* pitched = nullptr;
  std::size_t pitch = 0;

  EXPECT_EQ(TypeParam::allocate_pitched(&pitched, &pitch, 1000, 10), TypeParam::success);

  EXPECT_GE(pitch, 1000U);
  EXPECT_EQ(pitch % 256, 0U);
  EXPECT_EQ(TypeParam::fill_rows(pitched, pitch, 0, 1000, 10), TypeParam::success);
  EXPECT_EQ(TypeParam::free(pitched), TypeParam::success);
}

TEST(CudaMalloc, ZeroSizeGivesNull) {
  void* start = &start;

  EXPECT_EQ(cudaMalloc(&start, 0), cudaSuccess);

  EXPECT_EQ(start, nullptr);
}

TEST(CudaMalloc, BoxHasItsExtent) {
  cudaPitchedPtr box = {};

  EXPECT_EQ(cudaMalloc3D(&box, make_cudaExtent(100, 4, 3)), cudaSuccess);

  EXPECT_EQ(box.xsize, 100U);
  EXPECT_EQ(box.ysize, 4U);
  EXPECT_EQ(cudaMemset3D(box, 0, make_cudaExtent(100, 4, 3)), cudaSuccess);
  EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
}

template <class Api>
class CudaFree : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaFree, cuda_apis, api_names);

TYPED_TEST(CudaFree, NullSucceeds) { EXPECT_EQ(TypeParam::free(nullptr), TypeParam::success); }

TEST(CudaFreeHost, NullSucceeds) { EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess); }

TYPED_TEST(CudaFree, DoubleAndForeignFreeAreRefused) {
  void* start = nullptr;
  int own = 0;
  must(TypeParam::allocate(&start, 64));

  EXPECT_EQ(TypeParam::free(static_cast<char*>(start) + 8), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::free(start), TypeParam::success);
  EXPECT_EQ(TypeParam::free(start), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::free(&own), TypeParam::invalid_value);
}

TYPED_TEST(CudaFree, WrongFunctionIsRefused) {
  void* device = nullptr;
  void* pinned = nullptr;
  must(TypeParam::allocate(&device, 64));
  must(TypeParam::allocate_pinned(&pinned, 64, 0));

  EXPECT_EQ(TypeParam::free_pinned(device), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::free(pinned), TypeParam::invalid_value);

  EXPECT_EQ(TypeParam::free(device), TypeParam::success);
  EXPECT_EQ(TypeParam::free_pinned(pinned), TypeParam::success);
  EXPECT_EQ(TypeParam::free_pinned(pinned), TypeParam::invalid_value);
}

TYPED_TEST(CudaFree, WaitsForWorkOfDevice) {
  const api_stream<TypeParam> stream;
  void* unrelated = nullptr;
  must(TypeParam::allocate(&unrelated, 64));
  bool ran = false;
  must(TypeParam::launch_host_function(
      stream, [](void* flag) { *static_cast<bool*>(flag) = true; }, &ran));

  EXPECT_EQ(TypeParam::free(unrelated), TypeParam::success);

  EXPECT_TRUE(ran);
}

template <class Api>
class CudaHostMemory : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaHostMemory, cuda_apis, api_names);

TYPED_TEST(CudaHostMemory, FlagsAreCheckedAndReported) {
  void* pinned = nullptr;
  unsigned flags = 0;

  EXPECT_EQ(TypeParam::allocate_pinned(&pinned, 64, 8), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::allocate_pinned(&pinned, 64, cudaHostAllocPortable), TypeParam::success);

  EXPECT_EQ(TypeParam::host_flags(&flags, pinned), TypeParam::success);
  EXPECT_EQ(flags, unsigned{cudaHostAllocPortable | cudaHostAllocMapped});
  EXPECT_EQ(TypeParam::host_flags(&flags, &flags), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::free_pinned(pinned), TypeParam::success);
}

TYPED_TEST(CudaHostMemory, PendingCopyReadsFreedMemory) {
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  const bytes contents = numbered(64);
  void* pinned = nullptr;
  must(TypeParam::allocate_pinned(&pinned, 64, 0));
  std::copy(contents.begin(), contents.end(), static_cast<unsigned char*>(pinned));
  api_gate<TypeParam> closed(nullptr);
  must(TypeParam::copy_async(target.data(), pinned, 64, nullptr));

  EXPECT_EQ(TypeParam::free_pinned(pinned), TypeParam::success);

  closed.open();
  EXPECT_EQ(TypeParam::synchronize(nullptr), TypeParam::success);
  EXPECT_EQ(target.contents(), contents);
}

TYPED_TEST(CudaHostMemory, DevicePointerIsHostPointer) {
  const api_memory<TypeParam> pinned(memory_kind::pinned, bytes(64));
  void* device = nullptr;

  EXPECT_EQ(TypeParam::device_pointer(&device, pinned.data() + 8, 0), TypeParam::success);

  EXPECT_EQ(device, pinned.data() + 8);
  EXPECT_EQ(TypeParam::device_pointer(&device, pinned.data(), 1), TypeParam::invalid_value);
}

TEST(CudaMalloc, FailureGivesNull) {
  const cuda_stream stream;
  cudaMemPool_t pool = nullptr;
  must(cudaDeviceGetDefaultMemPool(&pool, 0));
  int before = 0;
  constexpr std::size_t too_much = std::size_t{1} << 60;

  void* memory = &before;
  EXPECT_EQ(cudaMalloc(&memory, too_much), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  memory = &before;
  EXPECT_EQ(cudaMallocAsync(&memory, too_much, stream), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  memory = &before;
  EXPECT_EQ(cudaMallocFromPoolAsync(&memory, too_much, pool, stream), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
}

TEST(CudaMalloc, LargestBoxIsRefused) {
  cudaPitchedPtr memory = {};

  EXPECT_EQ(cudaMalloc3D(&memory, {SIZE_MAX, SIZE_MAX, SIZE_MAX}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3D(&memory, {1, SIZE_MAX, SIZE_MAX}), cudaErrorInvalidValue);
}

TEST(CudaChannelFormat, IsMadeFromItsParts) {
  const cudaChannelFormatDesc made =
      cudaCreateChannelDesc(8, 16, 0, 32, cudaChannelFormatKindFloat);

  EXPECT_EQ(made.x, 8);
  EXPECT_EQ(made.y, 16);
  EXPECT_EQ(made.z, 0);
  EXPECT_EQ(made.w, 32);
  EXPECT_EQ(made.f, cudaChannelFormatKindFloat);
}

template <class Api>
class CudaHostRegister : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaHostRegister, cuda_apis, api_names);

TYPED_TEST(CudaHostRegister, PinsUntilUnregistered) {
  bytes own(8192);

  EXPECT_EQ(TypeParam::register_memory(own.data(), own.size(), cudaHostRegisterPortable),
            TypeParam::success);

  EXPECT_TRUE(TypeParam::is_pinned(own.data() + 100));
  EXPECT_EQ(TypeParam::unregister_memory(own.data()), TypeParam::success);
  EXPECT_FALSE(TypeParam::is_pinned(own.data() + 100));
}

TYPED_TEST(CudaHostRegister, OverlapsFlagsAndNullAreRefused) {
  bytes own(8192);
  must(TypeParam::register_memory(own.data(), own.size(), 0));

  EXPECT_EQ(TypeParam::register_memory(own.data() + 10, 10, 0), TypeParam::already_registered);
  EXPECT_EQ(TypeParam::register_memory(nullptr, 10, 0), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::register_memory(own.data(), 0, 0), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::register_memory(own.data(), 10, 16), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::free_pinned(own.data()), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::unregister_memory(own.data()), TypeParam::success);
}

// Two threads take turns with one range: an unregistration must not remove the flags of the
// registration that the other thread makes meanwhile.
TYPED_TEST(CudaHostRegister, RacingThreadsKeepTheirFlags) {
  constexpr int rounds = 20000;
  bytes memory(4096);
  std::atomic<int> lost = 0;
  std::latch start(2);
  const auto take_turns = [&] {
    TypeParam::on_device(0, [&] {
      start.arrive_and_wait();
      for (int i = 0; i != rounds;) {
        if (TypeParam::register_memory(memory.data(), memory.size(), cudaHostRegisterPortable) !=
            TypeParam::success) {
          continue;
        }
        unsigned flags = 0;
        must(TypeParam::host_flags(&flags, memory.data()));
        if ((flags & cudaHostRegisterPortable) == 0) ++lost;
        must(TypeParam::unregister_memory(memory.data()));
        ++i;
      }
    });
  };

  std::thread other(take_turns);
  take_turns();
  other.join();

  EXPECT_EQ(lost, 0);
}

TYPED_TEST(CudaHostRegister, UnmappedPagesAreRefused) {
  const unmapped_page unmapped;
  bytes own(8192);

  EXPECT_EQ(TypeParam::register_memory(unmapped.data(), 4096, 0), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::register_memory(own.data(), std::size_t{1} << 63, 0),
            TypeParam::invalid_value);
  EXPECT_FALSE(TypeParam::is_pinned(own.data()));
}

TYPED_TEST(CudaHostRegister, ConstantPagesNeedReadOnlyFlag) {
  const unmapped_page page;
  ::mprotect(page.data(), unmapped_page::size, PROT_READ);

  EXPECT_EQ(TypeParam::register_memory(page.data(), 4096, 0), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::register_memory(page.data(), 4096, cudaHostRegisterReadOnly),
            TypeParam::success);
  EXPECT_EQ(TypeParam::unregister_memory(page.data()), TypeParam::success);
}

TYPED_TEST(CudaHostRegister, UnregisterNeedsStartOfRange) {
  bytes own(8192);
  must(TypeParam::register_memory(own.data(), own.size(), 0));

  EXPECT_EQ(TypeParam::unregister_memory(own.data() + 1), TypeParam::not_registered);
  EXPECT_EQ(TypeParam::unregister_memory(own.data()), TypeParam::success);
  EXPECT_EQ(TypeParam::unregister_memory(own.data()), TypeParam::not_registered);
}

TEST(CudaPointer, DevicePointerHasNoHostPointer) {
  const cuda_memory memory(memory_kind::device, bytes(64));

  const cudaPointerAttributes found = runtime_api::attributes_of(memory.data() + 5);

  EXPECT_EQ(found.type, cudaMemoryTypeDevice);
  EXPECT_EQ(found.device, 0);
  EXPECT_EQ(found.devicePointer, memory.data() + 5);
  EXPECT_EQ(found.hostPointer, nullptr);
}

TEST(CudaPointer, PinnedAndManagedPointersHaveBoth) {
  const cuda_memory pinned(memory_kind::pinned, bytes(64));
  const cuda_memory managed(memory_kind::managed, bytes(64));

  const cudaPointerAttributes of_pinned = runtime_api::attributes_of(pinned.data());
  const cudaPointerAttributes of_managed = runtime_api::attributes_of(managed.data());

  EXPECT_EQ(of_pinned.type, cudaMemoryTypeHost);
  EXPECT_EQ(of_pinned.hostPointer, pinned.data());
  EXPECT_EQ(of_pinned.devicePointer, pinned.data());
  EXPECT_EQ(of_managed.type, cudaMemoryTypeManaged);
  EXPECT_EQ(of_managed.hostPointer, managed.data());
}

TEST(CudaPointer, UnknownPointerIsUnregistered) {
  int own = 0;

  const cudaPointerAttributes found = runtime_api::attributes_of(&own);

  EXPECT_EQ(found.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(found.device, cudaInvalidDeviceId);
  EXPECT_EQ(found.devicePointer, nullptr);
  EXPECT_EQ(found.hostPointer, &own);
}

}  // namespace
}  // namespace convoy::test
