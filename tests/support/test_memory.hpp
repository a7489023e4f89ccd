// Memory and streams of every kind for random programs.
#pragma once

#include <convoy/buffer.hpp>
#include <convoy/stream.hpp>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "support/tracked_memory.hpp"

namespace convoy::test {

// Two devices, pinned, managed, registered and pageable memory, all of one size.
class test_memory {
 public:
  test_memory(std::size_t cells, std::size_t cell_bytes);
  ~test_memory();
  test_memory(const test_memory&) = delete;
  test_memory& operator=(const test_memory&) = delete;

  std::deque<tracked_memory>& memories() { return memories_; }

  // Descriptors of indirect copies are written to a draft on the host and copied to the device.
  static constexpr std::size_t descriptors = 64;
  static constexpr std::size_t descriptor_bytes = 64;
  [[nodiscard]] std::byte* descriptor_draft(std::size_t slot) const {
    return drafts_.data() + slot * descriptor_bytes;
  }
  region descriptor(std::size_t slot) {
    return {&descriptors_, slot * descriptor_bytes, descriptor_bytes};
  }

  // Fills every memory with new bytes and clears its history.
  void refill(stream_ref through, std::uint64_t seed);

  // The first wrong byte, as a sentence; empty when there is none.
  std::string first_difference(stream_ref through);

 private:
  std::vector<buffer> owned_;
  std::vector<std::byte> pageable_;
  std::vector<std::byte> registered_;
  buffer drafts_;
  tracked_memory descriptors_;
  std::deque<tracked_memory> memories_;
  std::vector<std::byte> downloaded_;
};

enum class stream_kind { legacy, blocking, non_blocking };

struct known_stream {
  stream_ref ref;
  device_id device = {};
  stream_kind kind = stream_kind::blocking;
};

// The legacy stream of both devices, and so many others on each.
class stream_set {
 public:
  stream_set(int blocking, int non_blocking);

  [[nodiscard]] const std::vector<known_stream>& all() const { return all_; }

  // Destroys the streams; submitted work still runs.
  void destroy() { owned_.clear(); }

 private:
  void add(device_id device, stream_kind kind);

  std::vector<known_stream> all_;
  std::vector<stream> owned_;
};

}  // namespace convoy::test
