#include "memory/window_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace convoy::memory {
namespace {

// Windows of a thousand bytes that the copies below lie in; nothing is ever read there.
class WindowCheck : public testing::Test {
 protected:
  static constexpr std::uintptr_t dst_start = 0x10000;
  static constexpr std::uintptr_t src_start = 0x90000;

  static std::byte* at(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

  WindowCheck() {
    for (std::size_t i = 0; i != 100; ++i) {
      copies_.push_back({at(dst_start + i * 10), at(src_start + i * 10), 1 + i % 10});
    }
  }

  [[nodiscard]] std::size_t check_structs() {
    return check_in_windows(copy_structs{copies_.data()}, copies_.size(), windows_, out_.data(),
                            sums_);
  }

  // The same copies as parallel arrays.
  [[nodiscard]] std::size_t check_columns(const std::size_t* capacities = nullptr) {
    std::vector<void*> dsts;
    std::vector<const void*> srcs;
    std::vector<std::size_t> sizes;
    for (const copy& c : copies_) {
      dsts.push_back(c.dst);
      srcs.push_back(c.src);
      sizes.push_back(c.bytes);
    }
    return check_in_windows(copy_columns{dsts.data(), srcs.data(), sizes.data(), capacities},
                            copies_.size(), windows_, out_.data(), sums_);
  }

  // The check may stop up to seven copies early: less than the widest vector.
  static void expect_stop_before(std::size_t bad, std::size_t passed) {
    EXPECT_LE(passed, bad);
    EXPECT_GT(passed + 8, bad);
  }

  std::vector<copy> copies_;
  std::vector<copy> out_ = std::vector<copy>(100);
  copy_windows windows_{{.start = dst_start, .bytes = 1000}, {.start = src_start, .bytes = 1000}};
  copy_totals sums_;
};

TEST_F(WindowCheck, CopiesInsideBothWindowsPass) {
  const std::size_t passed = check_structs();

  expect_stop_before(100, passed);
  EXPECT_TRUE(std::equal(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(passed),
                         copies_.begin()));
}

TEST_F(WindowCheck, BothLayoutsAgree) {
  const std::size_t passed = check_structs();
  const std::vector<copy> from_structs = out_;

  EXPECT_EQ(check_columns(), passed);
  EXPECT_EQ(out_, from_structs);
}

TEST_F(WindowCheck, EachSideHasItsOwnShift) {
  windows_.dst.shift = 0x1000;
  windows_.src.shift = -0x2000;

  EXPECT_GT(check_structs(), 0U);
  EXPECT_EQ(out_[3].dst, at(dst_start + 30 + 0x1000));
  EXPECT_EQ(out_[3].src, at(src_start + 30 - 0x2000));
}

TEST_F(WindowCheck, TotalsCountPassedCopies) {
  sums_ = {.bytes = 7, .largest = 3, .line_bits = 0};
  const std::size_t passed = check_structs();

  std::size_t bytes = 7;
  for (std::size_t i = 0; i != passed; ++i) bytes += copies_[i].bytes;
  EXPECT_EQ(sums_.bytes, bytes);
  EXPECT_EQ(sums_.largest, 10U);
  EXPECT_NE(sums_.line_bits % 64, 0U);
}

TEST_F(WindowCheck, StopsAtAnEmptyCopy) {
  copies_[50].bytes = 0;

  expect_stop_before(50, check_structs());
}

TEST_F(WindowCheck, StopsAtFirstByteOutside) {
  copies_[50].dst = at(dst_start - 1);
  copies_[30].src = at(src_start + 1000);

  expect_stop_before(30, check_structs());
  copies_[30].src = at(src_start);
  expect_stop_before(50, check_structs());
}

TEST_F(WindowCheck, StopsAtEndOutsideWindow) {
  copies_[50] = {at(dst_start), at(src_start + 991), 10};
  expect_stop_before(50, check_structs());

  copies_[50].bytes = 9;
  expect_stop_before(100, check_structs());
}

TEST_F(WindowCheck, StopsAtASizeThatWraps) {
  copies_[50].bytes = SIZE_MAX;

  expect_stop_before(50, check_structs());
}

TEST_F(WindowCheck, StopsAboveCapacity) {
  std::vector<std::size_t> capacities(100, 10);
  capacities[50] = copies_[50].bytes - 1;
  copies_[49].bytes = capacities[49] = 10;

  expect_stop_before(50, check_columns(capacities.data()));
}

}  // namespace
}  // namespace convoy::memory
