#include "csrc/tokenizers/utf8.h"

namespace oasr {
namespace {

// What may follow a lead byte: table 3-7 of the Unicode Standard.
struct Lead {
  size_t length;              // Of the character; 0 for what begins nothing.
  unsigned char low = 0x80;   // The range of the second byte.
  unsigned char high = 0xBF;  // Every later one is 80 to BF.
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

}  // namespace

Utf8Unit NextUtf8(std::string_view bytes, size_t position) {
  const auto at = [&](size_t k) {
    return static_cast<unsigned char>(bytes[position + k]);
  };
  const Lead lead = LeadOf(at(0));
  if (lead.length == 0) return {1, false, false};
  for (size_t k = 1; k < lead.length; ++k) {
    if (position + k == bytes.size()) return {k, false, true};
    const unsigned char low = k == 1 ? lead.low : 0x80;
    const unsigned char high = k == 1 ? lead.high : 0xBF;
    if (at(k) < low || at(k) > high) return {k, false, false};
  }
  return {lead.length, true, false};
}

bool IsValidUtf8(std::string_view bytes) {
  for (size_t position = 0; position < bytes.size();) {
    const Utf8Unit unit = NextUtf8(bytes, position);
    if (!unit.valid) return false;
    position += unit.length;
  }
  return true;
}

}  // namespace oasr
