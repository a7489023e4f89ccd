// Rows of a page each, some of which have no access.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <convoy/copy.hpp>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "os/pages.hpp"
#include "support/contents.hpp"

namespace convoy::test {

class broken_rows {
 public:
  static constexpr std::size_t page = 4096;
  static constexpr box extent{page, 300, 1};
  static constexpr std::size_t bytes = page * extent.height;

  broken_rows(const test::bytes& contents, std::vector<std::size_t> broken)
      : broken_(std::move(broken)), start_(static_cast<std::byte*>(os::map_pages(bytes))) {
    std::copy(contents.begin(), contents.end(), start_);
    for (const std::size_t row : broken_) ::mprotect(start_ + row * page, page, PROT_NONE);
  }
  ~broken_rows() { os::unmap_pages(start_, bytes); }
  broken_rows(const broken_rows&) = delete;
  broken_rows& operator=(const broken_rows&) = delete;

  [[nodiscard]] std::byte* data() const { return start_; }
  [[nodiscard]] const std::vector<std::size_t>& broken() const { return broken_; }

  [[nodiscard]] bool hold_only(std::byte value) const {
    for (std::size_t row = 0; row != extent.height; ++row) {
      if (std::ranges::count(broken_, row) != 0) continue;
      const std::span whole(start_ + row * page, page);
      if (!std::ranges::all_of(whole, [=](std::byte b) { return b == value; })) return false;
    }
    return true;
  }

 private:
  const std::vector<std::size_t> broken_;
  std::byte* const start_;
};

}  // namespace convoy::test
