#include <convoy/convoy.hpp>

#include "support/arrays.hpp"
#include "support/contents.hpp"

namespace convoy {
namespace {

using namespace test;

// Three valid copies, for attribute runs that start at different items.
class BatchShape : public testing::Test {
 protected:
  [[nodiscard]] result<batch> with_runs(std::vector<attribute_run> runs) const {
    return make_batch(copies, runs);
  }

  const bytes source = numbered(24);
  const buffer target = device_holding(zeros(24));
  const std::vector<copy> copies = side_by_side(target.data(), source.data(), 8, 3);
};

TEST_F(BatchShape, EmptyBatchIsRefused) {
  const stream s = new_stream();

  EXPECT_ANSWER(make_batch({}), errc::invalid_argument);
  EXPECT_ANSWER(submit(s, std::span<const copy>{}), errc::invalid_argument);
  EXPECT_ANSWER(submit(s, batch_view{}), errc::invalid_argument);
}

TEST_F(BatchShape, FirstRunStartsAtCopyZero) {
  EXPECT_ANSWER(with_runs({{.first = 1}}), errc::invalid_runs);
  EXPECT_OK(with_runs({{.first = 0}}));
}

TEST_F(BatchShape, RunStartsMustIncrease) {
  EXPECT_ANSWER(with_runs({{.first = 0}, {.first = 0}}), errc::invalid_runs);
  EXPECT_ANSWER(with_runs({{.first = 0}, {.first = 2}, {.first = 1}}), errc::invalid_runs);
  EXPECT_OK(with_runs({{.first = 0}, {.first = 1}, {.first = 2}}));
}

TEST_F(BatchShape, LastRunStartsBeforeEnd) {
  EXPECT_ANSWER(with_runs({{.first = 0}, {.first = 3}}), errc::invalid_runs);
  EXPECT_OK(with_runs({{.first = 0}, {.first = 2}}));
}

TEST_F(BatchShape, UnknownAccessOrderIsRefused) {
  const auto ordered = [](source_access order) {
    return std::vector<attribute_run>{{0, {}}, {1, {.order = order}}};
  };

  EXPECT_ANSWER(with_runs(ordered(source_access::invalid)), errc::invalid_access_order);
  EXPECT_ANSWER(with_runs(ordered(source_access{9})), errc::invalid_access_order);
  EXPECT_OK(with_runs(ordered(source_access::any)));
}

TEST_F(BatchShape, SubmitChecksWhatMakeBatchChecks) {
  const stream s = new_stream();
  arrays bad{{copies[0], copies[1]}, {{.first = 1}}};

  EXPECT_ANSWER(submit(s, bad.view()), errc::invalid_runs);
  EXPECT_ANSWER(submit(s, copies, {.order = source_access::invalid}), errc::invalid_access_order);

  EXPECT_OK(s.query());
  EXPECT_EQ(contents_of(target), zeros(24));
}

TEST_F(BatchShape, ArraysMustHaveOneLength) {
  const stream s = new_stream();
  arrays short_dsts{{copies[0], copies[1]}};
  short_dsts.dsts.pop_back();
  arrays short_srcs{{copies[0], copies[1]}};
  short_srcs.srcs.pop_back();
  arrays short_capacities{{copies[0], copies[1]}};
  short_capacities.capacities = {8};

  EXPECT_ANSWER(submit(s, short_dsts.view()), errc::invalid_argument);
  EXPECT_ANSWER(submit(s, short_srcs.view()), errc::invalid_argument);
  EXPECT_ANSWER(submit(s, short_capacities.view()), errc::invalid_argument);
}

TEST_F(BatchShape, NoRunsMeanDefaultAttributes) {
  const stream s = new_stream();
  arrays plain{{copies[0], copies[1], copies[2]}, {}};

  EXPECT_OK(submit(s, plain.view(), native_rules));
  EXPECT_ANSWER(submit(s, plain.view(), {.runs_required = true}), errc::invalid_runs);

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

TEST_F(BatchShape, BatchOwnsItsCopiesAndRuns) {
  std::vector<copy> own = copies;
  std::vector<attribute_run> runs{{0, {}}, {1, {.order = source_access::any}}};

  const batch made = must(make_batch(own, runs));
  own.assign(3, {});
  runs.clear();

  EXPECT_TRUE(std::equal(copies.begin(), copies.end(), made.copies().begin()));
  EXPECT_EQ(made.runs().size(), 2U);
  EXPECT_EQ(made.runs()[1].attrs.order, source_access::any);
  EXPECT_EQ(made.bytes(), 24U);
}

TEST_F(BatchShape, BatchCanBeSubmittedRepeatedly) {
  const stream s = new_stream();
  const batch made = must(make_batch(copies));

  for (int i = 0; i != 3; ++i) {
    EXPECT_OK(submit(s, made));
    EXPECT_OK(s.synchronize());
    EXPECT_EQ(contents_of(target), source);
    put(target.data(), zeros(24));
  }
}

}  // namespace
}  // namespace convoy
