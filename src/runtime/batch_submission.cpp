#include "runtime/batch_submission.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/batch_check.hpp"
#include "model/pitched_check.hpp"
#include "runtime/batch_validator.hpp"
#include "stream/actions.hpp"

namespace convoy {
namespace {

// The two shapes in which callers hold their copies.
struct parallel_arrays {
  const batch_view& view;
  [[nodiscard]] std::size_t count() const { return view.sizes.size(); }
  [[nodiscard]] copy at(std::size_t item) const {
    return {view.dsts[item], view.srcs[item], view.sizes[item]};
  }
  [[nodiscard]] std::size_t capacity(std::size_t item) const {
    return view.capacities.empty() ? SIZE_MAX : view.capacities[item];
  }
  [[nodiscard]] memory::copy_columns from(std::size_t item) const {
    return {view.dsts.data() + item, view.srcs.data() + item, view.sizes.data() + item,
            view.capacities.empty() ? nullptr : view.capacities.data() + item};
  }
};

struct one_array {
  std::span<const copy> copies;
  [[nodiscard]] std::size_t count() const { return copies.size(); }
  [[nodiscard]] copy at(std::size_t item) const { return copies[item]; }
  [[nodiscard]] static std::size_t capacity(std::size_t) { return SIZE_MAX; }
  [[nodiscard]] memory::copy_structs from(std::size_t item) const { return {copies.data() + item}; }
};

// True when nothing submitted before could make the next step wait.
bool nothing_ahead(engine& e, const stream_state& to) {
  if (to.role == stream_role::non_blocking) return to.queue->empty();
  return e.queues(to.device).tails().empty();
}

// Reads the sources of these copies now; the step will read what was read. Only the source is
// early: destinations are still written in stream order.
status stage_sources(engine& e, copy_list& list, std::span<copy* const> early) {
  std::size_t bytes = 0;
  std::size_t largest = 0;
  for (const copy* c : early) {
    if (__builtin_add_overflow(bytes, c->bytes, &bytes)) return {errc::out_of_memory};
    largest = std::max(largest, c->bytes);
  }
  list.staged = e.blocks().take(bytes);
  if (list.staged.data() == nullptr) return {errc::out_of_memory};

  auto* into = static_cast<std::byte*>(list.staged.data());
  std::vector<copy> reads;
  reads.reserve(early.size());
  for (copy* c : early) {
    reads.push_back({into, c->src, c->bytes});
    c->src = into;
    into += c->bytes;
  }
  status s = e.copier().run({reads, bytes, largest, 1});
  if (s.item) s.item = static_cast<std::size_t>(early[*s.item] - list.work.copies.data());
  return s;
}

// Batches up to both are worth no queue when nothing is ahead of them.
constexpr std::size_t max_quick_copies = 32;
constexpr std::size_t max_quick_bytes = 4096;

// The processor goes on by itself with longer copies.
constexpr std::size_t max_prefetched = 2048;

// Inlined, because GCC 12 leaves out calls of functions that do nothing but fetch.
[[gnu::always_inline]] inline void prefetch_lines(const void* start, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) {
    __builtin_prefetch(static_cast<const std::byte*>(start) + at);
  }
}

// Everything about one submission that outlives the check.
template <class Source>
class batch_submission {
 public:
  batch_submission(engine& e, stream_state& to, const Source& from, const batch_rules& rules)
      : engine_(e), to_(to), from_(from), rules_(rules) {}

  result<ticket> run(std::span<const attribute_run> runs) {
    if (will_be_quick()) prefetch();
    if (all_sizes_zero()) return to_.queue->last();
    if (const status s = check_shape(from_.count(), runs, rules_); !s.ok()) return s;
    static constexpr attribute_run plain[1] = {};
    if (runs.empty()) runs = plain;

    copy* const out = room_for(from_.count());
    if (out == nullptr) return status{errc::out_of_memory};
    batch_summary found;
    if (const status s = validate(runs, out, found); !s.ok()) return s;
    const memory::copy_totals& sums = found.sums;
    if (sums.bytes == 0) return to_.queue->last();
    list_.directions_used = found.directions_used;
    list_.work = {{out, from_.count()}, sums.bytes, sums.largest, sums.line_bits};
    return enqueue(runs, found.pageable && rules_.pageable_blocks);
  }

