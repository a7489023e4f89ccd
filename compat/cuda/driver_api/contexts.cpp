// Contexts: the primary one of each device, those that programs make, and the stack of a thread.
#include "driver_api/contexts.hpp"

#include "calls/belongings.hpp"
#include "calls/limits.hpp"
#include "calls/streams.hpp"
#include "driver_api/border.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

constexpr unsigned api_version = 3020;

CUcontext handle_of(context* of) { return reinterpret_cast<CUcontext>(of); }

bool are_flags(unsigned flags) {
  const unsigned waits = flags & CU_CTX_SCHED_MASK;
  const bool one_way = (waits & (waits - 1)) == 0;
  return one_way && (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0;
}

outcome make_current(CUcontext* made, unsigned flags, int number) {
  if (made == nullptr || !are_flags(flags)) return cudaErrorInvalidValue;
  context* const fresh = make_context(device_id{number}, flags);
  if (fresh == nullptr) return cudaErrorInvalidDevice;
  if (const outcome o = push_context(fresh); !o.ok()) return o;
  *made = handle_of(fresh);
  return cudaSuccess;
}

outcome check_parameters(const CUctxCreateParams* params) {
  if (params == nullptr) return cudaSuccess;
  if (params->numExecAffinityParams != 0) return cudaErrorUnsupportedExecAffinity;
  return params->cigParams == nullptr ? cudaSuccess : cudaErrorNotSupported;
}

outcome destroy(context& which) {
  if (const outcome o = may_wait(); !o.ok()) return o;
  if (const outcome o = end_context(&which); !o.ok()) return o;
  give_up_belongings(which);
  if (current_context() == &which) pop_context();
  return cudaSuccess;
}

outcome with_primary(int number, const auto& body) {
  context* const primary = primary_of(device_id{number});
  return primary == nullptr ? outcome(cudaErrorInvalidDevice) : outcome(body(*primary));
}

outcome set_flags(context& of, unsigned flags) {
  if (!are_flags(flags)) return cudaErrorInvalidValue;
  of.flags.store(flags);
  return cudaSuccess;
}

// Of the current context when none is named.
outcome with_named_or_current(CUcontext named, const auto& body) {
  if (named != nullptr) return with_context(named, body);
  device_id on{};
  if (const outcome o = find_current(&on); !o.ok()) return o;
  return body(*current_context());
}

}  // namespace

namespace convoy::cuda {

outcome find_context(CUcontext named, context** found) {
  context* const known = named == nullptr ? nullptr : known_context(named);
  if (known == nullptr) return cudaErrorDeviceUninitialized;
  if (!known->alive.load(std::memory_order_acquire)) return cudaErrorContextIsDestroyed;
  *found = known;
  return cudaSuccess;
}

}  // namespace convoy::cuda

#undef cuCtxCreate

extern "C" {

CONVOY_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  return border(__func__, [&]() -> outcome {
    if (pctx == nullptr) return cudaErrorInvalidValue;
    context* got = nullptr;
    const outcome o = retain_primary(device_id{dev}, &got);
    if (o.ok()) *pctx = handle_of(got);
    return o;
  });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  return border(__func__, [&] { return release_device(device_id{dev}); });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  return border(__func__, [&] {
    return with_primary(dev, [&](context& primary) { return set_flags(primary, flags); });
  });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  return border(__func__, [&] {
    return with_primary(dev, [&](context& primary) -> outcome {
      if (flags == nullptr || active == nullptr) return cudaErrorInvalidValue;
      *flags = primary.flags.load();
      *active = primary.alive.load() ? 1 : 0;
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  return border(__func__, [&] {
    return with_primary(dev, [&](context& primary) { return reset_device(primary.device); });
  });
}

CONVOY_EXPORT CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return border(__func__, [&] { return make_current(pctx, flags, dev); });
}

CONVOY_EXPORT CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return border(__func__, [&] { return make_current(pctx, flags, dev); });
}

CONVOY_EXPORT CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam*, int numParams,
                                      unsigned int flags, CUdevice dev) {
  return border(__func__, [&]() -> outcome {
    if (numParams != 0) return cudaErrorUnsupportedExecAffinity;
    return make_current(pctx, flags, dev);
  });
}

CONVOY_EXPORT CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams,
                                      unsigned int flags, CUdevice dev) {
  return border(__func__, [&]() -> outcome {
    if (const outcome o = check_parameters(ctxCreateParams); !o.ok()) return o;
    return make_current(pctx, flags, dev);
  });
}

