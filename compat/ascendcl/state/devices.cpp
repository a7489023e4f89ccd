#include "state/devices.hpp"

#include <array>
#include <convoy/failures.hpp>
#include <map>
#include <mutex>
#include <string>

#include "shared/process_lifetime.hpp"
#include "state/fork_check.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

// Marks context handles, so that they differ from the engine's handles of streams and events.
constexpr std::uint64_t context_tag = std::uint64_t{0x61} << 56;

// The primary context of a device and the number of aclrtSetDevice calls that retain it.
struct primary_context {
  std::shared_ptr<context> current;
  int uses = 0;
};

struct primary_contexts {
  std::mutex mutex;  // guards the rest
  std::map<device_id, primary_context> by_device;
};
primary_contexts& all_primary_contexts() { return compat::process_object<primary_contexts>(); }

// By device: whether a step has failed.
std::array<std::atomic<bool>, max_devices> step_failures;

std::atomic<bool>& step_failure(device_id device) {
  return step_failures[static_cast<std::size_t>(number(device))];
}

void record_failure(const failed_step& failure) {
  if (streams().find(failure.stream.handle()) != nullptr) step_failure(failure.device) = true;
}

struct failure_listener {
  result<failure_callback> registration = add_failure_callback(record_failure);
};

// Records failed steps from the first call on.
call_status register_failure_callback() {
  return call_status_of(compat::process_object<failure_listener>().registration.error());
}

}  // namespace

lookup<device_id> find_device(std::int64_t number) {
  const visible_devices& all = program_devices();
  if (!all.error().ok()) return call_status_of(all.error());
  if (all.contains(number)) return {all.at(number)};
  return failed(ACL_ERROR_RT_INVALID_DEVICEID, "there is no device " + std::to_string(number) +
                                                   "; there are " + std::to_string(all.count()));
}

lookup<std::shared_ptr<context>> make_context(device_id device, bool primary) {
  static std::atomic<std::uint64_t> last_id = 0;
  detect_forks();
  if (auto registered = register_failure_callback(); !registered.ok()) return registered;
  auto made = std::make_shared<context>();
  made->id = context_tag | ++last_id;
  made->device = device;
  made->primary = primary;
  const auto stream = add_stream(made, {.is_default = true});
  if (!stream) return stream.error;
  made->default_stream = (*stream)->ref;
  contexts().insert(made->id, made);
  return {std::move(made)};
}

void close(context& closing, close_mode mode) {
  if (!closing.alive.exchange(false)) return;
  for (const auto& each : streams_of(closing)) close(*each, mode);
  contexts().remove(closing.id);
}

lookup<std::shared_ptr<context>> retain_primary_context(device_id device) {
  primary_contexts& all = all_primary_contexts();
  const std::lock_guard held(all.mutex);
  primary_context& entry = all.by_device[device];
  if (entry.current == nullptr) {
    auto made = make_context(device, true);
    if (!made) return made;
    entry.current = *made;
  }
  ++entry.uses;
  return {entry.current};
}

lookup<std::shared_ptr<context>> release_primary_context(device_id device, reset_kind kind) {
  primary_contexts& all = all_primary_contexts();
  const std::lock_guard held(all.mutex);
  primary_context& entry = all.by_device[device];
  if (entry.current == nullptr) {
    return failed(ACL_ERROR_RT_CONTEXT_NULL, "the device was not set, or was reset before");
  }
  if (kind == reset_kind::when_unused && --entry.uses > 0) return {};
  entry.uses = 0;
  return {std::exchange(entry.current, nullptr)};
}

bool has_primary_context(device_id device) {
  primary_contexts& all = all_primary_contexts();
  const std::lock_guard held(all.mutex);
  return all.by_device[device].current != nullptr;
}

bool has_failed_step(device_id device) { return step_failure(device); }

void clear_failures(device_id device) { step_failure(device) = false; }

}  // namespace convoy::ascendcl
