/* The extents of a launch. */
#ifndef CONVOY_COMPAT_CUDA_VECTOR_TYPES_H
#define CONVOY_COMPAT_CUDA_VECTOR_TYPES_H

struct uint3 {
  unsigned int x, y, z;
};
#ifndef __cplusplus
typedef struct uint3 uint3;
#endif

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int of_x = 1, unsigned int of_y = 1, unsigned int of_z = 1)
      : x(of_x), y(of_y), z(of_z) {}
  constexpr dim3(uint3 all) : x(all.x), y(all.y), z(all.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif

#endif
