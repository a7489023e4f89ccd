// Garbage for any call of the front ends, by the types of its parameters.
//
// Any value goes where the vendors' libraries answer an error: addresses of copies and fills may be
// wild, unmapped, freed or of any kind of memory, handles may be of another kind, of the other
// front end or destroyed, numbers may be anything.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <type_traits>
#include <utility>

#include "support/exported_functions.hpp"
#include "support/front_end_handles.hpp"
#include "support/guarded_slot.hpp"
#include "support/random_arguments.hpp"

namespace convoy::test {

// Where the vendors' libraries would crash as well, garbage ends. A pointer to a complete type is
// null or an object of random bytes; the elements of arrays are as many as the argument or the
// structure says that counts them (`counted`), at most max_elements. `void*` is such an object
// where a value is written or read through it (`takes_value`), of at most that size (`reads_size`).
// Handles in the heap are given as handles, not as memory. Text is null or ends with a null
// character; callbacks are null or do nothing. aclDataBuffer and aclrtStreamConfigHandle are
// memory, not numbers: null or valid. What only a callback gets (aclrtExceptionInfo) is null. A
// module that is unregistered (`unregisters`) is null or registered. A call that waits for
// something to come from elsewhere (`may_wait`) gets no valid stream. Memory that is allocated page
// by page, or filled
// (`populates`), is small or more than any machine has: a call takes as long as its pages do.
struct argument_rules {
  bool counted = false;
  bool takes_value = false;
  bool may_wait = false;
  bool unregisters = false;
  bool reads_size = false;
  bool populates = false;
};

template <class T>
concept complete_type = requires {
  sizeof(T);
};

class garbage_arguments {
 public:
  static constexpr std::size_t max_elements = 8;

