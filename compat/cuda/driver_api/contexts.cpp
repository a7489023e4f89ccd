// Contexts: primary contexts, created contexts, and the context stack of a thread.
#include "calls/context_teardown.hpp"
#include "calls/devices.hpp"
#include "calls/streams.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/legacy_symbols.hpp"
#include "state/thread.hpp"
#include "state/visible_devices.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

constexpr unsigned api_version = 3020;

CUcontext handle_of(context* known) { return reinterpret_cast<CUcontext>(known); }

bool are_valid_flags(unsigned flags) {
  const unsigned waits = flags & CU_CTX_SCHED_MASK;
  const bool one_way = (waits & (waits - 1)) == 0;
  return one_way && (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0;
}

call_status create_context(CUcontext* made, unsigned flags, int number) {
  if (made == nullptr || !are_valid_flags(flags)) return cudaErrorInvalidValue;
  const auto device = device_at(number);
  if (!device) return cudaErrorInvalidDevice;
  context* const fresh = make_context(*device, flags);
  if (const call_status s = push_context(fresh); !s.ok()) return s;
  *made = handle_of(fresh);
  return cudaSuccess;
}

call_status check_parameters(const CUctxCreateParams* params) {
  if (params == nullptr) return cudaSuccess;
  if (params->numExecAffinityParams != 0) return cudaErrorUnsupportedExecAffinity;
  return params->cigParams == nullptr ? cudaSuccess : cudaErrorNotSupported;
}

call_status destroy(context& target) {
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  if (const call_status s = end_context(&target); !s.ok()) return s;
  destroy_contents(target);
  if (current_context() == &target) pop_context();
  return cudaSuccess;
}

call_status with_primary(int number, const auto& body) {
  context* const primary = primary_at(number);
  return primary == nullptr ? call_status(cudaErrorInvalidDevice) : call_status(body(*primary));
}

call_status set_flags(context& target, unsigned flags) {
  if (!are_valid_flags(flags)) return cudaErrorInvalidValue;
  target.flags.store(flags);
  return cudaSuccess;
}

// Calls the body with the given context, or with the current one if `handle` is null.
call_status with_given_or_current(CUcontext handle, const auto& body) {
  if (handle != nullptr) return with_context(handle, body);
  device_id current{};
  if (const call_status s = find_current(&current); !s.ok()) return s;
  return body(*current_context());
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  return driver_call(__func__, [&]() -> call_status {
    if (pctx == nullptr) return cudaErrorInvalidValue;
    return with_device(dev, [&](device_id device) -> call_status {
      context* out = nullptr;
      const call_status s = retain_primary(device, &out);
      if (s.ok()) *pctx = handle_of(out);
      return s;
    });
  });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  return driver_call(__func__, [&] { return with_device(dev, release_device); });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  return driver_call(__func__, [&] {
    return with_primary(dev, [&](context& primary) { return set_flags(primary, flags); });
  });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  return driver_call(__func__, [&] {
    return with_primary(dev, [&](context& primary) -> call_status {
      if (flags == nullptr || active == nullptr) return cudaErrorInvalidValue;
      *flags = primary.flags.load();
      *active = primary.alive.load() ? 1 : 0;
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  return driver_call(__func__, [&] {
    return with_primary(dev, [&](context& primary) { return reset_device(primary.device); });
  });
}

CONVOY_EXPORT CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return driver_call(__func__, [&] { return create_context(pctx, flags, dev); });
}

CONVOY_EXPORT CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return driver_call(__func__, [&] { return create_context(pctx, flags, dev); });
}

CONVOY_EXPORT CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam*, int numParams,
                                      unsigned int flags, CUdevice dev) {
  return driver_call(__func__, [&]() -> call_status {
    if (numParams != 0) return cudaErrorUnsupportedExecAffinity;
    return create_context(pctx, flags, dev);
  });
}

CONVOY_EXPORT CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams,
                                      unsigned int flags, CUdevice dev) {
  return driver_call(__func__, [&]() -> call_status {
    if (const call_status s = check_parameters(ctxCreateParams); !s.ok()) return s;
    return create_context(pctx, flags, dev);
  });
}

CONVOY_EXPORT CUresult cuCtxDestroy_v2(CUcontext ctx) {
  return driver_call(
      __func__, [&] { return with_context(ctx, [](context& target) { return destroy(target); }); });
}

CONVOY_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
  return driver_call(__func__, [&] {
    return with_context(ctx, [](context& target) { return push_context(&target); });
  });
}

