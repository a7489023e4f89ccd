#include "memory/peer_table.hpp"

#include <gtest/gtest.h>

namespace convoy {
namespace {

constexpr device_id a{0};
constexpr device_id b{63};

TEST(PeerTable, StartsUnconnected) {
  const peer_table peers;

  EXPECT_FALSE(peers.connected(a, b));
  EXPECT_FALSE(peers.connected(a, a));
}

TEST(PeerTable, ConnectsOneWay) {
  peer_table peers;

  EXPECT_TRUE(peers.connect(a, b));

  EXPECT_TRUE(peers.connected(a, b));
  EXPECT_FALSE(peers.connected(b, a));
}

TEST(PeerTable, RepeatedChangeAnswersFalse) {
  peer_table peers;
  peers.connect(a, b);

  EXPECT_FALSE(peers.connect(a, b));
  EXPECT_TRUE(peers.disconnect(a, b));
  EXPECT_FALSE(peers.disconnect(a, b));
  EXPECT_FALSE(peers.connected(a, b));
}

}  // namespace
}  // namespace convoy
