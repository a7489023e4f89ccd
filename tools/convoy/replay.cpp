// convoy replay: a recorded trace, run again on this machine.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <convoy/convoy.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "batch_alternatives.hpp"
#include "machine.hpp"
#include "recordings.hpp"
#include "replay_memory.hpp"
#include "replayer.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

struct replay_options {
  std::string file;
  bool json = false;
  bool advice = true;
};

struct outcome {
  std::size_t steps = 0;
  std::size_t left_out = 0;
  std::size_t synthesized = 0;
  std::size_t bytes = 0;
  double recorded_ns = 0;  // time of copies in the recording
  double replayed_ns = 0;  // time of copies here
  std::string race = {};   // two steps that race; empty when there are none
  std::vector<alternative> alternatives = {};
};

// Less than this is noise.
constexpr double clear_speedup = 1.1;

// The replay needs as many devices as the recording used.
void provide_devices(const trace::recording& from) {
  int most = 1;
  for (const trace::traced_step& each : from.steps) most = std::max(most, each.device + 1);
  for (const trace::traced_memory& each : from.memory) most = std::max(most, each.device + 1);
  ::setenv("CONVOY_DEVICES", std::to_string(most).c_str(), 0);
}

outcome play(const trace::recording& from, const replay_options& options) {
  provide_devices(from);
  replay_memory memory(from);
  replayer played(from, memory);
  const terminal bar(output::error);
  must(enable_metrics());
  played.run([&](double part) { bar.show_progress("replaying", part); });
  bar.clear_progress();
  const metrics seen = must(read_metrics());
  must(disable_metrics());
  played.play_on_images();
  const auto wrong = memory.difference();
  const std::string race = wrong ? played.find_race() : "";
  if (wrong && race.empty()) throw failure(*wrong);

  outcome found{.steps = from.steps.size(),
                .left_out = played.left_out(),
                .synthesized = played.synthesized(),
                .bytes = seen.bytes,
                .replayed_ns = static_cast<double>(seen.copying.total.count()),
                .race = race};
  for (const prepared_step& each : played.steps()) {
    const trace::traced_step& step = *each.from;
    if (each.copies.empty() && !step.box) continue;
    found.recorded_ns +=
        step.landed && step.started ? static_cast<double>(*step.landed - *step.started) : 0;
  }
  if (options.advice) found.alternatives = measure_alternatives(played);
  return found;
}

void print_alternatives(const outcome& found, const terminal& out) {
  std::size_t useless = 0;
  for (const alternative& each : found.alternatives) {
    if (each.speedup() < clear_speedup) {
      ++useless;
      continue;
    }
    fmt::print("{} {}: {} instead of {}, {:.1f}x as fast\n", out.good("would help:"), each.change,
               time_text(each.after_ns), time_text(each.before_ns), each.speedup());
  }
  if (found.alternatives.empty()) {
    fmt::print("There was nothing to coalesce, join or split.\n");
  } else if (useless == found.alternatives.size()) {
    fmt::print("{} other batchings were measured; none is clearly faster.\n", useless);
  } else if (useless != 0) {
    fmt::print("{} other changes were measured and do not help.\n", useless);
  }
}

void print_all(const outcome& found, const replay_options& options) {
  const terminal out;
  const auto rate = [&](double ns) { return ns > 0 ? static_cast<double>(found.bytes) / ns : 0; };
  fmt::print("{} steps, {} moved, {}\n", found.steps, size_text(found.bytes),
             found.race.empty() ? out.good("every byte right")
                                : out.warning("bytes differ because of a race"));
  if (!found.race.empty()) {
    fmt::print("{} {} overlap in time and in memory; order them with an event\n",
               out.warning("race:"), found.race);
  }
  fmt::print("copying took {} here ({:.2f} GB/s) and {} in the recording\n",
             time_text(found.replayed_ns), rate(found.replayed_ns), time_text(found.recorded_ns));
  if (found.left_out != 0) {
    fmt::print(
        "{} steps were skipped: host functions, failed steps and copies by descriptor cannot be "
        "replayed\n",
        found.left_out);
  }
  if (found.synthesized != 0) {
    fmt::print(
        "{} copies were not recorded one by one and were replayed with the sizes of the others\n",
        found.synthesized);
  }
  if (options.advice) print_alternatives(found, out);
}

nlohmann::json as_json(const outcome& found) {
  nlohmann::json all{{"machine", this_machine()},
                     {"steps", found.steps},
                     {"left_out", found.left_out},
                     {"invented_copies", found.synthesized},
                     {"bytes", found.bytes},
                     {"recorded_ns", found.recorded_ns},
                     {"replayed_ns", found.replayed_ns},
                     {"verified", found.race.empty()},
                     {"race", found.race},
                     {"suggestions", nlohmann::json::array()}};
  for (const alternative& each : found.alternatives) {
    all["suggestions"].push_back({{"change", each.change},
                                  {"before_ns", each.before_ns},
                                  {"after_ns", each.after_ns},
                                  {"gain", each.speedup()}});
  }
  return all;
}

}  // namespace

void add_replay(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<replay_options>();
  CLI::App* const verb = command.add_subcommand(
      "replay", "Replay a recorded trace, check every byte, and measure other batchings");
  verb->add_option("F", options->file, "A file that convoy trace or CONVOY_TRACE wrote")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("TRACE");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->add_flag("!--no-advice", options->advice, "Do not measure other batchings");
  verb->callback([options, &exit_code] {
    const recordings read = read_recordings({options->file});
    const outcome found = play(read.all.front(), *options);
    if (options->json) {
      fmt::print("{}\n", as_json(found).dump(2));
    } else {
      print_all(found, *options);
    }
    exit_code = 0;
  });
}

}  // namespace convoy::tools
