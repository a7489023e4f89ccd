// Actions whose addresses are known at submission. indirect_actions.hpp has the others.
#pragma once

#include <atomic>
#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "memory/block_pool.hpp"
#include "os/forced_unwind.hpp"
#include "os/futex.hpp"
#include "seam/device.hpp"
#include "stream/action.hpp"

namespace convoy {

// Copies with engine addresses, and the memory that must live as long.
struct copy_list {
  copy_work work;
  memory::block copies;  // holds work.copies, unless there is only one
  memory::block staged;  // holds sources that were read at submission
  std::size_t staged_bytes = 0;
  copy single = {};
  directions directions_used = {};
  bool may_fault = false;  // a copy accesses memory of the program

  // True when the source of the item was read at submission.
  [[nodiscard]] bool is_staged(std::size_t item) const noexcept {
    const auto offset = static_cast<const std::byte*>(work.copies[item].src) -
                        static_cast<const std::byte*>(staged.data());
    return offset >= 0 && static_cast<std::size_t>(offset) < staged_bytes;
  }

  [[nodiscard]] step_summary summary() const noexcept {
    return {.kind = step_kind::copies,
            .items = work.copies.size(),
            .bytes = work.totals.bytes,
            .copy_directions = directions_used,
            .copies = work.copies};
  }
};

class copy_action final : public action {
 public:
  copy_action(device_port& port, copy_list&& list) : port_(port), list_(std::move(list)) {
    if (list_.copies.data() == nullptr) list_.work.copies = {&list_.single, 1};
    set_may_fault(list_.may_fault);
  }
  started_work start(completion& done) override { return port_.start(list_.work, done); }
  [[nodiscard]] step_summary summary() const noexcept override { return list_.summary(); }

 private:
  device_port& port_;
  copy_list list_;
};

// A few copies that the caller owns until they have landed; only for a port that completes inline.
class borrowed_copies final : public action {
 public:
  borrowed_copies(device_port& port, const copy_list& list) : port_(port), list_(list) {
    set_may_fault(list_.may_fault);
  }
  started_work start(completion& done) override { return port_.start(list_.work, done); }
  [[nodiscard]] bool is_brief() const noexcept override { return true; }
  [[nodiscard]] step_summary summary() const noexcept override { return list_.summary(); }

 private:
  device_port& port_;
  const copy_list& list_;
};

// Base of pitched copies, fills and reductions: a box, which observers see.
class box_action : public action {
 public:
  [[nodiscard]] step_summary summary() const noexcept final {
    return {.kind = kind_,
            .items = box_.extent.height * box_.extent.depth,
            .bytes = box_.extent.width * box_.extent.height * box_.extent.depth,
            .box_copy = &box_};
  }

 protected:
  box_action(device_port& port, step_kind kind, const pitched_copy& work)
      : port_(port), kind_(kind), box_(work) {}

  device_port& port_;
  const step_kind kind_;
  const pitched_copy box_;  // a fill has no source
};

class pitched_action final : public box_action {
 public:
  pitched_action(device_port& port, const pitched_copy& work)
      : box_action(port, step_kind::pitched, work) {}
  started_work start(completion& done) override { return port_.start(box_, done); }
};

class fill_action final : public box_action {
 public:
  fill_action(device_port& port, const pitched& target, const box& extent, fill_pattern pattern)
      : box_action(port, step_kind::fill, {target, {}, extent}), pattern_(pattern) {}
  started_work start(completion& done) override {
    return port_.start_fill(box_.dst, box_.extent, pattern_, done);
  }

 private:
  const fill_pattern pattern_;
};

// The row that a reduction reads and writes.
inline pitched_copy row_of(const reduction& r) noexcept {
  return {{r.dst}, {const_cast<void*>(r.src)}, {r.bytes}};
}

class reduce_action final : public box_action {
 public:
  reduce_action(device_port& port, const reduction& work)
      : box_action(port, step_kind::reduce, row_of(work)), work_(work) {}
  started_work start(completion& done) override { return port_.start_reduce(work_, done); }

 private:
  const reduction work_;
};

class function_action final : public immediate_action {
 public:
  explicit function_action(std::function<void()> function) : function_(std::move(function)) {}
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::function};
  }
  [[nodiscard]] bool may_block() const noexcept override { return true; }
  status run() override {
    try {
      function_();
    } catch (const os::forced_unwind&) {
      throw;  // the function called pthread_exit()
    } catch (...) {
      return {errc::function_threw};
    }
    return {};
  }

 private:
  std::function<void()> function_;
};

// A position in the stream without work. Stores the time when it is reached, if `time` is not null.
class marker_action final : public immediate_action {
 public:
  using stamp = std::atomic<os::clock::rep>;
  explicit marker_action(step_kind kind, std::shared_ptr<stamp> time = nullptr)
      : kind_(kind), time_(std::move(time)) {}
  [[nodiscard]] step_summary summary() const noexcept override { return {.kind = kind_}; }
  status run() override {
    if (time_) time_->store(os::clock::now().time_since_epoch().count(), std::memory_order_relaxed);
    return {};
  }

 private:
  step_kind kind_;
  std::shared_ptr<stamp> time_;
};

}  // namespace convoy
