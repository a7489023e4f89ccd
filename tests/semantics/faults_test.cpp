#include <sys/mman.h>
#include <unistd.h>

#include <cfenv>
#include <convoy/convoy.hpp>
#include <csignal>
#include <sstream>
#include <thread>
#include <tuple>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/own_process.hpp"
#include "support/sanitizers.hpp"
#include "support/unmapped_page.hpp"

namespace convoy {
namespace {

using namespace test;

class Fault : public testing::Test {
 protected:
  const stream s = new_stream();
  const unmapped_page unmapped;
};

// What lands of `count` copies of 64 bytes when one item does not.
bytes all_but(std::size_t item, std::size_t count) {
  bytes wanted = numbered(count * 64);
  std::fill_n(wanted.data() + item * 64, 64, std::byte{0});
  return wanted;
}

TEST_F(Fault, SourceFaultNamesItem) {
  const bytes source = numbered(6400);
  const buffer target = device_holding(zeros(6400));
  std::vector<copy> copies = side_by_side(target.data(), source.data(), 64, 100);
  copies[57].src = unmapped.data();

  EXPECT_OK(submit(s, copies));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::source, 57, unmapped.data(), 64}));
  EXPECT_EQ(contents_of(target), all_but(57, 100));
}

TEST_F(Fault, DestinationFaultNamesItem) {
  const bytes source = numbered(6400);
  const buffer target = device_holding(zeros(6400));
  std::vector<copy> copies = side_by_side(target.data(), source.data(), 64, 100);
  copies[99].dst = unmapped.data();

  EXPECT_OK(submit(s, copies));

  EXPECT_EQ(s.synchronize(),
            (status{errc::fault, copy_side::destination, 99, unmapped.data(), 64}));
  EXPECT_EQ(contents_of(target), all_but(99, 100));
}

TEST_F(Fault, OtherItemsOfLargeBatchLand) {
  constexpr std::size_t count = 100'000;
  const bytes source = numbered(count * 64);
  const buffer target = device_holding(zeros(count * 64));
  std::vector<copy> copies = side_by_side(target.data(), source.data(), 64, count);
  copies[77'777].src = unmapped.data();

  EXPECT_OK(submit(s, copies));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::source, 77'777, unmapped.data(), 64}));
  EXPECT_TRUE(contents_of(target) == all_but(77'777, count));
}

TEST_F(Fault, AdjacentItemsLand) {
  constexpr std::size_t page = unmapped_page::size;
  const buffer target = device_holding(zeros(3 * page));
  void* const pages =
      ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const start = static_cast<std::byte*>(pages);
  put(start, numbered(3 * page));
  ::mprotect(start + page, page, PROT_NONE);

  EXPECT_OK(submit(s, side_by_side(target.data(), start, page, 3)));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::source, 1, start + page, page}));
  EXPECT_EQ(contents_of(target.data(), page), contents_of(start, page));
  EXPECT_EQ(contents_of(target.data() + 2 * page, page), contents_of(start + 2 * page, page));
  ::munmap(pages, 3 * page);
}

TEST_F(Fault, FaultInsideLongCopyNamesItem) {
  const std::size_t size = 8U << 20;
  const buffer target = device_holding(zeros(size));
  void* const pages =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ::mprotect(static_cast<std::byte*>(pages) + size / 2, unmapped_page::size, PROT_NONE);
  const bytes source = numbered(64);
  const std::vector<copy> copies{{target.data(), source.data(), 64},
                                 {target.data() + 64, pages, size - 64}};

  EXPECT_OK(submit(s, copies));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::source, 1,
                                     static_cast<std::byte*>(pages) + size / 2, size - 64}));
  EXPECT_EQ(contents_of(target.data(), 64), source);
  ::munmap(pages, size);
}

TEST_F(Fault, StatusCountsSkippedItems) {
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const std::vector<copy> copies{{nullptr, nullptr, 0},
                                 {target.data(), source.data(), 64},
                                 {nullptr, nullptr, 0},
                                 {target.data(), unmapped.data(), 64}};

  EXPECT_OK(submit(s, copies));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::source, 3, unmapped.data(), 64}));
}

