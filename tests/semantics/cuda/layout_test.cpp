#include <type_traits>

#include "support/cuda.hpp"

// Numbers and layouts are those that linked programs were compiled with. Built with NVIDIA's
// headers, these tests say whether they are right; built with Convoy's, whether those agree.
namespace convoy::test {
namespace {

#define EXPECT_AT(type, member, offset) EXPECT_EQ(offsetof(type, member), std::size_t{offset})

TEST(CudaLayout, OfBatchAttributes) {
  EXPECT_EQ(sizeof(cudaMemLocation), 8U);
  EXPECT_AT(cudaMemLocation, id, 4);
  EXPECT_EQ(sizeof(cudaMemcpyAttributes), 24U);
  EXPECT_EQ(alignof(cudaMemcpyAttributes), 4U);
  EXPECT_AT(cudaMemcpyAttributes, srcAccessOrder, 0);
  EXPECT_AT(cudaMemcpyAttributes, srcLocHint, 4);
  EXPECT_AT(cudaMemcpyAttributes, dstLocHint, 12);
  EXPECT_AT(cudaMemcpyAttributes, flags, 20);
}

TEST(CudaLayout, OfBatchesOfBoxes) {
  EXPECT_EQ(sizeof(cudaOffset3D), 24U);
  EXPECT_EQ(sizeof(cudaMemcpy3DOperand), 40U);
  EXPECT_AT(cudaMemcpy3DOperand, op.ptr.ptr, 8);
  EXPECT_AT(cudaMemcpy3DOperand, op.ptr.rowLength, 16);
  EXPECT_AT(cudaMemcpy3DOperand, op.ptr.layerHeight, 24);
  EXPECT_AT(cudaMemcpy3DOperand, op.ptr.locHint, 32);
  EXPECT_AT(cudaMemcpy3DOperand, op.array.array, 8);
  EXPECT_AT(cudaMemcpy3DOperand, op.array.offset, 16);
  EXPECT_EQ(sizeof(cudaMemcpy3DBatchOp), 112U);
  EXPECT_AT(cudaMemcpy3DBatchOp, dst, 40);
  EXPECT_AT(cudaMemcpy3DBatchOp, extent, 80);
  EXPECT_AT(cudaMemcpy3DBatchOp, srcAccessOrder, 104);
  EXPECT_AT(cudaMemcpy3DBatchOp, flags, 108);
}

TEST(CudaLayout, OfPitchedCopies) {
  EXPECT_EQ(sizeof(cudaMemcpy3DParms), 160U);
  EXPECT_AT(cudaMemcpy3DParms, srcPos, 8);
  EXPECT_AT(cudaMemcpy3DParms, srcPtr, 32);
  EXPECT_AT(cudaMemcpy3DParms, dstArray, 64);
  EXPECT_AT(cudaMemcpy3DParms, dstPos, 72);
  EXPECT_AT(cudaMemcpy3DParms, dstPtr, 96);
  EXPECT_AT(cudaMemcpy3DParms, extent, 128);
  EXPECT_AT(cudaMemcpy3DParms, kind, 152);
  EXPECT_EQ(sizeof(cudaMemcpy3DPeerParms), 168U);
}

TEST(CudaLayout, OfPointerAttributes) {
  EXPECT_EQ(sizeof(cudaPointerAttributes), 88U);
  EXPECT_AT(cudaPointerAttributes, device, 4);
  EXPECT_AT(cudaPointerAttributes, devicePointer, 8);
  EXPECT_AT(cudaPointerAttributes, hostPointer, 16);
}

TEST(CudaLayout, OfDeviceProperties) {
  EXPECT_EQ(sizeof(cudaDeviceProp), 1008U);
  EXPECT_AT(cudaDeviceProp, uuid, 256);
  EXPECT_AT(cudaDeviceProp, luid, 272);
  EXPECT_AT(cudaDeviceProp, totalGlobalMem, 288);
  EXPECT_AT(cudaDeviceProp, major, 360);
  EXPECT_AT(cudaDeviceProp, minor, 364);
  EXPECT_AT(cudaDeviceProp, multiProcessorCount, 384);
  EXPECT_AT(cudaDeviceProp, asyncEngineCount, 584);
  EXPECT_AT(cudaDeviceProp, unifiedAddressing, 588);
  EXPECT_AT(cudaDeviceProp, managedMemory, 636);
  EXPECT_AT(cudaDeviceProp, concurrentManagedAccess, 656);
  EXPECT_AT(cudaDeviceProp, memoryPoolsSupported, 720);
  EXPECT_AT(cudaDeviceProp, hostNumaId, 768);
  EXPECT_AT(cudaDeviceProp, reserved, 784);
}

TEST(CudaLayout, OfPoolsHandlesAndLaunches) {
  EXPECT_EQ(sizeof(cudaMemPoolProps), 88U);
  EXPECT_AT(cudaMemPoolProps, handleTypes, 4);
  EXPECT_AT(cudaMemPoolProps, location, 8);
  EXPECT_AT(cudaMemPoolProps, win32SecurityAttributes, 16);
  EXPECT_AT(cudaMemPoolProps, maxSize, 24);
  EXPECT_AT(cudaMemPoolProps, usage, 32);
  EXPECT_EQ(sizeof(cudaMemAccessDesc), 12U);
  EXPECT_EQ(sizeof(cudaMemPoolPtrExportData), 64U);
  EXPECT_EQ(sizeof(cudaIpcMemHandle_t), 64U);
  EXPECT_EQ(sizeof(cudaIpcEventHandle_t), 64U);
  EXPECT_EQ(sizeof(cudaFuncAttributes), 144U);
  EXPECT_EQ(sizeof(cudaLaunchConfig_t), 56U);
  EXPECT_EQ(sizeof(cudaLaunchAttributeValue), 64U);
  EXPECT_EQ(sizeof(dim3), 12U);
}

TEST(CudaValue, OfBatches) {
  EXPECT_EQ(cudaMemcpySrcAccessOrderInvalid, 0);
  EXPECT_EQ(cudaMemcpySrcAccessOrderStream, 1);
  EXPECT_EQ(cudaMemcpySrcAccessOrderDuringApiCall, 2);
  EXPECT_EQ(cudaMemcpySrcAccessOrderAny, 3);
  EXPECT_EQ(cudaMemcpySrcAccessOrderMax, 0x7FFFFFFF);
  EXPECT_EQ(cudaMemcpyFlagPreferOverlapWithCompute, 1);
  EXPECT_EQ(cudaMemcpyOperandTypePointer, 1);
  EXPECT_EQ(cudaMemcpyOperandTypeArray, 2);
  EXPECT_EQ(cudaMemLocationTypeDevice, 1);
  EXPECT_EQ(cudaMemLocationTypeHost, 2);
  EXPECT_EQ(cudaMemLocationTypeHostNuma, 3);
  EXPECT_EQ(cudaMemLocationTypeHostNumaCurrent, 4);
}

TEST(CudaValue, OfMemory) {
  EXPECT_EQ(cudaMemcpyHostToHost, 0);
  EXPECT_EQ(cudaMemcpyDefault, 4);
  EXPECT_EQ(cudaMemoryTypeUnregistered, 0);
  EXPECT_EQ(cudaMemoryTypeManaged, 3);
  EXPECT_EQ(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined, 7);
  EXPECT_EQ(cudaHostRegisterIoMemory | cudaHostRegisterReadOnly, 12);
  EXPECT_EQ(cudaMemAttachGlobal | cudaMemAttachHost | cudaMemAttachSingle, 7);
  EXPECT_EQ(cudaMemAdviseSetReadMostly, 1);
  EXPECT_EQ(cudaMemAdviseUnsetAccessedBy, 6);
  EXPECT_EQ(cudaMemRangeAttributeLastPrefetchLocationId, 8);
  EXPECT_EQ(cudaMemPoolAttrReleaseThreshold, 4);
  EXPECT_EQ(cudaMemPoolAttrUsedMemHigh, 8);
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, 3);
  EXPECT_EQ(cudaMemAllocationTypePinned, 1);
  EXPECT_EQ(cudaMemAllocationTypeManaged, 2);
  EXPECT_EQ(cudaInvalidDeviceId, -2);
  EXPECT_EQ(cudaCpuDeviceId, -1);
}

TEST(CudaValue, OfStreamsAndEvents) {
  EXPECT_EQ(reinterpret_cast<std::size_t>(cudaStreamLegacy), 1U);
  EXPECT_EQ(reinterpret_cast<std::size_t>(cudaStreamPerThread), 2U);
  EXPECT_EQ(cudaStreamNonBlocking, 1);
  EXPECT_EQ(cudaEventBlockingSync, 1);
  EXPECT_EQ(cudaEventDisableTiming, 2);
  EXPECT_EQ(cudaEventInterprocess, 4);
  EXPECT_EQ(cudaLaunchAttributePriority, 8);
  EXPECT_EQ(cudaStreamCaptureModeRelaxed, 2);
  EXPECT_EQ(cudaDriverEntryPointVersionNotSufficent, 2);
  EXPECT_EQ(CUDART_VERSION / 1000, 13);
}

TEST(CudaValue, OfDeviceAttributes) {
  EXPECT_EQ(cudaDevAttrMaxThreadsPerBlock, 1);
  EXPECT_EQ(cudaDevAttrMultiProcessorCount, 16);
  EXPECT_EQ(cudaDevAttrUnifiedAddressing, 41);
  EXPECT_EQ(cudaDevAttrComputeCapabilityMajor, 75);
  EXPECT_EQ(cudaDevAttrConcurrentManagedAccess, 89);
  EXPECT_EQ(cudaDevAttrMemoryPoolsSupported, 115);
  EXPECT_EQ(cudaDevAttrHostMemoryPoolsSupported, 144);
}

#undef EXPECT_AT

}  // namespace
}  // namespace convoy::test
