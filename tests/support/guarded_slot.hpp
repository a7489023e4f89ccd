// Memory for one object that a call writes: an access behind the object faults, a write before it
// is found.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace convoy::test {

class guarded_slot {
 public:
  static constexpr std::size_t size = 16384;

  guarded_slot()
      : start_(static_cast<std::byte*>(::mmap(nullptr, size + guard, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (start_ == MAP_FAILED || ::mprotect(start_ + size, guard, PROT_NONE) != 0) {
      throw std::runtime_error("mmap failed");
    }
  }
  ~guarded_slot() { ::munmap(start_, size + guard); }
  guarded_slot(const guarded_slot&) = delete;
  guarded_slot& operator=(const guarded_slot&) = delete;

  // Room for an object; its bytes are undefined.
  std::byte* place(std::size_t bytes, std::size_t alignment) {
    object_ = start_ + (size - bytes) / alignment * alignment;
    std::memset(red_zone(), mark, object_ - red_zone());
    return object_;
  }

  [[nodiscard]] bool written_before() const {
    return std::any_of(red_zone(), object_, [](std::byte b) { return b != std::byte{mark}; });
  }

 private:
  static constexpr std::size_t guard = 4096;
  static constexpr unsigned char mark = 0xA5;

  [[nodiscard]] std::byte* red_zone() const { return std::max(start_, object_ - 64); }

  std::byte* const start_;
  std::byte* object_ = start_;
};

}  // namespace convoy::test
