#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

// A file that exists during a test.
class temporary_file {
 public:
  explicit temporary_file(const std::string& text)
      : path_(testing::TempDir() + "convoy_acl_" + std::to_string(::getpid()) + ".json") {
    std::ofstream(path_) << text;
  }
  ~temporary_file() { std::remove(path_.c_str()); }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  [[nodiscard]] const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

class AclInit : public own_process {
 protected:
  ~AclInit() override { static_cast<void>(aclFinalize()); }
};

TEST_F(AclInit, RepeatedCallsAreCounted) {
  std::uint64_t left = 99;

  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
  EXPECT_EQ(left, 1U);
  EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
  EXPECT_EQ(left, 0U);
  EXPECT_EQ(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(AclInit, OneFinalizeEndsIt) {
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);

  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(AclInit, AcceptsJsonObject) {
  const temporary_file good(R"({ "dump": {} })");

  EXPECT_EQ(aclInit(good.path()), ACL_SUCCESS);
  EXPECT_EQ(aclInit(good.path()), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclInit, MissingOrMalformedFileIsRefused) {
  const temporary_file bad("dump");

  EXPECT_EQ(aclInit("/nowhere/acl.json"), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclInit(bad.path()), ACL_ERROR_PARSE_FILE);
}

TEST_F(AclInit, RuntimeDoesNotNeedIt) {
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(AclVersion, MatchesTheInterface) {
  std::int32_t major = 0;
  std::int32_t minor = 0;
  std::int32_t patch = -1;

  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetVersion(&major, nullptr, &patch), ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 17);
}

TEST(AclVersion, AllPackagesHaveOneVersion) {
  aclCANNPackageVersion version = {};
  char text[128] = {};
  char name[] = "runtime";
  std::int32_t number = 0;

  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_RUNTIME, &version), ACL_SUCCESS);
  EXPECT_EQ(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(8), &version),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclsysGetVersionStr(name, text), ACL_SUCCESS);
  EXPECT_EQ(aclsysGetVersionNum(name, &number), ACL_SUCCESS);

  EXPECT_STREQ(version.version, text);
  EXPECT_STREQ(version.majorVersion, "9");
  EXPECT_GT(number, 0);
}

class AclErrors : public AclTest {};

TEST_F(AclErrors, LastErrorStaysUntilFetched) {
  EXPECT_EQ(aclrtSetDevice(64), ACL_ERROR_RT_INVALID_DEVICEID);

  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclErrors, InvalidParamIsNotStored) {
  EXPECT_EQ(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclErrors, MissingDeviceIsNotStored) {
  aclError answered = ACL_SUCCESS;
  aclError kept = ACL_ERROR_FAILURE;

  std::thread([&] {
    std::int32_t device = 0;
    answered = aclrtGetDevice(&device);
    kept = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }).join();

  EXPECT_EQ(answered, ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(kept, ACL_SUCCESS);
}

TEST_F(AclErrors, NotSupportedIsNotStored) {
  const acl_memory one = on_host(zeros(8));
  const acl_memory two = on_host(zeros(8));
  std::size_t size = 0;

  EXPECT_EQ(aclrtMemcpyAsync(one.data(), 8, two.data(), 8, ACL_MEMCPY_HOST_TO_HOST, nullptr),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetMemcpyDescSize(ACL_MEMCPY_DEVICE_TO_DEVICE, &size),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);

  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclErrors, LastErrorIsPerThread) {
  EXPECT_EQ(aclrtSetDevice(64), ACL_ERROR_RT_INVALID_DEVICEID);
  aclError elsewhere = ACL_ERROR_FAILURE;
  const char* text = "something";

  std::thread([&] {
    elsewhere = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    text = aclGetRecentErrMsg();
  }).join();

  EXPECT_EQ(elsewhere, ACL_SUCCESS);
  EXPECT_EQ(text, nullptr);
}

TEST_F(AclErrors, OnlyThreadLevelIsAccepted) {
  const auto other = static_cast<aclrtLastErrLevel>(1);

  EXPECT_EQ(aclrtGetLastError(other), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(other), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclErrors, MessageNamesFunction) {
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);

  EXPECT_EQ(aclrtSetDevice(64), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(recent_errors(),
            "aclrtSetDevice: there is no device 64; there are 2\naclrtFree: the pointer is NULL");
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(AclErrors, MessageNamesArgument) {
  void* pointer = nullptr;
  const auto message_of = [](aclError code) {
    EXPECT_NE(code, ACL_SUCCESS);
    return recent_errors();
  };

  EXPECT_EQ(message_of(aclrtMalloc(&pointer, 0, ACL_MEM_MALLOC_HUGE_FIRST)),
            "aclrtMalloc: size is 0");
  EXPECT_EQ(message_of(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST)),
            "aclrtMalloc: devPtr is NULL");
  EXPECT_EQ(message_of(aclrtMemcpy(&pointer, 8, nullptr, 8, ACL_MEMCPY_DEFAULT)),
            "aclrtMemcpy: src is NULL");
  EXPECT_EQ(message_of(aclrtMemcpy(&pointer, 8, &pointer, 8, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE)),
            "aclrtMemcpy: kind is 6, the call takes 0 to 5");
  EXPECT_EQ(message_of(aclrtDestroyStream(nullptr)),
            "aclrtDestroyStream: stream is NULL: the default stream is destroyed with its context");
  EXPECT_EQ(message_of(aclrtMemcpyBatch(&pointer, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0,
                                        nullptr)),
            "aclrtMemcpyBatch: failIndex is NULL");
}

TEST_F(AclErrors, MissingFunctionIsNamed) {
  void* pointer = nullptr;
  aclrtNotify notify = nullptr;

  EXPECT_EQ(aclrtReserveMemAddress(&pointer, 1U << 21, 0, nullptr, 0),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtCreateNotify(&notify, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);

  const std::string text = recent_errors();
  EXPECT_NE(text.find("aclrtReserveMemAddress"), std::string::npos) << text;
  EXPECT_NE(text.find("aclrtCreateNotify"), std::string::npos) << text;
}

TEST(AclValues, HalfConvertsToFloatAndBack) {
  for (std::uint32_t half = 0; half != 0x10000; ++half) {
    const float value = aclFloat16ToFloat(static_cast<aclFloat16>(half));
    if (std::isnan(value)) continue;
    ASSERT_EQ(aclFloatToFloat16(value), half);
  }
}

TEST(AclValues, FloatRoundsToNearestHalf) {
  EXPECT_EQ(aclFloatToFloat16(1.0F), 0x3C00);
  EXPECT_EQ(aclFloatToFloat16(1.0F + 0x1p-11F), 0x3C00);  // a tie rounds to even
  EXPECT_EQ(aclFloatToFloat16(1.0F + 0x1.8p-11F), 0x3C01);
  EXPECT_EQ(aclFloatToFloat16(65520.0F), 0x7C00);
  EXPECT_EQ(aclFloatToFloat16(65519.0F), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-0x1p-24F), 0x8001);
  EXPECT_EQ(aclFloatToFloat16(0x1p-26F), 0x0000);
  EXPECT_TRUE(std::isnan(aclFloat16ToFloat(aclFloatToFloat16(NAN))));
}

TEST(AclValues, DataTypesHaveSizes) {
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT8_E4M3FN), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT64), 8U);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16U);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT4_E2M1), 0U);
}

