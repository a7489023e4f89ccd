#include "runtime/admission.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "model/batch_check.hpp"
#include "model/pitched_check.hpp"
#include "stream/actions.hpp"

namespace convoy {
namespace {

std::uintptr_t as_number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

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
};

struct one_array {
  std::span<const copy> copies;
  [[nodiscard]] std::size_t count() const { return copies.size(); }
  [[nodiscard]] copy at(std::size_t item) const { return copies[item]; }
  [[nodiscard]] static std::size_t capacity(std::size_t) { return SIZE_MAX; }
};

residence residence_in(const memory::window& w) { return {.kind = w.kind, .device = w.device}; }

void* shifted(const void* pointer, std::ptrdiff_t shift) {
  return const_cast<std::byte*>(static_cast<const std::byte*>(pointer)) + shift;
}

// Checks copies one by one and writes those to be done, in the engine's addresses.
class gate {
 public:
  gate(engine& e, const batch_rules& rules, copy* out) : engine_(e), rules_(rules), out_(out) {}

  // Admits items [first, last), which share `what`.
  template <class Source>
  status admit(const Source& from, std::size_t first, std::size_t last, const attributes& what) {
    dst_ = src_ = {};  // another run: the same place may now be wrong
    what_ = &what;
    for (std::size_t item = first; item != last; ++item) {
      const copy c = from.at(item);
      const bool known = dst_.holds(as_number(c.dst), c.bytes) &&
                         src_.holds(as_number(c.src), c.bytes) && c.bytes <= from.capacity(item);
      if (!known) {
        status s = look_up(c, from.capacity(item));
        if (!s.ok()) {
          s.item = item;
          return s;
        }
        if (c.bytes == 0) {
          skipped_.push_back(item);
          continue;
        }
      }
      add({shifted(c.dst, dst_.shift), shifted(c.src, src_.shift), c.bytes});
    }
    return {};
  }

  [[nodiscard]] std::size_t admitted() const { return admitted_; }
  [[nodiscard]] std::vector<std::size_t> take_skipped() { return std::move(skipped_); }
  [[nodiscard]] bool touched_pageable() const { return pageable_; }
  [[nodiscard]] copy_work work() const {
    return {{out_, admitted_}, bytes_, largest_, address_bits_};
  }

 private:
  void add(const copy& c) {
    out_[admitted_++] = c;
    bytes_ += c.bytes;
    largest_ = std::max(largest_, c.bytes);
    address_bits_ |= as_number(c.dst) | as_number(c.src) | c.bytes;
  }

  // A copy that is not plainly like the one before: everything is checked from the start.
  status look_up(const copy& c, std::size_t capacity) {
    if (c.bytes == 0) {
      const bool fine = rules_.zeros == zero_sizes::skipped;
      return {fine ? errc::ok : errc::zero_size};
    }
    if (status s = check_extent({c, capacity}); !s.ok()) return s;
    dst_ = engine_.space().window_of(c.dst);
    src_ = engine_.space().window_of(c.src);
    if (status s = check_window(dst_, c.dst, c.bytes, side::destination); !s.ok()) return s;
    if (status s = check_window(src_, c.src, c.bytes, side::source); !s.ok()) return s;
    return check_places(c);
  }

  static status check_window(const memory::window& w, const void* start, std::size_t bytes,
                             side at) {
    if (w.bytes == 0) return {errc::not_an_allocation, at, {}, start};
    if (!w.holds(as_number(start), bytes)) return {errc::leaves_allocation, at, {}, start};
    return {};
  }

  status check_places(const copy& c) {
    const route r{residence_in(src_), residence_in(dst_), *what_,
                  engine_.peers().connected(src_.device, dst_.device) ||
                      engine_.peers().connected(dst_.device, src_.device)};
    status s = check_route(r, rules_, first_);
    if (!s.ok()) {
      s.address = s.at == side::source ? c.src : c.dst;
      return s;
    }
    if (!first_) first_ = direction_between(src_.kind, dst_.kind);
    pageable_ |= src_.kind == memory_kind::pageable || dst_.kind == memory_kind::pageable;
    return {};
  }

