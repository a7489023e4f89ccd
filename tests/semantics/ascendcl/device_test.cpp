#include <thread>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

class AclDevice : public testing::Test {
 protected:
  ~AclDevice() override {
    static_cast<void>(aclrtResetDeviceForce(0));
    static_cast<void>(aclrtResetDeviceForce(1));
  }
  static std::int32_t current() {
    std::int32_t device = -1;
    return aclrtGetDevice(&device) == ACL_SUCCESS ? device : -1;
  }
  static bool is_active(std::int32_t device) {
    std::uint32_t flags = 7;
    std::int32_t active = 7;
    must_acl(aclrtGetPrimaryCtxState(device, &flags, &active));
    return active == 1;
  }
};

TEST_F(AclDevice, IsCurrentForCallingThread) {
  EXPECT_ACL_OK(aclrtSetDevice(1));
  std::int32_t elsewhere = 0;

  std::thread([&] { elsewhere = current(); }).join();

  EXPECT_EQ(current(), 1);
  EXPECT_EQ(elsewhere, -1);
}

TEST_F(AclDevice, UnknownDeviceIsRefused) {
  EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtResetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDevice(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclDevice, CountIsReported) {
  std::uint32_t count = 0;

  EXPECT_ACL_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(count, 2U);
}

TEST_F(AclDevice, ThreadsShareOnePrimaryContext) {
  must_acl(aclrtSetDevice(0));
  const aclrtContext here = current_context();
  aclrtContext there = nullptr;

  std::thread([&] {
    must_acl(aclrtSetDevice(0));
    there = current_context();
    must_acl(aclrtResetDevice(0));
  }).join();

  EXPECT_NE(here, nullptr);
  EXPECT_EQ(here, there);
}

TEST_F(AclDevice, LastResetEndsContext) {
  must_acl(aclrtSetDevice(0));
  must_acl(aclrtSetDevice(0));

  EXPECT_ACL_OK(aclrtResetDevice(0));
  EXPECT_EQ(current(), 0);
  EXPECT_TRUE(is_active(0));
  EXPECT_ACL_OK(aclrtResetDevice(0));
  EXPECT_EQ(current(), -1);
  EXPECT_FALSE(is_active(0));
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(AclDevice, ForcedResetEndsContextAtOnce) {
  must_acl(aclrtSetDevice(0));
  must_acl(aclrtSetDevice(0));

  EXPECT_ACL_OK(aclrtResetDeviceForce(0));

  EXPECT_EQ(current(), -1);
}

TEST_F(AclDevice, ResetWaitsForWork) {
  must_acl(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  must_acl(aclrtCreateStream(&stream));
  std::atomic<int> ran = 0;
  launch_counters(stream, 100, ran);

  EXPECT_ACL_OK(aclrtResetDevice(0));

  EXPECT_EQ(ran, 100);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclDevice, SetAfterResetMakesNewContext) {
  must_acl(aclrtSetDevice(0));
  const aclrtContext first = current_context();
  must_acl(aclrtResetDevice(0));

  must_acl(aclrtSetDevice(0));
  const aclrtContext second = current_context();

  EXPECT_NE(first, second);
  EXPECT_EQ(aclrtSetCurrentContext(first), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclDevice, SynchronizeWaitsForEveryStream) {
  must_acl(aclrtSetDevice(0));
  const acl_stream one;
  acl_gate closed(one);

  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(short_wait_ms), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-2), ACL_ERROR_RT_PARAM_INVALID);
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeDevice());
  EXPECT_ACL_OK(aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_TRUE(is_empty(one));
}

TEST_F(AclDevice, TaskAbortDropsPendingWork) {
  must_acl(aclrtSetDevice(0));
  const acl_stream stream;
  const acl_memory device = on_device(zeros(8));
  acl_gate closed(stream);
  closed.wait_for_arrival();
  must_acl(aclrtMemsetAsync(device.data(), 8, 1, 8, stream));

  EXPECT_ACL_OK(aclrtDeviceTaskAbort(0, 1000));
  closed.open();

  static_cast<void>(aclrtSynchronizeStream(stream));
  EXPECT_EQ(contents_of(device), zeros(8));
}

TEST_F(AclDevice, RunModeIsHost) {
  aclrtRunMode mode = ACL_DEVICE;

  EXPECT_ACL_OK(aclrtGetRunMode(&mode));
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);

  EXPECT_EQ(mode, ACL_HOST);
}

TEST_F(AclDevice, DeviceIsNotItsOwnPeer) {
  must_acl(aclrtSetDevice(0));
  std::int32_t can = 7;

  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 9), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_ACL_OK(aclrtDeviceCanAccessPeer(nullptr, 0, 1));
}

TEST_F(AclDevice, PeerAccessIsEnabledAndDisabled) {
  must_acl(aclrtSetDevice(0));
  std::int32_t status = 7;

  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
  EXPECT_ACL_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_ACL_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(status, 1);
  EXPECT_ACL_OK(aclrtDeviceDisablePeerAccess(1));
  EXPECT_ACL_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(status, 0);
}

