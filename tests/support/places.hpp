// Every place that bytes can be in.
#pragma once

#include <convoy/memory.hpp>

#include "support/contents.hpp"

namespace convoy::test {

enum class place { one_device, other_device, pinned, registered, managed, pageable };

// Memory of any kind, with known contents.
class memory_at {
 public:
  memory_at(place where, const bytes& held) : own_(held.size()), size_(held.size()) {
    switch (where) {
      case place::one_device: convoys_ = must(make_device_buffer(first_device, size_)); break;
      case place::other_device: convoys_ = must(make_device_buffer(second_device, size_)); break;
      case place::pinned: convoys_ = must(make_pinned_buffer(size_)); break;
      case place::managed: convoys_ = buffer(must(allocate_managed(size_)), size_); break;
      case place::registered: registered_ = pin(own_.data(), size_).ok(); break;
      case place::pageable: break;
    }
    put(data(), held);
  }
  ~memory_at() {
    if (registered_) static_cast<void>(unpin(own_.data()));
  }
  memory_at(const memory_at&) = delete;
  memory_at& operator=(const memory_at&) = delete;

  std::byte* data() { return convoys_.data() != nullptr ? convoys_.data() : own_.data(); }
  bytes contents() { return contents_of(data(), size_); }

 private:
  bytes own_;
  std::size_t size_;
  buffer convoys_;
  bool registered_ = false;
};

}  // namespace convoy::test
