#include "calls/events.hpp"

#include <algorithm>
#include <chrono>
#include <convoy/event.hpp>
#include <convoy/ipc.hpp>
#include <cstring>
#include <mutex>
#include <vector>

#include "shared/process_lifetime.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

struct event_record {
  event_ref ref = {};
  event_mode mode = event_mode::standard;
  std::uint32_t flags = 0;
  std::uint32_t id = 0;

  struct stream_wait {
    stream_ref stream;
    ticket position;
  };
  std::mutex mutex;  // guards the rest
  bool recorded = false;
  std::vector<stream_wait> waits;  // that may be pending

  void add_wait(const stream_wait& next) {
    const std::lock_guard held(mutex);
    std::erase_if(waits, has_landed);
    waits.push_back(next);
  }
  // True for a destroyed stream as well.
  static bool has_landed(const stream_wait& each) {
    const auto landed = each.stream.landed(each.position);
    return !landed || *landed;
  }
};

registry<event_record>& events() { return compat::process_object<registry<event_record>>(); }

lookup<std::shared_ptr<event_record>> find_event(aclrtEvent handle) {
  if (handle == nullptr) return invalid_param("event is NULL");
  auto found = events().find(number_of(handle));
  if (found != nullptr) return {std::move(found)};
  return failed(ACL_ERROR_RT_INVALID_HANDLE,
                "the handle is not an event, or the event was destroyed");
}

// Programs set it to get the default of older releases.
constexpr std::uint32_t legacy_default_flag = 0x4;
constexpr std::uint32_t all_flags = legacy_default_flag | ACL_EVENT_SYNC |
                                    ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE |
                                    ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC;

aclrtEvent register_event(event created, event_mode mode, std::uint32_t flags) {
  static std::atomic<std::uint32_t> next_id = 0;
  auto record = std::make_shared<event_record>();
  record->ref = created.release();
  record->mode = mode;
  record->flags = flags;
  record->id = next_id++;
  const aclrtEvent handle = to_handle(record->ref.handle());
  events().insert(number_of(handle), std::move(record));
  return handle;
}

call_status require_standard(const event_record& event) {
  if (event.mode == event_mode::standard) return {};
  return unsupported("events of aclrtCreateEventExWithFlag do not support this call");
}

// 507000 unless the event was recorded.
lookup<std::shared_ptr<event_record>> find_recorded_event(aclrtEvent handle) {
  auto found = find_event(handle);
  if (!found) return found;
  const std::lock_guard held((*found)->mutex);
  if ((*found)->recorded) return found;
  return failed(ACL_ERROR_RT_INTERNAL_ERROR, "the event was never recorded");
}

call_status check_flag(std::uint32_t flag) {
  return flag <= 1 ? call_status{} : failed(ACL_ERROR_RT_PARAM_INVALID, "flag is neither 0 nor 1");
}

call_status record_in(aclrtEvent handle, aclrtStream stream_handle) {
  const auto found = find_event(handle);
  if (!found) return found.error;
  const auto stream = stream_in_context(stream_handle);
  if (!stream) return stream.error;
  const std::lock_guard held((*found)->mutex);
  const auto submitted = convoy::record(*stream, (*found)->ref);
  if (!submitted) return stream_error(stream_handle, submitted.error());
  (*found)->recorded = true;
  return {};
}

call_status wait_in(aclrtStream stream_handle, aclrtEvent handle) {
  const auto found = find_event(handle);
  if (!found) return found.error;
  const auto stream = stream_in_context(stream_handle);
  if (!stream) return stream.error;
  if (((*found)->flags & (ACL_EVENT_SYNC | ACL_EVENT_IPC)) == 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the event was created without ACL_EVENT_SYNC");
  }
  const auto submitted = convoy::wait(*stream, (*found)->ref);
  if (!submitted) return stream_error(stream_handle, submitted.error());
  if ((*found)->mode == event_mode::standard) (*found)->add_wait({*stream, *submitted});
  return {};
}

}  // namespace

call_status create_event(aclrtEvent* into, std::uint32_t flags, event_mode mode) {
  if (into == nullptr) return invalid_param("event is NULL");
  if (flags == 0 || (flags & ~all_flags) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is " + std::to_string(flags) +
                                                  ", the call takes a combination of ACL_EVENT_ "
                                                  "flags");
  }
  const auto current = current_context();
  if (!current) return current.error;
  auto created = make_event((*current)->device, {.timing = (flags & ACL_EVENT_TIME_LINE) != 0,
                                                 .latched = mode == event_mode::standard,
                                                 .interprocess = (flags & ACL_EVENT_IPC) != 0});
  if (!created) return call_status_of(created.error());
  *into = register_event(std::move(*created), mode, flags);
  return {};
}

call_status destroy_event(aclrtEvent handle) {
  const auto found = find_event(handle);
  if (!found) return found.error;
  events().remove((*found)->ref.handle());
  return call_status_of(convoy::destroy((*found)->ref));
}

call_status record_event(aclrtEvent handle, aclrtStream stream_handle, std::uint32_t flag) {
  auto checked = check_flag(flag);
  return checked.ok() ? record_in(handle, stream_handle) : checked;
}

call_status wait_for_event(aclrtStream stream_handle, aclrtEvent handle, std::uint32_t flag) {
  auto checked = check_flag(flag);
  return checked.ok() ? wait_in(stream_handle, handle) : checked;
}

call_status wait_for_event_with_timeout(aclrtStream stream_handle, aclrtEvent handle,
                                        std::int32_t timeout) {
  auto checked = check_timeout(timeout);
  return checked.ok() ? wait_in(stream_handle, handle) : checked;
}

