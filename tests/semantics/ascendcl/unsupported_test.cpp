#include <acl/acl_op_compiler.h>
#include <acl/acl_prof.h>
#include <acl/ops/acl_dvpp.h>
#include <aclnn/acl_meta.h>
#include <dlfcn.h>

#include "support/ascendcl.hpp"

namespace convoy::test {
namespace {

constexpr aclError no = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;

class AclUnsupported : public AclTest {
 protected:
  // The message of the last call starts with the name of its function.
  static void expect_message_of(const std::string& function) {
    EXPECT_EQ(recent_errors().rfind(function + ": ", 0), 0U) << function;
  }
};

TEST_F(AclUnsupported, ModelsAndKernelsAnswerTheirName) {
  aclmdlRI model = nullptr;
  aclrtBinHandle binary = nullptr;

  EXPECT_EQ(aclmdlRICaptureBegin(nullptr, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), no);
  expect_message_of("aclmdlRICaptureBegin");
  EXPECT_EQ(aclmdlRICaptureEnd(nullptr, &model), no);
  expect_message_of("aclmdlRICaptureEnd");
  EXPECT_EQ(aclrtBinaryLoadFromFile("kernel.o", nullptr, &binary), no);
  expect_message_of("aclrtBinaryLoadFromFile");
  EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), no);
  expect_message_of("aclrtSetDeviceSatMode");
  EXPECT_EQ(aclmdlInitDump(), no);
  expect_message_of("aclmdlInitDump");
  EXPECT_EQ(aclrtCreateLabel(nullptr), no);
  expect_message_of("aclrtCreateLabel");
}

TEST_F(AclUnsupported, PointersAreNull) {
  EXPECT_EQ(aclopCreateAttr(), nullptr);
  expect_message_of("aclopCreateAttr");
  EXPECT_EQ(aclrtAllocatorCreateDesc(), nullptr);
  expect_message_of("aclrtAllocatorCreateDesc");
  EXPECT_EQ(aclGetTensorDescNumDims(nullptr), 0U);
  expect_message_of("aclGetTensorDescNumDims");
}

TEST_F(AclUnsupported, OtherLibrariesAnswerTheSameWay) {
  std::uint32_t device = 0;
  float scalar = 1;

  EXPECT_EQ(aclprofInit("out", 3), no);
  expect_message_of("aclprofInit");
  EXPECT_EQ(aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API), nullptr);
  expect_message_of("aclprofCreateConfig");
  EXPECT_EQ(aclCreateScalar(&scalar, ACL_FLOAT), nullptr);
  expect_message_of("aclCreateScalar");
  EXPECT_EQ(aclDestroyTensor(nullptr), no);
  expect_message_of("aclDestroyTensor");
  EXPECT_EQ(aclSetCompileopt(ACL_PRECISION_MODE, "force_fp16"), no);
  expect_message_of("aclSetCompileopt");
}

TEST_F(AclUnsupported, NamesThatProgramsProbeAreAbsent) {
  EXPECT_NE(::dlsym(RTLD_DEFAULT, "aclmdlRICaptureBegin"), nullptr);

  for (const char* const probed :
       {"aclmdlRICaptureGetInfo", "aclmdlRIGetId", "aclGetCompileopt", "aclGetCompileoptSize",
        "aclprofWarmup", "aclprofSetConfig", "aclprofGetSupportedFeatures",
        "aclprofGetSupportedFeaturesV2", "aclprofRegisterDeviceCallback", "aclprofMarkEx"}) {
    EXPECT_EQ(::dlsym(RTLD_DEFAULT, probed), nullptr) << probed;
  }
}

}  // namespace
}  // namespace convoy::test
