#include "csrc/tokenizers/unicode.h"

#include "csrc/tokenizers/unicode_tables.h"

namespace oasr {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;

// Returns the byte of unicode_tables.h that holds what is known of a character.
uint8_t Properties(char32_t code_point) {
  if (code_point > kLastCodePoint) return 0;
  const size_t block =
      unicode_tables::kBlockOf[code_point / unicode_tables::kBlockSize];
  return unicode_tables::kBlocks[block]
                                [code_point % unicode_tables::kBlockSize];
}

// What the part of a cluster read so far is to the character behind it.
enum class ClusterState {
  kBreak,          // Not a part of the cluster: it ends before this character.
  kPlain,          // Only an extending character joins.
  kCr,             // Only a line feed joins.
  kControl,        // Nothing joins.
  kPrepend,        // All but controls join.
  kHangulL,        // L, V, LV and LVT join (GB6).
  kHangulV,        // V and T join (GB7).
  kHangulT,        // T joins (GB8).
  kOneIndicator,   // A regional indicator joins, to make a flag (GB12, GB13).
  kPictographic,   // A pictograph and extending characters.
  kPictographZwj,  // The same and a joiner: a pictograph joins (GB11).
  kConsonant,      // An Indic consonant and extending characters, no linker.
  kLinked,         // The same with a linker: a consonant joins (GB9c).
};

// Returns the state behind the first character of a cluster.
ClusterState Start(GraphemeClass first) {
  switch (first) {
    case GraphemeClass::kCr:
      return ClusterState::kCr;
    case GraphemeClass::kLf:
    case GraphemeClass::kControl:
      return ClusterState::kControl;
    case GraphemeClass::kRegionalIndicator:
      return ClusterState::kOneIndicator;
    case GraphemeClass::kPrepend:
      return ClusterState::kPrepend;
    case GraphemeClass::kHangulL:
      return ClusterState::kHangulL;
    case GraphemeClass::kHangulV:
    case GraphemeClass::kHangulLv:
      return ClusterState::kHangulV;
    case GraphemeClass::kHangulT:
    case GraphemeClass::kHangulLvt:
      return ClusterState::kHangulT;
    case GraphemeClass::kPictographic:
      return ClusterState::kPictographic;
    case GraphemeClass::kConsonant:
      return ClusterState::kConsonant;
    default:
      return ClusterState::kPlain;
  }
}

bool IsControl(GraphemeClass next) {
  return next == GraphemeClass::kCr || next == GraphemeClass::kLf ||
         next == GraphemeClass::kControl;
}

bool IsExtending(GraphemeClass next) {
  return next == GraphemeClass::kExtend || next == GraphemeClass::kNonJoiner ||
         next == GraphemeClass::kLinker || next == GraphemeClass::kZwj ||
         next == GraphemeClass::kSpacingMark;
}

// Returns the state behind a character that joins whatever is no control (GB9,
// GB9a).
ClusterState Extend(ClusterState state, GraphemeClass next) {
  const bool spacing = next == GraphemeClass::kSpacingMark;
  if (state == ClusterState::kPictographic && !spacing) {
    return next == GraphemeClass::kZwj ? ClusterState::kPictographZwj
                                       : ClusterState::kPictographic;
  }
  const bool ends_conjunct = spacing || next == GraphemeClass::kNonJoiner;
  if (state == ClusterState::kConsonant && !ends_conjunct) {
    return next == GraphemeClass::kLinker ? ClusterState::kLinked
                                          : ClusterState::kConsonant;
  }
  if (state == ClusterState::kLinked && !ends_conjunct) return state;
  return ClusterState::kPlain;
}

// Returns whether a character that extends nothing by itself joins all the
// same.
bool Joins(ClusterState state, GraphemeClass next) {
  switch (state) {
    case ClusterState::kPrepend:
      return true;
    case ClusterState::kHangulL:
      return next == GraphemeClass::kHangulL ||
             next == GraphemeClass::kHangulV ||
             next == GraphemeClass::kHangulLv ||
             next == GraphemeClass::kHangulLvt;
    case ClusterState::kHangulV:
      return next == GraphemeClass::kHangulV || next == GraphemeClass::kHangulT;
    case ClusterState::kHangulT:
      return next == GraphemeClass::kHangulT;
    case ClusterState::kOneIndicator:
      return next == GraphemeClass::kRegionalIndicator;
    case ClusterState::kPictographZwj:
      return next == GraphemeClass::kPictographic;
    case ClusterState::kLinked:
      return next == GraphemeClass::kConsonant;
    default:
      return false;
  }
}

// Returns the state behind `next`, or kBreak. Equals the rules of UAX #29
// because none of them looks behind the start of a cluster.
ClusterState Advance(ClusterState state, GraphemeClass next) {
  if (state == ClusterState::kCr && next == GraphemeClass::kLf) {
    return ClusterState::kControl;
  }
  if (state == ClusterState::kCr || state == ClusterState::kControl ||
      IsControl(next)) {
    return ClusterState::kBreak;
  }
  if (IsExtending(next)) return Extend(state, next);
  if (!Joins(state, next)) return ClusterState::kBreak;
  // The second half of a flag starts no flag.
  return state == ClusterState::kOneIndicator ? ClusterState::kPlain
                                              : Start(next);
}

bool IsAscii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

}  // namespace

CodePoint DecodeUtf8(std::string_view text, size_t position) {
  const auto byte = [&](size_t k) {
    return static_cast<unsigned char>(text[position + k]);
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  constexpr CodePoint kInvalid = {kReplacementCharacter, 1};
  if (lead < 0xC2 || lead > 0xF4) return kInvalid;

  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - position < length) return kInvalid;
  char32_t value = lead & (0x7F >> length);
  for (size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return kInvalid;
    value = value << 6 | (byte(k) & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > kLastCodePoint) return kInvalid;
  return {value, length};
}

bool IsSpace(char32_t code_point) {
  return Properties(code_point) & unicode_tables::kSpaceBit;
}

WordClass GetWordClass(char32_t code_point) {
  return static_cast<WordClass>(Properties(code_point) >>
                                    unicode_tables::kWordClassShift &
                                unicode_tables::kWordClassMask);
}

GraphemeClass GetGraphemeClass(char32_t code_point) {
  return static_cast<GraphemeClass>(Properties(code_point) &
                                    unicode_tables::kGraphemeClassMask);
}

size_t GraphemeEnd(std::string_view text, size_t position) {
  // Of two ASCII characters only CR LF join.
  if (position + 1 < text.size() && IsAscii(text[position]) &&
      IsAscii(text[position + 1]) && text[position] != '\r') {
    return position + 1;
  }
  CodePoint next = DecodeUtf8(text, position);
  ClusterState state = Start(GetGraphemeClass(next.value));
  for (position += next.length; position < text.size();
       position += next.length) {
    next = DecodeUtf8(text, position);
    state = Advance(state, GetGraphemeClass(next.value));
    if (state == ClusterState::kBreak) break;
  }
  return position;
}

}  // namespace oasr
