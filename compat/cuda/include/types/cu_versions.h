/* The symbols that programs compiled with this header link: the latest version of each function,
 * and with CUDA_API_PER_THREAD_DEFAULT_STREAM the form where stream 0 is the per-thread default
 * stream. */
#ifndef CONVOY_COMPAT_CUDA_TYPES_CU_VERSIONS_H
#define CONVOY_COMPAT_CUDA_TYPES_CU_VERSIONS_H

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define CONVOY_CUDA_PTSZ(name) name##_ptsz
#define CONVOY_CUDA_PTDS(name) name##_ptds
#else
#define CONVOY_CUDA_PTSZ(name) name
#define CONVOY_CUDA_PTDS(name) name
#endif

#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuEventRecord CONVOY_CUDA_PTSZ(cuEventRecord)
#define cuEventRecordWithFlags CONVOY_CUDA_PTSZ(cuEventRecordWithFlags)
#define cuGetProcAddress cuGetProcAddress_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuLaunchHostFunc CONVOY_CUDA_PTSZ(cuLaunchHostFunc)
#define cuLaunchCooperativeKernel CONVOY_CUDA_PTSZ(cuLaunchCooperativeKernel)
#define cuLaunchKernel CONVOY_CUDA_PTSZ(cuLaunchKernel)
#define cuLaunchKernelEx CONVOY_CUDA_PTSZ(cuLaunchKernelEx)
#define cuMemAdvise cuMemAdvise_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocAsync CONVOY_CUDA_PTSZ(cuMemAllocAsync)
#define cuMemAllocFromPoolAsync CONVOY_CUDA_PTSZ(cuMemAllocFromPoolAsync)
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemDiscardAndPrefetchBatchAsync CONVOY_CUDA_PTSZ(cuMemDiscardAndPrefetchBatchAsync)
#define cuMemDiscardBatchAsync CONVOY_CUDA_PTSZ(cuMemDiscardBatchAsync)
#define cuMemFree cuMemFree_v2
#define cuMemFreeAsync CONVOY_CUDA_PTSZ(cuMemFreeAsync)
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemPrefetchAsync CONVOY_CUDA_PTSZ(cuMemPrefetchAsync_v2)
#define cuMemPrefetchBatchAsync CONVOY_CUDA_PTSZ(cuMemPrefetchBatchAsync)
#define cuMemcpy CONVOY_CUDA_PTDS(cuMemcpy)
#define cuMemcpy2D CONVOY_CUDA_PTDS(cuMemcpy2D_v2)
#define cuMemcpy2DAsync CONVOY_CUDA_PTSZ(cuMemcpy2DAsync_v2)
#define cuMemcpy2DUnaligned CONVOY_CUDA_PTDS(cuMemcpy2DUnaligned_v2)
#define cuMemcpy3D CONVOY_CUDA_PTDS(cuMemcpy3D_v2)
#define cuMemcpy3DAsync CONVOY_CUDA_PTSZ(cuMemcpy3DAsync_v2)
#define cuMemcpy3DBatchAsync CONVOY_CUDA_PTSZ(cuMemcpy3DBatchAsync_v2)
#define cuMemcpy3DPeer CONVOY_CUDA_PTDS(cuMemcpy3DPeer)
#define cuMemcpy3DPeerAsync CONVOY_CUDA_PTSZ(cuMemcpy3DPeerAsync)
#define cuMemcpy3DWithAttributesAsync CONVOY_CUDA_PTSZ(cuMemcpy3DWithAttributesAsync)
#define cuMemcpyAsync CONVOY_CUDA_PTSZ(cuMemcpyAsync)
#define cuMemcpyBatchAsync CONVOY_CUDA_PTSZ(cuMemcpyBatchAsync_v2)
#define cuMemcpyDtoD CONVOY_CUDA_PTDS(cuMemcpyDtoD_v2)
#define cuMemcpyDtoDAsync CONVOY_CUDA_PTSZ(cuMemcpyDtoDAsync_v2)
#define cuMemcpyDtoH CONVOY_CUDA_PTDS(cuMemcpyDtoH_v2)
#define cuMemcpyDtoHAsync CONVOY_CUDA_PTSZ(cuMemcpyDtoHAsync_v2)
#define cuMemcpyHtoD CONVOY_CUDA_PTDS(cuMemcpyHtoD_v2)
#define cuMemcpyHtoDAsync CONVOY_CUDA_PTSZ(cuMemcpyHtoDAsync_v2)
#define cuMemcpyPeer CONVOY_CUDA_PTDS(cuMemcpyPeer)
#define cuMemcpyPeerAsync CONVOY_CUDA_PTSZ(cuMemcpyPeerAsync)
#define cuMemcpyWithAttributesAsync CONVOY_CUDA_PTSZ(cuMemcpyWithAttributesAsync)
#define cuMemsetD16 CONVOY_CUDA_PTDS(cuMemsetD16_v2)
#define cuMemsetD16Async CONVOY_CUDA_PTSZ(cuMemsetD16Async)
#define cuMemsetD2D16 CONVOY_CUDA_PTDS(cuMemsetD2D16_v2)
#define cuMemsetD2D16Async CONVOY_CUDA_PTSZ(cuMemsetD2D16Async)
#define cuMemsetD2D32 CONVOY_CUDA_PTDS(cuMemsetD2D32_v2)
#define cuMemsetD2D32Async CONVOY_CUDA_PTSZ(cuMemsetD2D32Async)
#define cuMemsetD2D8 CONVOY_CUDA_PTDS(cuMemsetD2D8_v2)
#define cuMemsetD2D8Async CONVOY_CUDA_PTSZ(cuMemsetD2D8Async)
#define cuMemsetD32 CONVOY_CUDA_PTDS(cuMemsetD32_v2)
#define cuMemsetD32Async CONVOY_CUDA_PTSZ(cuMemsetD32Async)
#define cuMemsetD8 CONVOY_CUDA_PTDS(cuMemsetD8_v2)
#define cuMemsetD8Async CONVOY_CUDA_PTSZ(cuMemsetD8Async)
#define cuStreamAddCallback CONVOY_CUDA_PTSZ(cuStreamAddCallback)
#define cuStreamAttachMemAsync CONVOY_CUDA_PTSZ(cuStreamAttachMemAsync)
#define cuStreamBatchMemOp CONVOY_CUDA_PTSZ(cuStreamBatchMemOp_v2)
#define cuStreamCopyAttributes CONVOY_CUDA_PTSZ(cuStreamCopyAttributes)
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamGetAttribute CONVOY_CUDA_PTSZ(cuStreamGetAttribute)
#define cuStreamGetCaptureInfo CONVOY_CUDA_PTSZ(cuStreamGetCaptureInfo_v3)
#define cuStreamGetCtx CONVOY_CUDA_PTSZ(cuStreamGetCtx)
#define cuStreamGetCtx_v2 CONVOY_CUDA_PTSZ(cuStreamGetCtx_v2)
#define cuStreamGetDevice CONVOY_CUDA_PTSZ(cuStreamGetDevice)
#define cuStreamGetFlags CONVOY_CUDA_PTSZ(cuStreamGetFlags)
#define cuStreamGetId CONVOY_CUDA_PTSZ(cuStreamGetId)
#define cuStreamGetPriority CONVOY_CUDA_PTSZ(cuStreamGetPriority)
#define cuStreamIsCapturing CONVOY_CUDA_PTSZ(cuStreamIsCapturing)
#define cuStreamQuery CONVOY_CUDA_PTSZ(cuStreamQuery)
#define cuStreamSetAttribute CONVOY_CUDA_PTSZ(cuStreamSetAttribute)
#define cuStreamSynchronize CONVOY_CUDA_PTSZ(cuStreamSynchronize)
#define cuStreamWaitEvent CONVOY_CUDA_PTSZ(cuStreamWaitEvent)
#define cuStreamWaitValue32 CONVOY_CUDA_PTSZ(cuStreamWaitValue32_v2)
#define cuStreamWaitValue64 CONVOY_CUDA_PTSZ(cuStreamWaitValue64_v2)
#define cuStreamWriteValue32 CONVOY_CUDA_PTSZ(cuStreamWriteValue32_v2)
#define cuStreamWriteValue64 CONVOY_CUDA_PTSZ(cuStreamWriteValue64_v2)

#endif
