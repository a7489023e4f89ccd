// A file descriptor that becomes readable when a step has landed, for event loops to watch. The
// engine writes to it without the GIL, and no thread waits.
#pragma once

#include <convoy/stream.hpp>
#include <memory>

namespace convoy::python {

class landing_fd {
 public:
  landing_fd();

  [[nodiscard]] int fileno() const { return *descriptor_; }

  // Makes the descriptor readable once the step `last` of the stream has landed.
  void signal_after(stream_ref stream, ticket last) const;

 private:
  // Shared with the engine, which may write after Python has dropped its object.
  std::shared_ptr<const int> descriptor_;
};

}  // namespace convoy::python
