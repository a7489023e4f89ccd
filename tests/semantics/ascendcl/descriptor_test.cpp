#include <cstring>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

constexpr aclrtMemcpyKind inner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

class AclDescriptor : public AclTest {
 protected:
  static constexpr std::size_t all = 256;

  aclError describe(const acl_memory& from, const acl_memory& to, std::size_t count = all) {
    return aclrtSetMemcpyDesc(descriptor_.data(), inner, from.data(), to.data(), count, nullptr);
  }
  aclError launch() { return aclrtMemcpyAsyncWithDesc(descriptor_.data(), inner, stream_); }

  acl_stream stream_;
  acl_memory source_ = on_device(numbered(all));
  acl_memory target_ = on_device(zeros(all));
  acl_memory descriptor_ = on_device(zeros(64));
};

TEST_F(AclDescriptor, Has32BytesOnMostModels) {
  std::size_t size = 0;

  EXPECT_ACL_OK(aclrtGetMemcpyDescSize(inner, &size));

  EXPECT_EQ(size, 32U);
}

TEST_F(AclDescriptor, SizeQueryChecksArguments) {
  std::size_t size = 0;

  EXPECT_EQ(aclrtGetMemcpyDescSize(inner, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemcpyDescSize(static_cast<aclrtMemcpyKind>(8), &size),
            ACL_ERROR_INVALID_PARAM);
  for (const int other : {0, 1, 2, 3, 4, 5, 7}) {
    EXPECT_EQ(aclrtGetMemcpyDescSize(static_cast<aclrtMemcpyKind>(other), &size),
              ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
}

TEST_F(AclDescriptor, HasDocumentedLayout) {
  put(descriptor_.data(), bytes(64, std::byte{0xEE}));

  EXPECT_ACL_OK(describe(source_, target_, 100));

  const bytes written = contents_of(descriptor_.data(), 64);
  std::uint32_t length = 0;
  const void* ends[2] = {};
  std::memcpy(&length, written.data() + 12, sizeof length);
  std::memcpy(ends, written.data() + 16, sizeof ends);
  EXPECT_EQ(length, 100U);
  EXPECT_EQ(ends[0], source_.data());
  EXPECT_EQ(ends[1], target_.data());
  EXPECT_EQ(bytes(written.begin() + 32, written.end()), bytes(32, std::byte{0xEE}));
}

TEST_F(AclDescriptor, IsWrittenOnReturn) {
  acl_gate closed(stream_);

  EXPECT_ACL_OK(describe(source_, target_));

  EXPECT_NE(contents_of(descriptor_.data(), 32), zeros(32));
}

TEST_F(AclDescriptor, SetChecksArguments) {
  void* const d = descriptor_.data();
  void* const s = source_.data();
  void* const t = target_.data();
  const auto kind = [](int value) { return static_cast<aclrtMemcpyKind>(value); };

  EXPECT_EQ(aclrtSetMemcpyDesc(nullptr, inner, s, t, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(d, inner, nullptr, t, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(d, inner, s, nullptr, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(d, inner, s, t, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(d, inner, s, t, 8, d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(d, kind(8), s, t, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(d, kind(3), s, t, 8, nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(AclDescriptor, LengthHas32Bits) {
  void* const d = descriptor_.data();
  constexpr std::size_t limit = std::size_t{1} << 32;

  EXPECT_EQ(aclrtSetMemcpyDesc(d, inner, source_.data(), target_.data(), limit, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtSetMemcpyDesc(d, inner, source_.data(), target_.data(), limit - 1, nullptr));
}

TEST_F(AclDescriptor, MustBeAlignedDeviceMemory) {
  const acl_memory on_the_host = on_host(zeros(64));
  void* const s = source_.data();
  void* const t = target_.data();

  EXPECT_EQ(aclrtSetMemcpyDesc(on_the_host.data(), inner, s, t, 8, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetMemcpyDesc(descriptor_.data() + 32, inner, s, t, 8, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(on_the_host.data(), inner, stream_),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(descriptor_.data() + 32, inner, stream_),
            ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclDescriptor, BothEndsAreOnOneDevice) {
  const acl_memory on_the_host = on_host(zeros(all));
  must_acl(aclrtSetDevice(1));
  const acl_memory elsewhere = on_device(zeros(all));
  must_acl(aclrtSetDevice(0));

  EXPECT_EQ(describe(source_, on_the_host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(describe(on_the_host, target_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(describe(source_, elsewhere), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtResetDevice(1));
}

TEST_F(AclDescriptor, CopyRunsInStreamOrder) {
  must_acl(describe(source_, target_));
  acl_gate closed(stream_);

  EXPECT_ACL_OK(launch());

  EXPECT_EQ(contents_of(target_), zeros(all));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(target_), numbered(all));
}

TEST_F(AclDescriptor, RewriteAfterLaunchTakesEffect) {
  const acl_memory other = on_device(zeros(all));
  must_acl(describe(source_, target_));
  acl_gate closed(stream_);
  EXPECT_ACL_OK(launch());

  EXPECT_ACL_OK(describe(source_, other, 100));
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(target_), zeros(all));
  EXPECT_EQ(contents_of(other.data(), 100), numbered(100));
  EXPECT_EQ(contents_of(other.data() + 100, 1), zeros(1));
}

TEST_F(AclDescriptor, EarlierCopyMayWriteIt) {
  const acl_memory other = on_device(zeros(all));
  must_acl(describe(source_, other));
  const acl_memory draft = on_device(contents_of(descriptor_.data(), 32));
  must_acl(describe(source_, target_));
  acl_gate closed(stream_);

  EXPECT_ACL_OK(aclrtMemcpyAsync(descriptor_.data(), 32, draft.data(), 32,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_ACL_OK(launch());
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(target_), zeros(all));
  EXPECT_EQ(contents_of(other), numbered(all));
}

TEST_F(AclDescriptor, ServesManyLaunches) {
  const acl_memory next = on_host(numbered(all, 8));
  must_acl(describe(source_, target_));

  EXPECT_ACL_OK(launch());
  EXPECT_ACL_OK(
      aclrtMemcpyAsync(source_.data(), all, next.data(), all, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_ACL_OK(launch());

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(target_), numbered(all, 8));
}

TEST_F(AclDescriptor, InvalidContentsFailStep) {
  bytes nonsense(32, std::byte{0x77});
  put(descriptor_.data(), nonsense);

  EXPECT_ACL_OK(launch());

  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  must_acl(describe(source_, target_));
  EXPECT_ACL_OK(launch());
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(target_), numbered(all));
}

TEST_F(AclDescriptor, RangeBeyondAllocationFailsStep) {
  must_acl(describe(source_, target_, 1U << 20));

  EXPECT_ACL_OK(launch());

  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);
  EXPECT_EQ(contents_of(target_), zeros(all));
}

TEST_F(AclDescriptor, LaunchChecksArguments) {
  must_acl(describe(source_, target_));
  void* const d = descriptor_.data();
  const auto kind = [](int value) { return static_cast<aclrtMemcpyKind>(value); };

  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(nullptr, inner, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(d, inner, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(d, kind(8), stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(d, kind(3), stream_), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(d, inner, d), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclDescriptor, StreamOfOtherContextIsRefused) {
  must_acl(describe(source_, target_));
  const aclrtContext mine = current_context();
  const aclrtContext other = create_context();

  EXPECT_EQ(launch(), ACL_ERROR_RT_STREAM_CONTEXT);

  EXPECT_ACL_OK(aclrtDestroyContext(other));
  EXPECT_EQ(describe(source_, target_), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_ACL_OK(aclrtSetCurrentContext(mine));
}

class AclCacheDescriptor : public AclDescriptor {
 protected:
  aclError describe_range(void* src, std::size_t count = all) {
    return aclrtCmoSetDesc(descriptor_.data(), src, count);
  }
  aclError prefetch() {
    return aclrtCmoAsyncWithDesc(descriptor_.data(), ACL_RT_CMO_TYPE_PREFETCH, stream_, nullptr);
  }
};

TEST_F(AclCacheDescriptor, HasLayoutOfCopyDescriptor) {
  std::size_t size = 0;
  put(descriptor_.data(), bytes(64, std::byte{0xEE}));

  EXPECT_ACL_OK(aclrtCmoGetDescSize(&size));
  EXPECT_ACL_OK(describe_range(source_.data(), 100));

  EXPECT_EQ(size, 32U);
  bytes expected(64, std::byte{0xEE});
  const std::uint32_t length = 100;
  void* const source = source_.data();
  std::memcpy(expected.data() + 12, &length, sizeof length);
  std::memcpy(expected.data() + 16, &source, sizeof source);
  EXPECT_EQ(contents_of(descriptor_), expected);
  EXPECT_EQ(aclrtCmoGetDescSize(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclCacheDescriptor, SetChecksArguments) {
  const acl_memory on_the_host = on_host(zeros(all));
  must_acl(aclrtSetDevice(1));
  const acl_memory elsewhere = on_device(zeros(all));
  must_acl(aclrtSetDevice(0));
  void* const d = descriptor_.data();
  void* const s = source_.data();

  EXPECT_EQ(aclrtCmoSetDesc(nullptr, s, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoSetDesc(d, nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoSetDesc(d, s, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCmoSetDesc(d, s, std::size_t{1} << 32), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCmoSetDesc(descriptor_.data() + 32, s, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCmoSetDesc(on_the_host.data(), s, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(describe_range(on_the_host.data()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(describe_range(elsewhere.data()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(aclrtResetDevice(1));
}

TEST_F(AclCacheDescriptor, PrefetchReadsItAtExecution) {
  must_acl(describe_range(source_.data(), all * 2));
  acl_gate closed(stream_);
  EXPECT_ACL_OK(prefetch());

  EXPECT_ACL_OK(describe_range(source_.data()));
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(source_), numbered(all));
}

TEST_F(AclCacheDescriptor, InvalidContentsFailStep) {
  put(descriptor_.data(), bytes(64, std::byte{0x55}));
  EXPECT_ACL_OK(prefetch());
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);

  must_acl(describe_range(source_.data(), all * 2));
  EXPECT_ACL_OK(prefetch());
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);
}

TEST_F(AclCacheDescriptor, LaunchChecksArguments) {
  void* const d = descriptor_.data();
  const auto launch_with = [&](void* descriptor, int type, aclrtStream stream, void* reserve) {
    return aclrtCmoAsyncWithDesc(descriptor, static_cast<aclrtCmoType>(type), stream, reserve);
  };

  EXPECT_EQ(launch_with(nullptr, 0, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(launch_with(d, 0, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(launch_with(d, 0, stream_, d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(launch_with(d, 4, stream_, nullptr), ACL_ERROR_INVALID_PARAM);
  for (const int other : {1, 2, 3}) {
    EXPECT_EQ(launch_with(d, other, stream_, nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  EXPECT_EQ(launch_with(d, 0, &stream_, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(launch_with(descriptor_.data() + 32, 0, stream_, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

class AclLargeDescriptor : public own_process {};

TEST_F(AclLargeDescriptor, Has64BytesOn950) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_SOC", "Ascend950PR_9599", 1);
        must_acl(aclrtSetDevice(0));
        std::size_t size = 0;
        end_well_if(aclrtGetMemcpyDescSize(inner, &size) == ACL_SUCCESS && size == 64);
      },
      ended_well, "");
}

TEST_F(AclLargeDescriptor, HasDocumentedLayout) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_SOC", "Ascend950PR_9599", 1);
        must_acl(aclrtSetDevice(0));
        const acl_stream stream;
        const acl_memory from = on_device(numbered(64));
        const acl_memory to = on_device(zeros(64));
        const acl_memory descriptor = on_device(zeros(64));
        must_acl(aclrtSetMemcpyDesc(descriptor.data(), inner, from.data(), to.data(), 64, nullptr));
        must_acl(aclrtMemcpyAsyncWithDesc(descriptor.data(), inner, stream));
        must_acl(aclrtSynchronizeStream(stream));
        const bytes written = contents_of(descriptor);
        const void* ends[2] = {};
        std::memcpy(ends, written.data() + 32, sizeof ends);
        end_well_if(contents_of(to) == numbered(64) && ends[0] == from.data() &&
                    ends[1] == to.data() && written[48] == std::byte{64});
      },
      ended_well, "");
}

TEST_F(AclLargeDescriptor, CacheOperationWritesNoDestination) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_SOC", "Ascend950PR_9599", 1);
        must_acl(aclrtSetDevice(0));
        const acl_memory from = on_device(numbered(64));
        const acl_memory descriptor = on_device(bytes(64, std::byte{0xEE}));
        must_acl(aclrtCmoSetDesc(descriptor.data(), from.data(), 64));
        bytes expected(64, std::byte{0xEE});
        void* const source = from.data();
        const std::uint32_t length = 64;
        std::memcpy(expected.data() + 32, &source, sizeof source);
        std::memcpy(expected.data() + 48, &length, sizeof length);
        std::size_t size = 0;
        end_well_if(contents_of(descriptor) == expected &&
                    aclrtCmoGetDescSize(&size) == ACL_SUCCESS && size == 64);
      },
      ended_well, "");
}

TEST_F(AclLargeDescriptor, WorksInIsolation) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_ISOLATE", "1", 1);
        must_acl(aclrtSetDevice(0));
        const acl_stream stream;
        const acl_memory from = on_device(numbered(64));
        const acl_memory to = on_device(zeros(64));
        const acl_memory descriptor = on_device(zeros(64));
        must_acl(aclrtSetMemcpyDesc(descriptor.data(), inner, from.data(), to.data(), 64, nullptr));
        must_acl(aclrtMemcpyAsyncWithDesc(descriptor.data(), inner, stream));
        must_acl(aclrtSynchronizeStream(stream));
        end_well_if(contents_of(to) == numbered(64));
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
