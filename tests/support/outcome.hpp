// Checks of the status that a call answers.
#pragma once

#include <gtest/gtest.h>

#include <convoy/status.hpp>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace convoy {

inline void PrintTo(errc code, std::ostream* out) { *out << name(code); }
inline void PrintTo(const status& outcome, std::ostream* out) { *out << explain(outcome); }

}  // namespace convoy

namespace convoy::test {

inline status outcome_of(const status& answer) { return answer; }
template <class T>
status outcome_of(const result<T>& answer) {
  return answer.error();
}

// The value of a call that must succeed; otherwise the test fails and ends.
template <class T>
T must(result<T> answer) {
  if (!answer) throw std::runtime_error(explain(answer.error()));
  return *std::move(answer);
}

}  // namespace convoy::test

#define EXPECT_ANSWER(call, wanted) EXPECT_EQ(::convoy::test::outcome_of(call).code, wanted)
#define EXPECT_OK(call) EXPECT_EQ(::convoy::test::outcome_of(call), ::convoy::status{})
