#include <ostream>
#include <thread>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

constexpr auto h2h = ACL_MEMCPY_HOST_TO_HOST;
constexpr auto h2d = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto d2h = ACL_MEMCPY_DEVICE_TO_HOST;
constexpr auto d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
constexpr auto any = ACL_MEMCPY_DEFAULT;
constexpr std::size_t all = 256;

// Two functions that behave alike: the tests run with each.
struct copy_function {
  const char* name;
  decltype(&aclrtMemcpyAsync) call;

  aclError operator()(void* dst, std::size_t capacity, const void* src, std::size_t count,
                      aclrtMemcpyKind kind, aclrtStream stream) const {
    return call(dst, capacity, src, count, kind, stream);
  }
  friend void PrintTo(const copy_function& f, std::ostream* out) { *out << f.name; }
};
constexpr copy_function plain{"plain", &aclrtMemcpyAsync};
constexpr copy_function with_condition{"with_condition", &aclrtMemcpyAsyncWithCondition};

class AclCopy : public AclTest, public testing::WithParamInterface<copy_function> {
 protected:
  aclError copy(void* dst, const void* src, aclrtMemcpyKind kind, std::size_t count = all) {
    return GetParam()(dst, all, src, count, kind, stream_);
  }

  // True when the copy is still waiting behind the gate after the call has returned.
  bool returns_at_once(void* dst, const void* src, aclrtMemcpyKind kind) {
    acl_gate closed(stream_);
    EXPECT_ACL_OK(copy(dst, src, kind));
    const bool waiting = !is_empty(stream_);
    closed.open();
    EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
    return waiting;
  }

  // The call does not return while the stream is held, and the copy has landed when it does.
  void expect_blocking(std::byte* dst, const std::byte* src, aclrtMemcpyKind kind) {
    acl_gate closed(stream_);
    EXPECT_ACL_OK(expect_blocked(closed, stream_, [&] { return copy(dst, src, kind); }));
    EXPECT_EQ(contents_of(dst, all), contents_of(src, all));
  }

  acl_stream stream_;
  acl_memory host_ = on_host(numbered(all));
  acl_memory device_ = on_device(numbered(all, 1));
  acl_memory other_ = on_device(numbered(all, 2));
  bytes own_ = numbered(all, 3);
};

INSTANTIATE_TEST_SUITE_P(Of, AclCopy, testing::Values(plain, with_condition));

TEST_P(AclCopy, AllocatedMemoryDoesNotBlock) {
  EXPECT_TRUE(returns_at_once(device_.data(), host_.data(), h2d));
  EXPECT_EQ(contents_of(device_), numbered(all));
  EXPECT_TRUE(returns_at_once(other_.data(), device_.data(), d2d));
  EXPECT_EQ(contents_of(other_), numbered(all));
  put(device_.data(), numbered(all, 9));
  EXPECT_TRUE(returns_at_once(host_.data(), device_.data(), d2h));
  EXPECT_EQ(contents_of(host_), numbered(all, 9));
}

TEST_P(AclCopy, RegisteredMemoryDoesNotBlock) {
  must_acl(aclrtHostRegisterV2(own_.data(), all, ACL_HOST_REG_PINNED));

  EXPECT_TRUE(returns_at_once(device_.data(), own_.data(), h2d));

  EXPECT_EQ(contents_of(device_), own_);
  EXPECT_ACL_OK(aclrtHostUnregister(own_.data()));
}

TEST_P(AclCopy, PageableSourceBlocksUntilLanded) {
  expect_blocking(device_.data(), own_.data(), h2d);
}

TEST_P(AclCopy, PageableDestinationBlocksUntilLanded) {
  expect_blocking(own_.data(), device_.data(), d2h);
}

TEST_P(AclCopy, PartlyRegisteredMemoryBlocksUntilLanded) {
  must_acl(aclrtHostRegisterV2(own_.data(), all / 2, ACL_HOST_REG_PINNED));

  expect_blocking(device_.data(), own_.data(), h2d);
  expect_blocking(own_.data(), device_.data(), d2h);

  EXPECT_ACL_OK(aclrtHostUnregister(own_.data()));
}

