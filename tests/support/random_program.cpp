#include "support/random_program.hpp"

#include <algorithm>
#include <array>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <cstring>
#include <utility>

#include "support/reduction_oracle.hpp"

namespace convoy::test {
namespace {

constexpr int patience = 6;  // throws of the dice before a step is given up

void xor_bytes(std::byte* start, std::size_t bytes, std::byte key) {
  for (std::size_t i = 0; i != bytes; ++i) start[i] ^= key;
}

void repeat(std::byte* start, std::size_t bytes, fill_pattern pattern) {
  for (std::size_t i = 0; i != bytes; ++i) {
    start[i] = static_cast<std::byte>(pattern.value >> 8 * (i % pattern.unit));
  }
}

void copy_lines(std::byte* dst, const std::byte* src, const pitched_copy& how) {
  const auto [width, height, depth] = how.extent;
  for (std::size_t z = 0; z != depth; ++z) {
    for (std::size_t y = 0; y != height; ++y) {
      std::memcpy(dst + (z * how.dst.rows + y) * how.dst.pitch,
                  src + (z * how.src.rows + y) * how.src.pitch, width);
    }
  }
}

std::size_t reach(const pitched& side, const box& extent) {
  return side.pitch * (side.rows * (extent.depth - 1) + extent.height - 1) + extent.width;
}

}  // namespace

random_program::random_program(proving_ground& ground, std::span<const known_stream> streams,
                               std::uint64_t seed)
    : ground_(ground), random_(seed) {
  for (const known_stream& each : streams) lines_.push_back({each, {}});
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
      choice{22, &random_program::copy_once},      choice{18, &random_program::copy_batch},
      choice{8, &random_program::copy_box},        choice{6, &random_program::fill_some},
      choice{4, &random_program::fill_rows},       choice{4, &random_program::call_function},
      choice{9, &random_program::record_event},    choice{9, &random_program::wait_for_event},
      choice{3, &random_program::write_from_host}, choice{3, &random_program::synchronize_some},
      choice{4, &random_program::copy_indirectly}, choice{3, &random_program::allocate_in_stream},
      choice{2, &random_program::free_in_stream},  choice{2, &random_program::free_at_once},
      choice{3, &random_program::reduce_some},
  };
  std::size_t drawn = below(100);
  for (const choice& each : choices) {
    if (drawn < each.weight) return (this->*each.make)();
    drawn -= each.weight;
  }
}

random_program::slot random_program::next_in(std::size_t which) {
  const line& mine = lines_[which];
  slot next{which, mine.clock};
  for (const line& other : lines_) {
    if (other.stream.device != mine.stream.device) continue;
    const std::pair kinds(mine.stream.kind, other.stream.kind);
    if (kinds == std::pair(stream_kind::legacy, stream_kind::blocking) ||
        kinds == std::pair(stream_kind::blocking, stream_kind::legacy)) {
      next.clock.join(other.clock);
    }
  }
  ++next.clock[which];
  return next;
}

std::size_t random_program::some_bytes() {
  const tracked_memory& any = ground_.memories().front();
  const std::size_t most = chance(12) ? any.size() / 3 : any.cell() * 2;
  return 1 + below(most);
}

tracked_memory& random_program::some_memory() {
  if (!allocated_.empty() && chance(4)) {
    return *std::next(allocated_.begin(), static_cast<std::ptrdiff_t>(below(allocated_.size())));
  }
  return ground_.memories()[below(ground_.memories().size())];
}

random_program::maybe_region random_program::readable(std::size_t bytes,
                                                      const vector_clock& after) {
  for (int i = 0; i != patience; ++i) {
    tracked_memory& in = some_memory();
    if (bytes > in.size()) continue;
    const region found{&in, below(in.size() - bytes + 1), bytes};
    if (found.readable_after(after)) return found;
  }
  return {};
}

