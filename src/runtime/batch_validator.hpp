// The check of a batch's copies, together with the snapshot of them.
//
// Item i of the snapshot is item i of the caller, in the engine's addresses, so that a fault can be
// blamed on the right one; copies of zero bytes stay in it. What is known about the last pointers
// is kept for the next ones: batches mostly stay inside a few allocations, and then a copy costs
// about a nanosecond. Workers that are awake help with long batches.
#pragma once

#include <algorithm>
#include <convoy/batch.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/mutex.hpp"
#include "memory/address_space.hpp"
#include "memory/peer_table.hpp"
#include "memory/window_check.hpp"
#include "model/batch_check.hpp"
#include "seam/device.hpp"
#include "threads/parallel_jobs.hpp"

namespace convoy {

// What the copies are checked against.
struct inspection_context {
  const memory::address_space& space;
  const peer_table& peers;
  const batch_rules& rules;
  // Of the batch's first copy that moves anything; unset for whoever comes to that copy first.
  std::optional<direction> first_way = {};
};

// What was learned about the copies on the way.
struct findings {
  memory::sieve_sums sums;
  bool pageable = false;
  directions ways = {};

  void add(const findings& more) noexcept {
    sums.bytes += more.sums.bytes;
    sums.largest = std::max(sums.largest, more.sums.largest);
    sums.line_bits |= more.sums.line_bits;
    pageable = pageable || more.pageable;
    ways.bits |= more.ways.bits;
  }
};

// Checks copies one after the other, and adds what it learns to `found`.
class inspector {
 public:
  inspector(const inspection_context& context, findings& found)
      : context_(context), found_(found), first_way_(context.first_way) {}

  // Items [first, last), which share `what`, into out[first, last).
  template <class Source>
  status inspect(const Source& from, std::size_t first, std::size_t last, const attributes& what,
                 copy* out) {
    if (last - first == 1)
      return inspect_single(from.at(first), from.capacity(first), what, out, first);
    here_.dst.bytes = 0;  // another run: the same place may now be wrong
    seen_.clear();
    while (first != last) {
      const copy c = from.at(first);
      status s = look_up(c, from.capacity(first), what);
      if (!s.ok()) {
        s.item = first;
        return s;
      }
      if (c.bytes == 0) {
        out[first++] = c;
      } else if (strays_) {
        remember();
      }
      first = pass_known(from, first, last, out);
    }
    return {};
  }

 private:
  // Passes items as long as they are where the last ones were, in the same allocation or in another
  // one of the same place; answers the first that is not. Tries vectors of them, and less often
  // when that is in vain because every copy goes to another allocation, or to another place.
  template <class Source>
  std::size_t pass_known(const Source& from, const std::size_t first, std::size_t last, copy* out) {
    constexpr std::size_t few = 8;
    constexpr std::size_t many = 256;
    std::size_t item = first;
    for (std::size_t singly = strays_ ? few : 0; item != last;) {
      const std::size_t soon = std::min(last, item + singly);
      if (singly != 0) item = pass_singly(from, item, soon, out);
      if (item != soon) break;
      const std::size_t sifted = last - item < few ? 0 : sift(from, item, last, out);
      singly = sifted == 0 ? std::clamp(singly * 2, few, many) : few;
      item += sifted;
    }
    strays_ = item - first < few;
    return item;
  }

  template <class Source>
  std::size_t sift(const Source& from, std::size_t item, std::size_t last, copy* out) {
    return memory::sieve(from.from(item), last - item, here_, out + item, found_.sums);
  }

