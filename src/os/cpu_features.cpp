#include "os/cpu_features.hpp"

#include <unistd.h>

namespace convoy::os {
namespace {

vectors widest_vectors() noexcept {
#if defined(__x86_64__)
  // Code compiled for AVX2 also contains BMI, BMI2 and FMA instructions.
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  if (!avx2) return vectors::baseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return avx512 ? vectors::avx512 : vectors::avx2;
#else
  return vectors::baseline;
#endif
}

}  // namespace

processor this_processor() noexcept {
  processor found;
  found.widest = widest_vectors();
  if (const long l2 = ::sysconf(_SC_LEVEL2_CACHE_SIZE); l2 > 0) found.l2 = std::size_t(l2);
  if (const long l3 = ::sysconf(_SC_LEVEL3_CACHE_SIZE); l3 > 0) found.l3 = std::size_t(l3);
  return found;
}

}  // namespace convoy::os
