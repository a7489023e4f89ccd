#include <fmt/format.h>

#include <convoy/memory.hpp>
#include <convoy/status.hpp>

#include "runtime/engine.hpp"

namespace convoy {
namespace {

// No default case: a new errc breaks the build here until it has a sentence.
std::string_view sentence(errc code) {
  switch (code) {
    case errc::ok: return "all is well";
    case errc::invalid_argument: return "an argument is outside what the call takes";
    case errc::null_pointer: return "the pointer is null";
    case errc::zero_size: return "the size is zero";
    case errc::size_exceeds_capacity: return "the size exceeds the capacity of the destination";
    case errc::leaves_allocation: return "the range leaves its allocation";
    case errc::wrong_location: return "the memory is not where the attribute says it is";
    case errc::wrong_direction: return "this direction is not allowed here";
    case errc::mixed_directions: return "the copy goes another way than the first one of its batch";
    case errc::no_peer_access: return "the two devices have no peer access to each other";
    case errc::invalid_runs:
      return "the attribute runs do not start at copy 0, do not rise, or reach past the last copy";
    case errc::invalid_access_order: return "the source access order is none of the three";
    case errc::too_many_copies: return "the batch has more copies than the call takes";
    case errc::invalid_pitch: return "the pitch is smaller than the row or the slice it holds";
    case errc::invalid_device: return "there is no such device, or it is the device itself";
    case errc::wrong_device: return "the two belong to different devices";
    case errc::invalid_handle: return "the handle was never given out";
    case errc::destroyed_handle: return "the handle was destroyed before";
    case errc::not_an_allocation: return "no live allocation is there, or none starts there";
    case errc::already_registered: return "the range touches memory that is pinned already";
    case errc::not_registered: return "no pinned range starts there";
    case errc::peer_access_already_enabled: return "peer access was enabled before";
    case errc::peer_access_not_enabled: return "peer access was not enabled";
    case errc::not_recorded: return "the event was never recorded, or keeps no time";
    case errc::not_permitted: return "this may not be done with a default stream";
    case errc::not_supported: return "this is not supported";
    case errc::out_of_memory: return "there is not enough memory left";
    case errc::not_ready: return "the work is still under way";
    case errc::timed_out: return "the time ran out; the work goes on";
    case errc::aborted: return "the work was dropped by an abort";
    case errc::fault: return "the copy touched memory that is not there";
    case errc::device_failure: return "the device reported a failure";
    case errc::function_threw: return "the host function threw an exception";
    case errc::forked:
      return "Convoy was in use before this process was forked; start a new process instead";
    case errc::bad_configuration: return "the configuration is wrong";
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

std::string what_is_at(const void* address) {
  const auto found = locate(address);
  if (!found) return "no live allocation";
  if (found->kind == memory_kind::pageable) return std::string(kind_name(found->kind));
  const std::string device =
      found->kind == memory_kind::device ? fmt::format(" {}", number(found->device)) : "";
  return fmt::format("{}{}, {} bytes before the end of its {}", kind_name(found->kind), device,
                     found->bytes_left, found->size);
}

std::string_view side_name(copy_side side) {
  if (side == copy_side::source) return "source ";
  return side == copy_side::destination ? "destination " : "";
}

}  // namespace

std::string explain(const status& outcome) {
  std::string text = outcome.item ? fmt::format("item {}: ", *outcome.item) : "";
  if (outcome.code == errc::bad_configuration) return text + engine::configuration_problem();
  if (outcome.address == nullptr) {
    return text + std::string(side_name(outcome.side)) + std::string(sentence(outcome.code));
  }
  return fmt::format("{}{}{} ({}): {}", text, side_name(outcome.side), outcome.address,
                     what_is_at(outcome.address), sentence(outcome.code));
}

}  // namespace convoy
