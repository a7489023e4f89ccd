#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/cuda.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

struct table_row {
  int code = 0;
  std::string name;
  std::string sentence;
};

std::vector<table_row> table_of_errors() {
  std::ifstream file(CONVOY_CUDA_ERRORS);
  std::vector<table_row> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    table_row row;
    std::string code;
    std::getline(fields, code, '\t');
    std::getline(fields, row.name, '\t');
    std::getline(fields, row.sentence);
    row.code = std::stoi(code);
    rows.push_back(row);
  }
  return rows;
}

// A call that is always refused.
cudaError_t refused() { return cudaMalloc(static_cast<void**>(nullptr), 1); }

TEST(CudaErrorText, MatchesTheTable) {
  const auto rows = table_of_errors();
  ASSERT_EQ(rows.size(), 134U);

  for (const table_row& row : rows) {
    EXPECT_EQ(cudaGetErrorName(static_cast<cudaError_t>(row.code)), row.name);
    EXPECT_EQ(cudaGetErrorString(static_cast<cudaError_t>(row.code)), row.sentence);
  }
}

TEST(CudaErrorText, UnknownCodeIsUnrecognized) {
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(9999)), "unrecognized error code");
}

TEST(CudaErrorText, MatchesNvidiasLibrary) {
  void* const theirs = dlopen(CONVOY_NVIDIA_CUDART, RTLD_NOW | RTLD_LOCAL);
  if (theirs == nullptr) GTEST_SKIP() << "NVIDIA's libcudart.so.13 is not installed";
  using text_function = const char* (*)(cudaError_t);
  const auto name = reinterpret_cast<text_function>(dlsym(theirs, "cudaGetErrorName"));
  const auto sentence = reinterpret_cast<text_function>(dlsym(theirs, "cudaGetErrorString"));
  ASSERT_NE(name, &cudaGetErrorName);

  for (int code = 0; code != 10002; ++code) {
    const auto each = static_cast<cudaError_t>(code);
    EXPECT_STREQ(cudaGetErrorName(each), name(each));
    EXPECT_STREQ(cudaGetErrorString(each), sentence(each));
  }
}

TEST(CudaLastError, StaysUntilFetched) {
  EXPECT_EQ(refused(), cudaErrorInvalidValue);

  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(CudaLastError, SuccessDoesNotClearIt) {
  EXPECT_EQ(refused(), cudaErrorInvalidValue);

  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);

  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(CudaLastError, IsPerThread) {
  EXPECT_EQ(refused(), cudaErrorInvalidValue);

  cudaError_t elsewhere = cudaErrorUnknown;
  std::thread([&] { elsewhere = cudaGetLastError(); }).join();

  EXPECT_EQ(elsewhere, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(CudaLastError, NotReadyDoesNotSetIt) {
  const cuda_stream stream;
  const cuda_gate closed(stream);

  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);

  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(CudaVersion, DefaultIs132) {
  int runtime = 0;
  int driver = 0;

  EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);

  EXPECT_EQ(runtime, 13020);
  EXPECT_EQ(driver, 13020);
  EXPECT_EQ(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
}

using CudaVersionSetting = own_process;

TEST_F(CudaVersionSetting, RuntimeAndDriverFollowIt) {
  const auto versions_are = [](const char* setting, int expected) {
    ::setenv("CONVOY_CUDA_VERSION", setting, 1);
    int runtime = 0;
    int driver = 0;
    end_well_if(cudaRuntimeGetVersion(&runtime) == cudaSuccess &&
                cudaDriverGetVersion(&driver) == cudaSuccess && runtime == expected &&
                driver == expected);
  };

  EXPECT_EXIT(versions_are("13.0", 13000), ended_well, "");
  EXPECT_EXIT(versions_are("13.1", 13010), ended_well, "");
  EXPECT_EXIT(versions_are("13.3", 13030), ended_well, "");
  EXPECT_EXIT(versions_are("13.4", 13040), ended_well, "");
}

TEST_F(CudaVersionSetting, LaterChangesHaveNoEffect) {
  EXPECT_EXIT(
      {
        int before = 0;
        int after = 0;
        cudaRuntimeGetVersion(&before);
        ::setenv("CONVOY_CUDA_VERSION", "13.4", 1);
        cudaDriverGetVersion(&after);
        end_well_if(before == 13020 && after == 13020);
      },
      ended_well, "");
}

TEST_F(CudaVersionSetting, UnknownVersionFailsTheQueries) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_CUDA_VERSION", "12.8", 1);
        int version = 0;
        end_well_if(cudaRuntimeGetVersion(&version) == cudaErrorInitializationError &&
                    cudaDriverGetVersion(&version) == cudaErrorInitializationError &&
                    cudaGetDeviceCount(&version) == cudaErrorInitializationError && version == 0);
      },
      ended_well, "");
}

TEST(CudaNames, AllOfCuda134AreExported) {
  std::ifstream file(CONVOY_CUDA_NAMES);
  std::vector<std::string> missing;
  int names = 0;

  for (std::string name; std::getline(file, name); ++names) {
    if (dlsym(RTLD_DEFAULT, name.c_str()) == nullptr) missing.push_back(name);
  }

  EXPECT_EQ(names, 458);
  EXPECT_THAT(missing, testing::IsEmpty());
}

