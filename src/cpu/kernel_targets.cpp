// Compiled once per instruction set: foreach_target.h includes this file again for each.

#include <bit>
#include <cstring>

#include "cpu/kernel_table.hpp"

#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_BMI2_FMA
#define HWY_DISABLE_F16C
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernel_targets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace convoy::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using byte = std::uint8_t;
constexpr std::size_t line_bytes = 64;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// No vectors to name; a constant memcpy becomes the best moves the compiler knows.
struct line {
  byte bytes[line_bytes];
};
HWY_INLINE line load(const byte* src) {
  line l;
  std::memcpy(&l, src, sizeof l);
  return l;
}
template <stores How>
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

struct line {
  hn::Vec<decltype(tag)> part[parts];
};
HWY_INLINE line load(const byte* src) {
  line l;
  for (std::size_t i = 0; i < parts; ++i) l.part[i] = hn::LoadU(tag, src + i * lanes);
  return l;
}
template <stores How>
HWY_INLINE void store(const line& l, byte* dst) {
  for (std::size_t i = 0; i < parts; ++i) {
    if constexpr (How == stores::non_temporal) {
      hn::Stream(l.part[i], tag, dst + i * lanes);
    } else {
      hn::StoreU(l.part[i], tag, dst + i * lanes);
    }
  }
}
HWY_INLINE line repeat(std::uint32_t word) {
  const hn::Repartition<std::uint32_t, decltype(tag)> words;
  line l;
  for (auto& part : l.part) part = hn::BitCast(tag, hn::Set(words, word));
  return l;
}
#endif

// Two possibly overlapping blocks of Size bytes cover [Size, 2 * Size].
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

template <stores How>
HWY_INLINE std::size_t copy_lines(byte* dst, const byte* src, std::size_t bytes) {
  std::size_t at = 0;
  for (; at + 4 * line_bytes <= bytes; at += 4 * line_bytes) {
    const line a = load(src + at);
    const line b = load(src + at + line_bytes);
    const line c = load(src + at + 2 * line_bytes);
    const line d = load(src + at + 3 * line_bytes);
    store<How>(a, dst + at);
    store<How>(b, dst + at + line_bytes);
    store<How>(c, dst + at + 2 * line_bytes);
    store<How>(d, dst + at + 3 * line_bytes);
  }
  for (; at + line_bytes <= bytes; at += line_bytes) store<How>(load(src + at), dst + at);
  return at;
}

HWY_INLINE std::size_t to_next_line(const byte* at) {
  return -reinterpret_cast<std::uintptr_t>(at) % line_bytes;
}

template <stores How>
HWY_INLINE void copy_block(byte* dst, const byte* src, std::size_t bytes) {
  if (bytes < line_bytes) return copy_below_line(dst, src, bytes);
  if constexpr (How == stores::non_temporal) {
    // A line is streamed whole or not at all: a half written by ordinary stores would be fetched
    // into the cache first and flushed at once.
    const std::size_t head = to_next_line(dst);
    copy_below_line(dst, src, head);
    const std::size_t body = copy_lines<How>(dst + head, src + head, bytes - head);
    copy_below_line(dst + head + body, src + head + body, bytes - head - body);
  } else {
    const line tail = load(src + bytes - line_bytes);
    copy_lines<How>(dst, src, bytes);
    store<How>(tail, dst + bytes - line_bytes);
  }
}

HWY_INLINE void prefetch(const copy& c, std::size_t most) {
  const std::size_t bytes = c.bytes < most ? c.bytes : most;
  const byte* src = static_cast<const byte*>(c.src);
  for (std::size_t at = 0; at < bytes; at += line_bytes) __builtin_prefetch(src + at, 0, 0);
}

HWY_INLINE bool continues(const copy& run, const copy& next) {
  return static_cast<const byte*>(run.src) + run.bytes == next.src &&
         static_cast<byte*>(run.dst) + run.bytes == next.dst;
}

template <stores How>
void run_scattered(const copy* first, const copy* last, kernel_choice choice,
                   std::size_t first_item, volatile std::size_t* progress) {
  const std::size_t count = static_cast<std::size_t>(last - first);
  for (std::size_t i = 0; i < count && i < choice.ahead; ++i)
    prefetch(first[i], choice.prefetch_bytes);

  for (std::size_t i = 0; i < count;) {
    *progress = first_item + i;
    copy run = first[i];
    if (i + choice.ahead < count) prefetch(first[i + choice.ahead], choice.prefetch_bytes);
    for (++i; i < count && continues(run, first[i]); ++i) run.bytes += first[i].bytes;
    copy_block<How>(static_cast<byte*>(run.dst), static_cast<const byte*>(run.src), run.bytes);
  }
}

void scattered(const copy* first, const copy* last, kernel_choice choice, std::size_t first_item,
               volatile std::size_t* progress) {
  const auto run = choice.how == stores::ordinary ? run_scattered<stores::ordinary>
                                                  : run_scattered<stores::non_temporal>;
  run(first, last, choice, first_item, progress);
}

void piece(void* dst, const void* src, std::size_t bytes, stores how) {
  auto* to = static_cast<byte*>(dst);
  const auto* from = static_cast<const byte*>(src);
  if (how == stores::ordinary) return copy_block<stores::ordinary>(to, from, bytes);
  copy_block<stores::non_temporal>(to, from, bytes);
}

// The word seen by whoever starts `skipped` bytes into the repetition.
HWY_INLINE std::uint32_t turned(std::uint32_t word, std::size_t skipped) {
  return std::rotr(word, static_cast<int>(skipped % sizeof word * 8));
}

HWY_INLINE void fill_below_line(byte* dst, std::uint32_t word, std::size_t bytes) {
  for (; bytes >= sizeof word; bytes -= sizeof word, dst += sizeof word)
    std::memcpy(dst, &word, sizeof word);
  std::memcpy(dst, &word, bytes);
}

template <stores How>
HWY_INLINE void fill_block(byte* dst, std::uint32_t word, std::size_t bytes) {
  const std::size_t head = to_next_line(dst) < bytes ? to_next_line(dst) : bytes;
  fill_below_line(dst, word, head);
  word = turned(word, head);
  const line repeats = repeat(word);
  std::size_t at = head;
  for (; at + line_bytes <= bytes; at += line_bytes) store<How>(repeats, dst + at);
  fill_below_line(dst + at, word, bytes - at);
}

void fill(void* dst, std::uint32_t word, std::size_t bytes, stores how) {
  auto* to = static_cast<byte*>(dst);
  if (how == stores::ordinary) return fill_block<stores::ordinary>(to, word, bytes);
  fill_block<stores::non_temporal>(to, word, bytes);
}

}  // namespace

extern const kernel_table table;
const kernel_table table{scattered, piece, fill};

}  // namespace convoy::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convoy::cpu {

const kernel_table& kernels_for([[maybe_unused]] os::vectors have) noexcept {
#if HWY_TARGETS & HWY_AVX3
  if (have >= os::vectors::avx512) return N_AVX3::table;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (have >= os::vectors::avx2) return N_AVX2::table;
#endif
#if HWY_TARGETS & HWY_NEON
  return N_NEON::table;
#else
  return HWY_STATIC_DISPATCH(table);
#endif
}

}  // namespace convoy::cpu
#endif
