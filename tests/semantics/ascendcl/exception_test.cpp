#include <unistd.h>

#include <mutex>
#include <vector>

#include "support/ascendcl.hpp"
#include "support/wild_page.hpp"

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

TEST_F(AclException, TellsTaskStreamThreadDeviceAndCode) {
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

TEST_F(AclException, TellsTheDeviceOfTheStream) {
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
  must_acl(aclrtSetDevice(0));
}

TEST_F(AclException, IsNotToldOfWhatWasPassedOver) {
  must_acl(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));

  must_acl(copy_nonsense());
  must_acl(copy_nonsense());
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(told_exceptions::take().size(), 1U);
}

TEST_F(AclException, IsNotToldOfACallThatAnswersItself) {
  const wild_page wild;

  EXPECT_EQ(aclrtMemcpy(nonsense_.data(), 8, wild.data(), 8, ACL_MEMCPY_DEFAULT),
            ACL_ERROR_RT_COPY_DATA);

  EXPECT_EQ(told_exceptions::take().size(), 0U);
}

int others_told = 0;

TEST_F(AclException, CallbackIsReplacedAndTakenAway) {
  others_told = 0;
  fail();
  EXPECT_ACL_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ++others_told; }));
  fail();
  EXPECT_ACL_OK(aclrtSetExceptionInfoCallback(nullptr));
  fail();

  EXPECT_EQ(told_exceptions::take().size(), 1U);
  EXPECT_EQ(others_told, 1);
}

TEST_F(AclException, CallbackMayTakeItselfAway) {
  others_told = 0;
  must_acl(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
    ++others_told;
    must_acl(aclrtSetExceptionInfoCallback(nullptr));
  }));

  fail();
  fail();

  EXPECT_EQ(others_told, 1);
}

TEST_F(AclException, ThatIsNoneHasNoNumbers) {
  for (const auto ask : {aclrtGetTaskIdFromExceptionInfo, aclrtGetStreamIdFromExceptionInfo,
                         aclrtGetThreadIdFromExceptionInfo, aclrtGetDeviceIdFromExceptionInfo,
                         aclrtGetErrorCodeFromExceptionInfo}) {
    EXPECT_EQ(ask(nullptr), 0xFFFFFFFF);
  }
}

}  // namespace
}  // namespace convoy::test
