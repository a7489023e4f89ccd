#include "trace/trace_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "os/process.hpp"

namespace convoy::trace {
namespace {

// The file grows in steps of this size.
constexpr std::size_t growth = std::size_t{4} << 20;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

// The buffer of a thread; released when the thread ends or uses another writer.
struct trace_writer::buffer_owner {
  std::uint64_t serial = 0;
  std::shared_ptr<thread_buffer> current;

  buffer_owner() = default;
  buffer_owner(const buffer_owner&) = delete;
  buffer_owner& operator=(const buffer_owner&) = delete;
  ~buffer_owner() { release(); }

  void release() {
    if (current) current->taken.store(false, std::memory_order_release);  // read by take_buffer()
  }
};

std::unique_ptr<trace_writer> trace_writer::create(const std::string& path, const origin& from,
                                                   std::size_t most_bytes, std::string& problem) {
  auto file = os::mapped_file::create(path, most_bytes, problem);
  if (file == nullptr) return nullptr;
  std::unique_ptr<trace_writer> made(new trace_writer(std::move(file), path));
  const lock held(made->mutex_);
  if (const char* const reason = made->grow_for(chunk_bytes)) {
    made->stopped_ = reason;
    made->file_->remove();  // without a header it is no trace
  } else {
    made->write_header(from);
  }
  return made;
}

trace_writer::trace_writer(std::unique_ptr<os::mapped_file> file, std::string path)
    : file_(std::move(file)), serial_(next_serial()), path_(std::move(path)) {}

const char* trace_writer::grow_for(std::size_t bytes) {
  if (bytes <= grown_) return nullptr;
  for (const std::size_t wanted : {grown_ + growth, bytes}) {
    const char* const reason = file_->grow(wanted);
    if (reason == nullptr) grown_ = wanted;
    if (reason == nullptr || wanted == bytes) return reason;
  }
  return nullptr;
}

void trace_writer::write_header(const origin& from) {
  std::byte* const at = file_->start();
  store(at + version_at, version);
  store(at + chunk_bytes_at, static_cast<std::uint32_t>(chunk_bytes));
  store(at + process_at, from.process);
  store(at + processors_at, from.processors);
  store(at + wall_at, from.wall);
  store(at + steady_at, from.steady);
  constexpr std::size_t longest = 4096;
  put_text(at + command_at, std::string_view(from.command).substr(0, longest));
  std::memcpy(at, magic.data(), magic.size());
}

trace_writer::thread_buffer* trace_writer::buffer_of_thread() {
  thread_local buffer_owner own;
  if (own.serial != serial_) {
    own.release();
    own.current = take_buffer();
    own.serial = serial_;
  }
  return own.current.get();
}

std::shared_ptr<trace_writer::thread_buffer> trace_writer::take_buffer() {
  std::shared_ptr<thread_buffer> found;
  {
    const lock held(mutex_);
    const auto is_free = [](const std::shared_ptr<thread_buffer>& each) {
      return !each->taken.exchange(true, std::memory_order_acquire);  // stored by release()
    };
    const auto at = std::find_if(buffers_.begin(), buffers_.end(), is_free);
    if (at == buffers_.end()) return buffers_.emplace_back(std::make_shared<thread_buffer>());
    found = *at;
  }
  constexpr std::size_t room = 64;
  if (static_cast<std::size_t>(found->end - found->next) >= room) put_thread(*found);
  return found;
}

bool trace_writer::put_thread(thread_buffer& buffer) {
  const std::uint32_t number = os::thread_id();
  const std::string name = os::thread_name();
  return put(buffer, record_kind::thread, [&](record& made) {
    made.put_number(number);
    made.put_text(name);
  });
}

bool trace_writer::stop_truncated(thread_buffer& buffer) noexcept {
  buffer.end = buffer.next;  // the next record asks for a chunk instead of faulting again
  stop("another process has truncated it");
  return false;
}

void trace_writer::stop(const char* reason) noexcept {
  const char* none = nullptr;
  if (!stopped_.compare_exchange_strong(none, reason, std::memory_order_relaxed)) return;
  os::run_guarded([&] { store(file_->start() + full_at, std::uint32_t{1}); });
}

std::string trace_writer::describe_loss() const {
  const std::uint64_t lost = lost_.load(std::memory_order_relaxed);
  if (lost == 0) return "";
  return fmt::format("{} records of the trace {} are lost: {}", lost, path_, stopped_.load());
}

void trace_writer::trim() {
  const lock held(mutex_);
  file_->shrink(used_);
  grown_ = used_;
}

bool trace_writer::next_chunk(thread_buffer& buffer) {
  if (stopped_.load(std::memory_order_relaxed) != nullptr) return false;
  std::size_t from = 0;
  {
    const lock held(mutex_);
    if (const char* const reason = grow_for(used_ + chunk_bytes)) {
      stop(reason);
      return false;
    }
    from = std::exchange(used_, used_ + chunk_bytes);
  }
  buffer.next = file_->start() + from;
  buffer.end = buffer.next + chunk_bytes;
  if (!file_->populate(from, chunk_bytes)) return stop_truncated(buffer);
  return put_thread(buffer);
}

}  // namespace convoy::trace
