// The library, versions, processes by number, and what Convoy has none of.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "calls/processes.hpp"
#include "exports/nvml_call.hpp"
#include "shared/device_identity.hpp"

using namespace convoy;
using namespace convoy::nvml;

namespace {

constexpr unsigned known_flags =
    NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH | NVML_INIT_FLAG_FORCE_INIT;

// The branches of drivers that brought CUDA 13.0 to 13.4.
constexpr int driver_branches[] = {580, 590, 595, 610, 615};

nvmlReturn_t write_cuda_version(int* into) {
  const auto version = compat::cuda_version();
  return version ? write(into, *version) : return_code_of(version.error());
}

// No driver has number 0 in its branch.
nvmlReturn_t write_driver_version(const std::string& prefix, char* into, unsigned length) {
  const auto version = compat::cuda_version();
  if (!version) return return_code_of(version.error());
  const int branch = driver_branches[*version % 1000 / 10];
  return write_text(prefix + std::to_string(branch) + ".0.0", into, length);
}

nvmlReturn_t initialize(unsigned flags) {
  if ((flags & ~known_flags) != 0) return NVML_ERROR_INVALID_ARGUMENT;
  const auto devices = device_usages();
  if (!devices) return return_code_of(devices.error());
  begin_use();
  return NVML_SUCCESS;
}

struct code_text {
  nvmlReturn_t code;
  const char* text;
};

constexpr code_text texts[] = {
    {NVML_SUCCESS, "no error"},
    {NVML_ERROR_UNINITIALIZED, "nvmlInit() was not called, or nvmlShutdown() ended its effect"},
    {NVML_ERROR_INVALID_ARGUMENT, "an argument is invalid"},
    {NVML_ERROR_NOT_SUPPORTED, "not supported by this device"},
    {NVML_ERROR_NO_PERMISSION, "the user may not do this"},
    {NVML_ERROR_ALREADY_INITIALIZED, "already initialised"},
    {NVML_ERROR_NOT_FOUND, "not found"},
    {NVML_ERROR_INSUFFICIENT_SIZE, "the buffer is too small"},
    {NVML_ERROR_INSUFFICIENT_POWER, "a device lacks power"},
    {NVML_ERROR_DRIVER_NOT_LOADED, "there is no driver; is a CONVOY_ variable wrong?"},
    {NVML_ERROR_TIMEOUT, "the time is over"},
    {NVML_ERROR_IRQ_ISSUE, "an interrupt of the device fails"},
    {NVML_ERROR_LIBRARY_NOT_FOUND, "the library was not found"},
    {NVML_ERROR_FUNCTION_NOT_FOUND, "the library lacks this function"},
    {NVML_ERROR_CORRUPTED_INFOROM, "the configuration memory of the device is corrupt"},
    {NVML_ERROR_GPU_IS_LOST, "the device is lost"},
    {NVML_ERROR_RESET_REQUIRED, "the device needs a reset"},
    {NVML_ERROR_OPERATING_SYSTEM, "the operating system refused"},
    {NVML_ERROR_LIB_RM_VERSION_MISMATCH, "driver and library have different versions"},
    {NVML_ERROR_IN_USE, "in use"},
    {NVML_ERROR_MEMORY, "out of memory"},
    {NVML_ERROR_NO_DATA, "there are no data"},
    {NVML_ERROR_VGPU_ECC_NOT_SUPPORTED, "not supported while ECC is on"},
    {NVML_ERROR_INSUFFICIENT_RESOURCES, "resources are used up"},
    {NVML_ERROR_FREQ_NOT_SUPPORTED, "the frequency is not supported"},
    {NVML_ERROR_ARGUMENT_VERSION_MISMATCH, "the version of the structure is unknown"},
    {NVML_ERROR_DEPRECATED, "deprecated"},
    {NVML_ERROR_NOT_READY, "not ready"},
    {NVML_ERROR_GPU_NOT_FOUND, "there is no device"},
    {NVML_ERROR_INVALID_STATE, "not possible in this state"},
    {NVML_ERROR_RESET_TYPE_NOT_SUPPORTED, "this kind of reset is not supported"},
};

}  // namespace

extern "C" {

CONVOY_EXPORT nvmlReturn_t nvmlInit(void) {
  return free_call(__func__, [] { return initialize(0); });
}
CONVOY_EXPORT nvmlReturn_t nvmlInit_v2(void) {
  return free_call(__func__, [] { return initialize(0); });
}
CONVOY_EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  return free_call(__func__, [&] { return initialize(flags); });
}
CONVOY_EXPORT nvmlReturn_t nvmlShutdown(void) {
  return free_call(__func__, [] { return end_use() ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED; });
}
CONVOY_EXPORT const char* nvmlErrorString(nvmlReturn_t result) {
  for (const code_text& each : texts) {
    if (each.code == result) return each.text;
  }
  return "an unknown error";
}

CONVOY_EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return nvml_call(__func__, [&] { return write_driver_version("", version, length); });
}
CONVOY_EXPORT nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  return nvml_call(__func__, [&] { return write_driver_version("13.", version, length); });
}
CONVOY_EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* cudaDriverVersion) {
  return free_call(__func__, [&] { return write_cuda_version(cudaDriverVersion); });
}
CONVOY_EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* cudaDriverVersion) {
  return free_call(__func__, [&] { return write_cuda_version(cudaDriverVersion); });
}
CONVOY_EXPORT nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char* name,
                                                    unsigned int length) {
  return nvml_call(__func__, [&] { return name_process(pid, name, length); });
}
CONVOY_EXPORT nvmlReturn_t nvmlUnitGetCount(unsigned int* unitCount) {
  return nvml_call(__func__, [&] { return write(unitCount, 0U); });
}
CONVOY_EXPORT nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned int* deviceCount) {
  return free_call(__func__, [&] { return write(deviceCount, 0U); });
}
CONVOY_EXPORT nvmlReturn_t nvmlGetBlacklistDeviceCount(unsigned int* deviceCount) {
  return free_call(__func__, [&] { return write(deviceCount, 0U); });
}

}  // extern "C"

// Called by the generated functions that exports.txt marks as unsupported.
extern "C" int convoy_nvml_unsupported(const char* symbol);
extern "C" int convoy_nvml_unsupported(const char* symbol) {
  return nvml_call(symbol, [] { return NVML_ERROR_NOT_SUPPORTED; });
}
