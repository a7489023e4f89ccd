#include "os/shared_pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "os/fault_guard.hpp"
#include "os/pages.hpp"
#include "support/eventually.hpp"

namespace convoy::os {
namespace {

constexpr std::size_t size = std::size_t{4} << 20;

class SharedPages : public testing::Test {
 protected:
  void SetUp() override {
    install_fault_handler(nullptr);
    file_ = make_shared(size);
    pages_ = static_cast<unsigned char*>(map_pages(size));
    ASSERT_GE(file_, 0);
    ASSERT_NE(pages_, nullptr);
  }
  void TearDown() override {
    unmap_pages(pages_, size);
    close_shared(file_);
  }

  int file_ = -1;
  unsigned char* pages_ = nullptr;
};

TEST_F(SharedPages, ContentsSurviveTheMove) {
  std::memset(pages_, 7, size);

  ASSERT_TRUE(move_to_shared(pages_, size, file_, 0));

  auto* const second = static_cast<unsigned char*>(map_shared(file_, 0, size));
  EXPECT_EQ(second[0], 7);
  EXPECT_EQ(second[size - 1], 7);
  pages_[100] = 8;
  EXPECT_EQ(second[100], 8);
  unmap_pages(second, size);
}

TEST_F(SharedPages, FileKeepsItsSize) {
  EXPECT_TRUE(keeps_size(file_, size));
  EXPECT_FALSE(keeps_size(file_, size + 1));
  EXPECT_NE(::ftruncate(file_, 0), 0);
  EXPECT_NE(::ftruncate(file_, 2 * size), 0);

  const int plain = ::memfd_create("plain", 0);
  EXPECT_EQ(::ftruncate(plain, size), 0);
  EXPECT_FALSE(keeps_size(plain, size));
  EXPECT_NE(identity_of(plain), identity_of(file_));
  ::close(plain);
  EXPECT_EQ(identity_of(plain), file_identity{});
}

TEST_F(SharedPages, WritesDuringMoveAreKept) {
  EXPECT_TRUE(test::ends_in_time([this] {
    std::atomic<bool> moved = false;
    std::size_t rounds = 0;
    std::thread writer([&] {
      while (!moved || rounds < 3) {
        ++rounds;
        for (std::size_t at = 0; at < size; at += 512)
          pages_[at] = static_cast<unsigned char>(rounds);
      }
    });

    EXPECT_TRUE(move_to_shared(pages_, size, file_, 0));
    moved = true;
    writer.join();

    auto* const second = static_cast<unsigned char*>(map_shared(file_, 0, size));
    for (std::size_t at = 0; at < size; at += 512) {
      ASSERT_EQ(second[at], static_cast<unsigned char>(rounds)) << at;
    }
    unmap_pages(second, size);
  }));
}

TEST_F(SharedPages, PagesBecomePrivateAndZero) {
  std::memset(pages_, 7, size);
  ASSERT_TRUE(move_to_shared(pages_, size, file_, 0));

  ASSERT_TRUE(map_private_at(pages_, size));

  EXPECT_EQ(pages_[0], 0);
  auto* const second = static_cast<unsigned char*>(map_shared(file_, 0, size));
  EXPECT_EQ(second[0], 7);
  discard_shared(file_, 0, size);
  EXPECT_EQ(second[0], 0);
  unmap_pages(second, size);
}

TEST_F(SharedPages, OpenRefusesMissingProcess) { EXPECT_EQ(open_shared(1 << 30, file_), -1); }

TEST(HoldFaults, RealFaultIsStillCaught) {
  install_fault_handler(nullptr);
  auto* const reserved = static_cast<volatile char*>(reserve(huge_page));
  { const hold_faults over(nullptr, 1); }

  EXPECT_FALSE(run_guarded([=] { *reserved = 1; }));

  unmap_pages(const_cast<char*>(reserved), huge_page);
}

}  // namespace
}  // namespace convoy::os
