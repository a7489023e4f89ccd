// A file descriptor that becomes readable when a step has landed, for event loops to watch. The
// engine rings it without the GIL and without a thread of its own.
#pragma once

#include <convoy/stream.hpp>
#include <memory>

namespace convoy::python {

class bell {
 public:
  bell();

  [[nodiscard]] int descriptor() const { return *descriptor_; }
  void ring_after(stream_ref stream, ticket last) const;

 private:
  // Shared with the engine, which may ring after Python has forgotten about it.
  std::shared_ptr<const int> descriptor_;
};

}  // namespace convoy::python
