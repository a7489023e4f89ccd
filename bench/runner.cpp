#include "runner.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <thread>

#include "pages.hpp"

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

// Runs before a warm workload is timed, until caches and adaptive variants are in a steady state:
// after non-temporal stores 8 MiB take about eight runs to return to the L3 cache.
constexpr int warm_up_runs = 10;

// The time that threads of this process were runnable but had no CPU. Reading it must be quick:
// threads that were woken for a run do not spin for long.
class run_queue_delay {
 public:
  run_queue_delay() {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
      files_.push_back(::open((thread.path() / "schedstat").c_str(), O_RDONLY | O_CLOEXEC));
  }
  ~run_queue_delay() {
    for (const int file : files_) ::close(file);
  }
  run_queue_delay(const run_queue_delay&) = delete;
  run_queue_delay& operator=(const run_queue_delay&) = delete;

  [[nodiscard]] seconds total() const {
    std::uint64_t sum = 0;
    for (const int file : files_) sum += delay_in(file);
    return std::chrono::nanoseconds(sum);
  }

 private:
  // "time on the CPU, time on the run queue, timeslices", times in nanoseconds.
  static std::uint64_t delay_in(int file) {
    char text[96] = "";
    if (::pread(file, text, sizeof text - 1, 0) <= 0) return 0;
    char* after_running = text;
    std::strtoull(text, &after_running, 10);
    return std::strtoull(after_running, nullptr, 10);
  }

  std::vector<int> files_;
};

void read_destinations(const workload& work) {
  [[maybe_unused]] static volatile std::uint64_t sink;
  std::uint64_t sum = 0;
  for (const auto& batch : work.batches) {
    for (const copy& c : batch) {
      const auto* words = static_cast<const std::uint64_t*>(c.dst);
      sum = std::accumulate(words, words + c.bytes / sizeof *words, sum);
    }
  }
  sink = sum;
}

void run_batches(const workload& work, const variant& subject) {
  for (const auto& batch : work.batches) subject.run(batch);
}

bool copies_correctly(const workload& work, const variant& subject) {
  for (const auto& batch : work.batches)
    for (const copy& c : batch) std::memset(c.dst, 0, c.bytes);
  subject.wake(work);
  run_batches(work, subject);
  subject.park();
  const auto equal = [](const copy& c) { return std::memcmp(c.dst, c.src, c.bytes) == 0; };
  return std::ranges::all_of(work.batches,
                             [&](const auto& batch) { return std::ranges::all_of(batch, equal); });
}

struct timed_round {
  seconds taken{};
  bool quiet = false;
};

timed_round run_once(const workload& work, const variant& subject, const run_queue_delay& delay) {
  if (work.cold) make_cold(work);
  subject.wake(work);
  for (int i = 0; !work.cold && i != warm_up_runs; ++i) {
    run_batches(work, subject);
    if (work.read_next) read_destinations(work);
  }
  const seconds before = delay.total();
  const auto start = clock::now();
  run_batches(work, subject);
  if (work.read_next) read_destinations(work);
  const seconds taken = clock::now() - start;
  const seconds waited = delay.total() - before;
  subject.park();
  return {taken, waited < taken * 0.02 + std::chrono::microseconds(5)};
}

// Runnable threads of the machine, this one included.
int runnable_threads() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  int running = 1;
  file >> load >> load >> load >> running;
  return running;
}

// Other processes may be busy, and threads of the previous variant may still spin.
void wait_for_quiet() {
  const auto end = clock::now() + std::chrono::milliseconds(100);
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  } while (runnable_threads() > 1 && clock::now() < end);
}

struct round_times {
  std::vector<double> quiet;
  std::vector<double> all;

  void add(const timed_round& round) {
    all.push_back(round.taken.count());
    if (round.quiet) quiet.push_back(round.taken.count());
  }
  [[nodiscard]] double fastest() const { return *std::ranges::min_element(all); }
};

// A variant that is many times slower than the fastest needs only a few rounds.
bool still_measured(const round_times& subject, const std::vector<round_times>& all) {
  if (subject.all.size() < 9) return true;
  double best = subject.fastest();
  for (const round_times& each : all) best = std::min(best, each.fastest());
  return subject.fastest() < 4 * best;
}

outcome summarise(const round_times& rounds) {
  outcome made;
  made.disturbed = rounds.quiet.size() < 5;
  std::vector<double> kept = made.disturbed ? rounds.all : rounds.quiet;
  made.kept = kept.size();
  made.discarded = rounds.all.size() - kept.size();
  std::ranges::sort(kept);
  made.lower_quartile = kept[kept.size() / 4];
  made.median = kept[kept.size() / 2];
  made.upper_quartile = kept[kept.size() * 3 / 4];
  return made;
}

bool enough(const std::vector<round_times>& times, std::size_t wanted) {
  return std::ranges::all_of(times, [&](const round_times& t) {
    return t.quiet.size() >= wanted || (!t.all.empty() && !still_measured(t, times));
  });
}

}  // namespace

std::vector<outcome> measure(const workload& work, const std::vector<variant>& variants,
                             const effort& limits) {
  std::vector<bool> wrong;
  for (const variant& v : variants) wrong.push_back(!copies_correctly(work, v));

  const run_queue_delay delay;  // after every variant has started its threads
  std::vector<round_times> times(variants.size());
  std::vector<std::size_t> order(variants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(5);
  const auto end = clock::now() + limits.patience;
  do {
    std::ranges::shuffle(order, random);
    for (const std::size_t each : order) {
      if (!still_measured(times[each], times)) continue;
      wait_for_quiet();
      times[each].add(run_once(work, variants[each], delay));
    }
  } while (!enough(times, limits.rounds) && clock::now() < end);

  std::vector<outcome> outcomes;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    outcome next = summarise(times[i]);
    next.variant = variants[i].name;
    next.kind = variants[i].kind;
    next.copies = work.copies();
    next.bytes = work.bytes();
    next.wrong = wrong[i];
    outcomes.push_back(next);
  }
  return outcomes;
}

}  // namespace convoy::bench
