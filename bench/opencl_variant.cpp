// One clEnqueueSVMMemcpy for each copy, on PoCL's in-order queue.

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "variant.hpp"

namespace convoy::bench {
namespace {

void expect(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "OpenCL: %s failed with %d\n", call, code);
  std::exit(1);
}

std::optional<cl_device_id> find_pocl() {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return {};
  for (cl_uint i = 0; i < std::min<cl_uint>(count, 8); ++i) {
    char name[128] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::string_view(name) != "Portable Computing Language") continue;
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  return {};
}

cl_command_queue make_queue(cl_device_id device) {
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  expect(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  expect(code, "clCreateCommandQueueWithProperties");
  return queue;
}

const bool added = add_variant([]() -> variant_or_reason {
  const auto device = find_pocl();
  if (!device) return "PoCL is left out: there is no such OpenCL platform.";
  cl_command_queue queue = make_queue(*device);
  const auto run = [queue](std::span<const copy> batch) {
    for (const copy& c : batch)
      expect(clEnqueueSVMMemcpy(queue, CL_FALSE, c.dst, c.src, c.bytes, 0, nullptr, nullptr),
             "clEnqueueSVMMemcpy");
    expect(clFinish(queue), "clFinish");
  };
  return variant{.name = "PoCL SVM memcpy", .kind = family::queue, .run = run};
});

}  // namespace
}  // namespace convoy::bench
