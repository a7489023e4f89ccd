#include "trace/tracer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "os/fault_guard.hpp"
#include "os/process.hpp"
#include "trace/shape_code.hpp"

namespace convoy::trace {
namespace {

using std::chrono::nanoseconds;

constexpr std::size_t max_trace_bytes = std::size_t{4} << 30;

// Recording a copy takes about 10 ns and 8 bytes, which is much for a copy of 1 KiB. So of a batch
// with many small copies only the first are recorded: one per bytes_per_recorded_copy, and at least
// min_recorded_copies.
constexpr std::size_t bytes_per_recorded_copy = std::size_t{32} << 10;
constexpr std::size_t min_recorded_copies = 1024;

std::string with_pid(std::string path) {
  const auto at = path.find("%p");
  if (at != std::string::npos) path.replace(at, 2, std::to_string(os::pid()));
  return path;
}

template <class Time>
std::uint64_t count(Time when) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<nanoseconds>(when.time_since_epoch()).count());
}

void put_step(record& out, const observed_step& step) {
  out.put_number(step.stream);
  out.put_number(number(step.position));
}

}  // namespace

std::unique_ptr<tracer> tracer::create(const std::string& path, std::string& problem) {
  const auto now = std::chrono::steady_clock::now();
  const origin process{.process = static_cast<std::uint32_t>(os::pid()),
                       .processors = static_cast<std::uint32_t>(os::cpu_count()),
                       .wall = count(std::chrono::system_clock::now()),
                       .steady = count(now),
                       .command = os::command_line()};
  auto writer = trace_writer::create(with_pid(path), process, max_trace_bytes, problem);
  if (writer == nullptr) return nullptr;
  return std::unique_ptr<tracer>(new tracer(std::move(writer), now));
}

void tracer::trim() {
  writer_->trim();
  const std::string loss = writer_->describe_loss();
  if (!loss.empty()) os::write_error(("convoy: " + loss + "\n").c_str());
}

std::uint64_t tracer::since_start(observed_step::time when) const noexcept {
  return when <= start_ ? 0
                        : static_cast<std::uint64_t>(
                              std::chrono::duration_cast<nanoseconds>(when - start_).count());
}

void tracer::submitted(const observed_step& step) {
  // Records the first 64 streams that the step waits for.
  const auto waits = step.waits_for.first(std::min<std::size_t>(step.waits_for.size(), 64));
  const std::size_t most = (7 + 2 * waits.size()) * longest_number + 2;
  writer_->add(record_kind::submitted, most, [&](record& made) {
    put_step(made, step);
    made.put_number(since_start(step.submitted));
    made.put_number(static_cast<std::uint64_t>(number(step.device)));
    made.put_byte(static_cast<std::uint8_t>(step.summary.kind));
    made.put_number(step.summary.items);
    made.put_number(step.summary.bytes);
    made.put_byte(step.summary.copy_directions.bits);
    made.put_number(waits.size());
    for (const step_position& each : waits) {
      made.put_number(each.stream);
      made.put_number(number(each.position));
    }
  });
}

void tracer::started(const observed_step& step) {
  writer_->add(record_kind::started, 3 * longest_number, [&](record& made) {
    put_step(made, step);
    made.put_number(since_start(step.started));
  });
}

void tracer::landed(const observed_step& step, const status& outcome) {
  writer_->add(record_kind::landed, 4 * longest_number + 1, [&](record& made) {
    put_step(made, step);
    made.put_number(since_start(step.landed));
    made.put_byte(static_cast<std::uint8_t>(outcome.code));
    made.put_number(outcome.item ? *outcome.item + 1 : 0);
  });
  if (step.started != observed_step::time{}) add_shape(step);
}

void tracer::add_shape(const observed_step& step) {
  constexpr std::size_t head = 4 * longest_number;
  if (step.summary.box_copy != nullptr) {
    writer_->add(record_kind::shape, head + 1 + 9 * longest_number, [&](record& made) {
      put_step(made, step);
      made.put_number(0);
      made.put_number(1);
      put_box(made, *step.summary.box_copy);
    });
  }
  const std::size_t recorded =
      std::min(step.summary.copies.size(),
               std::max(min_recorded_copies, step.summary.bytes / bytes_per_recorded_copy));
  const auto all = step.summary.copies.first(recorded);
  auto remaining = all;
  while (!remaining.empty()) {
    const shape_part part = next_part(remaining);
    writer_->add(record_kind::shape, head + most_bytes(part), [&](record& made) {
      put_step(made, step);
      made.put_number(all.size() - remaining.size());
      made.put_number(part.count);
      put_part(made, part, remaining);
    });
    remaining = remaining.subspan(part.count);
  }
}

void tracer::helped(observed_step::time from, observed_step::time until) {
  writer_->add(record_kind::helped, 2 * longest_number, [&](record& made) {
    made.put_number(since_start(from));
    made.put_number(since_start(until));
  });
}

void tracer::allocated(const observed_memory& memory) {
  writer_->add(record_kind::allocated, 4 * longest_number + 1, [&](record& made) {
    made.put_number(since_start(std::chrono::steady_clock::now()));
    made.put_number(reinterpret_cast<std::uintptr_t>(memory.engine_start));
    made.put_number(memory.attributes.size);
    made.put_byte(static_cast<std::uint8_t>(memory.attributes.kind));
    made.put_number(static_cast<std::uint64_t>(number(memory.attributes.device)));
  });
}

void tracer::freed(const observed_memory& memory) {
  writer_->add(record_kind::freed, 2 * longest_number, [&](record& made) {
    made.put_number(since_start(std::chrono::steady_clock::now()));
    made.put_number(reinterpret_cast<std::uintptr_t>(memory.engine_start));
  });
}

}  // namespace convoy::trace
