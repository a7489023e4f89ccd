// convoy bench: from which sizes and counts on a batch is faster than single copies.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "crossover.hpp"
#include "machine.hpp"
#include "plot.hpp"
#include "shared/atomic_file.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "sweep.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

struct bench_options {
  bool quick = false;
  std::vector<std::string> sizes;
  std::vector<std::size_t> counts;
  std::string json;
  std::vector<std::string> plots;
  std::string from;
  std::string title;
};

struct bench_results {
  nlohmann::json machine;
  std::vector<sweep_point> points;
};

constexpr std::size_t kib = 1024;

sweep_plan plan_for(const bench_options& options) {
  sweep_plan plan;
  if (options.quick) {
    plan.sizes = {256, kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib, kib * kib};
    plan.counts = {1, 16, 256, 4096};
    plan.budget = std::chrono::duration<double>(0.6);
  } else {
    plan.sizes = {64, 256, kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib, kib * kib, 4 * kib * kib};
    plan.counts = {1, 4, 16, 64, 256, 1024, 4096, 16384};
    plan.pool_bytes = std::size_t{256} << 20;
    plan.budget = std::chrono::duration<double>(1);
  }
  if (!options.counts.empty()) plan.counts = options.counts;
  if (!options.sizes.empty()) {
    plan.sizes.clear();
    for (const std::string& each : options.sizes) plan.sizes.push_back(parse_size(each));
  }
  std::ranges::sort(plan.sizes);
  std::ranges::sort(plan.counts);
  const std::size_t least = plan.sizes.front() * plan.counts.front();
  if (least > plan.pool_bytes) {
    throw failure(fmt::format("a batch of {} is too large; the maximum is {}", size_text(least),
                              size_text(plan.pool_bytes)));
  }
  return plan;
}

bench_results measure(const bench_options& options) {
  const terminal bar(output::error);
  bench_results results{this_machine(), run_sweep(plan_for(options), [&](double part) {
                          bar.show_progress("measuring", part);
                        })};
  bar.clear_progress();
  return results;
}

bench_results read_results(const std::string& file) {
  try {
    std::ifstream stream(file);
    const nlohmann::json all = nlohmann::json::parse(stream);
    bench_results results{all.at("machine"), all.at("results").get<std::vector<sweep_point>>()};
    if (!results.points.empty()) return results;
  } catch (const nlohmann::json::exception&) {
  }
  throw failure(fmt::format("{} contains no results; create it with convoy bench --json", file));
}

void print_table(const std::vector<sweep_point>& points) {
  const terminal out;
  fmt::print("{}\n", out.bold("   block    blocks   one batch  of what this     against a     "
                              "against a"));
  fmt::print("{}\n", out.bold("    size  in a batch      GB/s   machine can  memcpy loop  loop of "
                              "copies"));
  for (const sweep_point& each : largest_batches(points)) {
    fmt::print("{:>8}  {:>10}  {:>8.2f}  {:>10.0f} %  {:>9.2f} x", size_text(each.bytes),
               each.count, each.gbps, each.ratio_to_limit * 100, each.ratio_to_memcpy);
    fmt::print("{}\n",
               each.ratio_to_loop > 0 ? fmt::format("  {:>12.2f} x", each.ratio_to_loop) : "");
  }
}

plot_captions captions_for(const bench_options& options, const bench_results& results) {
  const auto sizes = largest_batches(results.points);
  const bool loop = results.points.front().ratio_to_loop > 0;
  return {options.title.empty() ? "Convoy: when a batch pays off" : options.title,
          fmt::format("{}, {} CPUs, {}", results.machine.value("processor", "unknown"),
                      results.machine.value("processors", 0), results.machine.value("vectors", "")),
          loop ? crossover_text(results.points) : ""};
}

void bench(const bench_options& options) {
  for (const std::string& each : options.plots) check_plot_name(each);
  const bench_results results =
      options.from.empty() ? measure(options) : read_results(options.from);
  const nlohmann::json all{{"machine", results.machine}, {"results", results.points}};
  if (options.json == "-") {
    fmt::print("{}\n", all.dump(2));
  } else {
    print_table(results.points);
    if (results.points.front().ratio_to_loop > 0) {
      fmt::print("\n{}\n", crossover_text(results.points));
    }
    if (!options.json.empty()) write_file(options.json, all.dump(2) + "\n");
  }
  for (const std::string& each : options.plots) {
    write_plot(each, results.points, captions_for(options, results));
    fmt::print(stderr, "convoy: wrote {}\n", each);
  }
}

}  // namespace

void add_bench(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<bench_options>();
  CLI::App* const verb = command.add_subcommand(
      "bench", "Measure one batch against a loop of copies and the machine's limit");
  verb->add_flag("--quick", options->quick, "A coarse sweep, in less than 30 s");
  verb->add_option("--sizes", options->sizes, "Block sizes, such as 4096,64K,1M")
      ->delimiter(',')
      ->type_name("N,...");
  verb->add_option("--counts", options->counts, "Blocks in a batch, such as 1,64,4096")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24))
      ->type_name("N,...");
  verb->add_option("--json", options->json, "Write the results to this file; - is standard output")
      ->type_name("F");
  verb->add_option("--plot", options->plots,
                   "Draw the results; a name in .png or .svg chooses the format")
      ->type_name("F");
  verb->add_option("--from", options->from, "Show the results of an earlier --json file")
      ->check(CLI::ExistingFile)
      ->type_name("F");
  verb->add_option("--title", options->title, "Title of the plot")->type_name("TEXT");
  verb->callback([options, &exit_code] {
    bench(*options);
    exit_code = 0;
  });
}

}  // namespace convoy::tools
