// Memory, streams, gates and batches of AscendCL for tests, through its C functions alone.
#pragma once

#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.hpp"
#include "support/short_wait.hpp"
#include "support/stream_gate.hpp"

namespace convoy::test {

inline constexpr auto short_wait_ms = static_cast<std::int32_t>(short_wait.count());

// Without success the test fails and ends.
inline void must_acl(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  throw std::runtime_error(std::to_string(code) + ": " + (text == nullptr ? "" : text));
}

// The kind does not matter to aclrtMemcpy, which looks at the pointers.
inline void put(void* start, const bytes& contents) {
  must_acl(
      aclrtMemcpy(start, contents.size(), contents.data(), contents.size(), ACL_MEMCPY_DEFAULT));
}
inline bytes contents_of(const void* start, std::size_t count) {
  bytes found(count);
  must_acl(aclrtMemcpy(found.data(), count, start, count, ACL_MEMCPY_DEFAULT));
  return found;
}

enum class memory_kind { device, host };

// Memory of the current device, or pinned host memory, that frees itself.
class acl_memory {
 public:
  acl_memory(memory_kind kind, const bytes& contents) : kind_(kind), bytes_(contents.size()) {
    must_acl(kind == memory_kind::device ? aclrtMalloc(&start_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST)
                                         : aclrtMallocHost(&start_, bytes_));
    put(start_, contents);
  }
  acl_memory(acl_memory&& other) noexcept
      : kind_(other.kind_), bytes_(other.bytes_), start_(std::exchange(other.start_, nullptr)) {}
  acl_memory& operator=(acl_memory&&) = delete;
  ~acl_memory() { static_cast<void>(free()); }

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(start_); }
  [[nodiscard]] std::size_t size() const { return bytes_; }

  aclError free() {
    void* const freed = std::exchange(start_, nullptr);
    if (freed == nullptr) return ACL_SUCCESS;
    return kind_ == memory_kind::device ? aclrtFree(freed) : aclrtFreeHost(freed);
  }

 private:
  memory_kind kind_;
  std::size_t bytes_;
  void* start_ = nullptr;
};

inline acl_memory on_device(const bytes& contents) { return {memory_kind::device, contents}; }
inline acl_memory on_host(const bytes& contents) { return {memory_kind::host, contents}; }
inline bytes contents_of(const acl_memory& from) { return contents_of(from.data(), from.size()); }

// A stream of the current context that destroys itself.
class acl_stream {
 public:
  acl_stream() { must_acl(aclrtCreateStream(&handle_)); }
  acl_stream(const acl_stream&) = delete;
  acl_stream& operator=(const acl_stream&) = delete;
  ~acl_stream() { static_cast<void>(aclrtDestroyStream(handle_)); }
  operator aclrtStream() const { return handle_; }

 private:
  aclrtStream handle_ = nullptr;
};

// The handle of a stream that is destroyed.
inline aclrtStream destroyed_stream() {
  aclrtStream made = nullptr;
  must_acl(aclrtCreateStream(&made));
  must_acl(aclrtDestroyStream(made));
  return made;
}

inline aclrtContext current_context() {
  aclrtContext current = nullptr;
  must_acl(aclrtGetCurrentContext(&current));
  return current;
}

// A context on device 0, which becomes the current one.
inline aclrtContext create_context() {
  aclrtContext made = nullptr;
  must_acl(aclrtCreateContext(&made, 0));
  return made;
}

class acl_event {
 public:
  acl_event() { must_acl(aclrtCreateEvent(&handle_)); }
  explicit acl_event(std::uint32_t flags) { must_acl(aclrtCreateEventWithFlag(&handle_, flags)); }
  static acl_event newer(std::uint32_t flags = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE) {
    aclrtEvent made = nullptr;
    must_acl(aclrtCreateEventExWithFlag(&made, flags));
    return acl_event(made);
  }
  acl_event(const acl_event&) = delete;
  acl_event& operator=(const acl_event&) = delete;
  ~acl_event() { static_cast<void>(aclrtDestroyEvent(handle_)); }
  operator aclrtEvent() const { return handle_; }

