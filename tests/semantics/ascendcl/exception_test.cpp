#include <unistd.h>

#include <cstring>
#include <mutex>
#include <vector>

#include "support/ascendcl.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

struct exception {
  std::uint32_t task;
  std::uint32_t stream;
  std::uint32_t thread;
  std::uint32_t device;
  std::uint32_t code;
  std::uint32_t called_on;
};

// The callback has no argument of its own.
class told_exceptions {
 public:
  static void add(aclrtExceptionInfo* info) {
    const std::lock_guard held(mutex);
    all.push_back({aclrtGetTaskIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
                   aclrtGetThreadIdFromExceptionInfo(info), aclrtGetDeviceIdFromExceptionInfo(info),
                   aclrtGetErrorCodeFromExceptionInfo(info),
                   static_cast<std::uint32_t>(::gettid())});
  }
  static std::vector<exception> take() {
    const std::lock_guard held(mutex);
    return std::exchange(all, {});
  }

 private:
  static inline std::mutex mutex;
  static inline std::vector<exception> all;
};

class AclException : public AclTest {
 protected:
  AclException() { must_acl(aclrtSetExceptionInfoCallback(told_exceptions::add)); }
  ~AclException() override {
    static_cast<void>(aclrtSetExceptionInfoCallback(nullptr));
    told_exceptions::take();
  }

  static aclrtContext current() {
    aclrtContext now = nullptr;
    must_acl(aclrtGetCurrentContext(&now));
    return now;
  }
  aclError copy_nonsense() const {
    return aclrtMemcpyAsyncWithDesc(nonsense_.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream_);
  }
  void fail() const {
    must_acl(copy_nonsense());
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);
  }

  const acl_stream stream_;
  const acl_memory nonsense_ = on_device(bytes(64, std::byte{0x55}));
};

TEST_F(AclException, ReportsTaskStreamThreadAndCode) {
  std::uint32_t task = 0;
  std::int32_t stream = -1;
  must_acl(aclrtStreamGetId(stream_, &stream));
  must_acl(aclrtMemsetAsync(nonsense_.data(), 64, 0x77, 64, stream_));

  EXPECT_ACL_OK(copy_nonsense());
  must_acl(aclrtGetThreadLastTaskId(&task));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);

  const auto told = told_exceptions::take();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].task, task);
  EXPECT_EQ(told[0].stream, static_cast<std::uint32_t>(stream));
  EXPECT_EQ(told[0].thread, told[0].called_on);
  EXPECT_EQ(told[0].device, 0U);
  EXPECT_EQ(told[0].code, static_cast<std::uint32_t>(ACL_ERROR_RT_COPY_DATA));
}

TEST_F(AclException, ReportsDeviceOfStream) {
  const aclrtContext first = current();
  must_acl(aclrtSetDevice(1));
  const wild_page wild;
  const acl_memory there = on_device(zeros(8));

  EXPECT_EQ(aclrtMemcpyAsync(there.data(), 8, wild.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_ERROR_RT_COPY_DATA);

  const auto told = told_exceptions::take();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].device, 1U);
  static_cast<void>(aclrtSynchronizeStream(nullptr));
  must_acl(aclrtResetDevice(1));
  must_acl(aclrtSetCurrentContext(first));
}

TEST_F(AclException, SkippedWorkIsNotReported) {
  must_acl(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));

  must_acl(copy_nonsense());
  must_acl(copy_nonsense());
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(told_exceptions::take().size(), 1U);
}

TEST_F(AclException, SynchronousCallIsNotReported) {
  const wild_page wild;

  EXPECT_EQ(aclrtMemcpy(nonsense_.data(), 8, wild.data(), 8, ACL_MEMCPY_DEFAULT),
            ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(told_exceptions::take().size(), 0U);
}

int others_told = 0;

TEST_F(AclException, CallbackIsReplacedAndRemoved) {
  others_told = 0;
  fail();
  EXPECT_ACL_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ++others_told; }));
  fail();
  EXPECT_ACL_OK(aclrtSetExceptionInfoCallback(nullptr));
  fail();

  EXPECT_EQ(told_exceptions::take().size(), 1U);
  EXPECT_EQ(others_told, 1);
}

