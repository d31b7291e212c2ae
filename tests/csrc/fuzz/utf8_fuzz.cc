// Any bytes read as UTF-8 and cut into grapheme clusters.

#include "csrc/tokenizers/rendered_pieces.h"
#include "csrc/tokenizers/unicode.h"
#include "csrc/tokenizers/utf8.h"
#include "tests/csrc/fuzz/input.h"

namespace oasr {
namespace {

void ReadsAllBytes(std::string_view bytes) {
  bool valid = true;
  for (size_t position = 0; position < bytes.size();) {
    const Utf8Unit unit = NextUtf8(bytes, position);
    Require(unit.length >= 1, "a unit has a byte");
    Require(unit.length <= bytes.size() - position, "a unit is inside");
    Require(!(unit.valid && unit.open), "a whole character is not open");
    Require(!unit.open || position + unit.length == bytes.size(),
            "only the end may be open");
    if (unit.valid) {
      const CodePoint read = DecodeUtf8(bytes, position);
      Require(read.length == unit.length, "both readers agree");
    }
    valid = valid && unit.valid;
    position += unit.length;
  }
  Require(valid == IsValidUtf8(bytes), "text is valid if each unit is");
}

void CutsClusters(std::string_view bytes) {
  for (size_t position = 0; position < bytes.size();) {
    const size_t end = GraphemeEnd(bytes, position);
    Require(end > position && end <= bytes.size(), "a cluster is inside");
    position = end;
  }
}

void FindsSpaces(std::string_view text) {
  const size_t begin = LeadingSpace(text);
  const size_t end = TrailingSpace(text);
  Require(begin <= text.size() && end <= text.size(), "spaces are inside");
  Require(begin == text.size() ? end == 0 : begin < end,
          "what is no space lies between the spaces");
}

}  // namespace
}  // namespace oasr

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = oasr::Input(data, size).Rest();
  oasr::ReadsAllBytes(bytes);
  oasr::CutsClusters(bytes);
  if (oasr::IsValidUtf8(bytes)) oasr::FindsSpaces(bytes);
  return 0;
}
