#include <acl/acl_rt_api.h>

#include <cstdint>
#include <cstdlib>
#include <thread>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

constexpr auto huge_first = ACL_MEM_MALLOC_HUGE_FIRST;

class AclMemory : public AclTest {
 protected:
  static aclrtPtrAttributes attributes_of(const void* pointer) {
    aclrtPtrAttributes found = {};
    must_acl(aclrtPointerGetAttributes(pointer, &found));
    return found;
  }
  static std::size_t size_of_allocation(void* pointer) {
    std::size_t bytes = 0;
    must_acl(aclrtMemGetAddressRange(pointer, nullptr, &bytes));
    return bytes;
  }
};

TEST_F(AclMemory, IsAlignedTo64Bytes) {
  for (const std::size_t size : {1, 31, 100, 5000}) {
    void* start = nullptr;
    EXPECT_ACL_OK(aclrtMalloc(&start, size, huge_first));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start) % 64, 0U);
    EXPECT_ACL_OK(aclrtFree(start));
  }
}

TEST_F(AclMemory, AllocationIsRoundedUp) {
  void* usual = nullptr;
  void* aligned = nullptr;
  must_acl(aclrtMalloc(&usual, 33, huge_first));
  must_acl(aclrtMallocAlign32(&aligned, 33, huge_first));

  EXPECT_EQ(size_of_allocation(usual), 96U);
  EXPECT_EQ(size_of_allocation(aligned), 64U);

  EXPECT_ACL_OK(aclrtFree(usual));
  EXPECT_ACL_OK(aclrtFree(aligned));
}

