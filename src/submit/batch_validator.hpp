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
struct validation_context {
  const memory::address_space& space;
  const peer_table& peers;
  const batch_rules& rules;
  // Of the batch's first copy that moves anything; unset for whoever comes to that copy first.
  std::optional<direction> first_direction = {};
};

// What was learned about the copies on the way.
struct batch_summary {
  copy_totals totals;
  bool pageable = false;
  directions directions_used = {};

  void add(const batch_summary& more) noexcept {
    totals.add(more.totals);
    pageable = pageable || more.pageable;
    directions_used.bits |= more.directions_used.bits;
  }
};

// Checks copies one after the other, and adds what it learns to `found`.
class batch_validator {
 public:
  batch_validator(const validation_context& context, batch_summary& found)
      : context_(context), found_(found), first_direction_(context.first_direction) {}

  // Items [first, last), which share `what`, into out[first, last).
  template <class Source>
  status validate(const Source& from, std::size_t first, std::size_t last, const attributes& attrs,
                  copy* out) {
    if (last - first == 1)
      return validate_single(from.at(first), from.capacity(first), attrs, out, first);
    windows_.dst.bytes = 0;  // another run: the same place may now be wrong
    recent_windows_.clear();
    while (first != last) {
      const copy c = from.at(first);
      status s = validate_first(c, from.capacity(first), attrs);
      if (!s.ok()) {
        s.item = first;
        return s;
      }
      if (c.bytes == 0) {
        out[first++] = c;
      } else if (misses_) {
        remember();
      }
      first = accept_known(from, first, last, out);
    }
    return {};
  }

 private:
  // Passes items as long as they are where the last ones were, in the same allocation or in another
  // one of the same place; answers the first that is not. Tries vectors of them, and less often
  // when that is in vain because every copy goes to another allocation, or to another place.
  template <class Source>
  std::size_t accept_known(const Source& from, const std::size_t first, std::size_t last,
                           copy* out) {
    constexpr std::size_t max_quick_copies = 8;
    constexpr std::size_t many = 256;
    std::size_t item = first;
    for (std::size_t singly = misses_ ? max_quick_copies : 0; item != last;) {
      const std::size_t soon = std::min(last, item + singly);
      if (singly != 0) item = accept_singly(from, item, soon, out);
      if (item != soon) break;
      const std::size_t accepted =
          last - item < max_quick_copies ? 0 : accept_vectors(from, item, last, out);
      singly = accepted == 0 ? std::clamp(singly * 2, max_quick_copies, many) : max_quick_copies;
      item += accepted;
    }
    misses_ = item - first < max_quick_copies;
    return item;
  }

  template <class Source>
  std::size_t accept_vectors(const Source& from, std::size_t item, std::size_t last, copy* out) {
    return memory::check_in_windows(from.from(item), last - item, windows_, out + item,
                                    found_.totals);
  }

  // Works on locals, because the compiler must assume that writing a copy may change a member.
  template <class Source>
  std::size_t accept_singly(const Source& from, std::size_t item, std::size_t last, copy* out) {
    memory::copy_windows here = windows_;
    copy_totals totals = found_.totals;
    for (; item != last; ++item) {
      const copy c = from.at(item);
      const bool known = here.contain(c) || recall(c, here) ||
                         (reaches(here.dst, c.dst, c.bytes) && reaches(here.src, c.src, c.bytes));
      if (!known || c.bytes > from.capacity(item)) break;
      const copy inside{here.dst.engine_address(c.dst), here.src.engine_address(c.src), c.bytes};
      out[item] = inside;
      totals.add(inside);
    }
    windows_ = here;
    found_.totals = totals;
    return item;
  }

  // Copies that go back and forth come to the same few places again and again.
  void remember() {
    constexpr std::size_t most = 4;
    if (recent_windows_.size() == most) recent_windows_.erase(recent_windows_.begin());
    recent_windows_.push_back(windows_);
  }
  bool recall(const copy& c, memory::copy_windows& here) const {
    for (const memory::copy_windows& each : recent_windows_) {
      if (!each.contain(c)) continue;
      here = each;
      return true;
    }
    return false;
  }

  // True when the range lies in the window, or in one of the same place, which then takes over:
  // what was checked about the place still holds.
  bool reaches(memory::window& w, const void* from, std::size_t size) const {
    if (w.contains(from, size)) return true;
    if (w.bytes == 0) return false;
    const memory::window other = context_.space.window_of(from);
    if (other.kind != w.kind || other.device != w.device || !other.contains(from, size))
      return false;
    w = other;
    return true;
  }

  // One item into out[item]: there is nothing to remember for the next.
  status validate_single(const copy& c, std::size_t capacity, const attributes& attrs, copy* out,
                         std::size_t item);

  status validate_first(const copy& c, std::size_t capacity, const attributes& attrs);
  status check_route_of(const copy& c, const attributes& attrs);

  const validation_context context_;
  batch_summary& found_;
  std::optional<direction> first_direction_;
  memory::copy_windows windows_;  // of the last copies
  bool misses_ = false;           // few of them were in the same place
  std::vector<memory::copy_windows> recent_windows_;
};

// A batch as its caller holds it, and where the snapshot goes.
template <class Source>
struct batch_input {
  const Source& from;
  std::span<const attribute_run> runs;
  copy* out;

  // Items [first, last), run by run.
  status validate(batch_validator& with, std::size_t first, std::size_t last) const {
    if (runs.size() == 1) return with.validate(from, first, last, runs.front().attrs, out);
    const auto starts_later = [](std::size_t item, const attribute_run& r) {
      return item < r.first;
    };
    auto run = std::upper_bound(runs.begin(), runs.end(), first, starts_later) - 1;
    for (; first != last; ++run) {
      const auto following = run + 1;
      const std::size_t end = following == runs.end() ? last : std::min(last, following->first);
      if (const status s = with.validate(from, first, end, run->attrs, out); !s.ok()) return s;
      first = end;
    }
    return {};
  }
};

// A long batch, cut into stretches that threads can take one by one.
template <class Source>
class parallel_validation final : public threads::job {
 public:
  // Copies in a stretch; a batch of no more is not worth sharing.
  static constexpr std::size_t stretch = 4096;

  parallel_validation(const validation_context& context, const batch_input<Source>& work)
      : job((work.from.count() + stretch - 1) / stretch), context_(context), work_(work) {}

  // Only once all of the job is done.
  [[nodiscard]] const status& error() const noexcept { return first_bad_; }
  [[nodiscard]] const batch_summary& found() const noexcept { return found_; }

 private:
  void run(std::size_t unit) override {
    const std::size_t first = unit * stretch;
    batch_summary learned;
    batch_validator mine(context_, learned);
    const status s = work_.validate(mine, first, std::min(first + stretch, work_.from.count()));

    const lock held(mutex_);
    found_.add(learned);
    if (!s.ok() && (first_bad_.ok() || *s.item < *first_bad_.item)) first_bad_ = s;
  }

  const validation_context context_;
  const batch_input<Source> work_;

  mutex mutex_;
  status first_bad_ = {};
  batch_summary found_;
};

}  // namespace convoy
