#include "replay_report.hpp"

#include <convoy/convoy.hpp>

#include "byte_budget.hpp"
#include "race_finder.hpp"
#include "recording_check.hpp"
#include "replay_memory.hpp"
#include "replayer.hpp"
#include "shared/failure.hpp"

namespace convoy::tools {

replay_report replay(const trace::recording& from, const replay_options& options,
                     const std::function<void(double)>& progress) {
  byte_budget memory_budget(options.memory_limit, "of memory", "--memory-limit");
  byte_budget copy_budget(options.copy_limit, "of copies", "--copy-limit");
  memory_budget.take(from.memory_bytes);
  check_records(from);
  const replay_budgets budgets{memory_budget, copy_budget};
  take_copies(from, budgets);
  replay_memory memory(from, memory_budget);
  replayer played(from, memory, budgets);
  memory.fill();
  must(enable_metrics());
  played.run(progress);
  const metrics seen = must(read_metrics());
  must(disable_metrics());
  played.play_on_images();

  replay_report found{.steps = from.steps.size(),
                      .left_out = played.left_out(),
                      .synthesized = played.synthesized(),
                      .bytes = seen.bytes,
                      .replayed_ns = static_cast<double>(seen.copying.total.count()),
                      .difference = memory.difference().value_or("")};
  if (!found.difference.empty()) found.race = find_race(played.steps());
  for (const prepared_step& each : played.steps()) {
    const trace::traced_step& step = *each.from;
    if ((each.copies.empty() && !each.box) || !step.landed) continue;
    found.recorded_ns += static_cast<double>(trace::elapsed(*step.started, *step.landed));
  }
  if (options.advice) found.alternatives = measure_alternatives(played);
  return found;
}

}  // namespace convoy::tools
