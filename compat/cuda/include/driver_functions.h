/* Constructors of the structures for pitched copies. */
#ifndef CONVOY_COMPAT_CUDA_DRIVER_FUNCTIONS_H
#define CONVOY_COMPAT_CUDA_DRIVER_FUNCTIONS_H

#include <driver_types.h>

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* ptr, size_t pitch, size_t xsize,
                                                        size_t ysize) {
  struct cudaPitchedPtr made = {ptr, pitch, xsize, ysize};
  return made;
}

static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos made = {x, y, z};
  return made;
}

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent made = {width, height, depth};
  return made;
}

#endif
