#include "calls/events.hpp"

#include <algorithm>
#include <chrono>
#include <convoy/event.hpp>
#include <convoy/ipc.hpp>
#include <cstring>
#include <mutex>
#include <vector>

#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

struct event_record {
  event_ref ref = {};
  event_mode mode = event_mode::older;
  std::uint32_t flags = 0;
  std::uint32_t id = 0;

  struct awaited {
    stream_ref by;
    ticket at;
  };
  std::mutex mutex;  // guards the rest
  bool recorded = false;
  std::vector<awaited> waits;  // that may still be under way

  void note_wait(const awaited& next) {
    const std::lock_guard held(mutex);
    std::erase_if(waits, has_landed);
    waits.push_back(next);
  }
  // True for a stream that is gone, too.
  static bool has_landed(const awaited& each) {
    const auto landed = each.by.landed(each.at);
    return !landed || *landed;
  }
};

registry<event_record>& events() {
  static auto* const all = new registry<event_record>;
  return *all;
}

found<std::shared_ptr<event_record>> find_event(aclrtEvent handle) {
  auto at = events().find(number_of(handle));
  if (at != nullptr) return {std::move(at)};
  return none<std::shared_ptr<event_record>>(
      failed(ACL_ERROR_RT_INVALID_HANDLE, "this is no event, or one that was destroyed"));
}

// Set by programs that ask for the default of older releases.
constexpr std::uint32_t unused_flag = 0x4;
constexpr std::uint32_t every_flag = unused_flag | ACL_EVENT_SYNC |
                                     ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE |
                                     ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC;

aclrtEvent add(event made, event_mode mode, std::uint32_t flags) {
  static std::atomic<std::uint32_t> made_before = 0;
  auto record = std::make_shared<event_record>();
  record->ref = made.release();
  record->mode = mode;
  record->flags = flags;
  record->id = made_before++;
  const aclrtEvent handle = to_handle(record->ref.handle());
  events().insert(number_of(handle), std::move(record));
  return handle;
}

outcome for_older_only(const event_record& which) {
  if (which.mode == event_mode::older) return {};
  return unsupported("events of aclrtCreateEventExWithFlag do not have this");
}

// An event whose time is asked for.
found<std::shared_ptr<event_record>> find_timed(aclrtEvent handle) {
  auto which = find_event(handle);
  if (!which) return which;
  const std::lock_guard held((*which)->mutex);
  if ((*which)->recorded) return which;
  return none<std::shared_ptr<event_record>>(
      failed(ACL_ERROR_RT_INTERNAL_ERROR, "the event was never recorded"));
}

outcome check_flag(std::uint32_t flag) {
  return flag <= 1 ? outcome{} : failed(ACL_ERROR_RT_PARAM_INVALID, "flag is none of the two");
}

