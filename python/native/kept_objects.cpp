#include "kept_objects.hpp"

#include <unordered_map>
#include <vector>

#include "host_function.hpp"
#include "release_thread.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

// Non-empty lists by stream handle; never destroyed, because steps may land while the process
// exits.
auto& busy_streams() {
  static auto* const all = new std::unordered_map<std::uint64_t, std::shared_ptr<kept_objects>>;
  return *all;
}

}  // namespace

std::shared_ptr<kept_objects> kept_objects::owning(convoy::stream made) {
  const stream_ref handle = made;
  return std::shared_ptr<kept_objects>(new kept_objects(std::move(made), handle));
}

std::shared_ptr<kept_objects> kept_objects::borrowing(stream_ref default_stream) {
  auto& busy = busy_streams();
  if (const auto found = busy.find(default_stream.handle()); found != busy.end()) {
    return found->second;
  }
  return std::shared_ptr<kept_objects>(new kept_objects({}, default_stream));
}

// The exception of a default stream stays: another Stream object can still raise its error.
kept_objects::~kept_objects() {
  if (owned_.handle() != 0) forget_exception(handle_.handle());
}

void kept_objects::add(ticket last, nb::object object) {
  if (const auto landed = handle_.landed(last); landed && *landed) return;
  if (objects_.empty()) {
    auto& slot = busy_streams()[handle_.handle()];
    // Two Stream objects of one default stream: the first one's list takes the objects of both.
    if (slot && slot.get() != this) return slot->add(last, std::move(object));
    slot = shared_from_this();
  }
  objects_.push_back({last, std::move(object)});
  request_release_after(last);
}

void kept_objects::request_release_after(ticket last) {
  start_release_thread();
  static const char token = 0;
  static_cast<void>(convoy::keep_alive(
      handle_, last, std::shared_ptr<const void>(&token, [](const void*) { request_release(); })));
}

void kept_objects::release_landed() {
  // Destroyed at the end: a destructor of the program may call back into this list.
  std::vector<nb::object> released;
  while (!objects_.empty()) {
    const auto landed = handle_.landed(objects_.front().last);
    if (!landed || !*landed) break;
    released.push_back(std::move(objects_.front().object));
    objects_.pop_front();
  }
  if (!objects_.empty()) return;
  busy_streams().erase(handle_.handle());
  if (busy_streams().empty()) withdraw_release_request();
}

void release_all_landed() {
  std::vector<std::shared_ptr<kept_objects>> all;
  for (const auto& [handle, each] : busy_streams()) all.push_back(each);
  for (const auto& each : all) each->release_landed();
}

}  // namespace convoy::python
