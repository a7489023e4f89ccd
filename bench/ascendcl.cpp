// convoy_bench_ascendcl: the overhead of the AscendCL drop-in library for a batch.
//
// The same batch goes to the same held stream through aclrtMemcpyBatchAsync and through the native
// submit() with the same rules, by turns, so that both meet the same load. A turn is several calls
// in a row: a clock that is read after each would keep the processor from running one into the
// next, as it does in programs. The best tenth of many short turns is reported: other load only
// ever adds.

#include <acl/acl.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <convoy/convoy.hpp>
#include <cstdlib>
#include <future>
#include <random>
#include <vector>

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;

void must(bool fact) {
  if (fact) return;
  const char* const text = aclGetRecentErrMsg();
  fmt::print(stderr, "{}\n", text == nullptr ? "the native call failed" : text);
  std::exit(1);
}

// A batch of copies of 64 bytes to random places, as both interfaces take it.
struct scattered_batch {
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<std::size_t> sizes;
  aclrtMemcpyBatchAttr attribute = {
      {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {0, ACL_MEM_LOCATION_TYPE_HOST}, {}};
  std::size_t first = 0;
  attribute_run run = {0,
                       {.src_hint = {location_type::host}, .dst_hint = {location_type::device, 0}}};

  scattered_batch(std::byte* device, std::byte* host, std::size_t room, std::size_t count)
      : sizes(count, block) {
    std::mt19937_64 random(count);
    for (std::size_t i = 0; i != count; ++i) {
      dsts.push_back(device + random() % (room / block) * block);
      srcs.push_back(host + random() % (room / block) * block);
    }
  }
  void through_ascendcl(aclrtStream stream) {
    std::size_t failed = 0;
    must(aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), sizes.size(),
                               &attribute, &first, 1, &failed, stream) == ACL_SUCCESS);
  }
  void natively(stream_ref stream) {
    const std::span<const void* const> from(srcs.data(), srcs.size());
    must(submit(stream, {dsts, from, sizes, sizes, {&run, 1}}, ascend_rules).ok());
  }

 private:
  static constexpr std::size_t block = 64;
};

// Nanoseconds of many rounds.
struct call_times {
  std::vector<double> nanoseconds;

  template <class Call>
  void add(const Call& call) {
    constexpr int calls = 16;
    const auto start = clock::now();
    for (int i = 0; i != calls; ++i) call();
    nanoseconds.push_back(std::chrono::duration<double, std::nano>(clock::now() - start).count() /
                          calls);
  }
  double best_tenth() {
    std::sort(nanoseconds.begin(), nanoseconds.end());
    return nanoseconds[nanoseconds.size() / 10];
  }
};

void measure(aclrtStream stream, std::byte* device, std::byte* host, std::size_t room,
             std::size_t count) {
  scattered_batch batch(device, host, room, count);
  const stream_ref same(reinterpret_cast<std::uintptr_t>(stream));
  call_times ascend;
  call_times native;
  const std::size_t rounds = std::clamp<std::size_t>(1'000'000 / count, 50, 5'000);
  for (std::size_t i = 0; i != rounds; ++i) {
    // Whoever comes second finds the memory warm.
    if (i % 2 == 0) ascend.add([&] { batch.through_ascendcl(stream); });
    native.add([&] { batch.natively(same); });
    if (i % 2 != 0) ascend.add([&] { batch.through_ascendcl(stream); });
    must(same.abort().ok());
  }
  const double through_ascendcl = ascend.best_tenth();
  const double natively = native.best_tenth();
  fmt::print(
      "{:>9} copies in a batch   {:10.0f} ns by AscendCL   {:10.0f} ns natively   {:5.3f} x\n",
      count, through_ascendcl, natively, through_ascendcl / natively);
}

void measure_all() {
  constexpr std::size_t room = 64 << 20;
  void* device = nullptr;
  void* host = nullptr;
  aclrtStream stream = nullptr;
  must(aclrtSetDevice(0) == ACL_SUCCESS && aclrtCreateStream(&stream) == ACL_SUCCESS);
  must(aclrtMalloc(&device, room, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMallocHost(&host, room) == ACL_SUCCESS);
  // Nothing runs beside the calls that are measured.
  std::promise<void> opened;
  std::promise<void> arrived;
  must(call(stream_ref(reinterpret_cast<std::uintptr_t>(stream)), [&] {
         arrived.set_value();
         opened.get_future().wait();
       }).ok());
  arrived.get_future().wait();
  for (const std::size_t count : {1, 16, 256, 4096, 65536}) {
    measure(stream, static_cast<std::byte*>(device), static_cast<std::byte*>(host), room, count);
  }
  opened.set_value();
  static_cast<void>(aclrtSynchronizeStream(stream));
}

}  // namespace
}  // namespace convoy::bench

int main() { convoy::bench::measure_all(); }