 private:
  // A guess, from the first copy.
  [[nodiscard]] bool will_be_quick() const {
    const std::size_t count = from_.count();
    if (count == 0 || count > max_quick_copies || !to_.queue->empty()) return false;
    const std::size_t bytes = from_.at(0).bytes;
    return bytes <= max_quick_bytes && bytes * count <= max_quick_bytes;
  }

  // Calls both ends of every copy into the cache, where they arrive while it is being checked; an
  // address that means nothing is ignored.
  [[gnu::always_inline]] void prefetch() const {
    for (std::size_t item = 0; item != from_.count(); ++item) {
      const copy c = from_.at(item);
      const std::size_t bytes = std::min(c.bytes, max_prefetched);
      prefetch_lines(c.src, bytes);
      prefetch_lines(c.dst, bytes);
    }
  }

  [[nodiscard]] bool all_sizes_zero() const {
    if (rules_.zeros != zero_sizes::refused_unless_all) return false;
    for (std::size_t item = 0; item != from_.count(); ++item) {
      if (from_.at(item).bytes != 0) return false;
    }
    return from_.count() != 0;
  }

  copy* room_for(std::size_t count) {
    if (count <= max_quick_copies) return reinterpret_cast<copy*>(quick_copies_);
    list_.copies = engine_.blocks().take(count * sizeof(copy));
    return static_cast<copy*>(list_.copies.data());
  }

  // Moves the snapshot of few copies to where it lives as long as the step.
  bool persist_quick_copies() {
    const std::span<const copy> found = list_.work.copies;
    if (found.size() > max_quick_copies) return true;
    if (found.size() == 1) {
      list_.single = found.front();
      list_.work.copies = {&list_.single, 1};
      return true;
    }
    list_.copies = engine_.blocks().take(found.size_bytes());
    if (list_.copies.data() == nullptr) return false;
    auto* const kept = static_cast<copy*>(list_.copies.data());
    std::copy(found.begin(), found.end(), kept);
    list_.work.copies = {kept, found.size()};
    return true;
  }

  // What takes less time than its place in the queue is done at once, if nothing is ahead of it;
  // otherwise ticket 0.
  ticket run_if_quick() {
    if (list_.work.bytes > max_quick_bytes || from_.count() > max_quick_copies) return {};
    borrowed_copies now(engine_.copier(), list_.work, list_.directions_used);
    return engine_.queues(to_.device).try_run(*to_.queue, to_.role, now);
  }

  result<ticket> landed(ticket at) {
    if (const status own = to_.queue->failure_of(at); !own.ok()) return own;
    return at;
  }

  status validate(std::span<const attribute_run> runs, copy* out, batch_summary& found) {
    validation_context context{engine_.space(), engine_.peers(), rules_};
    const batch_input<Source> work{from_, runs, out};
    if (from_.count() <= parallel_validation<Source>::stretch) {
      batch_validator alone(context, found);
      return work.validate(alone, 0, from_.count());
    }
    context.first_direction = first_direction();
    parallel_validation<Source> all(context, work);
    engine_.run_job(all, from_.count() * from_.at(0).bytes);
    found = all.found();
    return all.error();
  }

  // Where the run ends and the next one, or nothing, begins.
  std::size_t end_of(std::span<const attribute_run> runs, std::size_t r) const {
    return r + 1 == runs.size() ? from_.count() : runs[r + 1].first;
  }

  [[nodiscard]] std::optional<direction> first_direction() const {
    if (!rules_.one_direction) return {};
    for (std::size_t item = 0; item != from_.count(); ++item) {
      const copy c = from_.at(item);
      if (c.bytes == 0) continue;
      return direction_between(engine_.space().window_of(c.src).kind,
                               engine_.space().window_of(c.dst).kind);
    }
    return {};
  }

