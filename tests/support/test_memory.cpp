#include "support/test_memory.hpp"

#include <algorithm>
#include <convoy/device.hpp>
#include <cstring>
#include <random>

namespace convoy::test {
namespace {

constexpr device_id devices[] = {device_id{0}, device_id{1}};

}  // namespace

test_memory::test_memory(std::size_t cells, std::size_t cell_bytes)
    : pageable_(cells * cell_bytes),
      registered_(cells * cell_bytes),
      drafts_(*make_pinned_buffer(descriptors * descriptor_bytes)),
      descriptors_(nullptr, 0, 1, accessible_by::steps_only) {
  const std::size_t bytes = cells * cell_bytes;
  const auto add = [&](std::byte* start, accessible_by access) {
    memories_.emplace_back(start, bytes, cell_bytes, access);
  };
  for (const device_id device : devices) {
    owned_.push_back(*make_device_buffer(device, bytes));
    add(owned_.back().data(), accessible_by::steps_only);
  }
  owned_.push_back(*make_pinned_buffer(bytes));
  add(owned_.back().data(), accessible_by::host_code);
  owned_.emplace_back(*allocate_managed(bytes), bytes);
  add(owned_.back().data(), accessible_by::host_code);
  add(pageable_.data(), accessible_by::host_code);
  add(registered_.data(), accessible_by::host_code);
  static_cast<void>(pin(registered_.data(), bytes));

  owned_.push_back(*make_device_buffer(devices[0], descriptors * descriptor_bytes));
  descriptors_ = tracked_memory(owned_.back().data(), descriptors * descriptor_bytes,
                                descriptor_bytes, accessible_by::steps_only);
}

test_memory::~test_memory() { static_cast<void>(unpin(registered_.data())); }

void test_memory::refill(stream_ref through, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<copy> uploads;
  for (tracked_memory& each : memories_) {
    for (std::size_t at = 0; at + 8 <= each.size(); at += 8) {
      const std::uint64_t value = random();
      std::memcpy(each.wanted().data() + at, &value, 8);
    }
    each.clear_history();
    uploads.push_back({each.at(0), each.wanted().data(), each.size()});
  }
  descriptors_.clear_history();
  static_cast<void>(submit(through, uploads));
  static_cast<void>(through.synchronize());
}

std::string test_memory::first_difference(stream_ref through) {
  downloaded_.resize(memories_.size() * memories_.front().size());
  std::vector<copy> downloads;
  std::byte* into = downloaded_.data();
  for (const tracked_memory& each : memories_) {
    downloads.push_back({into, each.at(0), each.size()});
    into += each.size();
  }
  static_cast<void>(submit(through, downloads));
  if (!through.synchronize().ok()) return "the bytes could not be read back";

  for (std::size_t m = 0; m != memories_.size(); ++m) {
    const auto wanted = memories_[m].wanted();
    const auto* const found = static_cast<const std::byte*>(downloads[m].dst);
    const auto [good, bad] = std::mismatch(wanted.begin(), wanted.end(), found);
    if (good == wanted.end()) continue;
    return "memory " + std::to_string(m) + " differs at byte " +
           std::to_string(good - wanted.begin());
  }
  return {};
}

stream_set::stream_set(int blocking, int non_blocking) {
  for (const device_id device : devices) {
    all_.push_back({*convoy::device(device).default_stream(), device, stream_kind::legacy});
    for (int i = 0; i != blocking; ++i) add(device, stream_kind::blocking);
    for (int i = 0; i != non_blocking; ++i) add(device, stream_kind::non_blocking);
  }
}

void stream_set::add(device_id device, stream_kind kind) {
  owned_.push_back(*make_stream(device, {.blocking = kind == stream_kind::blocking}));
  all_.push_back({owned_.back(), device, kind});
}

}  // namespace convoy::test
