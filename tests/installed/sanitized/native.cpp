// Everything that orders the program's accesses with those of Convoy: steps and waits, host
// functions, events, queries, objects kept alive, stream values, and work of several threads.
// ThreadSanitizer must have nothing to report.
#include <atomic>
#include <convoy/convoy.hpp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr convoy::device_id device{0};
constexpr std::size_t small = 512;
constexpr std::size_t large = 4 << 20;

struct buffers {
  explicit buffers(std::size_t n)
      : source(*convoy::make_pinned_buffer(n)),
        on_device(*convoy::make_device_buffer(device, n)),
        result(*convoy::make_pinned_buffer(n)) {}
  convoy::buffer source, on_device, result;
};

// The program writes, Convoy copies there and back, the program reads, and again.
bool round_trips(std::size_t bytes, int rounds) {
  const auto stream = convoy::make_stream(device);
  const buffers own(bytes);
  std::vector<std::byte> pageable(bytes);
  for (int i = 0; i != rounds; ++i) {
    std::memset(own.source.data(), i, bytes);
    std::memset(pageable.data(), i + 1, bytes);
    const auto there =
        convoy::submit(*stream, convoy::copy{own.on_device.data(), own.source.data(), bytes});
    const auto back =
        convoy::submit(*stream, convoy::copy{own.result.data(), own.on_device.data(), bytes});
    const auto host =
        convoy::submit(*stream, convoy::copy{own.source.data(), pageable.data(), bytes});
    if (!there || !back || !host) return false;
    if (i % 2 == 0) {
      if (!stream->synchronize().ok()) return false;
    } else {
      while (stream->query().code == convoy::errc::not_ready) std::this_thread::yield();
    }
    if (own.result.data()[bytes - 1] != std::byte(i)) return false;
    pageable[0] = own.source.data()[bytes / 2];
  }
  return true;
}

// A host function reads what the program wrote and writes what the program reads.
bool host_functions(int rounds) {
  const auto stream = convoy::make_stream(device);
  int sum = 0;
  for (int i = 0; i != rounds; ++i) {
    auto owned = std::make_shared<std::vector<int>>(100, i);
    const auto at = convoy::call(*stream, [&sum, owned] { sum += (*owned)[99]; });
    if (!at || !convoy::keep_alive(*stream, *at, std::move(owned)).ok()) return false;
    if (i % 3 == 0 && !stream->synchronize().ok()) return false;
    if (i % 3 == 0) sum += 1;
  }
  return stream->synchronize().ok() && sum > 0;
}

// One thread submits to a stream, an event orders another stream, another thread waits for it.
bool events_between_threads(int rounds) {
  const auto first = convoy::make_stream(device);
  const auto second = convoy::make_stream(device);
  const buffers own(large);
  std::atomic<bool> right = true;
  for (int i = 0; i != rounds; ++i) {
    const auto copied = convoy::make_event(device);
    const auto done = convoy::make_event(device);
    std::thread submitter([&] {
      std::memset(own.source.data(), i, large);
      static_cast<void>(
          convoy::submit(*first, convoy::copy{own.on_device.data(), own.source.data(), large}));
      static_cast<void>(convoy::record(*first, *copied));
    });
    submitter.join();
    static_cast<void>(convoy::wait(*second, *copied));
    static_cast<void>(
        convoy::submit(*second, convoy::copy{own.result.data(), own.on_device.data(), large}));
    static_cast<void>(convoy::record(*second, *done));
    std::thread waiter([&] {
      const bool waited = done->synchronize().ok();
      if (!waited || own.result.data()[7] != std::byte(i)) right = false;
      own.source.data()[0] = std::byte{1};
    });
    waiter.join();
  }
  return right;
}

// Several threads with streams of their own, and one that all share.
bool many_threads() {
  const auto shared = convoy::make_stream(device);
  std::vector<std::thread> threads;
  std::atomic<bool> right = true;
  for (int t = 0; t != 4; ++t) {
    threads.emplace_back([&] {
      const buffers own(small);
      for (int i = 0; i != 200; ++i) {
        std::memset(own.source.data(), i, small);
        static_cast<void>(
            convoy::submit(*shared, convoy::copy{own.on_device.data(), own.source.data(), small}));
        const auto at =
            convoy::submit(*shared, convoy::copy{own.result.data(), own.on_device.data(), small});
        if (!at || !shared->synchronize(*at).ok() || own.result.data()[1] != std::byte(i))
          right = false;
      }
      if (!round_trips(small, 50)) right = false;
    });
  }
  for (std::thread& each : threads) each.join();
  return right;
}

// A value in memory hands the result to a thread that polls it.
bool stream_values() {
  const auto stream = convoy::make_stream(device);
  const buffers own(small);
  auto* const flag = reinterpret_cast<std::uint32_t*>(own.result.data());
  for (std::uint32_t i = 1; i != 50; ++i) {
    int from_function = 0;
    static_cast<void>(convoy::call(*stream, [&from_function] { from_function = 7; }));
    static_cast<void>(convoy::write_value(*stream, {flag, i, 4}));
    while (std::atomic_ref(*flag).load(std::memory_order_acquire) != i) std::this_thread::yield();
    if (from_function != 7) return false;
    if (!stream->synchronize().ok()) return false;
  }
  return true;
}

// A bad pointer stays an error.
bool bad_pointer_is_error() {
  const auto stream = convoy::make_stream(device);
  const buffers own(small);
  auto* const bad = reinterpret_cast<std::byte*>(std::uintptr_t{0x7000});
  return convoy::copy_sync(*stream, {own.on_device.data(), bad, small}).code ==
             convoy::errc::fault &&
         convoy::copy_sync(*stream, {bad, own.on_device.data(), small}).code == convoy::errc::fault;
}

bool passed(const char* name, bool right) {
  if (!right) std::fprintf(stderr, "%s failed\n", name);
  return right;
}

}  // namespace

int main() {
  bool right = passed("round trips", round_trips(small, 200) && round_trips(large, 20));
  right &= passed("host functions", host_functions(300));
  right &= passed("events", events_between_threads(20));
  right &= passed("threads", many_threads());
  right &= passed("values", stream_values());
  right &= passed("bad pointer", bad_pointer_is_error());
  return right ? 0 : 1;
}
