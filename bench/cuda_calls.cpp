// convoy_bench_cuda: the overhead of the CUDA drop-in library for a batch.
//
// The same batch goes to the same held stream through cudaMemcpyBatchAsync and through the native
// submit(), in turns, so that both meet the same load.

#include <cuda_runtime_api.h>

#include <bit>

#include "call_timing.hpp"

namespace convoy::bench {
namespace {

void expect_success(cudaError_t code) {
  if (code != cudaSuccess) stop(cudaGetErrorString(code));
}

// CUDA handles are the engine's, rotated by one bit (compat/cuda/state/handles.hpp).
stream_ref native(cudaStream_t stream) {
  return stream_ref(std::rotr(reinterpret_cast<std::uint64_t>(stream), 1));
}

void measure(const scattered_batch& batch) {
  const std::size_t count = batch.sizes.size();
  cudaStream_t stream = nullptr;
  expect_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const held_stream held(native(stream));
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;
  const attribute_run plain{};
  const batch_view view{batch.dsts, batch.sources(), batch.sizes, {}, {&plain, 1}};
  const auto by_cuda = [&] {
    expect_success(cudaMemcpyBatchAsync(batch.dsts.data(), batch.sources().data(),
                                        batch.sizes.data(), count, &attributes, &first, 1, stream));
  };
  const auto natively = [&] { expect(submit(held.get(), view, cuda_rules)); };

  const int calls = count > 1000 ? 1 : 100;
  std::vector<double> cuda_times;
  std::vector<double> native_times;
  for (int round = 0; round != 400; ++round) {
    cuda_times.push_back(nanoseconds_per_call(calls, by_cuda));
    held.drop_steps();
    native_times.push_back(nanoseconds_per_call(calls, natively));
    held.drop_steps();
  }
  const double cuda = best_tenth(cuda_times);
  const double native = best_tenth(native_times);
  fmt::print(
      "{:>9} copies in a batch   {:10.0f} ns by cudaMemcpyBatchAsync {:10.0f} ns by submit"
      "   ratio {:.3f}\n",
      count, cuda, native, cuda / native);
}

}  // namespace
}  // namespace convoy::bench

int main() {
  using namespace convoy;
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const buffer host = bench::expect(make_pinned_buffer(bytes));
  const buffer device = bench::expect(make_device_buffer(device_id{0}, bytes));
  for (const std::size_t count : {1, 16, 256, 4096, 65536}) {
    bench::measure(bench::scattered_batch(device.data(), host.data(), bytes, count));
  }
}
