// Validates the copies of a batch and writes the snapshot of them.
//
// Item i of the snapshot is item i of the caller, with engine addresses, so that a fault names the
// right item; copies of zero bytes stay in it. The validator remembers the windows of the last
// copies: most batches stay inside a few allocations, and then a copy costs about a nanosecond.
// Idle workers help with long batches.
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

// The state and the rules that copies are checked against.
struct validation_context {
  const memory::address_space& space;
  const peer_table& peers;
  const batch_rules& rules;
  // Of the first copy that is not empty; unset when the validator itself reaches that copy.
  std::optional<direction> first_direction = {};
};

// Properties of the copies, collected during validation.
struct batch_summary {
  copy_totals totals;
  bool pageable = false;
  bool may_fault = false;  // memory of the program is among the ends
  directions directions_used = {};

  void add(const batch_summary& more) noexcept {
    totals.add(more.totals);
    pageable = pageable || more.pageable;
    may_fault = may_fault || more.may_fault;
    directions_used.bits |= more.directions_used.bits;
  }
};

// Checks copies in order and adds their properties to `found`.
class batch_validator {
 public:
  batch_validator(const validation_context& context, batch_summary& found)
      : context_(context), found_(found), first_direction_(context.first_direction) {}

  // Validates items [first, last), which share `attrs`, and writes them to out[first, last).
  template <class Arrays>
  status validate(const Arrays& arrays, std::size_t first, std::size_t last,
                  const attributes& attrs, copy* out) {
    if (last - first == 1)
      return validate_single(arrays.at(first), arrays.capacity(first), attrs, out, first);
    windows_.dst.bytes = 0;  // another run: its attributes may refuse the same windows
    recent_windows_.clear();
    while (first != last) {
      const copy c = arrays.at(first);
      status s = validate_first(c, arrays.capacity(first), attrs);
      if (!s.ok()) {
        s.item = first;
        return s;
      }
      if (c.bytes == 0) {
        out[first++] = c;
      } else if (misses_) {
        remember();
      }
      first = accept_known(arrays, first, last, out);
    }
    return {};
  }

 private:
  // Accepts items as long as their ends are in the current windows, in recent ones, or in other
  // allocations of the same kind and device; returns the first that is not. Tries vectors, and less
  // often when that fails because every copy goes to another allocation.
  template <class Arrays>
  std::size_t accept_known(const Arrays& arrays, const std::size_t first, std::size_t last,
                           copy* out) {
    constexpr std::size_t min_vector_copies = 8;
    constexpr std::size_t many = 256;
    std::size_t item = first;
    for (std::size_t singly = misses_ ? min_vector_copies : 0; item != last;) {
      const std::size_t singly_end = std::min(last, item + singly);
      if (singly != 0) item = accept_singly(arrays, item, singly_end, out);
      if (item != singly_end) break;
      const std::size_t accepted =
          last - item < min_vector_copies ? 0 : accept_vectors(arrays, item, last, out);
      singly = accepted == 0 ? std::clamp(singly * 2, min_vector_copies, many) : min_vector_copies;
      item += accepted;
    }
    misses_ = item - first < min_vector_copies;
    return item;
  }

  template <class Arrays>
  std::size_t accept_vectors(const Arrays& arrays, std::size_t item, std::size_t last, copy* out) {
    return memory::check_in_windows(arrays.starting_at(item), last - item, windows_, out + item,
                                    found_.totals);
  }

  // Uses locals, because the compiler must assume that a store to `out` changes members.
  template <class Arrays>
  std::size_t accept_singly(const Arrays& arrays, std::size_t item, std::size_t last, copy* out) {
    memory::copy_windows current = windows_;
    copy_totals totals = found_.totals;
    for (; item != last; ++item) {
      const copy c = arrays.at(item);
      const bool known =
          current.contain(c) || recall(c, current) ||
          (reaches(current.dst, c.dst, c.bytes) && reaches(current.src, c.src, c.bytes));
      if (!known || c.bytes > arrays.capacity(item)) break;
      const copy inside{current.dst.engine_address(c.dst), current.src.engine_address(c.src),
                        c.bytes};
      out[item] = inside;
      totals.add(inside);
    }
    windows_ = current;
    found_.totals = totals;
    return item;
  }

