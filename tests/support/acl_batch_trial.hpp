// Reads any bytes as the arguments of aclrtMemcpyBatchAsync and calls it.
//
// The call may refuse the batch or copy it; it never crashes or hangs. A refusal copies nothing and
// names an item of the batch or none; an accepted batch arrives.
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

  // The violated rule, as a sentence; empty when there is none.
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