  engine& engine_;
  const batch_rules& rules_;
  copy* const out_;
  const attributes* what_ = nullptr;
  memory::window dst_;
  memory::window src_;
  std::optional<direction> first_;
  bool pageable_ = false;
  std::size_t admitted_ = 0;
  std::size_t bytes_ = 0;
  std::size_t largest_ = 0;
  std::uintptr_t address_bits_ = 0;
  std::vector<std::size_t> skipped_;
};

// True when nothing submitted before could make the next step wait.
bool runs_at_once(engine& e, const stream_state& to) {
  if (to.role == stream_role::non_blocking) return to.queue->empty();
  return e.queues(to.device).tails().empty();
}

// Reads the sources of [first, last) now; the step will read the copies of them. Only the source is
// early: destinations are still written in stream order.
status stage(engine& e, copy_list& list, std::span<copy> copies) {
  std::size_t bytes = 0;
  for (const copy& c : copies) bytes += c.bytes;
  if (bytes == 0) return {};
  list.staged = e.blocks().take(bytes);
  if (list.staged.data() == nullptr) return {errc::out_of_memory};

  auto* into = static_cast<std::byte*>(list.staged.data());
  std::vector<copy> early;
  early.reserve(copies.size());
  for (copy& c : copies) {
    early.push_back({into, c.src, c.bytes});
    c.src = into;
    into += c.bytes;
  }
  const std::size_t largest =
      std::max_element(early.begin(), early.end(), [](const copy& a, const copy& b) {
        return a.bytes < b.bytes;
      })->bytes;
  return e.copier().run({early, bytes, largest, 1});
}

// Everything about one submission that outlives the check.
template <class Source>
class submission {
 public:
  submission(engine& e, stream_state& to, const Source& from, const batch_rules& rules)
      : engine_(e), to_(to), from_(from), rules_(rules) {}

  result<ticket> make(std::span<const attribute_run> runs) {
    if (batch_of_nothing()) return to_.queue->last();
    if (status s = check_shape(from_.count(), runs, rules_); !s.ok()) return s;

    copy* const out = room_for(from_.count());
    if (out == nullptr) return status{errc::out_of_memory};
    gate admitted(engine_, rules_, out);
    if (status s = admit_runs(admitted, runs); !s.ok()) return s;
    if (admitted.admitted() == 0) return to_.queue->last();
    list_.work = admitted.work();
    list_.skipped = admitted.take_skipped();
    return enqueue(admitted.touched_pageable() && rules_.pageable_blocks);
  }

 private:
  // Sources of a `during_call` run, by position in the snapshot.
  struct early_range {
    std::size_t first;
    std::size_t last;
  };

  [[nodiscard]] bool batch_of_nothing() const {
    if (rules_.zeros != zero_sizes::refused_unless_all) return false;
    for (std::size_t item = 0; item != from_.count(); ++item) {
      if (from_.at(item).bytes != 0) return false;
    }
    return from_.count() != 0;
  }

  copy* room_for(std::size_t count) {
    if (count == 1) return &list_.single;
    list_.copies = engine_.blocks().take(count * sizeof(copy));
    return static_cast<copy*>(list_.copies.data());
  }

  status admit_runs(gate& admitted, std::span<const attribute_run> runs) {
    static constexpr attribute_run plain[1] = {};
    if (runs.empty()) runs = plain;
    for (std::size_t r = 0; r != runs.size(); ++r) {
      const std::size_t last = r + 1 == runs.size() ? from_.count() : runs[r + 1].first;
      const std::size_t before = admitted.admitted();
      if (status s = admitted.admit(from_, runs[r].first, last, runs[r].what); !s.ok()) return s;
      if (runs[r].what.order != source_access::during_call) continue;
      early_.push_back({before, admitted.admitted()});
    }
    return {};
  }

