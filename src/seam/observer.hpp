// Watching without touching: what a stream tells about its steps, and the engine about its memory.
//
// Calls arrive on whichever thread made them happen, also from several at once, and must not block.
// Times are taken once, by whoever tells, so that all observers agree about them.
#pragma once

#include <atomic>
#include <chrono>
#include <convoy/copy.hpp>
#include <convoy/ids.hpp>
#include <convoy/location.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace convoy {

enum class step_kind : std::uint8_t {
  copies,
  pitched,
  fill,
  indirect,
  function,
  record,
  wait,
  release,
  reduce
};

struct step_summary {
  step_kind kind = step_kind::copies;
  std::size_t items = 0;
  std::size_t bytes = 0;
  directions copy_directions = {};  // of a batch

  // What moves, in the engine's addresses: copies of a batch, or a box, whose source is null for a
  // fill and whose one row is a reduction's range. They live as long as the step: look at them in
  // started() and landed() alone.
  std::span<const copy> copies = {};
  const pitched_copy* rows = nullptr;
};

// A step by its stream and its place there.
struct step_position {
  std::uint64_t stream = 0;
  ticket position = {};
};

struct observed_step {
  using time = std::chrono::steady_clock::time_point;

  std::uint64_t stream = 0;
  ticket position = {};
  std::uint64_t handle = 0;  // of the stream
  step_summary summary = {};
  device_id device = {};
  std::span<const step_position> waits_for = {};  // in other streams; only in submitted()
  time submitted = {};
  time started = {};  // never, for a step that was dropped
  time landed = {};
};

class observer {
 public:
  virtual ~observer() = default;
  virtual void submitted(const observed_step& step) = 0;
  virtual void started(const observed_step& step) = 0;
  virtual void landed(const observed_step& step, const status& outcome) = 0;

  // The calling thread helped others with their copies in between.
  virtual void helped(observed_step::time, observed_step::time) {}

  // Memory that steps may name, by the engine's address of its first byte.
  virtual void allocated(const pointer_attributes&) {}
  virtual void freed(const void*) {}
};

// Where an observer stands, or none. Who stands there may change at any time.
class observer_slot {
 public:
  explicit observer_slot(observer* first = nullptr) noexcept : current_(first) {}

  [[nodiscard]] observer* load() const noexcept {
    return current_.load(std::memory_order_acquire);  // stored by change()
  }
  void store(observer* next) noexcept { current_.store(next, std::memory_order_release); }

 private:
  std::atomic<observer*> current_;
};

}  // namespace convoy