TEST(AclValues, DataBufferHoldsPointerAndSize) {
  int value = 0;
  int other = 0;
  aclDataBuffer* const buffer = aclCreateDataBuffer(&value, sizeof value);

  EXPECT_EQ(aclGetDataBufferAddr(buffer), &value);
  EXPECT_EQ(aclGetDataBufferSize(buffer), sizeof value);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, &other, 1), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &other);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 1U);

  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyDataBuffer(nullptr), ACL_ERROR_INVALID_PARAM);
}

class AclFork : public AclTest {};

TEST_F(AclFork, CallsInChildFail) {
  const acl_stream stream;
  const acl_memory device = on_device(zeros(8));
  bytes own = zeros(8);

  const bool refused = true_in_child([&] {
    void* more = nullptr;
    const aclError answers[] = {
        aclrtSetDevice(0),
        aclrtMalloc(&more, 8, ACL_MEM_MALLOC_HUGE_FIRST),
        aclrtMemcpy(device.data(), 8, own.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
        aclrtSynchronizeStream(stream),
        aclrtSynchronizeDevice(),
    };
    const bool all = std::all_of(std::begin(answers), std::end(answers),
                                 [](aclError each) { return each == ACL_ERROR_RT_INTERNAL_ERROR; });
    return all && recent_errors().find("forked") != std::string::npos;
  });

  EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace convoy::test
