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

TEST(FailureLog, NamesStreamTicketItemAndCode) {
  EXPECT_EQ(line_for({errc::fault, copy_side::none, 15}),
            "convoy: stream 3, ticket 14, item 15: fault\n");
}

TEST(FailureLog, OmitsItemWhenThereIsNone) {
  EXPECT_EQ(line_for({errc::function_threw}), "convoy: stream 3, ticket 14: function_threw\n");
}

TEST(FailureLog, LogsNothingOnSuccess) { EXPECT_EQ(line_for({}), ""); }

}  // namespace
}  // namespace convoy
