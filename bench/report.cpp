#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace convoy::bench {
namespace {

const char* name_of(family kind) {
  switch (kind) {
    case family::limit: return "limit";
    case family::convoy: return "convoy";
    case family::loop: return "loop";
    case family::queue: return "queue";
  }
  return "";
}

std::string remark(const outcome& o) {
  if (o.wrong) return "  WRONG BYTES";
  return o.disturbed ? "  disturbed" : "";
}

// The fastest median of a family, in seconds.
std::optional<double> best(const measured_row& row, family kind) {
  std::optional<double> found;
  for (const outcome& o : row.outcomes)
    if (o.kind == kind) found = std::min(found.value_or(o.median), o.median);
  return found;
}

// Speed of the fastest of `kind` relative to the fastest of `other`.
std::string ratio(const measured_row& row, family kind, family other) {
  const auto mine = best(row, kind);
  const auto theirs = best(row, other);
  return mine && theirs ? fmt::format("{:.2f}", *theirs / *mine) : "-";
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made;
}

std::string to_json(const outcome& o) {
  return fmt::format(
      R"({{"variant":"{}","family":"{}","copies":{},"bytes":{},"seconds":{{"lower_quartile":{:.9f},)"
      R"("median":{:.9f},"upper_quartile":{:.9f}}},"gb_per_s":{:.3f},"ns_per_copy":{:.2f},)"
      R"("rounds":{},"discarded":{},"disturbed":{},"wrong":{}}})",
      escaped(o.variant), name_of(o.kind), o.copies, o.bytes, o.lower_quartile, o.median,
      o.upper_quartile, o.gigabytes_per_second(), o.nanoseconds_per_copy(), o.kept, o.discarded,
      o.disturbed, o.wrong);
}

}  // namespace

void print_row(const measured_row& row) {
  fmt::print("{}\n", row.name);
  fmt::print("  {:<28} {:>8} {:>17} {:>12} {:>8} {:>8}\n", "", "GB/s", "quartiles", "ns/copy",
             "rounds", "dropped");
  for (const outcome& o : row.outcomes) {
    const double scale = double(o.bytes) * 1e-9;
    fmt::print("  {:<28} {:>8.2f} {:>8.2f} {:>8.2f} {:>12.1f} {:>8} {:>8}{}\n", o.variant,
               o.gigabytes_per_second(), scale / o.upper_quartile, scale / o.lower_quartile,
               o.nanoseconds_per_copy(), o.kept, o.discarded, remark(o));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

void print_summary(const std::vector<measured_row>& rows) {
  if (rows.empty()) return;
  fmt::print("GB/s (ns per copy); the last four columns are ratios of medians\n{:<30}", "");
  for (const outcome& o : rows.front().outcomes) fmt::print(" {:>18.18}", o.variant);
  fmt::print(" {:>12} {:>12} {:>12} {:>12}\n", "limit/loop", "convoy/limit", "convoy/loop",
             "convoy/queue");
  for (const measured_row& row : rows) {
    fmt::print("{:<30}", row.name);
    for (const outcome& o : row.outcomes)
      fmt::print(" {:>18}", fmt::format("{:.2f} ({:.1f})", o.gigabytes_per_second(),
                                        o.nanoseconds_per_copy()));
    fmt::print(" {:>12} {:>12} {:>12} {:>12}\n", ratio(row, family::limit, family::loop),
               ratio(row, family::convoy, family::limit), ratio(row, family::convoy, family::loop),
               ratio(row, family::convoy, family::queue));
  }
}

bool write_json(const std::vector<measured_row>& rows, const std::string& path) {
  std::ofstream file(path);
  file << "{\"rows\":[";
  const char* between_rows = "\n";
  for (const measured_row& row : rows) {
    file << between_rows << fmt::format(R"({{"name":"{}","outcomes":[)", escaped(row.name));
    const char* between = "\n  ";
    for (const outcome& o : row.outcomes) {
      file << between << to_json(o);
      between = ",\n  ";
    }
    file << "]}";
    between_rows = ",\n";
  }
  file << "\n]}\n";
  return file.good();
}

}  // namespace convoy::bench
