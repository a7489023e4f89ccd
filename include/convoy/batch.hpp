// A batch is a set of copies that a stream runs as one step.
//
// The batch runs in stream order. Its copies run in no order among themselves, so no copy may
// touch bytes that another copy of the same batch writes; one source may be read by many.
//
// A batch is immutable and its shape is checked: make_batch is the only way to get one. Whether
// its pointers are good is checked when it is submitted, because memory comes and goes.
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

// When the sources of a batch are read.
enum class source_access : std::uint8_t {
  invalid,
  stream,       // in stream order: after every earlier step of the stream has landed
  during_call,  // before submit() returns; destinations are still written in stream order
  any,          // any time up to completion, even before earlier steps of the stream
};

struct attributes {
  source_access order = source_access::stream;
  location src_hint = {};
  location dst_hint = {};
  bool prefer_overlap = false;

  friend constexpr bool operator==(const attributes&, const attributes&) = default;
};

// Attributes and the first copy they hold for; they hold up to the next run.
struct attribute_run {
  std::size_t first = 0;
  attributes attrs = {};
};

// A batch as a caller holds it, in parallel arrays that are read during the call only.
// `capacities` is empty, or says how many bytes each destination can take. No runs at all means
// default attributes for every copy, where the rules allow that.
struct batch_view {
  std::span<void* const> dsts = {};
  std::span<const void* const> srcs = {};
  std::span<const std::size_t> sizes = {};
  std::span<const std::size_t> capacities = {};
  std::span<const attribute_run> runs = {};
};

class CONVOY_EXPORT batch {
 public:
  [[nodiscard]] std::span<const copy> copies() const noexcept;
  [[nodiscard]] std::span<const attribute_run> runs() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct contents;
  explicit batch(std::shared_ptr<const contents> held) : held_(std::move(held)) {}
  friend CONVOY_EXPORT result<batch> make_batch(std::span<const copy>,
                                                std::span<const attribute_run>);

  std::shared_ptr<const contents> held_;
};

// Refuses an empty batch, runs that do not start at copy 0, do not rise or reach past the last
// copy, and a source access order outside the three.
CONVOY_EXPORT result<batch> make_batch(std::span<const copy> copies,
                                       std::span<const attribute_run> runs = {});

}  // namespace convoy
