// Tests of unicode.h that a sanitizer watches: bytes of any kind, to the last
// one.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csrc/tokenizers/unicode.h"

namespace oasr {
namespace {

// A copy without a byte behind its end, so that a read past it is caught.
class Exact {
 public:
  explicit Exact(std::string_view text)
      : size_(text.size()), bytes_(new char[text.size()]) {
    text.copy(bytes_.get(), size_);
  }

  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  size_t size_;
  std::unique_ptr<char[]> bytes_;
};

std::vector<char32_t> Decode(std::string_view text) {
  const Exact exact(text);
  std::vector<char32_t> code_points;
  for (size_t position = 0; position < text.size();) {
    const CodePoint next = DecodeUtf8(exact.view(), position);
    code_points.push_back(next.value);
    position += next.length;
  }
  return code_points;
}

std::vector<size_t> GraphemeEnds(std::string_view text) {
  const Exact exact(text);
  std::vector<size_t> ends;
  for (size_t end = 0; end < text.size();) {
    end = GraphemeEnd(exact.view(), end);
    ends.push_back(end);
  }
  return ends;
}

std::string Encode(char32_t c) {
  const auto trail = [](char32_t bits) {
    return static_cast<char>(0x80 | (bits & 0x3F));
  };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | c >> 6), trail(c)};
  if (c < 0x10000) {
    return {static_cast<char>(0xE0 | c >> 12), trail(c >> 6), trail(c)};
  }
  return {static_cast<char>(0xF0 | c >> 18), trail(c >> 12), trail(c >> 6),
          trail(c)};
}

TEST(DecodeUtf8Test, ReadsEveryCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    ASSERT_EQ(Decode(Encode(c)), std::vector<char32_t>{c}) << uint32_t{c};
  }
}

TEST(DecodeUtf8Test, EachBrokenByteIsOneUnit) {
  constexpr char32_t kBroken = kReplacementCharacter;
  const std::vector<std::pair<std::string, std::vector<char32_t>>> cases = {
      {"\x80", {kBroken}},
      {"\xFF\xFE", {kBroken, kBroken}},
      {"\xC0\x80", {kBroken, kBroken}},               // Overlong.
      {"\xE0\x9F\xBF", {kBroken, kBroken, kBroken}},  // Overlong.
      {"\xF0\x8F\xBF\xBF", {kBroken, kBroken, kBroken, kBroken}},
      {"\xF4\x90\x80\x80",
       {kBroken, kBroken, kBroken, kBroken}},  // > U+10FFFF.
      {"\xE4\xBD", {kBroken, kBroken}},        // Ends early.
      {"\xF0\x9F\x98", {kBroken, kBroken, kBroken}},
      {"\xE4\x61\xBD", {kBroken, U'a', kBroken}},
      {"\xE4\xE4\xBD\xA0", {kBroken, 0x4F60}},
      {"\xED\xA0\xBD", {0xD83D}},  // A surrogate.
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Decode(text), expected);
}

TEST(DecodeUtf8Test, CoversAnyBytesOnce) {
  std::mt19937 random(1);
  const std::string_view likely = "\x80\xBF\xC2\xE0\xED\xF0\xF4\xA0\x90 a";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 12, '\0');
    for (char& byte : text) {
      byte = random() % 2 ? likely[random() % likely.size()]
                          : static_cast<char>(random());
    }
    const std::vector<size_t> ends = GraphemeEnds(text);
    EXPECT_LE(ends.size(), Decode(text).size());
    EXPECT_EQ(ends.empty() ? 0 : ends.back(), text.size());
    for (size_t k = 1; k < ends.size(); ++k) EXPECT_LT(ends[k - 1], ends[k]);
  }
}

TEST(PropertiesTest, AnyValueHasThem) {
  EXPECT_TRUE(IsSpace(U'\u3000'));
  EXPECT_FALSE(IsSpace(U'\u200B'));
  EXPECT_EQ(GetWordClass(U'\u3001'), WordClass::kClose);
  EXPECT_EQ(GetWordClass(U'\u300C'), WordClass::kOpen);
  EXPECT_EQ(GetWordClass(U'\u30FC'), WordClass::kSpaceless);
  EXPECT_EQ(GetWordClass(U'\uAC00'), WordClass::kLetter);
  EXPECT_EQ(GetGraphemeClass(0x10FFFF), GraphemeClass::kOther);
  for (const char32_t beyond : {char32_t{0x110000}, char32_t{0xFFFFFFFF}}) {
    EXPECT_FALSE(IsSpace(beyond));
    EXPECT_EQ(GetWordClass(beyond), WordClass::kLetter);
    EXPECT_EQ(GetGraphemeClass(beyond), GraphemeClass::kOther);
  }
}

TEST(GraphemeEndTest, CutsClusters) {
  using Ends = std::vector<size_t>;
  EXPECT_EQ(GraphemeEnds(""), Ends{});
  EXPECT_EQ(GraphemeEnds("ab"), (Ends{1, 2}));
  EXPECT_EQ(GraphemeEnds("\r\n\r"), (Ends{2, 3}));
  EXPECT_EQ(GraphemeEnds("e\u0301a"), (Ends{3, 4}));
  EXPECT_EQ(GraphemeEnds("\U0001F1E9\U0001F1EA\U0001F1E9"), (Ends{8, 12}));
  EXPECT_EQ(GraphemeEnds("\xE4\xBD"), (Ends{1, 2}));
}

TEST(GraphemeEndTest, LongRunsTakeLinearTime) {
  for (const char32_t c : {U'\u0301', U'\u200D', U'\U0001F1E9', U'\u0600'}) {
    std::string text;
    for (int k = 0; k < 300000; ++k) text += Encode(c);
    EXPECT_EQ(GraphemeEnds(text).back(), text.size());
  }
}

}  // namespace
}  // namespace oasr
