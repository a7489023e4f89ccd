#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "support/cuda_driver.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

class DriverStart : public own_process {};

TEST_F(DriverStart, CallsBeforeInitAreRefused) {
  int count = 0;
  EXPECT_EXIT(end_well_if(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED), ended_well, "");
}

TEST_F(DriverStart, CallsAfterInitSucceed) {
  int count = 0;
  EXPECT_EXIT(end_well_if(cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS),
              ended_well, "");
}

TEST_F(DriverStart, RuntimeUseInitialisesDriver) {
  CUcontext found = nullptr;
  EXPECT_EXIT(end_well_if(cudaFree(nullptr) == cudaSuccess && cudaStreamQuery(nullptr) == 0 &&
                          cuCtxGetCurrent(&found) == CUDA_SUCCESS && found != nullptr),
              ended_well, "");
}

// True if the driver answers after `call`, without cuInit().
template <class Call>
bool starts_driver(const Call& call) {
  CUdevice device = -1;
  unsigned flags = 0;
  int active = -1;
  return cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED && call() == cudaSuccess &&
         cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
         cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0;
}

TEST_F(DriverStart, RuntimeQueriesInitialiseDriver) {
  int value = 0;
  cudaDeviceProp properties = {};
  cudaPointerAttributes attributes = {};
  const auto value_of = [&](auto query) { return starts_driver([&] { return query(&value); }); };

  EXPECT_EXIT(end_well_if(value_of(cudaGetDeviceCount)), ended_well, "");
  EXPECT_EXIT(end_well_if(value_of(cudaGetDevice)), ended_well, "");
  EXPECT_EXIT(end_well_if(starts_driver(
                  [&] { return cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0); })),
              ended_well, "");
  EXPECT_EXIT(end_well_if(starts_driver([&] { return cudaGetDeviceProperties(&properties, 0); })),
              ended_well, "");
  EXPECT_EXIT(end_well_if(starts_driver(
                  [&] { return cudaPointerGetAttributes(&attributes, &attributes); })),
              ended_well, "");
}

TEST_F(DriverStart, VersionsDoNotInitialiseDriver) {
  int version = 0;
  EXPECT_EXIT(end_well_if(cudaRuntimeGetVersion(&version) == cudaSuccess &&
                          cudaDriverGetVersion(&version) == cudaSuccess &&
                          cudaGetLastError() == cudaSuccess &&
                          cuDeviceGetCount(&version) == CUDA_ERROR_NOT_INITIALIZED),
              ended_well, "");
}

TEST_F(DriverStart, PointerQueryMakesNoContextCurrent) {
  cudaPointerAttributes attributes = {};
  EXPECT_EXIT(end_well_if(cudaPointerGetAttributes(&attributes, &attributes) == cudaSuccess &&
                          attributes.type == cudaMemoryTypeUnregistered && current() == nullptr),
              ended_well, "");
}

TEST_F(DriverStart, FlagsAreRefused) { EXPECT_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE); }

TEST_F(DriverStart, VersionIsKnownBeforeInit) {
  int version = 0;
  EXPECT_EXIT(end_well_if(cuDriverGetVersion(&version) == CUDA_SUCCESS && version == 13020),
              ended_well, "");
}

TEST_F(DriverStart, VersionFollowsSetting) {
  int version = 0;
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_CUDA_VERSION", "13.4", 1);
        end_well_if(cuDriverGetVersion(&version) == CUDA_SUCCESS && version == 13040);
      },
      ended_well, "");
}

TEST_F(DriverStart, VersionIsKnownInForkedChild) {
  must(cuInit(0));

  EXPECT_TRUE(true_in_child([] {
    int version = 0;
    return cuDriverGetVersion(&version) == CUDA_SUCCESS && version == 13020;
  }));
}

TEST_F(DriverStart, ForkedChildIsNotInitialised) {
  must(cuInit(0));

  EXPECT_TRUE(true_in_child([] {
    int count = 0;
    return cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED;
  }));
}

