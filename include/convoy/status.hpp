// The outcome of a call, one value at every border.
//
// Nothing in Convoy throws: a call answers a status, or a result that holds either a value or a
// status. A refused call has changed nothing. Where one copy of a batch is to blame, `item` is its
// index, `side` and `address` say which pointer, and explain() makes a sentence of it.
#pragma once

#include <convoy/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
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
  size_exceeds_capacity,
  leaves_allocation,     // the range starts in an allocation and ends outside it
  wrong_location,        // the pointer is not where the attribute says it is
  wrong_direction,       // e.g. host to host where only host to device is allowed
  mixed_directions,      // the copy goes another way than the first copy of its batch
  no_peer_access,        // between devices, and these rules demand peer access first
  invalid_runs,          // attribute runs do not cover the batch
  invalid_access_order,  // a source access order outside the three
  too_many_copies,
  invalid_pitch,
  invalid_device,
  wrong_device,  // the object belongs to another device
  invalid_handle,
  destroyed_handle,  // was valid once
  not_an_allocation,
  already_registered,
  not_registered,
  peer_access_already_enabled,
  peer_access_not_enabled,
  not_recorded,
  not_permitted,
  not_supported,
  out_of_memory,

  // Answers about work under way.
  not_ready,
  timed_out,
  aborted,

  // A step failed while it ran.
  fault,           // a copy touched memory that is not there
  device_failure,  // the device reported that it could not
  function_threw,

  // The runtime as a whole cannot work.
  forked,
  bad_configuration,
};

// The name of the code, as it is spelled here.
CONVOY_EXPORT std::string_view name(errc code) noexcept;

enum class copy_side : std::uint8_t { none, source, destination };

struct [[nodiscard]] status {
  errc code = errc::ok;
  copy_side side = copy_side::none;
  std::optional<std::size_t> item = {};
  const void* address = nullptr;

  [[nodiscard]] constexpr bool ok() const noexcept { return code == errc::ok; }
  friend constexpr bool operator==(const status&, const status&) = default;
};

// One sentence for a person: which item, which pointer, what that memory really is.
CONVOY_EXPORT std::string explain(const status& outcome);

template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  result(status why) : held_(std::in_place_index<1>, why) {}

  [[nodiscard]] bool ok() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  [[nodiscard]] status error() const noexcept { return ok() ? status{} : std::get<1>(held_); }

  // Only for a result that is ok().
  T& operator*() & { return *std::get_if<0>(&held_); }
  const T& operator*() const& { return *std::get_if<0>(&held_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&held_)); }
  T* operator->() { return std::get_if<0>(&held_); }
  const T* operator->() const { return std::get_if<0>(&held_); }

 private:
  std::variant<T, status> held_;
};

}  // namespace convoy
