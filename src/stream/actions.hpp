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
  directions ways = {};
};

class copy_action final : public action {
 public:
  copy_action(device_port& on, copy_list&& list) : on_(on), list_(std::move(list)) {
    if (list_.copies.data() == nullptr) list_.work.copies = {&list_.single, 1};
  }
  status run() override { return on_.run(list_.work); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::copies,
            .items = list_.work.copies.size(),
            .bytes = list_.work.bytes,
            .ways = list_.ways,
            .copies = list_.work.copies};
  }

 private:
  device_port& on_;
  copy_list list_;
};

// A few copies that their owner keeps until they have run.
class borrowed_copies final : public action {
 public:
  borrowed_copies(device_port& on, const copy_work& work, directions ways)
      : on_(on), work_(work), ways_(ways) {}
  status run() override { return on_.run(work_); }
  [[nodiscard]] bool is_brief() const noexcept override { return on_.calls_nobody(); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::copies,
            .items = work_.copies.size(),
            .bytes = work_.bytes,
            .ways = ways_,
            .copies = work_.copies};
  }

 private:
  device_port& on_;
  const copy_work& work_;
  const directions ways_;
};

class pitched_action final : public action {
 public:
  pitched_action(device_port& on, const pitched_copy& what) : on_(on), what_(what) {}
  status run() override { return on_.run(what_); }
  [[nodiscard]] step_summary summary() const noexcept override;

 private:
  device_port& on_;
  pitched_copy what_;
};

class fill_action final : public action {
 public:
  fill_action(device_port& on, const pitched& where, const box& extent, fill_pattern pattern)
      : on_(on), what_{where, {}, extent}, pattern_(pattern) {}
  status run() override { return on_.fill(what_.dst, what_.extent, pattern_); }
  [[nodiscard]] step_summary summary() const noexcept override;

 private:
  device_port& on_;
  pitched_copy what_;  // without a source
  fill_pattern pattern_;
};

class reduce_action final : public action {
 public:
  reduce_action(device_port& on, const reduction& what)
      : on_(on), what_(what), shape_{{what.dst}, {const_cast<void*>(what.src)}, {what.bytes}} {}
  status run() override { return on_.reduce(what_); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::reduce, .items = 1, .bytes = what_.bytes, .rows = &shape_};
  }

 private:
  device_port& on_;
  reduction what_;
  pitched_copy shape_;  // for those who watch
};

// Copies between addresses that are found while a step runs, and checked then.
class late_copier {
 public:
  late_copier(device_port& on, const memory::address_space& space)
      : on_(on), space_(space), made_at_(space.retirements()) {}

  // Reads what the step needs to know, by the device, because that memory may be gone.
  status read(std::span<std::byte> into, const void* from) const;

  status run(const copy& found) const;

  // ok when the range is live memory of the device.
  [[nodiscard]] status check_on(device_id device, const void* start, std::size_t bytes) const;

 private:
  [[nodiscard]] status run_checked(const copy& one) const;

  device_port& on_;
  const memory::address_space& space_;
  const std::uint64_t made_at_;  // memory freed later is still there for this step
};

// Reads the descriptor when it runs.
class indirect_action final : public action {
 public:
  indirect_action(const late_copier& by, const void* descriptor, const descriptor_layout& layout)
      : by_(by), descriptor_(descriptor), layout_(layout) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect, .items = 1};
  }

 private:
  late_copier by_;
  const void* descriptor_;
  descriptor_layout layout_;
};

// Reads the descriptor when it runs, and looks whether its source is there.
class prefetch_action final : public action {
 public:
  prefetch_action(const late_copier& by, const void* descriptor, const descriptor_layout& layout,
                  device_id near)
      : by_(by), descriptor_(descriptor), layout_(layout), near_(near) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect};
  }

 private:
  late_copier by_;
  const void* descriptor_;
  descriptor_layout layout_;
  device_id near_;
};

// Reads the two base pointers when it runs.
class based_action final : public action {
 public:
  based_action(const late_copier& by, const based_copy& what) : by_(by), what_(what) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect, .items = 1, .bytes = what_.bytes};
  }

 private:
  result<std::byte*> end(const void* base, std::size_t offset) const;

  late_copier by_;
  based_copy what_;
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
class place_action final : public action {
 public:
  using stamp = std::atomic<os::clock::rep>;
  explicit place_action(step_kind kind, std::shared_ptr<stamp> time = nullptr)
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