random_program::maybe_region random_program::writable(std::size_t bytes,
                                                      const vector_clock& after) {
  for (int i = 0; i != patience; ++i) {
    const auto found = readable(bytes, after);
    if (found && found->writable_after(after)) return found;
  }
  return {};
}

random_program::maybe_region random_program::writable_by_host_code(std::size_t bytes,
                                                                   const vector_clock& after) {
  for (int i = 0; i != patience; ++i) {
    const auto found = writable(bytes, after);
    if (found && found->in->host_reaches()) return found;
  }
  return {};
}

void random_program::reads(const slot& at, const region& what) {
  what.note_read(at.line, at.clock[at.line]);
}

void random_program::writes(const slot& at, const region& what) {
  what.note_written(at.line, at.clock[at.line]);
}

std::optional<random_program::item> random_program::some_item(const slot& at, source_access order,
                                                              const std::vector<item>& others) {
  const std::size_t bytes = chance(30) ? 0 : some_bytes();
  const bool early = order != source_access::stream;
  const auto src = readable(bytes, early ? host_ : at.clock);
  const auto dst = writable(bytes, at.clock);
  if (!src || !dst || src->conflicts_with(*dst)) return {};
  for (const item& other : others) {
    if (dst->conflicts_with(other.dst) || dst->conflicts_with(other.src) ||
        src->conflicts_with(other.dst)) {
      return {};
    }
  }
  return item{*dst, *src, order};
}

void random_program::copy_once() {
  const slot at = next_anywhere();
  const auto found = some_item(at, source_access::stream, {});
  if (!found) return connect_to(at);

  const copy one{found->dst.data(), found->src.data(), found->src.bytes};
  if (!expect(submit(ref(at), one), "copy")) return;
  if (one.bytes == 0) return;
  std::memcpy(found->dst.wanted(), found->src.wanted(), one.bytes);
  reads(at, found->src);
  writes(at, found->dst);
  commit(at);
}

std::vector<attribute_run> random_program::some_runs(std::size_t count) {
  static constexpr std::array orders{source_access::stream, source_access::during_call,
                                     source_access::any};
  std::vector<attribute_run> runs;
  for (std::size_t first = 0; first < count; first += 1 + below(count)) {
    attribute_run& made = runs.emplace_back();
    made.first = first;
    made.what.order = orders[below(orders.size())];
  }
  return runs;
}

void random_program::copy_batch() {
  const slot at = next_anywhere();
  const auto runs = some_runs(1 + below(12));
  std::vector<item> items;
  std::vector<attribute_run> kept;
  for (std::size_t r = 0; r != runs.size(); ++r) {
    const std::size_t wanted = 1 + below(4);
    const std::size_t first = items.size();
    for (std::size_t i = 0; i != wanted; ++i) {
      if (auto made = some_item(at, runs[r].what.order, items)) items.push_back(*made);
    }
    if (items.size() != first) kept.push_back({first, runs[r].what});
  }
  if (items.empty()) return connect_to(at);
  if (!expect(submit_items(at, items, kept), "batch")) return;

  bool moved = false;
  for (const item& each : items) {
    if (each.src.bytes == 0) continue;
    std::memcpy(each.dst.wanted(), each.src.wanted(), each.src.bytes);
    if (each.order != source_access::during_call) reads(at, each.src);
    writes(at, each.dst);
    moved = true;
  }
  if (moved) commit(at);
}

result<ticket> random_program::submit_items(const slot& at, const std::vector<item>& items,
                                            const std::vector<attribute_run>& runs) {
  std::vector<copy> copies;
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  std::vector<std::size_t> sizes;
  for (const item& each : items) {
    copies.push_back({each.dst.data(), each.src.data(), each.src.bytes});
    dsts.push_back(each.dst.data());
    srcs.push_back(each.src.data());
    sizes.push_back(each.src.bytes);
  }
  if (runs.size() == 1 && chance(3)) return submit(ref(at), copies, runs.front().what);
  if (chance(2)) return submit(ref(at), batch_view{dsts, srcs, sizes, sizes, runs});
  const auto made = make_batch(copies, runs);
  return made ? submit(ref(at), *made) : made.outcome();
}

