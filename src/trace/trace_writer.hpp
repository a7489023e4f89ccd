// Records from many threads into one file, without a lock between them.
//
// Each thread fills a chunk of its own, in memory that is the file; only taking the next chunk
// takes a lock. Nothing needs to be written at the end, so a crash loses nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "os/mapped_file.hpp"
#include "trace/record.hpp"

namespace convoy::trace {

// What the header tells about the process.
struct origin {
  std::uint32_t process = 0;
  std::uint32_t processors = 0;
  std::uint64_t wall = 0;    // nanoseconds since 1970
  std::uint64_t steady = 0;  // the same moment
  std::string command;
};

class trace_writer {
 public:
  // Null when the file cannot be had. Records that would make it longer than `most_bytes` are lost.
  static std::unique_ptr<trace_writer> create(const std::string& path, const origin& from,
                                              std::size_t most_bytes);

  // Adds a record of at most `body_bytes`, which fill(record&) puts; nothing when there is no room.
  template <class Fill>
  void add(record_kind kind, std::size_t body_bytes, const Fill& fill) {
    lane* const mine = lane_with(body_bytes + record_head + 3);
    if (mine == nullptr) return;
    record made(mine->at, kind);
    fill(made);
    mine->at = made.commit();
  }

  // Makes the file no longer than what is in it. More can be added afterwards.
  void trim();

 private:
  // What one thread has of the file. A thread that ends leaves the rest to another.
  struct lane {
    std::byte* at = nullptr;
    std::byte* end = nullptr;
    std::atomic<bool> taken = true;
  };
  struct held_lane;

  explicit trace_writer(std::unique_ptr<os::mapped_file> file);
  void write_header(const origin& from);
  lane* lane_with(std::size_t bytes) {
    lane* const mine = lane_of_thread();
    const bool fits = static_cast<std::size_t>(mine->end - mine->at) >= bytes;
    return fits || next_chunk(*mine) ? mine : nullptr;
  }
  lane* lane_of_thread();
  std::shared_ptr<lane> take_lane();
  bool next_chunk(lane& into);

  const std::unique_ptr<os::mapped_file> file_;
  const std::uint64_t serial_;  // tells writers apart that live at the same address
  std::atomic<bool> full_ = false;

  mutex mutex_;
  std::vector<std::shared_ptr<lane>> lanes_ CONVOY_GUARDED_BY(mutex_);
  std::size_t used_ CONVOY_GUARDED_BY(mutex_) = chunk_bytes;
  std::size_t grown_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy::trace
