#include "state/library.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace convoy::nvml {
namespace {

std::atomic<unsigned> uses = 0;

// Only the addresses matter.
std::array<char, max_devices> handles = {};

}  // namespace

void begin_use() noexcept { uses.fetch_add(1, std::memory_order_acq_rel); }

bool end_use() noexcept {
  unsigned before = uses.load(std::memory_order_acquire);
  while (before != 0) {
    if (uses.compare_exchange_weak(before, before - 1, std::memory_order_acq_rel)) return true;
  }
  return false;
}

bool in_use() noexcept { return uses.load(std::memory_order_acquire) != 0; }

nvmlDevice_t handle_of(device_id device) noexcept {
  return reinterpret_cast<nvmlDevice_t>(&handles[static_cast<std::size_t>(number(device))]);
}

std::optional<device_id> device_of(nvmlDevice_t handle, std::size_t count) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(handles.data());
  const std::uintptr_t index = reinterpret_cast<std::uintptr_t>(handle) - first;
  if (index >= count) return {};
  return device_id{static_cast<int>(index)};
}

nvmlReturn_t return_code_of(const status& outcome) noexcept {
  switch (outcome.code) {
    case errc::ok: return NVML_SUCCESS;
    case errc::bad_configuration: return NVML_ERROR_DRIVER_NOT_LOADED;
    case errc::out_of_memory: return NVML_ERROR_MEMORY;
    default: return NVML_ERROR_UNKNOWN;
  }
}

status refusal_of(nvmlReturn_t code) noexcept {
  switch (code) {
    case NVML_SUCCESS:
    case NVML_ERROR_INSUFFICIENT_SIZE: return {};  // how callers ask for a size
    case NVML_ERROR_NOT_SUPPORTED: return {errc::not_supported};
    case NVML_ERROR_MEMORY: return {errc::out_of_memory};
    case NVML_ERROR_DRIVER_NOT_LOADED: return {errc::bad_configuration};
    default: return {errc::invalid_argument};
  }
}

}  // namespace convoy::nvml
