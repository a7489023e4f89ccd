#include <fmt/format.h>

#include <convoy/metrics.hpp>

#include "runtime/engine.hpp"

namespace convoy {
namespace {

time_summary summary_of(const histogram& times) {
  return {times.total(), times.quantile(0.5), times.quantile(0.9), times.quantile(0.99)};
}

std::string time_text(std::chrono::nanoseconds time) {
  const auto value = static_cast<double>(time.count());
  if (value < 1e3) return fmt::format("{:.0f} ns", value);
  if (value < 1e6) return fmt::format("{:.1f} us", value / 1e3);
  if (value < 1e9) return fmt::format("{:.1f} ms", value / 1e6);
  return fmt::format("{:.2f} s", value / 1e9);
}

std::string line_of(std::string_view label, const time_summary& times) {
  return fmt::format("convoy: {:<8} {:>10} total, p50 {:>9}, p90 {:>9}, p99 {:>9}\n", label,
                     time_text(times.total), time_text(times.p50), time_text(times.p90),
                     time_text(times.p99));
}

status set_counting(bool on) {
  const auto e = engine::get();
  if (!e) return e.error();
  (*e)->set_counting(on);
  return {};
}

}  // namespace

status enable_metrics() { return set_counting(true); }
status disable_metrics() { return set_counting(false); }

result<metrics> read_metrics() {
  const auto e = engine::get();
  if (!e) return e.error();
  const metrics_counter& seen = (*e)->counters();
  return metrics{seen.batches(),
                 seen.copies(),
                 seen.bytes(),
                 seen.failures(),
                 summary_of(seen.queued()),
                 summary_of(seen.copying())};
}

std::string describe(const metrics& values) {
  const double seconds = std::chrono::duration<double>(values.copying.total).count();
  const double gigabytes = static_cast<double>(values.bytes) / 1e9;
  return fmt::format(
      "convoy: {} batches, {} copies, {:.3f} GB at {:.2f} GB/s while copying, {} failed\n{}{}",
      values.batches, values.copies, gigabytes, seconds > 0 ? gigabytes / seconds : 0,
      values.failures, line_of("queued", values.queued), line_of("copying", values.copying));
}

}  // namespace convoy