call_status reset_event(aclrtEvent handle, aclrtStream stream_handle) {
  const auto found = find_event(handle);
  if (!found) return found.error;
  if (auto standard = require_standard(**found); !standard.ok()) return standard;
  const auto stream = stream_in_context(stream_handle);
  if (!stream) return stream.error;
  const std::lock_guard held((*found)->mutex);
  (*found)->recorded = false;
  return call_status_of(convoy::reset((*found)->ref));
}

call_status query_event(aclrtEvent handle, aclrtEventStatus* into) {
  if (into == nullptr) return invalid_param("status is NULL");
  const auto found = find_event(handle);
  if (!found) return found.error;
  if (auto standard = require_standard(**found); !standard.ok()) return standard;
  // Unlike query(), a wait treats an event that was never recorded as reached.
  const bool pending =
      (*found)->ref.synchronize(std::chrono::nanoseconds(0)).code == errc::timed_out;
  *into = pending ? ACL_EVENT_STATUS_NOT_READY : ACL_EVENT_STATUS_COMPLETE;
  return {};
}

call_status query_event_recorded(aclrtEvent handle, aclrtEventRecordedStatus* into) {
  if (into == nullptr) return invalid_param("status is NULL");
  const auto found = find_event(handle);
  if (!found) return found.error;
  const bool recorded = (*found)->ref.query().ok();
  *into = recorded ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return {};
}

call_status query_event_waits(aclrtEvent handle, aclrtEventWaitStatus* into) {
  if (into == nullptr) return invalid_param("status is NULL");
  const auto found = find_event(handle);
  if (!found) return found.error;
  if (auto standard = require_standard(**found); !standard.ok()) return standard;
  const std::lock_guard held((*found)->mutex);
  const auto& waits = (*found)->waits;
  const bool all_landed = std::all_of(waits.begin(), waits.end(), event_record::has_landed);
  *into = all_landed ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  return {};
}

call_status synchronize_event(aclrtEvent handle, std::int32_t milliseconds) {
  if (handle == nullptr) return invalid_param("event is NULL");
  if (auto checked = check_timeout(milliseconds); !checked.ok()) return checked;
  const auto found = find_event(handle);
  if (!found) return found.error;
  const status s = synchronize_for((*found)->ref, milliseconds);
  if (s.code == errc::timed_out) return failed(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, explain(s));
  return s.ok() ? call_status{} : call_status_of_step(s);
}

call_status get_elapsed_time(float* into, aclrtEvent start, aclrtEvent end) {
  if (into == nullptr || start == nullptr || end == nullptr)
    return missing_argument({{"ms", into}, {"startEvent", start}, {"endEvent", end}});
  const auto first = find_recorded_event(start);
  if (!first) return first.error;
  const auto last = find_recorded_event(end);
  if (!last) return last.error;
  const auto time = convoy::elapsed((*first)->ref, (*last)->ref);
  if (!time) return call_status_of(time.error());
  *into = std::chrono::duration<float, std::milli>(*time).count();
  return {};
}

call_status get_event_timestamp(aclrtEvent handle, std::uint64_t* into) {
  if (into == nullptr) return invalid_param("timestamp is NULL");
  const auto found = find_recorded_event(handle);
  if (!found) return found.error;
  const auto time = time_of((*found)->ref);
  if (!time) return call_status_of(time.error());
  *into = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(time->time_since_epoch()).count());
  return {};
}

call_status get_event_id(aclrtEvent handle, std::uint32_t* into) {
  if (into == nullptr) return invalid_param("eventId is NULL");
  const auto found = find_event(handle);
  if (found) *into = (*found)->id;
  return found.error;
}

call_status count_available_events(std::uint32_t* into) {
  if (into == nullptr) return invalid_param("eventCount is NULL");
  constexpr std::uint32_t max_events = 65536;
  const auto used = events().size();
  *into = used < max_events ? max_events - static_cast<std::uint32_t>(used) : 0;
  return {};
}

call_status export_event_handle(aclrtEvent handle, aclrtIpcEventHandle* into) {
  if (into == nullptr) return invalid_param("handle is NULL");
  const auto found = find_event(handle);
  if (!found) return found.error;
  if (((*found)->flags & ACL_EVENT_IPC) == 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the event was created without ACL_EVENT_IPC");
  }
  const auto key = export_event((*found)->ref);
  if (!key) return call_status_of(key.error());
  *into = {};
  std::memcpy(into->reserved, key->bytes.data(), key->bytes.size());
  return {};
}

call_status import_event_handle(const aclrtIpcEventHandle& handle, aclrtEvent* into) {
  if (into == nullptr) return invalid_param("event is NULL");
  const auto current = current_context();
  if (!current) return current.error;
  ipc_key key;
  std::memcpy(key.bytes.data(), handle.reserved, key.bytes.size());
  auto imported = import_event(key, (*current)->device);
  if (!imported) return failed(ACL_ERROR_RT_IPC_ERROR, explain(imported.error()));
  *into =
      register_event(std::move(*imported), event_mode::extended, ACL_EVENT_IPC | ACL_EVENT_SYNC);
  return {};
}

call_status set_operator_timeout() { return {}; }

call_status set_operator_timeout(std::uint64_t timeout, std::uint64_t* actual) {
  if (actual == nullptr) return invalid_param("actualTimeout is NULL");
  *actual = timeout;
  return {};
}

}  // namespace convoy::ascendcl
