#include <array>
#include <string_view>
#include <utility>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

// The answer of each call on a model.
struct answers {
  aclError copy = ACL_SUCCESS;
  aclError condition = ACL_SUCCESS;
  aclError copy_2d = ACL_SUCCESS;
  aclError fill = ACL_SUCCESS;
  aclError batch = ACL_SUCCESS;
  aclError batch_sync = ACL_SUCCESS;
  aclError size = ACL_SUCCESS;
  aclError describe = ACL_SUCCESS;
  aclError launch = ACL_SUCCESS;
  aclError offset = ACL_SUCCESS;
  aclError fill_32bit = ACL_SUCCESS;

  friend bool operator==(const answers&, const answers&) = default;
};

answers call_everything() {
  must_acl(aclrtSetDevice(0));
  const acl_stream stream;
  const acl_memory host = on_host(zeros(64));
  const acl_memory device = on_device(zeros(64));
  const acl_memory descriptor = on_device(zeros(64));
  acl_batch batch = side_by_side(device.data(), host.data(), 8, 2);
  std::size_t size = 0;
  void* const d = device.data();
  constexpr auto inner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  answers a;
  a.copy = aclrtMemcpyAsync(d, 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  a.condition = aclrtMemcpyAsyncWithCondition(d, 64, host.data(), 64, ACL_MEMCPY_DEFAULT, stream);
  a.copy_2d = aclrtMemcpy2dAsync(d, 8, host.data(), 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  a.fill = aclrtMemsetAsync(d, 64, 0, 64, stream);
  a.batch = batch.submit(stream);
  static_cast<void>(aclrtSynchronizeStream(stream));
  a.batch_sync = batch.copy();
  a.size = aclrtGetMemcpyDescSize(inner, &size);
  a.describe = aclrtSetMemcpyDesc(descriptor.data(), inner, d, d, 8, nullptr);
  a.launch = aclrtMemcpyAsyncWithDesc(descriptor.data(), inner, stream);
  a.offset = aclrtMemcpyAsyncWithOffset(reinterpret_cast<void**>(d), 8, 0,
                                        reinterpret_cast<const void**>(descriptor.data()), 8, 0,
                                        inner, stream);
  static_cast<void>(aclrtSynchronizeStream(stream));  // the base holds no pointer
  a.fill_32bit = aclrtMemsetD32(d, 64, 0, 1);
  return a;
}

constexpr aclError no = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
constexpr answers everything{};
constexpr answers descriptors_alone{.batch = no, .batch_sync = no, .offset = no, .fill_32bit = no};
constexpr answers copies_alone{.batch = no,
                               .batch_sync = no,
                               .size = no,
                               .describe = no,
                               .launch = no,
                               .offset = no,
                               .fill_32bit = no};
constexpr answers offsets_alone{
    .batch = no, .batch_sync = no, .size = no, .describe = no, .launch = no, .fill_32bit = no};

class AclProduct : public own_process {
 protected:
  static void set_model(const char* model) { ::setenv("CONVOY_SOC", model, 1); }
  static bool is_called(std::string_view model) { return aclrtGetSocName() == model; }
};

TEST_F(AclProduct, NewModelsSupportEverything) {
  for (const char* model : {"Ascend950PR_9599", "Ascend910_9391", "Ascend910B3"}) {
    EXPECT_EXIT(
        {
          set_model(model);
          end_well_if(is_called(model) && call_everything() == everything);
        },
        ended_well, "");
  }
}

TEST_F(AclProduct, Model310BHasDescriptorsOnly) {
  EXPECT_EXIT(
      {
        set_model("Ascend310B4");
        end_well_if(is_called("Ascend310B4") && call_everything() == descriptors_alone);
      },
      ended_well, "");
}

TEST_F(AclProduct, Model310PHasCopiesOnly) {
  EXPECT_EXIT(
      {
        set_model("Ascend310P3");
        end_well_if(is_called("Ascend310P3") && call_everything() == copies_alone);
      },
      ended_well, "");
}

TEST_F(AclProduct, Model910HasOffsetsOnly) {
  EXPECT_EXIT(
      {
        set_model("Ascend910A");
        end_well_if(is_called("Ascend910A") && call_everything() == offsets_alone);
      },
      ended_well, "");
}

TEST_F(AclProduct, OldModelsCopyNoDeviceRows) {
  EXPECT_EXIT(
      {
        set_model("Ascend310P3");
        must_acl(aclrtSetDevice(0));
        const acl_memory device = on_device(zeros(64));
        end_well_if(aclrtMemcpy2dAsync(device.data(), 8, device.data() + 32, 8, 8, 4,
                                       ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr) == no);
      },
      ended_well, "");
}

// Cache operations by descriptor, details of errors, links between dies and servers.
std::array<aclError, 3> call_extras() {
  must_acl(aclrtSetDevice(0));
  std::size_t size = 0;
  aclrtErrorInfo details = {};
  std::array<char, 65> key = {};
  const acl_memory shared = on_device(zeros(64));
  must_acl(aclrtIpcMemGetExportKey(shared.data(), 64, key.data(), key.size(), 0));
  return {aclrtCmoGetDescSize(&size), aclrtGetErrorVerbose(0, &details),
          aclrtIpcMemSetAttr(key.data(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK,
                             ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS)};
}

TEST_F(AclProduct, OnlyA3HasDieLinks) {
  using extras = std::array<aclError, 3>;
  const std::array<std::pair<const char*, extras>, 6> expected{{{"Ascend950PR_9599", {0, 0, no}},
                                                                {"Ascend910_9391", {0, 0, 0}},
                                                                {"Ascend910B3", {0, 0, no}},
                                                                {"Ascend310B4", {no, no, no}},
                                                                {"Ascend310P3", {no, no, no}},
                                                                {"Ascend910A", {no, no, no}}}};
  for (const auto& [model, answers] : expected) {
    EXPECT_EXIT(
        {
          set_model(model);
          end_well_if(call_extras() == answers);
        },
        ended_well, "");
  }
}

// The links between devices 0 and 1, and between 1 and 2.
bool are_joined(std::uint64_t by, std::uint64_t further) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  return aclrtGetDevicesTopo(0, 1, &first) == ACL_SUCCESS &&
         aclrtGetDevicesTopo(1, 2, &second) == ACL_SUCCESS && first == by && second == further;
}

TEST_F(AclProduct, A3HasTwoDiesPerChip) {
  for (const char* model : {"Ascend910_9391", "Ascend910B3"}) {
    EXPECT_EXIT(
        {
          set_model(model);
          ::setenv("CONVOY_DEVICES", "3", 1);
          const bool a3 = is_called("Ascend910_9391");
          end_well_if(are_joined(a3 ? ACL_RT_DEVS_TOPOLOGY_SIO : ACL_RT_DEVS_TOPOLOGY_HCCS,
                                 ACL_RT_DEVS_TOPOLOGY_HCCS));
        },
        ended_well, "");
  }
}

TEST_F(AclProduct, TopologyIsUnsupportedInRcMode) {
  for (const char* mode : {"ep", "rc"}) {
    EXPECT_EXIT(
        {
          set_model("Ascend310B4");
          ::setenv("CONVOY_RUN_MODE", mode, 1);
          std::uint64_t link = 0;
          const bool refused = aclrtGetDevicesTopo(0, 1, &link) == no;
          end_well_if(refused == (std::string_view(mode) == "rc"));
        },
        ended_well, "");
  }
}

TEST_F(AclProduct, UnsupportedBatchErrorIsStored) {
  EXPECT_EXIT(
      {
        set_model("Ascend310P3");
        must_acl(aclrtSetDevice(0));
        const acl_memory host = on_host(zeros(8));
        const acl_memory device = on_device(zeros(8));
        acl_batch batch = side_by_side(device.data(), host.data(), 8, 1);
        std::size_t size = 0;
        const bool batch_kept = batch.submit(nullptr) == no && batch.fail_index == SIZE_MAX &&
                                aclrtGetLastError(ACL_RT_THREAD_LEVEL) == no;
        const bool size_kept =
            aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size) == no &&
            aclrtGetLastError(ACL_RT_THREAD_LEVEL) == no;
        end_well_if(batch_kept && size_kept);
      },
      ended_well, "");
}

TEST_F(AclProduct, DefaultIsAnA2) {
  EXPECT_EXIT(end_well_if(is_called("Ascend910B1")), ended_well, "");
}

TEST_F(AclProduct, UnknownModelListsKnownModels) {
  EXPECT_EXIT(
      {
        set_model("Ascend1");
        const bool refused = aclrtSetDevice(0) == ACL_ERROR_RT_DEV_SETUP_ERROR;
        end_well_if(refused && recent_errors().find("Ascend910B1") != std::string::npos);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
