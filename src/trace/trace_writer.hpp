// Writes records of many threads into one file.
//
// Each thread fills its own chunk of the mapped file; only taking the next chunk takes a lock.
// Nothing is written at the end, so a crash loses no record. When the disk is full or another
// process truncates the file, the records after that are counted and dropped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "os/fault_guard.hpp"
#include "os/mapped_file.hpp"
#include "trace/record.hpp"

namespace convoy::trace {

// The fields of the header about the process.
struct origin {
  std::uint32_t process = 0;
  std::uint32_t processors = 0;
  std::uint64_t wall = 0;    // nanoseconds since 1970
  std::uint64_t steady = 0;  // the same time on the monotonic clock
  std::string command;
};

class trace_writer {
 public:
  // Null, with the reason in `problem`, when the file cannot be created. Records beyond
  // `most_bytes`, and all of them where the disk is full, are dropped.
  static std::unique_ptr<trace_writer> create(const std::string& path, const origin& from,
                                              std::size_t most_bytes, std::string& problem);

  // Adds a record: fill(record&) writes at most `body_bytes`. Drops it when the file is full.
  template <class Fill>
  void add(record_kind kind, std::size_t body_bytes, const Fill& fill) {
    thread_buffer* const own = buffer_with(body_bytes + record_head + 3);
    if (own == nullptr || !put(*own, kind, fill)) lost_.fetch_add(1, std::memory_order_relaxed);
  }

  // The number of dropped records and the reason, as a sentence; empty when there are none.
  [[nodiscard]] std::string describe_loss() const;

  // Truncates the file to the chunks in use. Records can be added afterwards.
  void trim();

 private:
  // The rest of the chunk that one thread fills. When the thread ends another one continues it.
  struct thread_buffer {
    std::byte* next = nullptr;  // the byte to write
    std::byte* end = nullptr;
    std::atomic<bool> taken = true;
  };
  struct buffer_owner;

  trace_writer(std::unique_ptr<os::mapped_file> file, std::string path);
  // Null, or why the file cannot have this many bytes. It grows by more while there is room.
  const char* grow_for(std::size_t bytes) CONVOY_REQUIRES(mutex_);
  void write_header(const origin& from);
  // False when the file was truncated. `fill` must own nothing that needs a destructor.
  template <class Fill>
  bool put(thread_buffer& buffer, record_kind kind, const Fill& fill) {
    std::byte* end_of_record = nullptr;
    const bool stored = os::run_guarded([&] {
      record made(buffer.next, kind);
      fill(made);
      end_of_record = made.commit();
    });
    if (!stored) return stop_truncated(buffer);
    buffer.next = end_of_record;
    return true;
  }
  bool put_thread(thread_buffer& buffer);
  bool stop_truncated(thread_buffer& buffer) noexcept;
  void stop(const char* reason) noexcept;
  thread_buffer* buffer_with(std::size_t bytes) {
    thread_buffer* const own = buffer_of_thread();
    const bool fits = static_cast<std::size_t>(own->end - own->next) >= bytes;
    return fits || next_chunk(*own) ? own : nullptr;
  }
  thread_buffer* buffer_of_thread();
  std::shared_ptr<thread_buffer> take_buffer();
  bool next_chunk(thread_buffer& buffer);

  const std::unique_ptr<os::mapped_file> file_;
  const std::uint64_t serial_;  // distinguishes writers at the same address
  const std::string path_;
  std::atomic<const char*> stopped_ = nullptr;  // why no record is added any more
  std::atomic<std::uint64_t> lost_ = 0;

  mutex mutex_;
  std::vector<std::shared_ptr<thread_buffer>> buffers_ CONVOY_GUARDED_BY(mutex_);
  std::size_t used_ CONVOY_GUARDED_BY(mutex_) = chunk_bytes;
  std::size_t grown_ CONVOY_GUARDED_BY(mutex_) = 0;
};

}  // namespace convoy::trace