TEST(DriverErrors, CodesHaveNamesAndSentences) {
  const char* name = nullptr;
  const char* sentence = nullptr;

  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name), CUDA_SUCCESS);
  EXPECT_EQ(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &sentence), CUDA_SUCCESS);

  EXPECT_STREQ(name, "CUDA_ERROR_INVALID_VALUE");
  EXPECT_STREQ(sentence, cudaGetErrorString(cudaErrorInvalidValue));
}

TEST(DriverErrors, DriverOnlyCodeHasAName) {
  const char* name = nullptr;
  const char* sentence = nullptr;

  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(202), &name), CUDA_SUCCESS);
  EXPECT_EQ(cuGetErrorString(static_cast<CUresult>(202), &sentence), CUDA_SUCCESS);

  EXPECT_STREQ(name, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(202)), "unrecognized error code");
}

TEST(DriverErrors, UnknownCodeIsRefused) {
  const char* name = "left from before";

  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(998), &name), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(name, nullptr);
}

TEST(DriverErrors, RuntimeOnlyCodeHasNoName) {
  const char* name = nullptr;

  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(cudaErrorInvalidPitchValue), &name),
            CUDA_ERROR_INVALID_VALUE);
}

class DriverErrorLog : public testing::Test {
 protected:
  DriverErrorLog() {
    must(cuInit(0));
    before = log_position<driver_api>();
  }

  CUlogIterator before = 0;
};

TEST_F(DriverErrorLog, NamesFunctionAndCode) {
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);

  EXPECT_EQ(log_since<driver_api>(before), "cuCtxSynchronize: CUDA_ERROR_INVALID_CONTEXT\n");
}

TEST_F(DriverErrorLog, NamesUnsupportedFunction) {
  const auto create =
      reinterpret_cast<CUresult (*)(void*, unsigned)>(dlsym(RTLD_DEFAULT, "cuGraphCreate"));
  ASSERT_NE(create, nullptr);

  EXPECT_EQ(create(nullptr, 0), CUDA_ERROR_NOT_SUPPORTED);

  EXPECT_EQ(log_since<driver_api>(before).find("cuGraphCreate: CUDA_ERROR_NOT_SUPPORTED"), 0);
}

TEST_F(DriverErrorLog, RuntimeLastErrorIsUnchanged) {
  cudaGetLastError();

  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);

  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

std::string file_of(const char* symbol) {
  Dl_info found = {};
  dladdr(dlsym(RTLD_DEFAULT, symbol), &found);
  return std::filesystem::canonical(found.dli_fname);
}

// By name alone, the dlopen of a sanitizer would search the folder of the sanitizer's library.
TEST(DriverLibrary, IsTheOneRuntimeUses) {
  const std::string folder = std::filesystem::path(file_of("cudaMemcpyBatchAsync")).parent_path();
  void* const driver = dlopen((folder + "/libcuda.so.1").c_str(), RTLD_NOW);
  ASSERT_NE(driver, nullptr) << dlerror();

  EXPECT_EQ(dlsym(driver, "cuMemcpyBatchAsync_v2"), dlsym(RTLD_DEFAULT, "cuMemcpyBatchAsync_v2"));
  EXPECT_EQ(dlsym(driver, "cudaMemcpyBatchAsync"), nullptr);
}

TEST(DriverLibrary, IsAnotherFileThanRuntime) {
  const std::filesystem::path runtime = file_of("cudaMemcpyBatchAsync");
  const std::filesystem::path driver = file_of("cuMemcpyBatchAsync_v2");

  EXPECT_EQ(runtime.filename(), "libcudart.so.13");
  EXPECT_EQ(driver.filename(), "libcuda.so.1");
}

TEST(DriverLibrary, SharesStateWithRuntime) {
  const cuda_stream stream;
  const cuda_memory memory(memory_kind::device, numbered(64, 1));
  unsigned type = 0;
  bytes found(64);

  EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(memory.data())),
            CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoHAsync(found.data(), address(memory.data()), 64, stream), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(found, numbered(64, 1));
}

}  // namespace
}  // namespace convoy::test
