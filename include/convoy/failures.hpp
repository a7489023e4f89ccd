// Hearing of steps that fail, as they do.
//
// While nobody listens, and for steps that do not fail, this costs nothing. A step that was dropped
// or passed over has not failed.
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
  stream_ref stream = {};  // perhaps destroyed by now
  ticket position = {};
  device_id device = {};
  status error = {};
};

// Somebody listens as long as this lives. Ending it waits for calls of the function in other
// threads, so that none is under way or begins afterwards; hold nothing meanwhile that the function
// waits for. The function itself may end it.
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

  std::uint64_t number_ = 0;  // 0: nobody
};

// Calls the function for every step that fails from now on, before the step counts as landed: who
// has waited for a step knows that its failure was told. It is called on whichever thread saw the
// step fail, from several at once when several fail, and the stream stands still meanwhile. It must
// wait for nothing of Convoy's; what it throws is dropped. Any number of functions may listen.
CONVOY_EXPORT result<failure_callback> add_failure_callback(
    std::function<void(const failed_step&)> callback);

}  // namespace convoy
