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

// The exceptions that the callback received; AscendCL passes it no argument of the program.
class received_exceptions {
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
  AclException() { must_acl(aclrtSetExceptionInfoCallback(received_exceptions::add)); }
  ~AclException() override {
    static_cast<void>(aclrtSetExceptionInfoCallback(nullptr));
    received_exceptions::take();
  }

  aclError copy_invalid() const {
    return aclrtMemcpyAsyncWithDesc(invalid_descriptor_.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
                                    stream_);
  }
  void fail() const {
    must_acl(copy_invalid());
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);
  }

  const acl_stream stream_;
  const acl_memory invalid_descriptor_ = on_device(bytes(64, std::byte{0x55}));
};

TEST_F(AclException, ReportsTaskStreamThreadAndCode) {
  std::uint32_t task = 0;
  std::int32_t stream = -1;
  must_acl(aclrtStreamGetId(stream_, &stream));
  must_acl(aclrtMemsetAsync(invalid_descriptor_.data(), 64, 0x77, 64, stream_));

  EXPECT_ACL_OK(copy_invalid());
  must_acl(aclrtGetThreadLastTaskId(&task));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);

  const auto received = received_exceptions::take();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].task, task);
  EXPECT_EQ(received[0].stream, static_cast<std::uint32_t>(stream));
  EXPECT_EQ(received[0].thread, received[0].called_on);
  EXPECT_EQ(received[0].device, 0U);
  EXPECT_EQ(received[0].code, static_cast<std::uint32_t>(ACL_ERROR_RT_COPY_DATA));
}

TEST_F(AclException, ReportsDeviceOfStream) {
  const aclrtContext first = current_context();
  must_acl(aclrtSetDevice(1));
  const unmapped_page unmapped;
  const acl_memory device = on_device(zeros(8));

  EXPECT_EQ(
      aclrtMemcpyAsync(device.data(), 8, unmapped.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
      ACL_ERROR_RT_COPY_DATA);

  const auto received = received_exceptions::take();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].device, 1U);
  static_cast<void>(aclrtSynchronizeStream(nullptr));
  must_acl(aclrtResetDevice(1));
  must_acl(aclrtSetCurrentContext(first));
}

TEST_F(AclException, SkippedWorkIsNotReported) {
  must_acl(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));

  must_acl(copy_invalid());
  must_acl(copy_invalid());
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(received_exceptions::take().size(), 1U);
}

TEST_F(AclException, SynchronousCallIsNotReported) {
  const unmapped_page unmapped;

  EXPECT_EQ(aclrtMemcpy(invalid_descriptor_.data(), 8, unmapped.data(), 8, ACL_MEMCPY_DEFAULT),
            ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(received_exceptions::take().size(), 0U);
}

int other_calls = 0;

TEST_F(AclException, CallbackIsReplacedAndRemoved) {
  other_calls = 0;
  fail();
  EXPECT_ACL_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ++other_calls; }));
  fail();
  EXPECT_ACL_OK(aclrtSetExceptionInfoCallback(nullptr));
  fail();

  EXPECT_EQ(received_exceptions::take().size(), 1U);
  EXPECT_EQ(other_calls, 1);
}

TEST_F(AclException, CallbackMayRemoveItself) {
  other_calls = 0;
  must_acl(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
    ++other_calls;
    must_acl(aclrtSetExceptionInfoCallback(nullptr));
  }));

  fail();
  fail();

  EXPECT_EQ(other_calls, 1);
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
  static aclrtErrorInfo details_of(std::int32_t device) {
    aclrtErrorInfo details;
    std::memset(&details, 0xEE, sizeof details);
    must_acl(aclrtGetErrorVerbose(device, &details));
    return details;
  }
  static bool are_none(const aclrtErrorInfo& details) {
    constexpr aclrtErrorInfo nothing = {};
    return std::memcmp(&details, &nothing, sizeof details) == 0;
  }
};

TEST_F(AclErrorDetails, AreZeroUntilStepFails) {
  EXPECT_TRUE(are_none(details_of(0)));

  fail();

  EXPECT_EQ(details_of(0).errorType, ACL_RT_ERROR_OTHERS);
  EXPECT_EQ(details_of(0).tryRepair, 0);
  EXPECT_EQ(details_of(0).hasDetail, 0);
  EXPECT_TRUE(are_none(details_of(1)));
}

TEST_F(AclErrorDetails, RepairClearsThem) {
  fail();
  const aclrtErrorInfo details = details_of(0);
  EXPECT_EQ(details.errorType, ACL_RT_ERROR_OTHERS);

  EXPECT_ACL_OK(aclrtRepairError(0, &details));

  EXPECT_TRUE(are_none(details_of(0)));
}

TEST_F(AclErrorDetails, DeviceResetClearsThem) {
  const aclrtContext first = current_context();
  must_acl(aclrtSetDevice(1));
  const unmapped_page unmapped;
  void* device = nullptr;
  must_acl(aclrtMalloc(&device, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(aclrtMemcpyAsync(device, 8, unmapped.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_ERROR_RT_COPY_DATA);
  EXPECT_EQ(details_of(1).errorType, ACL_RT_ERROR_OTHERS);
  must_acl(aclrtFree(device));

  EXPECT_ACL_OK(aclrtResetDevice(1));

  EXPECT_TRUE(are_none(details_of(1)));
  must_acl(aclrtSetCurrentContext(first));
}

TEST_F(AclErrorDetails, ArgumentsAreChecked) {
  aclrtErrorInfo details = {};

  EXPECT_EQ(aclrtGetErrorVerbose(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetErrorVerbose(99, &details), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtRepairError(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtRepairError(99, &details), ACL_ERROR_RT_INVALID_DEVICEID);
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
