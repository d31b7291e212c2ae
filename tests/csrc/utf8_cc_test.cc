#include <gtest/gtest.h>

#include <string>

#include "csrc/tokenizers/utf8.h"

namespace oasr {
namespace {

struct Case {
  const char* bytes;
  size_t length;
  bool valid;
  bool open;
};

TEST(NextUtf8, ReadsCharactersAndMaximalSubparts) {
  const Case cases[] = {
      {"a", 1, true, false},
      {"\xC2\xA0", 2, true, false},
      {"\xE4\xBD\xA0", 3, true, false},
      {"\xF0\x9F\x98\x80", 4, true, false},
      {"\xF4\x8F\xBF\xBF", 4, true, false},
      {"\xC2", 1, false, true},
      {"\xE4\xBD", 2, false, true},
      {"\xF0\x9F\x98", 3, false, true},
      {"\xE4\xBDz", 2, false, false},
      {"\x80", 1, false, false},
      {"\xC0\x80", 1, false, false},          // Overlong.
      {"\xE0\x80\x80", 1, false, false},      // Overlong.
      {"\xED\xA0\x80", 1, false, false},      // A surrogate.
      {"\xF0\x80\x80\x80", 1, false, false},  // Overlong.
      {"\xF4\x90\x80\x80", 1, false, false},  // Above U+10FFFF.
      {"\xF5\x80", 1, false, false},
      {"\xFF", 1, false, false},
  };
  for (const Case& c : cases) {
    const Utf8Unit unit = NextUtf8(c.bytes, 0);
    EXPECT_EQ(unit.length, c.length) << c.bytes;
    EXPECT_EQ(unit.valid, c.valid) << c.bytes;
    EXPECT_EQ(unit.open, c.open) << c.bytes;
  }
}

TEST(NextUtf8, ReadsZeroBytesAndFromTheMiddle) {
  const std::string bytes("a\0\xE4\xBD\xA0", 5);
  EXPECT_TRUE(NextUtf8(bytes, 1).valid);
  EXPECT_EQ(NextUtf8(bytes, 2).length, 3u);
  EXPECT_FALSE(NextUtf8(bytes, 3).valid);
}

}  // namespace
}  // namespace oasr
