#include "support/random_program.hpp"

#include <algorithm>
#include <array>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <utility>

#include "support/reduction_oracle.hpp"

namespace convoy::test {
namespace {

constexpr int max_attempts = 6;  // to find a region before a step is given up

void xor_bytes(std::byte* start, std::size_t bytes, std::byte key) {
  for (std::size_t i = 0; i != bytes; ++i) start[i] ^= key;
}

void repeat(std::byte* start, std::size_t bytes, fill_pattern pattern) {
  for (std::size_t i = 0; i != bytes; ++i) {
    start[i] = static_cast<std::byte>(pattern.value >> 8 * (i % pattern.unit));
  }
}

}  // namespace

random_program::random_program(test_memory& memory, std::span<const known_stream> streams,
                               std::uint64_t seed)
    : memory_(memory),
      random_(seed),
      values_(*make_pinned_buffer(streams.size() * sizeof(std::uint64_t))),
      values_written_(streams.size()) {
  std::fill_n(values_.data(), streams.size() * sizeof(std::uint64_t), std::byte{});
  for (const known_stream& each : streams) streams_.push_back({each, {}});
  for (int i = 0; i != 8; ++i) {
    const device_id device{i % 2};
    events_.push_back({*make_event(device, {.timing = i % 4 == 0}), device, {}, false});
  }
}

random_program::~random_program() {
  for (const tracked_memory& each : allocated_) static_cast<void>(deallocate(each.at(0)));
}

void random_program::submit_steps(int count) {
  for (int i = 0; i != count && problem_.empty(); ++i) one_step();
}

void random_program::one_step() {
  struct choice {
    std::size_t weight;
    void (random_program::*make)();
  };
  static constexpr std::array choices{
      choice{20, &random_program::copy_once},      choice{18, &random_program::copy_batch},
      choice{8, &random_program::copy_box},        choice{6, &random_program::fill_some},
      choice{4, &random_program::fill_rows},       choice{4, &random_program::call_function},
      choice{9, &random_program::record_event},    choice{9, &random_program::wait_for_event},
      choice{3, &random_program::write_from_host}, choice{3, &random_program::synchronize_some},
      choice{4, &random_program::copy_indirectly}, choice{3, &random_program::allocate_in_stream},
      choice{2, &random_program::free_in_stream},  choice{2, &random_program::free_at_once},
      choice{3, &random_program::reduce_some},     choice{2, &random_program::write_number},
  };
  std::size_t drawn = below(100);
  for (const choice& each : choices) {
    if (drawn < each.weight) return (this->*each.make)();
    drawn -= each.weight;
  }
}

random_program::next_step random_program::next_in(std::size_t stream) {
  const stream_state& own = streams_[stream];
  next_step next{stream, own.clock};
  for (const stream_state& other : streams_) {
    if (other.stream.device != own.stream.device) continue;
    const std::pair kinds(own.stream.kind, other.stream.kind);
    if (kinds == std::pair(stream_kind::legacy, stream_kind::blocking) ||
        kinds == std::pair(stream_kind::blocking, stream_kind::legacy)) {
      next.clock.join(other.clock);
    }
  }
  ++next.clock[stream];
  return next;
}

std::size_t random_program::some_bytes() {
  const tracked_memory& any = memory_.memories().front();
  const std::size_t most = chance(12) ? any.size() / 3 : any.cell() * 2;
  return 1 + below(most);
}

tracked_memory& random_program::some_memory() {
  if (!allocated_.empty() && chance(4)) {
    return *std::next(allocated_.begin(), static_cast<std::ptrdiff_t>(below(allocated_.size())));
  }
  return memory_.memories()[below(memory_.memories().size())];
}

random_program::maybe_region random_program::readable(std::size_t bytes,
                                                      const vector_clock& after) {
  for (int i = 0; i != max_attempts; ++i) {
    tracked_memory& memory = some_memory();
    if (bytes > memory.size()) continue;
    const region found{&memory, below(memory.size() - bytes + 1), bytes};
    if (found.readable_after(after)) return found;
  }
  return {};
}

random_program::maybe_region random_program::writable(std::size_t bytes,
                                                      const vector_clock& after) {
  for (int i = 0; i != max_attempts; ++i) {
    const auto found = readable(bytes, after);
    if (found && found->writable_after(after)) return found;
  }
  return {};
}

random_program::maybe_region random_program::writable_by_host_code(std::size_t bytes,
                                                                   const vector_clock& after) {
  for (int i = 0; i != max_attempts; ++i) {
    const auto found = writable(bytes, after);
    if (found && found->memory->host_may_access()) return found;
  }
  return {};
}

void random_program::reads(const next_step& at, const region& range) {
  range.record_read(at.stream, at.clock[at.stream]);
}

void random_program::writes(const next_step& at, const region& range) {
  range.record_written(at.stream, at.clock[at.stream]);
}

void random_program::fill_some() {
  const next_step at = next_anywhere();
  const fill_pattern pattern{static_cast<std::uint32_t>(random_()),
                             static_cast<std::uint8_t>(1U << below(3))};
  auto dst = writable(some_bytes() + 8, at.clock);
  if (!dst) return connect_to(at);
  const std::size_t odd = reinterpret_cast<std::uintptr_t>(dst->data()) % 4;
  dst->offset += 4 - odd;
  dst->bytes = (dst->bytes - 4) / 4 * 4;

  if (!expect(fill(ref(at), dst->data(), dst->bytes, pattern), "fill")) return;
  repeat(dst->wanted(), dst->bytes, pattern);
  writes(at, *dst);
  commit(at);
}

void random_program::fill_rows() {
  const next_step at = next_anywhere();
  const std::size_t cell = memory_.memories().front().cell();
  const box extent{1 + below(cell), 1 + below(6), 1};
  const pitched shape{nullptr, extent.width + below(cell), extent.height};
  const auto dst = writable(span_of(shape, extent), at.clock);
  if (!dst) return connect_to(at);

  const fill_pattern pattern{static_cast<std::uint32_t>(random_()), 1};
  if (!expect(fill(ref(at), {dst->data(), shape.pitch}, extent, pattern), "fill of rows")) return;
  for (std::size_t y = 0; y != extent.height; ++y) {
    repeat(dst->wanted() + y * shape.pitch, extent.width, pattern);
  }
  writes(at, *dst);
  commit(at);
}

// Integers only: sums that are NaN in both results may differ in their bits.
void random_program::reduce_some() {
  static constexpr std::array types{element::int8, element::int16, element::int32, element::uint32};
  const next_step at = next_anywhere();
  const element type = types[below(types.size())];
  const reduce_kind kind = reduce_kinds[below(reduce_kinds.size())];
  const std::size_t bytes = (some_bytes() + 3) / 4 * 4;
  const auto src = readable(bytes, at.clock);
  const auto dst = writable(bytes, at.clock);
  if (!src || !dst || src->conflicts_with(*dst)) return connect_to(at);

  if (!expect(reduce(ref(at), {dst->data(), src->data(), bytes, kind, type}), "reduce")) return;
  reduce_plainly({dst->wanted(), src->wanted(), bytes, kind, type});
  reads(at, *src);
  writes(at, *dst);
  commit(at);
}

void random_program::call_function() {
  const next_step at = next_anywhere();
  const auto range = writable_by_host_code(some_bytes(), at.clock);
  if (!range) return connect_to(at);

  const auto key = static_cast<std::byte>(random_());
  const auto function = [start = range->data(), bytes = range->bytes, key] {
    xor_bytes(start, bytes, key);
  };
  if (!expect(call(ref(at), function), "call")) return;
  xor_bytes(range->wanted(), range->bytes, key);
  writes(at, *range);
  commit(at);
}

void random_program::record_event() {
  const next_step at = next_anywhere();
  known_event& chosen = events_[below(events_.size())];
  if (chosen.device != streams_[at.stream].stream.device) return;
  if (!expect(record(ref(at), chosen.owned), "record")) return;
  chosen.clock = at.clock;
  chosen.recorded = true;
  commit(at);
}

void random_program::wait_for_event() {
  next_step at = next_anywhere();
  const known_event& chosen = events_[below(events_.size())];
  if (!expect(wait(ref(at), chosen.owned), "wait")) return;
  if (!chosen.recorded) return;
  at.clock.join(chosen.clock);
  commit(at);
}

void random_program::connect(std::size_t from, std::size_t to) {
  return chance(4) ? connect_by_value(from, to) : connect_by_event(from, to);
}

void random_program::connect_by_event(std::size_t from, std::size_t to) {
  const next_step source = next_in(from);
  const auto same_device = [&](const known_event& e) {
    return e.device == streams_[from].stream.device;
  };
  known_event& through = *std::find_if(events_.begin(), events_.end(), same_device);
  if (!expect(record(ref(source), through.owned), "record")) return;
  through.clock = source.clock;
  through.recorded = true;
  commit(source);

  next_step target = next_in(to);
  if (!expect(wait(ref(target), through.owned), "wait")) return;
  target.clock.join(through.clock);
  commit(target);
}

void random_program::write_from_host() {
  const auto range = writable_by_host_code(some_bytes(), host_);
  if (!range) return synchronize_some();
  const auto key = static_cast<std::byte>(random_());
  xor_bytes(range->data(), range->bytes, key);
  xor_bytes(range->wanted(), range->bytes, key);
  range->record_written_by_host();
}

void random_program::synchronize_some() {
  if (chance(2)) {
    const known_event& chosen = events_[below(events_.size())];
    expect(chosen.owned.synchronize(), "event synchronize");
    host_.join(chosen.clock);
    return;
  }
  const stream_state& chosen = streams_[below(streams_.size())];
  expect(chosen.stream.ref.synchronize(), "stream synchronize");
  host_.join(chosen.clock);
}

void random_program::allocate_in_stream() {
  if (allocated_.size() >= 4) return;
  const next_step at = next_anywhere();
  const tracked_memory& like = memory_.memories().front();
  const std::size_t bytes = like.cell() * (1 + below(like.size() / like.cell()));
  const auto start = allocate(ref(at), bytes);
  if (!expect(start, "allocate")) return;

  allocated_.emplace_back(static_cast<std::byte*>(*start), bytes, like.cell(),
                          accessible_by::steps_only);
  const region all{&allocated_.back(), 0, bytes};
  const fill_pattern pattern{static_cast<std::uint32_t>(random_()), 4};
  if (!expect(fill(ref(at), all.data(), bytes, pattern), "fill")) return;
  repeat(all.wanted(), bytes, pattern);
  writes(at, all);
  commit(at);
}

void random_program::free_in_stream() {
  if (allocated_.empty()) return;
  const next_step at = next_anywhere();
  const auto chosen =
      std::next(allocated_.begin(), static_cast<std::ptrdiff_t>(below(allocated_.size())));
  if (!region{&*chosen, 0, chosen->size()}.writable_after(at.clock)) return connect_to(at);
  if (!expect(deallocate(ref(at), chosen->at(0)), "stream-ordered deallocate")) return;
  allocated_.erase(chosen);
  commit(at);
}

// Pending steps may still use the memory: it is released when they have landed.
void random_program::free_at_once() {
  if (allocated_.empty()) return;
  expect(deallocate(allocated_.front().at(0)), "deallocate");
  allocated_.pop_front();
}

void random_program::finish() {
  for (const stream_state& each : streams_) {
    expect(each.stream.ref.synchronize(), "stream synchronize");
    host_.join(each.clock);
  }
}

void random_program::expect(const status& answer, std::string_view call) {
  if (answer.ok() || !problem_.empty()) return;
  problem_ =
      std::string(call) + " answered " + std::string(name(answer.code)) + ": " + explain(answer);
}

}  // namespace convoy::test
