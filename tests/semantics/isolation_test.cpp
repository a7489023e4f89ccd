#include <convoy/convoy.hpp>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/descriptor.hpp"
#include "support/own_process.hpp"

namespace convoy {
namespace {

using namespace test;

class Isolation : public own_process {
 protected:
  static void isolate() { ::setenv("CONVOY_ISOLATE", "1", 1); }
  static void read(const std::byte* at) {
    static_cast<void>(*static_cast<const volatile std::byte*>(at));
  }
  static void write(std::byte* at) { *static_cast<volatile std::byte*>(at) = std::byte{1}; }
};

TEST_F(Isolation, HostReadDiesAndNamesAllocation) {
  EXPECT_EXIT(
      {
        isolate();
        const buffer held = device_holding(numbered(1000), second_device);
        read(held.data() + 5);
      },
      died,
      "host code touched 0x[0-9a-f]+, which is byte 5 of the 1000 bytes allocated at "
      "0x[0-9a-f]+ on device 1");
}

TEST_F(Isolation, HostWriteDiesAndNamesAllocation) {
  EXPECT_EXIT(
      {
        isolate();
        const buffer held = device_holding(numbered(1000));
        write(held.data() + 999);
      },
      died, "byte 999 of the 1000 bytes allocated at 0x[0-9a-f]+ on device 0");
}

TEST_F(Isolation, HostReadOfFreedMemoryDies) {
  EXPECT_EXIT(
      {
        isolate();
        void* const gone = must(allocate(second_device, 64));
        if (!deallocate(gone).ok()) ::_exit(0);
        read(static_cast<const std::byte*>(gone));
      },
      died, "freed or never allocated memory of device 1");
}

TEST_F(Isolation, CopiesWork) {
  EXPECT_EXIT(
      {
        isolate();
        const stream s = new_stream();
        const buffer one = device_holding(numbered(6400));
        const buffer two = device_holding(zeros(6400), second_device);
        const bool taken = submit(s, side_by_side(two.data(), one.data(), 64, 100)).ok();
        end_well_if(taken && s.synchronize().ok() && contents_of(two) == numbered(6400));
      },
      ended_well, "");
}

TEST_F(Isolation, FillsAndPitchedCopiesWork) {
  EXPECT_EXIT(
      {
        isolate();
        const stream s = new_stream();
        const buffer one = device_holding(zeros(64));
        const buffer two = device_holding(zeros(64));
        const bool taken = fill(s, one.data(), 64, {.value = 7}).ok() &&
                           submit(s, pitched_copy{{two.data(), 16}, {one.data(), 16}, {16, 4}});
        end_well_if(taken && s.synchronize().ok() && contents_of(two) == bytes(64, std::byte{7}));
      },
      ended_well, "");
}

TEST_F(Isolation, ReductionsWork) {
  EXPECT_EXIT(
      {
        isolate();
        const stream s = new_stream();
        const buffer one = device_holding(bytes(64, std::byte{3}));
        const buffer two = device_holding(bytes(64, std::byte{4}));
        const bool taken =
            reduce(s, {two.data(), one.data(), 64, reduce_kind::sum, element::int8}).ok();
        end_well_if(taken && s.synchronize().ok() && contents_of(two) == bytes(64, std::byte{7}));
      },
      ended_well, "");
}

TEST_F(Isolation, IndirectCopiesWork) {
  EXPECT_EXIT(
      {
        isolate();
        const stream s = new_stream();
        const buffer one = device_holding(numbered(64));
        const buffer two = device_holding(zeros(64));
        const buffer described_at = device_holding(described({two.data(), one.data(), 64}));
        const bool taken = copy_indirect(s, described_at.data()).ok();
        end_well_if(taken && s.synchronize().ok() && contents_of(two) == numbered(64));
      },
      ended_well, "");
}

TEST_F(Isolation, PinnedAndManagedMemoryStayAccessible) {
  EXPECT_EXIT(
      {
        isolate();
        const buffer pinned = must(make_pinned_buffer(64));
        const buffer managed(must(allocate_managed(64)), 64);
        write(pinned.data());
        write(managed.data());
        end_well_if(contents_of(pinned)[0] == std::byte{1});
      },
      ended_well, "");
}

TEST_F(Isolation, FunctionsAccessMemoryAtEngineAddress) {
  EXPECT_EXIT(
      {
        isolate();
        const stream s = new_stream();
        const buffer held = device_holding(numbered(64), second_device);
        void* const freed = must(allocate(second_device, 64));
        std::byte seen{};
        must(call(s, [&] {
          seen = static_cast<std::byte*>(must(engine_address(held.data() + 7)))[1];
          write(static_cast<std::byte*>(must(engine_address(freed))));
        }));
        const bool landed = deallocate(freed).ok() && s.synchronize().ok();
        end_well_if(landed && seen == numbered(64)[8]);
      },
      ended_well, "");
}

TEST_F(Isolation, OtherMemoryHasOneAddress) {
  EXPECT_EXIT(
      {
        isolate();
        const buffer pinned = must(make_pinned_buffer(64));
        const int local = 0;
        end_well_if(must(engine_address(pinned.data())) == pinned.data() &&
                    must(engine_address(&local)) == &local &&
                    must(engine_address(nullptr)) == nullptr);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