  explicit garbage_arguments(unsigned seed) : random_(seed), basic_(seed) {
    if (pageable_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    ::mprotect(pageable_, pageable_bytes, PROT_READ | PROT_WRITE);
    handles_.renew();
  }

  // Arguments of the next call.
  void begin(const argument_rules& rules) {
    rules_ = rules;
    used_ = 0;
    if (chance(50)) handles_.renew();
  }

  // True when the call wrote outside the objects it was given.
  [[nodiscard]] bool written_outside() const {
    return std::any_of(slots_.begin(), slots_.begin() + used_,
                       [](const guarded_slot& each) { return each.written_before(); });
  }

  template <class T>
  T make() {
    if constexpr (std::is_pointer_v<T>) {
      return pointer<std::remove_pointer_t<T>>();
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(random_());
    } else if constexpr (std::is_class_v<T> || std::is_union_v<T>) {
      T made;
      fill(&made, sizeof made);
      return made;
    } else {
      return static_cast<T>(number());
    }
  }

 private:
  static constexpr std::size_t pageable_bytes = 65536;
  static constexpr std::size_t reserved_bytes = std::size_t{1} << 36;
  static constexpr std::uint64_t most_populated = std::uint64_t{1} << 24;
  static constexpr std::uint64_t more_than_any_machine = std::uint64_t{1} << 52;

  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  template <class Container>
  auto any_of(const Container& from) {
    return from[random_() % std::size(from)];
  }

  std::uint64_t number() {
    if (rules_.counted) return random_() % (max_elements + 1);
    const std::uint64_t made = any_number();
    const bool takes_long = made > most_populated && made < more_than_any_machine;
    return rules_.populates && takes_long ? more_than_any_machine : made;
  }

  std::uint64_t any_number() {
    switch (random_() % 6) {
      case 0: return random_() % 4;
      case 1: return std::uint64_t{1} << random_() % 64;
      case 2: return reinterpret_cast<std::uintptr_t>(address());
      case 3: return std::uint64_t{random_()} << 32 | random_();
      case 4: return ~std::uint64_t{0} - random_() % 3;
      default: return basic_.size();
    }
  }

  void* address() {
    switch (random_() % 4) {
      case 0: return pageable_ + random_() % pageable_bytes;
      case 1: return handle();
      default: return basic_.pointer();
    }
  }

  // Of any kind and front end, or none at all.
  void* handle() {
    if (rules_.may_wait) return chance(2) ? any_of(handles_.destroyed()) : wild();
    switch (random_() % 5) {
      case 0: return any_of(handles_.destroyed());
      case 1: return wild();
      case 2: return any_of(handles_.cuda_streams());
      case 3: return reinterpret_cast<void*>(std::uintptr_t{random_() % 3});
      default: return any_of(handles_.valid());
    }
  }
  void* wild() { return reinterpret_cast<void*>((std::uint64_t{random_()} << 16 | random_()) + 3); }

  // Words that could be addresses, handles or numbers.
  void fill(void* start, std::size_t length) {
    std::memset(start, 0, length);
    if (chance(3)) return;
    const bool counted = std::exchange(rules_.counted, rules_.reads_size);
    for (std::size_t at = 0; at < length; at += sizeof(std::uint64_t)) {
      const std::uint64_t word =
          rules_.counted || chance(2) ? number() : reinterpret_cast<std::uintptr_t>(address());
      std::memcpy(static_cast<std::byte*>(start) + at, &word, std::min(length - at, sizeof word));
    }
    rules_.counted = counted;
  }

  template <class Pointed>
  Pointed* pointer() {
    using T = std::remove_cv_t<Pointed>;
    if constexpr (std::is_function_v<Pointed>) {
      return chance(2) ? nullptr : idle(static_cast<Pointed*>(nullptr));
    } else if constexpr (std::is_void_v<T>) {
      if (rules_.takes_value) return object(64, 1);
      return chance(2) ? handle() : address();
    } else if constexpr (std::is_same_v<Pointed, const char>) {
      return any_of(texts);
    } else if constexpr (std::is_same_v<T, aclDataBuffer>) {
      return chance(4) ? nullptr : aclCreateDataBuffer(address(), number());
    } else if constexpr (std::is_same_v<T, aclrtStreamConfigHandle>) {
      return chance(4) ? nullptr : aclrtCreateStreamConfigHandle();
    } else if constexpr (std::is_same_v<T, aclrtExceptionInfo>) {
      return nullptr;
    } else if constexpr (std::is_same_v<T, void*> && !std::is_const_v<Pointed>) {
      if (rules_.unregisters) return chance(4) ? nullptr : __cudaRegisterFatBinary(nullptr);
      auto* const array = static_cast<T*>(object(sizeof(T) * elements(), alignof(T)));
      if (array != nullptr && rules_.takes_value) std::fill_n(array, elements(), object(64, 1));
      return array;
    } else if constexpr (std::is_same_v<T, char>) {
      return chance(12) ? nullptr : text_buffer();
    } else if constexpr (complete_type<T>) {
      auto* const made = static_cast<T*>(object(sizeof(T) * elements(), alignof(T)));
      if constexpr (requires { point_to_arrays(*made); }) {
        if (made != nullptr) point_to_arrays(*made);
      }
      return made;
    } else {
      return static_cast<T*>(chance(5) ? any_of(handles_.objects()) : handle());
    }
  }

  void point_to_arrays(aclrtMallocConfig& config) {
    const bool counted = std::exchange(rules_.counted, true);
    config = {pointer<aclrtMallocAttribute>(), make<std::size_t>()};
    rules_.counted = counted;
  }
  void point_to_arrays(convoy_kernel& kernel) {
    const bool counted = std::exchange(rules_.counted, true);
    kernel = {.name = pointer<const char>(),
              .function = make<convoy_kernel_function>(),
              .parameters = pointer<const convoy_kernel_parameter>(),
              .parameter_count = make<std::size_t>(),
              .extent = make<convoy_kernel_extent>(),
              .user = handle()};
    rules_.counted = counted;
  }

  [[nodiscard]] std::size_t elements() const { return rules_.counted ? max_elements : 1; }

  void* object(std::size_t length, std::size_t alignment) {
    if (chance(12)) return nullptr;
    std::byte* const placed = slots_[used_++].place(length, alignment);
    fill(placed, length);
    return placed;
  }

  // Room for any text of known length, and an empty one where it is read.
  char* text_buffer() {
    const std::size_t length = rules_.counted ? max_elements : 256;
    return static_cast<char*>(std::memset(slots_[used_++].place(length, 1), 0, length));
  }

  template <class Result, class... Parameters>
  static auto idle(Result (*)(Parameters...)) -> Result (*)(Parameters...) {
    return [](Parameters...) -> Result {
      if constexpr (!std::is_void_v<Result>) return Result{};
    };
  }

  // None of them names a file that can be created in /proc.
  static constexpr std::array<const char*, 8> texts{
      nullptr,          "",       "0000:00:00.0",    "0000:01:00.0", "cudaMalloc",
      "cuStreamCreate", "kernel", "/dev/null/absent"};

  argument_rules rules_;
  std::size_t used_ = 0;
  std::mt19937 random_;
  random_arguments basic_;
  front_end_handles handles_;
  std::array<guarded_slot, 16> slots_;
  // Copies that run past its end reach memory that is never mapped.
  std::byte* const pageable_ = static_cast<std::byte*>(::mmap(
      nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
};

}  // namespace convoy::test
