#include <thread>

#include "support/cuda_driver.hpp"
#include "support/cuda_kernels.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

class KernelPlugins : public own_process {
 protected:
  static void set(const std::string& value) { ::setenv("CONVOY_KERNELS", value.c_str(), 1); }
  static std::string plugin(const char* name) {
    return std::string(CONVOY_PLUGINS "/") + name + ".so";
  }
  // Ends well if the first call, and the next, answer that CUDA cannot start.
  static void start_with(const std::string& value) {
    set(value);
    int count = 0;
    const cudaError_t first = cudaGetDeviceCount(&count);
    end_well_if(first == cudaErrorInitializationError && cudaGetDeviceCount(&count) == first);
  }

  // True if the plug-in's kernel makes 21 out of 7.
  static bool scales() {
    const int seven = 7;
    int found = 0;
    void* memory = nullptr;
    must(cudaMalloc(&memory, sizeof seven));
    must(cudaMemcpy(memory, &seven, sizeof seven, cudaMemcpyHostToDevice));
    int count = 1;
    int factor = 3;
    void* parameters[] = {&memory, &count, &factor};
    const bool launched = launch(kernel_named("scale_all"), parameters, nullptr) == cudaSuccess;
    must(cudaMemcpy(&found, memory, sizeof found, cudaMemcpyDeviceToHost));
    return launched && found == 21;
  }
};

TEST_F(KernelPlugins, ProvideFunctions) {
  EXPECT_EXIT(
      {
        set(plugin("scale"));
        end_well_if(scales() && launch("other") == cudaErrorInvalidDeviceFunction);
      },
      ended_well, "the kernel other was launched");
}

TEST_F(KernelPlugins, WorkInIsolation) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_ISOLATE", "1", 1);
        set(plugin("scale"));
        end_well_if(scales());
      },
      ended_well, "");
}

TEST_F(KernelPlugins, AreLoadedOnceForAllThreads) {
  EXPECT_EXIT(
      {
        set(plugin("scale"));
        std::atomic<int> working = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i != 4; ++i) threads.emplace_back([&] { working += scales() ? 1 : 0; });
        for (std::thread& each : threads) each.join();
        end_well_if(working == 4);
      },
      ended_well, "");
}

TEST_F(KernelPlugins, MissingFileIsNamed) {
  EXPECT_EXIT(start_with("/no/such/plugin.so"), ended_well,
              "convoy: the plug-in /no/such/plugin.so .CONVOY_KERNELS. cannot be loaded: .*No such "
              "file");
}

TEST_F(KernelPlugins, MissingEntryPointIsNamed) {
  EXPECT_EXIT(start_with(plugin("without_entry")), ended_well,
              "without_entry.so .CONVOY_KERNELS. does not export convoy_kernels_v1");
}

TEST_F(KernelPlugins, OwnReasonIsReported) {
  EXPECT_EXIT(start_with(plugin("scale") + ":" + plugin("unwilling")), ended_well,
              "unwilling.so .CONVOY_KERNELS. cannot be used: the model is not installed");
}

TEST_F(KernelPlugins, RefusedKernelIsReported) {
  EXPECT_EXIT(start_with(plugin("invalid")), ended_well,
              "invalid.so .CONVOY_KERNELS. registers the kernel \"half\", but a parameter has");
}

TEST_F(KernelPlugins, ExceptionIsReported) {
  EXPECT_EXIT(start_with(plugin("throwing")), ended_well,
              "throwing.so .CONVOY_KERNELS. throws an exception");
}

TEST_F(KernelPlugins, CannotCallCudaWhileLoaded) {
  EXPECT_EXIT(start_with(plugin("calling")), ended_well, "cannot be used: CUDA refused");
}

TEST_F(KernelPlugins, DriverCannotStartEither) {
  EXPECT_EXIT(
      {
        set(plugin("unwilling"));
        end_well_if(cuInit(0) == CUDA_ERROR_NOT_INITIALIZED);
      },
      ended_well, "the model is not installed");
}

TEST_F(KernelPlugins, EmptyElementIsBadConfiguration) {
  EXPECT_EXIT(
      {
        set("skip::skip");
        int count = 0;
        end_well_if(cudaGetDeviceCount(&count) == cudaErrorInitializationError);
      },
      ended_well, "");
}

// Once for each kernel.
class KernelSkip : public KernelPlugins {
 protected:
  static auto once(const std::string& pattern) {
    return testing::AllOf(testing::ContainsRegex(pattern),
                          testing::Not(testing::ContainsRegex(pattern + "(.|\n)*" + pattern)));
  }
};

TEST_F(KernelSkip, LaunchSucceedsInStreamOrder) {
  EXPECT_EXIT(
      {
        set("skip");
        const cuda_stream stream(cudaStreamNonBlocking);
        bool waited = false;
        {
          cuda_gate closed(stream);
          must(launch(kernel_named("_Z4spinl"), nullptr, stream));
          must(launch(kernel_named("_Z4spinl"), nullptr, stream));
          waited = cudaStreamQuery(stream) == cudaErrorNotReady;
          closed.open();
        }
        end_well_if(waited && cudaStreamSynchronize(stream) == cudaSuccess);
      },
      ended_well, once("launches of the kernel spin.long. are skipped"));
}

TEST_F(KernelSkip, FunctionsStillRun) {
  EXPECT_EXIT(
      {
        set(plugin("scale") + ":skip");
        end_well_if(scales() && launch("other") == cudaSuccess);
      },
      ended_well, once("launches of the kernel other are skipped"));
}

TEST_F(KernelSkip, UnknownAddressIsRefused) {
  EXPECT_EXIT(
      {
        set("skip");
        const int other = 0;
        end_well_if(cudaLaunchKernel(&other, dim3(1), dim3(1), nullptr, 0, nullptr) ==
                    cudaErrorInvalidDeviceFunction);
      },
      ended_well, "");
}

TEST_F(KernelSkip, DriverTakesPackedParameters) {
  EXPECT_EXIT(
      {
        set("skip");
        must(cuInit(0));
        const primary_context primary(0);
        const pushed here(primary);
        auto* const function = reinterpret_cast<CUfunction>(kernel_named("packed"));
        void* extra[] = {nullptr};
        end_well_if(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) ==
                    CUDA_SUCCESS);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
