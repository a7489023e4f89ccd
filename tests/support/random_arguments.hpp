// Random arguments for calls: valid, invalid and out of range.
#pragma once

#include <random>

#include "support/cuda.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {

class random_arguments {
 public:
  explicit random_arguments(unsigned seed) : random_(seed) {}

  void* pointer() {
    switch (random_() % 6) {
      case 0: return nullptr;
      case 1: return unmapped_.data();
      case 2: return device_.data() + random_() % 64;
      case 3: return pinned_.data() + random_() % 64;
      case 4: return reinterpret_cast<void*>(std::uint64_t{random_()} << 32 | random_());
      default: return device_.data();
    }
  }
  std::size_t size() {
    constexpr std::size_t sizes[] = {0, 1, 63, 64, 4096, std::size_t{1} << 40, SIZE_MAX};
    return sizes[random_() % std::size(sizes)];
  }
  cudaStream_t stream() {
    switch (random_() % 4) {
      case 0: return stream_;
      case 1: return cudaStreamPerThread;
      case 2: return reinterpret_cast<cudaStream_t>(std::uint64_t{random_()} << 8);
      default: return nullptr;
    }
  }
  unsigned number() { return static_cast<unsigned>(random_()) % 6; }

  // True when no call has written to the memory.
  [[nodiscard]] bool untouched() const {
    cudaStreamSynchronize(stream_);
    cudaStreamSynchronize(cudaStreamPerThread);
    return device_.contents() == bytes(device_.size(), 9) &&
           pinned_.contents() == bytes(pinned_.size(), 9);
  }

 private:
  std::mt19937 random_;
  const unmapped_page unmapped_;
  const cuda_memory device_{memory_kind::device, bytes(128, 9)};
  const cuda_memory pinned_{memory_kind::pinned, bytes(128, 9)};
  const cuda_stream stream_;
};

}  // namespace convoy::test