void random_program::copy_box() {
  const slot at = next_anywhere();
  const std::size_t cell = ground_.memories().front().cell();
  const box extent{1 + below(cell), 1 + below(5), 1 + below(3)};
  const auto some_side = [&] {
    return pitched{nullptr, extent.width + below(cell), extent.height + below(2)};
  };
  pitched_copy how{some_side(), some_side(), extent};
  const auto src = readable(reach(how.src, extent), at.clock);
  const auto dst = writable(reach(how.dst, extent), at.clock);
  if (!src || !dst || src->conflicts_with(*dst)) return connect_to(at);

  how.src.start = src->data();
  how.dst.start = dst->data();
  if (!expect(submit(ref(at), how), "pitched copy")) return;
  copy_lines(dst->wanted(), src->wanted(), how);
  reads(at, *src);
  writes(at, *dst);
  commit(at);
}

void random_program::fill_some() {
  const slot at = next_anywhere();
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
  const slot at = next_anywhere();
  const std::size_t cell = ground_.memories().front().cell();
  const box extent{1 + below(cell), 1 + below(6), 1};
  const pitched shape{nullptr, extent.width + below(cell), extent.height};
  const auto dst = writable(reach(shape, extent), at.clock);
  if (!dst) return connect_to(at);

  const fill_pattern pattern{static_cast<std::uint32_t>(random_()), 1};
  if (!expect(fill(ref(at), {dst->data(), shape.pitch}, extent, pattern), "fill of rows")) return;
  for (std::size_t y = 0; y != extent.height; ++y) {
    repeat(dst->wanted() + y * shape.pitch, extent.width, pattern);
  }
  writes(at, *dst);
  commit(at);
}

// Integers alone: two sums of floats that differ in nothing but the bits of a number that is none
// would count as different.
void random_program::reduce_some() {
  static constexpr std::array types{element::int8, element::int16, element::int32, element::uint32};
  const slot at = next_anywhere();
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
  const slot at = next_anywhere();
  const auto where = writable_by_host_code(some_bytes(), at.clock);
  if (!where) return connect_to(at);

  const auto key = static_cast<std::byte>(random_());
  const auto function = [start = where->data(), bytes = where->bytes, key] {
    xor_bytes(start, bytes, key);
  };
  if (!expect(call(ref(at), function), "call")) return;
  xor_bytes(where->wanted(), where->bytes, key);
  writes(at, *where);
  commit(at);
}

void random_program::record_event() {
  const slot at = next_anywhere();
  known_event& chosen = events_[below(events_.size())];
  if (chosen.device != lines_[at.line].stream.device) return;
  if (!expect(record(ref(at), chosen.owned), "record")) return;
  chosen.clock = at.clock;
  chosen.recorded = true;
  commit(at);
}

void random_program::wait_for_event() {
  slot at = next_anywhere();
  const known_event& chosen = events_[below(events_.size())];
  if (!expect(wait(ref(at), chosen.owned), "wait")) return;
  if (!chosen.recorded) return;
  at.clock.join(chosen.clock);
  commit(at);
}

void random_program::connect(std::size_t from, std::size_t to) {
  const slot source = next_in(from);
  const auto same_device = [&](const known_event& e) {
    return e.device == lines_[from].stream.device;
  };
  known_event& through = *std::find_if(events_.begin(), events_.end(), same_device);
  if (!expect(record(ref(source), through.owned), "record")) return;
  through.clock = source.clock;
  through.recorded = true;
  commit(source);

  slot target = next_in(to);
  if (!expect(wait(ref(target), through.owned), "wait")) return;
  target.clock.join(through.clock);
  commit(target);
}

void random_program::write_from_host() {
  const auto where = writable_by_host_code(some_bytes(), host_);
  if (!where) return synchronize_some();
  const auto key = static_cast<std::byte>(random_());
  xor_bytes(where->data(), where->bytes, key);
  xor_bytes(where->wanted(), where->bytes, key);
  where->note_written_by_host();
}

