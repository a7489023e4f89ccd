// A random program over many streams whose every byte can be predicted.
//
// The program keeps, for each stream, which steps happen before its next one, by the order of the
// stream, events, the default-stream rules and synchronisation. It only submits a step whose
// accesses are ordered with every conflicting one before, so running the steps in the order of
// submission on plain memory tells what the streams must leave behind.
#pragma once

#include <convoy/event.hpp>
#include <convoy/stream.hpp>
#include <cstdint>
#include <list>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/test_memory.hpp"
#include "support/tracked_memory.hpp"
#include "support/vector_clock.hpp"

namespace convoy::test {

class random_program {
 public:
  // Streams may be shared with programs of other threads, memory may not.
  random_program(proving_ground& ground, std::span<const known_stream> streams, std::uint64_t seed);
  ~random_program();
  random_program(const random_program&) = delete;
  random_program& operator=(const random_program&) = delete;

  void submit_steps(int count);

  // Waits for every stream.
  void finish();

  // The first call that failed; empty when none did.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  using maybe_region = std::optional<region>;

  struct line {
    known_stream stream;
    vector_clock clock;  // of its latest step
  };
  struct known_event {
    event owned;
    device_id device = {};
    vector_clock clock;  // of the latest recording
    bool recorded = false;
  };
  // One step to be: where it goes and what happens before it.
  struct slot {
    std::size_t line = 0;
    vector_clock clock;
  };
  struct item {
    region dst;
    region src;
    source_access order = source_access::stream;
  };

  void one_step();
  void copy_once();
  void copy_batch();
  void copy_box();
  void fill_some();
  void fill_rows();
  void reduce_some();
  void call_function();
  void record_event();
  void wait_for_event();
  void write_from_host();
  void synchronize_some();
  void copy_indirectly();
  void allocate_in_stream();
  void free_in_stream();
  void free_at_once();

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  std::size_t some_bytes();
  tracked_memory& some_memory();

  // The next step of a stream, or of a random one.
  slot next_in(std::size_t line);
  slot next_anywhere() { return next_in(below(lines_.size())); }
  stream_ref ref(const slot& at) const { return lines_[at.line].stream.ref; }

  // A region that the step may read or write; none when the dice find none.
  maybe_region readable(std::size_t bytes, const vector_clock& after);
  maybe_region writable(std::size_t bytes, const vector_clock& after);
  maybe_region writable_by_host_code(std::size_t bytes, const vector_clock& after);

  // Bytes from the first line's start to the last one's end.
  static std::size_t span_bytes(const pitched& side, const box& extent);
  std::optional<item> some_item(const slot& at, source_access order,
                                const std::vector<item>& others);
  std::vector<attribute_run> some_runs(std::size_t count);
  result<ticket> submit_items(const slot& at, const std::vector<item>& items,
                              const std::vector<attribute_run>& runs);

  // The step was submitted: from now on it is part of the past.
  void reads(const slot& at, const region& what);
  void writes(const slot& at, const region& what);
  void commit(const slot& at) { lines_[at.line].clock = at.clock; }

  // Orders the next step of a stream after all of another's.
  void connect(std::size_t from, std::size_t to);
  void connect_to(const slot& at) { connect(below(lines_.size()), at.line); }

  void expect(const status& outcome, std::string_view call);
  template <class T>
  bool expect(const result<T>& got, std::string_view call) {
    expect(got.error(), call);
    return got.ok();
  }

  proving_ground& ground_;
  std::mt19937_64 random_;
  std::vector<line> lines_;
  std::vector<known_event> events_;
  std::list<tracked_memory> allocated_;
  vector_clock host_;  // what this thread knows to have landed
  std::size_t descriptors_used_ = 0;
  std::string problem_;
};

}  // namespace convoy::test
