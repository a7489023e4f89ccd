#include "pages.hpp"

#include <sys/mman.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace convoy::bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::byte* map(std::size_t bytes, page_size pages) {
  void* start = ::mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) {
    std::perror("mmap");
    std::exit(1);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  auto* aligned = reinterpret_cast<std::byte*>((address + huge_page - 1) / huge_page * huge_page);
  ::madvise(aligned, bytes, pages == page_size::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  std::memset(aligned, 0, bytes);
  return aligned;
}

#if defined(__x86_64__)
// Unlike clflush, clflushopt does not wait for the previous line.
bool has_clflushopt() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_CLFLUSHOPT) != 0;
}

void flush_line(const char* line) {
  static const bool quick = has_clflushopt();
  if (quick) {
    asm volatile("clflushopt %0" : : "m"(*line) : "memory");
  } else {
    asm volatile("clflush %0" : : "m"(*line) : "memory");
  }
}
#elif defined(__aarch64__)
void flush_line(const char* line) { asm volatile("dc civac, %0" : : "r"(line) : "memory"); }
#else
#error "no instruction known to flush the caches of this CPU"
#endif

void flush(const void* start, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes + 63; at += 64)
    flush_line(static_cast<const char*>(start) + at);
}

}  // namespace

pools map_pools(std::size_t bytes, page_size pages) {
  return {map(bytes, pages), map(bytes, pages), bytes};
}

void fill_with_noise(const pools& memory) {
  std::uint64_t state = 88172645463325252U;
  for (std::size_t at = 0; at < memory.bytes; at += sizeof state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(memory.src + at, &state, sizeof state);
  }
}

void make_cold(const workload& work) {
  // A workload larger than any cache has evicted itself.
  if (work.bytes() > std::size_t{192} << 20) return;
  for (const auto& batch : work.batches) {
    for (const copy& c : batch) {
      flush(c.src, c.bytes);
      flush(c.dst, c.bytes);
    }
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace convoy::bench
