#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/own_process.hpp"

namespace convoy {
namespace {

using namespace test;

TEST(ForkedChild, EveryCallAnswersForked) {
  const stream s = new_stream();
  const event e = must(make_event(first_device));
  const buffer held = device_holding(numbered(64));
  bytes own = zeros(64);

  const bool all_refused = true_in_child([&] {
    const status answers[] = {
        device_count().error(),
        allocate(first_device, 64).error(),
        allocate_pinned(64).error(),
        make_stream(first_device).error(),
        make_event(first_device).error(),
        submit(s, copy{own.data(), held.data(), 64}).error(),
        s.synchronize(),
        s.query(),
        e.query(),
        locate(held.data()).error(),
        classify(held.data()).error(),
        deallocate(held.data()),
        device(first_device).synchronize(),
    };
    return std::all_of(std::begin(answers), std::end(answers),
                       [](const status& each) { return each.code == errc::forked; });
  });

  EXPECT_TRUE(all_refused);
}

TEST(ForkedChild, SettingsAndUsagesAreAnswered) {
  const buffer held = device_holding(numbered(64));
  const std::string devices = must(setting_value("CONVOY_DEVICES"));

  const bool answered = true_in_child([&] {
    const auto usages = device_usages();
    return usages && usages->front().used == 0 && usages->front().total != 0 &&
           *setting_value("CONVOY_DEVICES") == devices;
  });

  EXPECT_TRUE(answered);
}

TEST(ForkedChild, ExplainSaysHowToProceed) {
  EXPECT_OK(device_count());

  const bool explained = true_in_child([] {
    return explain(device_count().error()).find("start a new process") != std::string::npos;
  });

  EXPECT_TRUE(explained);
}

TEST(ForkedChild, InheritedOwnersMayBeDestroyed) {
  auto s = std::make_unique<stream>(new_stream());
  auto held = std::make_unique<buffer>(device_holding(numbered(64)));

  const bool destroyed = true_in_child([&] {
    s.reset();
    held.reset();
    return true;
  });

  EXPECT_TRUE(destroyed);
  EXPECT_EQ(contents_of(*held), numbered(64));
}

TEST(ForkedChild, ParentContinues) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  gate closed(s);
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));

  EXPECT_TRUE(true_in_child([] { return true; }));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

class ForkBeforeUse : public own_process {};

TEST_F(ForkBeforeUse, BothProcessesWork) {
  EXPECT_EXIT(
      {
        const auto copies_well = [] {
          return contents_of(device_holding(numbered(64))) == numbered(64);
        };
        const bool in_child = true_in_child(copies_well);
        end_well_if(in_child && copies_well());
      },
      ended_well, "");
}

TEST_F(ForkBeforeUse, UsagesLeaveChildUsable) {
  EXPECT_EXIT(
      {
        const bool asked = device_usages() && settings();
        end_well_if(asked && true_in_child([] {
                      return contents_of(device_holding(numbered(64))) == numbered(64);
                    }));
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
