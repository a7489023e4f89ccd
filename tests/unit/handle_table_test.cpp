#include "base/handle_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace convoy {
namespace {

class HandleTable : public testing::Test {
 protected:
  std::uint64_t insert(int value) { return table_.insert(std::make_shared<int>(value)); }

  handle_table<int> table_{5};
};

TEST_F(HandleTable, FindsInsertedObject) {
  const auto one = insert(1);
  const auto two = insert(2);

  EXPECT_EQ(*table_.find(one), 1);
  EXPECT_EQ(*table_.find(two), 2);
  EXPECT_EQ(table_.state_of(one), handle_state::live);
}

TEST_F(HandleTable, DestroyedHandleDiffersFromInvalid) {
  const auto gone = insert(1);
  EXPECT_EQ(*table_.remove(gone), 1);

  EXPECT_EQ(table_.find(gone), nullptr);
  EXPECT_EQ(table_.state_of(gone), handle_state::destroyed);
  EXPECT_EQ(table_.state_of(gone + 1), handle_state::never_valid);
  EXPECT_EQ(table_.state_of(0), handle_state::never_valid);
  EXPECT_EQ(table_.state_of(~std::uint64_t{0}), handle_state::never_valid);
}

TEST_F(HandleTable, SecondRemoveFails) {
  const auto gone = insert(1);
  table_.remove(gone);

  EXPECT_EQ(table_.remove(gone), nullptr);
}

TEST_F(HandleTable, ReusedSlotDoesNotReviveHandle) {
  const auto old = insert(1);
  table_.remove(old);
  const auto fresh = insert(2);

  EXPECT_NE(fresh, old);
  EXPECT_EQ(table_.find(old), nullptr);
  EXPECT_EQ(table_.remove(old), nullptr);
  EXPECT_EQ(table_.state_of(old), handle_state::destroyed);
  EXPECT_EQ(*table_.find(fresh), 2);
}

TEST_F(HandleTable, EveryGenerationHasItsOwnHandle) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i != 10'000; ++i) {
    const auto handle = insert(i);
    seen.insert(handle);
    table_.remove(handle);
  }

  EXPECT_EQ(seen.size(), 10'000U);
}

TEST_F(HandleTable, HandlesOfOtherTablesAreInvalid) {
  handle_table<int> other(6);
  const auto foreign = other.insert(std::make_shared<int>(1));
  insert(2);

  EXPECT_EQ(table_.find(foreign), nullptr);
  EXPECT_EQ(table_.state_of(foreign), handle_state::never_valid);
}

TEST_F(HandleTable, GrowsPastOneChunk) {
  std::vector<std::uint64_t> handles;
  for (int i = 0; i != 5000; ++i) handles.push_back(insert(i));

  for (int i = 0; i != 5000; ++i) ASSERT_EQ(*table_.find(handles[i]), i);
}

TEST_F(HandleTable, FoundObjectOutlivesRemoval) {
  const auto handle = insert(7);
  const auto found = table_.find(handle);

  table_.remove(handle);

  EXPECT_EQ(*found, 7);
}

TEST_F(HandleTable, ServesManyThreads) {
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t != 4; ++t) {
      threads.emplace_back([this, t] {
        for (int i = 0; i != 3000; ++i) {
          const auto handle = insert(t);
          EXPECT_EQ(*table_.find(handle), t);
          EXPECT_EQ(*table_.remove(handle), t);
        }
      });
    }
  }

  EXPECT_EQ(*table_.find(insert(1)), 1);
}

TEST_F(HandleTable, CountsRemovals) {
  const auto handle = insert(1);
  EXPECT_EQ(table_.removals(), 0U);

  table_.remove(handle);
  table_.remove(handle);

  EXPECT_EQ(table_.removals(), 1U);
}

}  // namespace
}  // namespace convoy
