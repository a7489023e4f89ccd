#include <dlfcn.h>

#include "support/cuda_driver.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

constexpr cuuint64_t legacy = CU_GET_PROC_ADDRESS_LEGACY_STREAM;
constexpr cuuint64_t per_thread = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

void* exported(const char* symbol) { return dlsym(RTLD_DEFAULT, symbol); }

void* entry_point(const char* name, int version, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  EXPECT_EQ(cuGetProcAddress(name, &found, version, flags, &status), CUDA_SUCCESS) << name;
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS) << name;
  return found;
}

TEST(DriverEntryPoints, VersionChoosesBatchForm) {
  for (const int version : {12080, 12081, 12090}) {
    EXPECT_EQ(entry_point("cuMemcpyBatchAsync", version), exported("cuMemcpyBatchAsync"));
    EXPECT_EQ(entry_point("cuMemcpy3DBatchAsync", version), exported("cuMemcpy3DBatchAsync"));
  }
  for (const int version : {13000, 13010, 13020, 14000}) {
    EXPECT_EQ(entry_point("cuMemcpyBatchAsync", version), exported("cuMemcpyBatchAsync_v2"));
    EXPECT_EQ(entry_point("cuMemcpy3DBatchAsync", version), exported("cuMemcpy3DBatchAsync_v2"));
  }
}

TEST(DriverEntryPoints, FlagChoosesPerThreadForm) {
  EXPECT_EQ(entry_point("cuMemcpyBatchAsync", 12090, per_thread),
            exported("cuMemcpyBatchAsync_ptsz"));
  EXPECT_EQ(entry_point("cuMemcpyBatchAsync", 13000, per_thread),
            exported("cuMemcpyBatchAsync_v2_ptsz"));
  EXPECT_EQ(entry_point("cuMemcpyHtoD", 13000, per_thread), exported("cuMemcpyHtoD_v2_ptds"));
  EXPECT_EQ(entry_point("cuMemcpyHtoD", 13000, legacy), exported("cuMemcpyHtoD_v2"));
}

TEST(DriverEntryPoints, MissingPerThreadFormFallsBack) {
  EXPECT_EQ(entry_point("cuMemAlloc", 13000, per_thread), exported("cuMemAlloc_v2"));
}

struct versioned_name {
  const char* name;
  int version;
  const char* symbol;
};

class DriverEntryPointVersions : public testing::TestWithParam<versioned_name> {};

TEST_P(DriverEntryPointVersions, VersionChoosesForm) {
  const auto& [name, version, symbol] = GetParam();

  void* const found = entry_point(name, version);

  EXPECT_NE(found, nullptr);
  EXPECT_EQ(found, exported(symbol));
}

