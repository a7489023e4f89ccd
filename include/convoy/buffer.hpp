// An owner of one allocation, which it frees when it is destroyed.
//
// Destroying a buffer does not wait. Steps that were submitted before still use the memory; see
// memory.hpp.
#pragma once

#include <convoy/api_function.hpp>
#include <convoy/memory.hpp>
#include <cstddef>
#include <span>
#include <utility>

namespace convoy {

// The bytes of a device buffer are for steps, not for host code; with CONVOY_ISOLATE=1 host code
// that touches them ends the program with a report.
class buffer {
 public:
  // Empty: no memory, size 0.
  buffer() noexcept = default;

  // Takes ownership of memory from allocate(), allocate_pinned() or allocate_managed().
  buffer(void* start, std::size_t bytes) noexcept
      : start_(static_cast<std::byte*>(start)), bytes_(bytes) {}

  // Leaves `other` empty.
  buffer(buffer&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

  // Swaps: `other` frees what this buffer had.
  buffer& operator=(buffer&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  ~buffer() {
    if (start_ != nullptr) static_cast<void>(deallocate(start_));
  }

  [[nodiscard]] std::byte* data() const noexcept { return start_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {start_, bytes_}; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
};

// A buffer of device memory. Returns and answers as allocate() does.
inline result<buffer> make_device_buffer(device_id device, std::size_t bytes) {
  const scoped_api_function inside("convoy::make_device_buffer");
  auto start = allocate(device, bytes);
  if (!start) return start.error();
  return buffer(*start, bytes);
}

// A buffer of pinned host memory. Returns and answers as allocate_pinned() does.
inline result<buffer> make_pinned_buffer(std::size_t bytes) {
  const scoped_api_function inside("convoy::make_pinned_buffer");
  auto start = allocate_pinned(bytes);
  if (!start) return start.error();
  return buffer(*start, bytes);
}

}  // namespace convoy
