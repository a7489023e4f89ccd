// Selects the variant of a function table that Highway compiled for the best instruction set.
//
// Highway's own dynamic dispatch needs libhwy, which is not linked. Include after
// <hwy/highway.h>, in the part of a file that is compiled once (HWY_ONCE).
#pragma once

#include "os/cpu_features.hpp"

// CONVOY_RETURN_VARIANT returns the variant of `table` for the widest compiled instruction set that
// `have` includes. CONVOY_AVX512_VARIANT and the others are empty where Highway did not compile
// that set.
#if HWY_TARGETS & HWY_AVX3
#define CONVOY_AVX512_VARIANT(table, have) \
  if ((have) >= ::convoy::os::vectors::avx512) return N_AVX3::table;
#else
#define CONVOY_AVX512_VARIANT(table, have)
#endif
#if HWY_TARGETS & HWY_AVX2
#define CONVOY_AVX2_VARIANT(table, have) \
  if ((have) >= ::convoy::os::vectors::avx2) return N_AVX2::table;
#else
#define CONVOY_AVX2_VARIANT(table, have)
#endif
#if HWY_TARGETS & HWY_NEON
#define CONVOY_BASELINE_VARIANT(table) return N_NEON::table
#else
#define CONVOY_BASELINE_VARIANT(table) return HWY_STATIC_DISPATCH(table)
#endif
#define CONVOY_RETURN_VARIANT(table, have) \
  CONVOY_AVX512_VARIANT(table, have)       \
  CONVOY_AVX2_VARIANT(table, have)         \
  CONVOY_BASELINE_VARIANT(table)
