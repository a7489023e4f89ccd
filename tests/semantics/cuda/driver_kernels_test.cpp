#include "convoy_kernels.h"
#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr const char* add_name = "_Z3addPii";

void add(const convoy_kernel_launch* launch) {
  int* const into = *static_cast<int* const*>(launch->parameters[0]);
  *into += *static_cast<const int*>(launch->parameters[1]);
}

// The registration that nvcc's generated code runs before main.
extern "C" void** __cudaRegisterFatBinary(void* image);
extern "C" void __cudaRegisterFunction(void** module, const char* stub, char* device_stub,
                                       const char* name, int, uint3*, uint3*, dim3*, dim3*, int*);
extern "C" void __cudaUnregisterFatBinary(void** module);

class DriverKernels : public in_primary_context {
 protected:
  DriverKernels() {
    static char text[] = "_Z3addPii";
    __cudaRegisterFunction(module, &stub, text, add_name, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    must(cudaGetFuncBySymbol(&function, &stub));
  }
  ~DriverKernels() override {
    convoy_set_kernel(add_name, nullptr, nullptr, 0);
    __cudaUnregisterFatBinary(module);
  }

  CUresult launch(CUstream to) {
    void* parameters[] = {&target, &step};
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, to, parameters, nullptr);
  }

  void** const module = __cudaRegisterFatBinary(nullptr);
  const char stub = 0;
  CUfunction function = nullptr;
  const driver_stream stream;
  const driver_pinned number{bytes(4)};
  int* target = reinterpret_cast<int*>(number.data());
  int step = 5;
};

TEST_F(DriverKernels, RunsFunctionInStreamOrder) {
  const std::size_t sizes[] = {sizeof(int*), sizeof(int)};
  must(convoy_set_kernel(add_name, add, sizes, 2));
  driver_gate closed(stream);

  EXPECT_EQ(launch(stream), CUDA_SUCCESS);
  step = 7;

  EXPECT_EQ(*target, 0);
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(*target, 5);
}

TEST_F(DriverKernels, LaunchConfigurationIsAccepted) {
  const std::size_t sizes[] = {sizeof(int*), sizeof(int)};
  must(convoy_set_kernel(add_name, add, sizes, 2));
  void* parameters[] = {&target, &step};
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;

  EXPECT_EQ(cuLaunchKernelEx(&config, function, parameters, nullptr), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(*target, 5);
}

TEST_F(DriverKernels, MissingFunctionIsRefused) {
  EXPECT_EQ(launch(stream), CUDA_ERROR_NO_BINARY_FOR_GPU);

  EXPECT_EQ(cuStreamQuery(stream), CUDA_SUCCESS);
}

TEST_F(DriverKernels, NameIsReported) {
  const char* name = nullptr;

  EXPECT_EQ(cuFuncGetName(&name, function), CUDA_SUCCESS);

  EXPECT_STREQ(name, add_name);
  EXPECT_EQ(cuFuncGetName(&name, reinterpret_cast<CUfunction>(&name)), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverKernels, NullHasNoName) {
  const char* name = nullptr;

  EXPECT_EQ(cuFuncGetName(&name, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuKernelGetName(&name, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncGetName(nullptr, function), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverKernels, ModulesAreLoadedLazily) {
  CUmoduleLoadingMode mode = CU_MODULE_EAGER_LOADING;

  EXPECT_EQ(cuModuleGetLoadingMode(&mode), CUDA_SUCCESS);

  EXPECT_EQ(mode, CU_MODULE_LAZY_LOADING);
  EXPECT_EQ(cuModuleGetLoadingMode(nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace convoy::test
