// A gate holds a stream: steps submitted after it wait until it opens.
#pragma once

#include <convoy/stream.hpp>

#include "support/outcome.hpp"
#include "support/stream_gate.hpp"

namespace convoy::test {

class gate : public stream_gate {
 public:
  explicit gate(stream_ref held) : position_(must(call(held, function()))) {}

  [[nodiscard]] ticket at() const { return position_; }

 private:
  const ticket position_;
};

}  // namespace convoy::test
