// Contexts as callers of the driver name them.
#pragma once

#include <cuda.h>

#include "state/context.hpp"
#include "state/outcome.hpp"

namespace convoy::cuda {

// A handle that never was one is cudaErrorDeviceUninitialized, which the driver calls
// INVALID_CONTEXT; an ended context is cudaErrorContextIsDestroyed.
outcome find_context(CUcontext named, context** found);

template <class Body>
outcome with_context(CUcontext named, const Body& body) {
  context* found = nullptr;
  if (const outcome o = find_context(named, &found); !o.ok()) return o;
  return body(*found);
}

}  // namespace convoy::cuda
