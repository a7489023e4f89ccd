// Memory of every kind, with known contents.
#pragma once

#include <convoy/memory.hpp>

#include "support/contents.hpp"

namespace convoy::test {

enum class test_kind { device_0, device_1, pinned, registered, managed, pageable };

class memory_of_kind {
 public:
  memory_of_kind(test_kind kind, const bytes& contents)
      : pageable_(contents.size()), size_(contents.size()) {
    switch (kind) {
      case test_kind::device_0: owned_ = must(make_device_buffer(first_device, size_)); break;
      case test_kind::device_1: owned_ = must(make_device_buffer(second_device, size_)); break;
      case test_kind::pinned: owned_ = must(make_pinned_buffer(size_)); break;
      case test_kind::managed: owned_ = buffer(must(allocate_managed(size_)), size_); break;
      case test_kind::registered: registered_ = pin(pageable_.data(), size_).ok(); break;
      case test_kind::pageable: break;
    }
    put(data(), contents);
  }
  ~memory_of_kind() {
    if (registered_) static_cast<void>(unpin(pageable_.data()));
  }
  memory_of_kind(const memory_of_kind&) = delete;
  memory_of_kind& operator=(const memory_of_kind&) = delete;

  std::byte* data() { return owned_.data() != nullptr ? owned_.data() : pageable_.data(); }
  bytes contents() { return contents_of(data(), size_); }

 private:
  bytes pageable_;
  std::size_t size_;
  buffer owned_;
  bool registered_ = false;
};

}  // namespace convoy::test