outcome record_in(aclrtEvent handle, aclrtStream in) {
  if (handle == nullptr) return refused("event is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  const auto to = own_stream(in);
  if (!to) return to.why;
  const std::lock_guard held((*which)->mutex);
  const auto at = convoy::record(*to, (*which)->ref);
  if (!at) return refusal(in, at.error());
  (*which)->recorded = true;
  return {};
}

outcome wait_in(aclrtStream in, aclrtEvent handle) {
  if (handle == nullptr) return refused("event is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  const auto to = own_stream(in);
  if (!to) return to.why;
  if (((*which)->flags & (ACL_EVENT_SYNC | ACL_EVENT_IPC)) == 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the event was made without ACL_EVENT_SYNC");
  }
  const auto at = convoy::wait(*to, (*which)->ref);
  if (!at) return refusal(in, at.error());
  if ((*which)->mode == event_mode::older) (*which)->note_wait({*to, *at});
  return {};
}

}  // namespace

outcome create_event(aclrtEvent* into, std::uint32_t flags, event_mode mode) {
  if (into == nullptr) return refused("event is NULL");
  if (flags == 0 || (flags & ~every_flag) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is empty or has bits that mean nothing");
  }
  const auto now = current_context();
  if (!now) return now.why;
  auto made = make_event((*now)->device, {.timing = (flags & ACL_EVENT_TIME_LINE) != 0,
                                          .latched = mode == event_mode::older,
                                          .interprocess = (flags & ACL_EVENT_IPC) != 0});
  if (!made) return outcome_of(made.error());
  *into = add(std::move(*made), mode, flags);
  return {};
}

outcome destroy_event(aclrtEvent handle) {
  if (handle == nullptr) return refused("event is NULL");
  const auto gone = find_event(handle);
  if (!gone) return gone.why;
  events().remove((*gone)->ref.handle());
  return outcome_of(convoy::destroy((*gone)->ref));
}

outcome record_event(aclrtEvent handle, aclrtStream in, std::uint32_t flag) {
  auto known = check_flag(flag);
  return known.ok() ? record_in(handle, in) : known;
}

outcome wait_for_event(aclrtStream in, aclrtEvent handle, std::uint32_t flag) {
  auto known = check_flag(flag);
  return known.ok() ? wait_in(in, handle) : known;
}

outcome wait_for_event_with_timeout(aclrtStream in, aclrtEvent handle, std::int32_t timeout) {
  if (timeout < -1) return failed(ACL_ERROR_RT_PARAM_INVALID, "timeout is less than -1");
  return wait_in(in, handle);
}

outcome reset_event(aclrtEvent handle, aclrtStream in) {
  if (handle == nullptr) return refused("event is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  if (auto older = for_older_only(**which); !older.ok()) return older;
  const auto to = own_stream(in);
  if (!to) return to.why;
  const std::lock_guard held((*which)->mutex);
  (*which)->recorded = false;
  return outcome_of(convoy::reset((*which)->ref));
}

outcome query_event(aclrtEvent handle, aclrtEventStatus* into) {
  if (handle == nullptr || into == nullptr) return refused("event or status is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  if (auto older = for_older_only(**which); !older.ok()) return older;
  // Unlike query_event(), this finds an event that was never recorded reached.
  const bool recording =
      (*which)->ref.synchronize(std::chrono::nanoseconds(0)).code == errc::timed_out;
  *into = recording ? ACL_EVENT_STATUS_NOT_READY : ACL_EVENT_STATUS_COMPLETE;
  return {};
}

outcome query_event_recorded(aclrtEvent handle, aclrtEventRecordedStatus* into) {
  if (handle == nullptr || into == nullptr) return refused("event or status is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  const bool reached = (*which)->ref.query().ok();
  *into = reached ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return {};
}

outcome query_event_waits(aclrtEvent handle, aclrtEventWaitStatus* into) {
  if (handle == nullptr || into == nullptr) return refused("event or status is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  if (auto older = for_older_only(**which); !older.ok()) return older;
  const std::lock_guard held((*which)->mutex);
  const auto& waits = (*which)->waits;
  const bool over = std::all_of(waits.begin(), waits.end(), event_record::has_landed);
  *into = over ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  return {};
}

outcome synchronize_event(aclrtEvent handle, std::int32_t milliseconds) {
  if (handle == nullptr) return refused("event is NULL");
  if (milliseconds < -1) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "timeout is less than -1, which means for ever");
  }
  const auto which = find_event(handle);
  if (!which) return which.why;
  const status s = milliseconds < 0
                       ? (*which)->ref.synchronize()
                       : (*which)->ref.synchronize(std::chrono::milliseconds(milliseconds));
  if (s.code == errc::timed_out) return failed(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, explain(s));
  return s.ok() ? outcome{} : outcome_of_step(s);
}

outcome get_elapsed_time(float* into, aclrtEvent start, aclrtEvent end) {
  if (into == nullptr || start == nullptr || end == nullptr) return refused("an argument is NULL");
  const auto from = find_timed(start);
  if (!from) return from.why;
  const auto to = find_timed(end);
  if (!to) return to.why;
  const auto time = convoy::elapsed((*from)->ref, (*to)->ref);
  if (!time) return outcome_of(time.error());
  *into = std::chrono::duration<float, std::milli>(*time).count();
  return {};
}

outcome get_event_timestamp(aclrtEvent handle, std::uint64_t* into) {
  if (handle == nullptr || into == nullptr) return refused("event or timestamp is NULL");
  const auto which = find_timed(handle);
  if (!which) return which.why;
  const auto time = time_of((*which)->ref);
  if (!time) return outcome_of(time.error());
  *into = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(time->time_since_epoch()).count());
  return {};
}

outcome get_event_id(aclrtEvent handle, std::uint32_t* into) {
  if (handle == nullptr || into == nullptr) return refused("event or eventId is NULL");
  const auto which = find_event(handle);
  if (which) *into = (*which)->id;
  return which.why;
}

outcome count_available_events(std::uint32_t* into) {
  if (into == nullptr) return refused("eventCount is NULL");
  constexpr std::uint32_t most = 65536;
  const auto made = events().those([](const event_record&) { return true; }).size();
  *into = made < most ? most - static_cast<std::uint32_t>(made) : 0;
  return {};
}

outcome export_event_handle(aclrtEvent handle, aclrtIpcEventHandle* into) {
  if (handle == nullptr || into == nullptr) return refused("event or handle is NULL");
  const auto which = find_event(handle);
  if (!which) return which.why;
  if (((*which)->flags & ACL_EVENT_IPC) == 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the event was made without ACL_EVENT_IPC");
  }
  const auto key = export_event((*which)->ref);
  if (!key) return outcome_of(key.error());
  *into = {};
  std::memcpy(into->reserved, key->bytes.data(), key->bytes.size());
  return {};
}

outcome import_event_handle(const aclrtIpcEventHandle& handle, aclrtEvent* into) {
  if (into == nullptr) return refused("event is NULL");
  const auto now = current_context();
  if (!now) return now.why;
  ipc_key key;
  std::memcpy(key.bytes.data(), handle.reserved, key.bytes.size());
  auto got = import_event(key, (*now)->device);
  if (!got) return failed(ACL_ERROR_RT_IPC_ERROR, explain(got.error()));
  *into = add(std::move(*got), event_mode::newer, ACL_EVENT_IPC | ACL_EVENT_SYNC);
  return {};
}

outcome set_operator_timeout() { return {}; }

outcome set_operator_timeout(std::uint64_t timeout, std::uint64_t* actual) {
  if (actual == nullptr) return refused("actualTimeout is NULL");
  *actual = timeout;
  return {};
}

}  // namespace convoy::ascendcl
