// The part of an event that processes share: the latest recording and the latest landed one.
//
// It lives in zeroed memory that several processes map. Recordings of all processes are numbered
// together, so the latest has the highest number.
#pragma once

#include <atomic>
#include <convoy/status.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "os/futex.hpp"
#include "stream/action.hpp"

namespace convoy {

struct ipc_event {
  std::atomic<std::uint64_t> recorded;
  std::atomic<std::uint64_t> landed;
  std::atomic<std::uint32_t> epoch;    // futex word, changes with `landed`
  std::atomic<std::int32_t> recorder;  // PID of the latest recording

  // begin() returns the number of a new recording; finish() marks it as landed and wakes waiters.
  std::uint64_t begin(std::int32_t process) noexcept;
  void finish(std::uint64_t recording) noexcept;

  [[nodiscard]] std::uint64_t latest() const noexcept {
    return recorded.load(std::memory_order_acquire);  // raised by begin()
  }
  [[nodiscard]] bool has_landed(std::uint64_t recording) const noexcept {
    return landed.load(std::memory_order_acquire) >= recording;  // raised by finish()
  }

  // Waits for a recording. timed_out, or device_failure when the recording process ends first.
  status wait(std::uint64_t recording, os::deadline until) noexcept;
};

// A recording of an IPC event. A recording that an abort drops counts as landed.
class ipc_record_action final : public immediate_action {
 public:
  ipc_record_action(std::shared_ptr<ipc_event> event, std::uint64_t recording)
      : event_(std::move(event)), recording_(recording) {}
  ~ipc_record_action() override {
    if (recording_ != 0) event_->finish(recording_);
  }
  ipc_record_action(const ipc_record_action&) = delete;
  ipc_record_action& operator=(const ipc_record_action&) = delete;

  status run() override {
    event_->finish(std::exchange(recording_, 0));
    return {};
  }
  [[nodiscard]] step_summary summary() const noexcept override { return {step_kind::record}; }

 private:
  std::shared_ptr<ipc_event> event_;
  std::uint64_t recording_;  // 0 once it has landed
};

// Waits for a recording of another process.
class ipc_wait_action final : public immediate_action {
 public:
  ipc_wait_action(std::shared_ptr<ipc_event> event, std::uint64_t recording)
      : event_(std::move(event)), recording_(recording) {}
  status run() override { return event_->wait(recording_, {}); }
  [[nodiscard]] step_summary summary() const noexcept override { return {step_kind::wait}; }
  [[nodiscard]] bool may_block() const noexcept override { return true; }

 private:
  std::shared_ptr<ipc_event> event_;
  std::uint64_t recording_;
};

}  // namespace convoy
