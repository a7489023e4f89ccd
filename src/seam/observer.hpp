// The interface of an observer: steps of streams, allocations, and calls of public functions.
//
// Functions are called on the thread that causes the event, on several threads at once, and must
// not block or call Convoy; submitted() is called with the lock of the stream held. The caller
// takes each timestamp once, so all observers get the same. `stream` is an internal number;
// `handle` is the one that the program uses.
#pragma once

#include <atomic>
#include <chrono>
#include <convoy/batch.hpp>
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

  // Engine addresses: the copies of a batch, or a box; a fill has no source, a reduction has one
  // row. Valid as long as the step, so only in started() and landed().
  std::span<const copy> copies = {};
  const pitched_copy* box_copy = nullptr;
};

// A step: its stream and its position in it.
struct step_position {
  std::uint64_t stream = 0;
  ticket position = {};
};

// The call that submitted a step; valid in submitted() only.
struct submitting_call {
  const char* function = nullptr;  // of the API that was called

  // Program addresses, otherwise as in step_summary; a stream value is a box of one row.
  std::span<const copy> copies = {};
  const pitched_copy* box_copy = nullptr;
  const void* descriptor = nullptr;   // of an indirect copy
  const based_copy* based = nullptr;  // an indirect copy between offsets from two pointers

  std::span<const attribute_run> runs = {};  // empty: default attributes

  // Handles of events; 0: none. The queue calls recorded() or awaited() after submitted().
  std::uint64_t recorded_event = 0;
  std::uint64_t awaited_event = 0;
};

struct observed_step {
  using time = std::chrono::steady_clock::time_point;

  std::uint64_t stream = 0;
  ticket position = {};
  std::uint64_t handle = 0;  // of the stream
  step_summary summary = {};
  device_id device = {};
  std::span<const step_position> waits_for = {};  // in other streams; only in submitted()
  const submitting_call* call = nullptr;          // only in submitted(); may be null
  time submitted = {};
  time started = {};  // unset for a step that was dropped
  time landed = {};
};

// A host thread has synchronized with a stream up to a position.
enum class sync_kind : std::uint8_t { wait, query, blocking_call };
struct observed_sync {
  step_position reached;
  sync_kind kind = sync_kind::wait;
  const char* function = nullptr;
};

// A recording of an event, or a wait for it.
struct observed_event {
  std::uint64_t event = 0;  // handle
  step_position step;       // that records or waits; for an elided wait the last of the stream
  bool elided = false;      // the wait needs no step of its own
  const char* function = nullptr;
};

// An allocation or a registered range. The attributes have program addresses.
struct observed_memory {
  pointer_attributes attributes;
  const void* engine_start = nullptr;
};

// A call that was refused and changed nothing.
struct refused_call {
  const char* function = nullptr;
  std::uint64_t stream_handle = 0;  // 0: none
  status error;
};

class observer {
 public:
  virtual ~observer() = default;

  // Called for each step, in this order.
  virtual void submitted(const observed_step& step) = 0;
  virtual void started(const observed_step& step) = 0;
  virtual void landed(const observed_step& step, const status& outcome) = 0;

  // The calling thread helped another thread with its copies during this time.
  virtual void helped(observed_step::time /*from*/, observed_step::time /*until*/) {}

  virtual void allocated(const observed_memory& /*memory*/) {}
  virtual void freed(const observed_memory& /*memory*/) {}

  virtual void synchronized(const observed_sync& /*sync*/) {}

  // Called after submitted() and before started() of the step that records or waits.
  virtual void recorded(const observed_event& /*event*/) {}
  virtual void awaited(const observed_event& /*event*/) {}
  virtual void refused(const refused_call& /*call*/) {}
};

// The current observer is one atomic pointer. While it is null, a stream loads the pointer and
// takes no timestamps.
class observer_slot {
 public:
  explicit observer_slot(observer* first = nullptr) noexcept : current_(first) {}

  [[nodiscard]] observer* load() const noexcept {
    return current_.load(std::memory_order_acquire);  // stored by store()
  }
  void store(observer* next) noexcept { current_.store(next, std::memory_order_release); }

 private:
  std::atomic<observer*> current_;
};

}  // namespace convoy
