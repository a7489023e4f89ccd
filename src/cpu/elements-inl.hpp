// Reductions of elements with vector instructions, at any alignment.
// Included once per instruction set, inside the toggle that Highway's foreach_target.h flips.

#if defined(CONVOY_CPU_ELEMENTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOY_CPU_ELEMENTS_INL  // flipped as HWY_TARGET_TOGGLE is
#undef CONVOY_CPU_ELEMENTS_INL
#else
#define CONVOY_CPU_ELEMENTS_INL
#endif

#include <hwy/highway.h>

#include <convoy/reduction.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace convoy::cpu::HWY_NAMESPACE {
namespace {

// Unaligned loads and stores. Without vector instructions a vector is a single element, which
// Highway cannot cast to bytes.
template <class D>
constexpr bool is_single = hn::MaxLanes(D()) == 1;

template <class D>
HWY_INLINE hn::Vec<D> load_vector(D d, const byte* from) {
  if constexpr (is_single<D>) {
    hn::TFromD<D> one;
    std::memcpy(&one, from, sizeof one);
    return hn::Set(d, one);
  } else {
    return hn::BitCast(d, hn::LoadU(hn::Repartition<byte, D>(), from));
  }
}
template <class D>
HWY_INLINE void store_vector(D, hn::Vec<D> v, byte* to) {
  if constexpr (is_single<D>) {
    const hn::TFromD<D> one = hn::GetLane(v);
    std::memcpy(to, &one, sizeof one);
  } else {
    const hn::Repartition<byte, D> bytes;
    hn::StoreU(hn::BitCast(bytes, v), bytes, to);
  }
}

// Elements that are combined in their own type.
template <class T>
struct numbers {
  static constexpr hn::CappedTag<T, line_bytes / sizeof(T)> lanes{};
  using vector = hn::Vec<decltype(lanes)>;
  static constexpr std::size_t element_bytes = sizeof(T);

  static HWY_INLINE vector load(const byte* from) { return load_vector(lanes, from); }
  static HWY_INLINE void store(vector v, byte* to) { store_vector(lanes, v, to); }
};

// 16-bit floating-point elements, combined as float32.
template <class Format>
struct short_floats {
  static constexpr hn::CappedTag<float, line_bytes / sizeof(float)> lanes{};
  static constexpr hn::RebindToUnsigned<decltype(lanes)> bits{};
  static constexpr hn::Rebind<std::uint16_t, decltype(lanes)> halves{};
  using vector = hn::Vec<decltype(lanes)>;
  using words = hn::Vec<decltype(bits)>;
  static constexpr std::size_t element_bytes = 2;

  static HWY_INLINE vector load(const byte* from) {
    return Format::widen(hn::PromoteTo(bits, load_vector(halves, from)));
  }
  static HWY_INLINE void store(vector v, byte* to) {
    const hn::RebindToSigned<decltype(bits)> narrowable;
    const words narrow = Format::narrow(hn::BitCast(bits, v));
    store_vector(halves, hn::DemoteTo(halves, hn::BitCast(narrowable, narrow)), to);
  }
  static HWY_INLINE words all(std::uint32_t word) { return hn::Set(bits, word); }
  static HWY_INLINE words as_bits(vector v) { return hn::BitCast(bits, v); }
  static HWY_INLINE vector as_float(words v) { return hn::BitCast(lanes, v); }
  static HWY_INLINE words choose(hn::Mask<decltype(bits)> mask, words yes, words no) {
    return hn::IfThenElse(mask, yes, no);
  }

  static constexpr std::uint32_t float_infinity = 0x7F800000;
};

// bfloat16: the upper half of a float32. Rounds to nearest even.
struct brain_format : short_floats<brain_format> {
  static HWY_INLINE vector widen(words b) { return as_float(hn::ShiftLeft<16>(b)); }

  static HWY_INLINE words narrow(words f) {
    const words odd = hn::And(hn::ShiftRight<16>(f), all(1));
    const words rounded = hn::ShiftRight<16>(hn::Add(f, hn::Add(odd, all(0x7FFF))));
    const words quiet = hn::Or(hn::ShiftRight<16>(f), all(0x40));
    const auto is_nan = hn::Gt(hn::And(f, all(0x7FFFFFFF)), all(float_infinity));
    return choose(is_nan, quiet, rounded);
  }
};

// float16: a sign, 5 exponent bits, 10 fraction bits. No intermediate value is a subnormal float32,
// because CPUs are slow with them.
struct half_format : short_floats<half_format> {
  static constexpr std::uint32_t rebias = std::uint32_t{127 - 15} << 23;
  static constexpr std::uint32_t least_normal = std::uint32_t{127 - 14} << 23;
  static constexpr std::uint32_t one_half = 0x3F000000;

