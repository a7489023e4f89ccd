// Reads any bytes as a batch and compares what the engine answers with what the oracle predicts.
#pragma once

#include <convoy/buffer.hpp>
#include <convoy/stream.hpp>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "support/batch_oracle.hpp"
#include "support/input_reader.hpp"

namespace convoy::test {

class batch_trial {
 public:
  batch_trial();
  ~batch_trial();
  batch_trial(const batch_trial&) = delete;
  batch_trial& operator=(const batch_trial&) = delete;

  // How the answers differ, as a sentence; empty when they agree.
  std::string disagreement(std::span<const std::uint8_t> input);

  // Every code that was predicted so far.
  [[nodiscard]] const std::set<errc>& verdicts() const { return verdicts_; }

 private:
  // A range of memory of one kind.
  struct memory_range {
    std::byte* start = nullptr;
    std::size_t size = 0;
    memory_kind kind = memory_kind::pageable;
    int device = 0;
    bool allocated = true;
  };

  void add(const buffer& owned, memory_kind kind, int device = 0);
  known_pointer pointer_from(input_reader& input) const;
  known_copy copy_from(input_reader& input) const;
  known_batch batch_from(input_reader& input) const;
  void connect_peers(bool wanted) const;
  result<ticket> submit_to_engine(const known_batch& batch) const;

  // True when a copy that the rules accept would leave the trial's own memory.
  static bool leaves_own_memory(const known_batch& batch);

  stream stream_;
  std::vector<buffer> owned_;
  std::vector<std::byte> registered_;
  std::vector<std::byte> pageable_;
  std::vector<memory_range> ranges_;
  std::set<errc> verdicts_;
};

}  // namespace convoy::test
