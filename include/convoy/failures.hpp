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
  ticket at = {};
  device_id device = {};
  status why = {};
};

// Somebody listens as long as this lives. Ending it waits for calls of the function in other
// threads, so that none is under way or begins afterwards; hold nothing meanwhile that the function
// waits for. The function itself may end it.
class CONVOY_EXPORT failure_watch {
 public:
  failure_watch() noexcept = default;
  failure_watch(failure_watch&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
  failure_watch& operator=(failure_watch&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~failure_watch();

 private:
  friend CONVOY_EXPORT result<failure_watch> watch_failures(
      std::function<void(const failed_step&)> listener);
  explicit failure_watch(std::uint64_t number) noexcept : number_(number) {}

  std::uint64_t number_ = 0;  // 0: nobody
};

// Calls the function for every step that fails from now on, before the step counts as landed: who
// has waited for a step knows that its failure was told. It is called on whichever thread saw the
// step fail, from several at once when several fail, and the stream stands still meanwhile. It must
// wait for nothing of Convoy's; what it throws is dropped. Any number of functions may listen.
CONVOY_EXPORT result<failure_watch> watch_failures(
    std::function<void(const failed_step&)> listener);

}  // namespace convoy
