// Waits with a deadline: a test of broken code fails instead of hanging.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace convoy::test {

// Generous: only a test that fails waits that long.
inline constexpr std::chrono::seconds time_limit{10};       // for one condition
inline constexpr std::chrono::seconds body_time_limit{30};  // for a whole test

// The deadline of a wait that starts now.
inline std::chrono::steady_clock::time_point within_limit() {
  return std::chrono::steady_clock::now() + time_limit;
}

// Polls the condition. False when it does not become true in time.
template <class Condition>
bool eventually(const Condition& condition) {
  const auto end = within_limit();
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::yield();
  }
  return true;
}

// Runs the body on a thread of its own. False when it does not return in time: the thread is then
// abandoned with everything on its stack, so the body itself declares the objects it waits for.
template <class Body>
bool ends_in_time(Body body) {
  const auto ended = std::make_shared<std::promise<void>>();
  const auto future = ended->get_future();
  std::thread([body = std::move(body), ended] {
    body();
    ended->set_value();
  }).detach();
  return future.wait_for(body_time_limit) == std::future_status::ready;
}

}  // namespace convoy::test
