#include "recording_check.hpp"

#include <fmt/format.h>

#include <map>

#include "replay_memory.hpp"

namespace convoy::tools {
namespace {

void check_allocation(const trace::traced_memory& made) {
  static_cast<void>(end_of(made.address, made.bytes));
  if (made.kind > memory_kind::device) {
    throw bad_trace(fmt::format("its allocation at {:#x} is of the unknown kind {}", made.address,
                                static_cast<int>(made.kind)));
  }
  if (made.kind == memory_kind::device && (made.device < 0 || made.device >= max_devices)) {
    throw bad_trace(fmt::format("its allocation at {:#x} is on device {}, and there are at most {}",
                                made.address, made.device, max_devices));
  }
}

void check_step(const trace::traced_step& step) {
  if (step.device < 0 || step.device >= max_devices) {
    throw bad_trace(fmt::format("its stream {} is on device {}, and there are at most {}",
                                step.stream, step.device, max_devices));
  }
  if (step.landed && *step.landed < *step.started) {
    throw bad_trace(fmt::format("its step in stream {}, ticket {} lands before it starts",
                                step.stream, step.ticket));
  }
}

void check_box(const trace::traced_step& step) {
  const trace::traced_box& box = *step.box;
  static_cast<void>(end_of(box.dst, box_span(box, copy_side::destination)));
  if (step.kind == step_kind::fill) return;
  static_cast<void>(end_of(box.src, box_span(box, copy_side::source)));
}

class stream_devices {
 public:
  void check(const trace::traced_step& step) {
    const auto [known, is_new] = devices_.emplace(step.stream, step.device);
    if (known->second == step.device) return;
    throw bad_trace(fmt::format("its stream {} is on device {} and on device {}", step.stream,
                                known->second, step.device));
  }

 private:
  std::map<std::uint64_t, std::int32_t> devices_;
};

}  // namespace

void check_records(const trace::recording& from) {
  for (const trace::traced_memory& each : from.memory) check_allocation(each);
  stream_devices devices;
  for (const trace::traced_step& each : from.steps) {
    if (!can_replay(each)) continue;
    check_step(each);
    devices.check(each);
    if (each.box) check_box(each);
  }
}

void take_copies(const trace::recording& from, const replay_budgets& budgets) {
  budgets.memory.take(from.steps.size(), bytes_per_step);
  for (const trace::traced_step& each : from.steps) {
    if (can_replay(each)) budgets.memory.take(each.max_recorded_copies(), bytes_per_copy);
  }
  for (const trace::traced_step& each : from.steps) {
    if (!can_replay(each)) continue;
    // Rows of one box do not overlap, so it moves no more than it spans.
    if (each.box) budgets.copied.take(box_span(*each.box, copy_side::destination));
    each.for_each_copy([&](const trace::traced_copy& c) { budgets.copied.take(c.bytes); });
  }
}

}  // namespace convoy::tools
