#include "replay_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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

}  // namespace

replay_memory::replay_memory(const trace::recording& from)
    : stream_(must(make_stream(device_id{0}, {.blocking = false}))) {
  for (const trace::traced_memory& each : from.memory) {
    region made;
    made.address = each.address;
    made.bytes = each.bytes;
    made.kind = each.kind;
    made.device = device_id{each.device};
    made.from = each.allocated;
    made.until = each.freed.value_or(UINT64_MAX);
    regions_.push_back(std::move(made));
  }
  for (const trace::traced_step& step : from.steps) {
    for (const trace::traced_copy& c : step.copies()) {
      touch(c.dst, c.bytes, step.submitted);
      touch(c.src, c.bytes, step.submitted);
    }
    if (!step.box) continue;
    const auto reach = [&](std::uint64_t pitch, std::uint64_t rows) {
      const std::uint64_t slice = pitch * (rows == 0 ? step.box->height : rows);
      return slice * (step.box->depth - 1) + pitch * (step.box->height - 1) + step.box->width;
    };
    touch(step.box->dst, reach(step.box->dst_pitch, step.box->dst_rows), step.submitted);
    if (step.box->src != 0) {
      touch(step.box->src, reach(step.box->src_pitch, step.box->src_rows), step.submitted);
    }
  }
  add_pageable();
}

const region* replay_memory::find(std::uint64_t address, trace::timestamp when) const {
  const region* best = nullptr;
  for (const region& each : regions_) {
    const bool inside = address >= each.address && address - each.address < each.bytes;
    if (!inside || each.from > when) continue;
    if (best == nullptr || each.from > best->from) best = &each;
  }
  return best;
}

void replay_memory::touch(std::uint64_t address, std::uint64_t bytes, trace::timestamp when) {
  if (bytes == 0) return;
  auto* const found = const_cast<region*>(find(address, when));
  if (found == nullptr) {
    unallocated_.emplace_back(address, address + bytes);
  } else if (found->start == nullptr) {
    open(*found);
  }
}

void replay_memory::add_pageable() {
  std::ranges::sort(unallocated_);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
  for (const auto& [from, to] : unallocated_) {
    if (!pieces.empty() && from < pieces.back().second + adjacent_bytes) {
      pieces.back().second = std::max(pieces.back().second, to);
    } else {
      pieces.emplace_back(from, to);
    }
  }
  for (const auto& [from, to] : pieces) {
    region made;
    made.address = from;
    made.bytes = to - from;
    open(made);
    regions_.push_back(std::move(made));
  }
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
      target.pageable = std::make_unique<std::byte[]>(target.bytes);
      target.start = target.pageable.get();
      break;
  }
  if (target.start == nullptr) target.start = target.owned.data();
  target.image.resize(target.bytes);
  fill(target);
}

void replay_memory::fill(region& target) const {
  for (std::size_t i = 0; i != target.bytes; ++i) target.image[i] = byte_for(target.address, i);
  must(copy_sync(stream_, {target.start, target.image.data(), target.bytes}));
}

replay_address replay_memory::at(std::uint64_t address, trace::timestamp when) const {
  const region* const found = find(address, when);
  if (found == nullptr || found->start == nullptr) throw failure("the trace is damaged");
  const std::uint64_t offset = address - found->address;
  return {found->start + offset, const_cast<std::byte*>(found->image.data()) + offset};
}

replay_address replay_memory::scratch(std::uint64_t sample, trace::timestamp when,
                                      std::size_t bytes, bool source) {
  const region* const model = find(sample, when);
  const std::uint64_t key = source ? 1 : 2;  // sources and destinations are separate
  for (region& each : scratch_) {
    if (each.kind == model->kind && each.device == model->device && each.address == key &&
        each.bytes >= bytes) {
      return {each.start, each.image.data()};
    }
  }
  region made;
  made.address = key;
  made.bytes = bytes;
  made.kind = model->kind;
  made.device = model->device;
  open(made);
  scratch_.push_back(std::move(made));
  return {scratch_.back().start, scratch_.back().image.data()};
}

std::optional<std::string> replay_memory::difference() const {
  std::vector<std::byte> now;
  for (const auto* list : {&regions_, &scratch_}) {
    for (const region& each : *list) {
      if (each.start == nullptr) continue;
      now.resize(each.bytes);
      must(copy_sync(stream_, {now.data(), each.start, each.bytes}));
      const auto [found, wanted] = std::ranges::mismatch(now, each.image);
      if (found == now.end()) continue;
      return fmt::format(
          "byte {} of the {} bytes at {:#x} is {:#04x} and should be {:#04x}; report this with the "
          "trace",
          found - now.begin(), each.bytes, each.address, std::to_integer<int>(*found),
          std::to_integer<int>(*wanted));
    }
  }
  return {};
}

std::size_t replay_memory::bytes() const {
  std::size_t sum = 0;
  for (const auto* list : {&regions_, &scratch_}) {
    for (const region& each : *list) sum += each.image.size();
  }
  return sum;
}

}  // namespace convoy::tools
