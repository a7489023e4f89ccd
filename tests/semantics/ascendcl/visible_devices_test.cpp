#include <cstdint>
#include <cstdlib>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

// Each statement starts Convoy in a process of its own, with four devices.
class AclVisibleDevices : public own_process {
 protected:
  static void list(const char* devices) {
    ::setenv("CONVOY_DEVICES", "4", 1);
    ::setenv("ASCEND_RT_VISIBLE_DEVICES", devices, 1);
  }
  static std::uint32_t count() {
    std::uint32_t found = 77;
    must_acl(aclrtGetDeviceCount(&found));
    return found;
  }
  // -1 for a number that the program does not see.
  static std::int32_t logical(std::int32_t number) {
    std::int32_t found = -1;
    static_cast<void>(aclrtGetLogicDevIdByUserDevId(number, &found));
    return found;
  }
  static std::int32_t current_device() {
    std::int32_t found = -1;
    must_acl(aclrtGetDevice(&found));
    return found;
  }
  static bool sees(const char* devices, std::vector<std::int32_t> ids) {
    list(devices);
    bool same = count() == ids.size();
    for (std::size_t i = 0; i != ids.size(); ++i) {
      same = same && logical(static_cast<std::int32_t>(i)) == ids[i];
    }
    return same;
  }
};

TEST_F(AclVisibleDevices, ListIsSubset) {
  EXPECT_EXIT(end_well_if(sees("1", {1})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("1,2,3", {1, 2, 3})), ended_well, "");
  EXPECT_EXIT(
      {
        list("1,3");
        const bool refused = aclrtSetDevice(2) == ACL_ERROR_RT_INVALID_DEVICEID;
        must_acl(aclrtSetDevice(1));
        end_well_if(refused && current_device() == 1);
      },
      ended_well, "");
}

TEST_F(AclVisibleDevices, ListGivesOrder) {
  EXPECT_EXIT(end_well_if(sees("3,1,0", {3, 1, 0})), ended_well, "");
}

TEST_F(AclVisibleDevices, InvalidTextEndsList) {
  EXPECT_EXIT(end_well_if(sees("1, 2,3", {1})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("1,3,8,2", {1, 3})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("1,2,-1,3", {1, 2})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("2;3", {2})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("2,0,2,1", {2, 0})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("2,", {2})), ended_well, "");
  EXPECT_EXIT(end_well_if(sees("99999999999", {})), ended_well, "");
}

TEST_F(AclVisibleDevices, EmptyListHidesEveryDevice) {
  EXPECT_EXIT(
      {
        list("");
        end_well_if(count() == 0 && aclrtSetDevice(0) == ACL_ERROR_RT_INVALID_DEVICEID);
      },
      ended_well, "");
}

TEST_F(AclVisibleDevices, LogicalNumberIsThatOfList) {
  EXPECT_EXIT(
      {
        list("2,1");
        std::int32_t user = -1;
        std::int32_t physical = -1;
        must_acl(aclrtGetUserDevIdByLogicDevId(1, &user));
        must_acl(aclrtGetPhyDevIdByLogicDevId(2, &physical));
        const bool hidden = aclrtGetUserDevIdByPhyDevId(0, &user) == ACL_ERROR_RT_INVALID_DEVICEID;
        end_well_if(user == 1 && physical == 2 && hidden);
      },
      ended_well, "");
}

TEST_F(AclVisibleDevices, LocationsAreNumbersOfTheProgram) {
  EXPECT_EXIT(
      {
        list("3,1");
        must_acl(aclrtSetDevice(0));
        const acl_stream stream;
        const acl_memory device = on_device(zeros(8));
        const acl_memory host = on_host(numbered(8));
        acl_batch batch = side_by_side(device.data(), host.data(), 8, 1);
        aclrtPtrAttributes attributes = {};
        must_acl(aclrtPointerGetAttributes(device.data(), &attributes));
        must_acl(batch.submit(stream));
        must_acl(aclrtSynchronizeStream(stream));
        batch.attributes[0].dstLoc.id = 3;
        const bool refused = batch.submit(stream) == ACL_ERROR_RT_PARAM_INVALID;
        const bool named = recent_errors().find("is memory of device 0") != std::string::npos;
        end_well_if(attributes.location.id == 0 && contents_of(device) == numbered(8) && refused &&
                    named);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
