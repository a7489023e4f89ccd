#include <unistd.h>

#include "support/cuda.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 256 << 10;
constexpr cudaMemLocation first_device{cudaMemLocationTypeDevice, 0};
constexpr cudaMemLocation second_device{cudaMemLocationTypeDevice, 1};
constexpr cudaMemLocation the_host{cudaMemLocationTypeHost, 0};

class CudaManaged : public testing::Test {
 protected:
  [[nodiscard]] int attribute(cudaMemRangeAttribute name, std::size_t from = 0,
                              std::size_t count = size) const {
    int value = -77;
    must(cudaMemRangeGetAttribute(&value, sizeof value, name, memory.data() + from, count));
    return value;
  }

  const cuda_stream stream;
  const cuda_memory memory{memory_kind::managed, bytes(size)};
};

TEST(CudaMallocManaged, FlagsAndSizeAreChecked) {
  void* got = nullptr;

  EXPECT_EQ(cudaMallocManaged(&got, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&got, 64, cudaMemAttachSingle), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&got, 64, cudaMemAttachHost), cudaSuccess);
  EXPECT_EQ(cudaFree(got), cudaSuccess);
}

TEST_F(CudaManaged, HostAndDevicesShareIt) {
  memory.data()[5] = 42;
  const cuda_memory device(memory_kind::device, bytes(size));

  EXPECT_EQ(cudaMemcpy(device.data(), memory.data(), size, cudaMemcpyDefault), cudaSuccess);

  EXPECT_EQ(device.contents()[5], 42);
}

TEST_F(CudaManaged, AdviceIsStoredPerRange) {
  EXPECT_EQ(cudaMemAdvise(memory.data(), size / 2, cudaMemAdviseSetReadMostly, the_host),
            cudaSuccess);

  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 0, size / 2), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, size / 2, size / 2), 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly), 0);
  EXPECT_EQ(cudaMemAdvise(memory.data(), size, cudaMemAdviseUnsetReadMostly, the_host),
            cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 0, size / 2), 0);
}

TEST_F(CudaManaged, AdviceCoversWholePages) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t first =
      page - reinterpret_cast<std::uintptr_t>(memory.data()) % page;  // of the next page

  EXPECT_EQ(cudaMemAdvise(memory.data() + first + 100, 1, cudaMemAdviseSetReadMostly, the_host),
            cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(memory.data() + first + 100, 1, second_device, 0, stream),
            cudaSuccess);

  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, first, page), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation, first, page), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, first + page, 1), 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, first - 1, 1), 0);
}

TEST_F(CudaManaged, PreferredLocationIsStored) {
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);

  EXPECT_EQ(cudaMemAdvise(memory.data(), size, cudaMemAdviseSetPreferredLocation, second_device),
            cudaSuccess);

  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeDevice);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocationId), 1);
}

TEST_F(CudaManaged, AccessedByIsStored) {
  EXPECT_EQ(cudaMemAdvise(memory.data(), size, cudaMemAdviseSetAccessedBy, second_device),
            cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(memory.data(), size, cudaMemAdviseSetAccessedBy, the_host), cudaSuccess);

  int by[3] = {};
  EXPECT_EQ(
      cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, memory.data(), size),
      cudaSuccess);

  EXPECT_EQ(by[0], 1);
  EXPECT_EQ(by[1], cudaCpuDeviceId);
  EXPECT_EQ(by[2], cudaInvalidDeviceId);
}

TEST_F(CudaManaged, PrefetchLocationIsStored) {
  EXPECT_EQ(cudaMemPrefetchAsync(memory.data(), size, second_device, 0, stream), cudaSuccess);

  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation), 1);
  EXPECT_EQ(cudaMemPrefetchAsync(memory.data(), size, the_host, 0, stream), cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation), cudaCpuDeviceId);
}

TEST_F(CudaManaged, PrefetchBatchStoresLocations) {
  void* starts[] = {memory.data(), memory.data() + size / 2};
  std::size_t sizes[] = {size / 2, size / 2};
  cudaMemLocation locations[] = {second_device, first_device};
  std::size_t firsts[] = {0, 1};

  EXPECT_EQ(cudaMemPrefetchBatchAsync(starts, sizes, 2, locations, firsts, 2, 0, stream),
            cudaSuccess);

  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation, 0, size / 2), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation, size / 2, size / 2), 0);
}

TEST_F(CudaManaged, PrefetchBatchesAreChecked) {
  void* starts[] = {memory.data()};
  std::size_t sizes[] = {size};
  cudaMemLocation locations[] = {first_device};
  std::size_t firsts[] = {0};
  const auto prefetch = [&](unsigned long long flags, cudaStream_t to) {
    return cudaMemPrefetchBatchAsync(starts, sizes, 1, locations, firsts, 1, flags, to);
  };

  EXPECT_EQ(prefetch(1, stream), cudaErrorInvalidValue);
  EXPECT_EQ(prefetch(0, nullptr), cudaErrorInvalidValue);
  firsts[0] = 1;
  EXPECT_EQ(prefetch(0, stream), cudaErrorInvalidValue);
  firsts[0] = 0;
  sizes[0] = size + 1;
  EXPECT_EQ(prefetch(0, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemDiscardBatchAsync(starts, sizes, 1, 0, stream), cudaErrorInvalidValue);
}

TEST_F(CudaManaged, DiscardIsAccepted) {
  void* starts[] = {memory.data()};
  std::size_t sizes[] = {size};
  cudaMemLocation locations[] = {second_device};
  std::size_t firsts[] = {0};

  EXPECT_EQ(cudaMemDiscardBatchAsync(starts, sizes, 1, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaMemDiscardAndPrefetchBatchAsync(starts, sizes, 1, locations, firsts, 1, 0, stream),
            cudaSuccess);

  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation), 1);
}

TEST_F(CudaManaged, AdviceChecksMemoryAndLocation) {
  const cuda_memory device(memory_kind::device, bytes(64));

  EXPECT_EQ(cudaMemAdvise(device.data(), 64, cudaMemAdviseSetReadMostly, the_host),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory.data(), size + 1, cudaMemAdviseSetReadMostly, the_host),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory.data(), size, cudaMemAdviseSetPreferredLocation,
                          {cudaMemLocationTypeDevice, 99}),
            cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(memory.data(), size, first_device, 1, stream),
            cudaErrorInvalidValue);
}

TEST_F(CudaManaged, AttachNeedsCreatedStream) {
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, memory.data(), 0, cudaMemAttachSingle), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, memory.data(), 0, cudaMemAttachSingle),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, memory.data(), 0, 8), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace convoy::test
