// A stream runs steps one after another, in the order in which they were submitted.
//
// Functions that take a stream as their first argument are asynchronous: they check everything,
// append a step to the stream and return its ticket, at once unless their comment says otherwise.
// Only up to 4 KiB with nothing ahead of them may be copied before the call returns. A step has
// landed when it is done and its bytes are visible to every thread that has learned of it. Steps of
// different streams are ordered only by events and by the default-stream rules (device.hpp). Any
// number of threads may use one stream.
//
// The first step that fails sets the stream's error, which query() and synchronize() answer until
// clear_error(); later steps still run, unless the stream was set to stop.
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
  bool blocking = true;  // ordered with the legacy default stream of its device
  int priority = 0;      // workers take lower numbers first; clamped to [-5, 0]
};

// What a stream does with the steps that follow one that failed: run or skip them.
enum class after_failure : std::uint8_t { go_on, stop };

// Refers to a stream and does not own it. The default refers to none: invalid_handle.
class CONVOY_EXPORT stream_ref {
 public:
  stream_ref() noexcept = default;
  explicit stream_ref(std::uint64_t handle) noexcept : handle_(handle) {}

  [[nodiscard]] std::uint64_t handle() const noexcept { return handle_; }

  // The device that the stream belongs to.
  [[nodiscard]] result<device_id> device() const;

  // The options as the stream has them: the priority is clamped.
  [[nodiscard]] result<stream_options> options() const;

  // Returns at once: not_ready while work is pending, else the stream's error, else ok.
  [[nodiscard]] status query() const;

  // True once the step and every step before it has landed, failed or was dropped. Returns at once.
  [[nodiscard]] result<bool> landed(ticket t) const;

  // Waits until everything submitted so far, or up to a ticket, has landed. The waiting thread runs
  // steps of the stream meanwhile, spins briefly when there are none, then sleeps on a futex.
  // Answers the stream's error if its step is not after the ticket, aborted if that step was
  // dropped, timed_out when the timeout passes first (the work goes on), not_permitted in a host
  // function that holds the stream up, and invalid_argument for a ticket that the stream never gave
  // out.
  status synchronize() const;
  status synchronize(std::chrono::nanoseconds timeout) const;
  status synchronize(ticket last) const;

  // Drops the steps that have not started and does not wait. The running step finishes, except that
  // a wait_value() gives up. Threads that wait for a dropped step get aborted; streams that wait
  // for one go on when the running step has landed. The stream has no error from it.
  status abort() const;

  // Clears the stream's error, so that a later failure becomes the error. Returns at once. Ends a
  // stop, see below; steps submitted before stay skipped.
  status clear_error() const;

  // With after_failure::stop, the steps behind a failure that are submitted before clear_error()
  // are skipped as if aborted, but each still waits for the events it has to wait for. Streams go
  // on by default. Returns at once; applies to an earlier error too.
  status set_after_failure(after_failure behaviour) const;

  // Puts this stream into the stop group of `other`: a failure of one stops all of them. A stream
  // that skips a step then has that failure as its error, and clear_error() of any stream that
  // failed or skipped a step ends the stop for all. The stream leaves the group it was in before;
  // set_after_failure(go_on) makes it leave this one. Returns at once.
  status stop_with(stream_ref other) const;

  friend bool operator==(stream_ref, stream_ref) = default;

 private:
  std::uint64_t handle_ = 0;
};

// Owns a stream, which it destroys as destroy() does.
class CONVOY_EXPORT stream : public stream_ref {
 public:
  stream() noexcept = default;
  explicit stream(stream_ref owned) noexcept : stream_ref(owned) {}
  stream(stream&& other) noexcept : stream_ref(std::exchange(other.ref(), stream_ref{})) {}
  stream& operator=(stream&& other) noexcept;
  ~stream();

  // Gives up ownership: the caller destroys the stream.
  stream_ref release() noexcept { return std::exchange(ref(), stream_ref{}); }

 private:
  stream_ref& ref() noexcept { return *this; }
};

// A new stream. Answers invalid_device, or out_of_memory when no more streams can be made.
CONVOY_EXPORT result<stream> make_stream(device_id device, stream_options options = {});

// Destroys the stream without waiting; pending steps still land. Answers not_permitted for a
// default stream.
CONVOY_EXPORT status destroy(stream_ref stream);

// Submits a batch as one step; the caller's arrays may be freed on return. The whole batch is
// checked first: a refusal names the first bad item, and nothing is copied. If all sizes are 0, no
// step is added and the ticket is that of the last step, 0 if there was none.
//
// Refusals: invalid_argument (no copies, arrays of unequal length), invalid_runs,
// invalid_access_order, null_pointer, not_an_allocation, leaves_allocation, size_exceeds_capacity,
// those that batch_rules names, and out_of_memory.
//
// The call waits for the batch where the rules block on pageable memory, and may wait with
// source_access::during_call. It then answers that batch's own failure: fault, or aborted.
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const batch& work);
CONVOY_EXPORT result<ticket> submit(stream_ref stream, std::span<const copy> copies,
                                    const attributes& attrs = {});
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const batch_view& work,
                                    const batch_rules& rules = native_rules);

