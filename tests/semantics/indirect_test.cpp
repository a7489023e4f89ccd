#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/descriptor.hpp"
#include "support/gate.hpp"
#include "support/unmapped_page.hpp"

namespace convoy {
namespace {

using namespace test;

class IndirectPrefetch : public testing::Test {
 protected:
  // The outcome of a prefetch by a descriptor with this source and length.
  status outcome_with(const void* source, std::size_t bytes) {
    put(descriptor.data(), described({nullptr, source, bytes}));
    EXPECT_OK(prefetch_indirect(s, descriptor.data()));
    const status outcome = s.synchronize();
    EXPECT_OK(s.clear_error());
    return outcome;
  }

  const stream s = new_stream();
  const buffer target = device_holding(numbered(64));
  const buffer descriptor = device_holding(zeros(32));
};

TEST_F(IndirectPrefetch, LeavesMemoryUnchanged) {
  EXPECT_OK(outcome_with(target.data(), 64));

  EXPECT_EQ(contents_of(target), numbered(64));
}

TEST_F(IndirectPrefetch, ReadsDescriptorAtExecution) {
  put(descriptor.data(), described({nullptr, target.data(), 65}));
  gate closed(s);
  EXPECT_OK(prefetch_indirect(s, descriptor.data()));

  put(descriptor.data(), described({nullptr, target.data(), 64}));
  closed.open();

  EXPECT_OK(s.synchronize());
}

TEST_F(IndirectPrefetch, SourceMustBeLiveDeviceMemory) {
  const buffer elsewhere = must(make_device_buffer(second_device, 64));
  const buffer pinned = pinned_holding(zeros(64));
  const bytes pageable = zeros(64);

  EXPECT_ANSWER(outcome_with(target.data(), 65), errc::leaves_allocation);
  EXPECT_ANSWER(outcome_with(elsewhere.data(), 64), errc::wrong_location);
  EXPECT_ANSWER(outcome_with(pinned.data(), 64), errc::wrong_location);
  EXPECT_ANSWER(outcome_with(pageable.data(), 64), errc::wrong_location);
  EXPECT_ANSWER(outcome_with(nullptr, 64), errc::wrong_location);
}

TEST_F(IndirectPrefetch, DescriptorInHostMemoryIsRefused) {
  const buffer pinned = pinned_holding(zeros(64));

  EXPECT_ANSWER(prefetch_indirect(s, pinned.data()), errc::wrong_location);
  EXPECT_ANSWER(prefetch_indirect(s, nullptr), errc::null_pointer);
}

class IndirectCopy : public testing::Test {
 protected:
  // A step whose descriptor has the copy `invalid` fails, and the next one lands.
  void expect_failure(const copy& invalid, errc wanted) {
    put(descriptor.data(), described(invalid));

    EXPECT_OK(copy_indirect(s, descriptor.data()));
    EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));

    EXPECT_ANSWER(s.synchronize(), wanted);
    EXPECT_EQ(contents_of(target), numbered(64));
    EXPECT_OK(s.clear_error());
  }

  const stream s = new_stream();
  const buffer source = pinned_holding(numbered(64));
  const buffer target = device_holding(zeros(64));
  const buffer descriptor = device_holding(described({target.data(), source.data(), 64}));
};

TEST_F(IndirectCopy, CopiesDescribedRange) {
  EXPECT_OK(copy_indirect(s, descriptor.data()));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64));
}

TEST_F(IndirectCopy, RewrittenDescriptorTakesEffect) {
  const buffer other = device_holding(zeros(64));
  gate closed(s);
  EXPECT_OK(copy_indirect(s, descriptor.data()));

  put(descriptor.data(), described({other.data(), source.data(), 64}));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(other), numbered(64));
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST_F(IndirectCopy, DescriptorMayComeFromEarlierStep) {
  const bytes later = described({target.data() + 32, source.data(), 32});
  EXPECT_OK(submit(s, copy{descriptor.data(), later.data(), later.size()}));

  EXPECT_OK(copy_indirect(s, descriptor.data()));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target.data(), 32), zeros(32));
  EXPECT_EQ(contents_of(target.data() + 32, 32), numbered(32));
}

TEST_F(IndirectCopy, EachLaunchRereadsDescriptor) {
  std::vector<bytes> versions;
  for (std::size_t i = 0; i != 8; ++i) {
    versions.push_back(described({target.data() + i * 8, source.data() + i * 8, 8}));
  }

  for (const bytes& each : versions) {
    EXPECT_OK(submit(s, copy{descriptor.data(), each.data(), each.size()}));
    EXPECT_OK(copy_indirect(s, descriptor.data()));
  }

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64));
}

TEST_F(IndirectCopy, AnyLayoutIsAccepted) {
  constexpr descriptor_layout layout{
      .bytes = 64, .source_offset = 40, .destination_offset = 3, .length_offset = 60};
  const buffer odd = device_holding(described({target.data(), source.data(), 64}, layout));

  EXPECT_OK(copy_indirect(s, odd.data(), layout));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64));
}

TEST_F(IndirectCopy, ZeroLengthDoesNothing) {
  put(descriptor.data(), described({nullptr, nullptr, 0}));

  EXPECT_OK(copy_indirect(s, descriptor.data()));

  EXPECT_OK(s.synchronize());
}

