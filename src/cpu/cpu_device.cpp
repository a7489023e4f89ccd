#include "cpu/cpu_device.hpp"

#include <algorithm>

#include "cpu/guarded_copy.hpp"
#include "cpu/plan.hpp"
#include "model/pitched_check.hpp"

namespace convoy::cpu {
namespace {

// So few bytes are copied before fetching ahead, or even choosing, has paid.
constexpr std::size_t over_at_once = 4096;

// Lines of a box that one thread takes at a time.
constexpr std::size_t unit_bytes = std::size_t{128} << 10;

class batch_job final : public job {
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
  [[nodiscard]] status outcome() const {
    if (!failed_.any()) return {};
    return {errc::fault, side::none, failed_.item()};
  }

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

// Calls `line(offset in dst, offset in src)` for every line of a box; the item of a fault is the
// line.
template <class Line>
class box_job final : public job {
 public:
  box_job(std::size_t lines, std::size_t lines_per_unit, const Line& line)
      : job((lines + lines_per_unit - 1) / lines_per_unit),
        lines_(lines),
        per_unit_(lines_per_unit),
        line_(line) {}

  void run(std::size_t unit) override {
    const std::size_t first = unit * per_unit_;
    const std::size_t last = std::min(first + per_unit_, lines_);
    for (std::size_t each = first; each != last; ++each) {
      if (!line_(each)) failed_.on(each);
    }
  }
  [[nodiscard]] status outcome() const {
    if (!failed_.any()) return {};
    return {errc::fault, side::none, failed_.item()};
  }

 private:
  const std::size_t lines_;
  const std::size_t per_unit_;
  const Line& line_;
  blame failed_;
};

template <class Line>
status for_each_line(worker_pool& workers, std::size_t lines, std::size_t width, const Line& line) {
  const std::size_t per_unit = std::clamp<std::size_t>(unit_bytes / width, 1, lines);
  box_job<Line> work(lines, per_unit, line);
  workers.do_together(work, lines * width);
  return work.outcome();
}

// One long line is cut like a box of lines. Calls `part(offset, bytes)` for every piece.
template <class Part>
status for_each_piece(worker_pool& workers, std::size_t bytes, const Part& part) {
  const auto line = [&](std::size_t index) {
    const std::size_t from = index * unit_bytes;
    return part(from, std::min(unit_bytes, bytes - from));
  };
  const std::size_t lines = (bytes + unit_bytes - 1) / unit_bytes;
  return for_each_line(workers, lines, std::min(unit_bytes, bytes), line);
}

// Line `index` of the box, counted through all slices.
std::byte* line_of(const pitched& p, const box& extent, std::size_t index) {
  return static_cast<std::byte*>(p.start) + index / extent.height * slice_bytes(p, extent) +
         index % extent.height * p.pitch;
}

}  // namespace

kernel_choice cpu_device::choose_for(const copy_work& work) {
  kernel_choice how = choose({work.copies.size(), work.bytes, work.line_bits}, processor_);
  const bool streams = how.how == stores::non_temporal;
  if (streams && recent_.come_back(work, os::clock::now())) how.how = stores::ordinary;
  return how;
}

status cpu_device::run(const copy_work& work) {
  const kernel_choice how = work.bytes <= over_at_once ? kernel_choice{} : choose_for(work);
  if (work.bytes < shared_from) {
    blame failed;
    copy_range(work.copies, 0, work.copies.size(), how, failed);
    return failed.any() ? status{errc::fault, side::none, failed.item()} : status{};
  }
  const plan cut(work);
  batch_job together(work, cut, how);
  workers_.do_together(together, work.bytes);
  return together.outcome();
}

status cpu_device::run(const pitched_copy& work) {
  if (is_empty(work.extent)) return {};
  const auto line = [&](std::size_t index) {
    return copy_guarded(line_of(work.dst, work.extent, index),
                        line_of(work.src, work.extent, index), work.extent.width, stores::ordinary);
  };
  return for_each_line(workers_, work.extent.height * work.extent.depth, work.extent.width, line);
}

status cpu_device::fill(const pitched& where, const box& extent, fill_pattern pattern) {
  if (is_empty(extent)) return {};
  const std::uint32_t word = repeated(pattern.value, pattern.unit);
  if (extent.height == 1 && extent.depth == 1) {
    const auto part = [&](std::size_t from, std::size_t bytes) {
      return fill_guarded(static_cast<std::byte*>(where.start) + from, word, bytes,
                          stores::ordinary);
    };
    return for_each_piece(workers_, extent.width, part);
  }
  const auto line = [&](std::size_t index) {
    return fill_guarded(line_of(where, extent, index), word, extent.width, stores::ordinary);
  };
  return for_each_line(workers_, extent.height * extent.depth, extent.width, line);
}

status cpu_device::reduce(const reduction& work) {
  if (work.bytes == 0) return {};
  const auto part = [&](std::size_t from, std::size_t bytes) {
    return reduce_guarded({static_cast<std::byte*>(work.dst) + from,
                           static_cast<const std::byte*>(work.src) + from, bytes, work.kind,
                           work.type});
  };
  return {for_each_piece(workers_, work.bytes, part).code};  // pieces are no items
}

}  // namespace convoy::cpu
