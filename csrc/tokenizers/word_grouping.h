// Groups the pieces of one hypothesis into timed words.
//
// The text, all pieces joined, is cut at whitespace (Python's `str.isspace`)
// into chunks, and each chunk on its own into extended grapheme clusters. The
// first character of a cluster gives its class, category before script:
//
//   OPEN       categories Ps and Pi, U+00BF, U+00A1         ( [ « “ 「
//   CLOSE      categories Pe, Pf and all other Po            , . ) » ” 」
//   SPACELESS  scripts Han, Thai, Lao, Khmer, Myanmar and Tibetan, and what
//              Script_Extensions gives to Hiragana or Katakana
//   LETTER     everything else: Hangul, digits, dashes, symbols, emoji, broken
//              bytes
//
// SPACELESS and LETTER clusters are units, OPEN and CLOSE ones marks. Then:
//
// - A SPACELESS cluster is a word with the marks that join it. LETTER clusters
//   with nothing or only marks between them are one word, marks included:
//   "j'ai", "22,66" and "foo(bar)" are a word each.
// - Of the marks between two units of which one is SPACELESS, those before the
//   first OPEN one join the unit before, the rest the unit behind.
// - Marks at the start of a chunk join its first unit, those at the end its
// last.
//   A chunk of marks alone is a word.
//
// So each word is a literal part of the text, no word holds whitespace, and
// every other character is in exactly one word.
//
// A word's tokens are those with a byte of their piece in the word, and those
// that lend to it: a token with an empty piece and `lends[k]` set lends to the
// first word touched by the next token that touches any, or to the last word
// when no such token follows. Blank pieces touch nothing and lend nothing.
//
//   text "今日は副業", pieces 今日は | (empty, lends) | 副 | 業
//   ->  今 [0, 0], 日 [0, 0], は [0, 0], 副 [1, 2], 業 [3, 3]

#ifndef OASR_CSRC_TOKENIZERS_WORD_GROUPING_H_
#define OASR_CSRC_TOKENIZERS_WORD_GROUPING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace oasr {

// Values that the caller owns.
template <typename T>
struct ArrayView {
  const T* data = nullptr;
  size_t size = 0;

  const T& operator[](size_t k) const { return data[k]; }
};

// The pieces of one hypothesis. Nothing is copied: what it views must live on.
struct Pieces {
  std::string_view text;     // UTF-8 as DecodeUtf8 reads it, all pieces joined.
  ArrayView<int64_t> ends;   // Piece k is text[ends[k-1], ends[k]), in bytes.
  ArrayView<uint8_t> lends;  // Not zero: token k lends when its piece is empty.
};

// When and how surely each token was heard; one value per token.
struct TokenTimes {
  ArrayView<double> starts;  // Seconds, or any unit of the caller's.
  ArrayView<double> ends;    // As `starts`; no token ends before it starts.
  std::optional<ArrayView<double>> confidences;
};

// A word and the first and the last of its tokens.
struct WordSpan {
  std::string_view text;  // A part of `Pieces::text`.
  size_t first;
  size_t last;
};

// A word and what its tokens say of it.
struct TimedWord {
  std::string_view text;  // A part of `Pieces::text`.
  double start;           // The smallest start of its tokens.
  double end;             // The largest end of its tokens.
  double confidence;      // The mean over its tokens; 0 if none were given.
};

// Returns the words of `text`, in order.
std::vector<std::string_view> SplitWords(std::string_view text);

// Returns the words of `pieces` and the tokens that wrote them, in linear time.
//
// Throws std::invalid_argument when the lengths differ or the ends decrease or
// do not reach the end of the text.
std::vector<WordSpan> WordSpans(const Pieces& pieces);

// Returns the words of `pieces` with times and confidences, in linear time.
//
// Throws as WordSpans does, and when a time or confidence is not finite or a
// token ends before it starts.
std::vector<TimedWord> GroupWords(const Pieces& pieces,
                                  const TokenTimes& times);

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_WORD_GROUPING_H_
