// A C++17 program that uses the overloads.
#include <acl/acl.h>
#include <acl/acl_op_compiler.h>
#include <acl/acl_prof.h>
#include <acl/acl_rt_api.h>
#include <acl/ops/acl_dvpp.h>
#include <aclnn/acl_meta.h>

#include <cstring>

int main() {
  constexpr size_t count = 16;
  float* host = nullptr;
  float* device = nullptr;
  float back[count] = {};
  bool ok = aclrtSetDevice(0) == 0 && aclrtMallocHost(&host, sizeof back) == 0 &&
            aclrtMalloc(&device, sizeof back, ACL_MEM_MALLOC_HUGE_FIRST) == 0;
  if (!ok) return 1;
  for (size_t i = 0; i != count; ++i) host[i] = static_cast<float>(i);

  void* dsts[] = {device};
  void* srcs[] = {host};
  size_t sizes[] = {sizeof back};
  size_t first = 0;
  aclrtMemcpyBatchAttr attribute{
      {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {0, ACL_MEM_LOCATION_TYPE_HOST}, {}};
  ok = aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 1, &attribute, &first, 1, nullptr) == 0 &&
       aclrtSynchronizeStream(nullptr) == 0 &&
       aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 1, &attribute, &first, 1) == 0 &&
       aclrtMemcpy(back, sizeof back, device, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST) == 0;
  return ok && std::memcmp(back, host, sizeof back) == 0 ? 0 : 1;
}
