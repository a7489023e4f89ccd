// Compiled once per instruction set: foreach_target.h includes this file again for each.

#include "memory/window_check.hpp"
#include "os/cpu_features.hpp"

#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_F16C
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "memory/window_check_targets.cpp"
// clang-format off
#include <hwy/foreach_target.h>  // before the headers it includes for each target
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace convoy::memory::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using words = hn::ScalableTag<std::uint64_t>;
using vector = hn::Vec<words>;

static_assert(sizeof(copy) == 3 * sizeof(std::uint64_t));

struct loaded {
  vector dst;
  vector src;
  vector bytes;
  vector capacity;
};

HWY_INLINE vector load(const void* at) {
  return hn::LoadU(words{}, static_cast<const std::uint64_t*>(at));
}

HWY_INLINE loaded load(const copy_columns& in, std::size_t item) {
  const vector no_limit = hn::Set(words{}, UINT64_MAX);
  return {load(in.dsts + item), load(in.srcs + item), load(in.sizes + item),
          in.capacities == nullptr ? no_limit : load(in.capacities + item)};
}

HWY_INLINE loaded load(const copy_structs& in, std::size_t item) {
  vector dst;
  vector src;
  vector bytes;
  hn::LoadInterleaved3(words{}, reinterpret_cast<const std::uint64_t*>(in.copies + item), dst, src,
                       bytes);
  return {dst, src, bytes, hn::Set(words{}, UINT64_MAX)};
}

// window::contains() for a vector of addresses.
struct wide_window {
  vector start;
  vector size;
  vector shift;

  HWY_INLINE explicit wide_window(const memory::window& w)
      : start(hn::Set(words{}, w.start)),
        size(hn::Set(words{}, w.bytes)),
        shift(hn::Set(words{}, static_cast<std::uint64_t>(w.shift))) {}

  HWY_INLINE auto contains(vector from, vector bytes_less_one) const {
    const vector offset = hn::Sub(from, start);
    return hn::And(hn::Lt(offset, size), hn::Lt(bytes_less_one, hn::Sub(size, offset)));
  }
};

template <class Arrangement>
std::size_t check_in_windows(const Arrangement& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums) {
  const words tag;
  const wide_window dst(windows.dst);
  const wide_window src(windows.src);
  const vector one = hn::Set(tag, 1);
  vector total = hn::Zero(tag);
  vector largest = hn::Zero(tag);
  vector bits = hn::Zero(tag);
  std::size_t item = 0;
  for (const std::size_t step = hn::Lanes(tag); item + step <= count; item += step) {
    const loaded c = load(in, item);
    const vector less_one = hn::Sub(c.bytes, one);
    const auto inside = hn::And(dst.contains(c.dst, less_one), src.contains(c.src, less_one));
    if (!hn::AllTrue(tag, hn::And(inside, hn::Lt(less_one, c.capacity)))) break;
    const vector to = hn::Add(c.dst, dst.shift);
    const vector from = hn::Add(c.src, src.shift);
    hn::StoreInterleaved3(to, from, c.bytes, tag, reinterpret_cast<std::uint64_t*>(out + item));
    total = hn::Add(total, c.bytes);
    largest = hn::Max(largest, c.bytes);
    bits = hn::Or(bits, hn::Or(to, c.bytes));
  }
  HWY_ALIGN std::uint64_t lanes[3][hn::MaxLanes(words{})];
  hn::Store(total, tag, lanes[0]);
  hn::Store(largest, tag, lanes[1]);
  hn::Store(bits, tag, lanes[2]);
  for (std::size_t lane = 0; lane != hn::Lanes(tag); ++lane) {
    sums.bytes += lanes[0][lane];
    sums.largest = sums.largest < lanes[1][lane] ? lanes[1][lane] : sums.largest;
    sums.line_bits |= lanes[2][lane];
  }
  return item;
}

}  // namespace

extern const window_check_table window_checks;
const window_check_table window_checks{check_in_windows<copy_columns>,
                                       check_in_windows<copy_structs>};

}  // namespace convoy::memory::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/simd_dispatch.hpp"

namespace convoy::memory {
namespace {

const window_check_table& window_checks_for([[maybe_unused]] os::vectors have) noexcept {
  CONVOY_RETURN_VARIANT(window_checks, have);
}

const window_check_table& best() noexcept {
  static const window_check_table& chosen = window_checks_for(os::this_processor().widest);
  return chosen;
}

}  // namespace

std::size_t check_in_windows(const copy_columns& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums) {
  return best().columns(in, count, windows, out, sums);
}

std::size_t check_in_windows(const copy_structs& in, std::size_t count, const copy_windows& windows,
                             copy* out, copy_totals& sums) {
  return best().structs(in, count, windows, out, sums);
}

}  // namespace convoy::memory
#endif
