// The pieces of a hypothesis: bytes of many ids made text, cut by who wrote
// what.

#ifndef OASR_CSRC_TOKENIZERS_RENDERED_PIECES_H_
#define OASR_CSRC_TOKENIZERS_RENDERED_PIECES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oasr {

// The pieces of one hypothesis, joined: piece k is text[ends[k - 1], ends[k]).
struct RenderedPieces {
  std::string text;
  std::vector<int64_t> ends;  // In bytes.
};

// How many marks stand for a broken character.
enum class Marks {
  kOne,       // One, as Python's "replace" writes it.
  kPerByte,   // One for each byte, as SentencePiece writes it.
  kWholeRun,  // One for each byte of the run of byte ids around it, finished
              // characters included, as ByteFallback writes it.
};

// Replaces what is no character; moves each end to where its bytes went.
//
// A character belongs to the piece with its last byte. So does the one mark of
// a broken character; of a mark per byte, each belongs to the piece of its
// byte. Of kWholeRun all of the text is one run.
void Repair(Marks marks, RenderedPieces* pieces);

// Takes the whitespace at both ends of the text from the pieces that hold it.
void Strip(RenderedPieces* pieces);

// Returns how many bytes of whitespace `text`, valid UTF-8, begins with.
size_t LeadingSpace(std::string_view text);

// Returns where the whitespace at the end of `text`, valid UTF-8, begins.
size_t TrailingSpace(std::string_view text);

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_RENDERED_PIECES_H_
