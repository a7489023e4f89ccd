#include <atomic>

#include "support/cuda.hpp"
#include "support/eventually.hpp"
#include "support/thread_limit.hpp"

namespace convoy::test {
namespace {

class CudaOutOfThreads : public thread_limit_test {
 protected:
  static void count_up(void* count) { ++*static_cast<std::atomic<int>*>(count); }
};

TEST_F(CudaOutOfThreads, CopiesLandByWaitsAndQueries) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const bytes source = numbered(4 << 20);
        const cuda_stream stream(cudaStreamNonBlocking);
        void* target = nullptr;
        must(cudaMalloc(&target, source.size()));
        must(cudaMemcpyAsync(target, source.data(), source.size(), cudaMemcpyDefault, stream));
        const bool landed = eventually([&] { return cudaStreamQuery(stream) == cudaSuccess; });
        end_well_if(landed && contents_of(target, source.size()) == source);
      },
      ended_well, "");
}

TEST_F(CudaOutOfThreads, HostFunctionIsOperatingSystemError) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const cuda_stream stream;
        std::atomic<int> ran = 0;
        must(cudaLaunchHostFunc(stream, count_up, &ran));
        end_well_if(cudaStreamSynchronize(stream) == cudaErrorOperatingSystem && ran == 0);
      },
      ended_well, "");
}

TEST_F(CudaOutOfThreads, LaterHostFunctionsRun) {
  EXPECT_EXIT(
      {
        const cuda_stream stream;
        const cuda_stream other;
        if (!forbid_new_threads()) ::_exit(1);
        std::atomic<int> ran = 0;
        must(cudaLaunchHostFunc(stream, count_up, &ran));
        must(cudaLaunchHostFunc(other, count_up, &ran));
        end_well_if(cudaDeviceSynchronize() == cudaSuccess && ran == 2);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
