// Replays the steps of a recording with the same shapes, streams, order and waits.
//
// A step that started after another had landed does so again, whether an event, a waiting thread or
// chance had ordered them.
#pragma once

#include <chrono>
#include <convoy/convoy.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "replay_memory.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::tools {

// A step with the addresses of this process.
struct prepared_step {
  const trace::traced_step* from = nullptr;
  std::vector<copy> copies;
  std::vector<copy> in_images;
};

class replayer {
 public:
  replayer(const trace::recording& from, replay_memory& in);

  // Submits the steps as they were submitted, waits, and returns the time of all.
  std::chrono::nanoseconds run(const std::function<void(double)>& progress);

  // Applies the steps to the images, in the order in which they landed.
  void play_on_images() const;

  [[nodiscard]] const std::vector<prepared_step>& steps() const { return steps_; }
  // Names two steps of different streams that ran at the same time, one of which writes bytes that
  // the other reads or writes; empty when there are none.
  [[nodiscard]] std::string find_race() const;

  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] std::size_t synthesized() const { return synthesized_; }

 private:
  using name = std::pair<std::uint64_t, std::uint64_t>;  // stream and ticket, as traced

  prepared_step prepare(const trace::traced_step& step);
  void add_unrecorded(prepared_step& into);
  void submit_step(const prepared_step& step);
  void wait_for_landed_before(trace::timestamp until);
  void wait_for_landed(const stream& on, const trace::traced_step& before);
  const stream& stream_of(const trace::traced_step& step);

  replay_memory& memory_;
  std::vector<prepared_step> steps_;
  std::vector<const trace::traced_step*> by_landing_;
  std::map<std::uint64_t, stream> streams_;

  // The replayed steps of a stream, in order.
  struct played_step {
    trace::timestamp landed;
    ticket at;
    event reached;
  };
  std::map<std::uint64_t, std::vector<played_step>> played_;
  std::map<name, ticket> submitted_;
  std::size_t landed_ = 0;       // index into by_landing_: waited for up to here
  std::size_t left_out_ = 0;     // steps that cannot be replayed
  std::size_t synthesized_ = 0;  // copies that were not recorded one by one
};

}  // namespace convoy::tools
