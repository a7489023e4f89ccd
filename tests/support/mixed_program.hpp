// A random program of both front ends with a predictable result.
//
// Threads share streams of CUDA and of AscendCL, and buffers that either of them allocated. Each
// region of the buffers belongs to one thread at a time, which uses it in any stream. Steps on one
// region are ordered, so that running them in submission order on plain memory predicts every byte:
// by events between streams of one front end, and by stream values between the two.
#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/front_end_streams.hpp"

namespace convoy::test {

class mixed_program {
 public:
  mixed_program(std::size_t threads, std::uint64_t seed) : seed_(seed), regions_(threads) {
    const std::size_t bytes = threads * region_bytes;
    streams_.check(cudaMalloc(&buffers_[0], bytes));
    streams_.check(aclrtMalloc(&buffers_[1], bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    streams_.check(cudaMallocHost(&buffers_[2], bytes));
    streams_.check(cudaMalloc(&values_, threads * sizeof(std::uint64_t)));
    streams_.check(cudaMemset(values_, 0, threads * sizeof(std::uint64_t)));
    for (void* each : buffers_) streams_.check(cudaMemset(each, 0, bytes));
    for (std::size_t i = 0; i != threads; ++i) prepare(i);
  }
  ~mixed_program() {
    for (const region& each : regions_) {
      cudaEventDestroy(each.link.cuda);
      aclrtDestroyEvent(each.link.ascend);
    }
    cudaFree(values_);
    cudaFree(buffers_[0]);
    aclrtFree(buffers_[1]);
    cudaFreeHost(buffers_[2]);
  }
  mixed_program(const mixed_program&) = delete;
  mixed_program& operator=(const mixed_program&) = delete;

  // After each round a region belongs to another thread.
  void run(std::size_t rounds, int steps) {
    std::barrier all(static_cast<std::ptrdiff_t>(regions_.size()));
    std::vector<std::jthread> running;
    for (std::size_t thread = 0; thread != regions_.size(); ++thread) {
      running.emplace_back([this, thread, rounds, steps, &all] {
        std::mt19937_64 random(seed_ * regions_.size() + thread);
        streams_.check(cudaSetDevice(0));
        streams_.check(aclrtSetDevice(0));
        for (std::size_t round = 0; round != rounds; ++round) {
          region& owned = regions_[(thread + round) % regions_.size()];
          for (int step = 0; step != steps; ++step) one_step(owned, random);
          all.arrive_and_wait();
        }
      });
    }
  }

  // What went wrong; empty when nothing did.
  std::string problem() {
    streams_.synchronize();
    if (streams_.failures() != 0) return std::to_string(streams_.failures()) + " calls failed";
    for (std::size_t i = 0; i != regions_.size(); ++i) {
      for (std::size_t memory = 0; memory != memories; ++memory) {
        plain_bytes found(region_bytes);
        streams_.check(
            cudaMemcpy(found.data(), regions_[i].start[memory], region_bytes, cudaMemcpyDefault));
        if (found != regions_[i].wanted[memory]) return first_difference(i, memory, found);
      }
    }
    return {};
  }

 private:
  using plain_bytes = std::vector<unsigned char>;
  static constexpr std::size_t memories = 3;
  static constexpr std::size_t region_bytes = 4096;

  struct region {
    std::array<unsigned char*, memories> start = {};
    std::array<plain_bytes, memories> wanted = {};
    std::size_t stream = 0;  // of its latest step
    stream_link link;
  };
  struct range {
    std::size_t memory = 0;
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };

  void prepare(std::size_t index) {
    region& made = regions_[index];
    for (std::size_t memory = 0; memory != memories; ++memory) {
      made.start[memory] = static_cast<unsigned char*>(buffers_[memory]) + index * region_bytes;
      made.wanted[memory].resize(region_bytes);
    }
    made.link.value = static_cast<std::uint64_t*>(values_) + index;
    streams_.check(cudaEventCreateWithFlags(&made.link.cuda, cudaEventDisableTiming));
    streams_.check(aclrtCreateEventExWithFlag(&made.link.ascend, ACL_EVENT_SYNC));
  }

  void one_step(region& owned, std::mt19937_64& random) {
    const std::size_t stream = random() % front_end_streams::count;
    if (stream != owned.stream) streams_.order(owned.link, owned.stream, stream);
    owned.stream = stream;
    const range to = some_range(random, 1 + random() % (region_bytes / 2));
    if (random() % 4 == 0) return fill(owned, to, static_cast<unsigned char>(random()));
    range from = some_range(random, to.bytes);
    while (from.memory == to.memory) from.memory = random() % memories;
    copy(owned, to, from);
  }

  static range some_range(std::mt19937_64& random, std::size_t bytes) {
    return {random() % memories, random() % (region_bytes - bytes + 1), bytes};
  }

  void copy(region& owned, const range& to, const range& from) {
    streams_.copy(owned.stream, owned.start[to.memory] + to.offset,
                  owned.start[from.memory] + from.offset, to.bytes);
    std::memcpy(owned.wanted[to.memory].data() + to.offset,
                owned.wanted[from.memory].data() + from.offset, to.bytes);
  }

  void fill(region& owned, const range& to, unsigned char value) {
    streams_.fill(owned.stream, owned.start[to.memory] + to.offset, value, to.bytes);
    std::memset(owned.wanted[to.memory].data() + to.offset, value, to.bytes);
  }

  std::string first_difference(std::size_t index, std::size_t memory, const plain_bytes& found) {
    const plain_bytes& wanted = regions_[index].wanted[memory];
    const auto at = std::mismatch(found.begin(), found.end(), wanted.begin()).first;
    return "byte " + std::to_string(at - found.begin()) + " of region " + std::to_string(index) +
           " in memory " + std::to_string(memory) + " is wrong";
  }

  const std::uint64_t seed_;
  front_end_streams streams_;
  std::array<void*, memories> buffers_ = {};  // of CUDA, of AscendCL, and pinned
  void* values_ = nullptr;
  std::vector<region> regions_;  // one for each thread
};

}  // namespace convoy::test
