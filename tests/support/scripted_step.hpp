// Steps that run a function of the test, and a log of their order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stream/work_queue.hpp"

namespace convoy::test {

enum class run_style { plain, blocking, brief };

class scripted_action final : public immediate_action {
 public:
  explicit scripted_action(std::function<status()> script, run_style style = run_style::plain)
      : script_(std::move(script)), style_(style) {}

  status run() override { return script_(); }
  [[nodiscard]] step_summary summary() const noexcept override {
    return {may_block() ? step_kind::function : step_kind::copies, 1, 1};
  }
  [[nodiscard]] bool may_block() const noexcept override { return style_ == run_style::blocking; }
  [[nodiscard]] bool is_brief() const noexcept override { return style_ == run_style::brief; }

 private:
  std::function<status()> script_;
  run_style style_;
};

inline step step_that(std::function<void()> does) {
  return {.work = std::make_unique<scripted_action>([does = std::move(does)] {
            does();
            return status{};
          })};
}
inline step empty_step() {
  return step_that([] {});
}
inline step step_that_answers(const status& outcome) {
  return {.work = std::make_unique<scripted_action>([outcome] { return outcome; })};
}
inline step step_that_may_block(std::function<void()> does) {
  return {.work = std::make_unique<scripted_action>(
              [does = std::move(does)] {
                does();
                return status{};
              },
              run_style::blocking)};
}
inline step waiting_for(std::vector<std::shared_ptr<signal>> waits, step one = empty_step()) {
  one.waits = std::move(waits);
  return one;
}
inline step raising(std::shared_ptr<signal> raised, step one = empty_step()) {
  one.raises.push_back(std::move(raised));
  return one;
}

// Entries in the order in which they were added.
class call_log {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }
  void add(const std::string& entry) { text_ += (text_.empty() ? "" : " ") + entry; }
  step step_logging(const std::string& entry) {
    return step_that([this, entry] { add(entry); });
  }

 private:
  std::string text_;
};

}  // namespace convoy::test
