// Contexts as callers of the driver name them.
#pragma once

#include <cuda.h>

#include "state/call_status.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

// A handle that never was one is cudaErrorDeviceUninitialized, which the driver calls
// INVALID_CONTEXT; an ended context is cudaErrorContextIsDestroyed.
call_status find_context(CUcontext handle, context** found);

template <class Body>
call_status with_context(CUcontext handle, const Body& body) {
  context* found = nullptr;
  if (const call_status s = find_context(handle, &found); !s.ok()) return s;
  return body(*found);
}

}  // namespace convoy::cuda
