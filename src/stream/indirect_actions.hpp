// Copies whose addresses are in device memory: read and checked when the step runs.
#pragma once

#include <array>
#include <convoy/copy.hpp>
#include <cstdint>
#include <span>

#include "memory/address_space.hpp"
#include "seam/device.hpp"
#include "stream/action.hpp"

namespace convoy {

inline constexpr std::size_t max_descriptor_bytes = 64;

// Reads and copies between addresses that are known only when a step runs.
class deferred_copier {
 public:
  deferred_copier(const device_ports& ports, const memory::address_space& space)
      : ports_(ports), space_(space), retirements_at_submit_(space.retirements()) {}

  // Reads through the device, because the memory may be unmapped. `into` and `one` must live until
  // the read has finished.
  started_work start_read(std::span<std::byte> into, const void* from, copy& one,
                          completion& done) const;

  // Replaces the program addresses of `one` by engine addresses and starts it.
  started_work start_copy(copy& one, completion& done) const;

  // Checks that the range is live memory of the device.
  [[nodiscard]] status check_on(device_id device, const void* start, std::size_t bytes) const;

 private:
  const device_ports& ports_;
  const memory::address_space& space_;
  const std::uint64_t retirements_at_submit_;  // memory freed later stays valid for this step
};

// An action in several phases, each of which may finish after its start returns.
class phased_action : public action, public completion {
 public:
  started_work start(completion& done) final;

 protected:
  // The addresses are not known yet.
  explicit phased_action(int phases) : phases_(phases) { set_may_fault(true); }
  virtual started_work start_phase(int phase, completion& done) = 0;

 private:
  started_work run_from(int phase);
  void complete(const status& outcome) final;

  const int phases_;
  int current_ = 0;
  completion* done_ = nullptr;
};

// A descriptor as read from device memory.
struct descriptor_reader {
  const void* descriptor;
  descriptor_layout layout;
  std::array<std::byte, max_descriptor_bytes> bytes = {};
  copy read = {};  // of the descriptor itself

  started_work start(const deferred_copier& copier, completion& done) {
    return copier.start_read(std::span(bytes).first(layout.bytes), descriptor, read, done);
  }
  [[nodiscard]] copy described() const noexcept;
};

class indirect_action final : public phased_action {
 public:
  indirect_action(const deferred_copier& copier, const void* descriptor,
                  const descriptor_layout& layout)
      : phased_action(2), copier_(copier), reader_{descriptor, layout} {}
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect, .items = 1};
  }

 private:
  started_work start_phase(int phase, completion& done) override;

  deferred_copier copier_;
  descriptor_reader reader_;
  copy copy_ = {};
};

// Reads the descriptor and checks that its source is memory of the device; nothing moves.
class prefetch_action final : public phased_action {
 public:
  prefetch_action(const deferred_copier& copier, const void* descriptor,
                  const descriptor_layout& layout, device_id device)
      : phased_action(2), copier_(copier), reader_{descriptor, layout}, device_(device) {}
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect};
  }

 private:
  started_work start_phase(int phase, completion& done) override;

  deferred_copier copier_;
  descriptor_reader reader_;
  device_id device_;
};

// Reads the two base pointers, then copies between offsets from them.
class based_action final : public phased_action {
 public:
  based_action(const deferred_copier& copier, const based_copy& wanted)
      : phased_action(3), copier_(copier), wanted_(wanted) {}
  [[nodiscard]] step_summary summary() const noexcept override {
    return {.kind = step_kind::indirect, .items = 1, .bytes = wanted_.bytes};
  }

 private:
  started_work start_phase(int phase, completion& done) override;

  deferred_copier copier_;
  based_copy wanted_;
  std::byte* dst_base_ = nullptr;
  std::byte* src_base_ = nullptr;
  copy copy_ = {};
};

}  // namespace convoy
