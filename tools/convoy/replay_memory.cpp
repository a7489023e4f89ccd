#include "replay_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/pitched_check.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {
namespace {

// Pageable ranges at most this far apart are replayed as one allocation.
constexpr std::uint64_t adjacent_bytes = std::uint64_t{1} << 20;

std::byte byte_for(std::uint64_t seed, std::size_t at) {
  const std::uint64_t word = (seed + at / 8) * 0x9E3779B97F4A7C15;
  return static_cast<std::byte>(word >> (at % 8 * 8));
}

region region_like(const trace::traced_memory& made) {
  region same;
  same.address = made.address;
  same.bytes = made.bytes;
  same.kind = made.kind;
  same.device = device_id{made.kind == memory_kind::device ? made.device : 0};
  return same;
}

}  // namespace

std::uint64_t end_of(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t end = 0;
  if (__builtin_add_overflow(address, bytes, &end)) {
    throw bad_trace(fmt::format("its {} bytes at {:#x} wrap around the end of the address space",
                                bytes, address));
  }
  return end;
}

bool can_replay(const trace::traced_step& step) {
  const bool copies = step.kind == step_kind::copies || step.kind == step_kind::pitched ||
                      step.kind == step_kind::fill || step.kind == step_kind::reduce;
  if (!copies || step.outcome != errc::ok || !step.started) return false;
  return !step.box || !is_empty({step.box->width, step.box->height, step.box->depth});
}

std::uint64_t box_span(const trace::traced_box& box, copy_side side) {
  const bool written = side == copy_side::destination;
  const std::uint64_t address = written ? box.dst : box.src;
  const pitched end{reinterpret_cast<void*>(address), written ? box.dst_pitch : box.src_pitch,
                    written ? box.dst_slice_rows : box.src_slice_rows};
  const convoy::box extent{box.width, box.height, box.depth};
  if (const status valid = check_pitched(end, extent, side); !valid.ok()) {
    throw bad_trace(fmt::format("its box at {:#x} is impossible ({})", address, name(valid.code)));
  }
  return *span_bytes(end, extent);
}

replay_memory::replay_memory(const trace::recording& recorded, byte_budget& budget)
    : recording_(recorded),
      budget_(budget),
      stream_(must(make_stream(device_id{0}, {.blocking = false}))) {
  budget_.take(recorded.memory.size(), sizeof(region));
  for (const trace::traced_memory& each : recorded.memory) regions_.push_back(region_like(each));
  std::vector<bool> used(regions_.size());
  std::vector<range> pageable;
  allocation_timeline allocations = timeline();
  for (const trace::traced_step& step : recorded.steps) {
    if (can_replay(step)) find_used(step, allocations, used, pageable);
  }
  for (std::size_t i = 0; i != used.size(); ++i) {
    if (used[i]) budget_.take(regions_[i].bytes, 2);
  }
  add_pageable(std::move(pageable));
  for (std::size_t i = 0; i != used.size(); ++i) {
    if (used[i]) open(regions_[i]);
  }
  for (region& each : pageable_) open(each);
}

std::optional<std::size_t> replay_memory::allocation_of(allocation_timeline& timeline,
                                                        std::uint64_t address, std::uint64_t bytes,
                                                        trace::timestamp when) const {
  static_cast<void>(end_of(address, bytes));
  const auto found = timeline.find(address, when);
  if (!found) return {};
  const region& in = regions_[*found];
  if (bytes <= in.bytes - (address - in.address)) return found;
  // Registered memory is the program's own, and so are the bytes behind it.
  if (in.kind == memory_kind::registered || in.kind == memory_kind::pageable) return {};
  throw bad_trace(fmt::format("its {} bytes at {:#x} leave their allocation, {} bytes at {:#x}",
                              bytes, address, in.bytes, in.address));
}

void replay_memory::find_used(const trace::traced_step& step, allocation_timeline& timeline,
                              std::vector<bool>& used, std::vector<range>& pageable) const {
  const auto add = [&](std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    if (const auto in = allocation_of(timeline, address, bytes, step.submitted)) {
      used[*in] = true;
    } else {
      budget_.take(sizeof(range), 2);
      pageable.emplace_back(address, address + bytes);
    }
  };
  step.for_each_copy([&](const trace::traced_copy& c) {
    add(c.dst, c.bytes);
    add(c.src, c.bytes);
  });
  if (!step.box) return;
  add(step.box->dst, box_span(*step.box, copy_side::destination));
  if (step.kind != step_kind::fill) add(step.box->src, box_span(*step.box, copy_side::source));
}

