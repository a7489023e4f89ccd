// convoy trace: records every step of a program and writes views of them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "byte_budget.hpp"
#include "child.hpp"
#include "chrome_json.hpp"
#include "page.hpp"
#include "recordings.hpp"
#include "shared/atomic_file.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "temporary_folder.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

struct trace_options {
  std::string output = "convoy";
  std::vector<std::string> from;
  std::string memory_limit;
  std::vector<std::string> command;
};

// The common stem of the output files.
fs::path stem_of(const fs::path& output) {
  const std::string ending = output.extension();
  return ending == ".html" || ending == ".json" || ending == ".trace"
             ? fs::path(output).replace_extension()
             : output;
}

std::string with_ending(const fs::path& stem, const std::string& ending) {
  return stem.string() + ending;
}

std::vector<std::string> traces_in(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& each : fs::directory_iterator(folder)) found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

void print_summary(const recordings& all, const terminal& out) {
  std::vector<const trace::traced_step*> steps;
  std::uint64_t bytes = 0;
  for (const trace::recording& each : all.all) {
    for (const trace::traced_step& step : each.steps) {
      if (step.started && step.landed) steps.push_back(&step);
      bytes += step.bytes;
    }
  }
  const auto ran = [](const trace::traced_step* s) {
    return trace::elapsed(*s->started, *s->landed);
  };
  std::ranges::sort(steps, std::greater{}, ran);
  fmt::print(stderr, "convoy: {} steps in {} process{}, {} moved; the slowest:\n", steps.size(),
             all.all.size(), all.all.size() == 1 ? "" : "es", size_text(bytes));
  for (std::size_t i = 0; i != std::min<std::size_t>(steps.size(), 10); ++i) {
    const trace::traced_step& each = *steps[i];
    fmt::print(stderr, "convoy: {:>10}  {:<28} stream {}, ticket {}{}\n",
               time_text(static_cast<double>(ran(&each))), name_of(each), each.stream, each.ticket,
               each.outcome == errc::ok ? "" : out.bad(fmt::format(", {}", name(each.outcome))));
  }
}

std::uint64_t limit_of(const trace_options& options) {
  return options.memory_limit.empty() ? default_memory_limit() : parse_size(options.memory_limit);
}

// Throws bad_trace when the traces and their views occupy more than the limit.
void check_views(const recordings& all, std::uint64_t max_bytes) {
  constexpr std::uint64_t bytes_per_step = 8192;  // of the two views while they are made
  constexpr std::uint64_t bytes_per_interval = 2048;
  byte_budget budget(max_bytes, "of memory to show the traces", "--memory-limit");
  for (const trace::recording& each : all.all) {
    budget.take(each.memory_bytes, 2);
    budget.take(each.steps.size(), bytes_per_step);
    budget.take(each.helper_intervals.size() + each.threads.size(), bytes_per_interval);
  }
}

// The traces that can be read; standard error gets a line for each of the others, and for each that
// lacks records.
recordings read_what_is_there(const std::vector<std::string>& files, std::uint64_t max_bytes) {
  recordings found;
  for (const std::string& each : files) {
    try {
      recordings one = read_recordings({each}, max_bytes);
      if (!one.all.front().complete) {
        fmt::print(stderr, "convoy: the trace of process {} lacks its last records\n",
                   one.all.front().process);
      }
      found.all.push_back(std::move(one.all.front()));
    } catch (const bad_trace& problem) {
      fmt::print(stderr, "convoy: {}\n", problem.what());
    }
  }
  std::ranges::stable_sort(found.all, {}, &trace::recording::steady);
  return found;
}

// The page and the file for Perfetto, beside the traces.
void write_views(const recordings& all, const fs::path& stem) {
  write_file(with_ending(stem, ".json"), make_chrome_json(all));
  write_file(with_ending(stem, ".html"), make_page(all));
  const terminal out(output::error);
  print_summary(all, out);
  fmt::print(stderr, "convoy: wrote {} (open it in a browser) and {} (for ui.perfetto.dev)\n",
             out.bold(with_ending(stem, ".html")), with_ending(stem, ".json"));
}

// The trace with the most steps is STEM.trace, the others are STEM.PID.trace.
void save_traces(const recordings& all, const fs::path& stem) {
  const auto largest = std::ranges::max_element(
      all.all, {}, [](const trace::recording& each) { return each.steps.size(); });
  for (const trace::recording& each : all.all) {
    const bool main = each.process == largest->process;
    const std::string name = main ? with_ending(stem, ".trace")
                                  : fmt::format("{}.{}.trace", stem.string(), each.process);
    write_file(name, *each.contents);
    fmt::print(stderr, "convoy: wrote {} (for convoy replay)\n", name);
  }
}

void check_writable(const fs::path& stem) {
  const fs::path folder = stem.has_parent_path() ? stem.parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
    throw failure(
        fmt::format("there is no folder {}; create it or choose another with -o", folder.string()));
  }
  for (const char* const ending : {".trace", ".json", ".html"}) {
    check_output_name(with_ending(stem, ending));
  }
}

void show_traces(const std::vector<std::string>& files, const trace_options& options,
                 const fs::path& stem) {
  if (files.empty()) {
    fmt::print(
        stderr,
        "convoy: the program did not use Convoy, so there is nothing to show; convoy run -v prints "
        "which libraries it loaded\n");
    return;
  }
  const recordings all = read_what_is_there(files, limit_of(options));
  if (all.all.empty()) return;
  check_views(all, limit_of(options));
  save_traces(all, stem);
  write_views(all, stem);
}

// Returns the wait status of the program. What goes wrong with its trace does not change it.
int trace_program(const trace_options& options, const fs::path& stem) {
  const temporary_folder folder;
  launch program{checked_command(options.command), library_environment(find_install_tree())};
  program.environment.emplace_back("CONVOY_TRACE", folder.path() / "%p.trace");
  const int wait_status = run_child(program);
  remove_partial_files_on_signals();
  try {
    show_traces(traces_in(folder.path()), options, stem);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "convoy: {}\n", problem.what());
  }
  return wait_status;
}

void trace(const trace_options& options) {
  if (options.from.empty() == options.command.empty()) {
    throw failure("give either a program to trace, after --, or recorded traces, with --from");
  }
  const fs::path stem = stem_of(options.output);
  check_writable(stem);
  if (options.from.empty()) exit_like(trace_program(options, stem));
  const recordings all = read_recordings(options.from, limit_of(options));
  check_views(all, limit_of(options));
  write_views(all, stem);
}

}  // namespace

void add_trace(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<trace_options>();
  CLI::App* const verb =
      command.add_subcommand("trace", "Record every step of a program and write an HTML page");
  verb->add_option("-o,--output", options->output,
                   "Stem of the output files .html, .json and .trace (convoy)")
      ->type_name("F");
  verb->add_option("--from", options->from, "Show recorded traces")->type_name("TRACE");
  verb->add_option("--memory-limit", options->memory_limit,
                   "Memory that showing the traces may occupy (4G, or half of the free memory)")
      ->type_name("N");
  verb->add_option("PROGRAM", options->command, "The program and its arguments, after --")
      ->type_name("PROGRAM ARGS...");
  verb->positionals_at_end();
  verb->callback([options, &exit_code] {
    trace(*options);
    exit_code = 0;
  });
}

}  // namespace convoy::tools