TEST_F(IndirectCopy, NullInDescriptorFailsStep) {
  expect_failure({nullptr, source.data(), 64}, errc::null_pointer);
  expect_failure({target.data(), nullptr, 64}, errc::null_pointer);
}

TEST_F(IndirectCopy, RangeBeyondAllocationFailsStep) {
  expect_failure({target.data(), source.data(), 65}, errc::leaves_allocation);
  expect_failure({target.data() + 1, source.data(), 64}, errc::leaves_allocation);
}

TEST_F(IndirectCopy, FreedMemoryFailsStep) {
  const stream busy = new_stream();
  const gate closed(busy);
  void* const gone = must(allocate(first_device, 64));
  EXPECT_OK(deallocate(gone));

  expect_failure({gone, source.data(), 64}, errc::not_an_allocation);
}

TEST_F(IndirectCopy, UnmappedAddressFailsStep) {
  const unmapped_page unmapped;

  expect_failure({target.data(), unmapped.data(), 64}, errc::fault);
}

TEST_F(IndirectCopy, MemoryFreedAfterLaunchIsUsable) {
  void* const passing = must(allocate(s, 64));
  put(passing, numbered(64, 5));
  put(descriptor.data(), described({target.data(), passing, 64}));
  gate closed(s);
  EXPECT_OK(copy_indirect(s, descriptor.data()));

  EXPECT_OK(deallocate(s, passing));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64, 5));
}

TEST_F(IndirectCopy, DescriptorFreedAfterLaunchIsUsable) {
  gate closed(s);
  void* const passing = must(allocate(first_device, 32));
  put(passing, described({target.data(), source.data(), 64}));
  EXPECT_OK(copy_indirect(s, passing));

  EXPECT_OK(deallocate(passing));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(64));
}

TEST_F(IndirectCopy, DescriptorInHostMemoryIsRefused) {
  const bytes pageable = described({target.data(), source.data(), 64});
  const buffer pinned = pinned_holding(pageable);

  EXPECT_ANSWER(copy_indirect(s, pageable.data()), errc::wrong_location);
  EXPECT_ANSWER(copy_indirect(s, pinned.data()), errc::wrong_location);
  EXPECT_OK(s.query());
}

TEST_F(IndirectCopy, DescriptorBeyondAllocationIsRefused) {
  EXPECT_ANSWER(copy_indirect(s, descriptor.data() + 1), errc::leaves_allocation);
  EXPECT_ANSWER(copy_indirect(s, nullptr), errc::null_pointer);
}

TEST_F(IndirectCopy, LayoutWithOutsideFieldsIsRefused) {
  EXPECT_ANSWER(copy_indirect(s, descriptor.data(), {.bytes = 65}), errc::invalid_argument);
  EXPECT_ANSWER(copy_indirect(s, descriptor.data(), {.source_offset = 25}), errc::invalid_argument);
  EXPECT_ANSWER(copy_indirect(s, descriptor.data(), {.destination_offset = 25}),
                errc::invalid_argument);
  EXPECT_ANSWER(copy_indirect(s, descriptor.data(), {.length_offset = 29}), errc::invalid_argument);
}

class BasedCopy : public testing::Test {
 protected:
  static bytes pointer_to(const buffer& memory) {
    void* const start = memory.data();
    bytes made = zeros(sizeof start);
    std::memcpy(made.data(), &start, sizeof start);
    return made;
  }
  [[nodiscard]] based_copy between(std::size_t dst, std::size_t src, std::size_t count) const {
    return {target_base.data(), dst, source_base.data(), src, count};
  }

  const stream s = new_stream();
  const buffer source = device_holding(numbered(64));
  const buffer target = device_holding(zeros(64));
  const buffer source_base = device_holding(pointer_to(source));
  const buffer target_base = device_holding(pointer_to(target));
};

TEST_F(BasedCopy, CopiesBetweenOffsetsFromPointers) {
  EXPECT_OK(copy_indirect(s, between(48, 8, 16)));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target.data(), 48), zeros(48));
  EXPECT_EQ(contents_of(target.data() + 48, 16), contents_of(source.data() + 8, 16));
}

TEST_F(BasedCopy, RewrittenPointersTakeEffect) {
  const buffer other = device_holding(zeros(64));
  gate closed(s);
  EXPECT_OK(copy_indirect(s, between(0, 0, 64)));

  put(target_base.data(), pointer_to(other));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), zeros(64));
  EXPECT_EQ(contents_of(other), numbered(64));
}

TEST_F(BasedCopy, PointerInHostMemoryIsRefused) {
  const void* const here = source.data();

  EXPECT_ANSWER(copy_indirect(s, {target_base.data(), 0, &here, 0, 8}), errc::wrong_location);
  EXPECT_ANSWER(copy_indirect(s, {target_base.data(), 0, nullptr, 0, 8}), errc::null_pointer);
}

TEST_F(BasedCopy, NullPointerFailsStep) {
  put(source_base.data(), zeros(sizeof(void*)));

  EXPECT_OK(copy_indirect(s, between(0, 0, 64)));

  EXPECT_ANSWER(s.synchronize(), errc::null_pointer);
}

TEST_F(BasedCopy, RangeBeyondAllocationFailsStep) {
  EXPECT_OK(copy_indirect(s, between(0, 1, 64)));

  EXPECT_ANSWER(s.synchronize(), errc::leaves_allocation);
  EXPECT_EQ(contents_of(target), zeros(64));
}

}  // namespace
}  // namespace convoy
