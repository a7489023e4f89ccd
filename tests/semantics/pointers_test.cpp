#include <sys/mman.h>

#include <convoy/convoy.hpp>

#include "support/contents.hpp"

namespace convoy {
namespace {

using namespace test;

TEST(Locate, DeviceMemoryHasItsDevice) {
  const buffer held = must(make_device_buffer(second_device, 1000));

  const pointer_attributes found = must(locate(held.data()));

  EXPECT_EQ(found,
            (pointer_attributes{memory_kind::device, second_device, held.data(), 1000, 1000}));
}

TEST(Locate, PinnedAndManagedMemoryAreKnown) {
  const buffer pinned = must(make_pinned_buffer(64));
  const buffer managed(must(allocate_managed(64)), 64);

  EXPECT_EQ(must(locate(pinned.data())).kind, memory_kind::pinned);
  EXPECT_EQ(must(locate(managed.data())).kind, memory_kind::managed);
}

TEST(Locate, UnknownMemoryIsPageableWithoutLimit) {
  const bytes own = zeros(64);

  EXPECT_EQ(must(locate(own.data())), pointer_attributes{});
  EXPECT_EQ(must(locate(own.data())).bytes_left, SIZE_MAX);
}

TEST(Locate, InteriorPointerHasRemainingBytes) {
  const buffer small = must(make_device_buffer(first_device, 1000));
  const buffer large = must(make_device_buffer(first_device, 3U << 20));

  const pointer_attributes in_small = must(locate(small.data() + 999));
  const pointer_attributes in_large = must(locate(large.data() + (2U << 20) + 7));

  EXPECT_EQ(in_small.base, small.data());
  EXPECT_EQ(in_small.bytes_left, 1U);
  EXPECT_EQ(in_large.base, large.data());
  EXPECT_EQ(in_large.bytes_left, (1U << 20) - 7);
}

TEST(Locate, ByteAfterAllocationIsRefused) {
  const buffer held = must(make_device_buffer(first_device, 1000));

  EXPECT_ANSWER(locate(held.data() + 1000), errc::not_an_allocation);
}

TEST(Locate, FreedMemoryIsRefused) {
  void* const start = must(allocate(first_device, 64));
  EXPECT_OK(deallocate(start));

  EXPECT_ANSWER(locate(start), errc::not_an_allocation);
}

TEST(Classify, AgreesWithLocate) {
  const buffer far = must(make_device_buffer(second_device, 64));
  const buffer pinned = must(make_pinned_buffer(64));
  const buffer managed(must(allocate_managed(64)), 64);
  bytes registered = zeros(64);
  const bytes own = zeros(64);
  EXPECT_OK(pin(registered.data(), registered.size()));

  const void* const all[] = {far.data() + 63, pinned.data(), managed.data(), registered.data(),
                             own.data()};
  for (const void* each : all) {
    const pointer_attributes found = must(locate(each));
    EXPECT_EQ(must(classify(each)), (memory_class{found.kind, found.device}));
  }
  EXPECT_OK(unpin(registered.data()));
}

TEST(Classify, FreedMemoryKeepsItsClass) {
  void* const start = must(allocate(second_device, 64));
  EXPECT_OK(deallocate(start));

  EXPECT_EQ(must(classify(start)), (memory_class{memory_kind::device, second_device}));
}

TEST(Pin, MemoryIsRegisteredUntilUnpinned) {
  bytes own = zeros(4096);

  EXPECT_OK(pin(own.data(), own.size()));
  const pointer_attributes while_pinned = must(locate(own.data() + 96));
  EXPECT_OK(unpin(own.data()));

  EXPECT_EQ(while_pinned,
            (pointer_attributes{memory_kind::registered, {}, own.data(), 4096, 4000}));
  EXPECT_EQ(must(locate(own.data())).kind, memory_kind::pageable);
}

TEST(Pin, AdjacentMemoryStaysPageable) {
  bytes own = zeros(300);

  EXPECT_OK(pin(own.data() + 100, 100));

  EXPECT_EQ(must(locate(own.data() + 99)).kind, memory_kind::pageable);
  EXPECT_EQ(must(locate(own.data() + 100)).kind, memory_kind::registered);
  EXPECT_EQ(must(locate(own.data() + 200)).kind, memory_kind::pageable);
  EXPECT_OK(unpin(own.data() + 100));
}

TEST(Pin, OverlappingRangeIsRefused) {
  bytes own = zeros(400);
  std::byte* const start = own.data();
  EXPECT_OK(pin(start + 100, 200));

  EXPECT_ANSWER(pin(start + 100, 200), errc::already_registered);
  EXPECT_ANSWER(pin(start + 50, 51), errc::already_registered);
  EXPECT_ANSWER(pin(start + 299, 10), errc::already_registered);
  EXPECT_ANSWER(pin(start + 150, 10), errc::already_registered);
  EXPECT_ANSWER(pin(start, 400), errc::already_registered);

  EXPECT_OK(unpin(start + 100));
}

TEST(Pin, AdjacentRangesAreAccepted) {
  bytes own = zeros(300);
  std::byte* const start = own.data();

  EXPECT_OK(pin(start + 100, 100));
  EXPECT_OK(pin(start, 100));
  EXPECT_OK(pin(start + 200, 100));

  EXPECT_OK(unpin(start));
  EXPECT_OK(unpin(start + 100));
  EXPECT_OK(unpin(start + 200));
}

TEST(Pin, ConvoyMemoryIsRefused) {
  const buffer pinned = must(make_pinned_buffer(4096));
  const buffer on_device = must(make_device_buffer(first_device, 4096));

  EXPECT_ANSWER(pin(pinned.data(), 4096), errc::already_registered);
  EXPECT_ANSWER(pin(on_device.data() + 16, 16), errc::already_registered);
}

TEST(Pin, NullEmptyAndWrappingRangesFail) {
  bytes own = zeros(16);

  EXPECT_ANSWER(pin(nullptr, 16), errc::null_pointer);
  EXPECT_ANSWER(pin(own.data(), 0), errc::zero_size);
  EXPECT_ANSWER(pin(own.data(), SIZE_MAX), errc::invalid_argument);
}

class three_pages {
 public:
  static constexpr std::size_t page = 4096;
  explicit three_pages(int middle_access) { ::mprotect(at(1), page, middle_access); }
  ~three_pages() { ::munmap(start_, 3 * page); }
  three_pages(const three_pages&) = delete;
  three_pages& operator=(const three_pages&) = delete;

