#include <fstream>
#include <thread>

#include "support/cuda_driver.hpp"
#include "support/cuda_kernels.hpp"

namespace convoy::test {
namespace {

constexpr const char* image = "device code";

cudaError_t load(cudaLibrary_t* library, const void* code) {
  return cudaLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

CUresult launch(CUfunction function, CUstream stream) {
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
}

TEST(CudaLibrary, KernelsAreFoundByName) {
  const counting_function function("by_name*");
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;

  EXPECT_EQ(load(&library, image), cudaSuccess);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "by_name_1"), cudaSuccess);
  EXPECT_EQ(convoy::test::launch(kernel, nullptr, nullptr), cudaSuccess);

  EXPECT_EQ(function.launches(), 1);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
}

TEST(CudaLibrary, UnloadedOneIsRefused) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  must(load(&library, image));
  must(cudaLibraryUnload(library));

  EXPECT_EQ(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "a"), cudaErrorInvalidResourceHandle);
}

TEST(CudaLibrary, NullAndEmptyNamesAreRefused) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  must(load(&library, image));

  EXPECT_EQ(load(&library, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(load(nullptr, image), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLibraryGetKernel(nullptr, library, "a"), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, ""), cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
}

TEST(CudaLibrary, FileHasToExist) {
  const std::string file = testing::TempDir() + "convoy_image";
  std::ofstream(file) << image;
  cudaLibrary_t library = nullptr;

  const auto load_file = [&](const char* name) {
    return cudaLibraryLoadFromFile(&library, name, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };

  EXPECT_EQ(load_file("/no/such/file"), cudaErrorFileNotFound);
  EXPECT_EQ(load_file(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(load_file(file.c_str()), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
}

class DriverModule : public in_primary_context {};

TEST_F(DriverModule, FunctionsAreFoundByName) {
  const counting_function counted("*in_module*");
  CUmodule module = nullptr;
  CUfunction function = nullptr;

  EXPECT_EQ(cuModuleLoadData(&module, image), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "_Z9in_modulev"), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, nullptr), CUDA_SUCCESS);

  EXPECT_EQ(counted.launches(), 1);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "a"), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverModule, FormsOfLoadingAreEquivalent) {
  const std::string file = testing::TempDir() + "convoy_module";
  std::ofstream(file) << image;
  CUmodule module = nullptr;

  EXPECT_EQ(cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoadFatBinary(&module, image), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoad(&module, file.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoad(&module, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, LibraryHasKernelsAndModule) {
  const counting_function counted("in_library");
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;

  EXPECT_EQ(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryGetKernel(&kernel, library, "in_library"), CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryGetModule(&module, library), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleGetFunction(&function, module, "in_library"), CUDA_SUCCESS);
  EXPECT_EQ(launch(reinterpret_cast<CUfunction>(kernel), nullptr), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, nullptr), CUDA_SUCCESS);

  EXPECT_EQ(counted.launches(), 2);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryGetModule(&module, library), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverModule, KernelWithoutFunctionIsRefused) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  must(cuModuleLoadData(&module, image));

  EXPECT_EQ(cuModuleGetFunction(&function, module, "without_function"), CUDA_SUCCESS);

  EXPECT_EQ(launch(function, nullptr), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
}

TEST_F(DriverModule, CooperativeLaunchRunsFunction) {
  const counting_function counted("cooperative");
  const driver_stream stream;
  auto* const function = reinterpret_cast<CUfunction>(kernel_named("cooperative"));

  EXPECT_EQ(cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr),
            CUDA_SUCCESS);

  EXPECT_EQ(counted.launches(), 1);
}

TEST(DriverModuleLoading, NeedsContext) {
  must(cuInit(0));
  CUmodule module = nullptr;
  CUresult answer = CUDA_SUCCESS;

  std::thread without_context([&] { answer = cuModuleLoadData(&module, image); });
  without_context.join();

  EXPECT_EQ(answer, CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace
}  // namespace convoy::test
