// convoy_bench_calls: the cost of calls that move no bytes: lookups of random pointers among few
// and many live allocations, submissions to a held stream, and what the checks of signal handler
// and mask add to a small copy of pageable memory.

#include <fstream>

#include "call_timing.hpp"

namespace convoy::bench {
namespace {

// Nanoseconds for each of the `count` operations of `work`; `tidy` runs between rounds.
template <class Work, class Tidy>
double best_of(int rounds, std::size_t count, const Work& work, const Tidy& tidy) {
  std::vector<double> times;
  for (int i = 0; i != rounds; ++i) {
    times.push_back(nanoseconds_per_call(1, work));
    tidy();
  }
  return best_tenth(times) / static_cast<double>(count);
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
  const double to_locate = best_of(20, asked.size(), locate_all, [] {});
  const double to_classify = best_of(20, asked.size(), classify_all, [] {});
  fmt::print("{:>9} live allocations   {:6.2f} ns to locate, {:.2f} ns to classify ({})\n", live,
             to_locate, to_classify, room % 10);
  for (void* start : starts) static_cast<void>(deallocate(start));
}

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
  const stream queue = expect(make_stream(device_id{0}));
  const held_stream held(queue);
  expect(submit(held.get(), copies));
  const std::size_t before = resident();
  for (int i = 0; i != 4; ++i) expect(submit(held.get(), copies));
  fmt::print("{:>9} copies queued       {:6.1f} bytes for each copy\n", 4 * count,
             static_cast<double>(resident() - before) / (4.0 * count));
}

void measure_submission(std::size_t count) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const buffer host = expect(make_pinned_buffer(bytes));
  const buffer device = expect(make_device_buffer(device_id{0}, bytes));
  const scattered_batch batch(device.data(), host.data(), bytes, count);
  const stream queue = expect(make_stream(device_id{0}));
  const held_stream held(queue);
  const batch_view work{batch.dsts, batch.sources(), batch.sizes, {}, {}};
  const double each = best_of(
      200, count, [&] { expect(submit(held.get(), work)); }, [&] { held.drop_steps(); });
  fmt::print("{:>9} copies in a batch   {:6.2f} ns for each copy\n", count, each);
}

// A copy of 64 bytes to an idle stream. With memory of the program the signal handler and the
// signal mask of the thread are checked for each step.
void measure_fault_checks() {
  const stream queue = expect(make_stream(device_id{0}));
  const buffer device = expect(make_device_buffer(device_id{0}, 64));
  const buffer pinned = expect(make_pinned_buffer(64));
  std::vector<std::byte> pageable(64);
  const auto copy_from = [&](const void* source) {
    constexpr std::size_t calls = 1000;
    return best_of(
        200, calls,
        [&] {
          for (std::size_t i = 0; i != calls; ++i) {
            expect(submit(queue, copy{device.data(), source, 64}));
          }
        },
        [] {});
  };
  fmt::print("       64 bytes at once     {:6.1f} ns from pinned memory, {:.1f} ns from pageable\n",
             copy_from(pinned.data()), copy_from(pageable.data()));
}

}  // namespace
}  // namespace convoy::bench

int main() {
  using namespace convoy::bench;
  for (const std::size_t live : {10, 10'000, 1'000'000}) measure_lookups(live);
  for (const std::size_t count : {1, 16, 256, 4096, 65536}) measure_submission(count);
  measure_queued_memory();
  measure_fault_checks();
}
