// Callbacks for steps that fail.
//
// A step fails when it runs and answers anything but ok, e.g. `fault`. A step that was dropped by
// abort() or skipped because its stream had stopped has not failed. Without callbacks, and for
// steps that succeed, there is no cost.
#pragma once

#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <convoy/stream.hpp>
#include <cstdint>
#include <functional>
#include <utility>

namespace convoy {

struct failed_step {
  stream_ref stream = {};  // may be destroyed by now
  ticket position = {};    // of the step in the stream
  device_id device = {};
  status error = {};
};

// Owns the registration of a callback and removes it when destroyed. Destruction waits for calls of
// the function that run on other threads; after it, no call is running and none begins. Hold no
// lock meanwhile that the function takes. The function may destroy its own registration.
class CONVOY_EXPORT failure_callback {
 public:
  failure_callback() noexcept = default;
  failure_callback(failure_callback&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
  failure_callback& operator=(failure_callback&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~failure_callback();

 private:
  friend CONVOY_EXPORT result<failure_callback> add_failure_callback(
      std::function<void(const failed_step&)> callback);
  explicit failure_callback(std::uint64_t number) noexcept : number_(number) {}

  std::uint64_t number_ = 0;  // 0: no callback
};

// Calls the function for every step that fails from now on. Returns at once. Answers null_pointer
// for an empty function. Any number of callbacks can be registered.
//
// The function is called before the step counts as landed, so a thread that has waited for the step
// knows that the call is over. It runs on the thread that ran the step (a worker, a thread for host
// functions, a thread that waits, or the submitting thread), on several at once when several steps
// fail. The stream makes no progress meanwhile, so the function must not wait for a stream or an
// event. An exception that it throws is dropped.
CONVOY_EXPORT result<failure_callback> add_failure_callback(
    std::function<void(const failed_step&)> callback);

}  // namespace convoy