// A batch of one copy.
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const copy& one);

// A pitched copy; an empty box adds no step. Answers null_pointer, invalid_pitch, not_an_allocation
// or leaves_allocation, and invalid_argument if the size of a side overflows.
CONVOY_EXPORT result<ticket> submit(stream_ref stream, const pitched_copy& one);

// submit() and synchronize() up to its ticket: returns when the copy has landed. Answers what
// either answers, the error of an earlier step included.
CONVOY_EXPORT status copy_sync(stream_ref stream, const copy& one);

// Writes the pattern over the rows of a box, or over a range; an empty one adds no step. Answers
// invalid_argument for a unit other than 1, 2 or 4 and for a start, width or pitch that is not a
// multiple of it, and what a pitched copy answers.
CONVOY_EXPORT result<ticket> fill(stream_ref stream, const pitched& target, const box& extent,
                                  fill_pattern pattern);
CONVOY_EXPORT result<ticket> fill(stream_ref stream, void* start, std::size_t bytes,
                                  fill_pattern pattern);

// Combines two ranges element by element; 0 bytes add no step. Answers null_pointer,
// not_an_allocation or leaves_allocation, and invalid_argument for a type or kind outside the
// enumeration, a part of an element, or ranges that overlap without being equal.
CONVOY_EXPORT result<ticket> reduce(stream_ref stream, const reduction& wanted);

// A copy whose source, destination and length are read from the descriptor in device memory when
// the step runs, and checked then: bad ones fail the step with null_pointer, not_an_allocation,
// leaves_allocation or fault. The call answers invalid_argument for a bad layout, and null_pointer,
// wrong_location, not_an_allocation or leaves_allocation if the descriptor is not in device memory.
CONVOY_EXPORT result<ticket> copy_indirect(stream_ref stream, const void* descriptor,
                                           const descriptor_layout& layout = {});

// The same for a copy of known length between offsets from two pointers in device memory.
CONVOY_EXPORT result<ticket> copy_indirect(stream_ref stream, const based_copy& one);

// A prefetch whose source and length are read from the descriptor when the step runs. Nothing moves
// here; a source that is not live memory of the stream's device fails the step with wrong_location,
// not_an_allocation or leaves_allocation. The call answers as copy_indirect() does.
CONVOY_EXPORT result<ticket> prefetch_indirect(stream_ref stream, const void* descriptor,
                                               const descriptor_layout& layout = {});

// Runs `function` in stream order on a thread of Convoy's. It may block. A wait that can only end
// after the function has returned, as for its own stream, answers not_permitted. If it throws or
// ends its thread (pthread_exit), its step fails with function_threw; if the system has no thread,
// with out_of_threads. Answers null_pointer for an empty function.
CONVOY_EXPORT result<ticket> call(stream_ref stream, std::function<void()> function);

// Holds `object` until the step with the ticket has landed or was dropped; adds no step. If it has
// landed already, the object is released before the call returns, else on the thread that finishes
// the step: its deleter must be quick and must not call Convoy. Answers invalid_argument for a
// ticket that the stream never gave out.
CONVOY_EXPORT status keep_alive(stream_ref stream, ticket last, std::shared_ptr<const void> object);

// Records the event at the end of the stream. Answers wrong_device if the event belongs to another
// device.
CONVOY_EXPORT result<ticket> record(stream_ref stream, event_ref event);

// Makes later steps of the stream, on any device, wait for the event's latest recording, or for the
// next one if the event is latched and has none. Does not wait itself. Adds no step if there is
// nothing to wait for; the ticket is then that of the last step.
CONVOY_EXPORT result<ticket> wait(stream_ref stream, event_ref event);

// Writes the value atomically, with release order. Answers null_pointer, invalid_argument for a
// size other than 4 and 8 or a bad alignment, wrong_location for pageable memory, not_an_allocation
// or leaves_allocation.
CONVOY_EXPORT result<ticket> write_value(stream_ref stream, const stream_value& value);

// Makes later steps wait until the value in memory passes the test, whether a stream, the program
// or another process writes it; the memory is polled. The wait gives up when its stream is aborted
// or stopped. Answers as write_value() does, and invalid_argument for a test outside the four.
CONVOY_EXPORT result<ticket> wait_value(stream_ref stream, const stream_value& value,
                                        value_test test);

// Memory of the stream's device for the steps submitted after this call. Returns and answers as
// allocate(device_id, bytes) in memory.hpp does.
CONVOY_EXPORT result<void*> allocate(stream_ref stream, std::size_t bytes);

// Frees memory after the steps submitted before; new calls are refused it at once. Returns the
// ticket of a step that marks the position. Answers as deallocate(void*) does.
CONVOY_EXPORT result<ticket> deallocate(stream_ref stream, void* start);

}  // namespace convoy
