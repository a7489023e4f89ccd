// A page that faults on every access.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <stdexcept>

namespace convoy::test {

class unmapped_page {
 public:
  static constexpr std::size_t size = 4096;

  unmapped_page() : start_(::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (start_ == MAP_FAILED) throw std::runtime_error("mmap failed");
  }
  ~unmapped_page() { ::munmap(start_, size); }
  unmapped_page(const unmapped_page&) = delete;
  unmapped_page& operator=(const unmapped_page&) = delete;

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(start_); }

 private:
  void* const start_;
};

}  // namespace convoy::test