TEST_F(AclDevice, AttributesAreReported) {
  must_acl(aclrtSetDevice(0));
  std::int64_t memory = 0;
  std::int64_t cores = 0;
  std::int32_t process = 0;
  std::int32_t physical = -1;
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_ABNORMAL;
  aclrtUtilizationInfo usage = {};
  aclrtUuid one = {};
  aclrtUuid two = {};

  EXPECT_ACL_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &memory));
  EXPECT_ACL_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &cores));
  EXPECT_ACL_OK(aclrtDeviceGetBareTgid(&process));
  EXPECT_ACL_OK(aclrtGetPhyDevIdByUserDevId(1, &physical));
  EXPECT_ACL_OK(aclrtQueryDeviceStatus(0, &status));
  EXPECT_ACL_OK(aclrtGetDeviceUtilizationRate(0, &usage));
  EXPECT_ACL_OK(aclrtDeviceGetUuid(0, &one));
  EXPECT_ACL_OK(aclrtDeviceGetUuid(1, &two));

  EXPECT_GT(memory, 0);
  EXPECT_EQ(cores, 24);
  EXPECT_EQ(process, ::getpid());
  EXPECT_EQ(physical, 1);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  EXPECT_NE(one.bytes[15], two.bytes[15]);
  usage.utilizationExtend = &usage;
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &usage), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclDevice, TopologyIsReported) {
  std::uint64_t link = 0;

  EXPECT_ACL_OK(aclrtGetDevicesTopo(0, 1, &link));

  EXPECT_EQ(link, ACL_RT_DEVS_TOPOLOGY_HCCS);
  EXPECT_EQ(aclrtGetDevicesTopo(0, 1, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDevicesTopo(0, 99, &link), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDevicesTopo(99, 0, &link), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(AclDevice, CoreLimitsAreStored) {
  must_acl(aclrtSetDevice(0));
  const acl_stream stream;
  std::uint32_t cores = 0;

  EXPECT_ACL_OK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 4));
  EXPECT_ACL_OK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &cores));
  EXPECT_EQ(cores, 4U);
  EXPECT_ACL_OK(aclrtResetDeviceResLimit(0));
  EXPECT_ACL_OK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores));
  EXPECT_EQ(cores, 24U);
  EXPECT_ACL_OK(aclrtSetStreamResLimit(stream, ACL_RT_DEV_RES_VECTOR_CORE, 2));
  EXPECT_ACL_OK(aclrtUseStreamResInCurrentThread(stream));
  EXPECT_ACL_OK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &cores));
  EXPECT_EQ(cores, 2U);
  EXPECT_ACL_OK(aclrtUnuseStreamResInCurrentThread(stream));
}

class AclContext : public AclDevice {};

TEST_F(AclContext, IsCurrentAfterCreation) {
  must_acl(aclrtSetDevice(0));
  aclrtContext made = nullptr;
  aclrtContext now = nullptr;

  EXPECT_ACL_OK(aclrtCreateContext(&made, 1));
  EXPECT_ACL_OK(aclrtGetCurrentContext(&now));

  EXPECT_EQ(now, made);
  EXPECT_EQ(current(), 1);
  EXPECT_ACL_OK(aclrtDestroyContext(made));
}

TEST_F(AclContext, SetCurrentSwitchesDevice) {
  aclrtContext zero = nullptr;
  aclrtContext one = nullptr;
  must_acl(aclrtCreateContext(&zero, 0));
  must_acl(aclrtCreateContext(&one, 1));

  EXPECT_ACL_OK(aclrtSetCurrentContext(zero));

  EXPECT_EQ(current(), 0);
  EXPECT_ACL_OK(aclrtDestroyContext(zero));
  EXPECT_ACL_OK(aclrtDestroyContext(one));
}

TEST_F(AclContext, HasItsOwnDefaultStream) {
  aclrtContext one = nullptr;
  aclrtContext two = nullptr;
  must_acl(aclrtCreateContext(&one, 0));
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  must_acl(aclrtCtxGetCurrentDefaultStream(&first));
  acl_gate closed(nullptr);
  must_acl(aclrtCreateContext(&two, 0));
  must_acl(aclrtCtxGetCurrentDefaultStream(&second));

  EXPECT_NE(first, second);
  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_FALSE(is_empty(first));

  closed.open();
  EXPECT_ACL_OK(aclrtDestroyContext(one));
  EXPECT_ACL_OK(aclrtDestroyContext(two));
}

TEST_F(AclContext, DestroyedContextIsCurrentNowhere) {
  aclrtContext made = nullptr;
  must_acl(aclrtCreateContext(&made, 0));
  aclrtStream stream = nullptr;
  must_acl(aclrtCreateStream(&stream));

  std::thread([&] { EXPECT_ACL_OK(aclrtDestroyContext(made)); }).join();

  EXPECT_EQ(current(), -1);
  EXPECT_EQ(aclrtSetCurrentContext(made), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyContext(made), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(AclContext, HandlesAreChecked) {
  must_acl(aclrtSetDevice(0));
  const acl_stream stream;
  aclrtContext primary = current_context();

  EXPECT_EQ(aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateContext(&primary, 9), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetCurrentContext(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyContext(&primary), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyContext(primary), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclContext, OptionsAreStored) {
  must_acl(aclrtSetDevice(0));
  std::int64_t value = 0;

  EXPECT_ACL_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  EXPECT_ACL_OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  EXPECT_EQ(value, 1);
  EXPECT_ACL_OK(aclrtSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 1));
  EXPECT_ACL_OK(aclrtGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value));
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace convoy::test
