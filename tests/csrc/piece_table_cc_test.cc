#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "csrc/tokenizers/piece_table.h"

namespace oasr {
namespace {

using Ids = std::vector<int64_t>;

// 0 to 7 are bytes of characters of one to four bytes, the rest is text.
PieceTable Table(Marks marks, bool strips_ends) {
  PieceTable table(12, {marks, strips_ends});
  const char* bytes[] = {"\xE4", "\xBD", "\xA0", "\xF0",
                         "\x9F", "\x98", "\xE3", "\x80"};
  for (int64_t id = 0; id < 8; ++id) {
    table.Set(id, {bytes[id], bytes[id], true});
  }
  table.Set(8, {"a", " a", true});
  table.Set(9, {"", " ", false});
  table.Set(10, {"", "", true});
  table.Drop(11);
  return table;
}

std::string Feed(const PieceTable& table, const Ids& ids, PieceStream* stream) {
  return std::string(table.Feed(ids.data(), ids.size(), stream));
}

TEST(PieceTable, GivesOutWhatNoLaterIdCanChange) {
  const PieceTable table = Table(Marks::kOne, false);
  PieceStream stream = table.NewStream();
  EXPECT_EQ(Feed(table, {9, 8, 0}, &stream), "a");
  EXPECT_EQ(stream.Unsettled(), "\xEF\xBF\xBD");
  EXPECT_EQ(Feed(table, {11, -1, 99, 1, 2, 8}, &stream), "\xE4\xBD\xA0 a");
  EXPECT_EQ(Feed(table, {0, 1, 10}, &stream), "\xEF\xBF\xBD");
  EXPECT_EQ(stream.Finish(), "");
  EXPECT_EQ(stream.given_out, "a\xE4\xBD\xA0 a\xEF\xBF\xBD");
}

TEST(PieceTable, MarksEachByteWhereTheRuntimeDoes) {
  const PieceTable table = Table(Marks::kPerByte, false);
  PieceStream stream = table.NewStream();
  EXPECT_EQ(Feed(table, {0, 1}, &stream), "");
  EXPECT_EQ(stream.Finish(), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(PieceTable, HoldsBlanksThatTheStripMayTake) {
  const PieceTable table = Table(Marks::kOne, true);
  PieceStream stream = table.NewStream();
  EXPECT_EQ(Feed(table, {8, 9, 6}, &stream), "a");
  EXPECT_EQ(Feed(table, {7, 7}, &stream), "");  // U+3000 is a blank, too.
  EXPECT_EQ(Feed(table, {0}, &stream), " \xE3\x80\x80");
  EXPECT_EQ(stream.Finish(), "\xEF\xBF\xBD");
}

// Byte b is the id b, 256 is text; a blank that begins the text is left out.
PieceTable RunTable() {
  PieceTable table(257, {Marks::kWholeRun, false, " "});
  for (int64_t id = 0; id < 256; ++id) {
    const std::string byte(1, static_cast<char>(id));
    table.Set(id, {byte, byte, true, /*is_byte=*/true});
  }
  table.Set(256, {"a", " a", true});
  return table;
}

TEST(PieceTable, HoldsARunUntilItEndsOrBreaks) {
  const PieceTable table = RunTable();
  PieceStream stream = table.NewStream();
  EXPECT_EQ(Feed(table, {0x20, 0xE4, 0xBD, 0xA0}, &stream), "");
  EXPECT_EQ(stream.Unsettled(), "\xE4\xBD\xA0");
  EXPECT_EQ(Feed(table, {256, 0x41, 0xE4}, &stream), "\xE4\xBD\xA0 a");
  EXPECT_EQ(stream.Unsettled(), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Feed(table, {0x42}, &stream),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(Feed(table, {0x43, -1, 0x20, 256, 0x20}, &stream),
            "\xEF\xBF\xBD\xEF\xBF\xBD a");
  EXPECT_EQ(stream.Finish(), " ");
}

TEST(PieceTable, PiecesOfARunAreItsCharactersOrAMarkPerByte) {
  const PieceTable table = RunTable();
  const RenderedPieces whole = table.Render({0x20, 0xC3, -1, 0xA9, 256});
  EXPECT_EQ(whole.text, "\xC3\xA9 a");
  EXPECT_EQ(whole.ends, (Ids{0, 0, 0, 2, 4}));
  const RenderedPieces broken = table.Render({0x20, 0xC3, -1, 256});
  EXPECT_EQ(broken.text, "\xEF\xBF\xBD\xEF\xBF\xBD a");
  EXPECT_EQ(broken.ends, (Ids{3, 6, 6, 8}));
}

TEST(PieceTable, KnowsWhatItWasTold) {
  PieceTable table(3, {Marks::kOne, false});
  table.Drop(1);
  EXPECT_FALSE(table.Knows(Ids{0}));
  EXPECT_TRUE(table.Knows(Ids{1, 3, -1}));
  EXPECT_THROW(table.Drop(3), std::out_of_range);
  EXPECT_THROW(table.Set(-1, {"a", "a", true}), std::out_of_range);
}

// Streams cut anywhere, and pieces, add up to the same text.
TEST(PieceTable, RunsOfStreamsAndPiecesAgree) {
  std::mt19937 random(8);
  const Ids likely = {0x20, 0x41, 0xE4, 0xBD, 0xA0, 0xC3, 0xA9, 0xFF, 256, -1};
  const PieceTable table = RunTable();
  for (int round = 0; round < 20000; ++round) {
    Ids ids(random() % 10);
    for (int64_t& id : ids) id = likely[random() % likely.size()];
    PieceStream stream = table.NewStream();
    std::string given;
    for (const int64_t id : ids) given += Feed(table, {id}, &stream);
    given += stream.Finish();
    EXPECT_EQ(table.Render(ids).text, given);
  }
}

TEST(PieceTable, StreamsAndPiecesAgree) {
  std::mt19937 random(7);
  for (const Marks marks : {Marks::kOne, Marks::kPerByte}) {
    for (const bool strips : {false, true}) {
      const PieceTable table = Table(marks, strips);
      for (int round = 0; round < 20000; ++round) {
        Ids ids(random() % 12);
        for (int64_t& id : ids) id = static_cast<int64_t>(random() % 14) - 1;
        PieceStream stream = table.NewStream();
        std::string given;
        for (size_t place = 0; place < ids.size();) {
          const size_t count = 1 + random() % (ids.size() - place);
          given += table.Feed(ids.data() + place, count, &stream);
          place += count;
        }
        given += stream.Finish();
        const RenderedPieces pieces = table.Render(ids);
        EXPECT_EQ(pieces.text, given);
        EXPECT_EQ(pieces.ends.size(), ids.size());
      }
    }
  }
}

}  // namespace
}  // namespace oasr
