// A random program over many streams with a predictable result.
//
// A vector clock per stream records which steps happen before its next one: by stream order,
// events, stream values, the default-stream rules and synchronisation. A step is submitted only if
// its accesses are ordered after every conflicting one, so running the steps in submission order on
// plain memory predicts every byte.
#pragma once

#include <convoy/buffer.hpp>
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
  random_program(test_memory& memory, std::span<const known_stream> streams, std::uint64_t seed);
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

  struct stream_state {
    known_stream stream;
    vector_clock clock;  // of its latest step
  };
  struct known_event {
    event owned;
    device_id device = {};
    vector_clock clock;  // of the latest recording
    bool recorded = false;
  };
  // The next step of a stream and the steps before it.
  struct next_step {
    std::size_t stream = 0;
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
  void write_number();

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  std::size_t some_bytes();
  tracked_memory& some_memory();

  // The next step of a stream, or of a random one.
  next_step next_in(std::size_t stream);
  next_step next_anywhere() { return next_in(below(streams_.size())); }
  stream_ref ref(const next_step& at) const { return streams_[at.stream].stream.ref; }

  // A region that the step may read or write; none after max_attempts.
  maybe_region readable(std::size_t bytes, const vector_clock& after);
  maybe_region writable(std::size_t bytes, const vector_clock& after);
  maybe_region writable_by_host_code(std::size_t bytes, const vector_clock& after);

  // Bytes from the start of the first row to the end of the last.
  static std::size_t span_of(const pitched& side, const box& extent);
  std::optional<item> some_item(const next_step& at, source_access order,
                                const std::vector<item>& others);
  std::vector<attribute_run> some_runs(std::size_t count);
  result<ticket> submit_items(const next_step& at, const std::vector<item>& items,
                              const std::vector<attribute_run>& runs);

  // Record the accesses and the clock of a submitted step.
  void reads(const next_step& at, const region& range);
  void writes(const next_step& at, const region& range);
  void commit(const next_step& at) { streams_[at.stream].clock = at.clock; }

  // Orders the next step of stream `to` after all steps of stream `from`.
  void connect(std::size_t from, std::size_t to);
  void connect_by_event(std::size_t from, std::size_t to);
  void connect_by_value(std::size_t from, std::size_t to);
  void connect_to(const next_step& at) { connect(below(streams_.size()), at.stream); }

  void expect(const status& answer, std::string_view call);
  template <class T>
  bool expect(const result<T>& answer, std::string_view call) {
    expect(answer.error(), call);
    return answer.ok();
  }

  test_memory& memory_;
  std::mt19937_64 random_;
  std::vector<stream_state> streams_;
  std::vector<known_event> events_;
  std::list<tracked_memory> allocated_;
  buffer values_;  // one for each stream, which only that stream writes
  std::vector<std::uint64_t> values_written_;
  vector_clock host_;  // steps that this thread has waited for
  std::size_t descriptors_used_ = 0;
  std::string problem_;
};

}  // namespace convoy::test