TEST_P(AclCopy, DefaultKindIsInferred) {
  EXPECT_ACL_OK(copy(device_.data(), host_.data(), any));
  EXPECT_ACL_OK(copy(other_.data(), device_.data(), any));
  EXPECT_ACL_OK(copy(own_.data(), other_.data(), any));

  EXPECT_EQ(own_, numbered(all));
}

TEST_P(AclCopy, PointersCorrectTheKind) {
  EXPECT_ACL_OK(copy(device_.data(), host_.data(), d2h));
  EXPECT_ACL_OK(copy(other_.data(), device_.data(), h2d));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(other_), numbered(all));
}

TEST_P(AclCopy, UnregisteredMemoryTakesFittingKinds) {
  EXPECT_ACL_OK(copy(device_.data(), own_.data(), d2d));
  EXPECT_EQ(contents_of(device_), own_);
  EXPECT_ACL_OK(copy(own_.data(), other_.data(), d2d));
  EXPECT_EQ(own_, numbered(all, 2));
}

TEST_P(AclCopy, UnregisteredMemoryRefusesOtherKinds) {
  bytes more = zeros(all);

  for (const auto kind : {h2h, d2h}) {
    EXPECT_EQ(copy(device_.data(), own_.data(), kind), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const auto kind : {h2h, h2d, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE}) {
    EXPECT_EQ(copy(own_.data(), device_.data(), kind), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const auto kind : {d2h, d2d}) {
    EXPECT_EQ(copy(own_.data(), host_.data(), kind), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const auto kind : {h2d, d2d}) {
    EXPECT_EQ(copy(host_.data(), own_.data(), kind), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_EQ(copy(more.data(), own_.data(), d2d), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_P(AclCopy, HostToHostIsNotSupported) {
  const acl_memory second = on_host(zeros(all));

  EXPECT_EQ(copy(second.data(), host_.data(), h2h), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(copy(second.data(), own_.data(), any), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(contents_of(second), zeros(all));
}

TEST_P(AclCopy, ZeroBytesSucceedBeforeOtherChecks) {
  EXPECT_ACL_OK(GetParam()(nullptr, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(99),
                           reinterpret_cast<aclrtStream>(77)));
}

TEST_P(AclCopy, NullAndForeignKindsAreRefused) {
  EXPECT_EQ(copy(nullptr, host_.data(), h2d), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(copy(device_.data(), nullptr, h2d), ACL_ERROR_INVALID_PARAM);
  for (const int kind : {6, 7, 8, -1}) {
    EXPECT_EQ(copy(device_.data(), host_.data(), static_cast<aclrtMemcpyKind>(kind)),
              ACL_ERROR_INVALID_PARAM);
  }
}

TEST_P(AclCopy, SizeAboveDestMaxIsRefused) {
  EXPECT_EQ(copy(device_.data(), host_.data(), h2d, all + 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(contents_of(device_), numbered(all, 1));
}

TEST_P(AclCopy, RangeBeyondAllocationIsRefused) {
  EXPECT_EQ(copy(device_.data(), host_.data() + 1, h2d), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(contents_of(device_), numbered(all, 1));
}

TEST_P(AclCopy, CopyOntoItselfSucceeds) {
  EXPECT_ACL_OK(copy(device_.data(), device_.data(), d2d));
  EXPECT_TRUE(is_empty(stream_));
}

TEST_P(AclCopy, BufferedKindReadsSourceEarly) {
  acl_gate closed(stream_);

  EXPECT_ACL_OK(copy(device_.data(), own_.data(), ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE));

  EXPECT_FALSE(is_empty(stream_));
  const bytes before = std::exchange(own_, zeros(all));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), before);
}

TEST_P(AclCopy, NullMeansDefaultStream) {
  acl_gate closed(nullptr);

  EXPECT_ACL_OK(GetParam()(device_.data(), all, host_.data(), all, h2d, nullptr));

  EXPECT_EQ(contents_of(device_), numbered(all, 1));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_P(AclCopy, StreamIsChecked) {
  const aclrtContext mine = current_context();
  aclrtContext other = create_context();

  EXPECT_EQ(copy(device_.data(), host_.data(), h2d), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(GetParam()(device_.data(), all, host_.data(), all, h2d, &other),
            ACL_ERROR_RT_INVALID_HANDLE);

  EXPECT_ACL_OK(aclrtDestroyContext(other));
  EXPECT_EQ(GetParam()(device_.data(), all, host_.data(), all, h2d, nullptr),
            ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_ACL_OK(aclrtSetCurrentContext(mine));
}

TEST_P(AclCopy, PeerCopyNeedsAccess) {
  must_acl(aclrtSetDevice(1));
  const acl_memory far = on_device(zeros(all));
  must_acl(aclrtSetDevice(0));
  std::int32_t can = 0;

  EXPECT_EQ(copy(far.data(), device_.data(), d2d), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  EXPECT_EQ(contents_of(far), zeros(all));
  EXPECT_ACL_OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_ACL_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_ACL_OK(copy(far.data(), device_.data(), d2d));

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(far), numbered(all, 1));
  EXPECT_ACL_OK(aclrtDeviceDisablePeerAccess(1));
  EXPECT_ACL_OK(aclrtResetDevice(1));
}

class AclCopyInRcMode : public own_process {};

TEST_F(AclCopyInRcMode, AllocatedMemoryDoesNotBlock) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_RUN_MODE", "rc", 1);
        must_acl(aclrtSetDevice(0));
        aclrtRunMode mode = ACL_HOST;
        must_acl(aclrtGetRunMode(&mode));
        const acl_stream stream;
        const acl_memory from = on_host(numbered(all));
        const acl_memory to = on_host(zeros(all));
        acl_gate closed(stream);
        must_acl(aclrtMemcpyAsyncWithCondition(to.data(), all, from.data(), all, any, stream));
        const bool waits = !is_empty(stream) && contents_of(to) == zeros(all);
        closed.open();
        must_acl(aclrtSynchronizeStream(stream));
        end_well_if(mode == ACL_DEVICE && waits && contents_of(to) == numbered(all));
      },
      ended_well, "");
}

TEST_F(AclCopyInRcMode, ForeignMemoryBlocksUntilLanded) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_RUN_MODE", "rc", 1);
        must_acl(aclrtSetDevice(0));
        const bytes from = numbered(all);
        bytes to = zeros(all);
        must_acl(aclrtMemcpyAsyncWithCondition(to.data(), all, from.data(), all, h2h, nullptr));
        end_well_if(to == from);
      },
      ended_well, "");
}

class AclSyncCopy : public AclTest {};

TEST_F(AclSyncCopy, IgnoresKindAndStreams) {
  const acl_memory device = on_device(zeros(all));
  const bytes from = numbered(all);
  bytes to = zeros(all);
  bytes back = zeros(all);
  const acl_gate closed(nullptr);

  EXPECT_ACL_OK(aclrtMemcpy(to.data(), all, from.data(), all, h2h));
  EXPECT_ACL_OK(aclrtMemcpy(device.data(), all, to.data(), all, h2d));
  EXPECT_ACL_OK(aclrtMemcpy(back.data(), all, device.data(), all, h2h));

  EXPECT_EQ(back, from);
}

TEST_F(AclSyncCopy, NullKindAndSizeAreChecked) {
  bytes a = zeros(8);

  EXPECT_ACL_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, h2h));
  EXPECT_EQ(aclrtMemcpy(nullptr, 8, a.data(), 8, h2h), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(a.data(), 8, nullptr, 8, h2h), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(a.data(), 8, a.data(), 8, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(a.data(), 7, a.data(), 8, h2h), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclSyncCopy, NeedsAContext) {
  bytes a = zeros(8);
  aclError code = ACL_SUCCESS;

  std::thread([&] { code = aclrtMemcpy(a.data(), 8, a.data(), 8, h2h); }).join();

  EXPECT_EQ(code, ACL_ERROR_RT_CONTEXT_NULL);
}

}  // namespace
}  // namespace convoy::test
