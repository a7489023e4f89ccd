// What the gates of all APIs share: a host function that blocks its stream until the gate opens.
//
// An API's own gate submits that function to a stream; work submitted after it waits. A test that
// drops pending work waits for the gate's arrival first, or the function is dropped, too. A gate
// that is not reached or not opened in time fails the test.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <utility>

#include "support/eventually.hpp"

namespace convoy::test {

class stream_gate {
 public:
  stream_gate(const stream_gate&) = delete;
  stream_gate& operator=(const stream_gate&) = delete;

  // Returns when the host function runs, which then blocks the stream.
  void wait_for_arrival() {
    if (!in_time(state_->arrived, time_limit))
      throw std::runtime_error("no thread reached the gate");
  }

  void open() {
    if (!std::exchange(is_open_, true)) state_->opened.set_value();
  }

 protected:
  stream_gate() = default;
  ~stream_gate() { open(); }

  [[nodiscard]] std::function<void()> function() const {
    return [state = state_] {
      state->arrived.set_value();
      EXPECT_TRUE(in_time(state->opened, body_time_limit)) << "the gate was not opened";
    };
  }

  // The same as a C function and its argument; a call of run() deletes the argument.
  [[nodiscard]] void* argument() const { return new std::function<void()>(function()); }
  static void run(void* argument) {
    const std::unique_ptr<std::function<void()>> owned(
        static_cast<std::function<void()>*>(argument));
    (*owned)();
  }

 private:
  static bool in_time(std::promise<void>& promise, std::chrono::seconds limit) {
    return promise.get_future().wait_for(limit) == std::future_status::ready;
  }

  struct shared_state {
    std::promise<void> arrived;
    std::promise<void> opened;
  };

  const std::shared_ptr<shared_state> state_ = std::make_shared<shared_state>();
  bool is_open_ = false;
};

}  // namespace convoy::test
