// Modules, libraries, and their kernels by name.
#include "calls/modules.hpp"

#include <cstdlib>
#include <string_view>

#include "driver_api/driver_call.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

// CUDA loads modules when they are first used, unless CUDA_MODULE_LOADING says EAGER.
CUmoduleLoadingMode loading_mode() {
  const char* const setting = std::getenv("CUDA_MODULE_LOADING");
  const bool eager = setting != nullptr && std::string_view(setting) == "EAGER";
  return eager ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
}

template <class Handle>
void** untyped(Handle* handle) {
  return reinterpret_cast<void**>(handle);
}

// Functions and kernels are handles of the same object.
template <class Handle>
call_status write_kernel(const void* module, const char* name, Handle* into) {
  if (into == nullptr) return cudaErrorInvalidValue;
  const kernel* found = nullptr;
  if (const call_status s = find_in_module(module, name, &found); !s.ok()) return s;
  *into = reinterpret_cast<Handle>(const_cast<kernel*>(found));
  return cudaSuccess;
}

CUresult load_in_context(const char* function, CUmodule* module, const void* image) {
  return in_context(function, [&](device_id) { return load_module(image, untyped(module)); });
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver_call(__func__, [&]() -> call_status {
    if (mode == nullptr) return cudaErrorInvalidValue;
    *mode = loading_mode();
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  return in_context(__func__, [&](device_id) { return load_module_file(fname, untyped(module)); });
}

CONVOY_EXPORT CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load_in_context(__func__, module, image);
}

CONVOY_EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int,
                                          CUjit_option*, void**) {
  return load_in_context(__func__, module, image);
}

CONVOY_EXPORT CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
  return load_in_context(__func__, module, fatCubin);
}

CONVOY_EXPORT CUresult cuModuleUnload(CUmodule hmod) {
  return driver_call(__func__, [&] { return unload_module(hmod); });
}

CONVOY_EXPORT CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  return driver_call(__func__, [&] { return write_kernel(hmod, name, hfunc); });
}

CONVOY_EXPORT CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*,
                                         void**, unsigned int, CUlibraryOption*, void**,
                                         unsigned int) {
  return driver_call(__func__, [&] { return load_module(code, untyped(library)); });
}

CONVOY_EXPORT CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName,
                                             CUjit_option*, void**, unsigned int, CUlibraryOption*,
                                             void**, unsigned int) {
  return driver_call(__func__, [&] { return load_module_file(fileName, untyped(library)); });
}

CONVOY_EXPORT CUresult cuLibraryUnload(CUlibrary library) {
  return driver_call(__func__, [&] { return unload_module(library); });
}

CONVOY_EXPORT CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
  return driver_call(__func__, [&] { return write_kernel(library, name, pKernel); });
}

CONVOY_EXPORT CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
  return in_context(__func__, [&](device_id) -> call_status {
    if (pMod == nullptr) return cudaErrorInvalidValue;
    if (const call_status s = check_module(library); !s.ok()) return s;
    *pMod = reinterpret_cast<CUmodule>(library);
    return cudaSuccess;
  });
}

}  // extern "C"
