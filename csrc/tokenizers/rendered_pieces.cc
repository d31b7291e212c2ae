#include "csrc/tokenizers/rendered_pieces.h"

#include <algorithm>
#include <utility>

#include "csrc/tokenizers/unicode.h"
#include "csrc/tokenizers/utf8.h"

namespace oasr {

namespace {

void MarkEachByte(RenderedPieces* pieces) {
  std::string marks;
  marks.reserve(pieces->text.size() * kReplacement.size());
  for (size_t byte = 0; byte < pieces->text.size(); ++byte) {
    marks.append(kReplacement);
  }
  pieces->text = std::move(marks);
  for (int64_t& end : pieces->ends) {
    end *= static_cast<int64_t>(kReplacement.size());
  }
}

}  // namespace

void Repair(Marks marks, RenderedPieces* pieces) {
  if (marks == Marks::kWholeRun && !IsValidUtf8(pieces->text)) {
    MarkEachByte(pieces);
    return;
  }
  const std::string raw = std::move(pieces->text);
  std::string text;
  text.reserve(raw.size());
  size_t token = 0;
  // Closes the pieces whose bytes end before `position`.
  const auto close = [&](size_t position) {
    while (static_cast<size_t>(pieces->ends[token]) < position) {
      pieces->ends[token++] = static_cast<int64_t>(text.size());
    }
  };
  for (size_t position = 0; position < raw.size();) {
    const Utf8Unit unit = NextUtf8(raw, position);
    const size_t end = position + unit.length;
    if (unit.valid) {
      close(end);
      text.append(raw, position, unit.length);
    } else if (marks == Marks::kOne) {
      close(end);
      text.append(kReplacement);
    } else {
      for (size_t byte = position + 1; byte <= end; ++byte) {
        close(byte);
        text.append(kReplacement);
      }
    }
    position = end;
  }
  for (; token < pieces->ends.size(); ++token) {
    pieces->ends[token] = static_cast<int64_t>(text.size());
  }
  pieces->text = std::move(text);
}

void Strip(RenderedPieces* pieces) {
  const size_t begin = LeadingSpace(pieces->text);
  const size_t end = std::max(begin, TrailingSpace(pieces->text));
  if (begin == 0 && end == pieces->text.size()) return;
  pieces->text = pieces->text.substr(begin, end - begin);
  for (int64_t& piece_end : pieces->ends) {
    const auto clamped = std::clamp<size_t>(piece_end, begin, end);
    piece_end = static_cast<int64_t>(clamped - begin);
  }
}

size_t LeadingSpace(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    const CodePoint next = DecodeUtf8(text, position);
    if (!IsSpace(next.value)) break;
    position += next.length;
  }
  return position;
}

size_t TrailingSpace(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t start = end - 1;
    while ((static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (!IsSpace(DecodeUtf8(text, start).value)) break;
    end = start;
  }
  return end;
}

}  // namespace oasr