  // For copies that alternate between a few allocations.
  void remember() {
    constexpr std::size_t most = 4;
    if (recent_windows_.size() == most) recent_windows_.erase(recent_windows_.begin());
    recent_windows_.push_back(windows_);
  }
  bool recall(const copy& c, memory::copy_windows& current) const {
    for (const memory::copy_windows& each : recent_windows_) {
      if (!each.contain(c)) continue;
      current = each;
      return true;
    }
    return false;
  }

  // True when the range lies in the window, or in another one of the same kind and device, which
  // then replaces it: the checks of kind and device still hold.
  bool reaches(memory::window& w, const void* start, std::size_t size) const {
    if (w.contains(start, size)) return true;
    if (w.bytes == 0) return false;
    const memory::window other = context_.space.window_of(start);
    if (other.kind != w.kind || other.device != w.device || !other.contains(start, size))
      return false;
    w = other;
    return true;
  }

  // Validates one item and writes out[item], without remembering its windows.
  status validate_single(const copy& c, std::size_t capacity, const attributes& attrs, copy* out,
                         std::size_t item);

  status validate_first(const copy& c, std::size_t capacity, const attributes& attrs);
  status check_window(memory::window& w, const void* start, std::size_t size, copy_side side) const;
  status check_route_of(const copy& c, const attributes& attrs);

  const validation_context context_;
  batch_summary& found_;
  std::optional<direction> first_direction_;
  memory::copy_windows windows_;  // of the last copy
  bool misses_ = false;           // few copies were in known windows
  std::vector<memory::copy_windows> recent_windows_;
};

// The arrays of the caller and the destination of the snapshot.
template <class Arrays>
struct batch_input {
  const Arrays& arrays;
  std::span<const attribute_run> runs;
  copy* out;

  // Validates items [first, last), run by run.
  status validate(batch_validator& validator, std::size_t first, std::size_t last) const {
    if (runs.size() == 1) return validator.validate(arrays, first, last, runs.front().attrs, out);
    const auto starts_later = [](std::size_t item, const attribute_run& r) {
      return item < r.first;
    };
    auto run = std::upper_bound(runs.begin(), runs.end(), first, starts_later) - 1;
    for (; first != last; ++run) {
      const auto following = run + 1;
      const std::size_t end = following == runs.end() ? last : std::min(last, following->first);
      if (const status s = validator.validate(arrays, first, end, run->attrs, out); !s.ok())
        return s;
      first = end;
    }
    return {};
  }
};

// Validates a long batch in chunks, which several threads take.
template <class Arrays>
class parallel_validation final : public threads::job {
 public:
  // Copies in a chunk; a shorter batch is validated by one thread.
  static constexpr std::size_t chunk_copies = 4096;

  parallel_validation(const validation_context& context, const batch_input<Arrays>& work)
      : job((work.arrays.count() + chunk_copies - 1) / chunk_copies),
        context_(context),
        work_(work) {}

  // Valid when the job is done.
  [[nodiscard]] const status& error() const noexcept { return first_error_; }
  [[nodiscard]] const batch_summary& found() const noexcept { return found_; }

 private:
  void run(std::size_t unit) override {
    const std::size_t first = unit * chunk_copies;
    batch_summary summary;
    batch_validator validator(context_, summary);
    const status s =
        work_.validate(validator, first, std::min(first + chunk_copies, work_.arrays.count()));

    const lock held(mutex_);
    found_.add(summary);
    if (!s.ok() && (first_error_.ok() || *s.item < *first_error_.item)) first_error_ = s;
  }

  const validation_context context_;
  const batch_input<Arrays> work_;

  mutex mutex_;
  status first_error_ = {};
  batch_summary found_;
};

}  // namespace convoy
