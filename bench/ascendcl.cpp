// convoy_bench_ascendcl: the overhead of the AscendCL drop-in library for a batch.
//
// The same batch goes to the same held stream through aclrtMemcpyBatchAsync and through the native
// submit() with the same rules, in turns, so that both meet the same load.

#include <acl/acl.h>

#include "call_timing.hpp"

namespace convoy::bench {
namespace {

void expect_success(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* const message = aclGetRecentErrMsg();
  stop(message == nullptr ? "an AscendCL call failed" : message);
}

struct device_and_host {
  std::byte* device = nullptr;
  std::byte* host = nullptr;
  std::size_t bytes = std::size_t{64} << 20;  // of each
};

device_and_host allocate_both() {
  device_and_host made;
  void* device = nullptr;
  void* host = nullptr;
  expect_success(aclrtMalloc(&device, made.bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  expect_success(aclrtMallocHost(&host, made.bytes));
  made.device = static_cast<std::byte*>(device);
  made.host = static_cast<std::byte*>(host);
  return made;
}

void measure(aclrtStream stream, const held_stream& held, const device_and_host& memory,
             std::size_t count) {
  scattered_batch batch(memory.device, memory.host, memory.bytes, count);
  aclrtMemcpyBatchAttr attribute = {
      {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {0, ACL_MEM_LOCATION_TYPE_HOST}, {}};
  std::size_t first = 0;
  const attribute_run run{
      0, {.src_hint = {location_type::host}, .dst_hint = {location_type::device, 0}}};
  const auto by_ascendcl = [&] {
    std::size_t failed = 0;
    expect_success(aclrtMemcpyBatchAsync(batch.dsts.data(), batch.sizes.data(), batch.srcs.data(),
                                         batch.sizes.data(), count, &attribute, &first, 1, &failed,
                                         stream));
  };
  const batch_view view{batch.dsts, batch.sources(), batch.sizes, batch.sizes, {&run, 1}};
  const auto natively = [&] { expect(submit(held.get(), view, ascend_rules)); };

  std::vector<double> ascend_times;
  std::vector<double> native_times;
  constexpr int calls = 16;
  const std::size_t rounds = std::clamp<std::size_t>(1'000'000 / count, 50, 5'000);
  for (std::size_t i = 0; i != rounds; ++i) {
    // The second of a round finds the memory warm, so the two alternate.
    if (i % 2 == 0) ascend_times.push_back(nanoseconds_per_call(calls, by_ascendcl));
    native_times.push_back(nanoseconds_per_call(calls, natively));
    if (i % 2 != 0) ascend_times.push_back(nanoseconds_per_call(calls, by_ascendcl));
    held.drop_steps();
  }
  const double ascend = best_tenth(ascend_times);
  const double native = best_tenth(native_times);
  fmt::print(
      "{:>9} copies in a batch   {:10.0f} ns by AscendCL   {:10.0f} ns natively   {:5.3f} x\n",
      count, ascend, native, ascend / native);
}

void measure_all() {
  aclrtStream stream = nullptr;
  expect_success(aclrtSetDevice(0));
  expect_success(aclrtCreateStream(&stream));
  const device_and_host memory = allocate_both();
  const held_stream held(stream_ref(reinterpret_cast<std::uintptr_t>(stream)));
  for (const std::size_t count : {1, 16, 256, 4096, 65536}) measure(stream, held, memory, count);
}

}  // namespace
}  // namespace convoy::bench

int main() { convoy::bench::measure_all(); }
