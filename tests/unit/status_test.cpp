#include <gtest/gtest.h>

#include <convoy/status.hpp>
#include <set>
#include <string>

namespace convoy::test {
namespace {

constexpr int codes = static_cast<int>(errc::out_of_threads) + 1;

TEST(ErrcName, IsUniqueForEveryCode) {
  std::set<std::string_view> names;
  for (int code = 0; code != codes; ++code) names.insert(name(errc(code)));

  EXPECT_EQ(names.size(), static_cast<std::size_t>(codes));
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(ErrcName, InvalidCodeIsUnknown) { EXPECT_EQ(name(errc(codes)), "unknown"); }

TEST(Explain, EveryCodeHasOneSentence) {
  std::set<std::string> sentences;
  for (int code = 0; code != codes; ++code) sentences.insert(explain({errc(code)}));

  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(codes));
  EXPECT_FALSE(sentences.contains(explain({errc(codes)})));
}

TEST(Result, HoldsValueOrStatus) {
  const result<int> good = 5;
  const result<int> bad = status{errc::fault};

  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 5);
  EXPECT_TRUE(good.error().ok());
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().code, errc::fault);
}

TEST(Result, IsTestedLikeStatus) {
  EXPECT_TRUE(status{});
  EXPECT_FALSE(status{errc::fault});
  EXPECT_TRUE(result<int>(5));
  EXPECT_FALSE(result<int>(status{errc::fault}));
}

TEST(Result, ValueIsTheValue) {
  result<std::string> text = std::string("text");
  const auto& constant = text;

  EXPECT_EQ(text.value(), "text");
  EXPECT_EQ(constant.value(), "text");
  EXPECT_EQ(std::move(text).value(), "text");
}

TEST(Result, ValueOfFailureThrowsSentence) {
  const status null_item{errc::null_pointer, copy_side::source, 3};
  const result<int> bad = null_item;

  try {
    static_cast<void>(bad.value());
    FAIL() << "nothing was thrown";
  } catch (const status_error& error) {
    EXPECT_EQ(error.error(), null_item);
    EXPECT_EQ(error.what(), explain(null_item));
  }
}

// The tests are compiled with assertions in every build but Release.
TEST(ResultDeathTest, UsingFailureAbortsWithSentence) {
  const result<std::string> bad = status{errc::null_pointer, copy_side::source, 3};
#ifdef NDEBUG
  EXPECT_DEATH(abort_without_value(bad.error()), "a failed result was used: item 3.*null_pointer");
#else
  EXPECT_DEATH(static_cast<void>(*bad), "a failed result was used: item 3.*null_pointer");
  EXPECT_DEATH(static_cast<void>(bad->size()), "a failed result was used: item 3.*null_pointer");
#endif
}

}  // namespace
}  // namespace convoy::test
