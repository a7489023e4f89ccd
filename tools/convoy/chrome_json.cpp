#include "chrome_json.hpp"

#include <fmt/format.h>

#include <convoy/status.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace convoy::tools {
namespace {

using nlohmann::json;

double microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }

// The tracks of a process: its streams and its threads. The format has them as two processes.
struct track_group {
  std::uint64_t id;
  std::uint64_t offset;
};

json metadata(const char* kind, std::uint64_t process, std::uint64_t track,
              const std::string& name) {
  return {
      {"ph", "M"}, {"name", kind}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}};
}

json bar(const track_group& in, std::uint64_t track, const std::string& name, std::uint64_t from,
         std::uint64_t until) {
  return {{"ph", "X"},
          {"name", name},
          {"pid", in.id},
          {"tid", track},
          {"ts", microseconds(from + in.offset)},
          {"dur", microseconds(trace::elapsed(from, until))}};
}

json details_of(const trace::traced_step& step) {
  json all{
      {"stream", step.stream},         {"ticket", step.ticket}, {"device", step.device},
      {"items", step.items},           {"bytes", step.bytes},   {"direction", directions_of(step)},
      {"outcome", name(step.outcome)}, {"worker", step.runner}, {"submitted_by", step.submitter}};
  if (step.item) all["item"] = *step.item;
  if (step.started) all["queued_us"] = microseconds(trace::elapsed(step.submitted, *step.started));
  return all;
}

void add_step(json& events, const trace::traced_step& step, const track_group& streams,
              const track_group& threads) {
  if (!step.started || !step.landed) {
    json missed = bar(streams, step.stream, name_of(step), step.submitted, step.submitted);
    missed["ph"] = "i";
    missed["s"] = "t";
    missed["args"] = details_of(step);
    events.push_back(std::move(missed));
    return;
  }
  json made = bar(streams, step.stream, name_of(step), *step.started, *step.landed);
  made["cat"] = step.outcome == errc::ok ? "step" : "failed";
  made["args"] = details_of(step);
  events.push_back(made);
  made["pid"] = threads.id;
  made["tid"] = step.runner;
  events.push_back(std::move(made));
}

}  // namespace

std::string make_chrome_json(const recordings& all) {
  json events = json::array();
  for (const trace::recording& each : all.all) {
    const track_group streams{std::uint64_t{each.process} * 2, all.offset_of(each)};
    const track_group threads{streams.id + 1, streams.offset};
    events.push_back(
        metadata("process_name", streams.id, 0, fmt::format("streams of {}", each.process)));
    events.push_back(
        metadata("process_name", threads.id, 0, fmt::format("threads of {}", each.process)));
    for (const auto& [number, name] : each.threads) {
      events.push_back(metadata("thread_name", threads.id, number, name));
    }
    std::set<std::pair<std::uint64_t, std::int32_t>> seen;
    for (const trace::traced_step& step : each.steps) {
      if (seen.emplace(step.stream, step.device).second) {
        events.push_back(metadata("thread_name", streams.id, step.stream,
                                  fmt::format("stream {} (device {})", step.stream, step.device)));
      }
      add_step(events, step, streams, threads);
    }
    for (const trace::helper_interval& help : each.helper_intervals) {
      events.push_back(bar(threads, help.thread, "helps", help.from, help.until));
    }
  }
  const json whole{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace convoy::tools