  result<ticket> enqueue(std::span<const attribute_run> runs, bool until_landed) {
    const auto is_early = [](const attribute_run& r) {
      return r.attrs.order == source_access::during_call;
    };
    const bool early = std::any_of(runs.begin(), runs.end(), is_early);
    if (const ticket at = run_if_quick(); at != ticket{}) {
      return until_landed || early ? landed(at) : at;
    }
    if (!persist_quick_copies()) return status{errc::out_of_memory};
    if (early) {
      // Landing at once reads the sources just as early, and copies only once.
      if (nothing_ahead(engine_, to_)) {
        until_landed = true;
      } else if (const status s = stage_early(runs); !s.ok()) {
        return s;
      }
    }
    const ticket at =
        engine_.submit(to_, std::make_unique<copy_action>(engine_.copier(), std::move(list_)));
    if (!until_landed) return at;
    static_cast<void>(to_.queue->wait(at, {}));
    return landed(at);
  }

  status stage_early(std::span<const attribute_run> runs) {
    auto* const copies = const_cast<copy*>(list_.work.copies.data());
    std::vector<copy*> early;
    for (std::size_t r = 0; r != runs.size(); ++r) {
      if (runs[r].attrs.order != source_access::during_call) continue;
      for (std::size_t item = runs[r].first; item != end_of(runs, r); ++item) {
        early.push_back(copies + item);
      }
    }
    return stage_sources(engine_, list_, early);
  }

  engine& engine_;
  stream_state& to_;
  const Source& from_;
  const batch_rules& rules_;
  copy_list list_;
  alignas(copy) std::byte
      quick_copies_[max_quick_copies * sizeof(copy)];  // only the bytes in use are ever written
};

}  // namespace

result<ticket> submit_batch(engine& e, stream_state& to, const batch& work) {
  const one_array from{work.copies()};
  return batch_submission(e, to, from, native_rules).run(work.runs());
}

result<ticket> submit_batch(engine& e, stream_state& to, std::span<const copy> copies,
                            const attributes& attrs) {
  const one_array from{copies};
  // As a block they would be read before the parts have arrived that the caller just wrote.
  if (attrs == attributes{}) return batch_submission(e, to, from, native_rules).run({});
  const attribute_run all{0, attrs};
  return batch_submission(e, to, from, native_rules).run({&all, 1});
}

result<ticket> submit_batch(engine& e, stream_state& to, const batch_view& work,
                            const batch_rules& rules) {
  if (!arrays_match(work)) return status{errc::invalid_argument};
  const parallel_arrays from{work};
  return batch_submission(e, to, from, rules).run(work.runs);
}

status to_engine_addresses(const memory::address_space& space, pitched& end, const box& extent,
                           copy_side side) {
  const memory::window w = space.window_of(end.start);
  const status s = w.check_range(end.start, *span_bytes(end, extent), side);
  end.start = w.engine_address(end.start);
  return s;
}

status to_engine_addresses(const memory::address_space& space, reduction& attrs) {
  const memory::window dst = space.window_of(attrs.dst);
  const memory::window src = space.window_of(attrs.src);
  status s = dst.check_range(attrs.dst, attrs.bytes, copy_side::destination);
  if (s.ok()) s = src.check_range(attrs.src, attrs.bytes, copy_side::source);
  attrs.dst = dst.engine_address(attrs.dst);
  attrs.src = src.engine_address(attrs.src);
  return s;
}

status check_on_device(const memory::address_space& space, const void* start, std::size_t bytes) {
  if (start == nullptr) return {errc::null_pointer};
  const memory::window w = space.window_of(start);
  if (w.kind != memory_kind::device) return {errc::wrong_location, copy_side::none, {}, start};
  return w.check_range(start, bytes, copy_side::none);
}

status check_descriptor(const memory::address_space& space, const void* descriptor,
                        const descriptor_layout& layout) {
  const auto fits = [&](std::uint32_t at, std::uint32_t bytes) {
    return at <= layout.bytes && bytes <= layout.bytes - at;
  };
  const bool sound = layout.bytes <= 64 && fits(layout.source_offset, 8) &&
                     fits(layout.destination_offset, 8) && fits(layout.length_offset, 4);
  if (!sound) return {errc::invalid_argument};
  return check_on_device(space, descriptor, layout.bytes);
}

}  // namespace convoy
