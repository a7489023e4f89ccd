#include "page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <convoy/status.hpp>
#include <ctime>
#include <nlohmann/json.hpp>

namespace convoy::tools {
namespace {

using nlohmann::json;

// Browsers handle a page with more steps slowly.
constexpr std::size_t most_steps = 100'000;

json or_null(const std::optional<trace::timestamp>& time) {
  return time ? json(*time) : json(nullptr);
}

json row_of(const trace::traced_step& step) {
  const shape_summary shape = summarize_shape(step);
  return {step.stream,
          step.ticket,
          step.device,
          step.kind,
          step.items,
          step.bytes,
          step.copy_directions.bits,
          step.submitted,
          or_null(step.started),
          or_null(step.landed),
          step.submitter,
          step.runner,
          name(step.outcome),
          or_null(step.item),
          step.waits_for,
          shape.sizes,
          shape.adjacent};
}

json process_json(const trace::recording& from, std::uint64_t offset) {
  json made{{"process", from.process}, {"command", from.command},
            {"offset", offset},        {"threads", json::object()},
            {"steps", json::array()},  {"helper_intervals", json::array()}};
  for (const auto& [number, name] : from.threads) made["threads"][std::to_string(number)] = name;
  for (const trace::traced_step& each : from.steps) {
    if (made["steps"].size() == most_steps) break;
    made["steps"].push_back(row_of(each));
  }
  for (const trace::helper_interval& each : from.helper_intervals) {
    made["helper_intervals"].push_back({each.thread, each.from, each.until});
  }
  return made;
}

json notes_about(const recordings& all) {
  json notes = json::array();
  for (const trace::recording& each : all.all) {
    if (each.steps.size() > most_steps) {
      notes.push_back(fmt::format("Process {} has {} steps; the first {} are shown.", each.process,
                                  each.steps.size(), most_steps));
    }
    if (!each.complete) {
      notes.push_back(
          fmt::format("The trace of process {} is incomplete: its file could not grow, had reached "
                      "4 GiB or was truncated.",
                      each.process));
    }
  }
  return notes;
}

std::string as_json(const recordings& all) {
  const std::time_t began = static_cast<std::time_t>(all.all.front().wall / 1'000'000'000);
  json made{{"when", fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(began))},
            {"processors", all.all.front().processors},
            {"columns",
             {"stream", "ticket", "device", "kind", "items", "bytes", "copy_directions",
              "submitted", "started", "landed", "submitter", "runner", "outcome", "item",
              "waits_for", "sizes", "adjacent"}},
            {"notes", notes_about(all)},
            {"processes", json::array()}};
  for (const trace::recording& each : all.all) {
    made["processes"].push_back(process_json(each, all.offset_of(each)));
  }
  return made.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string make_page(const recordings& all) {
  std::string text = as_json(all);
  // "</script>" inside the data would end the script.
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) {
    text.replace(at, 2, "<\\/");
  }
  constexpr std::string_view mark = "@RECORDING@";
  std::string page(page_template());
  return page.replace(page.find(mark), mark.size(), text);
}

}  // namespace convoy::tools
