// The part of an event that processes share: which recording is the latest, and which has landed.
//
// It lives in zeroed memory that several processes map. Recordings of all of them draw from one
// count, so the latest is the highest number.
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
  std::atomic<std::uint32_t> epoch;    // changes with `landed`; slept on
  std::atomic<std::int32_t> recorder;  // process of the latest recording

  // The number of a new recording, and the word that it has landed.
  std::uint64_t begin(std::int32_t process) noexcept;
  void finish(std::uint64_t recording) noexcept;

  [[nodiscard]] std::uint64_t latest() const noexcept {
    return recorded.load(std::memory_order_acquire);  // raised by begin()
  }
  [[nodiscard]] bool has_landed(std::uint64_t recording) const noexcept {
    return landed.load(std::memory_order_acquire) >= recording;  // raised by finish()
  }

  // timed_out, or device_failure when the recording process is gone before it finished.
  status wait(std::uint64_t recording, os::deadline until) noexcept;
};

// A recording of a shared event. A recording that an abort drops counts as landed.
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
