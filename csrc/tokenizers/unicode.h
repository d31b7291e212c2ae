// Code points and what Unicode says about them: spaces, grapheme clusters, and
// the class of a character in the rule of words.
//
// All properties are those of one Unicode version, see tools/unicode_tables.py.

#ifndef OASR_CSRC_TOKENIZERS_UNICODE_H_
#define OASR_CSRC_TOKENIZERS_UNICODE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oasr {

// What stands for a byte that is part of no character.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct CodePoint {
  char32_t value;
  size_t length;  // In bytes, 1 to 4.
};

// Returns the code point that starts at `text[position]`.
//
// UTF-8 is read as Python writes it with "surrogatepass": a lone surrogate is a
// code point of three bytes. A byte that starts no whole character is
// U+FFFD of length 1, whatever follows it.
// Requires `position < text.size()`.
CodePoint DecodeUtf8(std::string_view text, size_t position);

// How a character behaves in a word; word_grouping.h states the rule.
enum class WordClass : uint8_t {
  kLetter,     // Everything that no other class holds.
  kOpen,       // Categories Ps and Pi, and the inverted marks U+00BF, U+00A1.
  kClose,      // Categories Pe and Pf, and Po but for those two.
  kSpaceless,  // Scripts that are written without spaces.
};

// Grapheme_Cluster_Break, split where UAX #29 looks at a second property.
enum class GraphemeClass : uint8_t {
  kOther,
  kCr,
  kLf,
  kControl,
  kExtend,     // Indic_Conjunct_Break=Extend, as nearly all of Extend.
  kNonJoiner,  // The rest of Extend: it ends an Indic conjunct.
  kLinker,     // Indic_Conjunct_Break=Linker; Extend, too.
  kZwj,
  kRegionalIndicator,
  kPrepend,
  kSpacingMark,
  kHangulL,
  kHangulV,
  kHangulT,
  kHangulLv,
  kHangulLvt,
  kPictographic,  // Extended_Pictographic; otherwise Other.
  kConsonant,     // Indic_Conjunct_Break=Consonant; otherwise Other.
};

// The properties of any value; those above U+10FFFF count as unassigned.

// Returns whether Python's `str.isspace` is true of `code_point`.
bool IsSpace(char32_t code_point);
WordClass GetWordClass(char32_t code_point);
GraphemeClass GetGraphemeClass(char32_t code_point);

// Returns the end of the extended grapheme cluster that starts at `position`.
//
// `position` is taken as a boundary, and the text as ending where `text` does.
// Reads each code point of the cluster once, and the one behind it.
//
//   GraphemeEnd("e\u0301a", 0) == 3
//
// Requires `position < text.size()`.
size_t GraphemeEnd(std::string_view text, size_t position);

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_UNICODE_H_
