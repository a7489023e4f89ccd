// The copies of a random program: single, batched, pitched and indirect.
#include <cstring>

#include "support/random_program.hpp"

namespace convoy::test {
namespace {

void copy_lines(std::byte* dst, const std::byte* src, const pitched_copy& work) {
  const auto [width, height, depth] = work.extent;
  for (std::size_t z = 0; z != depth; ++z) {
    for (std::size_t y = 0; y != height; ++y) {
      std::memcpy(dst + (z * work.dst.slice_rows + y) * work.dst.pitch,
                  src + (z * work.src.slice_rows + y) * work.src.pitch, width);
    }
  }
}

}  // namespace

std::size_t random_program::span_of(const pitched& side, const box& extent) {
  return side.pitch * (side.slice_rows * (extent.depth - 1) + extent.height - 1) + extent.width;
}

std::optional<random_program::item> random_program::some_item(const next_step& at,
                                                              source_access order,
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
  const next_step at = next_anywhere();
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
    made.attrs.order = orders[below(orders.size())];
  }
  return runs;
}

void random_program::copy_batch() {
  const next_step at = next_anywhere();
  const auto runs = some_runs(1 + below(12));
  std::vector<item> items;
  std::vector<attribute_run> kept;
  for (std::size_t r = 0; r != runs.size(); ++r) {
    const std::size_t wanted = 1 + below(4);
    const std::size_t first = items.size();
    for (std::size_t i = 0; i != wanted; ++i) {
      if (auto made = some_item(at, runs[r].attrs.order, items)) items.push_back(*made);
    }
    if (items.size() != first) kept.push_back({first, runs[r].attrs});
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

result<ticket> random_program::submit_items(const next_step& at, const std::vector<item>& items,
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
  if (runs.size() == 1 && chance(3)) return submit(ref(at), copies, runs.front().attrs);
  if (chance(2)) return submit(ref(at), batch_view{dsts, srcs, sizes, sizes, runs});
  const auto made = make_batch(copies, runs);
  return made ? submit(ref(at), *made) : made.error();
}

void random_program::copy_box() {
  const next_step at = next_anywhere();
  const std::size_t cell = memory_.memories().front().cell();
  const box extent{1 + below(cell), 1 + below(5), 1 + below(3)};
  const auto some_side = [&] {
    return pitched{nullptr, extent.width + below(cell), extent.height + below(2)};
  };
  pitched_copy work{some_side(), some_side(), extent};
  const auto src = readable(span_of(work.src, extent), at.clock);
  const auto dst = writable(span_of(work.dst, extent), at.clock);
  if (!src || !dst || src->conflicts_with(*dst)) return connect_to(at);

  work.src.start = src->data();
  work.dst.start = dst->data();
  if (!expect(submit(ref(at), work), "pitched copy")) return;
  copy_lines(dst->wanted(), src->wanted(), work);
  reads(at, *src);
  writes(at, *dst);
  commit(at);
}

void random_program::copy_indirectly() {
  if (descriptors_used_ == test_memory::descriptors) return;
  const std::size_t from = below(streams_.size());
  const std::size_t to = chance(2) ? from : below(streams_.size());
  const std::size_t bytes = some_bytes();
  const next_step before = next_in(to);
  const auto src = readable(bytes, before.clock);
  const auto dst = writable(bytes, before.clock);
  if (!src || !dst || src->conflicts_with(*dst)) return connect(from, to);

  const std::size_t number = descriptors_used_++;
  std::byte* const draft = memory_.descriptor_draft(number);
  const void* const ends[] = {src->data(), dst->data()};
  const auto length = static_cast<std::uint32_t>(bytes);
  std::memcpy(draft + 16, ends, sizeof ends);
  std::memcpy(draft + 12, &length, sizeof length);
  const region descriptor = memory_.descriptor(number);
  const next_step upload = next_in(from);
  if (!expect(submit(ref(upload), {descriptor.data(), draft, descriptor.bytes}), "copy")) return;
  commit(upload);
  if (from != to) connect(from, to);

  const next_step at = next_in(to);
  if (!expect(copy_indirect(ref(at), descriptor.data()), "indirect copy")) return;
  std::memcpy(dst->wanted(), src->wanted(), bytes);
  reads(at, *src);
  writes(at, *dst);
  commit(at);
}

}  // namespace convoy::test
