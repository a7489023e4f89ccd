// A stream runs steps one after another, in the order they were submitted.
//
// Calls that take a stream as their first argument are asynchronous: they check everything, put a
// step into the stream and return its ticket; only a few kilobytes that nothing is ahead of may be
// copied before that, because they take less time than their place in the queue. Steps of different
// streams are ordered by events and by the default-stream rules alone. Any number of threads may
// use one stream.
//
// The first step that fails leaves its status in the stream, where query() and synchronize() answer
// it until clear_error(); later steps still run, unless the stream was told to stop.
#pragma once

#include <chrono>
#include <convoy/batch.hpp>
#include <convoy/copy.hpp>
#include <convoy/event.hpp>
#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/reduction.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace convoy {

struct stream_options {
  bool blocking = true;  // obeys the legacy default stream of its device
  int priority = 0;      // lower runs first, from -5 to 0; values outside are clamped
};

// What a stream does with the steps that follow one that failed.
enum class after_failure : std::uint8_t { go_on, stop };

class CONVOY_EXPORT stream_ref {
 public:
  stream_ref() noexcept = default;
  explicit stream_ref(std::uint64_t handle) noexcept : handle_(handle) {}

  [[nodiscard]] std::uint64_t handle() const noexcept { return handle_; }
  [[nodiscard]] result<device_id> device() const;
  [[nodiscard]] result<stream_options> options() const;

  // ok when empty, not_ready while work is pending, else the stream's error.
  [[nodiscard]] status query() const;
  [[nodiscard]] result<bool> landed(ticket t) const;

  // Waits until everything submitted so far, or up to a ticket, has landed. The waiting thread
  // lends a hand with the copies. timed_out leaves the work going on.
  status synchronize() const;
  status synchronize(std::chrono::nanoseconds timeout) const;
  status synchronize(ticket last) const;

  // Drops what has not started; a concurrent synchronize() answers aborted. The step under way
  // finishes, or gives up if it waits for a word, and what waits for dropped steps waits for it.
  status abort() const;
  status clear_error() const;

  // A stream that stops passes over the steps behind a failure that are submitted before
  // clear_error(), as if they were aborted, but still waits for what they wait for. Streams go on
  // unless told otherwise.
  status set_after_failure(after_failure what) const;

  // Has a failure of either stream stop both, and every other that stops with `other`. A stream
  // that passes steps over then has that failure as its error, and clear_error() of any that the
  // stop has reached ends it for all. The stream leaves those it stopped with before;
  // set_after_failure(go_on) makes it leave again.
  status stop_with(stream_ref other) const;

  friend bool operator==(stream_ref, stream_ref) = default;

 private:
  std::uint64_t handle_ = 0;
};

// Owns the stream. Destroying it lets pending work finish and does not wait.
class CONVOY_EXPORT stream : public stream_ref {
 public:
  stream() noexcept = default;
  explicit stream(stream_ref owned) noexcept : stream_ref(owned) {}
  stream(stream&& other) noexcept : stream_ref(std::exchange(other.ref(), stream_ref{})) {}
  stream& operator=(stream&& other) noexcept;
  ~stream();

  stream_ref release() noexcept { return std::exchange(ref(), stream_ref{}); }

 private:
  stream_ref& ref() noexcept { return *this; }
};

CONVOY_EXPORT result<stream> make_stream(device_id device, stream_options options = {});
CONVOY_EXPORT status destroy(stream_ref stream);

// Batches. The arrays may be freed on return. A refusal names the first bad item and nothing has
// been enqueued or written. A call that waits for its batch answers that batch's own failure.
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const batch& work);
CONVOY_EXPORT result<ticket> submit(stream_ref stream, std::span<const copy> copies,
                                    const attributes& what = {});
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const batch_view& work,
                                    const batch_rules& rules = native_rules);

CONVOY_EXPORT result<ticket> submit(stream_ref stream, const copy& one);
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const pitched_copy& one);

// submit() and wait for it.
CONVOY_EXPORT status copy_sync(stream_ref stream, const copy& one);

// Writes the pattern over the rows of the box.
CONVOY_EXPORT result<ticket> fill(stream_ref stream, const pitched& where, const box& extent,
                                  fill_pattern pattern);
CONVOY_EXPORT result<ticket> fill(stream_ref stream, void* where, std::size_t bytes,
                                  fill_pattern pattern);

// Combines one range with another, element by element.
CONVOY_EXPORT result<ticket> reduce(stream_ref stream, const reduction& what);

// Source, destination and length are read from device memory at `descriptor` when the step runs,
// and checked then; nonsense there fails the step.
CONVOY_EXPORT result<ticket> copy_indirect(stream_ref stream, const void* descriptor,
                                           const descriptor_layout& layout = {});

// The same for a copy of known length between offsets from two pointers in device memory.
CONVOY_EXPORT result<ticket> copy_indirect(stream_ref stream, const based_copy& one);

// Source and length are read from device memory at `descriptor` when the step runs, and have to be
// live memory of the stream's device then. Nothing moves: the memory is as near as it can be.
CONVOY_EXPORT result<ticket> prefetch_indirect(stream_ref stream, const void* descriptor,
                                               const descriptor_layout& layout = {});

// Runs `function` on a thread of Convoy's, in stream order. It must not call Convoy.
CONVOY_EXPORT result<ticket> call(stream_ref stream, std::function<void()> function);

// Holds on to `what` until the step with the ticket has landed or was dropped, and lets go of it on
// whichever thread sees that first. No step comes of it. The deleter is quick and calls nothing of
// Convoy's.
CONVOY_EXPORT status keep_alive(stream_ref stream, ticket last, std::shared_ptr<const void> object);

CONVOY_EXPORT result<ticket> record(stream_ref stream, event_ref event);
CONVOY_EXPORT result<ticket> wait(stream_ref stream, event_ref event);

// Writes a word, or waits until it passes the test, whoever writes it: another stream, the program,
// another process. A wait gives up when its stream is stopped by another.
CONVOY_EXPORT result<ticket> write_value(stream_ref stream, const stream_value& what);
CONVOY_EXPORT result<ticket> wait_value(stream_ref stream, const stream_value& what,
                                        value_test test);

// Memory that exists between two points of a stream. allocate() answers at once; the memory may be
// used by steps after it, deallocate() takes effect after the steps before it.
CONVOY_EXPORT result<void*> allocate(stream_ref stream, std::size_t bytes);
CONVOY_EXPORT result<ticket> deallocate(stream_ref stream, void* start);

}  // namespace convoy
