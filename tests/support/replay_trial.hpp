// Replays any bytes as a trace, within small limits: it is replayed with every byte right, or
// refused.
#pragma once

#include <stdlib.h>

#include <string>
#include <utility>
#include <variant>

#include "recordings.hpp"
#include "replay_report.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::test {

class replay_trial {
 public:
  // The engine reads its configuration at the first call: every device that a trace can name.
  replay_trial() {
    ::setenv("CONVOY_DEVICES", "64", 1);
    ::setenv("CONVOY_DEVICE_MEMORY", "64M", 1);
  }

  // What is wrong, as a sentence; empty when the trace is replayed or refused.
  std::string problem(std::string contents) {
    constexpr std::uint64_t limit = std::uint64_t{8} << 20;
    const auto read = trace::parse_trace(std::move(contents), limit);
    if (std::holds_alternative<std::string>(read)) return "";
    const auto& recording = std::get<trace::recording>(read);
    for (const trace::traced_step& each : recording.steps) {
      static_cast<void>(tools::summarize_shape(each));
    }
    try {
      const bool advice = ++trials_ % 32 == 0;
      const auto found = tools::replay(recording, {limit, limit, advice}, [](double) {});
      ++replayed_;
      return found.race.empty() ? found.difference : "";
    } catch (const tools::bad_trace&) {
      return "";
    } catch (const std::exception& other) {
      return other.what();
    }
  }

  [[nodiscard]] int replayed() const { return replayed_; }

 private:
  int trials_ = 0;
  int replayed_ = 0;
};

}  // namespace convoy::test
