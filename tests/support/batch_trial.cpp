#include "support/batch_trial.hpp"

#include <algorithm>
#include <convoy/device.hpp>

namespace convoy::test {
namespace {

constexpr std::size_t range_bytes = 4096;

// The engine does not know where pageable memory ends: a size is either small or beyond all memory.
constexpr std::size_t pageable_size = SIZE_MAX / 2;

// All the bytes that are left, or one more.
std::size_t size_around(const known_pointer& p, bool more) {
  if (p.kind == memory_kind::pageable) return range_bytes / 2;
  return p.bytes_left + (more ? 1 : 0);
}

std::string text_of(const status& s) {
  return std::string(name(s.code)) + (s.item ? " at item " + std::to_string(*s.item) : "") +
         " on side " + std::to_string(static_cast<int>(s.side));
}

}  // namespace

batch_trial::batch_trial()
    : stream_(*make_stream(device_id{0}, {.blocking = false})),
      registered_(range_bytes),
      pageable_(2 * range_bytes) {
  for (const int device : {0, 1}) {
    owned_.push_back(*make_device_buffer(device_id{device}, range_bytes));
    add(owned_.back(), memory_kind::device, device);
  }
  owned_.push_back(*make_pinned_buffer(range_bytes));
  add(owned_.back(), memory_kind::pinned);
  owned_.emplace_back(*allocate_managed(range_bytes), range_bytes);
  add(owned_.back(), memory_kind::managed);
  static_cast<void>(pin(registered_.data(), range_bytes));
  ranges_.push_back({registered_.data(), range_bytes, memory_kind::registered});
  ranges_.push_back({pageable_.data(), pageable_size, memory_kind::pageable});

  // Freed at once, and nothing is allocated after it.
  const buffer freed = *make_device_buffer(device_id{1}, range_bytes);
  add(freed, memory_kind::device, 1);
  ranges_.back().allocated = false;
  ranges_.push_back({});  // null
}

batch_trial::~batch_trial() { static_cast<void>(unpin(registered_.data())); }

void batch_trial::add(const buffer& owned, memory_kind kind, int device) {
  ranges_.push_back({owned.data(), owned.size(), kind, device});
}

known_pointer batch_trial::pointer_from(input_reader& input) const {
  const memory_range& range = ranges_[input.below(ranges_.size())];
  if (range.start == nullptr) return {};
  const std::size_t offset = input.number() % range_bytes;
  const std::size_t bytes_left =
      range.kind == memory_kind::pageable ? range.size : range.size - offset;
  return {range.start + offset, range.kind, range.device, range.allocated, bytes_left};
}

known_copy batch_trial::copy_from(input_reader& input) const {
  known_copy made{pointer_from(input), pointer_from(input)};
  switch (input.below(8)) {
    case 0: made.bytes = 0; break;
    case 1: made.bytes = SIZE_MAX - input.below(4); break;
    case 2: made.bytes = size_around(made.dst, input.flag()); break;
    case 3: made.bytes = size_around(made.src, input.flag()); break;
    default: made.bytes = input.number() % 600;
  }
  if (input.below(4) == 0) made.capacity = made.bytes - input.below(2);
  return made;
}

known_batch batch_trial::batch_from(input_reader& input) const {
  known_batch made;
  made.rules = {.allowed = {input.flag() ? directions::all() : directions{input.byte()}},
                .one_direction = input.flag(),
                .zeros = zero_sizes(input.below(3)),
                .runs_required = input.flag(),
                .locations_bind = input.flag(),
                .pageable_blocks = input.flag(),
                .peers_need_access = input.flag(),
                .max_copies = input.below(8) == 0 ? input.below(8) : SIZE_MAX};
  made.peers_connected = input.flag();
  made.copies.resize(input.below(9));
  for (known_copy& each : made.copies) each = copy_from(input);
  made.runs.resize(input.below(4));
  std::size_t first = 0;
  for (attribute_run& each : made.runs) {
    each.first = input.below(12) == 0 ? input.below(12) : first;
    each.attrs.order =
        input.below(16) == 0 ? source_access(input.below(6)) : source_access(1 + input.below(3));
    each.attrs.src_hint = {location_type(input.below(5)), static_cast<int>(input.below(2))};
    each.attrs.dst_hint = {location_type(input.below(5)), static_cast<int>(input.below(2))};
    first += 1 + input.below(2);
  }
  return made;
}

bool batch_trial::leaves_own_memory(const known_batch& batch) {
  return std::any_of(batch.copies.begin(), batch.copies.end(), [](const known_copy& c) {
    return c.bytes > range_bytes &&
           (c.dst.bytes_left == pageable_size || c.src.bytes_left == pageable_size);
  });
}

void batch_trial::connect_peers(bool wanted) const {
  const device from(device_id{0});
  static_cast<void>(wanted ? from.enable_access(device_id{1}) : from.disable_access(device_id{1}));
}

result<ticket> batch_trial::submit_to_engine(const known_batch& batch) const {
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> capacities;
  for (const known_copy& c : batch.copies) {
    dsts.push_back(c.dst.at);
    srcs.push_back(c.src.at);
    sizes.push_back(c.bytes);
    capacities.push_back(c.capacity);
  }
  return submit(stream_, {dsts, srcs, sizes, capacities, batch.runs}, batch.rules);
}

std::string batch_trial::disagreement(std::span<const std::uint8_t> input) {
  input_reader from(input);
  const known_batch batch = batch_from(from);
  const status wanted = predicted(batch);
  verdicts_.insert(wanted.code);
  if (wanted.ok() && leaves_own_memory(batch)) return {};

  connect_peers(batch.peers_connected);
  status found = submit_to_engine(batch).error();
  if (found.ok()) found = stream_.synchronize();
  found.address = nullptr;
  if (found == wanted) return {};
  return "predicted " + text_of(wanted) + ", but the engine answered " + text_of(found);
}

}  // namespace convoy::test
