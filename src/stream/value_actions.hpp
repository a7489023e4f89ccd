// Steps that write a 4- or 8-byte value in memory or wait for one.
#pragma once

#include <convoy/copy.hpp>
#include <functional>
#include <utility>

#include "stream/action.hpp"

namespace convoy {

// True when the value `found` passes the test against `wanted`.
bool passes(const stream_value& wanted, value_test test, std::uint64_t found) noexcept;

class write_value_action final : public immediate_action {
 public:
  explicit write_value_action(const stream_value& value) : value_(value) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {step_kind::fill, 1, value_.bytes};
  }

 private:
  stream_value value_;
};

// Polls the value on a thread that may block, until it passes or cancelled() is true.
class wait_value_action final : public immediate_action {
 public:
  using predicate = std::function<bool()>;
  wait_value_action(const stream_value& value, value_test test, predicate cancelled = {})
      : value_(value), test_(test), cancelled_(std::move(cancelled)) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override { return {step_kind::wait}; }
  [[nodiscard]] bool may_block() const noexcept override { return true; }

 private:
  stream_value value_;
  value_test test_;
  predicate cancelled_;
};

}  // namespace convoy