void random_program::synchronize_some() {
  if (chance(2)) {
    const known_event& chosen = events_[below(events_.size())];
    expect(chosen.owned.synchronize(), "event synchronize");
    host_.join(chosen.clock);
    return;
  }
  const line& chosen = lines_[below(lines_.size())];
  expect(chosen.stream.ref.synchronize(), "stream synchronize");
  host_.join(chosen.clock);
}

void random_program::copy_indirectly() {
  if (descriptors_used_ == proving_ground::descriptors) return;
  const std::size_t from = below(lines_.size());
  const std::size_t to = chance(2) ? from : below(lines_.size());
  const std::size_t bytes = some_bytes();
  const slot before = next_in(to);
  const auto src = readable(bytes, before.clock);
  const auto dst = writable(bytes, before.clock);
  if (!src || !dst || src->conflicts_with(*dst)) return connect(from, to);

  const std::size_t number = descriptors_used_++;
  std::byte* const draft = ground_.descriptor_draft(number);
  const void* const ends[] = {src->data(), dst->data()};
  const auto length = static_cast<std::uint32_t>(bytes);
  std::memcpy(draft + 16, ends, sizeof ends);
  std::memcpy(draft + 12, &length, sizeof length);
  const region descriptor = ground_.descriptor(number);
  const slot upload = next_in(from);
  if (!expect(submit(ref(upload), {descriptor.data(), draft, descriptor.bytes}), "copy")) return;
  commit(upload);
  if (from != to) connect(from, to);

  const slot at = next_in(to);
  if (!expect(copy_indirect(ref(at), descriptor.data()), "indirect copy")) return;
  std::memcpy(dst->wanted(), src->wanted(), bytes);
  reads(at, *src);
  writes(at, *dst);
  commit(at);
}

void random_program::allocate_in_stream() {
  if (allocated_.size() >= 4) return;
  const slot at = next_anywhere();
  const tracked_memory& like = ground_.memories().front();
  const std::size_t bytes = like.cell() * (1 + below(like.size() / like.cell()));
  const auto start = allocate(ref(at), bytes);
  if (!expect(start, "allocate")) return;

  allocated_.emplace_back(static_cast<std::byte*>(*start), bytes, like.cell(),
                          reachable_by::steps_only);
  const region all{&allocated_.back(), 0, bytes};
  const fill_pattern pattern{static_cast<std::uint32_t>(random_()), 4};
  if (!expect(fill(ref(at), all.data(), bytes, pattern), "fill")) return;
  repeat(all.wanted(), bytes, pattern);
  writes(at, all);
  commit(at);
}

void random_program::free_in_stream() {
  if (allocated_.empty()) return;
  const slot at = next_anywhere();
  const auto chosen =
      std::next(allocated_.begin(), static_cast<std::ptrdiff_t>(below(allocated_.size())));
  if (!region{&*chosen, 0, chosen->size()}.writable_after(at.clock)) return connect_to(at);
  if (!expect(deallocate(ref(at), chosen->at(0)), "stream-ordered deallocate")) return;
  allocated_.erase(chosen);
  commit(at);
}

// Steps in flight may still use the memory: it lives on until they have landed.
void random_program::free_at_once() {
  if (allocated_.empty()) return;
  expect(deallocate(allocated_.front().at(0)), "deallocate");
  allocated_.pop_front();
}

void random_program::finish() {
  for (const line& each : lines_) {
    expect(each.stream.ref.synchronize(), "stream synchronize");
    host_.join(each.clock);
  }
}

void random_program::expect(const status& outcome, std::string_view call) {
  if (outcome.ok() || !problem_.empty()) return;
  problem_ =
      std::string(call) + " answered " + std::string(name(outcome.code)) + ": " + explain(outcome);
}

}  // namespace convoy::test
