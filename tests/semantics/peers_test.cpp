#include <convoy/convoy.hpp>

#include "support/contents.hpp"

namespace convoy {
namespace {

using namespace test;

// Every test starts and ends without access.
class Peers : public testing::Test {
 protected:
  ~Peers() override {
    static_cast<void>(first.disable_access(second_device));
    static_cast<void>(second.disable_access(first_device));
  }

  const device first{first_device};
  const device second{second_device};
};

TEST_F(Peers, DeviceIsNotItsOwnPeer) {
  EXPECT_TRUE(must(first.can_access(second_device)));
  EXPECT_TRUE(must(second.can_access(first_device)));
  EXPECT_FALSE(must(first.can_access(first_device)));
}

TEST_F(Peers, AccessMustBeEnabled) {
  EXPECT_FALSE(must(first.has_access(second_device)));

  EXPECT_OK(first.enable_access(second_device));

  EXPECT_TRUE(must(first.has_access(second_device)));
}

TEST_F(Peers, AccessIsOneWay) {
  EXPECT_OK(first.enable_access(second_device));

  EXPECT_FALSE(must(second.has_access(first_device)));
}

TEST_F(Peers, EnablingTwiceIsRefused) {
  EXPECT_OK(first.enable_access(second_device));

  EXPECT_ANSWER(first.enable_access(second_device), errc::peer_access_already_enabled);
}

TEST_F(Peers, DisablingDisabledAccessIsRefused) {
  EXPECT_ANSWER(first.disable_access(second_device), errc::peer_access_not_enabled);

  EXPECT_OK(first.enable_access(second_device));
  EXPECT_OK(first.disable_access(second_device));

  EXPECT_ANSWER(first.disable_access(second_device), errc::peer_access_not_enabled);
  EXPECT_FALSE(must(first.has_access(second_device)));
}

TEST_F(Peers, UnknownDeviceIsRefused) {
  EXPECT_ANSWER(first.enable_access(first_device), errc::invalid_device);
  EXPECT_ANSWER(first.enable_access(device_id{99}), errc::invalid_device);
  EXPECT_ANSWER(first.can_access(device_id{-1}), errc::invalid_device);
  EXPECT_ANSWER(device(device_id{99}).enable_access(first_device), errc::invalid_device);
}

}  // namespace
}  // namespace convoy
