#include "in_flight.hpp"

#include <unordered_map>
#include <vector>

#include "release_thread.hpp"

namespace nb = nanobind;

namespace convoy::python {
namespace {

// Lanes that hold something; never destroyed, because steps may land while the process exits.
auto& busy_lanes() {
  static auto* const all = new std::unordered_map<std::uint64_t, std::shared_ptr<lane>>;
  return *all;
}

}  // namespace

std::shared_ptr<lane> lane::owning(convoy::stream made) {
  const stream_ref handle = made;
  return std::shared_ptr<lane>(new lane(std::move(made), handle));
}

std::shared_ptr<lane> lane::borrowing(stream_ref standing) {
  auto& known = busy_lanes();
  if (const auto found = known.find(standing.handle()); found != known.end()) return found->second;
  return std::shared_ptr<lane>(new lane({}, standing));
}

void lane::keep(ticket until, nb::object what) {
  if (const auto done = handle_.landed(until); done && *done) return;
  if (kept_.empty()) {
    auto& slot = busy_lanes()[handle_.handle()];
    // Two Stream objects of one default stream: what the other holds stays with it.
    if (slot && slot.get() != this) return slot->keep(until, std::move(what));
    slot = shared_from_this();
  }
  kept_.push_back({until, std::move(what)});
  notice_landing(until);
}

void lane::notice_landing(ticket of) {
  start_release_thread();
  static const char token = 0;
  static_cast<void>(convoy::keep_alive(
      handle_, of, std::shared_ptr<const void>(&token, [](const void*) { leave_word(); })));
}

void lane::release_landed() {
  // Letting go runs code of other people's, which may come back here.
  std::vector<nb::object> gone;
  while (!kept_.empty()) {
    const auto done = handle_.landed(kept_.front().until);
    if (!done || !*done) break;
    gone.push_back(std::move(kept_.front().what));
    kept_.pop_front();
  }
  if (!kept_.empty()) return;
  busy_lanes().erase(handle_.handle());
  if (busy_lanes().empty()) take_word_back();
}

void release_all_landed() {
  std::vector<std::shared_ptr<lane>> all;
  for (const auto& [handle, each] : busy_lanes()) all.push_back(each);
  for (const auto& each : all) each->release_landed();
}

}  // namespace convoy::python
