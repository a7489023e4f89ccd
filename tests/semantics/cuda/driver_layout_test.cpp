#include <cstdint>
#include <type_traits>

#include "support/cuda_driver.hpp"

// Numbers and layouts are those that linked programs were compiled with. Built with NVIDIA's
// headers, these tests say whether they are right; built with Convoy's, whether those agree.
namespace convoy::test {
namespace {

#define EXPECT_SIZE(type, bytes) EXPECT_EQ(sizeof(type), std::size_t{bytes})
#define EXPECT_AT(type, member, offset) EXPECT_EQ(offsetof(type, member), std::size_t{offset})

TEST(DriverLayout, OfCopies) {
  EXPECT_SIZE(CUDA_MEMCPY2D, 128);
  EXPECT_AT(CUDA_MEMCPY2D, srcXInBytes, 0);
  EXPECT_AT(CUDA_MEMCPY2D, srcY, 8);
  EXPECT_AT(CUDA_MEMCPY2D, srcMemoryType, 16);
  EXPECT_AT(CUDA_MEMCPY2D, srcHost, 24);
  EXPECT_AT(CUDA_MEMCPY2D, srcDevice, 32);
  EXPECT_AT(CUDA_MEMCPY2D, srcArray, 40);
  EXPECT_AT(CUDA_MEMCPY2D, srcPitch, 48);
  EXPECT_AT(CUDA_MEMCPY2D, dstXInBytes, 56);
  EXPECT_AT(CUDA_MEMCPY2D, dstY, 64);
  EXPECT_AT(CUDA_MEMCPY2D, dstMemoryType, 72);
  EXPECT_AT(CUDA_MEMCPY2D, dstHost, 80);
  EXPECT_AT(CUDA_MEMCPY2D, dstDevice, 88);
  EXPECT_AT(CUDA_MEMCPY2D, dstArray, 96);
  EXPECT_AT(CUDA_MEMCPY2D, dstPitch, 104);
  EXPECT_AT(CUDA_MEMCPY2D, WidthInBytes, 112);
  EXPECT_AT(CUDA_MEMCPY2D, Height, 120);
  EXPECT_SIZE(CUDA_MEMCPY3D, 200);
  EXPECT_AT(CUDA_MEMCPY3D, srcXInBytes, 0);
  EXPECT_AT(CUDA_MEMCPY3D, srcY, 8);
  EXPECT_AT(CUDA_MEMCPY3D, srcZ, 16);
  EXPECT_AT(CUDA_MEMCPY3D, srcLOD, 24);
  EXPECT_AT(CUDA_MEMCPY3D, srcMemoryType, 32);
  EXPECT_AT(CUDA_MEMCPY3D, srcHost, 40);
  EXPECT_AT(CUDA_MEMCPY3D, srcDevice, 48);
  EXPECT_AT(CUDA_MEMCPY3D, srcArray, 56);
  EXPECT_AT(CUDA_MEMCPY3D, reserved0, 64);
  EXPECT_AT(CUDA_MEMCPY3D, srcPitch, 72);
  EXPECT_AT(CUDA_MEMCPY3D, srcHeight, 80);
  EXPECT_AT(CUDA_MEMCPY3D, dstXInBytes, 88);
  EXPECT_AT(CUDA_MEMCPY3D, dstMemoryType, 120);
  EXPECT_AT(CUDA_MEMCPY3D, dstHost, 128);
  EXPECT_AT(CUDA_MEMCPY3D, dstDevice, 136);
  EXPECT_AT(CUDA_MEMCPY3D, dstPitch, 160);
  EXPECT_AT(CUDA_MEMCPY3D, dstHeight, 168);
  EXPECT_AT(CUDA_MEMCPY3D, WidthInBytes, 176);
  EXPECT_AT(CUDA_MEMCPY3D, Height, 184);
  EXPECT_AT(CUDA_MEMCPY3D, Depth, 192);
  EXPECT_SIZE(CUDA_MEMCPY3D_PEER, 200);
  EXPECT_AT(CUDA_MEMCPY3D_PEER, srcContext, 64);
  EXPECT_AT(CUDA_MEMCPY3D_PEER, srcPitch, 72);
  EXPECT_AT(CUDA_MEMCPY3D_PEER, dstContext, 152);
  EXPECT_AT(CUDA_MEMCPY3D_PEER, dstHeight, 168);
  EXPECT_AT(CUDA_MEMCPY3D_PEER, Depth, 192);
}

TEST(DriverLayout, OfBatches) {
  EXPECT_SIZE(CUmemLocation, 8);
  EXPECT_SIZE(CUmemcpyAttributes, 24);
  EXPECT_AT(CUmemcpyAttributes, srcAccessOrder, 0);
  EXPECT_AT(CUmemcpyAttributes, srcLocHint, 4);
  EXPECT_AT(CUmemcpyAttributes, dstLocHint, 12);
  EXPECT_AT(CUmemcpyAttributes, flags, 20);
  EXPECT_SIZE(CUoffset3D, 24);
  EXPECT_SIZE(CUextent3D, 24);
  EXPECT_SIZE(CUmemcpy3DOperand, 40);
  EXPECT_AT(CUmemcpy3DOperand, op.ptr.ptr, 8);
  EXPECT_AT(CUmemcpy3DOperand, op.ptr.rowLength, 16);
  EXPECT_AT(CUmemcpy3DOperand, op.ptr.layerHeight, 24);
  EXPECT_AT(CUmemcpy3DOperand, op.ptr.locHint, 32);
  EXPECT_AT(CUmemcpy3DOperand, op.array.array, 8);
  EXPECT_AT(CUmemcpy3DOperand, op.array.offset, 16);
  EXPECT_SIZE(CUDA_MEMCPY3D_BATCH_OP, 112);
  EXPECT_AT(CUDA_MEMCPY3D_BATCH_OP, dst, 40);
  EXPECT_AT(CUDA_MEMCPY3D_BATCH_OP, extent, 80);
  EXPECT_AT(CUDA_MEMCPY3D_BATCH_OP, srcAccessOrder, 104);
  EXPECT_AT(CUDA_MEMCPY3D_BATCH_OP, flags, 108);
}

TEST(DriverLayout, OfMemory) {
  EXPECT_SIZE(CUmemAccessDesc, 12);
  EXPECT_AT(CUmemAccessDesc, flags, 8);
  EXPECT_SIZE(CUmemPoolProps, 88);
  EXPECT_AT(CUmemPoolProps, handleTypes, 4);
  EXPECT_AT(CUmemPoolProps, location, 8);
  EXPECT_AT(CUmemPoolProps, win32SecurityAttributes, 16);
  EXPECT_AT(CUmemPoolProps, maxSize, 24);
  EXPECT_AT(CUmemPoolProps, usage, 32);
  EXPECT_SIZE(CUmemPoolPtrExportData, 64);
  EXPECT_SIZE(CUipcEventHandle, 64);
  EXPECT_SIZE(CUipcMemHandle, 64);
  EXPECT_SIZE(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS, 16);
}

TEST(DriverLayout, OfDevicesAndContexts) {
  EXPECT_SIZE(CUdevprop, 56);
  EXPECT_AT(CUdevprop, maxGridSize, 16);
  EXPECT_AT(CUdevprop, SIMDWidth, 36);
  EXPECT_AT(CUdevprop, textureAlign, 52);
  EXPECT_SIZE(CUuuid, 16);
  EXPECT_SIZE(CUexecAffinityParam, 8);
  EXPECT_SIZE(CUctxCigParam, 16);
  EXPECT_SIZE(CUctxCreateParams, 24);
  EXPECT_AT(CUctxCreateParams, numExecAffinityParams, 8);
  EXPECT_AT(CUctxCreateParams, cigParams, 16);
}

TEST(DriverLayout, OfStreamsAndLaunches) {
  EXPECT_SIZE(CUstreamBatchMemOpParams, 48);
  EXPECT_AT(CUstreamBatchMemOpParams, waitValue.address, 8);
  EXPECT_AT(CUstreamBatchMemOpParams, waitValue.value, 16);
  EXPECT_AT(CUstreamBatchMemOpParams, waitValue.value64, 16);
  EXPECT_AT(CUstreamBatchMemOpParams, waitValue.flags, 24);
  EXPECT_AT(CUstreamBatchMemOpParams, waitValue.alias, 32);
  EXPECT_AT(CUstreamBatchMemOpParams, writeValue.address, 8);
  EXPECT_AT(CUstreamBatchMemOpParams, writeValue.value64, 16);
  EXPECT_AT(CUstreamBatchMemOpParams, writeValue.flags, 24);
  EXPECT_AT(CUstreamBatchMemOpParams, memoryBarrier.flags, 4);
  EXPECT_SIZE(CUaccessPolicyWindow, 32);
  EXPECT_AT(CUaccessPolicyWindow, num_bytes, 8);
  EXPECT_AT(CUaccessPolicyWindow, hitRatio, 16);
  EXPECT_AT(CUaccessPolicyWindow, hitProp, 20);
  EXPECT_AT(CUaccessPolicyWindow, missProp, 24);
  EXPECT_SIZE(CUlaunchMemSyncDomainMap, 2);
  EXPECT_SIZE(CUlaunchAttributeValue, 64);
  EXPECT_AT(CUlaunchAttributeValue, deviceUpdatableKernelNode.devNode, 8);
  EXPECT_AT(CUlaunchAttributeValue, programmaticEvent.flags, 8);
  EXPECT_SIZE(CUlaunchAttribute, 72);
  EXPECT_AT(CUlaunchAttribute, value, 8);
  EXPECT_SIZE(CUlaunchConfig, 56);
  EXPECT_AT(CUlaunchConfig, gridDimZ, 8);
  EXPECT_AT(CUlaunchConfig, blockDimZ, 20);
  EXPECT_AT(CUlaunchConfig, sharedMemBytes, 24);
  EXPECT_AT(CUlaunchConfig, hStream, 32);
  EXPECT_AT(CUlaunchConfig, attrs, 40);
  EXPECT_AT(CUlaunchConfig, numAttrs, 48);
  EXPECT_SIZE(CUgraphEdgeData, 8);
}

struct named_value {
  const char* name;
  std::int64_t found;
  std::int64_t wanted;
};

constexpr named_value values[] = {
#define CU_VALUE(name, value) {#name, name, value},
#include "cu_values.def"
#undef CU_VALUE
};

TEST(DriverNumbers, MatchLinkedPrograms) {
  for (const named_value& each : values) EXPECT_EQ(each.found, each.wanted) << each.name;
}

TEST(DriverNumbers, FlagsAndHandlesMatchLinkedPrograms) {
  EXPECT_EQ(CU_MEMHOSTALLOC_PORTABLE, 1);
  EXPECT_EQ(CU_MEMHOSTALLOC_DEVICEMAP, 2);
  EXPECT_EQ(CU_MEMHOSTALLOC_WRITECOMBINED, 4);
  EXPECT_EQ(CU_MEMHOSTREGISTER_PORTABLE, 1);
  EXPECT_EQ(CU_MEMHOSTREGISTER_DEVICEMAP, 2);
  EXPECT_EQ(CU_MEMHOSTREGISTER_IOMEMORY, 4);
  EXPECT_EQ(CU_MEMHOSTREGISTER_READ_ONLY, 8);
  EXPECT_EQ(CU_IPC_HANDLE_SIZE, 64);
  EXPECT_EQ(address(CU_STREAM_LEGACY), 1U);
  EXPECT_EQ(address(CU_STREAM_PER_THREAD), 2U);
  EXPECT_EQ(CU_DEVICE_CPU, -1);
  EXPECT_EQ(CU_DEVICE_INVALID, -2);
  EXPECT_EQ(CUDA_VERSION, 13000);
}

// The names that the header gives to linked programs.
#define SYMBOL_OF(name) SPELLED(name)
#define SPELLED(name) #name

TEST(DriverNames, MatchLinkedPrograms) {
  EXPECT_STREQ(SYMBOL_OF(cuMemcpyBatchAsync), "cuMemcpyBatchAsync_v2");
  EXPECT_STREQ(SYMBOL_OF(cuMemcpy3DBatchAsync), "cuMemcpy3DBatchAsync_v2");
  EXPECT_STREQ(SYMBOL_OF(cuMemAlloc), "cuMemAlloc_v2");
  EXPECT_STREQ(SYMBOL_OF(cuCtxCreate), "cuCtxCreate_v4");
  EXPECT_STREQ(SYMBOL_OF(cuEventElapsedTime), "cuEventElapsedTime_v2");
  EXPECT_STREQ(SYMBOL_OF(cuGetProcAddress), "cuGetProcAddress_v2");
  EXPECT_STREQ(SYMBOL_OF(cuMemPrefetchAsync), "cuMemPrefetchAsync_v2");
  EXPECT_STREQ(SYMBOL_OF(cuMemcpyAsync), "cuMemcpyAsync");
  EXPECT_STREQ(SYMBOL_OF(cuStreamGetCtx), "cuStreamGetCtx");
}

// Calls of both forms have the parameters that linked programs pass.
static_assert(
    std::is_same_v<decltype(&cuMemcpyBatchAsync),
                   CUresult (*)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t,
                                CUmemcpyAttributes*, std::size_t*, std::size_t, CUstream)>);

}  // namespace
}  // namespace convoy::test