  [[nodiscard]] std::byte* at(std::size_t index) const {
    return static_cast<std::byte*>(start_) + index * page;
  }

 private:
  void* const start_ =
      ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

TEST(Pin, UnmappedPagesAreRefused) {
  const three_pages unreadable(PROT_NONE);
  const three_pages with_hole(PROT_READ);
  ::munmap(with_hole.at(1), three_pages::page);

  for (const three_pages* each : {&unreadable, &with_hole}) {
    EXPECT_EQ(pin(each->at(0) + 8, 2 * three_pages::page),
              (status{errc::not_an_allocation, copy_side::none, {}, each->at(1)}));
    EXPECT_OK(pin(each->at(0) + 8, three_pages::page - 8));
    EXPECT_OK(unpin(each->at(0) + 8));
  }
}

TEST(Pin, ConstantPagesNeedReadOnlyAccess) {
  const three_pages pages(PROT_READ);

  EXPECT_ANSWER(pin(pages.at(0), 3 * three_pages::page), errc::not_an_allocation);
  EXPECT_OK(pin(pages.at(0), 3 * three_pages::page, pin_access::read_only));

  EXPECT_OK(unpin(pages.at(0)));
}

TEST(Pin, ImpossibleRangesAreRefused) {
  bytes own = zeros(16);

  EXPECT_ANSWER(pin(own.data(), std::size_t{1} << 63), errc::not_an_allocation);
  EXPECT_ANSWER(pin(reinterpret_cast<void*>(0xffff888000000000), 4096), errc::not_an_allocation);
  EXPECT_ANSWER(pin(reinterpret_cast<void*>(0x8000000000000000), 4096), errc::not_an_allocation);
  EXPECT_EQ(must(locate(own.data())).kind, memory_kind::pageable);
}

TEST(Unpin, OnlyStartOfRangeIsAccepted) {
  bytes own = zeros(64);
  EXPECT_OK(pin(own.data(), 64));

  EXPECT_ANSWER(unpin(own.data() + 1), errc::not_registered);
  EXPECT_OK(unpin(own.data()));
  EXPECT_ANSWER(unpin(own.data()), errc::not_registered);
}

}  // namespace
}  // namespace convoy
