// The result of a call: a status, or a result<T> that holds a value or a status.
//
// A call that answers a refusal has changed nothing: no step was submitted, no byte was written. If
// one copy of a batch is at fault, `item` is its index in the caller's arrays, and `side` and
// `address` name the pointer; explain() turns a status into a sentence.
//
// What holds for every function in include/convoy, unless its comment says otherwise:
// - Any thread may call it, also while other threads use the same stream, event or memory.
// - It returns at once: only a function whose comment says that it waits does so.
// - It can answer `forked` or `bad_configuration`, which the comments of the functions leave out.
// - A stream or event parameter can make it answer `invalid_handle` or `destroyed_handle`.
// - It must not be called from a signal handler, nor from a function that call() runs.
// - It throws no exception of its own, but for result::value(); std::bad_alloc from the C++ library
//   can pass through.
#pragma once

#include <convoy/export.hpp>
#include <convoy/location.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace convoy {

enum class errc : std::uint8_t {
  ok,

  // Refusals: the call changed nothing.
  invalid_argument,
  null_pointer,
  zero_size,
  size_exceeds_capacity,  // a copy is larger than the capacity given for its destination
  leaves_allocation,      // the range starts in an allocation and ends outside it
  wrong_location,         // the pointer is not in the memory that the attribute or the call names
  wrong_direction,        // e.g. host to host where only host to device is allowed
  mixed_directions,       // the copy has another direction than the first copy of its batch
  no_peer_access,         // a copy between devices under rules that require peer access
  invalid_runs,           // the attribute runs do not cover the batch
  invalid_access_order,   // a source access order other than stream, during_call and any
  too_many_copies,        // more copies than batch_rules::max_copies
  invalid_pitch,          // a pitch shorter than its row, or a slice lower than the box
  invalid_device,         // no device has this number, or a device was named as its own peer
  wrong_device,           // the object belongs to another device
  invalid_handle,         // the handle was never given out
  destroyed_handle,       // the handle was valid once
  not_an_allocation,      // no live allocation of the required kind is there, or starts there
  already_registered,     // the range overlaps pinned memory or memory that Convoy owns
  not_registered,         // no range registered by pin() starts there
  peer_access_already_enabled,
  peer_access_not_enabled,
  not_recorded,   // the event has no recording, or its recording has no time
  not_permitted,  // a default stream cannot be destroyed; a host function cannot wait for its own
                  // stream; this process may not export or import
  not_supported,
  out_of_memory,  // memory, a table or the number of importing processes is used up

  // Answers about work under way.
  not_ready,
  timed_out,
  aborted,  // the step was dropped by abort(), or skipped after a failure

  // A step failed while it ran.
  fault,           // a copy read or wrote an unmapped address (SIGSEGV or SIGBUS, caught)
  device_failure,  // the device failed, or the process that had to record a shared event ended
  function_threw,  // a function given to call() threw an exception or ended its thread

  // The runtime as a whole cannot work.
  forked,             // this process was forked from one that had used Convoy; see convoy.hpp
  bad_configuration,  // a CONVOY_ variable is unknown or has a bad value; explain() names it

  // A step failed before it ran.
  out_of_threads,  // the system had no thread for a function given to call(), or for a wait
};

// The name of the code as it is spelled above; "unknown" for any other value. Never fails.
CONVOY_EXPORT std::string_view name(errc code) noexcept;

// Which pointer of a copy `status::address` is.
enum class copy_side : std::uint8_t { none, source, destination };

struct [[nodiscard]] status {
  errc code = errc::ok;
  copy_side side = copy_side::none;
  std::optional<std::size_t> item = {};  // index of a copy in its batch, or of a row in its box
  const void* address = nullptr;         // null when the status is not about one pointer
  std::size_t bytes = 0;                 // of the copy or row that faulted, or that were asked for
  std::optional<memory_class> memory = {};  // with out_of_memory: that was asked for

  [[nodiscard]] constexpr bool ok() const noexcept { return code == errc::ok; }
  explicit constexpr operator bool() const noexcept { return ok(); }
  friend constexpr bool operator==(const status&, const status&) = default;
};

// One sentence for a person: the item, the pointer, the memory it points into at the time of this
// call, and what is wrong. Works in a forked child and with a bad configuration too.
CONVOY_EXPORT std::string explain(const status& outcome);

// Thrown by result::value(); what() is the sentence of explain().
class CONVOY_EXPORT status_error : public std::runtime_error {
 public:
  explicit status_error(const status& outcome);
  ~status_error() override;
  [[nodiscard]] const status& error() const noexcept { return error_; }

 private:
  status error_;
};

// Writes the sentence of explain() to standard error and aborts the process.
[[noreturn]] CONVOY_EXPORT void abort_without_value(const status& outcome);

// A value, or the status that says why there is none. Test it before use, or let value() throw:
//
//   auto stream = convoy::make_stream(convoy::device_id{0});
//   if (!stream) return report(convoy::explain(stream.error()));
//
//   auto event = convoy::make_event(convoy::device_id{0}).value();
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : value_or_status_(std::in_place_index<0>, std::move(value)) {}
  result(status error) : value_or_status_(std::in_place_index<1>, error) {}

  [[nodiscard]] bool ok() const noexcept { return value_or_status_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // The status; errc::ok when there is a value.
  [[nodiscard]] status error() const noexcept {
    return ok() ? status{} : std::get<1>(value_or_status_);
  }

  // The value, or a status_error is thrown.
  T& value() & { return *checked(*this); }
  const T& value() const& { return *checked(*this); }
  T&& value() && { return std::move(*checked(*this)); }

  // The value. Unless ok(), the process is aborted with a sentence where assert() is active
  // (NDEBUG is not defined), and the behaviour is undefined otherwise.
  T& operator*() & { return *get(*this); }
  const T& operator*() const& { return *get(*this); }
  T&& operator*() && { return std::move(*get(*this)); }
  T* operator->() { return get(*this); }
  const T* operator->() const { return get(*this); }

 private:
  template <class Self>
  static auto checked(Self& self) {
    if (!self.ok()) throw status_error(self.error());
    return std::get_if<0>(&self.value_or_status_);
  }

  template <class Self>
  static auto get(Self& self) {
#ifndef NDEBUG
    if (!self.ok()) abort_without_value(self.error());
#endif
    return std::get_if<0>(&self.value_or_status_);
  }

  std::variant<T, status> value_or_status_;
};

}  // namespace convoy
