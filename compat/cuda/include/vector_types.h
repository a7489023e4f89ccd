/* The vector types of a launch: dim3, uint3. */
#ifndef CONVOY_COMPAT_CUDA_VECTOR_TYPES_H
#define CONVOY_COMPAT_CUDA_VECTOR_TYPES_H

#include <host_defines.h>

struct uint3 {
  unsigned int x, y, z;
};
#ifndef __cplusplus
typedef struct uint3 uint3;
#endif

/* The headers of AscendCL have the same structure. Whichever is included first defines it. */
#ifndef CONVOY_COMPAT_DIM3
#define CONVOY_COMPAT_DIM3
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif
#endif

#endif
