#include "cpu/cpu_device.hpp"

#include <algorithm>

#include "cpu/guarded_copy.hpp"
#include "cpu/plan.hpp"
#include "cpu/rows.hpp"

namespace convoy::cpu {
namespace {

// So few bytes are copied before fetching ahead, or even choosing, has paid.
constexpr std::size_t over_at_once = 4096;

status outcome_of(const blame& failed) {
  if (!failed.any()) return {};
  return {errc::fault, copy_side::none, failed.item()};
}

class batch_job final : public threads::job {
 public:
  batch_job(const copy_work& work, const plan& cut, kernel_choice how)
      : job(cut.units()), work_(work), plan_(cut), how_(how) {}

  void run(std::size_t unit) override {
    if (unit < plan_.pieces()) {
      run_piece(plan_.piece_at(unit));
    } else {
      run_range(plan_.range_at(unit));
    }
  }
  [[nodiscard]] status error() const { return outcome_of(failed_); }

 private:
  void run_piece(const piece& p) {
    if (failed_.item() == p.item) return;  // the rest of it need not be tried
    const copy& whole = work_.copies[p.item];
    const bool landed =
        copy_guarded(static_cast<std::byte*>(whole.dst) + p.offset,
                     static_cast<const std::byte*>(whole.src) + p.offset, p.bytes, how_.how);
    if (!landed) failed_.on(p.item);
  }

  // The copies of the range that are not cut up.
  void run_range(range r) {
    for (std::size_t item = r.first; plan_.pieces() != 0 && item != r.last; ++item) {
      if (work_.copies[item].bytes < cut_from) continue;
      copy_range(work_.copies, r.first, item, how_, failed_);
      r.first = item + 1;
    }
    copy_range(work_.copies, r.first, r.last, how_, failed_);
  }

  const copy_work& work_;
  const plan& plan_;
  const kernel_choice how_;
  blame failed_;
};

// Calls `share(parts, failed)` for every unit of a plan.
template <class Share>
class row_job final : public threads::job {
 public:
  row_job(const row_plan& cut, const Share& share) : job(cut.units()), plan_(cut), share_(share) {}

  void run(std::size_t unit) override { share_(plan_.parts_of(unit), failed_); }
  [[nodiscard]] status error() const { return outcome_of(failed_); }

 private:
  const row_plan& plan_;
  const Share& share_;
  blame failed_;
};

template <class Share>
status share_out(threads::worker_pool& workers, const row_plan& cut, const Share& share) {
  row_job<Share> work(cut, share);
  if (cut.bytes() < shared_from) {
    work.work();
  } else {
    workers.do_together(work, cut.bytes());
  }
  return work.error();
}

batch_shape shape_of(const row_plan& cut, const pitched& dst) {
  const std::uintptr_t lines = reinterpret_cast<std::uintptr_t>(dst.start) | dst.pitch |
                               slice_bytes(dst, cut.extent()) | cut.extent().width;
  return {cut.rows(), cut.bytes(), lines};
}

footprint place_of(const row_plan& cut, const pitched& dst) {
  const row_walk last(cut, cut.rows() * cut.parts_per_row() - 1);
  return {dst.start, last.address_in(dst), cut.bytes()};
}

}  // namespace

kernel_choice cpu_device::choose_for(const batch_shape& shape, const footprint& place) {
  kernel_choice how = choose(shape, processor_);
  const bool streams = how.how == stores::non_temporal;
  if (streams && recent_.come_back(place, os::clock::now())) how.how = stores::ordinary;
  return how;
}

kernel_choice cpu_device::choose_for(const copy_work& work) {
  if (work.bytes <= over_at_once) return {};
  return choose_for({work.copies.size(), work.bytes, work.line_bits},
                    {work.copies.front().dst, work.copies.back().dst, work.bytes});
}

status cpu_device::run(const copy_work& work) {
  const kernel_choice how = choose_for(work);
  if (work.bytes < shared_from) {
    blame failed;
    copy_range(work.copies, 0, work.copies.size(), how, failed);
    return outcome_of(failed);
  }
  const plan cut(work);
  batch_job together(work, cut, how);
  workers_.do_together(together, work.bytes);
  return together.error();
}

status cpu_device::run(const pitched_copy& work) {
  if (is_empty(work.extent)) return {};
  const row_plan cut(work.extent);
  const kernel_choice how = choose_for(shape_of(cut, work.dst), place_of(cut, work.dst));
  return share_out(workers_, cut,
                   [&](range parts, blame& failed) { copy_rows(work, cut, parts, how, failed); });
}

status cpu_device::fill(const pitched& where, const box& extent, fill_pattern pattern) {
  if (is_empty(extent)) return {};
  const row_plan cut(extent);
  const std::uint32_t word = repeated(pattern.value, pattern.unit);
  const stores how = choose_for(shape_of(cut, where), place_of(cut, where)).how;
  return share_out(workers_, cut, [&](range parts, blame& failed) {
    fill_rows(where, cut, parts, word, how, failed);
  });
}

status cpu_device::reduce(const reduction& work) {
  if (work.bytes == 0) return {};
  const row_plan cut({work.bytes, 1, 1});
  const auto share = [&](range parts, blame& failed) {
    for (row_walk at(cut, parts.first); parts.first != parts.last; ++parts.first, at.step()) {
      const reduction part{at.address_in({work.dst}), at.address_in({const_cast<void*>(work.src)}),
                           at.bytes(), work.kind, work.type};
      if (!reduce_guarded(part)) failed.on(0);
    }
  };
  return {share_out(workers_, cut, share).code};  // it has no items
}

}  // namespace convoy::cpu
