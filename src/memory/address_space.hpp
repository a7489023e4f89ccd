// Maps every address to its owner and its allocation.
//
// All of Convoy's memory lies in one reservation: arenas of equal size, one for each device and one
// each for pinned and managed memory. A lookup is a subtraction, a shift and one table load.
// Addresses outside of the reservation belong to the program.
#pragma once

#include <atomic>
#include <convoy/location.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "memory/arena.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/window.hpp"
#include "os/mappings.hpp"

namespace convoy::memory {

struct space_options {
  int devices = 2;
  std::size_t device_capacity = std::size_t{1} << 30;
  std::size_t host_capacity = std::size_t{1} << 30;  // of pinned and of managed memory
  bool isolated = false;
};

// A freed allocation: lookups no longer find it, its addresses are not reused before reclaim().
struct retired {
  std::size_t arena = 0;
  extent range;
};

struct memory_use {
  std::size_t used = 0;
  std::size_t capacity = 0;
};

class address_space {
 public:
  // Null when the address space cannot be reserved.
  static std::unique_ptr<address_space> make(const space_options& options);
  ~address_space();
  address_space(const address_space&) = delete;
  address_space& operator=(const address_space&) = delete;

  result<void*> allocate(device_id device, std::size_t bytes);
  result<void*> allocate_pinned(std::size_t bytes);
  result<void*> allocate_managed(std::size_t bytes);
  result<retired> retire(void* start);
  void reclaim(const retired& freed);

  // Device memory that processes share: the exporter calls share(), the importer adopt(). retire()
  // refuses adopted memory, retire_adopted() all other memory.
  result<shared_pages> share(void* start);
  result<void*> adopt(device_id device, const shared_pages& foreign);
  result<retired> retire_adopted(void* start);

  status add_registered(void* start, std::size_t bytes,
                        os::page_access needed = os::page_access::read_write);
  status remove_registered(void* start);

  // For pageable memory the window is the whole gap between memory of other kinds.
  [[nodiscard, gnu::always_inline]] window window_of(const void* pointer) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::size_t offset = address - base_;
    if (offset >= bytes_) return outside(address);

    const std::size_t index = offset >> stride_shift_;
    const arena& owning = *arenas_[index];
    const std::uintptr_t arena_start = base_ + (index << stride_shift_);
    const auto found = owning.find(address - arena_start);
    const auto& owner = owning.owned_by();
    return {.start = found ? arena_start + found->start : address,
            .bytes = found ? found->bytes : 0,
            .shift = owner.kind == memory_kind::device ? device_shift_ : 0,
            .kind = owner.kind,
            .device = owner.device};
  }

  // For an address outside of the reservation: all memory around it that is the program's own, as
  // pageable memory, registered or not.
  [[nodiscard]] window program_window(const void* pointer) const noexcept;

  [[nodiscard]] result<pointer_attributes> locate(const void* pointer) const noexcept {
    const window w = window_of(pointer);
    if (w.kind == memory_kind::pageable) return pointer_attributes{};
    if (w.bytes == 0) return status{errc::not_an_allocation, copy_side::none, {}, pointer};
    return pointer_attributes{
        .kind = w.kind,
        .device = w.device,
        .base = reinterpret_cast<void*>(w.start),
        .size = w.bytes,
        .bytes_left = w.start + w.bytes - reinterpret_cast<std::uintptr_t>(pointer)};
  }

  // By the address alone, whether it is allocated or not.
  [[nodiscard]] memory_class classify(const void* pointer) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::size_t offset = address - base_;
    if (offset >= bytes_) return {.kind = outside(address).kind};
    return class_of(offset >> stride_shift_);
  }

  // For a step submitted after `since` retirements: also finds memory that was freed later and not
  // yet reclaimed.
  [[nodiscard]] window window_of(const void* pointer, std::uint64_t since) const;
  [[nodiscard]] std::uint64_t retirements() const noexcept {
    return retirements_.load(std::memory_order_relaxed);
  }

  // True for addresses in the arenas of devices, allocated or not.
  [[nodiscard]] bool in_device_range(const void* pointer) const noexcept;

  // The engine's address of a byte; differs from the program's for device memory, when isolated.
  [[nodiscard]] void* engine_address(const void* pointer) const noexcept {
    auto* const at = const_cast<std::byte*>(static_cast<const std::byte*>(pointer));
    return in_device_range(pointer) ? at + device_shift_ : at;
  }

  [[nodiscard]] memory_use use_of(const memory_class& memory) const;  // that Convoy allocates
  [[nodiscard]] std::size_t used(device_id device) const;
  [[nodiscard]] std::size_t capacity() const noexcept { return options_.device_capacity; }

 private:
  explicit address_space(const space_options& options) : options_(options) {}

  // The memory of each arena: the devices in order, then pinned, then managed.
  [[nodiscard]] memory_class class_of(std::size_t arena) const noexcept {
    const auto index = static_cast<int>(arena);
    if (index < options_.devices) return {memory_kind::device, device_id{index}};
    return {.kind = index == options_.devices ? memory_kind::pinned : memory_kind::managed};
  }

  bool reserve();
  // The start of an allocation, as an offset in its arena.
  struct arena_offset {
    std::size_t arena = 0;
    std::size_t offset = 0;
  };

  result<void*> allocate_in(std::size_t arena, std::size_t bytes);
  [[nodiscard]] result<arena_offset> offset_of(void* start) const;
  [[nodiscard]] void* pointer_to(arena_offset at) const noexcept;
  result<retired> retire_at(arena_offset at);
  [[nodiscard]] window outside(std::uintptr_t address) const noexcept;

  const space_options options_;
  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  unsigned stride_shift_ = 0;
  std::uintptr_t isolated_base_ = 0;  // the engine's mapping of device memory, when isolated
  std::ptrdiff_t device_shift_ = 0;   // from the program's address to the engine's
  std::vector<std::unique_ptr<arena>> arenas_;
  registered_ranges registered_;
  std::atomic<std::uint64_t> retirements_ = 0;
};

}  // namespace convoy::memory
