#include <fmt/format.h>

#include <algorithm>
#include <convoy/memory.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "os/mappings.hpp"
#include "os/pages.hpp"
#include "runtime/engine.hpp"

namespace convoy {
namespace {

// A sentence that is true on every path that answers the code. No default case: a new errc breaks
// the build here until it has a sentence.
std::string_view sentence(errc code) {
  switch (code) {
    case errc::ok: return "there is no error";
    case errc::invalid_argument: return "an argument has a value that the call does not accept";
    case errc::null_pointer: return "a required pointer or function is null";
    case errc::zero_size: return "the size is zero";
    case errc::size_exceeds_capacity: return "the size exceeds the capacity of the destination";
    case errc::leaves_allocation: return "the range does not lie inside one allocation or buffer";
    case errc::wrong_location:
      return "the memory is not of the kind, or not on the device, that the call or its attributes "
             "require";
    case errc::wrong_direction: return "the call does not allow copies in this direction";
    case errc::mixed_directions:
      return "the copy has another direction than the first copy of its batch";
    case errc::no_peer_access: return "peer access between the two devices is not enabled";
    case errc::invalid_runs:
      return "the attribute runs are missing, do not start at item 0, do not rise, or start past "
             "the last item";
    case errc::invalid_access_order: return "the source access order is not a defined value";
    case errc::too_many_copies: return "the batch has more copies than the call accepts";
    case errc::invalid_pitch: return "the pitch is smaller than the row or the slice it holds";
    case errc::invalid_device: return "there is no such device, or it is its own peer";
    case errc::wrong_device: return "the two objects belong to different devices";
    case errc::invalid_handle:
      return "the handle or key does not name an object of the required kind";
    case errc::destroyed_handle: return "the object was destroyed or is no longer exported";
    case errc::not_an_allocation:
      return "the address is not in, or not at the start of, a live allocation that the call "
             "accepts";
    case errc::already_registered:
      return "the range overlaps registered memory or memory that Convoy allocated";
    case errc::not_registered: return "no registered range starts at the address";
    case errc::peer_access_already_enabled: return "peer access is already enabled";
    case errc::peer_access_not_enabled: return "peer access is not enabled";
    case errc::not_recorded:
      return "the event has no time: it was not recorded, has no timing, or its recording was "
             "aborted";
    case errc::not_permitted:
      return "the operation is not permitted for this object, for this process, or inside this "
             "host "
             "function";
    case errc::not_supported: return "the operation is not supported";
    case errc::out_of_memory: return "there is not enough memory, or a table of fixed size is full";
    case errc::not_ready: return "the work has not finished";
    case errc::timed_out: return "the wait timed out; the work continues";
    case errc::aborted: return "the work was dropped by an abort or skipped after a failure";
    case errc::fault: return "the step accessed memory that is not mapped or not accessible";
    case errc::device_failure:
      return "the device failed, or the process that recorded the event has ended";
    case errc::function_threw: return "the host function threw an exception or ended its thread";
    case errc::forked:
      return "Convoy was in use before this process was forked; start a new process instead";
    case errc::bad_configuration: return "the configuration is wrong";
    case errc::out_of_threads:
      return "the system has no thread left for a host function or a wait; raise the limit on "
             "processes (ulimit -u, or pids.max of the cgroup)";
  }
  return "unknown outcome";
}

std::string_view kind_name(memory_kind kind) {
  switch (kind) {
    case memory_kind::pageable: return "pageable host memory";
    case memory_kind::pinned: return "pinned host memory";
    case memory_kind::registered: return "registered host memory";
    case memory_kind::managed: return "managed memory";
    case memory_kind::device: return "memory of device";
  }
  return "unknown memory";
}

enum class page_state { not_mapped, read_only, writable };

// At the time of this call.
page_state state_of(const void* address) {
  if (os::first_inaccessible(address, 1, os::page_access::read) != nullptr)
    return page_state::not_mapped;
  const bool writable = os::first_inaccessible(address, 1, os::page_access::read_write) == nullptr;
  return writable ? page_state::writable : page_state::read_only;
}

std::string_view suffix_for(page_state state) {
  switch (state) {
    case page_state::not_mapped: return ", not mapped";
    case page_state::read_only: return ", read-only";
    case page_state::writable: return "";
  }
  return "";
}

std::string_view fault_cause(const status& outcome) {
  const page_state state = state_of(outcome.address);
  if (state == page_state::not_mapped) return "is not mapped";
  const bool written = outcome.side == copy_side::destination;
  if (state == page_state::read_only && written) return "is read-only";
  return "was not accessible when the step ran";
}

std::string describe_memory(const void* address) {
  const auto found = locate(address);
  if (!found) return "no live allocation";
  if (found->kind == memory_kind::pageable)
    return fmt::format("{}{}", kind_name(found->kind), suffix_for(state_of(address)));
  const std::string device =
      found->kind == memory_kind::device ? fmt::format(" {}", number(found->device)) : "";
  return fmt::format("{}{}, {} bytes before the end of its {}", kind_name(found->kind), device,
                     found->bytes_left, found->size);
}

std::string_view side_name(copy_side side) {
  switch (side) {
    case copy_side::none: return "";
    case copy_side::source: return "source";
    case copy_side::destination: return "destination";
  }
  return "";
}

// "destination 0x7f00 is not mapped (pageable host memory), 4096 bytes", at the time of this call.
std::string describe_fault(const status& outcome) {
  const auto found = locate(outcome.address);
  return fmt::format("{} {} {} ({}), {} bytes", side_name(outcome.side), outcome.address,
                     fault_cause(outcome), found ? kind_name(found->kind) : "no live allocation",
                     outcome.bytes);
}

// "destination 0x7f00 (memory of device 0, ...): ", or as much of it as the status has.
std::string subject(const status& outcome) {
  const std::string_view side = side_name(outcome.side);
  if (outcome.address == nullptr) return side.empty() ? "" : fmt::format("{}: ", side);
  return fmt::format("{}{}{} ({}): ", side, side.empty() ? "" : " ", outcome.address,
                     describe_memory(outcome.address));
}

// "4096 bytes of memory of device 0 were asked for, 16 of 1024 are free ...", at the time of this
// call.
std::string describe_shortage(const status& outcome) {
  const memory_class memory = *outcome.memory;
  const auto e = engine::get();
  if (!e) return std::string(sentence(outcome.code));
  const auto [used, capacity] = (*e)->space().use_of(memory);
  const bool on_device = memory.kind == memory_kind::device;
  const bool is_pinned = memory.kind == memory_kind::pinned;
  const std::size_t machine = is_pinned ? os::available_memory() : SIZE_MAX;
  return fmt::format("{} bytes of {}{} were asked for, {} of {} are free; {}", outcome.bytes,
                     kind_name(memory.kind),
                     on_device ? fmt::format(" {}", number(memory.device)) : "",
                     std::min(capacity - used, machine), capacity,
                     on_device ? "CONVOY_DEVICE_MEMORY sets the size of a device"
                               : "the limit is the memory of the machine");
}

}  // namespace

std::string explain(const status& outcome) {
  const std::string item = outcome.item ? fmt::format("item {}: ", *outcome.item) : "";
  if (outcome.code == errc::bad_configuration && !engine::configuration_problem().empty()) {
    return item + engine::configuration_problem();
  }
  if (outcome.code == errc::fault && outcome.address != nullptr) {
    return item + describe_fault(outcome);
  }
  if (outcome.code == errc::out_of_memory && outcome.memory) {
    return item + describe_shortage(outcome);
  }
  return fmt::format("{}{}{}", item, subject(outcome), sentence(outcome.code));
}

status_error::status_error(const status& outcome)
    : std::runtime_error(explain(outcome)), error_(outcome) {}

// Here, so that the type information exists once.
status_error::~status_error() = default;

void abort_without_value(const status& outcome) {
  fmt::print(stderr, "convoy: the value of a failed result was used: {} ({})\n", explain(outcome),
             name(outcome.code));
  std::abort();
}

}  // namespace convoy
