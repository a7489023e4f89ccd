// convoy bench: when does a batch pay off on this machine?
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "crossover.hpp"
#include "failure.hpp"
#include "machine.hpp"
#include "new_file.hpp"
#include "plot.hpp"
#include "sweep.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace convoy::cli {
namespace {

struct bench_wishes {
  bool quick = false;
  std::vector<std::string> sizes;
  std::vector<std::size_t> counts;
  std::string json;
  std::vector<std::string> plots;
  std::string from;
  std::string title;
};

struct findings {
  nlohmann::json about;  // the machine
  std::vector<sweep_point> points;
};

constexpr std::size_t kib = 1024;

sweep_plan plan_for(const bench_wishes& asked) {
  sweep_plan plan;
  if (asked.quick) {
    plan.sizes = {256, kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib, kib * kib};
    plan.counts = {1, 16, 256, 4096};
    plan.budget = std::chrono::duration<double>(0.6);
  } else {
    plan.sizes = {64, 256, kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib, kib * kib, 4 * kib * kib};
    plan.counts = {1, 4, 16, 64, 256, 1024, 4096, 16384};
    plan.pool_bytes = std::size_t{256} << 20;
    plan.budget = std::chrono::duration<double>(1);
  }
  if (!asked.counts.empty()) plan.counts = asked.counts;
  if (!asked.sizes.empty()) {
    plan.sizes.clear();
    for (const std::string& each : asked.sizes) plan.sizes.push_back(parse_size(each));
  }
  std::ranges::sort(plan.sizes);
  std::ranges::sort(plan.counts);
  const std::size_t least = plan.sizes.front() * plan.counts.front();
  if (least > plan.pool_bytes) {
    throw failure(fmt::format("a batch of {} is too much; at most {} are copied at once",
                              size_text(least), size_text(plan.pool_bytes)));
  }
  return plan;
}

findings measure(const bench_wishes& asked) {
  const terminal bar(output::error);
  findings found{this_machine(), run_sweep(plan_for(asked), [&](double part) {
                   bar.show_progress("measuring", part);
                 })};
  bar.clear_progress();
  return found;
}

findings read_back(const std::string& file) {
  try {
    std::ifstream stream(file);
    const nlohmann::json all = nlohmann::json::parse(stream);
    findings found{all.at("machine"), all.at("results").get<std::vector<sweep_point>>()};
    if (!found.points.empty()) return found;
  } catch (const nlohmann::json::exception&) {
  }
  throw failure(fmt::format("{} holds no results; make one with convoy bench --json", file));
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

plot_words words_for(const bench_wishes& asked, const findings& found) {
  const auto sizes = largest_batches(found.points);
  const bool loop = found.points.front().ratio_to_loop > 0;
  return {asked.title.empty() ? "Convoy: when a batch pays off" : asked.title,
          fmt::format("{}, {} processors, {}", found.about.value("processor", "unknown"),
                      found.about.value("processors", 0), found.about.value("vectors", "")),
          loop ? crossover_text(found.points) : ""};
}

void bench(const bench_wishes& asked) {
  for (const std::string& each : asked.plots) {
    if (each.ends_with(".png") || each.ends_with(".svg")) continue;
    throw failure(fmt::format("{} is no picture; let its name end in .png or .svg", each));
  }
  const findings found = asked.from.empty() ? measure(asked) : read_back(asked.from);
  const nlohmann::json all{{"machine", found.about}, {"results", found.points}};
  if (asked.json == "-") {
    fmt::print("{}\n", all.dump(2));
  } else {
    print_table(found.points);
    if (found.points.front().ratio_to_loop > 0) {
      fmt::print("\n{}\n", crossover_text(found.points));
    }
    if (!asked.json.empty()) write_file(asked.json, all.dump(2) + "\n");
  }
  for (const std::string& each : asked.plots) {
    write_plot(each, found.points, words_for(asked, found));
    fmt::print(stderr, "convoy: wrote {}\n", each);
  }
}

}  // namespace

void add_bench(CLI::App& command, int& exit_code) {
  auto asked = std::make_shared<bench_wishes>();
  CLI::App* const verb = command.add_subcommand(
      "bench", "Measure when a batch pays off, against a loop and the machine's limit");
  verb->add_flag("--quick", asked->quick, "A coarse sweep, in less than 30 s");
  verb->add_option("--sizes", asked->sizes, "Block sizes, such as 4096,64K,1M")
      ->delimiter(',')
      ->type_name("N,...");
  verb->add_option("--counts", asked->counts, "Blocks in a batch, such as 1,64,4096")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24))
      ->type_name("N,...");
  verb->add_option("--json", asked->json, "Write the results there; - is standard output")
      ->type_name("F");
  verb->add_option("--plot", asked->plots, "Draw them there, as PNG or SVG by the name's ending")
      ->type_name("F");
  verb->add_option("--from", asked->from, "Show results of before instead of measuring")
      ->check(CLI::ExistingFile)
      ->type_name("F");
  verb->add_option("--title", asked->title, "What stands above the plot")->type_name("TEXT");
  verb->callback([asked, &exit_code] {
    bench(*asked);
    exit_code = 0;
  });
}

}  // namespace convoy::cli
