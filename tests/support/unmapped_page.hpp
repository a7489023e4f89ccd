// An address that nothing may be read from or written to.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <stdexcept>

namespace convoy::test {

class wild_page {
 public:
  static constexpr std::size_t size = 4096;

  wild_page() : start_(::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (start_ == MAP_FAILED) throw std::runtime_error("no page to be had");
  }
  ~wild_page() { ::munmap(start_, size); }
  wild_page(const wild_page&) = delete;
  wild_page& operator=(const wild_page&) = delete;

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(start_); }

 private:
  void* const start_;
};

}  // namespace convoy::test