TEST_F(Fault, CallAnswersEarlySourceFault) {
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const std::vector<attribute_run> runs{{0, {}}, {2, {.order = source_access::during_call}}};
  const std::vector<copy> copies{{target.data(), source.data(), 8},
                                 {nullptr, nullptr, 0},
                                 {target.data() + 8, source.data(), 8},
                                 {target.data() + 16, unmapped.data(), 8}};
  const batch bad = must(make_batch(copies, runs));
  const status wanted{errc::fault, copy_side::source, 3, unmapped.data(), 8};

  gate closed(s);
  EXPECT_EQ(submit(s, bad).error(), wanted);
  closed.open();
  EXPECT_EQ(s.synchronize(), wanted);
  EXPECT_OK(s.clear_error());
  EXPECT_EQ(submit(s, bad).error(), wanted);
  EXPECT_EQ(s.synchronize(), wanted);
}

TEST_F(Fault, OtherEarlySourcesLandLater) {
  bytes source = numbered(6400);
  const buffer target = device_holding(zeros(6400));
  std::vector<copy> copies = side_by_side(target.data(), source.data(), 64, 100);
  copies[57].src = unmapped.data();

  gate closed(s);
  EXPECT_EQ(submit(s, copies, {.order = source_access::during_call}).error().item, 57U);
  std::ranges::fill(source, std::byte{0xee});
  closed.open();

  EXPECT_ANSWER(s.synchronize(), errc::fault);
  EXPECT_EQ(contents_of(target), all_but(57, 100));
}

// Whether the stream is idle or busy, and whether the batch is small enough to run at once.
TEST_F(Fault, StreamHasEarlyDestinationFault) {
  const bytes source = numbered(64);
  const attributes during_call{.order = source_access::during_call};
  const status wanted{errc::fault, copy_side::destination, 0, unmapped.data(), 64};
  for (const std::size_t count : {1, 100}) {
    const std::vector<copy> bad(count, {unmapped.data(), source.data(), 64});

    EXPECT_OK(submit(s, bad, during_call));
    EXPECT_EQ(s.synchronize(), wanted);
    EXPECT_OK(s.clear_error());

    gate closed(s);
    EXPECT_OK(submit(s, bad, during_call));
    closed.open();
    EXPECT_EQ(s.synchronize(), wanted);
    EXPECT_OK(s.clear_error());
  }
}

TEST_F(Fault, IsExplainedByMemoryAndSize) {
  const bytes source = numbered(64);
  EXPECT_OK(submit(s, copy{unmapped.data(), source.data(), 64}));

  const std::string sentence = explain(s.synchronize());

  std::ostringstream wanted;
  wanted << "item 0: destination " << static_cast<const void*>(unmapped.data())
         << " is not mapped (pageable host memory), 64 bytes";
  EXPECT_EQ(sentence, wanted.str());
}

TEST_F(Fault, AddressOutsideAddressSpaceIsNamed) {
  bytes own = zeros(64);
  auto* const outside = reinterpret_cast<std::byte*>(0x8000000000000000);

  EXPECT_EQ(copy_sync(s, {own.data(), outside, 64}),
            (status{errc::fault, copy_side::source, 0, outside, 64}));
  EXPECT_OK(s.clear_error());
  EXPECT_EQ(copy_sync(s, {outside, own.data(), 64}),
            (status{errc::fault, copy_side::destination, 0, outside, 64}));
}

TEST_F(Fault, PitchedCopyNamesRow) {
  const bytes source = numbered(256);
  const pitched_copy bad{.dst = {unmapped.data(), 16},
                         .src = {const_cast<std::byte*>(source.data()), 16},
                         .extent = {.width = 16, .height = 4}};

  EXPECT_OK(submit(s, bad));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::destination, 0, unmapped.data(), 16}));
}

// Rows of a page each; the first 16 are mapped.
class HugeBox : public Fault {
 protected:
  static constexpr std::size_t pitch = unmapped_page::size;
  static constexpr box extent{.width = 16, .height = 0x7fffffff};

  void SetUp() override {
    const bool reserved = start_ != MAP_FAILED;
    if (sanitized && !reserved) GTEST_SKIP() << "the sanitizer leaves no address space for 8 TiB";
    ASSERT_TRUE(reserved);
    ::mprotect(start_, 16 * pitch, PROT_READ | PROT_WRITE);
  }
  ~HugeBox() override {
    if (start_ != MAP_FAILED) ::munmap(start_, pitch * extent.height);
  }

