#include <algorithm>
#include <random>

#include "support/cuda_driver.hpp"
#include "support/random_arguments.hpp"
#include "support/sanitizers.hpp"

// Programs in the shape of real ones.
namespace convoy::test {
namespace {

using newer_form = decltype(&cuMemcpyBatchAsync);
using older_form = CUresult (*)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t,
                                CUmemcpyAttributes*, std::size_t*, std::size_t, std::size_t*,
                                CUstream);

void* entry(int version) {
  void* found = nullptr;
  must(cuGetProcAddress("cuMemcpyBatchAsync", &found, version, 0, nullptr));
  return found;
}

CUresult submit_for(int version, driver_batch& work, CUstream stream) {
  std::size_t blamed = 0;
  const auto count = work.sizes.size();
  if (version >= 13000) {
    return reinterpret_cast<newer_form>(entry(version))(
        work.dsts.data(), work.srcs.data(), work.sizes.data(), count, work.attributes.data(),
        work.firsts.data(), 1, stream);
  }
  return reinterpret_cast<older_form>(entry(version))(
      work.dsts.data(), work.srcs.data(), work.sizes.data(), count, work.attributes.data(),
      work.firsts.data(), 1, &blamed, stream);
}

// Programs that were written for a version of CUDA.
class DriverSwapBlocks : public testing::TestWithParam<int> {
 protected:
  const primary_context primary{0};
  const pushed here{primary};
  const driver_stream stream;
};

TEST_P(DriverSwapBlocks, ManyBlocksGoOutAndBack) {
  constexpr std::size_t count = 60000;
  constexpr std::size_t block = 256;
  const bytes held = numbered(count * block, 3);
  const driver_pinned host(held);
  const driver_memory device{bytes(count * block)};
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i != count; ++i) places[i] = i * 7919 % count * block;
  std::shuffle(places.begin(), places.end(), std::mt19937(1));
  driver_batch out;
  driver_batch back;
  for (std::size_t i = 0; i != count; ++i) {
    out.add(device + places[i], host + i * block, block);
    back.add(host + i * block, device + places[i], block);
  }

  EXPECT_EQ(submit_for(GetParam(), out, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8Async(host, 0, count * block, stream), CUDA_SUCCESS);
  EXPECT_EQ(submit_for(GetParam(), back, stream), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(host.contents(), held);
}

INSTANTIATE_TEST_SUITE_P(Versions, DriverSwapBlocks, testing::Values(12080, 12090, 13000));

class DriverRandomArguments : public in_primary_context {
 protected:
  static constexpr int times = sanitized ? 200 : 2000;

  CUdeviceptr anywhere() { return address(arguments.pointer()); }
  template <class Handle>
  Handle any_handle() {
    return reinterpret_cast<Handle>(arguments.pointer());
  }

  random_arguments arguments{13};
};

TEST_F(DriverRandomArguments, BatchCopiesNothing) {
  for (int i = 0; i != times; ++i) {
    driver_batch work(static_cast<CUmemcpySrcAccessOrder>(arguments.number()));
    for (unsigned n = arguments.number(); n != 0; --n)
      work.add(anywhere(), anywhere(), arguments.size());
    work.add(anywhere(), 0, arguments.size());  // always invalid
    work.firsts[0] = arguments.number() / 4;
    EXPECT_NE(submit_for(i % 2 == 0 ? 12080 : 13000, work, arguments.stream()), CUDA_SUCCESS);
  }

  EXPECT_TRUE(arguments.untouched());
}

// A box that is always invalid, because the pitch is smaller than a row.
template <class Block>
Block absurd(random_arguments& arguments) {
  Block made = {};
  made.srcMemoryType = static_cast<CUmemorytype>(arguments.number());
  made.srcHost = arguments.pointer();
  made.srcDevice = address(arguments.pointer());
  made.srcXInBytes = arguments.size();
  made.srcY = arguments.size();
  made.srcPitch = arguments.size();
  made.dstMemoryType = static_cast<CUmemorytype>(arguments.number());
  made.dstHost = arguments.pointer();
  made.dstDevice = address(arguments.pointer());
  made.dstXInBytes = 1;
  made.dstY = arguments.size();
  made.WidthInBytes = arguments.size() | 1;
  made.dstPitch = made.WidthInBytes;
  made.Height = 2;
  return made;
}

TEST_F(DriverRandomArguments, BoxesCopyNothing) {
  for (int i = 0; i != times; ++i) {
    const auto flat = absurd<CUDA_MEMCPY2D>(arguments);
    auto deep = absurd<CUDA_MEMCPY3D>(arguments);
    deep.Depth = arguments.size() | 1;
    EXPECT_NE(cuMemcpy2DAsync(&flat, arguments.stream()), CUDA_SUCCESS);
    EXPECT_NE(cuMemcpy3DAsync(&deep, arguments.stream()), CUDA_SUCCESS);
  }

  EXPECT_TRUE(arguments.untouched());
}

TEST_F(DriverRandomArguments, SingleCallsReturn) {
  for (int i = 0; i != times; ++i) {
    const CUstream stream = arguments.stream();
    std::uint64_t value = 0;
    CUcontext context = nullptr;
    cuPointerGetAttribute(&value, static_cast<CUpointer_attribute>(arguments.number() * 5),
                          anywhere());
    cuMemGetAddressRange(nullptr, &value, anywhere());
    cuStreamQuery(stream);
    cuStreamGetCtx(stream, &context);
    cuStreamWaitEvent(stream, any_handle<CUevent>(), arguments.number());
    cuEventRecord(any_handle<CUevent>(), stream);
    cuCtxPushCurrent(any_handle<CUcontext>());
    cuCtxDestroy(any_handle<CUcontext>());
    cuMemFree(anywhere() + 1);
    cuMemFreeAsync(anywhere() + 1, stream);
    cuMemPoolTrimTo(any_handle<CUmemoryPool>(), 0);
    cuMemcpyPeerAsync(anywhere(), any_handle<CUcontext>(), anywhere(), any_handle<CUcontext>(),
                      arguments.size(), stream);
    cuStreamWaitValue32(stream, anywhere() | 1, 0, arguments.number());
    cuStreamWriteValue64(stream, anywhere() | 4, 0, arguments.number());
    cuMemsetD32Async(anywhere() | 1, 0, arguments.size(), stream);
    cuLaunchKernel(any_handle<CUfunction>(), 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
  }

  EXPECT_EQ(current(), static_cast<CUcontext>(primary));
  EXPECT_TRUE(arguments.untouched());
}

}  // namespace
}  // namespace convoy::test
