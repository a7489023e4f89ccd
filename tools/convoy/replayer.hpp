// Replays the steps of a recording with the same shapes, streams, order and waits.
//
// A step that started after another had landed does so again, whether an event, a waiting thread or
// chance had ordered them.
#pragma once

#include <convoy/convoy.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "recording_check.hpp"
#include "replay_memory.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::tools {

// A box in memory, the same in the images, and the bytes that its sides span.
struct prepared_box {
  pitched_copy memory;
  pitched_copy image;
  std::size_t dst_bytes = 0;
  std::size_t src_bytes = 0;
};

// A step with the addresses of this process. It has neither copies nor a box when it is not
// replayed.
struct prepared_step {
  const trace::traced_step* from = nullptr;
  trace::timestamp landed = UINT64_MAX;
  std::vector<copy> copies;
  std::vector<copy> in_images;
  std::optional<prepared_box> box;

  // Set by replayer::run().
  bool submitted = false;
  ticket at = {};
  event reached = {};
};

class replayer {
 public:
  // For a recording whose records and copies are checked. Throws bad_trace when a budget is
  // exceeded.
  replayer(const trace::recording& from, replay_memory& in, const replay_budgets& budgets);

  // Submits the steps as they were submitted, and waits. Throws bad_trace when the engine refuses
  // one.
  void run(const std::function<void(double)>& progress);

  // Applies the steps to the images, in the order in which they landed.
  void play_on_images() const;

  // By time of start.
  [[nodiscard]] const std::vector<prepared_step>& steps() const { return steps_; }
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] std::size_t synthesized() const { return synthesized_; }

 private:
  prepared_step prepare(const trace::traced_step& step, allocation_timeline& timeline);
  void prepare_copies(prepared_step& into, allocation_timeline& timeline);
  void prepare_box(prepared_step& into, allocation_timeline& timeline);
  void add_unrecorded(prepared_step& into, const region& dst_model, const region& src_model);
  void make_streams();
  void submit_step(prepared_step& step);
  void wait_for_landed_before(trace::timestamp until);
  void wait_for_landed(const stream& on, const trace::traced_step& before);

  replay_memory& memory_;
  replay_budgets budgets_;
  std::vector<prepared_step> steps_;
  std::vector<prepared_step*> by_landing_;  // those that are replayed
  std::map<std::uint64_t, stream> streams_;

  // Steps of all streams are joined in one stream, so that a step waits for one event.
  stream joining_;
  event joined_;
  std::size_t joined_count_ = 0;  // of by_landing_
  std::size_t waited_count_ = 0;  // of by_landing_, by this thread
  std::size_t left_out_ = 0;      // steps that cannot be replayed
  std::size_t synthesized_ = 0;   // copies that were not recorded one by one
};

}  // namespace convoy::tools
