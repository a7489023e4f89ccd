// Steps about a word in memory.
#pragma once

#include <convoy/copy.hpp>
#include <functional>
#include <utility>

#include "stream/action.hpp"

namespace convoy {

// Whether a word with `found` in it passes the test.
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

// Looks again and again, on a thread that it may block, unless it is to give up.
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
