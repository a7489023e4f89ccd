// Any bytes at all, read as the arguments of aclrtMemcpyBatchAsync.
//
// The call may refuse or copy; it never crashes or hangs, a refusal copies nothing and names an
// item of the batch or none, and what it takes arrives.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "support/ascendcl.hpp"
#include "support/input_reader.hpp"

namespace convoy::test {

class acl_batch_trial {
 public:
  acl_batch_trial();

  // What went wrong, as a sentence; empty when nothing did.
  std::string problem(std::span<const std::uint8_t> input);

  // Every code that was answered so far.
  [[nodiscard]] const std::set<aclError>& answers() const { return answers_; }

 private:
  void* pointer_from(input_reader& input);
  acl_batch batch_from(input_reader& input);
  aclrtStream stream_from(input_reader& input);
  [[nodiscard]] bool untouched() const;
  void fill_targets();

  acl_stream stream_;
  acl_memory device_;
  acl_memory device_other_;
  acl_memory pinned_;
  bytes pageable_;
  void* freed_ = nullptr;
  std::set<aclError> answers_;
};

}  // namespace convoy::test
