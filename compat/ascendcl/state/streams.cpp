#include "state/streams.hpp"

#include <array>
#include <string>

#include "state/models.hpp"
#include "state/report_desk.hpp"
#include "state/state_callbacks.hpp"

namespace convoy::ascendcl {
namespace {

// How many streams programs have made on each device.
std::array<std::atomic<std::uint32_t>, 64> made_on;

std::atomic<std::uint32_t>& count_on(device_id device) {
  return made_on[static_cast<std::size_t>(number(device))];
}

outcome not_a_stream() {
  return failed(ACL_ERROR_RT_INVALID_HANDLE, "this is no stream, or one that was destroyed");
}

bool reserve_one(device_id on) {
  if (count_on(on).fetch_add(1) < this_model().of.most_streams) return true;
  count_on(on).fetch_sub(1);
  return false;
}

// A stream that goes leaves no thread subscribed to it.
void forget_subscriptions(stream_record& gone) {
  std::uint64_t report_thread = 0;
  std::uint64_t function_thread = 0;
  {
    const std::lock_guard held(gone.mutex);
    report_thread = std::exchange(gone.report_thread, 0);
    function_thread = std::exchange(gone.function_thread, 0);
  }
  if (report_thread != 0) reports().unsubscribe(report_thread);
  if (function_thread != 0) host_functions().unsubscribe(function_thread);
}

}  // namespace

registry<stream_record>& streams() {
  static auto* const all = new registry<stream_record>;
  return *all;
}

found<std::shared_ptr<stream_record>> find_stream(aclrtStream handle) {
  std::uint64_t number = number_of(handle);
  if (handle == nullptr) {
    const auto now = current_context();
    if (!now) return none<std::shared_ptr<stream_record>>(now.why);
    number = (*now)->default_stream.handle();
  }
  auto at = streams().find(number);
  if (at != nullptr) return {std::move(at)};
  return none<std::shared_ptr<stream_record>>(not_a_stream());
}

found<std::shared_ptr<stream_record>> find_own_stream(aclrtStream handle) {
  auto at = find_stream(handle);
  if (!at) return at;
  const auto now = current_context();
  if (!now) return none<std::shared_ptr<stream_record>>(now.why);
  if (at->get()->home == *now) return at;
  return none<std::shared_ptr<stream_record>>(
      failed(ACL_ERROR_RT_STREAM_CONTEXT, "the stream belongs to another context"));
}

found<stream_ref> look_up_own_stream(aclrtStream handle) {
  const auto at = find_own_stream(handle);
  if (!at) return none<stream_ref>(at.why);
  thread_state& me = this_thread();
  me.knows_stream = true;
  me.known_handle = handle;
  me.known_stream = (*at)->ref;
  return {(*at)->ref};
}

outcome refusal(aclrtStream handle, const status& why) {
  if (why.code == errc::destroyed_handle) {
    this_thread().knows_stream = false;
    const auto again = look_up_own_stream(handle);
    if (!again) return again.why;
  }
  return outcome_of(why);
}

found<stream_ref> side_stream(device_id on) {
  auto& all = this_thread().side_streams;
  if (const auto known = all.find(on); known != all.end()) return {known->second};
  auto made = make_stream(on, {.blocking = false});
  if (!made) return none<stream_ref>(outcome_of(made.error()));
  return {all.emplace(on, std::move(*made)).first->second};
}

found<std::shared_ptr<stream_record>> make_stream_in(const std::shared_ptr<context>& home,
                                                     const stream_wish& wish) {
  static std::atomic<std::int32_t> made_before = 0;
  using answer_type = std::shared_ptr<stream_record>;
  auto made = make_stream(home->device, {.blocking = false});
  if (!made) return none<answer_type>(outcome_of(made.error()));
  if (!wish.standing && !reserve_one(home->device)) {
    return none<answer_type>(failed(
        ACL_ERROR_RT_NO_STREAM_RESOURCE,
        "a device has at most " + std::to_string(this_model().of.most_streams) + " streams"));
  }
  auto record = std::make_shared<stream_record>();
  record->ref = made->release();
  record->home = home;
  record->standing = wish.standing;
  record->id = made_before++;
  record->flags = wish.flags;
  record->priority = wish.priority;
  streams().insert(record->ref.handle(), record);
  if (home->stops_on_failure) static_cast<void>(record->ref.stop_with(home->default_stream));
  tell_stream_state(to_handle(record->ref.handle()), ACL_RT_STREAM_STATE_CREATE_POST);
  return {std::move(record)};
}

void close(stream_record& gone, ending how) {
  tell_stream_state(to_handle(gone.ref.handle()), ACL_RT_STREAM_STATE_DESTROY_PRE);
  if (how == ending::after_work) static_cast<void>(gone.ref.synchronize());
  forget_subscriptions(gone);
  if (how == ending::at_once) static_cast<void>(gone.ref.abort());
  if (streams().remove(gone.ref.handle()) == nullptr) return;
  static_cast<void>(destroy(gone.ref));
  if (!gone.standing) count_on(gone.home->device).fetch_sub(1);
}

outcome synchronize(const stream_record& which, std::int32_t milliseconds) {
  constexpr std::uint32_t runs_by_itself =
      ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
  if ((which.flags & runs_by_itself) != 0) return {};
  const status s = milliseconds < 0
                       ? which.ref.synchronize()
                       : which.ref.synchronize(std::chrono::milliseconds(milliseconds));
  if (s.ok()) return {};
  const bool is_the_error = s.code != errc::timed_out && s.code != errc::aborted;
  if (is_the_error) static_cast<void>(which.ref.clear_error());
  return outcome_of_step(s);
}

std::uint32_t streams_left_on(device_id device) {
  return this_model().of.most_streams - count_on(device).load();
}

}  // namespace convoy::ascendcl
