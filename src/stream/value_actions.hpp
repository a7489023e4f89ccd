// Steps about a word in memory.
#pragma once

#include <convoy/copy.hpp>
#include <functional>
#include <utility>

#include "stream/action.hpp"

namespace convoy {

// Whether a word with `found` in it passes the test.
bool passes(const word& wanted, word_test test, std::uint64_t found) noexcept;

class write_word_action final : public action {
 public:
  explicit write_word_action(const word& what) : what_(what) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override {
    return {step_kind::fill, 1, what_.bytes};
  }

 private:
  word what_;
};

// Looks again and again, on a thread that it may block, unless it is to give up.
class wait_word_action final : public action {
 public:
  using question = std::function<bool()>;
  wait_word_action(const word& what, word_test test, question gives_up = {})
      : what_(what), test_(test), gives_up_(std::move(gives_up)) {}
  status run() override;
  [[nodiscard]] step_summary summary() const noexcept override { return {step_kind::wait}; }
  [[nodiscard]] bool may_block() const noexcept override { return true; }

 private:
  word what_;
  word_test test_;
  question gives_up_;
};

}  // namespace convoy