TEST_F(AclMemory, AllocationChecksArguments) {
  void* start = nullptr;

  EXPECT_EQ(aclrtMalloc(nullptr, 8, huge_first), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&start, 0, huge_first), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&start, 8, static_cast<aclrtMemMallocPolicy>(99)),
            ACL_ERROR_RT_INVALID_MALLOC_TYPE);
  EXPECT_EQ(aclrtMallocHost(nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHost(&start, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclMemory, TooLargeAllocationFails) {
  void* start = nullptr;

  EXPECT_EQ(aclrtMalloc(&start, SIZE_MAX, huge_first), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMalloc(&start, std::size_t{1} << 50, huge_first), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMallocHost(&start, std::size_t{1} << 50), ACL_ERROR_RT_MEMORY_ALLOCATION);
}

TEST_F(AclMemory, NeedsAContext) {
  aclError on_device_code = ACL_SUCCESS;
  aclError on_host_code = ACL_SUCCESS;

  std::thread([&] {
    void* start = nullptr;
    on_device_code = aclrtMalloc(&start, 8, huge_first);
    on_host_code = aclrtMallocHost(&start, 8);
  }).join();

  EXPECT_EQ(on_device_code, ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(on_host_code, ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(AclMemory, MatchingFunctionFreesItOnce) {
  void* device = nullptr;
  void* host = nullptr;
  int mine = 0;
  must_acl(aclrtMalloc(&device, 8, huge_first));
  must_acl(aclrtMallocHost(&host, 8));

  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(&mine), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtFree(device));
  EXPECT_ACL_OK(aclrtFreeHost(host));
  EXPECT_EQ(aclrtFree(device), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclMemory, FreeDoesNotWait) {
  const acl_stream stream;
  void* device = nullptr;
  must_acl(aclrtMalloc(&device, 8, huge_first));
  acl_gate closed(stream);
  must_acl(aclrtMemsetAsync(device, 8, 1, 8, stream));

  EXPECT_ACL_OK(aclrtFree(device));

  EXPECT_FALSE(is_empty(stream));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AclMemory, SynchronizingFreeWaitsForWork) {
  const acl_stream stream;
  void* device = nullptr;
  void* host = nullptr;
  std::atomic<int> ran = 0;
  must_acl(aclrtMalloc(&device, 8, huge_first));
  must_acl(aclrtMallocHost(&host, 8));
  must_acl(aclrtLaunchHostFunc(
      stream, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &ran));

  EXPECT_ACL_OK(aclrtFreeWithDevSync(device));

  EXPECT_EQ(ran, 1);
  EXPECT_ACL_OK(aclrtFreeHostWithDevSync(host));
}

TEST_F(AclMemory, ConfigurationChoosesDevice) {
  aclrtMallocAttribute attribute = {};
  attribute.attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  attribute.value.deviceId = 1;
  aclrtMallocConfig config{&attribute, 1};
  void* start = nullptr;

  EXPECT_ACL_OK(aclrtMallocWithCfg(&start, 8, huge_first, &config));
  EXPECT_EQ(attributes_of(start).location.id, 1U);
  EXPECT_ACL_OK(aclrtFree(start));
  attribute.value.deviceId = 9;
  EXPECT_EQ(aclrtMallocWithCfg(&start, 8, huge_first, &config), ACL_ERROR_RT_INVALID_DEVICEID);
  attribute.attr = ACL_RT_MEM_ATTR_RSV;
  EXPECT_EQ(aclrtMallocWithCfg(&start, 8, huge_first, &config), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtMallocWithCfg(&start, 8, huge_first, nullptr));
  EXPECT_ACL_OK(aclrtFree(start));
}

TEST_F(AclMemory, DevicePointerHasItsDevice) {
  must_acl(aclrtSetDevice(1));
  const acl_memory device = on_device(zeros(100));
  must_acl(aclrtSetDevice(0));

  const aclrtPtrAttributes found = attributes_of(device.data() + 99);

  EXPECT_EQ(found.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(found.location.id, 1U);
  EXPECT_ACL_OK(aclrtResetDevice(1));
}

TEST_F(AclMemory, HostAndUnregisteredPointersAreKnown) {
  const acl_memory pinned = on_host(zeros(8));
  int mine = 0;

  EXPECT_EQ(attributes_of(pinned.data()).location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(attributes_of(pinned.data()).location.id, 0U);
  EXPECT_EQ(attributes_of(pinned.data()).pageSize, 4096U);
  EXPECT_EQ(attributes_of(&mine).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclMemory, ManagedPointerIsReported) {
  void* managed = nullptr;
  must_acl(aclrtMemAllocManaged(&managed, 8, ACL_RT_MEM_ATTACH_GLOBAL));

  EXPECT_EQ(attributes_of(managed).location.type, ACL_MEM_LOCATION_TYPE_MANAGED);

  EXPECT_EQ(aclrtMemAllocManaged(&managed, 8, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtFree(managed));
}

TEST_F(AclMemory, FreedPointerAndNullAreRefused) {
  acl_memory gone = on_device(zeros(8));
  const void* const start = gone.data();
  must_acl(gone.free());
  aclrtPtrAttributes found = {};

  EXPECT_EQ(aclrtPointerGetAttributes(start, &found), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPointerGetAttributes(nullptr, &found), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPointerGetAttributes(start, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclMemory, AttributesNeedNoContext) {
  const acl_memory device = on_device(zeros(8));
  aclError code = ACL_ERROR_FAILURE;

  std::thread([&] {
    aclrtPtrAttributes found = {};
    code = aclrtPointerGetAttributes(device.data(), &found);
  }).join();

  EXPECT_EQ(code, ACL_SUCCESS);
}

TEST_F(AclMemory, PageSizeFollowsPolicy) {
  const auto page_of = [](aclrtMemMallocPolicy policy, std::size_t size) {
    void* start = nullptr;
    must_acl(aclrtMalloc(&start, size, policy));
    const std::uint32_t page = attributes_of(start).pageSize;
    must_acl(aclrtFree(start));
    return page;
  };

  EXPECT_EQ(page_of(huge_first, 1U << 20), 4096U);
  EXPECT_EQ(page_of(huge_first, (1U << 20) + 1), 2U << 20);
  EXPECT_EQ(page_of(ACL_MEM_MALLOC_HUGE_ONLY, 8), 2U << 20);
  EXPECT_EQ(page_of(ACL_MEM_MALLOC_NORMAL_ONLY, 4U << 20), 4096U);
}

TEST_F(AclMemory, MemoryInfoFollowsAllocations) {
  std::size_t free_before = 0;
  std::size_t free_after = 0;
  std::size_t total = 0;
  EXPECT_ACL_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total));
  const acl_memory some = on_device(zeros(1U << 20));
  EXPECT_ACL_OK(aclrtGetMemInfo(ACL_DDR_MEM, &free_after, &total));

  EXPECT_LT(free_after, free_before);
  EXPECT_LT(free_before, total + 1);
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total), ACL_ERROR_INVALID_PARAM);
  aclrtMemUsageInfo usage = {};
  std::size_t entries = 0;
  EXPECT_ACL_OK(aclrtGetMemUsageInfo(0, &usage, 1, &entries));
  EXPECT_EQ(entries, 1U);
  EXPECT_EQ(usage.curMemSize, total - free_after);
}

TEST_F(AclMemory, CheckMemTypeTestsEveryAddress) {
  const acl_memory device = on_device(zeros(8));
  int mine = 0;
  void* both[] = {device.data(), &mine};
  std::uint32_t result = 7;

  EXPECT_ACL_OK(aclrtCheckMemType(both, 1, ACL_RT_MEM_TYPE_DEV, &result, 0));
  EXPECT_EQ(result, 1U);
  EXPECT_ACL_OK(aclrtCheckMemType(both, 2, ACL_RT_MEM_TYPE_DEV, &result, 0));
  EXPECT_EQ(result, 0U);
  EXPECT_EQ(aclrtCheckMemType(both, 1, ACL_RT_MEM_TYPE_DEV, &result, 1), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclMemory, CacheCallsOnlyCheckArguments) {
  const acl_memory device = on_device(zeros(8));

  EXPECT_ACL_OK(aclrtMemFlush(device.data(), 8));
  EXPECT_ACL_OK(aclrtMemInvalidate(device.data(), 8));
  EXPECT_ACL_OK(aclrtCmoAsync(device.data(), 8, ACL_RT_CMO_TYPE_PREFETCH, nullptr));
  EXPECT_EQ(aclrtMemFlush(nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemFlush(device.data(), 1000), ACL_ERROR_RT_PARAM_INVALID);
}

class AclPrefetch : public AclMemory {
 protected:
  static void* managed_memory() {
    void* made = nullptr;
    must_acl(aclrtMemAllocManaged(&made, 64, ACL_RT_MEM_ATTACH_GLOBAL));
    return made;
  }
  ~AclPrefetch() override { static_cast<void>(aclrtFree(managed_)); }

  aclError prefetch(std::uint64_t flags = 0) {
    return aclrtMemManagedPrefetchBatchAsync(starts_.data(), sizes_.data(), starts_.size(),
                                             locations_.data(), firsts_.data(), firsts_.size(),
                                             flags, stream_);
  }

  const acl_stream stream_;
  void* const managed_ = managed_memory();
  std::vector<const void*> starts_{managed_, static_cast<std::byte*>(managed_) + 32, managed_};
  std::vector<std::size_t> sizes_{32, 32, 64};
  std::vector<std::size_t> firsts_{0, 2};
  std::vector<aclrtMemManagedLocation> locations_{{ACL_MEM_MANAGED_LOCATION_TYPE_DEVICE, 0},
                                                  {ACL_MEM_MANAGED_LOCATION_TYPE_HOST, 0}};
};

TEST_F(AclPrefetch, LocationsApplyToTheirRun) {
  EXPECT_ACL_OK(prefetch());

  for (const auto& wrong : std::vector<std::vector<std::size_t>>{{}, {1, 2}, {0, 0}, {0, 3}}) {
    firsts_ = wrong;
    EXPECT_EQ(prefetch(), ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_F(AclPrefetch, OtherMemoryNamesItem) {
  const acl_memory device = on_device(zeros(64));
  starts_[1] = device.data();
  EXPECT_EQ(prefetch(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(recent_errors().find("item 1"), std::string::npos);

  starts_[1] = managed_;
  sizes_[2] = 65;
  EXPECT_EQ(prefetch(), ACL_ERROR_RT_PARAM_INVALID);
  sizes_[2] = 0;
  EXPECT_EQ(prefetch(), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclPrefetch, ArraysAndFlagsAreChecked) {
  aclrtMemManagedLocation location = locations_[0];
  std::size_t first = 0;

  EXPECT_EQ(prefetch(1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(starts_.data(), sizes_.data(), 0, &location, &first,
                                              1, 0, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(starts_.data(), nullptr, 3, &location, &first, 1, 0,
                                              stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(starts_.data(), sizes_.data(), 3, &location, &first,
                                              1, 0, &location),
            ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclPrefetch, OverloadsTakeTypedPointers) {
  std::vector<float*> floats{static_cast<float*>(managed_)};
  std::vector<std::size_t> firsts{0};

  EXPECT_ACL_OK(aclrtMemManagedPrefetchBatchAsync(floats.data(), sizes_.data(), 1,
                                                  locations_.data(), firsts.data(), 1, 0, stream_));
  EXPECT_ACL_OK(aclrtMemManagedPrefetchBatchAsync(starts_.data(), sizes_.data(), 3, locations_[0],
                                                  0, stream_));
}

// Host memory at a multiple of 4096.
class AclHostMemory : public AclMemory {
 protected:
  ~AclHostMemory() override { std::free(page_); }
  void* const page_ = std::aligned_alloc(4096, 8192);
};

TEST_F(AclHostMemory, IsRegisteredUntilUnregistered) {
  void* mapped = nullptr;

  EXPECT_ACL_OK(aclrtHostRegister(page_, 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_NE(mapped, nullptr);
  EXPECT_EQ(attributes_of(page_).location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_ACL_OK(aclrtHostUnregister(page_));
  EXPECT_EQ(attributes_of(page_).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclHostMemory, RegistrationChecksArguments) {
  void* mapped = nullptr;
  auto* const inside = static_cast<std::byte*>(page_) + 8;

  EXPECT_EQ(aclrtHostRegister(nullptr, 8, ACL_HOST_REGISTER_MAPPED, &mapped),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtHostRegister(inside, 8, ACL_HOST_REGISTER_MAPPED, &mapped),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegister(page_, 8, static_cast<aclrtHostRegisterType>(1), &mapped),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtHostRegisterV2(page_, 8, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(page_, 8, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclHostMemory, UnmappedPagesAreNotRegistered) {
  const unmapped_page unmapped;
  void* mapped = nullptr;

  EXPECT_EQ(aclrtHostRegister(unmapped.data(), 4096, ACL_HOST_REGISTER_MAPPED, &mapped),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtHostRegisterV2(page_, std::uint64_t{1} << 63, ACL_HOST_REG_PINNED),
            ACL_ERROR_RT_PARAM_INVALID);
  ::mprotect(unmapped.data(), 4096, PROT_READ);
  EXPECT_EQ(aclrtHostRegisterV2(unmapped.data(), 4096, ACL_HOST_REG_PINNED),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(
      aclrtHostRegisterV2(unmapped.data(), 4096, ACL_HOST_REG_PINNED | ACL_HOST_REG_READONLY));
  EXPECT_ACL_OK(aclrtHostUnregister(unmapped.data()));
}

TEST_F(AclHostMemory, OverlappingRegistrationIsRefused) {
  auto* const inside = static_cast<std::byte*>(page_) + 8;
  must_acl(aclrtHostRegisterV2(page_, 4096, ACL_HOST_REG_PINNED | ACL_HOST_REG_MAPPED));

  EXPECT_EQ(aclrtHostRegisterV2(inside, 8, ACL_HOST_REG_PINNED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostUnregister(inside), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_ACL_OK(aclrtHostUnregister(page_));
  EXPECT_EQ(aclrtHostUnregister(page_), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(AclHostMemory, DevicePointerNeedsRegistration) {
  void* address = nullptr;

  EXPECT_EQ(aclrtHostGetDevicePointer(page_, &address, 0), ACL_ERROR_RT_PARAM_INVALID);
  must_acl(aclrtHostRegisterV2(page_, 4096, ACL_HOST_REG_MAPPED));
  EXPECT_EQ(aclrtHostGetDevicePointer(page_, &address, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_ACL_OK(aclrtHostGetDevicePointer(page_, &address, 0));
  EXPECT_NE(address, nullptr);
  EXPECT_ACL_OK(aclrtHostUnregister(page_));
}

class AclMemoryOf950 : public own_process {};

TEST_F(AclMemoryOf950, HasNoSpareBytes) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_SOC", "Ascend950PR_9599", 1);
        must_acl(aclrtSetDevice(0));
        void* start = nullptr;
        std::size_t bytes = 0;
        must_acl(aclrtMalloc(&start, 33, huge_first));
        must_acl(aclrtMemGetAddressRange(start, nullptr, &bytes));
        end_well_if(bytes == 64);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
