// UTF-8 that arrives in parts, and may be broken.

#ifndef OASR_CSRC_TOKENIZERS_UTF8_H_
#define OASR_CSRC_TOKENIZERS_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace oasr {

// U+FFFD, which stands for bytes that are no character.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes at one position: a character, or a broken beginning of one.
struct Utf8Unit {
  size_t length;  // At least 1.
  bool valid;     // Whether the bytes are a whole character.
  bool open;      // Whether more bytes could still make them one.
};

// Returns the unit that begins at `bytes[position]`.
//
// A broken unit is a maximal subpart, as the Unicode Standard, section 3.9,
// calls the longest beginning of a valid character; Python's "replace" writes
// one U+FFFD for each. Bytes C0, C1 and F5 to FF begin nothing. Requires
// `position < bytes.size()`.
Utf8Unit NextUtf8(std::string_view bytes, size_t position);

// Returns whether `bytes` are whole characters.
bool IsValidUtf8(std::string_view bytes);

// Appends a code point, that of a surrogate as three bytes, too.
void AppendUtf8(char32_t value, std::string* text);

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_UTF8_H_
