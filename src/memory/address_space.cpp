#include "memory/address_space.hpp"

#include <algorithm>
#include <bit>

#include "os/pages.hpp"

namespace convoy::memory {
namespace {

std::uintptr_t as_number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
std::byte* as_bytes(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

status not_an_allocation(const void* start) {
  return {errc::not_an_allocation, copy_side::none, {}, start};
}

// Each half of an arena has addresses for twice the capacity, so that fragmentation does not cause
// out_of_memory.
std::size_t stride_for(std::size_t capacity) {
  return std::max(std::bit_ceil(capacity) * 4, std::size_t{256} << 20);
}

}  // namespace

std::unique_ptr<address_space> address_space::make(const space_options& options) {
  std::unique_ptr<address_space> made(new address_space(options));
  if (!made->reserve()) return nullptr;
  return made;
}

bool address_space::reserve() {
  const std::size_t stride = stride_for(std::max(options_.device_capacity, options_.host_capacity));
  const auto devices = static_cast<std::size_t>(options_.devices);
  const std::size_t total = stride * (devices + 2);
  void* const got = os::reserve(total);
  if (got == nullptr) return false;
  base_ = as_number(got);
  bytes_ = total;
  stride_shift_ = static_cast<unsigned>(std::countr_zero(stride));

  std::uintptr_t device_view = base_;
  if (options_.isolated) {
    void* const view = os::reserve(stride * devices);
    if (view == nullptr) return false;
    isolated_base_ = device_view = as_number(view);
    device_shift_ = static_cast<std::ptrdiff_t>(isolated_base_ - base_);
  }
  for (std::size_t i = 0; i != devices + 2; ++i) {
    const memory_class memory = class_of(i);
    const bool on_device = memory.kind == memory_kind::device;
    const std::size_t capacity = on_device ? options_.device_capacity : options_.host_capacity;
    arenas_.push_back(
        std::make_unique<arena>(arena::owner{memory.kind, memory.device, capacity},
                                as_bytes((on_device ? device_view : base_) + i * stride), stride));
  }
  return true;
}

address_space::~address_space() {
  if (base_ != 0) os::unmap_pages(as_bytes(base_), bytes_);
  if (isolated_base_ == 0) return;
  os::unmap_pages(as_bytes(isolated_base_), static_cast<std::size_t>(options_.devices)
                                                << stride_shift_);
}

result<void*> address_space::allocate(device_id device, std::size_t bytes) {
  if (number(device) < 0 || number(device) >= options_.devices) return status{errc::invalid_device};
  return allocate_in(static_cast<std::size_t>(number(device)), bytes);
}

result<void*> address_space::allocate_pinned(std::size_t bytes) {
  return allocate_in(arenas_.size() - 2, bytes);
}

result<void*> address_space::allocate_managed(std::size_t bytes) {
  return allocate_in(arenas_.size() - 1, bytes);
}

result<void*> address_space::allocate_in(std::size_t arena, std::size_t bytes) {
  if (bytes == 0) return status{errc::zero_size};
  const auto offset = arenas_[arena]->allocate(bytes);
  if (!offset)
    return status{.code = errc::out_of_memory, .bytes = bytes, .memory = class_of(arena)};
  return pointer_to({arena, *offset});
}

void* address_space::pointer_to(arena_offset at) const noexcept {
  return as_bytes(base_ + (at.arena << stride_shift_) + at.offset);
}

result<address_space::arena_offset> address_space::offset_of(void* start) const {
  if (start == nullptr) return status{errc::null_pointer};
  const std::size_t offset = as_number(start) - base_;
  if (offset >= bytes_) return not_an_allocation(start);
  const std::size_t arena = offset >> stride_shift_;
  return arena_offset{arena, offset - (arena << stride_shift_)};
}

result<retired> address_space::retire(void* start) {
  const auto at = offset_of(start);
  if (!at) return at.error();
  if (arenas_[at->arena]->is_adopted(at->offset)) return not_an_allocation(start);
  return retire_at(*at);
}

result<retired> address_space::retire_adopted(void* start) {
  const auto at = offset_of(start);
  if (!at) return at.error();
  if (!arenas_[at->arena]->is_adopted(at->offset)) return not_an_allocation(start);
  return retire_at(*at);
}

result<retired> address_space::retire_at(arena_offset at) {
  const std::uint64_t number = retirements_.fetch_add(1, std::memory_order_relaxed) + 1;
  const auto range = arenas_[at.arena]->retire(at.offset, number);
  if (!range) return not_an_allocation(pointer_to(at));
  return retired{at.arena, *range};
}

result<shared_pages> address_space::share(void* start) {
  const auto at = offset_of(start);
  if (!at) return at.error();
  if (at->arena >= static_cast<std::size_t>(options_.devices)) return not_an_allocation(start);
  if (arenas_[at->arena]->lost_file()) return status{errc::not_permitted};
  const auto shared = arenas_[at->arena]->share(at->offset);
  if (shared) return *shared;
  const auto found = arenas_[at->arena]->find(at->offset);
  const bool shareable =
      found && found->start == at->offset && !arenas_[at->arena]->is_adopted(at->offset);
  return shareable ? status{errc::out_of_memory} : not_an_allocation(start);
}

result<void*> address_space::adopt(device_id device, const shared_pages& foreign) {
  if (number(device) < 0 || number(device) >= options_.devices) return status{errc::invalid_device};
  const auto arena = static_cast<std::size_t>(number(device));
  const auto offset = arenas_[arena]->adopt(foreign);
  if (!offset) return status{errc::out_of_memory};
  return pointer_to({arena, *offset});
}

void address_space::reclaim(const retired& freed) { arenas_[freed.arena]->reclaim(freed.range); }

status address_space::add_registered(void* start, std::size_t bytes, os::page_access needed) {
  if (start == nullptr) return {errc::null_pointer};
  if (bytes == 0) return {errc::zero_size};
  const std::uintptr_t from = as_number(start);
  const std::uintptr_t to = from + bytes;
  if (to < from) return {errc::invalid_argument, copy_side::none, {}, start};
  const status overlaps{errc::already_registered, copy_side::none, {}, start};
  if (from - base_ < bytes_) return overlaps;
  if (const void* const bad = os::first_inaccessible(start, bytes, needed))
    return {errc::not_an_allocation, copy_side::none, {}, bad};
  const bool reaches_ours = from < base_ && to > base_;
  return reaches_ours || !registered_.add({from, to}) ? overlaps : status{};
}

status address_space::remove_registered(void* start) {
  if (registered_.remove(as_number(start))) return {};
  return {errc::not_registered, copy_side::none, {}, start};
}

window address_space::window_of(const void* pointer, std::uint64_t since) const {
  window found = window_of(pointer);
  if (found.bytes != 0) return found;
  const std::uintptr_t address = as_number(pointer);
  const std::size_t index = (address - base_) >> stride_shift_;
  const std::uintptr_t arena_start = base_ + (index << stride_shift_);
  if (const auto freed = arenas_[index]->find_retired(address - arena_start, since)) {
    found.start = arena_start + freed->start;
    found.bytes = freed->bytes;
  }
  return found;
}

window address_space::outside(std::uintptr_t address) const noexcept {
  const auto [extent, is_registered] = registered_.region_of(address);
  if (is_registered) {
    return {
        .start = extent.start, .bytes = extent.end - extent.start, .kind = memory_kind::registered};
  }
  const window all = program_window(reinterpret_cast<const void*>(address));
  const std::uintptr_t floor = std::max(extent.start, all.start);
  const std::uintptr_t ceiling = std::min(extent.end, all.start + all.bytes);
  return {.start = floor, .bytes = ceiling - floor};
}

window address_space::program_window(const void* pointer) const noexcept {
  // Starts at address 1 or later, so that no window contains the null pointer.
  if (as_number(pointer) < base_) return {.start = 1, .bytes = base_ - 1};
  const std::uintptr_t above = base_ + bytes_;
  return {.start = above, .bytes = UINTPTR_MAX - above};
}

bool address_space::in_device_range(const void* pointer) const noexcept {
  return as_number(pointer) - base_ < static_cast<std::size_t>(options_.devices) << stride_shift_;
}

memory_use address_space::use_of(const memory_class& memory) const {
  for (const auto& each : arenas_) {
    const arena::owner& owner = each->owned_by();
    if (owner.kind != memory.kind || owner.device != memory.device) continue;
    return {each->used(), owner.capacity};
  }
  return {};
}

std::size_t address_space::used(device_id device) const {
  return arenas_[static_cast<std::size_t>(number(device))]->used();
}

}  // namespace convoy::memory
