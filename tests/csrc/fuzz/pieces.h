// What pieces of text must be, whoever rendered them.

#ifndef OASR_TESTS_CSRC_FUZZ_PIECES_H_
#define OASR_TESTS_CSRC_FUZZ_PIECES_H_

#include <string>
#include <string_view>

#include "csrc/tokenizers/rendered_pieces.h"
#include "csrc/tokenizers/unicode.h"
#include "csrc/tokenizers/utf8.h"
#include "tests/csrc/fuzz/input.h"

namespace oasr {

// Returns `bytes` as Python's "replace" decodes them.
inline std::string Replaced(std::string_view bytes) {
  std::string text;
  for (size_t position = 0; position < bytes.size();) {
    const Utf8Unit unit = NextUtf8(bytes, position);
    text.append(unit.valid ? bytes.substr(position, unit.length)
                           : kReplacement);
    position += unit.length;
  }
  return text;
}

// Returns `text` without the whitespace at its ends, looking from its start.
inline std::string_view Stripped(std::string_view text) {
  size_t begin = text.size();
  size_t end = 0;
  for (size_t position = 0; position < text.size();) {
    const CodePoint next = DecodeUtf8(text, position);
    if (!IsSpace(next.value)) {
      begin = std::min(begin, position);
      end = position + next.length;
    }
    position += next.length;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

inline void CheckPieces(const RenderedPieces& pieces, size_t count) {
  Require(IsValidUtf8(pieces.text), "the text is UTF-8");
  Require(pieces.ends.size() == count, "there is a piece per id");
  int64_t before = 0;
  for (const int64_t end : pieces.ends) {
    Require(before <= end, "pieces follow each other");
    before = end;
  }
  Require(count == 0 || before == static_cast<int64_t>(pieces.text.size()),
          "the pieces join to the text");
}

}  // namespace oasr

#endif  // OASR_TESTS_CSRC_FUZZ_PIECES_H_
