// Tests of word_grouping.h that a sanitizer watches; word_grouping_test.py
// compares it with the rule.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "csrc/tokenizers/word_grouping.h"

namespace oasr {
namespace {

// Pieces, and one second for each of them.
struct Tokens {
  explicit Tokens(const std::vector<std::string>& pieces)
      : lends(pieces.size(), 1), confidences(pieces.size(), 0.5) {
    for (const std::string& piece : pieces) {
      text += piece;
      starts.push_back(static_cast<double>(ends.size()));
      stops.push_back(starts.back() + 1);
      ends.push_back(static_cast<int64_t>(text.size()));
    }
  }

  Pieces View() const {
    return {text, {ends.data(), ends.size()}, {lends.data(), lends.size()}};
  }

  TokenTimes Times() const {
    return {{starts.data(), starts.size()},
            {stops.data(), stops.size()},
            ArrayView<double>{confidences.data(), confidences.size()}};
  }

  std::string text;
  std::vector<int64_t> ends;
  std::vector<uint8_t> lends;
  std::vector<double> starts;
  std::vector<double> stops;
  std::vector<double> confidences;
};

using Span = std::tuple<std::string, size_t, size_t>;

std::vector<Span> Spans(const std::vector<std::string>& pieces) {
  const Tokens tokens(pieces);
  std::vector<Span> spans;
  for (const WordSpan& span : WordSpans(tokens.View())) {
    spans.emplace_back(span.text, span.first, span.last);
  }
  return spans;
}

std::string Refusal(const Tokens& tokens) {
  try {
    GroupWords(tokens.View(), tokens.Times());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(WordSpansTest, NamesTheTokensOfEachWord) {
  EXPECT_EQ(Spans({}), std::vector<Span>{});
  EXPECT_EQ(Spans({"", " ", ""}), std::vector<Span>{});
  EXPECT_EQ(Spans({" he", "llo"}), (std::vector<Span>{{"hello", 0, 1}}));
  EXPECT_EQ(Spans({"今日は", "", "副", "業"}),
            (std::vector<Span>{{"今", 0, 0},
                               {"日", 0, 0},
                               {"は", 0, 0},
                               {"副", 1, 2},
                               {"業", 3, 3}}));
  EXPECT_EQ(Spans({"\xE5", "\x89", "\xAF\xF0"}),
            (std::vector<Span>{{"副", 0, 2}, {"\xF0", 2, 2}}));
}

TEST(GroupWordsTest, GathersTimesAndConfidences) {
  Tokens tokens({"a", "", "o w", "b", ""});
  tokens.confidences = {0, 0.25, 0.5, 0.25, 0.75};
  const std::vector<TimedWord> words =
      GroupWords(tokens.View(), tokens.Times());
  ASSERT_EQ(words.size(), 2);
  EXPECT_EQ(words[0].text, "ao");
  EXPECT_EQ(words[0].start, 0);
  EXPECT_EQ(words[0].end, 3);
  EXPECT_EQ(words[0].confidence, 0.25);
  EXPECT_EQ(words[1].text, "wb");
  EXPECT_EQ(words[1].start, 2);
  EXPECT_EQ(words[1].end, 5);
  EXPECT_EQ(words[1].confidence, 0.5);
}

TEST(GroupWordsTest, ConfidencesMayBeAbsent) {
  const Tokens tokens({"a"});
  TokenTimes times = tokens.Times();
  times.confidences.reset();
  EXPECT_EQ(GroupWords(tokens.View(), times)[0].confidence, 0);
}

TEST(GroupWordsTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Refusal(Tokens({"a", "b"})), "");
  Tokens short_flags({"a", "b"});
  short_flags.lends.pop_back();
  EXPECT_EQ(Refusal(short_flags),
            "lends has 1 values; expected 2, one per piece.");
  Tokens backwards({"a", "b"});
  backwards.ends = {2, 1};
  EXPECT_EQ(
      Refusal(backwards),
      "piece_ends[1] is 1; expected at least 2, the end of the piece before.");
  Tokens beyond({"a", "b"});
  beyond.ends = {1, std::numeric_limits<int64_t>::max()};
  EXPECT_EQ(Refusal(beyond),
            "The last of piece_ends is 9223372036854775807; expected 2, the "
            "length of "
            "the text in bytes.");
  Tokens unsure({"a", "b"});
  unsure.confidences[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Refusal(unsure),
            "confidences[1] is nan; expected a finite number.");
}

TEST(WordSpansTest, HoldsAnyBytesOnce) {
  std::mt19937 random(2);
  const std::vector<std::string> likely = {
      "", " ", "a", "你", "、", "「", "(", "\u0301", "\xE4", "\xBD", "\u3000"};
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> pieces(random() % 10);
    for (std::string& piece : pieces) {
      piece =
          likely[random() % likely.size()] + likely[random() % likely.size()];
      if (random() % 4 == 0) piece += static_cast<char>(random());
    }
    const Tokens tokens(pieces);
    size_t end = 0;
    for (const WordSpan& span : WordSpans(tokens.View())) {
      const size_t begin = span.text.data() - tokens.text.data();
      EXPECT_LE(end, begin);
      EXPECT_FALSE(span.text.empty());
      EXPECT_LE(span.first, span.last);
      EXPECT_LT(span.last, pieces.size());
      end = begin + span.text.size();
    }
    EXPECT_LE(end, tokens.text.size());
  }
}

}  // namespace
}  // namespace oasr
