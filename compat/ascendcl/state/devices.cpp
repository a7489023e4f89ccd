#include "state/devices.hpp"

#include <array>
#include <convoy/device.hpp>
#include <convoy/failures.hpp>
#include <map>
#include <mutex>
#include <string>

#include "state/fork_check.hpp"

namespace convoy::ascendcl {
namespace {

// Tells contexts from the engine's streams and events.
constexpr std::uint64_t context_tag = std::uint64_t{0x61} << 56;

// A device's primary context and how many aclrtSetDevice calls hold it.
struct primary {
  std::shared_ptr<context> held;
  int uses = 0;
};

std::mutex primaries_mutex;  // guards the map
std::map<device_id, primary>& primaries() {
  static auto* const all = new std::map<device_id, primary>;
  return *all;
}

// Devices on which a step has failed.
std::array<std::atomic<bool>, 64> failed_on;

std::atomic<bool>& failure_on(device_id device) {
  return failed_on[static_cast<std::size_t>(number(device))];
}

void remember(const failed_step& what) {
  if (streams().find(what.stream.handle()) != nullptr) failure_on(what.device) = true;
}

// Remembers from now on which devices had a step fail.
outcome watch_steps() {
  static const auto* const watch = new auto(add_failure_callback(remember));
  return outcome_of(watch->error());
}

}  // namespace

found<device_id> find_device(std::int64_t wanted) {
  const auto all = device_count();
  if (!all) return none<device_id>(outcome_of(all.error()));
  if (wanted >= 0 && wanted < *all) return {device_id{static_cast<std::int32_t>(wanted)}};
  return none<device_id>(failed(
      ACL_ERROR_RT_INVALID_DEVICEID,
      "there is no device " + std::to_string(wanted) + "; there are " + std::to_string(*all)));
}

found<std::shared_ptr<context>> make_context(device_id on, bool primary) {
  static std::atomic<std::uint64_t> made_before = 0;
  watch_forks();
  if (auto watched = watch_steps(); !watched.ok()) return none<std::shared_ptr<context>>(watched);
  auto made = std::make_shared<context>();
  made->number = context_tag | ++made_before;
  made->device = on;
  made->primary = primary;
  const auto stream = make_stream_in(made, {.standing = true});
  if (!stream) return none<std::shared_ptr<context>>(stream.why);
  made->default_stream = (*stream)->ref;
  contexts().insert(made->number, made);
  return {std::move(made)};
}

void close(context& gone, ending how) {
  if (!gone.alive.exchange(false)) return;
  for (const auto& each : streams().those([&](const auto& s) { return s.home.get() == &gone; })) {
    close(*each, how);
  }
  contexts().remove(gone.number);
}

found<std::shared_ptr<context>> use_primary(device_id on) {
  const std::lock_guard held(primaries_mutex);
  primary& entry = primaries()[on];
  if (entry.held == nullptr) {
    auto made = make_context(on, true);
    if (!made) return made;
    entry.held = *made;
  }
  ++entry.uses;
  return {entry.held};
}

found<std::shared_ptr<context>> release_primary(device_id on, reset_kind how) {
  const std::lock_guard held(primaries_mutex);
  primary& entry = primaries()[on];
  if (entry.held == nullptr) {
    return none<std::shared_ptr<context>>(
        failed(ACL_ERROR_RT_CONTEXT_NULL, "the device was not set, or was reset before"));
  }
  if (how == reset_kind::when_unused && --entry.uses > 0) return {};
  entry.uses = 0;
  return {std::exchange(entry.held, nullptr)};
}

bool has_primary(device_id on) {
  const std::lock_guard held(primaries_mutex);
  return primaries()[on].held != nullptr;
}

bool had_failure(device_id on) { return failure_on(on); }

void forget_failures(device_id on) { failure_on(on) = false; }

}  // namespace convoy::ascendcl
