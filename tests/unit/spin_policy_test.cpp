#include "threads/spin_policy.hpp"

#include <gtest/gtest.h>

namespace convoy::threads {
namespace {

using namespace std::chrono_literals;

TEST(Rhythm, StartsWithShortPatience) { EXPECT_EQ(rhythm{}.patience(), rhythm::shortest); }

TEST(Rhythm, WatchesThroughPausesThatCameBefore) {
  rhythm beat;
  beat.resumed_after(600us);

  EXPECT_EQ(beat.patience(), 900us);
}

TEST(Rhythm, RemembersThePauseBetweenBatchesOverThoseWithinOne) {
  rhythm beat;
  beat.resumed_after(600us);
  beat.resumed_after(2us);
  beat.resumed_after(1us);

  EXPECT_EQ(beat.patience(), 900us);
}

TEST(Rhythm, ForgetsAPauseThatComesNoMore) {
  rhythm beat;
  beat.resumed_after(600us);
  for (int i = 0; i != 4; ++i) beat.resumed_after(300us);

  EXPECT_EQ(beat.patience(), 450us);
}

TEST(Rhythm, DoesNotWatchThroughLongPauses) {
  rhythm beat;
  beat.resumed_after(rhythm::longest_pause + 1ns);

  EXPECT_EQ(beat.patience(), rhythm::shortest);
}

TEST(Rhythm, EndsWithOneDisappointment) {
  rhythm beat;
  beat.resumed_after(600us);
  beat.broken();

  EXPECT_EQ(beat.patience(), rhythm::shortest);
}

}  // namespace
}  // namespace convoy::threads
