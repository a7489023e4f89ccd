// A range of addresses with one owner, and the rule that a copy must lie inside of it.
#pragma once

#include <convoy/location.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>

namespace convoy::memory {

// The engine's address of a byte is the program's address plus `shift`.
struct window {
  std::uintptr_t start = 0;
  std::size_t bytes = 0;  // 0: not allocated
  std::ptrdiff_t shift = 0;
  memory_kind kind = memory_kind::pageable;
  device_id device = {};

  // Assigns field by field: loading the fields just written as one wide load defeats store
  // forwarding, which costs more than the rest of a lookup.
  void assign(const window& other) noexcept {
    start = other.start;
    bytes = other.bytes;
    shift = other.shift;
    kind = other.kind;
    device = other.device;
  }

  // The range rule: true when the range lies inside and its size is not 0.
  [[nodiscard]] bool contains(const void* from, std::size_t size) const noexcept {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(from) - start;
    return offset < bytes && size - 1 < bytes - offset;
  }

  // The same as a status that names the pointer.
  [[nodiscard]] status check_range(const void* from, std::size_t size,
                                   copy_side side) const noexcept {
    if (contains(from, size)) return {};
    return {bytes == 0 ? errc::not_an_allocation : errc::leaves_allocation, side, {}, from};
  }

  // The engine's address of a byte in the window.
  [[nodiscard]] std::byte* engine_address(const void* pointer) const noexcept {
    return const_cast<std::byte*>(static_cast<const std::byte*>(pointer)) + shift;
  }

  [[nodiscard]] memory_class memory() const noexcept { return {kind, device}; }
};

}  // namespace convoy::memory