void replay_memory::add_pageable(std::vector<range> ranges) {
  std::ranges::sort(ranges);
  for (const auto& [from, to] : ranges) {
    if (!pageable_.empty()) {
      region& last = pageable_.back();
      const std::uint64_t distance = from - last.address;
      if (distance <= last.bytes || distance - last.bytes <= adjacent_bytes) {
        last.bytes = std::max(last.bytes, to - last.address);
        continue;
      }
    }
    budget_.take(sizeof(region), 2);
    region& made = pageable_.emplace_back();
    made.address = from;
    made.bytes = to - from;
  }
  for (const region& each : pageable_) budget_.take(each.bytes, 2);
}

void replay_memory::open(region& target) const {
  switch (target.kind) {
    case memory_kind::device:
      target.owned = must(make_device_buffer(target.device, target.bytes));
      break;
    case memory_kind::managed:
      target.owned = buffer(must(allocate_managed(target.bytes)), target.bytes);
      break;
    case memory_kind::pinned:
    case memory_kind::registered: target.owned = must(make_pinned_buffer(target.bytes)); break;
    case memory_kind::pageable:
      target.pageable = std::make_unique_for_overwrite<std::byte[]>(target.bytes);
      target.start = target.pageable.get();
      break;
  }
  if (target.start == nullptr) target.start = target.owned.data();
  target.image = std::make_unique_for_overwrite<std::byte[]>(target.bytes);
}

void replay_memory::fill() {
  for (auto* list : {&regions_, &pageable_, &scratch_}) {
    for (region& each : *list) {
      if (each.start == nullptr) continue;
      for (std::size_t i = 0; i != each.bytes; ++i) each.image[i] = byte_for(each.address, i);
      must(copy_sync(stream_, {each.start, each.image.get(), each.bytes}));
    }
  }
}

replay_address replay_memory::at(allocation_timeline& timeline, std::uint64_t address,
                                 std::uint64_t bytes, trace::timestamp when) const {
  const region* in = nullptr;
  if (const auto found = allocation_of(timeline, address, bytes, when)) {
    in = &regions_[*found];
  } else {
    const auto after = std::ranges::upper_bound(pageable_, address, {}, &region::address);
    if (after != pageable_.begin()) in = &*std::prev(after);
  }
  const std::uint64_t offset = in == nullptr ? 0 : address - in->address;
  if (in == nullptr || in->start == nullptr || offset > in->bytes || bytes > in->bytes - offset) {
    throw bad_trace(fmt::format("its {} bytes at {:#x} are in no memory", bytes, address));
  }
  return {in->start + offset, in->image.get() + offset, in};
}

replay_address replay_memory::scratch(const region& model, std::uint64_t bytes, bool source) {
  const std::uint64_t key = source ? 1 : 2;  // sources and destinations are separate
  for (region& each : scratch_) {
    if (each.kind == model.kind && each.device == model.device && each.address == key &&
        each.bytes >= bytes) {
      return {each.start, each.image.get(), &each};
    }
  }
  budget_.take(bytes, 2);
  region made;
  made.address = key;
  made.bytes = bytes;
  made.kind = model.kind;
  made.device = model.device;
  open(made);
  region& added = scratch_.emplace_back(std::move(made));
  return {added.start, added.image.get(), &added};
}

std::optional<std::string> replay_memory::difference() const {
  for (const auto* list : {&regions_, &pageable_, &scratch_}) {
    for (const region& each : *list) {
      if (each.start == nullptr) continue;
      if (auto found = difference_in(each)) return found;
    }
  }
  return {};
}

std::optional<std::string> replay_memory::difference_in(const region& checked) const {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  std::vector<std::byte> now;
  for (std::uint64_t from = 0; from < checked.bytes; from += piece) {
    now.resize(std::min(piece, checked.bytes - from));
    must(copy_sync(stream_, {now.data(), checked.start + from, now.size()}));
    const auto image = std::span(checked.image.get() + from, now.size());
    const auto [found, wanted] = std::ranges::mismatch(now, image);
    if (found == now.end()) continue;
    return fmt::format(
        "byte {} of the {} bytes at {:#x} is {:#04x} and should be {:#04x}; report this with the "
        "trace",
        from + static_cast<std::uint64_t>(found - now.begin()), checked.bytes, checked.address,
        std::to_integer<int>(*found), std::to_integer<int>(*wanted));
  }
  return {};
}

}  // namespace convoy::tools
