#include "batch_alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <convoy/convoy.hpp>
#include <map>

#include "shared/failure.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {
namespace {

using batch_list = std::vector<std::vector<copy>>;

constexpr int rounds = 9;
constexpr std::size_t most_tried = 3;  // of each kind, those that took longest

// Submits the batches one after another and waits once.
double run_time(const stream& queue, const batch_list& batches) {
  const auto start = std::chrono::steady_clock::now();
  for (const auto& each : batches) static_cast<void>(must(submit(queue, each)));
  must(queue.synchronize());
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

bool accepts(const stream& queue, const batch_list& batches) {
  const bool all = std::ranges::all_of(batches, [&](const std::vector<copy>& each) {
    return static_cast<bool>(submit(queue, each));
  });
  must(queue.synchronize());
  return all;
}

void compare(std::string change, const batch_list& before, const batch_list& after,
             std::vector<alternative>& found) {
  const stream queue = must(make_stream(device_id{0}, {.blocking = false}));
  // Copies of adjacent allocations can be merged into one that the engine refuses.
  if (!accepts(queue, after)) return;
  // The minimum is the run that other processes disturbed least.
  alternative made{std::move(change), run_time(queue, before), run_time(queue, after)};
  for (int round = 1; round != rounds; ++round) {
    made.before_ns = std::min(made.before_ns, run_time(queue, before));
    made.after_ns = std::min(made.after_ns, run_time(queue, after));
  }
  found.push_back(std::move(made));
}

std::string step_name(const trace::traced_step& step) {
  return fmt::format("stream {}, ticket {}", step.stream, step.ticket);
}

std::uint64_t duration(const prepared_step& step) {
  return step.from->started && step.from->landed
             ? trace::elapsed(*step.from->started, *step.from->landed)
             : 0;
}

// The longest-running batches for which `fits` is true, at most `most_tried`.
template <class Fits>
std::vector<const prepared_step*> longest(const replayer& played, const Fits& fits) {
  std::vector<const prepared_step*> found;
  for (const prepared_step& each : played.steps()) {
    if (fits(each)) found.push_back(&each);
  }
  std::ranges::sort(found, std::greater{}, [](const prepared_step* s) { return duration(*s); });
  if (found.size() > most_tried) found.resize(most_tried);
  return found;
}

bool sorted_before(const copy& a, const copy& b) { return a.dst < b.dst; }

std::vector<copy> sorted_and_coalesced(std::span<const copy> copies) {
  std::vector<copy> sorted(copies.begin(), copies.end());
  std::ranges::sort(sorted, sorted_before);
  return coalesced(sorted);
}

void try_coalescing(const replayer& played, std::vector<alternative>& found) {
  const auto worth_it = [](const prepared_step& each) {
    return each.copies.size() > 1 &&
           sorted_and_coalesced(each.copies).size() * 10 <= each.copies.size() * 9;
  };
  for (const prepared_step* each : longest(played, worth_it)) {
    const auto merged = sorted_and_coalesced(each->copies);
    compare(fmt::format("coalescing the {} copies of {} into {}", each->copies.size(),
                        step_name(*each->from), merged.size()),
            {each->copies}, {merged}, found);
  }
}

// Consecutive small steps of one stream.
std::vector<std::vector<const prepared_step*>> runs_of_small_steps(const replayer& played) {
  constexpr std::size_t small = std::size_t{256} << 10;
  std::map<std::uint64_t, std::vector<const prepared_step*>> open;
  std::vector<std::vector<const prepared_step*>> runs;
  const auto close = [&](std::vector<const prepared_step*>& run) {
    if (run.size() >= 4) runs.push_back(run);
    run.clear();
  };
  for (const prepared_step& each : played.steps()) {
    auto& run = open[each.from->stream];
    const bool fits =
        !each.copies.empty() && each.from->bytes <= small && each.from->waits_for.empty();
    if (!fits) close(run);
    if (fits) run.push_back(&each);
  }
  for (auto& [number, run] : open) close(run);
  std::ranges::sort(runs, std::greater{}, [](const auto& run) { return run.size(); });
  return runs;
}

bool writes_overlap(std::vector<copy> all) {
  std::ranges::sort(all, sorted_before);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto* const end = static_cast<const std::byte*>(all[i - 1].dst) + all[i - 1].bytes;
    if (end > static_cast<const std::byte*>(all[i].dst)) return true;
  }
  return false;
}

void try_joining(const replayer& played, std::vector<alternative>& found) {
  std::size_t left = most_tried;
  for (const auto& run : runs_of_small_steps(played)) {
    batch_list apart;
    std::vector<copy> together;
    for (const prepared_step* each : run) {
      apart.push_back(each->copies);
      together.insert(together.end(), each->copies.begin(), each->copies.end());
    }
    // Copies of one batch have no order, so steps that write the same bytes cannot be joined.
    if (writes_overlap(together) || left-- == 0) continue;
    compare(fmt::format("one batch instead of {} small steps from {} on", run.size(),
                        step_name(*run.front()->from)),
            apart, {together}, found);
    if (left == 0) return;
  }
}

batch_list cut(const std::vector<copy>& copies, std::size_t parts) {
  batch_list all;
  const std::size_t each = (copies.size() + parts - 1) / parts;
  for (std::size_t from = 0; from < copies.size(); from += each) {
    const auto first = copies.begin() + static_cast<std::ptrdiff_t>(from);
    all.emplace_back(first,
                     first + static_cast<std::ptrdiff_t>(std::min(each, copies.size() - from)));
  }
  return all;
}

void try_cutting(const replayer& played, std::vector<alternative>& found) {
  const auto large = [](const prepared_step& each) { return each.copies.size() >= 1024; };
  for (const prepared_step* each : longest(played, large)) {
    for (const std::size_t parts : {2U, 8U}) {
      compare(fmt::format("{} batches instead of the {} copies of {}", parts, each->copies.size(),
                          step_name(*each->from)),
              {each->copies}, cut(each->copies, parts), found);
    }
  }
}

}  // namespace

std::vector<copy> coalesced(std::span<const copy> copies) {
  std::vector<copy> left;
  for (const copy& c : copies) {
    const bool continues =
        !left.empty() && static_cast<std::byte*>(left.back().dst) + left.back().bytes == c.dst &&
        static_cast<const std::byte*>(left.back().src) + left.back().bytes == c.src;
    if (continues) {
      left.back().bytes += c.bytes;
    } else {
      left.push_back(c);
    }
  }
  return left;
}

std::vector<alternative> measure_alternatives(const replayer& played) {
  std::vector<alternative> all;
  try_coalescing(played, all);
  try_joining(played, all);
  try_cutting(played, all);
  std::ranges::sort(all, std::greater{}, &alternative::speedup);
  return all;
}

}  // namespace convoy::tools