TEST(CudaNames, LaterUnsupportedNamesAnswer801) {
  for (const char* name : {"cudaGreenCtxCreate", "cudaDeviceGetExecutionCtx",
                           "cudaMemGetLocationInfo", "cudaGraphGetId"}) {
    auto* const function = reinterpret_cast<cudaError_t (*)()>(dlsym(RTLD_DEFAULT, name));
    ASSERT_NE(function, nullptr) << name;
    EXPECT_EQ(function(), cudaErrorNotSupported) << name;
  }

  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

extern "C" cudaError_t cudaGLSetGLDevice(int device);

TEST(CudaLog, NamesUnsupportedFunction) {
  const cudaLogIterator before = log_position<runtime_api>();

  EXPECT_EQ(cudaGLSetGLDevice(0), cudaErrorNotSupported);

  EXPECT_NE(log_since<runtime_api>(before).find("cudaGLSetGLDevice: cudaErrorNotSupported"),
            std::string::npos);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

template <class Api>
class CudaBatchLog : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaBatchLog, cuda_apis, api_names);

TYPED_TEST(CudaBatchLog, NamesBadCopy) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> source(memory_kind::pinned, bytes(64));
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  api_batch<TypeParam> work;
  work.add_blocks(target.data(), source.data(), 8, 8);
  work.sizes[5] = 1000;
  const auto before = log_position<TypeParam>();

  EXPECT_EQ(work.submit(stream), TypeParam::invalid_value);

  const std::string text = log_since<TypeParam>(before);
  EXPECT_NE(text.find(TypeParam::batch_name), std::string::npos) << text;
  EXPECT_NE(text.find("item 5"), std::string::npos) << text;
}

TYPED_TEST(CudaBatchLog, NamesRefusedArgument) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> memory(memory_kind::device, bytes(64));
  api_batch<TypeParam> work;
  const auto before = log_position<TypeParam>();

  EXPECT_EQ(work.submit(stream), TypeParam::invalid_value);
  EXPECT_NE(log_since<TypeParam>(before).find("count is 0"), std::string::npos);
  work.add_blocks(memory.data(), memory.data() + 32, 1, 8);
  EXPECT_EQ(work.submit(nullptr), TypeParam::invalid_value);
  EXPECT_NE(log_since<TypeParam>(before).find("cannot go into the default stream"),
            std::string::npos);
}

TEST(CudaLog, CallbackStopsWhenUnregistered) {
  int calls = 0;
  cudaLogsCallbackHandle handle = nullptr;
  const auto count = [](void* into, cudaLogLevel, char*, std::size_t) {
    ++*static_cast<int*>(into);
  };
  EXPECT_EQ(cudaLogsRegisterCallback(count, &calls, &handle), cudaSuccess);

  EXPECT_EQ(refused(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLogsUnregisterCallback(handle), cudaSuccess);
  EXPECT_EQ(refused(), cudaErrorInvalidValue);

  EXPECT_EQ(calls, 1);
}

class CudaLogSetting : public own_process {
 protected:
  [[noreturn]] static void fail_with(const char* setting) {
    ::setenv("CONVOY_LOG", setting, 1);
    end_well_if(refused() == cudaErrorInvalidValue);
  }

  static constexpr const char* line = "cudaMalloc: cudaErrorInvalidValue";
};

TEST_F(CudaLogSetting, FailuresPrintsRefusedCalls) {
  EXPECT_EXIT(fail_with("failures"), ended_well, line);
}

TEST_F(CudaLogSetting, BothPrintsRefusedCalls) { EXPECT_EXIT(fail_with("both"), ended_well, line); }

TEST_F(CudaLogSetting, FileIsWrittenBesideStandardError) {
  const std::string path = testing::TempDir() + program_invocation_short_name + ".log";
  EXPECT_EXIT(
      {
        ::setenv("CUDA_LOG_FILE", path.c_str(), 1);
        fail_with("failures");
      },
      ended_well, line);
  std::ifstream file(path);
  std::string first;
  std::getline(file, first);
  EXPECT_THAT(first, testing::HasSubstr(line));
  ::unlink(path.c_str());
}

TEST_F(CudaLogSetting, LogFileFollowsNoLink) {
  const std::string path = testing::TempDir() + program_invocation_short_name + ".linked";
  const std::string link = path + ".log";
  ::unlink(link.c_str());  // the child of the test starts here, too
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);

  EXPECT_EXIT(
      {
        ::setenv("CUDA_LOG_FILE", link.c_str(), 1);
        fail_with("failures");
      },
      ended_well, "CUDA_LOG_FILE names .* it is a symbolic link");

  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  ::unlink(link.c_str());
}

TEST_F(CudaLogSetting, SummaryPrintsNoRefusedCalls) {
  EXPECT_EXIT(fail_with("summary"), ended_well, testing::Not(testing::HasSubstr(line)));
}

}  // namespace
}  // namespace convoy::test
