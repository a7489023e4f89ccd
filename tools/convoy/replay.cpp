// convoy replay: a recorded trace, run again on this machine.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <convoy/convoy.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "machine.hpp"
#include "recordings.hpp"
#include "replay_report.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

struct replay_arguments {
  std::string file;
  bool json = false;
  bool advice = true;
  std::string memory_limit;
  std::string copy_limit = "1024G";
};

// Less than this is noise.
constexpr double clear_speedup = 1.1;

// The replay needs as many devices as the recording used.
void provide_devices(const trace::recording& from) {
  int most = 1;
  const auto add = [&](std::int32_t device) {
    if (device >= 0 && device < max_devices) most = std::max(most, device + 1);
  };
  for (const trace::traced_step& each : from.steps) add(each.device);
  for (const trace::traced_memory& each : from.memory) add(each.device);
  ::setenv("CONVOY_DEVICES", std::to_string(most).c_str(), 0);
}

// Throws a failure when a byte is wrong and no race explains it.
replay_report play(const replay_arguments& arguments) {
  replay_options options{.memory_limit = default_memory_limit(),
                         .copy_limit = parse_size(arguments.copy_limit),
                         .advice = arguments.advice};
  if (!arguments.memory_limit.empty()) options.memory_limit = parse_size(arguments.memory_limit);
  const recordings read = read_recordings({arguments.file}, options.memory_limit);
  const terminal bar(output::error);
  replay_report found;
  try {
    provide_devices(read.all.front());
    found = replay(read.all.front(), options,
                   [&](double part) { bar.show_progress("replaying", part); });
  } catch (const bad_trace& problem) {
    bar.clear_progress();
    throw bad_trace(fmt::format("{} cannot be replayed: {}", arguments.file, problem.what()));
  }
  bar.clear_progress();
  if (!found.difference.empty() && found.race.empty()) throw failure(found.difference);
  return found;
}

void print_alternatives(const replay_report& found, const terminal& out) {
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

void print_all(const replay_report& found, const replay_arguments& options) {
  const terminal out;
  const auto rate = [&](double ns) { return ns > 0 ? static_cast<double>(found.bytes) / ns : 0; };
  fmt::print("{} steps, {} moved, {}\n", found.steps, size_text(found.bytes),
             found.race.empty() ? out.good("every byte right")
                                : out.warning("bytes differ because of a race"));
  if (!found.race.empty()) {
    fmt::print("{} {}\n", out.warning("race:"), found.race);
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

nlohmann::json as_json(const replay_report& found) {
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
  auto arguments = std::make_shared<replay_arguments>();
  CLI::App* const verb = command.add_subcommand(
      "replay", "Replay a recorded trace, check every byte, and measure other batchings");
  verb->add_option("F", arguments->file, "A file that convoy trace or CONVOY_TRACE wrote")
      ->required()
      ->check(CLI::ExistingFile)
      ->type_name("TRACE");
  verb->add_flag("--json", arguments->json, "Print JSON");
  verb->add_flag("!--no-advice", arguments->advice, "Do not measure other batchings");
  verb->add_option("--memory-limit", arguments->memory_limit,
                   "Memory that the replay may occupy (4G, or half of the free memory)")
      ->type_name("N");
  verb->add_option("--copy-limit", arguments->copy_limit,
                   "Bytes that the copies of the trace may move (1024G)")
      ->type_name("N");
  verb->callback([arguments, &exit_code] {
    const replay_report found = play(*arguments);
    if (arguments->json) {
      fmt::print("{}\n", as_json(found).dump(2));
    } else {
      print_all(found, *arguments);
    }
    exit_code = 0;
  });
}

}  // namespace convoy::tools
