#include "sweep.hpp"

#include <algorithm>
#include <array>
#include <convoy/convoy.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "os/process.hpp"
#include "shared/bare_kernels.hpp"
#include "shared/failure.hpp"
#include "shared/median.hpp"

namespace convoy::tools {
namespace {

using clock = std::chrono::steady_clock;

// A smaller batch is repeated, because the clock is too coarse to time it once.
constexpr std::size_t least_bytes = std::size_t{256} << 10;
constexpr std::size_t most_repeats = 64;

constexpr int least_rounds = 3;

struct pool {
  buffer dst;
  buffer src;
};

// Batches of one shape in a pool; they share no block.
std::vector<std::vector<copy>> scattered_batches(const pool& in, std::size_t bytes,
                                                 std::size_t count) {
  const std::size_t slots = in.dst.size() / bytes;
  std::vector<std::size_t> dst(slots);
  std::iota(dst.begin(), dst.end(), std::size_t{0});
  std::vector<std::size_t> src = dst;
  std::mt19937_64 random(bytes);
  std::ranges::shuffle(dst, random);
  std::ranges::shuffle(src, random);
  std::vector<std::vector<copy>> all(std::clamp<std::size_t>(slots / count, 1, most_repeats * 4));
  std::size_t next = 0;
  for (auto& batch : all) {
    for (std::size_t i = 0; i != count; ++i, ++next) {
      batch.push_back(
          {in.dst.data() + dst[next] * bytes, in.src.data() + src[next] * bytes, bytes});
    }
  }
  return all;
}

// Convoy copies between host and device memory, the baselines in host memory.
class comparison {
 public:
  explicit comparison(std::size_t pool_bytes)
      : stream_(must(make_stream(device_id{0}, {.blocking = false}))),
        convoy_pool_{must(make_device_buffer(device_id{0}, pool_bytes)),
                     must(make_pinned_buffer(pool_bytes))},
        host_pool_{must(make_pinned_buffer(pool_bytes)), must(make_pinned_buffer(pool_bytes))},
        team_(os::cpu_count()) {
    std::memset(convoy_pool_.src.data(), 1, pool_bytes);
    std::memset(host_pool_.src.data(), 1, pool_bytes);
    must(fill(stream_, convoy_pool_.dst.data(), pool_bytes, {2}));
    must(stream_.synchronize());
    std::memset(host_pool_.dst.data(), 2, pool_bytes);
  }

  sweep_point measure(std::size_t bytes, std::size_t count, seconds budget) {
    convoy_batches_ = scattered_batches(convoy_pool_, bytes, count);
    host_batches_ = scattered_batches(host_pool_, bytes, count);
    prepare_limit(bytes * count);
    repeats_ = std::clamp<std::size_t>(least_bytes / (bytes * count), 1, most_repeats);
    std::vector<double> rate;
    std::vector<double> to_limit;
    std::vector<double> to_memcpy;
    std::vector<double> to_loop;
    const auto start = clock::now();
    for (int round = 0; round < least_rounds || clock::now() - start < budget; ++round) {
      const times took = run_round(round);
      if (round == 0) continue;  // warm-up
      rate.push_back(static_cast<double>(bytes * count * repeats_) / took.batch / 1e9);
      to_limit.push_back(took.limit / took.batch);
      to_memcpy.push_back(took.memcpy / took.batch);
      to_loop.push_back(took.loop / took.batch);
    }
    return {bytes, count, median(rate), median(to_limit), median(to_memcpy), median(to_loop)};
  }

 private:
  struct times {
    double batch = 0, loop = 0, memcpy = 0, limit = 0;
  };

  // Each round starts with another of the four.
  times run_round(int round) {
    times took;
    for (int turn = round; turn != round + 4; ++turn) {
      switch (turn % 4) {
        case 0: took.batch = timed(convoy_batches_, [&](auto& b) { run_batch(b); }); break;
        case 1: took.loop = timed(convoy_batches_, [&](auto& b) { run_loop(b); }); break;
        case 2: took.memcpy = timed(host_batches_, [](auto& b) { copy_with_memcpy(b); }); break;
        default: took.limit = run_limit(); break;
      }
    }
    return took;
  }

  template <class Batch, class Run>
  double timed(const std::vector<Batch>& batches, const Run& run) {
    const auto start = clock::now();
    for (std::size_t i = 0; i != repeats_; ++i) run(batches[next_++ % batches.size()]);
    return seconds(clock::now() - start).count();
  }

  void run_batch(const std::vector<copy>& batch) {
    must(stream_.synchronize(must(submit(stream_, batch))));
  }
  void run_loop(const std::vector<copy>& batch) {
    for (const copy& each : batch) static_cast<void>(must(submit(stream_, each)));
    must(stream_.synchronize());
  }

  // On one thread or on all, whichever is faster.
  double run_limit() {
    const double alone =
        timed(split_batches_, [&](const split_batch& b) { copy_alone(b, kernels_); });
    if (split_batches_.front().is_one_unit()) return alone;
    seconds together{};
    for (std::size_t i = 0; i != repeats_; ++i) {
      together += time_together(team_, split_batches_[next_++ % split_batches_.size()], kernels_);
    }
    return std::min(alone, together.count());
  }

  void prepare_limit(std::size_t batch_bytes) {
    const auto& batch = host_batches_.front();
    const bool worth_trying = batch_bytes >= (std::size_t{1} << 20);
    kernels_ = worth_trying ? fastest_kernels(team_, batch) : convoys_kernels(batch);
    split_batches_.clear();
    for (const auto& each : host_batches_) split_batches_.push_back(split(each));
  }

  const stream stream_;
  const pool convoy_pool_;
  const pool host_pool_;
  thread_team team_;
  cpu::kernel_choice kernels_;
  std::vector<std::vector<copy>> convoy_batches_;
  std::vector<std::vector<copy>> host_batches_;
  std::vector<split_batch> split_batches_;
  std::size_t repeats_ = 1;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<sweep_point> run_sweep(const sweep_plan& plan,
                                   const std::function<void(double)>& progress) {
  comparison held(plan.pool_bytes);
  std::vector<std::pair<std::size_t, std::size_t>> wanted;
  for (const std::size_t bytes : plan.sizes) {
    for (const std::size_t count : plan.counts) {
      if (bytes * count <= plan.pool_bytes) wanted.emplace_back(bytes, count);
    }
  }
  std::vector<sweep_point> found;
  for (const auto& [bytes, count] : wanted) {
    progress(static_cast<double>(found.size()) / static_cast<double>(wanted.size()));
    found.push_back(held.measure(bytes, count, plan.budget));
  }
  return found;
}

void to_json(nlohmann::json& into, const sweep_point& from) {
  into = {{"bytes", from.bytes},
          {"count", from.count},
          {"gbps", from.gbps},
          {"ratio_to_limit", from.ratio_to_limit},
          {"ratio_to_memcpy", from.ratio_to_memcpy},
          {"ratio_to_loop", from.ratio_to_loop}};
}

void from_json(const nlohmann::json& from, sweep_point& into) {
  from.at("bytes").get_to(into.bytes);
  from.at("count").get_to(into.count);
  from.at("gbps").get_to(into.gbps);
  into.ratio_to_limit = from.value("ratio_to_limit", 0.0);
  into.ratio_to_memcpy = from.value("ratio_to_memcpy", 0.0);
  into.ratio_to_loop = from.value("ratio_to_loop", 0.0);
}

}  // namespace convoy::tools
