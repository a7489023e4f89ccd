#include "observe/failure_log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace convoy {
namespace {

std::string line_for(const status& outcome) {
  failure_log log;
  testing::internal::CaptureStderr();
  log.landed({3, ticket{14}, {}}, outcome);
  return testing::internal::GetCapturedStderr();
}

TEST(FailureLog, NamesStreamTicketCodeAndMemory) {
  const void* const null_page = reinterpret_cast<const void*>(0x100);
  EXPECT_EQ(
      line_for({errc::fault, copy_side::destination, 15, null_page, 4096}),
      "convoy: stream 3, ticket 14, item 15: fault: destination 0x100 is not mapped (pageable "
      "host memory), 4096 bytes\n");
}

TEST(FailureLog, OmitsItemWhenThereIsNone) {
  EXPECT_EQ(line_for({errc::function_threw}),
            "convoy: stream 3, ticket 14: function_threw: the host function threw an exception or "
            "ended its thread\n");
}

TEST(FailureLog, LogsNothingOnSuccess) { EXPECT_EQ(line_for({}), ""); }

}  // namespace
}  // namespace convoy