  [[nodiscard]] pitched side(std::size_t column = 0) const {
    return {static_cast<std::byte*>(start_) + column, pitch};
  }

 private:
  void* const start_ = ::mmap(nullptr, pitch* extent.height, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
};

TEST_F(HugeBox, CopyEndsAndNamesLowestRow) {
  put(static_cast<std::byte*>(side().start), numbered(16));
  EXPECT_OK(submit(s, pitched_copy{side(16), side(), extent}));

  EXPECT_EQ(s.synchronize().item, 16U);
  EXPECT_EQ(contents_of(static_cast<std::byte*>(side(16).start), 16), numbered(16));
}

TEST_F(HugeBox, FillEndsAndNamesLowestRow) {
  EXPECT_OK(fill(s, side(), extent, {.value = 7}));

  EXPECT_EQ(s.synchronize().item, 16U);
}

TEST_F(Fault, FillFaultFailsStep) {
  EXPECT_OK(fill(s, unmapped.data(), 64, {.value = 1}));

  EXPECT_EQ(s.synchronize(), (status{errc::fault, copy_side::destination, 0, unmapped.data(), 64}));
}

TEST_F(Fault, ReductionFaultFailsStep) {
  bytes own = numbered(64);
  for (const auto& [dst, src, bad] : {std::tuple(own.data(), unmapped.data(), copy_side::source),
                                      {unmapped.data(), own.data(), copy_side::destination}}) {
    EXPECT_OK(reduce(s, {dst, src, 64, reduce_kind::sum, element::float16}));

    EXPECT_EQ(s.synchronize(), (status{errc::fault, bad, {}, unmapped.data(), 64}));
    EXPECT_OK(s.clear_error());
  }
}

TEST_F(Fault, ReadBeyondFileEndFailsStep) {
  const int file = ::memfd_create("empty", 0);
  void* const beyond = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  const buffer target = device_holding(zeros(64));

  EXPECT_OK(submit(s, copy{target.data(), beyond, 64}));

  EXPECT_ANSWER(s.synchronize(), errc::fault);
  ::munmap(beyond, 4096);
  ::close(file);
}

TEST_F(Fault, OtherStreamsAndLaterStepsRun) {
  const stream other = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const buffer elsewhere = device_holding(zeros(64));

  EXPECT_OK(submit(s, copy{target.data(), unmapped.data(), 64}));
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));
  EXPECT_OK(submit(other, copy{elsewhere.data(), source.data(), 64}));

  EXPECT_OK(other.synchronize());
  EXPECT_ANSWER(s.synchronize(), errc::fault);
  EXPECT_EQ(contents_of(target), source);
  EXPECT_EQ(contents_of(elsewhere), source);
}

TEST_F(Fault, RepeatedFaultsAreReported) {
  const buffer target = device_holding(zeros(64));

  for (int i = 0; i != 200; ++i) {
    EXPECT_OK(submit(s, copy{target.data(), unmapped.data(), 64}));
    EXPECT_ANSWER(s.synchronize(), errc::fault);
    EXPECT_OK(s.clear_error());
  }
}

TEST_F(Fault, ConcurrentFaultsAreReported) {
  const buffer target = device_holding(zeros(64 * 40));
  std::vector<stream> streams;
  for (std::size_t i = 0; i != 40; ++i) {
    streams.push_back(new_stream());
    EXPECT_OK(submit(streams.back(), copy{target.data() + i * 64, unmapped.data(), 64}));
  }

  for (const stream& each : streams) EXPECT_ANSWER(each.synchronize(), errc::fault);
}

TEST_F(Fault, RoundingModeIsKept) {
  bytes own = zeros(64);
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);

  EXPECT_ANSWER(copy_sync(s, {own.data(), unmapped.data(), 64}), errc::fault);

  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(before);
}

class ForeignFault : public own_process {};

void report_and_leave(int) { ::_exit(42); }
void report_details_and_leave(int, siginfo_t* info, void*) {
  ::_exit(info->si_addr == nullptr ? 1 : 43);
}

// Uses Convoy, fault included, and then touches memory that is not there.
void touch_after_copying() {
  const unmapped_page unmapped;
  const stream s = new_stream();
  bytes own = zeros(64);
  if (copy_sync(s, {own.data(), unmapped.data(), 64}).code != errc::fault) ::_exit(2);
  *static_cast<volatile std::byte*>(unmapped.data() + 8) = std::byte{1};
}

