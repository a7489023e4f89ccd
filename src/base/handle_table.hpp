// Handles that stay safe to use after their object was destroyed.
//
// A handle is a number made of a tag, a slot index and the slot's generation, never an address. The
// table distinguishes a destroyed handle from one that was never valid.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "os/thread_sanitizer.hpp"

namespace convoy {

enum class handle_state { live, destroyed, never_valid };

template <class T>
class handle_table {
 public:
  // Tables with different tags never accept each other's handles. 1 ≤ tag ≤ 127.
  explicit handle_table(std::uint8_t tag) : tag_(std::uint64_t{tag} << 56) {}

  // 0 when the table is full.
  std::uint64_t insert(std::shared_ptr<T> object) {
    const lock held(mutex_);
    const std::uint32_t index = free_slot();
    if (index == slots_limit) return 0;
    slot& s = at(index);
    const spin_guard guard(s.busy);
    s.object = std::move(object);
    return tag_ | std::uint64_t{s.generation} << 24 | index;
  }

  [[nodiscard]] std::shared_ptr<T> find(std::uint64_t handle) const {
    slot* const s = slot_of(handle);
    if (s == nullptr) return nullptr;
    const spin_guard guard(s->busy);
    return generation_of(handle) == s->generation ? s->object : nullptr;
  }

  [[nodiscard]] handle_state state_of(std::uint64_t handle) const {
    slot* const s = slot_of(handle);
    if (s == nullptr) return handle_state::never_valid;
    const spin_guard guard(s->busy);
    const std::uint32_t generation = generation_of(handle);
    if (generation == s->generation && s->object) return handle_state::live;
    return generation != 0 && generation < s->generation ? handle_state::destroyed
                                                         : handle_state::never_valid;
  }

  // Removes the object and invalidates the handle; null when the handle was not live.
  std::shared_ptr<T> remove(std::uint64_t handle) {
    const lock held(mutex_);
    slot* const s = slot_of(handle);
    if (s == nullptr) return nullptr;
    const spin_guard guard(s->busy);
    if (generation_of(handle) != s->generation || !s->object) return nullptr;
    ++s->generation;
    removals_.fetch_add(1, std::memory_order_relaxed);
    vacant_.push_back(static_cast<std::uint32_t>(handle & slot_mask));
    return std::move(s->object);
  }

  // Number of removed handles. While it does not change, find() of a live handle gives the same
  // object. A thread that synchronizes with remove() sees it counted.
  [[nodiscard]] std::uint64_t removals() const noexcept {
    return removals_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t chunk_size = 1024;
  static constexpr std::uint32_t slots_limit = 1024 * chunk_size;
  static constexpr std::uint64_t slot_mask = 0xFFFFFF;

  struct slot {
    mutable std::atomic_flag busy = ATOMIC_FLAG_INIT;  // guards the two below
    std::uint32_t generation = 1;
    std::shared_ptr<T> object;
  };
  using chunk = std::array<slot, chunk_size>;

  struct spin_guard {
    explicit spin_guard(std::atomic_flag& f) : flag(f) {
      while (flag.test_and_set(std::memory_order_acquire)) {  // pairs with the clear below
      }
      os::annotate_acquire(&flag);
    }
    ~spin_guard() {
      os::annotate_release(&flag);
      flag.clear(std::memory_order_release);
    }
    spin_guard(const spin_guard&) = delete;
    spin_guard& operator=(const spin_guard&) = delete;
    std::atomic_flag& flag;
  };

  static std::uint32_t generation_of(std::uint64_t handle) {
    return static_cast<std::uint32_t>(handle >> 24);
  }

  slot& at(std::uint32_t index) const {
    // Published by free_slot with release.
    return (*chunks_[index / chunk_size].load(std::memory_order_acquire))[index % chunk_size];
  }

  slot* slot_of(std::uint64_t handle) const {
    if ((handle >> 56 << 56) != tag_) return nullptr;
    const auto index = static_cast<std::uint32_t>(handle & slot_mask);
    if (index >= used_.load(std::memory_order_acquire)) return nullptr;  // stored by free_slot
    return &at(index);
  }

  std::uint32_t free_slot() CONVOY_REQUIRES(mutex_) {
    if (!vacant_.empty()) {
      const std::uint32_t index = vacant_.back();
      vacant_.pop_back();
      return index;
    }
    const std::uint32_t index = used_.load(std::memory_order_relaxed);
    if (index == slots_limit) return index;
    if (index % chunk_size == 0) {
      owned_.push_back(std::make_unique<chunk>());
      chunks_[index / chunk_size].store(owned_.back().get(), std::memory_order_release);
    }
    used_.store(index + 1, std::memory_order_release);
    return index;
  }

  const std::uint64_t tag_;
  std::array<std::atomic<chunk*>, slots_limit / chunk_size> chunks_ = {};
  std::atomic<std::uint32_t> used_ = 0;
  std::atomic<std::uint64_t> removals_ = 0;

  mutex mutex_;
  std::vector<std::unique_ptr<chunk>> owned_ CONVOY_GUARDED_BY(mutex_);
  std::vector<std::uint32_t> vacant_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