  // Works on locals, because the compiler must assume that writing a copy may change a member.
  template <class Source>
  std::size_t pass_singly(const Source& from, std::size_t item, std::size_t last, copy* out) {
    memory::sieve_windows here = here_;
    memory::sieve_sums sums = found_.sums;
    for (; item != last; ++item) {
      const copy c = from.at(item);
      const bool known = here.hold(c) || recall(c, here) ||
                         (reaches(here.dst, c.dst, c.bytes) && reaches(here.src, c.src, c.bytes));
      if (!known || c.bytes > from.capacity(item)) break;
      const copy inside{here.dst.inside(c.dst), here.src.inside(c.src), c.bytes};
      out[item] = inside;
      sums.bytes += inside.bytes;
      sums.largest = std::max(sums.largest, inside.bytes);
      sums.line_bits |= reinterpret_cast<std::uintptr_t>(inside.dst) | inside.bytes;
    }
    here_ = here;
    found_.sums = sums;
    return item;
  }

  // Copies that go back and forth come to the same few places again and again.
  void remember() {
    constexpr std::size_t most = 4;
    if (seen_.size() == most) seen_.erase(seen_.begin());
    seen_.push_back(here_);
  }
  bool recall(const copy& c, memory::sieve_windows& here) const {
    for (const memory::sieve_windows& each : seen_) {
      if (!each.hold(c)) continue;
      here = each;
      return true;
    }
    return false;
  }

  // True when the range lies in the window, or in one of the same place, which then takes over:
  // what was checked about the place still holds.
  bool reaches(memory::window& w, const void* from, std::size_t size) const {
    if (w.holds(from, size)) return true;
    if (w.bytes == 0) return false;
    const memory::window other = context_.space.window_of(from);
    if (other.kind != w.kind || other.device != w.device || !other.holds(from, size)) return false;
    w = other;
    return true;
  }

  // One item into out[item]: there is nothing to remember for the next.
  status inspect_single(const copy& c, std::size_t capacity, const attributes& what, copy* out,
                        std::size_t item);

  status look_up(const copy& c, std::size_t capacity, const attributes& what);
  status check_places(const copy& c, const attributes& what);

  const inspection_context context_;
  findings& found_;
  std::optional<direction> first_way_;
  memory::sieve_windows here_;  // of the last copies
  bool strays_ = false;         // few of them were in the same place
  std::vector<memory::sieve_windows> seen_;
};

// A batch as its caller holds it, and where the snapshot goes.
template <class Source>
struct inspected_batch {
  const Source& from;
  std::span<const attribute_run> runs;
  copy* out;

  // Items [first, last), run by run.
  status inspect(inspector& with, std::size_t first, std::size_t last) const {
    if (runs.size() == 1) return with.inspect(from, first, last, runs.front().attrs, out);
    const auto starts_later = [](std::size_t item, const attribute_run& r) {
      return item < r.first;
    };
    auto run = std::upper_bound(runs.begin(), runs.end(), first, starts_later) - 1;
    for (; first != last; ++run) {
      const auto following = run + 1;
      const std::size_t end = following == runs.end() ? last : std::min(last, following->first);
      if (const status s = with.inspect(from, first, end, run->attrs, out); !s.ok()) return s;
      first = end;
    }
    return {};
  }
};

// A long batch, cut into stretches that threads can take one by one.
template <class Source>
class shared_inspection final : public threads::job {
 public:
  // Copies in a stretch; a batch of no more is not worth sharing.
  static constexpr std::size_t stretch = 4096;

  shared_inspection(const inspection_context& context, const inspected_batch<Source>& work)
      : job((work.from.count() + stretch - 1) / stretch), context_(context), work_(work) {}

  // Only once all of the job is done.
  [[nodiscard]] const status& error() const noexcept { return first_bad_; }
  [[nodiscard]] const findings& found() const noexcept { return found_; }

 private:
  void run(std::size_t unit) override {
    const std::size_t first = unit * stretch;
    findings learned;
    inspector mine(context_, learned);
    const status s = work_.inspect(mine, first, std::min(first + stretch, work_.from.count()));

    const lock held(mutex_);
    found_.add(learned);
    if (!s.ok() && (first_bad_.ok() || *s.item < *first_bad_.item)) first_bad_ = s;
  }

  const inspection_context context_;
  const inspected_batch<Source> work_;

  mutex mutex_;
  status first_bad_ = {};
  findings found_;
};

}  // namespace convoy