INSTANTIATE_TEST_SUITE_P(
    All, DriverEntryPointVersions,
    testing::Values(versioned_name{"cuMemAlloc", 2000, "cuMemAlloc"},
                    versioned_name{"cuMemAlloc", 3020, "cuMemAlloc_v2"},
                    versioned_name{"cuMemAlloc", 13000, "cuMemAlloc_v2"},
                    versioned_name{"cuCtxCreate", 12000, "cuCtxCreate_v3"},
                    versioned_name{"cuCtxCreate", 12050, "cuCtxCreate_v4"},
                    versioned_name{"cuCtxGetDevice", 12090, "cuCtxGetDevice"},
                    versioned_name{"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
                    versioned_name{"cuEventElapsedTime", 12000, "cuEventElapsedTime"},
                    versioned_name{"cuEventElapsedTime", 12080, "cuEventElapsedTime_v2"},
                    versioned_name{"cuStreamGetCaptureInfo", 11000, "cuStreamGetCaptureInfo"},
                    versioned_name{"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
                    versioned_name{"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
                    versioned_name{"cuMemPrefetchAsync", 12000, "cuMemPrefetchAsync"},
                    versioned_name{"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
                    versioned_name{"cuGetProcAddress", 11030, "cuGetProcAddress"},
                    versioned_name{"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
                    versioned_name{"cuInit", 2000, "cuInit"},
                    versioned_name{"cuGraphCreate", 13000, "cuGraphCreate"}));

TEST(DriverEntryPoints, UnknownNameIsNotFound) {
  void* found = &found;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;

  EXPECT_EQ(cuGetProcAddress("cuNoSuchThing", &found, 13000, 0, &status), CUDA_ERROR_NOT_FOUND);

  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

TEST(DriverEntryPoints, LogNamesUnknownFunction) {
  must(cuInit(0));
  void* found = nullptr;
  const auto before = log_position<driver_api>();

  cuGetProcAddress("cuNoSuchThing", &found, 13000, 0, nullptr);
  cuGetProcAddress("cuMemcpyBatchAsync", &found, 12000, 0, nullptr);

  const std::string text = log_since<driver_api>(before);
  EXPECT_NE(text.find("cuNoSuchThing is not a function of the driver"), std::string::npos) << text;
  EXPECT_NE(text.find("cuMemcpyBatchAsync is newer than CUDA 12.0"), std::string::npos) << text;
}

TEST(DriverEntryPoints, PrefixOfNameIsNotFound) {
  void* found = nullptr;

  EXPECT_EQ(cuGetProcAddress("cuMemcpyBatch", &found, 13000, 0, nullptr), CUDA_ERROR_NOT_FOUND);
}

TEST(DriverEntryPoints, LaterNameReportsInsufficientVersion) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;

  EXPECT_EQ(cuGetProcAddress("cuMemcpyBatchAsync", &found, 12070, 0, &status),
            CUDA_ERROR_NOT_FOUND);

  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

TEST(DriverEntryPoints, RuntimeFindsTheSame) {
  void* older = nullptr;
  void* own = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;

  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuMemcpyBatchAsync", &older, 12080, cudaEnableDefault,
                                             &status),
            cudaSuccess);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuMemcpyBatchAsync", &own, 13000,
                                             cudaEnablePerThreadDefaultStream, &status),
            cudaSuccess);

  EXPECT_EQ(status, cudaDriverEntryPointSuccess);
  EXPECT_EQ(older, exported("cuMemcpyBatchAsync"));
  EXPECT_EQ(own, exported("cuMemcpyBatchAsync_v2_ptsz"));
}

TEST(DriverEntryPoints, NullsAndUnknownFlagsAreRefused) {
  void* found = nullptr;

  EXPECT_EQ(cuGetProcAddress(nullptr, &found, 13000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGetProcAddress("cuInit", nullptr, 13000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGetProcAddress("cuInit", &found, 13000, 4, nullptr), CUDA_ERROR_INVALID_VALUE);
}

// A function of CUDA 13.2, in a process with this CONVOY_CUDA_VERSION.
class DriverEntryPointLimit : public own_process {
 protected:
  static constexpr const char* name = "cuMemcpyWithAttributesAsync";

  struct answer {
    void* function = nullptr;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;

    [[nodiscard]] bool is_too_new() const {
      return function == nullptr && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    }
    [[nodiscard]] bool is_found() const {
      return function == exported(name) && function != nullptr &&
             status == CU_GET_PROC_ADDRESS_SUCCESS;
    }
  };

  static answer ask_driver(const char* setting, int version) {
    ::setenv("CONVOY_CUDA_VERSION", setting, 1);
    answer made;
    cuGetProcAddress(name, &made.function, version, 0, &made.status);
    return made;
  }

  // Without a version of its own for 0.
  static answer ask_runtime(const char* setting, unsigned version) {
    using older_form =
        cudaError_t(const char*, void**, unsigned long long, cudaDriverEntryPointQueryResult*);
    auto* const look_up = reinterpret_cast<older_form*>(exported("cudaGetDriverEntryPoint"));
    ::setenv("CONVOY_CUDA_VERSION", setting, 1);
    answer made;
    auto result = cudaDriverEntryPointSuccess;
    if (version == 0) {
      must(look_up(name, &made.function, cudaEnableDefault, &result));
    } else {
      must(cudaGetDriverEntryPointByVersion(name, &made.function, version, cudaEnableDefault,
                                            &result));
    }
    made.status = static_cast<CUdriverProcAddressQueryResult>(result);
    return made;
  }
};

TEST_F(DriverEntryPointLimit, LaterFunctionIsNotFound) {
  EXPECT_EXIT(end_well_if(ask_driver("13.0", 13020).is_too_new()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_driver("13.1", 13040).is_too_new()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_driver("13.2", 13010).is_too_new()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_driver("13.2", 13020).is_found()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_driver("13.4", 14000).is_found()), ended_well, "");
}

TEST_F(DriverEntryPointLimit, RuntimeHasTheSame) {
  EXPECT_EXIT(end_well_if(ask_runtime("13.1", 13020).is_too_new()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_runtime("13.2", 13020).is_found()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_runtime("13.1", 0).is_too_new()), ended_well, "");
  EXPECT_EXIT(end_well_if(ask_runtime("13.2", 0).is_found()), ended_well, "");
}

TEST_F(DriverEntryPointLimit, LogNamesDriverVersion) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_LOG", "failures", 1);
        ask_driver("13.1", 13020);
        std::exit(0);
      },
      ended_well, "cuMemcpyWithAttributesAsync is newer than CUDA 13.1");
}

TEST_F(DriverEntryPointLimit, WrongConfigurationDoesNotHideFunctions) {
  EXPECT_EXIT(
      end_well_if(ask_driver("11.4", 13020).is_found() && cuInit(0) == CUDA_ERROR_NOT_INITIALIZED),
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
