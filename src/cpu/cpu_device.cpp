#include "cpu/cpu_device.hpp"

#include <algorithm>

#include "cpu/guarded_copy.hpp"
#include "cpu/plan.hpp"
#include "cpu/rows.hpp"
#include "os/fault_guard.hpp"

namespace convoy::cpu {
namespace {

// Up to this size the choice of a kernel and prefetches cost more than they gain.
constexpr std::size_t choice_threshold = 4096;

class batch_job final : public threads::job {
 public:
  batch_job(const copy_work& work, const plan& cut, kernel_choice kernel)
      : job(cut.units()), work_(work), plan_(cut), kernel_(kernel) {}

  void run(std::size_t unit) override {
    const os::unblocked_faults unblocked(may_fault_);
    if (unit < plan_.pieces()) {
      run_piece(plan_.piece_at(unit));
    } else {
      run_range(plan_.range_at(unit));
    }
  }
  [[nodiscard]] status error() const { return failed_.outcome(); }

 private:
  void run_piece(const piece& p) {
    if (failed_.item() == p.item) return;  // skip the remaining pieces of a failed copy
    const copy& whole = work_.copies[p.item];
    const copy part{static_cast<std::byte*>(whole.dst) + p.offset,
                    static_cast<const std::byte*>(whole.src) + p.offset, p.bytes};
    const void* address = nullptr;
    if (copy_guarded(part, kernel_.stores, &address)) return;
    access_fault fault = fault_of(part, address);
    fault.bytes = whole.bytes;
    failed_.record(p.item, fault);
  }

  // The copies of the range that are not cut into pieces.
  void run_range(range r) {
    for (std::size_t item = r.first; plan_.pieces() != 0 && item != r.last; ++item) {
      if (work_.copies[item].bytes < cut_threshold) continue;
      copy_range(work_.copies, r.first, item, kernel_, failed_);
      r.first = item + 1;
    }
    copy_range(work_.copies, r.first, r.last, kernel_, failed_);
  }

  const copy_work& work_;
  const plan& plan_;
  const kernel_choice kernel_;
  const bool may_fault_ = os::guarded_step::active();  // in its owner; a helper is another thread
  lowest_failed_item failed_;
};

// Calls `run_parts(parts, failed)` for every unit of a plan.
template <class RunParts>
class row_job final : public threads::job {
 public:
  row_job(const row_plan& cut, const RunParts& run_parts)
      : job(cut.units()), plan_(cut), run_parts_(run_parts) {}

  void run(std::size_t unit) override {
    const os::unblocked_faults unblocked(may_fault_);
    run_parts_(plan_.parts_of(unit), failed_);
  }
  [[nodiscard]] bool is_over(std::size_t unit) const override {
    return failed_.any() && failed_.leaves_out(plan_.row_of(plan_.parts_of(unit).first));
  }
  [[nodiscard]] status error() const { return failed_.outcome(); }

 private:
  const row_plan& plan_;
  const RunParts& run_parts_;
  const bool may_fault_ = os::guarded_step::active();
  lowest_failed_item failed_;
};

template <class RunParts>
status run_rows(threads::worker_pool& workers, const row_plan& cut, const RunParts& run_parts) {
  row_job<RunParts> work(cut, run_parts);
  if (cut.bytes() < share_threshold) {
    work.work();
  } else {
    workers.run_job(work, cut.bytes());
  }
  return work.error();
}

batch_shape shape_of(const row_plan& cut, const pitched& dst) {
  const std::uintptr_t lines = reinterpret_cast<std::uintptr_t>(dst.start) | dst.pitch |
                               slice_bytes(dst, cut.extent()) | cut.extent().width;
  return {cut.rows(), {.bytes = cut.bytes(), .line_bits = lines}};
}

footprint area_of(const row_plan& cut, const pitched& dst) {
  const row_walk last(cut, cut.rows() * cut.parts_per_row() - 1);
  return {dst.start, last.address_in(dst), cut.bytes()};
}

}  // namespace

kernel_choice cpu_device::choose_for(const batch_shape& shape, const footprint& area) {
  kernel_choice kernel = choose(shape, processor_);
  const bool non_temporal = kernel.stores == store_kind::non_temporal;
  if (non_temporal && reuse_.seen_recently(area, os::clock::now()))
    kernel.stores = store_kind::ordinary;
  return kernel;
}

kernel_choice cpu_device::choose_for(const copy_work& work) {
  if (work.totals.bytes <= choice_threshold) return {};
  return choose_for({work.copies.size(), work.totals},
                    {work.copies.front().dst, work.copies.back().dst, work.totals.bytes});
}

status cpu_device::run(const copy_work& work) {
  const kernel_choice kernel = choose_for(work);
  if (work.totals.bytes < share_threshold) {
    lowest_failed_item failed;
    copy_range(work.copies, 0, work.copies.size(), kernel, failed);
    return failed.outcome();
  }
  const plan cut(work);
  batch_job shared_job(work, cut, kernel);
  workers_.run_job(shared_job, work.totals.bytes);
  return shared_job.error();
}

status cpu_device::run(const pitched_copy& work) {
  if (is_empty(work.extent)) return {};
  const row_plan cut(work.extent);
  const kernel_choice kernel = choose_for(shape_of(cut, work.dst), area_of(cut, work.dst));
  return run_rows(workers_, cut, [&](range parts, lowest_failed_item& failed) {
    copy_rows(work, cut, parts, kernel, failed);
  });
}

status cpu_device::fill(const pitched& target, const box& extent, fill_pattern pattern) {
  if (is_empty(extent)) return {};
  const row_plan cut(extent);
  const std::uint32_t word = repeated(pattern.value, pattern.unit);
  const store_kind stores = choose_for(shape_of(cut, target), area_of(cut, target)).stores;
  return run_rows(workers_, cut, [&](range parts, lowest_failed_item& failed) {
    fill_rows(target, cut, parts, word, stores, failed);
  });
}

status cpu_device::reduce(const reduction& work) {
  if (work.bytes == 0) return {};
  const row_plan cut({work.bytes, 1, 1});
  const auto run_parts = [&](range parts, lowest_failed_item& failed) {
    for (row_walk at(cut, parts.first); parts.first != parts.last; ++parts.first, at.step()) {
      const reduction part{at.address_in({work.dst}), at.address_in({const_cast<void*>(work.src)}),
                           at.bytes(), work.kind, work.type};
      const void* address = nullptr;
      if (reduce_guarded(part, &address)) continue;
      access_fault fault = fault_of({part.dst, part.src, part.bytes}, address);
      fault.bytes = work.bytes;
      failed.record(0, fault);
    }
  };
  status outcome = run_rows(workers_, cut, run_parts);
  outcome.item.reset();  // a reduction has no items
  return outcome;
}

}  // namespace convoy::cpu
