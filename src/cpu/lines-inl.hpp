// Loads, stores and repetition of cache lines and parts of them, for one instruction set.
// Included once per instruction set, inside the toggle that Highway's foreach_target.h flips.

#if defined(CONVOY_CPU_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOY_CPU_LINES_INL  // flipped as HWY_TARGET_TOGGLE is
#undef CONVOY_CPU_LINES_INL
#else
#define CONVOY_CPU_LINES_INL
#endif

#include <hwy/highway.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/cache_line.hpp"
#include "cpu/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace convoy::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using byte = std::uint8_t;
constexpr std::size_t line_bytes = cache_line_bytes;
constexpr bool one_store_a_line = HWY_TARGET == HWY_AVX3;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// The compiler turns a memcpy of constant size into its best loads and stores.
struct line {
  byte bytes[line_bytes];
};

HWY_INLINE line load(const byte* src) {
  line l;
  std::memcpy(&l, src, sizeof l);
  return l;
}

template <store_kind Stores>
HWY_INLINE void store(const line& l, byte* dst) {
  std::memcpy(dst, &l, sizeof l);
}

HWY_INLINE line repeat(std::uint32_t word) {
  line l;
  for (std::size_t i = 0; i < line_bytes; i += sizeof word)
    std::memcpy(l.bytes + i, &word, sizeof word);
  return l;
}
#else
constexpr hn::CappedTag<byte, line_bytes> tag;
constexpr std::size_t lanes = hn::MaxLanes(tag);
constexpr std::size_t parts = line_bytes / lanes;

// Has a constructor, because GCC compiles the implicit one without the instruction set.
struct line {
  HWY_INLINE line() {}
  hn::Vec<decltype(tag)> part[parts];
};

HWY_INLINE line load(const byte* src) {
  line l;
  for (std::size_t i = 0; i < parts; ++i) l.part[i] = hn::LoadU(tag, src + i * lanes);
  return l;
}

template <store_kind Stores>
HWY_INLINE void store(const line& l, byte* dst) {
  if constexpr (Stores == store_kind::non_temporal) {
    for (std::size_t i = 0; i < parts; ++i) hn::Stream(l.part[i], tag, dst + i * lanes);
    // Keeps the compiler from interleaving the parts of several lines, which defeats write
    // combining.
    std::atomic_signal_fence(std::memory_order_acq_rel);
  } else {
    for (std::size_t i = 0; i < parts; ++i) hn::StoreU(l.part[i], tag, dst + i * lanes);
  }
}

HWY_INLINE line repeat(std::uint32_t word) {
  const hn::Repartition<std::uint32_t, decltype(tag)> words;
  line l;
  for (auto& part : l.part) part = hn::BitCast(tag, hn::Set(words, word));
  return l;
}
#endif

#if HWY_TARGET == HWY_AVX3
HWY_INLINE void copy_below_line(byte* dst, const byte* src, std::size_t bytes) {
  const auto covered = hn::FirstN(tag, bytes);
  hn::BlendedStore(hn::MaskedLoad(covered, tag, src), covered, tag, dst);
}
#else
// Two blocks that may overlap cover Size to 2 * Size bytes.
template <std::size_t Size>
HWY_INLINE void copy_both_ends(byte* dst, const byte* src, std::size_t bytes) {
  struct block {
    byte bytes[Size];
  } head, tail;
  std::memcpy(&head, src, Size);
  std::memcpy(&tail, src + bytes - Size, Size);
  std::memcpy(dst, &head, Size);
  std::memcpy(dst + bytes - Size, &tail, Size);
}

HWY_INLINE void copy_below_line(byte* dst, const byte* src, std::size_t bytes) {
  if (bytes >= 32) return copy_both_ends<32>(dst, src, bytes);
  if (bytes >= 16) return copy_both_ends<16>(dst, src, bytes);
  if (bytes >= 8) return copy_both_ends<8>(dst, src, bytes);
  if (bytes >= 4) return copy_both_ends<4>(dst, src, bytes);
  if (bytes >= 2) return copy_both_ends<2>(dst, src, bytes);
  if (bytes == 1) *dst = *src;
}
#endif

HWY_INLINE std::size_t to_next_line(const byte* at) {
  return -reinterpret_cast<std::uintptr_t>(at) % line_bytes;
}

}  // namespace
}  // namespace convoy::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