CONVOY_EXPORT CUresult cuCtxDestroy_v2(CUcontext ctx) {
  return border(__func__,
                [&] { return with_context(ctx, [](context& which) { return destroy(which); }); });
}

CONVOY_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
  return border(__func__, [&] {
    return with_context(ctx, [](context& which) { return push_context(&which); });
  });
}

CONVOY_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* pctx) {
  return border(__func__, [&]() -> outcome {
    context* const popped = pop_context();
    if (popped == nullptr) return cudaErrorDeviceUninitialized;
    if (pctx != nullptr) *pctx = handle_of(popped);
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetCurrent(CUcontext ctx) {
  return border(__func__, [&]() -> outcome {
    if (ctx == nullptr) return set_current_context(nullptr);
    return with_context(ctx, [](context& which) { return set_current_context(&which); });
  });
}

CONVOY_EXPORT CUresult cuCtxGetCurrent(CUcontext* pctx) {
  return border(__func__, [&]() -> outcome {
    if (pctx == nullptr) return cudaErrorInvalidValue;
    *pctx = handle_of(current_context());
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context(__func__, [&](device_id on) -> outcome {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = convoy::number(on);
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  return border(__func__, [&] {
    return with_named_or_current(ctx, [&](context& which) -> outcome {
      if (device == nullptr) return cudaErrorInvalidValue;
      *device = convoy::number(which.device);
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuCtxGetFlags(unsigned int* flags) {
  return in_context(__func__, [&](device_id) -> outcome {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = current_context()->flags.load();
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetFlags(unsigned int flags) {
  return in_context(__func__, [&](device_id) { return set_flags(*current_context(), flags); });
}

CONVOY_EXPORT CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  return border(__func__, [&] {
    return with_named_or_current(ctx, [&](context& which) -> outcome {
      if (ctxId == nullptr) return cudaErrorInvalidValue;
      *ctxId = number(&which);
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuCtxSynchronize() {
  return in_context(__func__, [&](device_id on) { return wait_for(on); });
}

CONVOY_EXPORT CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  return border(__func__, [&] {
    return with_named_or_current(ctx, [](context& which) { return wait_for(which.device); });
  });
}

CONVOY_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context(__func__, [&](device_id) { return set_limit(limit, value); });
}

CONVOY_EXPORT CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  return in_context(__func__, [&](device_id) { return limit_of(limit, pvalue); });
}

CONVOY_EXPORT CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  return in_context(__func__, [&](device_id) -> outcome {
    if (pconfig == nullptr) return cudaErrorInvalidValue;
    *pconfig = CU_FUNC_CACHE_PREFER_NONE;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  return in_context(__func__, [&](device_id) { return cudaSuccess; });
}

CONVOY_EXPORT CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  return in_context(__func__, [&](device_id) -> outcome {
    if (pConfig == nullptr) return cudaErrorInvalidValue;
    *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  return in_context(__func__, [&](device_id) { return cudaSuccess; });
}

CONVOY_EXPORT CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  return border(__func__, [&] {
    return with_named_or_current(ctx, [&](context&) -> outcome {
      if (version == nullptr) return cudaErrorInvalidValue;
      *version = api_version;
      return cudaSuccess;
    });
  });
}

CONVOY_EXPORT CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return in_context(__func__, [&](device_id) -> outcome {
    if (leastPriority != nullptr) *leastPriority = least_priority;
    if (greatestPriority != nullptr) *greatestPriority = greatest_priority;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuCtxResetPersistingL2Cache() {
  return in_context(__func__, [&](device_id) { return cudaSuccess; });
}

}  // extern "C"