  result<ticket> enqueue(bool until_landed) {
    if (!early_.empty() && runs_at_once(engine_, to_)) {
      until_landed = true;  // landing at once reads the sources just as early, and copies once
    } else if (!early_.empty()) {
      if (status s = stage_early(); !s.ok()) return s;
    }
    const ticket at =
        engine_.submit(to_, std::make_unique<copy_action>(engine_.copier(), std::move(list_)));
    if (!until_landed) return at;
    static_cast<void>(to_.queue->wait(at, {}));  // also answers errors from before
    if (const status s = to_.queue->failure_of(at); !s.ok()) return s;
    return at;
  }

  status stage_early() {
    auto* const copies = const_cast<copy*>(list_.work.copies.data());
    std::vector<copy> sources;
    for (const auto& [first, last] : early_)
      sources.insert(sources.end(), copies + first, copies + last);
    if (status s = stage(engine_, list_, sources); !s.ok()) {
      if (s.item) s.item = list_.item_at(position_of_early(*s.item));
      return s;
    }
    auto staged = sources.begin();
    for (const auto& [first, last] : early_) {
      std::copy_n(staged, last - first, copies + first);
      staged += static_cast<std::ptrdiff_t>(last - first);
    }
    return {};
  }

  // Where in the snapshot the early source is.
  [[nodiscard]] std::size_t position_of_early(std::size_t source) const {
    auto range = early_.begin();
    for (; source >= range->last - range->first; ++range) source -= range->last - range->first;
    return range->first + source;
  }

  engine& engine_;
  stream_state& to_;
  const Source& from_;
  const batch_rules& rules_;
  copy_list list_;
  std::vector<early_range> early_;
};

}  // namespace

result<ticket> submit_batch(engine& e, stream_state& to, const batch& work) {
  const one_array from{work.copies()};
  return submission(e, to, from, native_rules).make(work.runs());
}

result<ticket> submit_batch(engine& e, stream_state& to, std::span<const copy> copies,
                            const attributes& what) {
  const one_array from{copies};
  const attribute_run all{0, what};
  return submission(e, to, from, native_rules).make({&all, 1});
}

result<ticket> submit_batch(engine& e, stream_state& to, const batch_view& work,
                            const batch_rules& rules) {
  if (!arrays_match(work)) return status{errc::invalid_argument};
  const parallel_arrays from{work};
  return submission(e, to, from, rules).make(work.runs);
}

status to_engine_view(const memory::address_space& space, pitched& end, const box& extent,
                      side at) {
  const memory::window w = space.window_of(end.start);
  if (w.bytes == 0) return {errc::not_an_allocation, at, {}, end.start};
  if (!w.holds(as_number(end.start), *reach(end, extent))) {
    return {errc::leaves_allocation, at, {}, end.start};
  }
  end.start = shifted(end.start, w.shift);
  return {};
}

status check_descriptor(const memory::address_space& space, const void* descriptor,
                        const descriptor_layout& layout) {
  if (descriptor == nullptr) return {errc::null_pointer};
  const auto fits = [&](std::uint32_t at, std::uint32_t bytes) {
    return at <= layout.bytes && bytes <= layout.bytes - at;
  };
  const bool sound = layout.bytes <= 64 && fits(layout.source_at, 8) &&
                     fits(layout.destination_at, 8) && fits(layout.length_at, 4);
  if (!sound) return {errc::invalid_argument};

  const memory::window w = space.window_of(descriptor);
  if (w.kind != memory_kind::device) return {errc::wrong_location, side::none, {}, descriptor};
  if (!w.holds(as_number(descriptor), layout.bytes)) {
    return {errc::leaves_allocation, side::none, {}, descriptor};
  }
  return {};
}

}  // namespace convoy
