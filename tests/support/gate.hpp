// A gate holds a stream: steps submitted after it wait until it opens.
#pragma once

#include <convoy/stream.hpp>
#include <future>
#include <memory>

#include "support/outcome.hpp"

namespace convoy::test {

class gate {
 public:
  explicit gate(stream_ref held)
      : at_(must(call(held, [parts = parts_] {
          parts->arrived.set_value();
          parts->opened.get_future().wait();
        }))) {}
  ~gate() { open(); }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

  [[nodiscard]] ticket at() const { return at_; }

  // Returns when the stream has come to the gate and so waits inside it.
  void wait_for_arrival() { parts_->arrived.get_future().wait(); }

  void open() {
    if (!std::exchange(is_open_, true)) parts_->opened.set_value();
  }

 private:
  struct shared_parts {
    std::promise<void> arrived;
    std::promise<void> opened;
  };

  const std::shared_ptr<shared_parts> parts_ = std::make_shared<shared_parts>();
  const ticket at_;
  bool is_open_ = false;
};

}  // namespace convoy::test