CONVOY_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* pctx) {
  return driver_call(__func__, [&]() -> call_status {
    context* const popped = pop_context();
    if (popped == nullptr) return cudaErrorDeviceUninitialized;
    if (pctx != nullptr) *pctx = handle_of(popped);
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetCurrent(CUcontext ctx) {
  return driver_call(__func__, [&]() -> call_status {
    if (ctx == nullptr) return set_current_context(nullptr);
    return with_context(ctx, [](context& target) { return set_current_context(&target); });
  });
}

CONVOY_EXPORT CUresult cuCtxGetCurrent(CUcontext* pctx) {
  return driver_call(__func__, [&]() -> call_status {
    if (pctx == nullptr) return cudaErrorInvalidValue;
    *pctx = handle_of(current_context());
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context(__func__, [&](device_id current) -> call_status {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = ordinal_of(current);
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  return driver_call(__func__, [&] {
    return with_given_or_current(ctx, [&](context& target) -> call_status {
      if (device == nullptr) return cudaErrorInvalidValue;
      *device = ordinal_of(target.device);
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuCtxGetFlags(unsigned int* flags) {
  return in_context(__func__, [&](device_id) -> call_status {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = current_context()->flags.load();
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetFlags(unsigned int flags) {
  return in_context(__func__, [&](device_id) { return set_flags(*current_context(), flags); });
}

CONVOY_EXPORT CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  return driver_call(__func__, [&] {
    return with_given_or_current(ctx, [&](context& target) -> call_status {
      if (ctxId == nullptr) return cudaErrorInvalidValue;
      *ctxId = number(&target);
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuCtxSynchronize() {
  return in_context(__func__, [&](device_id current) { return synchronize(current); });
}

CONVOY_EXPORT CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  return driver_call(__func__, [&] {
    return with_given_or_current(ctx, [](context& target) { return synchronize(target.device); });
  });
}

CONVOY_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context(__func__,
                    [&](device_id) { return set_limit(*current_context(), limit, value); });
}

CONVOY_EXPORT CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  return in_context(__func__,
                    [&](device_id) { return limit_of(*current_context(), limit, pvalue); });
}

CONVOY_EXPORT CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  return in_context(__func__, [&](device_id) -> call_status {
    if (pconfig == nullptr) return cudaErrorInvalidValue;
    *pconfig = CU_FUNC_CACHE_PREFER_NONE;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context(__func__, [&](device_id) { return check_cache_config(config); });
}

CONVOY_EXPORT CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  return in_context(__func__, [&](device_id) -> call_status {
    if (pConfig == nullptr) return cudaErrorInvalidValue;
    *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return in_context(__func__, [&](device_id) { return check_shared_memory_config(config); });
}

CONVOY_EXPORT CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  return driver_call(__func__, [&] {
    return with_given_or_current(ctx, [&](context&) -> call_status {
      if (version == nullptr) return cudaErrorInvalidValue;
      *version = api_version;
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return in_context(__func__, [&](device_id) -> call_status {
    if (leastPriority != nullptr) *leastPriority = least_priority;
    if (greatestPriority != nullptr) *greatestPriority = greatest_priority;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxResetPersistingL2Cache() {
  return in_context(__func__, [&](device_id) { return cudaSuccess; });
}

}  // extern "C"
