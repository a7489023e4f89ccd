#include <convoy/convoy.hpp>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

constexpr attributes during_call{.order = source_access::during_call};

// Each test runs with a source in pageable and in pinned memory.
class SourceAccess : public testing::TestWithParam<memory_kind> {
 protected:
  static constexpr std::size_t size = 6400;

  void put_source(unsigned seed) const { put(source_.data(), numbered(size, seed)); }
  [[nodiscard]] std::vector<copy> copies() const {
    return side_by_side(target.data(), source_.data(), 64, 100);
  }

  const stream s = new_stream();
  const buffer target = device_holding(zeros(size));

 private:
  const bytes own_ = zeros(size);
  const buffer pinned_ = pinned_holding(zeros(size));
  const std::span<std::byte> source_ =
      GetParam() == memory_kind::pinned
          ? pinned_.bytes()
          : std::span(const_cast<std::byte*>(own_.data()), own_.size());
};

TEST_P(SourceAccess, StreamReadsInStreamOrder) {
  put_source(1);
  gate closed(s);
  EXPECT_OK(submit(s, copies(), {.order = source_access::stream}));

  put_source(2);
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size, 2));
}

TEST_P(SourceAccess, DuringCallReadsBeforeReturning) {
  put_source(1);
  gate closed(s);
  EXPECT_OK(submit(s, copies(), during_call));

  put_source(2);
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size, 1));
}

TEST_P(SourceAccess, DuringCallWritesInStreamOrder) {
  put_source(1);
  gate closed(s);

  EXPECT_OK(submit(s, copies(), during_call));

  EXPECT_EQ(contents_of(target), zeros(size));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size, 1));
}

TEST_P(SourceAccess, IdleStreamStillReadsDuringCall) {
  put_source(1);

  EXPECT_OK(submit(s, copies(), during_call));
  put_source(2);

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size, 1));
}

TEST_P(SourceAccess, DuringCallWritesAfterLegacyStream) {
  const stream_ref legacy = must(device(first_device).default_stream());
  put_source(1);
  gate closed(legacy);

  EXPECT_OK(submit(s, copies(), during_call));
  put_source(2);

  EXPECT_EQ(contents_of(target), zeros(size));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size, 1));
}

TEST_P(SourceAccess, AnyReadsBeforeLanding) {
  put_source(1);
  gate closed(s);

  EXPECT_OK(submit(s, copies(), {.order = source_access::any}));
  closed.open();
  EXPECT_OK(s.synchronize());
  put_source(2);

  EXPECT_EQ(contents_of(target), numbered(size, 1));
}

TEST_P(SourceAccess, EachRunHasItsOwnOrder) {
  put_source(1);
  const std::vector<attribute_run> runs{{0, {}}, {30, during_call}, {60, {}}, {90, during_call}};
  const batch mixed = must(make_batch(copies(), runs));
  gate closed(s);
  EXPECT_OK(submit(s, mixed));

  put_source(2);
  closed.open();

  EXPECT_OK(s.synchronize());
  const bytes early = numbered(size, 1);
  bytes wanted = numbered(size, 2);
  std::copy(early.begin() + 30 * 64, early.begin() + 60 * 64, wanted.begin() + 30 * 64);
  std::copy(early.begin() + 90 * 64, early.end(), wanted.begin() + 90 * 64);
  EXPECT_EQ(contents_of(target), wanted);
}

INSTANTIATE_TEST_SUITE_P(Of, SourceAccess,
                         testing::Values(memory_kind::pageable, memory_kind::pinned),
                         [](const auto& kind) {
                           return kind.param == memory_kind::pinned ? "PinnedMemory"
                                                                    : "PageableMemory";
                         });

TEST(EarlySources, MayBeFreedOnReturn) {
  const stream s = new_stream();
  const buffer target = device_holding(zeros(64));
  gate closed(s);

  {
    const bytes source = numbered(64);
    EXPECT_OK(submit(s, side_by_side(target.data(), source.data(), 8, 8), during_call));
  }
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64));
}

TEST(EarlySources, MayBeOverwrittenByEarlierStep) {
  const stream s = new_stream();
  const buffer source = device_holding(numbered(64, 1));
  const buffer target = device_holding(zeros(64));
  gate closed(s);
  EXPECT_OK(fill(s, source.data(), 64, {.value = 0xff}));

  const std::vector<copy> one{{target.data(), source.data(), 64}};
  EXPECT_OK(submit(s, one, during_call));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64, 1));
}

}  // namespace
}  // namespace convoy
