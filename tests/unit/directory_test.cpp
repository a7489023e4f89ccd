#include "ipc/directory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "os/process.hpp"

namespace convoy::ipc {
namespace {

TEST(Directory, FindsAddedEntry) {
  const auto made = directory::make();
  const auto added = made->add(kind::memory);
  ASSERT_TRUE(added.ok());

  EXPECT_EQ(made->find(added->name), added->entry);
  EXPECT_EQ((*open_entry(added->name, kind::memory))->contents, kind::memory);
}

TEST(Directory, KeyEndsWithItsEntry) {
  const auto made = directory::make();
  const key first = made->add(kind::memory)->name;
  made->remove(first);
  const key second = made->add(kind::memory)->name;

  EXPECT_EQ(second.slot, first.slot);
  EXPECT_EQ(made->find(first), nullptr);
  EXPECT_EQ(open_entry(first, kind::memory).error().code, errc::destroyed_handle);
  EXPECT_NE(made->find(second), nullptr);
}

TEST(Directory, ImportedSlotIsNotReused) {
  const auto made = directory::make();
  const auto first = made->add(kind::memory);
  first->entry->members.open_to_all = 1;
  ASSERT_EQ(first->entry->members.enter(os::pid()), errc::ok);

  made->remove(first->name);
  EXPECT_NE(made->add(kind::memory)->name.slot, first->name.slot);
  first->entry->members.leave(os::pid());
  EXPECT_EQ(made->add(kind::memory)->name.slot, first->name.slot);
}

TEST(Directory, KindsAreSeparate) {
  const auto made = directory::make();
  const key name = made->add(kind::event)->name;

  EXPECT_EQ(open_entry(name, kind::memory).error().code, errc::invalid_handle);
}

TEST(Directory, RefusesForeignAndInvalidKeys) {
  const auto made = directory::make();
  const key good = made->add(kind::memory)->name;
  key slot = good;
  slot.slot = 1U << 31;
  key file = good;
  file.file = 0;
  key secret = good;
  secret.secret ^= 1;

  EXPECT_EQ(made->find(slot), nullptr);
  EXPECT_EQ(made->find(secret), nullptr);
  EXPECT_EQ(open_entry(slot, kind::memory).error().code, errc::invalid_handle);
  EXPECT_EQ(open_entry(secret, kind::memory).error().code, errc::invalid_handle);
  EXPECT_FALSE(open_entry(file, kind::memory).ok());
}

TEST(Directory, DamagedKeyIsNotAnotherKey) {
  const auto made = directory::make();
  const key first = made->add(kind::memory)->name;
  key damaged = made->add(kind::memory)->name;
  damaged.slot = first.slot;

  EXPECT_EQ(made->find(damaged), nullptr);
  EXPECT_EQ(open_entry(damaged, kind::memory).error().code, errc::invalid_handle);
}

// A thread has the same descriptors, and may have started at the same time.
TEST(Directory, KeyWithThreadIsRefused) {
  const auto made = directory::make();
  key name = made->add(kind::memory)->name;

  errc code = errc::ok;
  std::thread([&] {
    name.process = static_cast<std::int32_t>(os::thread_id());
    while (!os::is_alive({name.process, name.started})) ++name.started;
    code = open_entry(name, kind::memory).error().code;
  }).join();

  EXPECT_EQ(code, errc::invalid_handle);
}

// A mapping of it would raise SIGBUS.
TEST(Directory, RefusesKeysOfFilesThatShrink) {
  const auto made = directory::make();
  const int empty = ::memfd_create("empty", 0);
  const int plain = ::memfd_create("plain", 0);
  ASSERT_EQ(::ftruncate(plain, std::int64_t{1} << 30), 0);
  for (const int file : {empty, plain}) {
    key name = made->add(kind::memory)->name;
    name.file = file;

    EXPECT_EQ(open_entry(name, kind::memory).error().code, errc::invalid_handle);

    ::close(file);
  }
}

class Membership : public testing::Test {
 protected:
  membership members_{};
  const std::int32_t self_ = os::pid();
};

TEST_F(Membership, AdmitsPermittedProcesses) {
  EXPECT_EQ(members_.enter(self_), errc::not_permitted);
  EXPECT_TRUE(members_.permit(std::array{self_}));
  EXPECT_EQ(members_.enter(self_), errc::ok);
}

TEST_F(Membership, ClosingAffectsOnlyNewMembers) {
  members_.open_to_all = 1;
  EXPECT_EQ(members_.enter(self_), errc::ok);
  members_.withdrawn = 1;

  EXPECT_EQ(members_.enter(self_), errc::destroyed_handle);
  EXPECT_TRUE(members_.in_use());
  members_.leave(self_);
  EXPECT_FALSE(members_.in_use());
}

TEST_F(Membership, ForgetsEndedProcesses) {
  members_.importers[0] = 1 << 30;

  EXPECT_FALSE(members_.in_use());
  EXPECT_EQ(members_.importers[0], 0);
}

TEST_F(Membership, PermitsAllOrNone) {
  std::vector<std::int32_t> many(max_processes);
  std::iota(many.begin(), many.end(), 1);
  many.back() = self_;
  EXPECT_TRUE(members_.permit(std::span(many).first(max_processes - 1)));

  EXPECT_TRUE(members_.permit(std::array{1, 2}));
  EXPECT_FALSE(members_.permit(std::array{1 << 20, self_}));
  EXPECT_EQ(members_.enter(self_), errc::not_permitted);
  EXPECT_TRUE(members_.permit(std::array{self_, self_}));
  EXPECT_FALSE(members_.permit(std::array{1 << 20}));
}

TEST_F(Membership, ImportersAreLimited) {
  members_.open_to_all = 1;
  for (std::size_t i = 0; i != max_processes; ++i) EXPECT_EQ(members_.enter(self_), errc::ok);

  EXPECT_EQ(members_.enter(self_), errc::out_of_memory);
}

}  // namespace
}  // namespace convoy::ipc
