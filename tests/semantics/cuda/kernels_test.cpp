#include <convoy_kernels.h>
#include <dlfcn.h>

#include "support/cuda.hpp"
#include "support/own_process.hpp"

// Functions that nvcc's generated code calls in programs with kernels.
extern "C" {
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFatBinaryEnd(void** module);
void __cudaUnregisterFatBinary(void** module);
char __cudaInitModule(void** module);
void __cudaRegisterFunction(void** module, const char* stub, char* entry, const char* name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_size,
                            dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** module, char* shadow, char* address, const char* name, int ext,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void** module, void** pointer, char* address, const char* name,
                              int ext, size_t size, int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** parameters,
                               size_t shared, cudaStream_t stream);
}

namespace convoy::test {
namespace {

constexpr const char* kernel_name = "_Z3addPii";

// A module with a kernel and two variables, as a program registers it.
class CudaModule : public testing::Test {
 protected:
  CudaModule() {
    __cudaRegisterFunction(module, &stub, &stub, kernel_name, -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __cudaRegisterVar(module, variable, variable, "variable", 0, sizeof variable, 0, 0);
    __cudaRegisterManagedVar(module, &managed, variable, "managed", 0, 16, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
  }
  ~CudaModule() override { __cudaUnregisterFatBinary(module); }

  void** const module = __cudaRegisterFatBinary(nullptr);
  char stub = 0;
  char variable[64] = {};
  void* managed = nullptr;
};

// Adds to a number for each thread of the grid.
void add_on_host(const convoy_kernel_launch* launch) {
  int* const into = *static_cast<int**>(launch->parameters[0]);
  const int amount = *static_cast<int*>(launch->parameters[1]);
  *into += amount * static_cast<int>(launch->grid.x * launch->block.x);
}

class CudaKernel : public CudaModule {
 protected:
  CudaKernel() { must(convoy_set_kernel(kernel_name, add_on_host, sizes, 2)); }
  ~CudaKernel() override { convoy_set_kernel(kernel_name, nullptr, nullptr, 0); }

  static constexpr std::size_t sizes[] = {sizeof(int*), sizeof(int)};
  const cuda_stream stream;
  const cuda_memory memory{memory_kind::managed, bytes(sizeof(int))};
  int* number = reinterpret_cast<int*>(memory.data());
};

TEST_F(CudaKernel, RunsFunctionInStreamOrder) {
  int amount = 5;
  void* parameters[] = {&number, &amount};
  cuda_gate closed(stream);

  EXPECT_EQ(
      cudaLaunchKernel(static_cast<const void*>(&stub), dim3(2), dim3(3), parameters, 0, stream),
      cudaSuccess);

  EXPECT_EQ(*number, 0);
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(*number, 30);
}

TEST_F(CudaKernel, ParametersAreCopiedAtLaunch) {
  int amount = 5;
  void* parameters[] = {&number, &amount};
  cuda_gate closed(stream);

  EXPECT_EQ(
      cudaLaunchKernel(static_cast<const void*>(&stub), dim3(1), dim3(1), parameters, 0, stream),
      cudaSuccess);
  amount = 1000;
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(*number, 5);
}

TEST_F(CudaKernel, LaunchFormsAreEquivalent) {
  int amount = 7;
  void* parameters[] = {&number, &amount};
  cudaKernel_t handle = nullptr;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(2);
  config.stream = stream;

  EXPECT_EQ(__cudaGetKernel(&handle, &stub), cudaSuccess);
  EXPECT_EQ(__cudaLaunchKernel(handle, dim3(1), dim3(1), parameters, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernelExC(&config, &stub, parameters), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(*number, 21);
}

TEST_F(CudaKernel, EmptyGridOrBlockIsRefused) {
  int amount = 5;
  void* parameters[] = {&number, &amount};

  EXPECT_EQ(
      cudaLaunchKernel(static_cast<const void*>(&stub), dim3(0), dim3(1), parameters, 0, stream),
      cudaErrorInvalidConfiguration);
}

TEST_F(CudaModule, MissingFunctionIsRefusedAndNamed) {
  const cudaLogIterator before = log_position<runtime_api>();

  EXPECT_EQ(
      cudaLaunchKernel(static_cast<const void*>(&stub), dim3(1), dim3(1), nullptr, 0, nullptr),
      cudaErrorInvalidDeviceFunction);

  const std::string text = log_since<runtime_api>(before);
  EXPECT_NE(text.find(kernel_name), std::string::npos) << text;
}

TEST_F(CudaModule, UnknownAddressIsRefused) {
  int other = 0;

  EXPECT_EQ(
      cudaLaunchKernel(static_cast<const void*>(&other), dim3(1), dim3(1), nullptr, 0, nullptr),
      cudaErrorInvalidDeviceFunction);
}

TEST_F(CudaModule, KernelNameIsReported) {
  const char* name = nullptr;
  cudaFuncAttributes attributes = {};

  EXPECT_EQ(cudaFuncGetName(&name, &stub), cudaSuccess);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, static_cast<const void*>(&stub)), cudaSuccess);

  EXPECT_STREQ(name, kernel_name);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
}

TEST_F(CudaModule, VariablesStartAtZero) {
  bytes found(sizeof variable, 1);

  EXPECT_EQ(cudaMemcpyFromSymbol(found.data(), static_cast<const void*>(variable), found.size(), 0,
                                 cudaMemcpyDeviceToHost),
            cudaSuccess);

  EXPECT_EQ(found, bytes(sizeof variable));
}

TEST_F(CudaModule, ResetZeroesVariables) {
  bytes found(sizeof variable, 1);
  must(cudaMemcpyToSymbol(static_cast<const void*>(variable), found.data(), found.size(), 0,
                          cudaMemcpyHostToDevice));

  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(found.data(), static_cast<const void*>(variable), found.size(), 0,
                                 cudaMemcpyDeviceToHost),
            cudaSuccess);

  EXPECT_EQ(found, bytes(sizeof variable));
}

TEST_F(CudaModule, VariablesMayBeWrittenInPart) {
  const bytes part = numbered(8);
  bytes found(sizeof variable);

  EXPECT_EQ(cudaMemcpyToSymbol(static_cast<const void*>(variable), part.data(), 8, 16,
                               cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(found.data(), static_cast<const void*>(variable), found.size(), 0,
                                 cudaMemcpyDeviceToHost),
            cudaSuccess);

  bytes wanted(sizeof variable);
  std::copy(part.begin(), part.end(), wanted.begin() + 16);
  EXPECT_EQ(found, wanted);
}

TEST_F(CudaModule, EachDeviceHasItsOwnVariable) {
  void* here = nullptr;
  void* there = nullptr;
  std::size_t size = 0;

  EXPECT_EQ(cudaGetSymbolAddress(&here, static_cast<const void*>(variable)), cudaSuccess);
  on_device(1, [&] {
    EXPECT_EQ(cudaGetSymbolAddress(&there, static_cast<const void*>(variable)), cudaSuccess);
  });
  EXPECT_EQ(cudaGetSymbolSize(&size, static_cast<const void*>(variable)), cudaSuccess);

  EXPECT_NE(here, there);
  EXPECT_EQ(size, sizeof variable);
}

TEST_F(CudaModule, VariableCopiesAreChecked) {
  bytes found(200);
  int other = 0;

  EXPECT_EQ(cudaMemcpyFromSymbol(found.data(), static_cast<const void*>(variable), 65, 0,
                                 cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromSymbol(found.data(), static_cast<const void*>(&other), 4, 0,
                                 cudaMemcpyDeviceToHost),
            cudaErrorInvalidSymbol);
}

TEST_F(CudaModule, ManagedVariablesHaveMemory) {
  EXPECT_EQ(__cudaInitModule(module), 1);

  ASSERT_NE(managed, nullptr);
  cudaPointerAttributes found = {};
  EXPECT_EQ(cudaPointerGetAttributes(&found, managed), cudaSuccess);
  EXPECT_EQ(found.type, cudaMemoryTypeManaged);
  static_cast<char*>(managed)[15] = 1;
}

TEST(CudaCallConfiguration, PopsInReverseOrder) {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(1), dim3(2), 3, nullptr), 0U);
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(4), dim3(5), 6, cudaStreamPerThread), 0U);

  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);

