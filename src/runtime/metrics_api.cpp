#include <fmt/format.h>

#include <convoy/metrics.hpp>

#include "runtime/engine.hpp"

namespace convoy {
namespace {

time_summary summary_of(const time_histogram& times) {
  return {times.total(), times.quantile(0.5), times.quantile(0.9), times.quantile(0.99)};
}

std::string time_text(std::chrono::nanoseconds time) {
  const auto value = static_cast<double>(time.count());
  if (value < 1e3) return fmt::format("{:.0f} ns", value);
  if (value < 1e6) return fmt::format("{:.1f} us", value / 1e3);
  if (value < 1e9) return fmt::format("{:.1f} ms", value / 1e6);
  return fmt::format("{:.2f} s", value / 1e9);
}

std::string line_of(std::string_view what, const time_summary& times) {
  return fmt::format("convoy: {:<8} {:>10} in all, p50 {:>9}, p90 {:>9}, p99 {:>9}\n", what,
                     time_text(times.total), time_text(times.p50), time_text(times.p90),
                     time_text(times.p99));
}

}  // namespace

status measure(measuring wanted) {
  const auto e = engine::get();
  if (!e) return e.outcome();
  (*e)->count(wanted == measuring::on);
  return {};
}

result<metrics> read_metrics() {
  const auto e = engine::get();
  if (!e) return e.outcome();
  const tally& seen = (*e)->counted();
  return metrics{seen.batches(),
                 seen.copies(),
                 seen.bytes(),
                 seen.failures(),
                 summary_of(seen.queued()),
                 summary_of(seen.copying())};
}

std::string describe(const metrics& what) {
  const double seconds = std::chrono::duration<double>(what.copying.total).count();
  const double gigabytes = static_cast<double>(what.bytes) / 1e9;
  return fmt::format(
      "convoy: {} batches, {} copies, {:.3f} GB at {:.2f} GB/s while copying, {} failed\n{}{}",
      what.batches, what.copies, gigabytes, seconds > 0 ? gigabytes / seconds : 0, what.failures,
      line_of("queued", what.queued), line_of("copying", what.copying));
}

}  // namespace convoy
