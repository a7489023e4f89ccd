// Handles of both front ends: valid ones of every kind, and ones that were destroyed.
//
// Most handles are numbers. Those that are addresses of objects in the heap are kept apart: a copy
// to such an address would overwrite the object.
#pragma once

#include <acl/acl.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <vector>

namespace convoy::test {

class front_end_handles {
 public:
  // A set of each: calls may have destroyed those of before, or reset their device.
  void renew() {
    static_cast<void>(aclInit(nullptr));
    static_cast<void>(aclrtSetDevice(0));
    static_cast<void>(cudaSetDevice(0));
    if (!valid_.empty()) destroy_all(valid_);
    valid_.clear();
    streams_.clear();
    create_all(valid_);
    objects_.clear();
    create<cudaMemPool_t>(objects_, [](auto* p) { return cudaDeviceGetDefaultMemPool(p, 0); });
    create<CUcontext>(objects_, [](auto* c) { return cuDevicePrimaryCtxRetain(c, 0); });
    std::vector<void*> spare;
    create_all(spare);
    destroy_all(spare);
    streams_.assign(valid_.begin(), valid_.begin() + 2);
  }

  // The first two are streams of CUDA.
  [[nodiscard]] const std::vector<void*>& valid() const { return valid_; }
  [[nodiscard]] const std::vector<void*>& cuda_streams() const { return streams_; }
  [[nodiscard]] const std::vector<void*>& destroyed() const { return destroyed_; }

  // Pools and contexts of CUDA.
  [[nodiscard]] const std::vector<void*>& objects() const { return objects_; }

 private:
  template <class Handle, class Create>
  static void create(std::vector<void*>& into, const Create& made_by) {
    Handle made{};
    static_cast<void>(made_by(&made));
    into.push_back(reinterpret_cast<void*>(made));
  }

  static void create_all(std::vector<void*>& into) {
    create<cudaStream_t>(into, [](auto* s) { return cudaStreamCreate(s); });
    create<cudaStream_t>(into, [](auto* s) { return cudaStreamCreateWithFlags(s, 1); });
    create<cudaEvent_t>(into, [](auto* e) { return cudaEventCreate(e); });
    create<aclrtStream>(into, [](auto* s) { return aclrtCreateStream(s); });
    create<aclrtEvent>(into, [](auto* e) { return aclrtCreateEvent(e); });
    create<aclrtContext>(into, [](auto* c) { return aclrtCreateContext(c, 1); });
  }

  void destroy_all(const std::vector<void*>& each) {
    static_cast<void>(cudaStreamDestroy(static_cast<cudaStream_t>(each[0])));
    static_cast<void>(cudaStreamDestroy(static_cast<cudaStream_t>(each[1])));
    static_cast<void>(cudaEventDestroy(static_cast<cudaEvent_t>(each[2])));
    static_cast<void>(aclrtDestroyStream(each[3]));
    static_cast<void>(aclrtDestroyEvent(each[4]));
    static_cast<void>(aclrtDestroyContext(each[5]));
    destroyed_.insert(destroyed_.end(), each.begin(), each.end());
  }

  std::vector<void*> valid_;
  std::vector<void*> streams_;
  std::vector<void*> destroyed_;
  std::vector<void*> objects_;
};

}  // namespace convoy::test