 private:
  explicit acl_event(aclrtEvent owned) : handle_(owned) {}
  aclrtEvent handle_ = nullptr;
};

class acl_gate : public stream_gate {
 public:
  explicit acl_gate(aclrtStream held) { must_acl(aclrtLaunchHostFunc(held, run, argument())); }
};

// Expects that the call, made by a second thread, does not return while the gate of the stream is
// closed. Opens the gate and returns what the call answers.
template <class Call>
aclError expect_blocked(acl_gate& closed, aclrtStream stream, const Call& call) {
  std::atomic<bool> returned = false;
  auto answer = std::async(std::launch::async, [&, context = current_context()] {
    must_acl(aclrtSetCurrentContext(context));
    const aclError code = call();
    returned = true;
    return code;
  });
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_FALSE(returned);
  closed.open();
  return answer.get();
}

// Launches host functions that each add 1 to `calls`.
inline void launch_counters(aclrtStream stream, int launches, std::atomic<int>& calls) {
  const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  for (int i = 0; i != launches; ++i) must_acl(aclrtLaunchHostFunc(stream, count, &calls));
}

// True when no work of the stream is pending.
inline bool is_empty(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  must_acl(aclrtStreamQuery(stream, &status));
  return status == ACL_STREAM_STATUS_COMPLETE;
}

inline constexpr aclrtMemLocation host_location{0, ACL_MEM_LOCATION_TYPE_HOST};
inline constexpr aclrtMemLocation device_0{0, ACL_MEM_LOCATION_TYPE_DEVICE};
inline constexpr aclrtMemLocation device_1{1, ACL_MEM_LOCATION_TYPE_DEVICE};
inline constexpr aclrtMemcpyBatchAttr to_device{device_0, host_location, {}};
inline constexpr aclrtMemcpyBatchAttr to_host{host_location, device_0, {}};

// The arrays of a batch, and the fail index of its last submission.
struct acl_batch {
  std::vector<void*> dsts = {};
  std::vector<std::size_t> capacities = {};
  std::vector<void*> srcs = {};
  std::vector<std::size_t> sizes = {};
  std::vector<aclrtMemcpyBatchAttr> attributes = {to_device};
  std::vector<std::size_t> firsts = {0};
  std::size_t fail_index = 12345;

  void add(void* dst, void* src, std::size_t count) {
    dsts.push_back(dst);
    srcs.push_back(src);
    sizes.push_back(count);
    capacities.push_back(count);
  }
  aclError submit(aclrtStream stream) {
    return aclrtMemcpyBatchAsync(dsts.data(), capacities.data(), srcs.data(), sizes.data(),
                                 dsts.size(), attributes.data(), firsts.data(), attributes.size(),
                                 &fail_index, stream);
  }
  aclError copy() {
    return aclrtMemcpyBatch(dsts.data(), capacities.data(), srcs.data(), sizes.data(), dsts.size(),
                            attributes.data(), firsts.data(), attributes.size(), &fail_index);
  }
};

// `count` adjacent copies of `each` bytes.
inline acl_batch side_by_side(std::byte* dst, std::byte* src, std::size_t each, std::size_t count) {
  acl_batch made;
  for (std::size_t i = 0; i != count; ++i) made.add(dst + i * each, src + i * each, each);
  return made;
}

// The messages about errors of this thread since the last call.
inline std::string recent_errors() {
  const char* const text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

// Device 0 is set, and errors of earlier tests are cleared.
class AclTest : public testing::Test {
 protected:
  AclTest() {
    must_acl(aclrtSetDevice(0));
    static_cast<void>(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    static_cast<void>(aclGetRecentErrMsg());
  }
  ~AclTest() override { static_cast<void>(aclrtResetDevice(0)); }
};

}  // namespace convoy::test

#define EXPECT_ACL_OK(call) EXPECT_EQ((call), 0) << ::convoy::test::recent_errors()
