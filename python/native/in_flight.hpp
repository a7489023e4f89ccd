// What copies under way still need, kept alive until they have landed and not longer.
//
// A lane is a stream and the Python objects that its steps read and write, in order of their
// tickets. They are let go of by whoever looks next: a call that uses the stream, or the release
// thread, which hears of it when a step has landed. A lane whose Stream is gone lives on until its
// last copy has landed. All of it is under the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/stream.hpp>
#include <deque>
#include <memory>

namespace convoy::python {

class lane : public std::enable_shared_from_this<lane> {
 public:
  // Owns the stream, and destroys it with the last copy.
  static std::shared_ptr<lane> owning(stream made);
  // A default stream, which is nobody's to destroy.
  static std::shared_ptr<lane> borrowing(stream_ref standing);

  [[nodiscard]] stream_ref stream() const { return handle_; }

  void keep(ticket until, nanobind::object what);
  void release_landed();
  [[nodiscard]] std::size_t kept() const { return kept_.size(); }

 private:
  struct loan {
    ticket until;
    nanobind::object what;
  };

  explicit lane(convoy::stream owned, stream_ref handle)
      : owned_(std::move(owned)), handle_(handle) {}
  void notice_landing(ticket of);

  const convoy::stream owned_;
  const stream_ref handle_;
  std::deque<loan> kept_;
};

// Looks at every lane.
void release_all_landed();

}  // namespace convoy::python