TEST_F(ForeignFault, ReachesPreviousHandler) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, report_and_leave);
        touch_after_copying();
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(ForeignFault, PreviousHandlerGetsSignalInfo) {
  EXPECT_EXIT(
      {
        struct sigaction details {};
        details.sa_sigaction = report_details_and_leave;
        details.sa_flags = SA_SIGINFO;
        ::sigaction(SIGSEGV, &details, nullptr);
        touch_after_copying();
      },
      testing::ExitedWithCode(43), "");
}

TEST_F(ForeignFault, ProcessWithoutHandlerDies) { EXPECT_EXIT(touch_after_copying(), died, ""); }

TEST_F(ForeignFault, SentSignalReachesPreviousHandler) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, report_and_leave);
        const stream s = new_stream();
        ::raise(SIGSEGV);
      },
      testing::ExitedWithCode(42), "");
}

// Ends with exit code 0 if a copy from unmapped memory fails and the process lives, for pageable
// and for registered memory.
[[noreturn]] void end_well_if_faults_are_caught() {
  const unmapped_page unmapped;
  const stream s = new_stream();
  bytes own = zeros(64);
  bool caught = copy_sync(s, {own.data(), unmapped.data(), 64}).code == errc::fault;
  caught = caught && copy_sync(s, {unmapped.data(), own.data(), 64}).code == errc::fault;
  end_well_if(caught);
}

TEST_F(ForeignFault, HandlerInstalledLaterLeavesCopiesGuarded) {
  EXPECT_EXIT(
      {
        const stream s = new_stream();
        std::signal(SIGSEGV, report_and_leave);
        end_well_if_faults_are_caught();
      },
      ended_well, "");
  EXPECT_EXIT(
      {
        const stream s = new_stream();
        std::signal(SIGSEGV, report_and_leave);
        touch_after_copying();
      },
      testing::ExitedWithCode(42), "");
}

// MINSIGSTKSZ was a constant of this value for decades.
alignas(16) char small_stack[2048];

// False when the system refuses a stack this small.
bool use_small_stack() {
  stack_t stack = {};
  stack.ss_sp = small_stack;
  stack.ss_size = sizeof small_stack;
  return ::sigaltstack(&stack, nullptr) == 0;
}

TEST_F(ForeignFault, SmallSignalStackLeavesCopiesGuarded) {
  EXPECT_EXIT(
      {
        use_small_stack();
        end_well_if_faults_are_caught();
      },
      ended_well, "");
}

TEST_F(ForeignFault, SmallSignalStackIsKept) {
  if (!use_small_stack()) GTEST_SKIP() << "the system refuses a stack this small";
  const unmapped_page unmapped;
  bytes own = zeros(64);

  EXPECT_ANSWER(copy_sync(new_stream(), {own.data(), unmapped.data(), 64}), errc::fault);

  stack_t after = {};
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  EXPECT_EQ(::sigaltstack(&none, &after), 0);
  EXPECT_EQ(after.ss_sp, small_stack);
  EXPECT_EQ(after.ss_size, sizeof small_stack);
  EXPECT_EQ(after.ss_flags & SS_DISABLE, 0);
}

void block_all_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

TEST_F(ForeignFault, BlockedSignalsLeaveCopiesGuarded) {
  EXPECT_EXIT(
      {
        block_all_signals();
        end_well_if_faults_are_caught();
      },
      ended_well, "");
}

// Workers inherit the mask, and waiters that block the signals help with a large copy.
TEST_F(ForeignFault, HelpersWithBlockedSignalsAreGuarded) {
  EXPECT_EXIT(
      {
        block_all_signals();
        constexpr std::size_t size = 32U << 20;
        void* const pages =
            ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        const buffer target = must(make_device_buffer(device_id{0}, size));
        const stream s = new_stream();
        bool caught = static_cast<bool>(
            submit(s, pitched_copy{{target.data(), 4096}, {pages, 4096}, {4096, size / 4096, 1}}));
        std::jthread other([&] { static_cast<void>(s.synchronize()); });
        caught = caught && s.synchronize().code == errc::fault;
        other.join();
        end_well_if(caught);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
