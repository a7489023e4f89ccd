// Counts batches, copies and bytes, and measures their times.
#pragma once

#include <atomic>
#include <cstdint>

#include "observe/histogram.hpp"
#include "seam/observer.hpp"

namespace convoy {

class metrics_counter final : public observer {
 public:
  void submitted(const observed_step&) override {}
  void started(const observed_step&) override {}
  void landed(const observed_step& step, const status& outcome) override {
    if (!moves_bytes(step.summary.kind)) return;
    if (!outcome.ok()) failures_.fetch_add(1, std::memory_order_relaxed);
    // A step that was dropped, or submitted before counting began, has no times.
    if (step.started == observed_step::time{} || step.submitted == observed_step::time{}) return;
    batches_.fetch_add(1, std::memory_order_relaxed);
    copies_.fetch_add(step.summary.items, std::memory_order_relaxed);
    bytes_.fetch_add(step.summary.bytes, std::memory_order_relaxed);
    queued_.add(step.started - step.submitted);
    copying_.add(step.landed - step.started);
  }

  [[nodiscard]] std::uint64_t batches() const noexcept { return batches_; }
  [[nodiscard]] std::uint64_t copies() const noexcept { return copies_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint64_t failures() const noexcept { return failures_; }
  [[nodiscard]] const histogram& queued() const noexcept { return queued_; }
  [[nodiscard]] const histogram& copying() const noexcept { return copying_; }

 private:
  static bool moves_bytes(step_kind kind) noexcept {
    return kind <= step_kind::indirect || kind == step_kind::reduce;
  }

  std::atomic<std::uint64_t> batches_ = 0;
  std::atomic<std::uint64_t> copies_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> failures_ = 0;
  histogram queued_;
  histogram copying_;
};

}  // namespace convoy
