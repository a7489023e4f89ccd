#include <cstdio>
#include <string>

#include "support/cuda_driver.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

// Each statement runs in a process of its own, which has two devices unless it says otherwise. The
// PCI bus of device 0 is 1, that of device 1 is 2.
class CudaVisibleDevices : public own_process {
 protected:
  static void show(const char* list) { ::setenv("CUDA_VISIBLE_DEVICES", list, 1); }

  // The numbers that the devices have without the variable, in the order in which they are visible.
  static std::string visible() {
    int count = -1;
    const cudaError_t answer = cudaGetDeviceCount(&count);
    if (answer != cudaSuccess) return count == 0 ? cudaGetErrorName(answer) : "count unchanged";
    std::string found;
    for (int i = 0; i != count; ++i) {
      int bus = 0;
      must(cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, i));
      found += static_cast<char>('0' + bus - 1);
    }
    return found;
  }

  static std::string uuid_of(int device) {
    CUuuid uuid = {};
    must(cuInit(0));
    must(cuDeviceGetUuid(&uuid, device));
    std::string text = "GPU-";
    for (int i = 0; i != 16; ++i) {
      char digits[3] = {};
      std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
      text += digits;
      if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
    }
    return text;
  }

  static void expect_visible(const std::string& list, const char* wanted) {
    EXPECT_EXIT(
        {
          show(list.c_str());
          end_well_if(visible() == wanted);
        },
        ended_well, "")
        << list;
  }
};

TEST_F(CudaVisibleDevices, ListChoosesAndOrders) {
  expect_visible("0", "0");
  expect_visible("1", "1");
  expect_visible("1,0", "10");
  expect_visible(" 1 , 0 ", "10");
}

TEST_F(CudaVisibleDevices, InvalidEntryEndsTheList) {
  expect_visible("1,-1,0", "1");
  expect_visible("1,7,0", "1");
  expect_visible("0,nonsense,1", "0");
}

TEST_F(CudaVisibleDevices, NothingVisibleIsNoDevice) {
  for (const char* const none : {"", "-1", "7", "NoDevFiles", "0,0"}) {
    expect_visible(none, "cudaErrorNoDevice");
  }
}

const std::string first = "GPU-00636f6e-766f-7900-0000-000000000000";
const std::string second = "GPU-01636f6e-766f-7900-0000-000000000000";

TEST_F(CudaVisibleDevices, UuidsAreThoseOfDevices) {
  EXPECT_EQ(uuid_of(0), first);
  EXPECT_EQ(uuid_of(1), second);
}

TEST_F(CudaVisibleDevices, UuidsAndPrefixesChoose) {
  expect_visible(second, "1");
  expect_visible(second + "," + first, "10");
  expect_visible(second.substr(0, 12), "1");
  expect_visible("GPU-", "cudaErrorNoDevice");
  expect_visible("GPU-ffffffff", "cudaErrorNoDevice");
}

TEST_F(CudaVisibleDevices, RuntimeWorksOnVisibleDevice) {
  EXPECT_EXIT(
      {
        show("1");
        void* memory = nullptr;
        int device = -1;
        cudaPointerAttributes found = {};
        must(cudaMalloc(&memory, 64));
        must(cudaGetDevice(&device));
        must(cudaPointerGetAttributes(&found, memory));
        end_well_if(device == 0 && found.device == 0 && visible() == "1" &&
                    cudaSetDevice(1) == cudaErrorInvalidDevice);
      },
      ended_well, "");
}

TEST_F(CudaVisibleDevices, PoolsFollowVisibleDevices) {
  EXPECT_EXIT(
      {
        show("1,0");
        cudaMemPool_t pool = nullptr;
        void* memory = nullptr;
        std::size_t before = 0;
        std::size_t after = 0;
        std::size_t total = 0;
        must(cudaMemGetInfo(&before, &total));
        must(cudaDeviceGetMemPool(&pool, 0));
        must(cudaMallocFromPoolAsync(&memory, 1 << 20, pool, cudaStreamPerThread));
        must(cudaMemGetInfo(&after, &total));
        end_well_if(after < before && runtime_api::device_of(memory) == 0);
      },
      ended_well, "");
}

TEST_F(CudaVisibleDevices, DriverHasTheSameDevices) {
  EXPECT_EXIT(
      {
        show("1");
        int count = 0;
        int bus = 0;
        CUcontext context = nullptr;
        CUdevice device = -1;
        must(cuInit(0));
        must(cuDeviceGetCount(&count));
        must(cuDeviceGetAttribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 0));
        must(cuDevicePrimaryCtxRetain(&context, 0));
        must(cuCtxSetCurrent(context));
        must(cuCtxGetDevice(&device));
        end_well_if(count == 1 && bus == 2 && device == 0 &&
                    cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE &&
                    cuDevicePrimaryCtxRetain(&context, 1) == CUDA_ERROR_INVALID_DEVICE);
      },
      ended_well, "");
}

TEST_F(CudaVisibleDevices, DriverWithoutDevicesDoesNotStart) {
  EXPECT_EXIT(
      {
        show("");
        int count = 0;
        end_well_if(cuInit(0) == CUDA_ERROR_NO_DEVICE &&
                    cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
      },
      ended_well, "");
}

TEST_F(CudaVisibleDevices, CallsWithoutDevicesAnswerNoDevice) {
  EXPECT_EXIT(
      {
        show("-1");
        void* memory = nullptr;
        int version = 0;
        end_well_if(cudaMalloc(&memory, 64) == cudaErrorNoDevice &&
                    cudaSetDevice(0) == cudaErrorNoDevice &&
                    cudaGetLastError() == cudaErrorNoDevice &&
                    cudaRuntimeGetVersion(&version) == cudaSuccess);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
