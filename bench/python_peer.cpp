// The C++ side of python_calls.py, loaded by ctypes: the same calls on the same addresses, timed
// without an interpreter. Each returns nanoseconds, or a negative number on failure.

#include <acl/acl.h>

#include <chrono>
#include <convoy/convoy.hpp>

namespace {

template <class Work>
double nanoseconds_for(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const bool good = work();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return good ? taken.count() : -1;
}

}  // namespace

extern "C" CONVOY_EXPORT double submit_batch(std::uint64_t stream, void* const* dsts,
                                             const void* const* srcs, const std::size_t* sizes,
                                             std::size_t count) {
  return nanoseconds_for([&] {
    const convoy::batch_view work{{dsts, count}, {srcs, count}, {sizes, count}, {}, {}};
    return convoy::submit(convoy::stream_ref(stream), work).ok();
  });
}

extern "C" CONVOY_EXPORT double copy_asynchronously(void* stream, void* dst, const void* src,
                                                    std::size_t bytes, std::size_t times) {
  return nanoseconds_for([&] {
    bool good = true;
    for (std::size_t i = 0; i != times; ++i) {
      good &= aclrtMemcpyAsync(dst, bytes, src, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream) == 0;
    }
    return good;
  });
}
