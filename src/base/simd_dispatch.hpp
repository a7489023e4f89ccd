// Chooses among the variants of a table that Highway compiled, one for each instruction set.
//
// Highway's own dynamic dispatch needs its library, which is never linked. Include after
// <hwy/highway.h>, in the part of a file that is compiled once (HWY_ONCE).
#pragma once

#include "os/cpu_features.hpp"

// The variant of `table` for the widest instruction set that was compiled and that `have` covers.
// CONVOY_AVX512_VARIANT and the like are empty where Highway did not compile that set.
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
