#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "csrc/tokenizers/symbol_table.h"

namespace oasr {
namespace {

using Strings = std::vector<std::string>;

Strings Cut(const RenderedPieces& pieces) {
  Strings cut;
  int64_t start = 0;
  for (const int64_t end : pieces.ends) {
    cut.push_back(pieces.text.substr(start, end - start));
    start = end;
  }
  EXPECT_EQ(start, static_cast<int64_t>(pieces.text.size()));
  return cut;
}

const SymbolTable& Table() {
  static const auto* table = new SymbolTable({{3, " a"},
                                              {4, "\xE4\xBD"},
                                              {5, "\xA0"},
                                              {6, " "},
                                              {7, "\xE3\x80\x80"},
                                              {-8, "minus"},
                                              {9, ""}});
  return *table;
}

TEST(SymbolTable, GivesACharacterToTheIdOfItsLastByte) {
  EXPECT_EQ(Cut(Table().Render({3, 4, 5})), (Strings{"a", "", "\xE4\xBD\xA0"}));
}

TEST(SymbolTable, GivesAMarkToTheLastIdOfTheBrokenBytes) {
  EXPECT_EQ(Cut(Table().Render({4, 3, 4})),
            (Strings{"\xEF\xBF\xBD", " a", "\xEF\xBF\xBD"}));
  EXPECT_EQ(Cut(Table().Render({4, 9, 2, 3})),
            (Strings{"\xEF\xBF\xBD", "", "", " a"}));
}

TEST(SymbolTable, StripsWhitespaceAtTheEndsOnly) {
  EXPECT_EQ(Cut(Table().Render({6, 7, 3, 6, 7, 3, 7, 6})),
            (Strings{"", "", "a", " ", "\xE3\x80\x80", " a", "", ""}));
  EXPECT_EQ(Cut(Table().Render({6, 7})), (Strings{"", ""}));
  EXPECT_EQ(Cut(Table().Render({})), Strings{});
}

TEST(SymbolTable, RendersNothingForOtherIds) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const int64_t smallest = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(Cut(Table().Render({largest, 3, smallest, -1, 8, -8})),
            (Strings{"", "a", "", "", "", "minus"}));
}

TEST(SymbolTable, LooksFewLargeIdsUp) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const SymbolTable sparse({{1, "a"}, {largest, "b"}});
  EXPECT_EQ(Cut(sparse.Render({largest, 1, 2})), (Strings{"b", "a", ""}));
}

}  // namespace
}  // namespace oasr
