#include <gtest/gtest.h>

#include <convoy/status.hpp>
#include <set>
#include <string>

namespace convoy::test {
namespace {

constexpr int codes = static_cast<int>(errc::bad_configuration) + 1;

TEST(ErrcName, IsUniqueForEveryCode) {
  std::set<std::string_view> names;
  for (int code = 0; code != codes; ++code) names.insert(name(errc(code)));

  EXPECT_EQ(names.size(), static_cast<std::size_t>(codes));
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(ErrcName, InvalidCodeIsUnknown) { EXPECT_EQ(name(errc(codes)), "unknown"); }

TEST(Explain, EveryCodeHasOneSentence) {
  std::set<std::string> sentences;
  for (int code = 0; code != static_cast<int>(errc::bad_configuration); ++code) {
    sentences.insert(explain({errc(code)}));
  }

  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(codes - 1));
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

}  // namespace
}  // namespace convoy::test
