// convoy_bench_calls: what a call costs before any byte moves.
//
// Lookups of random pointers among few and many live allocations, and submissions into a stream
// that is held, so that nothing runs beside them. The best tenth of many short rounds is reported:
// other load only ever adds.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <convoy/convoy.hpp>
#include <cstdlib>
#include <fstream>
#include <future>
#include <random>
#include <vector>

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;

template <class T>
T expect(result<T> made) {
  if (made) return std::move(*made);
  fmt::print(stderr, "{}\n", explain(made.error()));
  std::exit(1);
}

// Nanoseconds for each of `count` things done by `work`; `tidy` runs between rounds.
template <class Work, class Tidy>
double best_tenth(int rounds, std::size_t count, const Work& work, const Tidy& tidy) {
  std::vector<double> times;
  for (int i = 0; i != rounds; ++i) {
    const auto start = clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::nano>(clock::now() - start).count());
    tidy();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 10] / static_cast<double>(count);
}

void measure_lookups(std::size_t live) {
  std::mt19937_64 random(live);
  std::vector<void*> starts;
  for (std::size_t i = 0; i != live; ++i) {
    starts.push_back(expect(allocate(device_id{0}, 64 + random() % 448)));
  }
  std::vector<const std::byte*> asked;
  for (std::size_t i = 0; i != 1'000'000; ++i) {
    asked.push_back(static_cast<std::byte*>(starts[random() % live]) + random() % 64);
  }
  std::size_t room = 0;
  const auto locate_all = [&] {
    for (const std::byte* p : asked) room += locate(p)->bytes_left;
  };
  const auto classify_all = [&] {
    for (const std::byte* p : asked) room += static_cast<std::size_t>(classify(p)->kind);
  };
  const double to_locate = best_tenth(20, asked.size(), locate_all, [] {});
  const double to_classify = best_tenth(20, asked.size(), classify_all, [] {});
  fmt::print("{:>9} live allocations   {:6.2f} ns to locate, {:.2f} ns to classify ({})\n", live,
             to_locate, to_classify, room % 10);
  for (void* start : starts) static_cast<void>(deallocate(start));
}

// A stream whose first step waits until the object goes.
class held_stream {
 public:
  held_stream() {
    expect(call(stream_, [open = open_.get_future().share()] { open.wait(); }));
  }
  ~held_stream() {
    static_cast<void>(stream_.abort());
    open_.set_value();
    static_cast<void>(stream_.synchronize());
  }
  held_stream(const held_stream&) = delete;
  held_stream& operator=(const held_stream&) = delete;
  [[nodiscard]] stream_ref get() const { return stream_; }

 private:
  std::promise<void> open_;
  stream stream_ = expect(make_stream(device_id{0}));
};

// Resident bytes of the process.
std::size_t resident() {
  std::size_t pages = 0;
  std::size_t unused = 0;
  std::ifstream("/proc/self/statm") >> unused >> pages;
  return pages * 4096;
}

void measure_queued_memory() {
  constexpr std::size_t count = std::size_t{1} << 20;
  const buffer host = expect(make_pinned_buffer(64));
  const buffer device = expect(make_device_buffer(device_id{0}, 64));
  const std::vector<copy> copies(count, {device.data(), host.data(), 64});
  const held_stream held;
  expect(submit(held.get(), copies));
  const std::size_t before = resident();
  for (int i = 0; i != 4; ++i) expect(submit(held.get(), copies));
  fmt::print("{:>9} copies queued       {:6.1f} bytes for each copy\n", 4 * count,
             static_cast<double>(resident() - before) / (4.0 * count));
}

void measure_submission(std::size_t count) {
  constexpr std::size_t block = 64;
  const buffer host = expect(make_pinned_buffer(64 << 20));
  const buffer device = expect(make_device_buffer(device_id{0}, 64 << 20));
  std::mt19937_64 random(count);
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  const std::vector<std::size_t> sizes(count, block);
  for (std::size_t i = 0; i != count; ++i) {
    dsts.push_back(device.data() + random() % (device.size() / block) * block);
    srcs.push_back(host.data() + random() % (host.size() / block) * block);
  }
  const held_stream held;
  const batch_view work{dsts, srcs, sizes, {}, {}};
  const double each = best_tenth(
      200, count, [&] { expect(submit(held.get(), work)); },
      [&] { static_cast<void>(held.get().abort()); });
  fmt::print("{:>9} copies in a batch   {:6.2f} ns for each copy\n", count, each);
}

}  // namespace
}  // namespace convoy::bench

int main() {
  using namespace convoy::bench;
  for (const std::size_t live : {10, 10'000, 1'000'000}) measure_lookups(live);
  for (const std::size_t count : {1, 16, 256, 4096, 65536}) measure_submission(count);
  measure_queued_memory();
}