  static HWY_INLINE vector widen(words h) {
    const words sign = hn::ShiftLeft<16>(hn::And(h, all(0x8000)));
    const words size = hn::ShiftLeft<13>(hn::And(h, all(0x7FFF)));
    const words normal = hn::Add(size, all(rebias));
    const words non_finite = hn::Or(size, all(float_infinity));
    const words small =
        as_bits(hn::Sub(as_float(hn::Add(size, all(least_normal))), as_float(all(least_normal))));
    const words finite = choose(hn::Lt(size, all(0x400U << 13)), small, normal);
    const words found = choose(hn::Lt(size, all(0x7C00U << 13)), finite, non_finite);
    return as_float(hn::Or(found, sign));
  }

  static HWY_INLINE words narrow(words f) {
    const words sign = hn::And(hn::ShiftRight<16>(f), all(0x8000));
    const words size = hn::And(f, all(0x7FFFFFFF));
    const words odd = hn::And(hn::ShiftRight<13>(size), all(1));
    const words rounded = hn::Sub(hn::Add(size, hn::Add(odd, all(0xFFF))), all(rebias));
    const words normal = hn::Min(hn::ShiftRight<13>(rounded), all(0x7C00));
    // The last bit of 0.5f is the smallest float16 subnormal, so adding 0.5f rounds to it.
    const words small =
        hn::Sub(as_bits(hn::Add(as_float(size), as_float(all(one_half)))), all(one_half));
    const words number = choose(hn::Lt(size, all(least_normal)), small, normal);
    const auto is_nan = hn::Gt(size, all(float_infinity));
    return hn::Or(choose(is_nan, all(0x7E00), number), sign);
  }
};

struct take_sum {
  template <class V>
  HWY_INLINE V operator()(V current, V other) const {
    return hn::Add(current, other);
  }
};

// If either operand is NaN the result is NaN.
struct take_max {
  template <class V>
  HWY_INLINE V operator()(V current, V other) const {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
      return hn::IfThenElse(hn::Or(hn::Gt(other, current), hn::IsNaN(other)), other, current);
    } else {
      return hn::Max(current, other);
    }
  }
};
struct take_min {
  template <class V>
  HWY_INLINE V operator()(V current, V other) const {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
      return hn::IfThenElse(hn::Or(hn::Lt(other, current), hn::IsNaN(other)), other, current);
    } else {
      return hn::Min(current, other);
    }
  }
};

// `bytes` is a multiple of the cache line.
template <class Elements, class Take>
void combine(byte* dst, const byte* src, std::size_t bytes) {
  const std::size_t step = hn::Lanes(Elements::lanes) * Elements::element_bytes;
  for (std::size_t at = 0; at != bytes; at += step) {
    Elements::store(Take()(Elements::load(dst + at), Elements::load(src + at)), dst + at);
  }
}

using combining = void (*)(byte* dst, const byte* src, std::size_t bytes);

template <class Elements>
combining combining_by(reduce_kind kind) {
  switch (kind) {
    case reduce_kind::sum: return combine<Elements, take_sum>;
    case reduce_kind::max: return combine<Elements, take_max>;
    case reduce_kind::min: return combine<Elements, take_min>;
  }
  return nullptr;
}

combining combining_for(element type, reduce_kind kind) {
  switch (type) {
    case element::int8: return combining_by<numbers<std::int8_t>>(kind);
    case element::int16: return combining_by<numbers<std::int16_t>>(kind);
    case element::int32: return combining_by<numbers<std::int32_t>>(kind);
    case element::uint32: return combining_by<numbers<std::uint32_t>>(kind);
    case element::float16: return combining_by<half_format>(kind);
    case element::bfloat16: return combining_by<brain_format>(kind);
    case element::float32: return combining_by<numbers<float>>(kind);
  }
  return nullptr;
}

}  // namespace
}  // namespace convoy::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
