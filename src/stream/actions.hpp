// The kinds of work a step can be.
#pragma once

#include <atomic>
#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "memory/address_space.hpp"
#include "memory/block_pool.hpp"
#include "os/futex.hpp"
#include "seam/device.hpp"
#include "stream/action.hpp"

namespace convoy {

// Copies with engine addresses, and the memory that must live as long as they do.
struct copy_list {
  copy_work work;
  memory::block copies;  // holds work.copies, unless there is just one
  memory::block staged;  // holds sources that were read early
  copy single = {};
  directions directions_used = {};
};

class copy_action final : public action {
 public:
  copy_action(device_port& device, copy_list&& list) : device_(device), list_(std::move(list)) {
    if (list_.copies.data() == nullptr) list_.work.copies = {&list_.single, 1};
  }
  status run() override { return device_.run(list_.work); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::copies,
            .items = list_.work.copies.size(),
            .bytes = list_.work.bytes,
            .copy_directions = list_.directions_used,
            .copies = list_.work.copies};
  }

 private:
  device_port& device_;
  copy_list list_;
};

// A few copies that their owner keeps until they have run.
class borrowed_copies final : public action {
 public:
  borrowed_copies(device_port& device, const copy_work& work, directions directions_used)
      : device_(device), work_(work), directions_used_(directions_used) {}
  status run() override { return device_.run(work_); }
  [[nodiscard]] bool is_brief() const noexcept override { return device_.calls_nobody(); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::copies,
            .items = work_.copies.size(),
            .bytes = work_.bytes,
            .copy_directions = directions_used_,
            .copies = work_.copies};
  }

 private:
  device_port& device_;
  const copy_work& work_;
  const directions directions_used_;
};

class pitched_action final : public action {
 public:
  pitched_action(device_port& device, const pitched_copy& wanted)
      : device_(device), copy_(wanted) {}
  status run() override { return device_.run(copy_); }
  [[nodiscard]] step_summary summary() const noexcept override;

 private:
  device_port& device_;
  pitched_copy copy_;
};

class fill_action final : public action {
 public:
  fill_action(device_port& device, const pitched& target, const box& extent, fill_pattern pattern)
      : device_(device), copy_{target, {}, extent}, pattern_(pattern) {}
  status run() override { return device_.fill(copy_.dst, copy_.extent, pattern_); }
  [[nodiscard]] step_summary summary() const noexcept override;

 private:
  device_port& device_;
  pitched_copy copy_;  // without a source
  fill_pattern pattern_;
};

class reduce_action final : public action {
 public:
  reduce_action(device_port& device, const reduction& wanted)
      : device_(device),
        copy_(wanted),
        shape_{{wanted.dst}, {const_cast<void*>(wanted.src)}, {wanted.bytes}} {}
  status run() override { return device_.reduce(copy_); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::reduce, .items = 1, .bytes = copy_.bytes, .rows = &shape_};
  }

 private:
  device_port& device_;
  reduction copy_;
  pitched_copy shape_;  // for those who watch
};

// Copies between addresses that are found while a step runs, and checked then.
class deferred_copier {
 public:
  deferred_copier(device_port& device, const memory::address_space& space)
      : device_(device), space_(space), retirements_at_submit_(space.retirements()) {}

  // Reads what the step needs to know, by the device, because that memory may be gone.
  status read(std::span<std::byte> into, const void* from) const;

  status run(const copy& found) const;

  // ok when the range is live memory of the device.
  [[nodiscard]] status check_on(device_id device, const void* start, std::size_t bytes) const;

 private:
  [[nodiscard]] status run_checked(const copy& one) const;

  device_port& device_;
  const memory::address_space& space_;
  const std::uint64_t retirements_at_submit_;  // memory freed later is still there for this step
};

// Reads the descriptor when it runs.
class indirect_action final : public action {
 public:
  indirect_action(const deferred_copier& copier, const void* descriptor,
                  const descriptor_layout& layout)
      : copier_(copier), descriptor_(descriptor), layout_(layout) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect, .items = 1};
  }

 private:
  deferred_copier copier_;
  const void* descriptor_;
  descriptor_layout layout_;
};

// Reads the descriptor when it runs, and looks whether its source is there.
class prefetch_action final : public action {
 public:
  prefetch_action(const deferred_copier& copier, const void* descriptor,
                  const descriptor_layout& layout, device_id near)
      : copier_(copier), descriptor_(descriptor), layout_(layout), near_(near) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect};
  }

 private:
  deferred_copier copier_;
  const void* descriptor_;
  descriptor_layout layout_;
  device_id near_;
};

// Reads the two base pointers when it runs.
class based_action final : public action {
 public:
  based_action(const deferred_copier& copier, const based_copy& wanted)
      : copier_(copier), copy_(wanted) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect, .items = 1, .bytes = copy_.bytes};
  }

 private:
  result<std::byte*> end(const void* base, std::size_t offset) const;

  deferred_copier copier_;
  based_copy copy_;
};

class function_action final : public action {
 public:
  explicit function_action(std::function<void()> function) : function_(std::move(function)) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::function};
  }
  [[nodiscard]] bool may_block() const noexcept override { return true; }

 private:
  std::function<void()> function_;
};

// Nothing but a place in the order; optionally notes the time it is reached.
class marker_action final : public action {
 public:
  using stamp = std::atomic<os::clock::rep>;
  explicit marker_action(step_kind kind, std::shared_ptr<stamp> time = nullptr)
      : kind_(kind), time_(std::move(time)) {}
  status run() override {
    if (time_) time_->store(os::clock::now().time_since_epoch().count(), std::memory_order_relaxed);
    return {};
  }
  [[nodiscard]] step_summary summary() const noexcept override { return {.kind = kind_}; }

 private:
  step_kind kind_;
  std::shared_ptr<stamp> time_;
};

}  // namespace convoy