  EXPECT_EQ(grid.x, 4U);
  EXPECT_EQ(block.x, 5U);
  EXPECT_EQ(shared, 6U);
  EXPECT_EQ(stream, cudaStreamPerThread);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaErrorMissingConfiguration);
}

TEST(CudaEntryPoint, UnknownNameIsNotFound) {
  void* found = &found;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;

  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &found, 13000, cudaEnableDefault,
                                             &status),
            cudaSuccess);

  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion(nullptr, &found, 13000, 0, &status),
            cudaErrorInvalidValue);
}

// Whatever CONVOY_LOG says, and once.
class CudaWarning : public own_process {
 protected:
  static auto once(const std::string& pattern) {
    return testing::AllOf(testing::ContainsRegex(pattern),
                          testing::Not(testing::ContainsRegex(pattern + "(.|\n)*" + pattern)));
  }
};

TEST_F(CudaWarning, NamesFirstKernelWithoutFunction) {
  EXPECT_EXIT(
      {
        char stub = 0;
        void** const module = __cudaRegisterFatBinary(nullptr);
        __cudaRegisterFunction(module, &stub, &stub, kernel_name, -1, nullptr, nullptr, nullptr,
                               nullptr, nullptr);
        for (int i = 0; i != 2; ++i) cudaLaunchKernel(&stub, 1, 1, nullptr, 0, nullptr);
        end_well_if(true);
      },
      ended_well, once("the kernel add.int., int. was launched"));
}

TEST_F(CudaWarning, NamesOtherRuntime) {
  EXPECT_EXIT(
      {
        const void* table = &table;
        const auto get = reinterpret_cast<int (*)(const void**, const void*)>(
            ::dlsym(RTLD_DEFAULT, "cuGetExportTable"));
        get(&table, nullptr);
        end_well_if(get(&table, nullptr) == 801 && table == nullptr);
      },
      ended_well, once("NVIDIA's CUDA runtime .linked statically into .*_test"));
}

TEST(CudaExportTable, IsNotSupported) {
  const void* table = &table;
  const cudaUUID_t id = {};

  EXPECT_EQ(cudaGetExportTable(&table, &id), cudaErrorNotSupported);

  EXPECT_EQ(table, nullptr);
}

}  // namespace
}  // namespace convoy::test
