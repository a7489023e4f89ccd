// A batch is a set of copies that a stream runs as one step.
//
// The batch runs in stream order. Its copies run in parallel and in no order among themselves, so
// no copy may write bytes that another copy of the same batch reads or writes. Several copies may
// read the same source. submit() does not check for overlaps.
//
// A batch is immutable and its shape is checked: make_batch() is the only way to get one. Its
// pointers are checked at each submit(), because memory is allocated and freed meanwhile.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/export.hpp>
#include <convoy/location.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace convoy {

// When the sources of a batch are read. Destinations are written in stream order in every case.
enum class source_access : std::uint8_t {
  invalid,
  stream,       // in stream order: after every earlier step of the stream has landed
  during_call,  // before submit() returns; the program may then overwrite or free them
  any,          // any time until the batch has landed, also before earlier steps of the stream
};

// How the copies of an attribute run are made.
struct attributes {
  source_access order = source_access::stream;
  location src_hint = {};  // where the sources are; binding under some rules, see location
  location dst_hint = {};
  bool prefer_overlap = false;  // accepted for CUDA programs; has no effect here

  friend constexpr bool operator==(const attributes&, const attributes&) = default;
};

// Attributes for the copies from index `first` up to the next run, or to the end of the batch.
struct attribute_run {
  std::size_t first = 0;
  attributes attrs = {};
};

// A batch in the caller's own parallel arrays, which are read during the call only. The arrays have
// equal lengths. `capacities` is empty, or holds the number of bytes each destination can take.
// Without `runs` every copy has default attributes, unless the rules require runs.
struct batch_view {
  std::span<void* const> dsts = {};
  std::span<const void* const> srcs = {};
  std::span<const std::size_t> sizes = {};
  std::span<const std::size_t> capacities = {};
  std::span<const attribute_run> runs = {};
};

// Cheap to copy: copies share one immutable list. It can be submitted any number of times, also by
// several threads at once. After a move, the old object may only be assigned to or destroyed.
class CONVOY_EXPORT batch {
 public:
  // Valid as long as this batch or a copy of it exists.
  [[nodiscard]] std::span<const copy> copies() const noexcept;
  [[nodiscard]] std::span<const attribute_run> runs() const noexcept;

  // The sum of all sizes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct contents;
  explicit batch(std::shared_ptr<const contents> shared) : contents_(std::move(shared)) {}
  friend CONVOY_EXPORT result<batch> make_batch(std::span<const copy>,
                                                std::span<const attribute_run>);

  std::shared_ptr<const contents> contents_;
};

// Copies the arguments into a batch; starts nothing and looks at no pointer. Answers
// invalid_argument without copies, invalid_runs unless the runs start at copy 0, rise and start
// before the end, and invalid_access_order for a source_access that is not one of the three. Works
// in a forked child and with a bad configuration too.
CONVOY_EXPORT result<batch> make_batch(std::span<const copy> copies,
                                       std::span<const attribute_run> runs = {});

}  // namespace convoy
