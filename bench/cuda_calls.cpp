// convoy_bench_cuda: the overhead of the CUDA drop-in library for a call.
//
// The same batch goes into the same held stream through cudaMemcpyBatchAsync and through the native
// submit, in turns, so that both see the same machine. The best tenth of many short rounds is
// reported: other load only ever adds.

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <convoy/convoy.hpp>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <random>
#include <vector>

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;

void expect(bool fact) {
  if (fact) return;
  fmt::print(stderr, "a call was refused\n");
  std::exit(1);
}

// A stream whose first step waits until the object goes.
class held_stream {
 public:
  held_stream() {
    expect(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking) == cudaSuccess);
    expect(cudaLaunchHostFunc(handle_, wait, &opened_) == cudaSuccess);
  }
  ~held_stream() {
    clear();
    open_.set_value();
    cudaStreamSynchronize(handle_);
    cudaStreamDestroy(handle_);
  }
  held_stream(const held_stream&) = delete;
  held_stream& operator=(const held_stream&) = delete;

  [[nodiscard]] cudaStream_t cuda() const { return handle_; }
  [[nodiscard]] stream_ref native() const {
    return stream_ref(reinterpret_cast<std::uint64_t>(handle_));
  }
  void clear() const { static_cast<void>(native().abort()); }

 private:
  static void wait(void* opened) { static_cast<std::shared_future<void>*>(opened)->wait(); }

  std::promise<void> open_;
  std::shared_future<void> opened_ = open_.get_future().share();
  cudaStream_t handle_ = nullptr;
};

template <class Submit>
double nanoseconds(int times, const Submit& submit) {
  const auto start = clock::now();
  for (int i = 0; i != times; ++i) submit();
  return std::chrono::duration<double, std::nano>(clock::now() - start).count() / times;
}

double best_tenth(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 10];
}

struct scattered_batch {
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  std::vector<std::size_t> sizes;

  scattered_batch(const buffer& to, const buffer& from, std::size_t count) {
    constexpr std::size_t block = 64;
    std::mt19937_64 random(count);
    for (std::size_t i = 0; i != count; ++i) {
      dsts.push_back(to.data() + random() % (to.size() / block) * block);
      srcs.push_back(from.data() + random() % (from.size() / block) * block);
      sizes.push_back(block);
    }
  }
};

void measure(const scattered_batch& batch) {
  const std::size_t count = batch.sizes.size();
  const held_stream held;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;
  const attribute_run plain{};
  const batch_view view{batch.dsts, batch.srcs, batch.sizes, {}, {&plain, 1}};
  const auto through_cuda = [&] {
    expect(cudaMemcpyBatchAsync(batch.dsts.data(), batch.srcs.data(), batch.sizes.data(), count,
                                &attributes, &first, 1, held.cuda()) == cudaSuccess);
  };
  const auto native = [&] { expect(submit(held.native(), view, cuda_rules).ok()); };
  const int times = count > 1000 ? 1 : 100;
  std::vector<double> cuda_times;
  std::vector<double> native_times;
  for (int round = 0; round != 400; ++round) {
    cuda_times.push_back(nanoseconds(times, through_cuda));
    held.clear();
    native_times.push_back(nanoseconds(times, native));
    held.clear();
  }
  const double cuda = best_tenth(cuda_times);
  const double submitted = best_tenth(native_times);
  fmt::print(
      "{:>9} copies in a batch   {:10.0f} ns by cudaMemcpyBatchAsync {:10.0f} ns by submit"
      "   ratio {:.3f}\n",
      count, cuda, submitted, cuda / submitted);
}

}  // namespace
}  // namespace convoy::bench

int main() {
  using namespace convoy;
  const auto host = make_pinned_buffer(64 << 20);
  const auto device = make_device_buffer(device_id{0}, 64 << 20);
  bench::expect(host.ok() && device.ok());
  for (const std::size_t count : {1, 16, 256, 4096, 65536}) {
    bench::measure(bench::scattered_batch(*device, *host, count));
  }
}
