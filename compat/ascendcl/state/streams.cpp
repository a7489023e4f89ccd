#include "state/streams.hpp"

#include <array>
#include <string>

#include "shared/process_lifetime.hpp"
#include "state/callback_queues.hpp"
#include "state/soc.hpp"
#include "state/state_callbacks.hpp"

namespace convoy::ascendcl {
namespace {

// By device: streams that programs have created.
std::array<std::atomic<std::uint32_t>, max_devices> stream_counts;

std::atomic<std::uint32_t>& stream_count(device_id device) {
  return stream_counts[static_cast<std::size_t>(number(device))];
}

call_status not_a_stream() {
  return failed(ACL_ERROR_RT_INVALID_HANDLE,
                "the handle is not a stream, or the stream was destroyed");
}

bool reserve_stream(device_id device) {
  if (stream_count(device).fetch_add(1) < soc().family.max_streams) return true;
  stream_count(device).fetch_sub(1);
  return false;
}

// Ends the subscriptions to a stream that is about to be destroyed.
void end_subscriptions(stream_record& stream) {
  std::uint64_t report_thread = 0;
  std::uint64_t host_function_thread = 0;
  {
    const std::lock_guard held(stream.mutex);
    report_thread = std::exchange(stream.report_thread, 0);
    host_function_thread = std::exchange(stream.host_function_thread, 0);
  }
  if (report_thread != 0) report_queues().unsubscribe(report_thread);
  if (host_function_thread != 0) host_function_queues().unsubscribe(host_function_thread);
}

}  // namespace

registry<stream_record>& streams() { return compat::process_object<registry<stream_record>>(); }

std::vector<std::shared_ptr<stream_record>> streams_of(const context& owner) {
  return streams().find_all([&](const auto& stream) { return stream.owner.get() == &owner; });
}

std::vector<std::shared_ptr<stream_record>> streams_of(device_id device) {
  return streams().find_all([&](const auto& stream) { return stream.owner->device == device; });
}

lookup<std::shared_ptr<stream_record>> find_stream(aclrtStream handle) {
  std::uint64_t number = number_of(handle);
  if (handle == nullptr) {
    const auto current = current_context();
    if (!current) return current.error;
    number = (*current)->default_stream.handle();
  }
  auto found = streams().find(number);
  if (found != nullptr) return {std::move(found)};
  return not_a_stream();
}

lookup<std::shared_ptr<stream_record>> find_stream_in_context(aclrtStream handle) {
  auto found = find_stream(handle);
  if (!found) return found;
  const auto current = current_context();
  if (!current) return current.error;
  if (found->get()->owner == *current) return found;
  return failed(ACL_ERROR_RT_STREAM_CONTEXT, "the stream belongs to another context");
}

lookup<stream_ref> look_up_stream_in_context(aclrtStream handle) {
  const auto found = find_stream_in_context(handle);
  if (!found) return found.error;
  thread_state& thread = this_thread();
  thread.has_cached_stream = true;
  thread.cached_handle = handle;
  thread.cached_stream = (*found)->ref;
  return {(*found)->ref};
}

call_status stream_error(aclrtStream handle, const status& error) {
  if (error.code == errc::destroyed_handle) {
    this_thread().has_cached_stream = false;
    const auto found = look_up_stream_in_context(handle);
    if (!found) return found.error;
  }
  return call_status_of(error);
}

lookup<stream_ref> sync_stream(device_id device) {
  auto& all = this_thread().sync_streams;
  if (const auto found = all.find(device); found != all.end()) return {found->second};
  auto made = make_stream(device, {.blocking = false});
  if (!made) return call_status_of(made.error());
  return {all.emplace(device, std::move(*made)).first->second};
}

lookup<std::shared_ptr<stream_record>> add_stream(const std::shared_ptr<context>& owner,
                                                  const stream_settings& settings) {
  static std::atomic<std::int32_t> next_id = 0;
  auto made = make_stream(owner->device, {.blocking = false});
  if (!made) return call_status_of(made.error());
  if (!settings.is_default && !reserve_stream(owner->device)) {
    return failed(ACL_ERROR_RT_NO_STREAM_RESOURCE,
                  "a device has at most " + std::to_string(soc().family.max_streams) + " streams");
  }
  auto record = std::make_shared<stream_record>();
  record->ref = made->release();
  record->owner = owner;
  record->is_default = settings.is_default;
  record->id = next_id++;
  record->flags = settings.flags;
  record->priority = settings.priority;
  streams().insert(record->ref.handle(), record);
  if (owner->stops_on_failure) static_cast<void>(record->ref.stop_with(owner->default_stream));
  notify_stream_state(to_handle(record->ref.handle()), ACL_RT_STREAM_STATE_CREATE_POST);
  return {std::move(record)};
}

void close(stream_record& stream, close_mode mode) {
  notify_stream_state(to_handle(stream.ref.handle()), ACL_RT_STREAM_STATE_DESTROY_PRE);
  if (mode == close_mode::after_work) static_cast<void>(stream.ref.synchronize());
  end_subscriptions(stream);
  if (mode == close_mode::abort_work) static_cast<void>(stream.ref.abort());
  if (streams().remove(stream.ref.handle()) == nullptr) return;
  static_cast<void>(destroy(stream.ref));
  if (!stream.is_default) stream_count(stream.owner->device).fetch_sub(1);
}

call_status synchronize(stream_record& stream, std::int32_t milliseconds) {
  constexpr std::uint32_t not_waited_for =
      ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
  if ((stream.flags & not_waited_for) != 0) return {};
  status s = synchronize_for(stream.ref, milliseconds);
  const bool is_first = s.code != errc::timed_out && stream.abort_unanswered.exchange(false);
  if (is_first) s = {errc::aborted};
  if (s.ok()) return {};
  const bool is_stream_error = s.code != errc::timed_out && s.code != errc::aborted;
  if (is_stream_error) static_cast<void>(stream.ref.clear_error());
  return call_status_of_step(s);
}

call_status check_timeout(std::int32_t milliseconds) {
  if (milliseconds >= -1) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "timeout is less than -1, which waits without limit");
}

std::uint32_t available_streams(device_id device) {
  return soc().family.max_streams - stream_count(device).load();
}

}  // namespace convoy::ascendcl
