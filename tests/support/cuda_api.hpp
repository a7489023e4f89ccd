// The CUDA runtime and driver APIs under one set of names, for the rules that both follow.
//
// A typed suite runs with runtime_api and driver_api. Streams and events have one type in both
// APIs; memory is a pointer. Works with Convoy's headers and with NVIDIA's alike.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/byte_pattern.hpp"
#include "support/driver_api.hpp"
#include "support/runtime_api.hpp"
#include "support/stream_gate.hpp"

namespace convoy::test {

using cuda_apis = testing::Types<runtime_api, driver_api>;

struct api_names {
  template <class Api>
  static std::string GetName(int) {
    return Api::name;
  }
};

// A test with the context that the API needs.
template <class Api>
class cuda_test : public testing::Test {
 protected:
  const typename Api::scope scope{};
};

using bytes = std::vector<unsigned char>;

inline bytes numbered(std::size_t count, unsigned seed = 0) {
  return byte_pattern<unsigned char>(count, seed);
}

template <class Api>
class api_stream {
 public:
  explicit api_stream(unsigned flags = cudaStreamDefault) {
    must(Api::create_stream(&handle_, flags));
  }
  ~api_stream() { Api::destroy_stream(handle_); }
  api_stream(const api_stream&) = delete;
  api_stream& operator=(const api_stream&) = delete;
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

template <class Api>
class api_event {
 public:
  explicit api_event(unsigned flags = cudaEventDefault) {
    must(Api::create_event(&handle_, flags));
  }
  ~api_event() { Api::destroy_event(handle_); }
  api_event(const api_event&) = delete;
  api_event& operator=(const api_event&) = delete;
  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

template <class Api>
class api_gate : public stream_gate {
 public:
  explicit api_gate(cudaStream_t held) { must(Api::launch_host_function(held, run, argument())); }
};

// Copies in a stream that no test holds, so that other streams do not matter.
template <class Api>
void copy_aside(void* dst, const void* src, std::size_t size) {
  const api_stream<Api> stream(cudaStreamNonBlocking);
  must(Api::copy_async(dst, src, size, stream));
  must(Api::synchronize(stream));
}

template <class Api>
bytes read_memory(const void* start, std::size_t count) {
  bytes found(count);
  copy_aside<Api>(found.data(), start, count);
  return found;
}

// The entries of the error log since `first`.
template <class Api>
std::string log_since(typename Api::log_iterator first) {
  std::string text(4096, '\0');
  std::size_t size = text.size();
  must(Api::log_dump(&first, text.data(), &size, 0));
  text.resize(size);
  return text;
}

template <class Api>
typename Api::log_iterator log_position() {
  typename Api::log_iterator now = 0;
  must(Api::log_current(&now, 0));
  return now;
}

enum class memory_kind { device, pinned, managed, pageable };

inline const char* name_of(memory_kind kind) {
  switch (kind) {
    case memory_kind::device: return "Device";
    case memory_kind::pinned: return "Pinned";
    case memory_kind::managed: return "Managed";
    case memory_kind::pageable: return "Pageable";
  }
  return "";
}

// Memory of one kind with known contents.
template <class Api>
class api_memory {
 public:
  api_memory(memory_kind kind, const bytes& contents) : kind_(kind), size_(contents.size()) {
    switch (kind) {
      case memory_kind::device: must(Api::allocate(&start_, size_)); break;
      case memory_kind::pinned: must(Api::allocate_pinned(&start_, size_, 0)); break;
      case memory_kind::managed: must(Api::allocate_managed(&start_, size_)); break;
      case memory_kind::pageable:
        pageable_.resize(size_);
        start_ = pageable_.data();
        break;
    }
    copy_aside<Api>(start_, contents.data(), size_);
  }
  ~api_memory() {
    if (kind_ == memory_kind::pinned) Api::free_pinned(start_);
    if (kind_ == memory_kind::device || kind_ == memory_kind::managed) Api::free(start_);
  }
  api_memory(const api_memory&) = delete;
  api_memory& operator=(const api_memory&) = delete;

  [[nodiscard]] unsigned char* data() const { return static_cast<unsigned char*>(start_); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bytes contents() const { return read_memory<Api>(start_, size_); }

 private:
  memory_kind kind_;
  std::size_t size_;
  bytes pageable_;
  void* start_ = nullptr;
};

// A batch in the arrays that the calls take, with one attribute run by default.
template <class Api>
struct api_batch {
  std::vector<typename Api::batch_dst> dsts;
  std::vector<typename Api::batch_src> srcs;
  std::vector<std::size_t> sizes;
  std::vector<typename Api::batch_attributes> attributes;
  std::vector<std::size_t> firsts;

  explicit api_batch(typename Api::access_order order = Api::order_stream) { add_run(0, order); }

  void add(void* dst, const void* src, std::size_t size) {
    dsts.push_back(Api::batch_pointer(dst));
    srcs.push_back(Api::batch_pointer(src));
    sizes.push_back(size);
  }

  void add_run(std::size_t first, typename Api::access_order order) {
    typename Api::batch_attributes made = {};
    made.srcAccessOrder = order;
    attributes.push_back(made);
    firsts.push_back(first);
  }

  // Adjacent copies of `each` bytes.
  void add_blocks(unsigned char* dst, const unsigned char* src, std::size_t each,
                  std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) add(dst + i * each, src + i * each, each);
  }

  typename Api::result submit(cudaStream_t stream) {
    return Api::submit_batch(dsts.data(), srcs.data(), sizes.data(), sizes.size(),
                             attributes.data(), firsts.data(), firsts.size(), stream);
  }
  typename Api::result submit_ptsz(cudaStream_t stream) {
    return Api::submit_batch_ptsz(dsts.data(), srcs.data(), sizes.data(), sizes.size(),
                                  attributes.data(), firsts.data(), firsts.size(), stream);
  }
};

}  // namespace convoy::test
