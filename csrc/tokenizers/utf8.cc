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

void AppendUtf8(char32_t value, std::string* text) {
  const auto add = [&](char32_t byte) {
    text->push_back(static_cast<char>(byte));
  };
  if (value < 0x80) {
    add(value);
  } else if (value < 0x800) {
    add(0xC0 | value >> 6);
    add(0x80 | (value & 0x3F));
  } else {
    if (value < 0x10000) {
      add(0xE0 | value >> 12);
    } else {
      add(0xF0 | value >> 18);
      add(0x80 | (value >> 12 & 0x3F));
    }
    add(0x80 | (value >> 6 & 0x3F));
    add(0x80 | (value & 0x3F));
  }
}

}  // namespace oasr
