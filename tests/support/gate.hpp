// A gate holds a stream: steps submitted after it wait until it opens.
#pragma once

#include <convoy/stream.hpp>

#include "support/outcome.hpp"
#include "support/stream_gate.hpp"

namespace convoy::test {

class gate : public stream_gate {
 public:
  explicit gate(stream_ref held) : at_(must(call(held, function()))) {}

  [[nodiscard]] ticket at() const { return at_; }

 private:
  const ticket at_;
};

}  // namespace convoy::test