TEST_F(AclException, CallbackMayRemoveItself) {
  others_told = 0;
  must_acl(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
    ++others_told;
    must_acl(aclrtSetExceptionInfoCallback(nullptr));
  }));

  fail();
  fail();

  EXPECT_EQ(others_told, 1);
}

TEST_F(AclException, NullExceptionHasNoNumbers) {
  for (const auto ask : {aclrtGetTaskIdFromExceptionInfo, aclrtGetStreamIdFromExceptionInfo,
                         aclrtGetThreadIdFromExceptionInfo, aclrtGetDeviceIdFromExceptionInfo,
                         aclrtGetErrorCodeFromExceptionInfo}) {
    EXPECT_EQ(ask(nullptr), 0xFFFFFFFF);
  }
}

class AclErrorDetails : public AclException {
 protected:
  static aclrtErrorInfo of(std::int32_t device) {
    aclrtErrorInfo told;
    std::memset(&told, 0xEE, sizeof told);
    must_acl(aclrtGetErrorVerbose(device, &told));
    return told;
  }
  static bool are_none(const aclrtErrorInfo& told) {
    constexpr aclrtErrorInfo nothing = {};
    return std::memcmp(&told, &nothing, sizeof told) == 0;
  }
};

TEST_F(AclErrorDetails, AreZeroUntilStepFails) {
  EXPECT_TRUE(are_none(of(0)));

  fail();

  EXPECT_EQ(of(0).errorType, ACL_RT_ERROR_OTHERS);
  EXPECT_EQ(of(0).tryRepair, 0);
  EXPECT_EQ(of(0).hasDetail, 0);
  EXPECT_TRUE(are_none(of(1)));
}

TEST_F(AclErrorDetails, RepairClearsThem) {
  fail();
  const aclrtErrorInfo told = of(0);
  EXPECT_EQ(told.errorType, ACL_RT_ERROR_OTHERS);

  EXPECT_ACL_OK(aclrtRepairError(0, &told));

  EXPECT_TRUE(are_none(of(0)));
}

TEST_F(AclErrorDetails, DeviceResetClearsThem) {
  const aclrtContext first = current();
  must_acl(aclrtSetDevice(1));
  const wild_page wild;
  void* there = nullptr;
  must_acl(aclrtMalloc(&there, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(aclrtMemcpyAsync(there, 8, wild.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_ERROR_RT_COPY_DATA);
  EXPECT_EQ(of(1).errorType, ACL_RT_ERROR_OTHERS);
  must_acl(aclrtFree(there));

  EXPECT_ACL_OK(aclrtResetDevice(1));

  EXPECT_TRUE(are_none(of(1)));
  must_acl(aclrtSetCurrentContext(first));
}

TEST_F(AclErrorDetails, ArgumentsAreChecked) {
  aclrtErrorInfo told = {};

  EXPECT_EQ(aclrtGetErrorVerbose(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetErrorVerbose(99, &told), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtRepairError(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRepairError(99, &told), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(AclErrorDetails, OnlyReportedErrorsAreRepaired) {
  aclrtErrorInfo memory = {};
  memory.errorType = ACL_RT_ERROR_MEMORY;
  memory.tryRepair = 1;
  memory.hasDetail = 1;
  memory.detail.uceInfo.arraySize = ACL_RT_MEM_UCE_INFO_MAX_NUM;
  aclrtErrorInfo others = {};
  others.errorType = ACL_RT_ERROR_OTHERS;
  others.tryRepair = 1;

  EXPECT_ACL_OK(aclrtRepairError(0, &memory));
  memory.detail.uceInfo.arraySize = ACL_RT_MEM_UCE_INFO_MAX_NUM + 1;
  EXPECT_EQ(aclrtRepairError(0, &memory), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtRepairError(0, &others), ACL_ERROR_RT_PARAM_INVALID);
  for (const int type : {2, 3, 4, 5, 6}) {
    aclrtErrorInfo foreign = {};
    foreign.errorType = static_cast<aclrtErrorType>(type);
    EXPECT_EQ(aclrtRepairError(0, &foreign), ACL_ERROR_RT_PARAM_INVALID);
  }
}

}  // namespace
}  // namespace convoy::test
