// Counts bytes against a limit that the user can raise.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "recordings.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {

class byte_budget {
 public:
  // `use` completes "it takes more than 4 GiB ..."; `option` raises the limit.
  byte_budget(std::uint64_t limit, std::string use, std::string option)
      : limit_(limit), left_(limit), use_(std::move(use)), option_(std::move(option)) {}

  // Throws bad_trace when count * each is more than what is left.
  void take(std::uint64_t count, std::uint64_t each = 1) {
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(count, each, &bytes) || bytes > left_) {
      throw bad_trace(fmt::format("it takes more than {} {}; {} raises the limit",
                                  size_text(limit_), use_, option_));
    }
    left_ -= bytes;
  }

 private:
  std::uint64_t limit_;
  std::uint64_t left_;
  std::string use_;
  std::string option_;
};

}  // namespace convoy::tools
