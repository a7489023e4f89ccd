// The Python objects that the steps of a stream read and write, kept alive until the steps have
// landed.
//
// Objects are stored in ticket order and released by the next call that uses the stream, or by the
// release thread, which the engine wakes when a step has landed. The list outlives its Stream
// object until the last of its steps has landed. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <convoy/stream.hpp>
#include <deque>
#include <memory>

namespace convoy::python {

class kept_objects : public std::enable_shared_from_this<kept_objects> {
 public:
  kept_objects(const kept_objects&) = delete;
  kept_objects& operator=(const kept_objects&) = delete;
  ~kept_objects();

  // Owns the stream, and destroys it after its last step has landed.
  static std::shared_ptr<kept_objects> owning(stream made);
  // For a default stream, which lives as long as its device.
  static std::shared_ptr<kept_objects> borrowing(stream_ref default_stream);

  [[nodiscard]] stream_ref stream() const { return handle_; }

  // Keeps the object alive until the step `last` has landed.
  void add(ticket last, nanobind::object object);
  void release_landed();
  [[nodiscard]] std::size_t size() const { return objects_.size(); }

 private:
  struct kept_object {
    ticket last;
    nanobind::object object;
  };

  explicit kept_objects(convoy::stream owned, stream_ref handle)
      : owned_(std::move(owned)), handle_(handle) {}
  void request_release_after(ticket last);

  const convoy::stream owned_;
  const stream_ref handle_;
  std::deque<kept_object> objects_;
};

// Releases the landed objects of every stream.
void release_all_landed();

}  // namespace convoy::python
