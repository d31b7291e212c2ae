#include "csrc/tokenizers/piece_table.h"

#include <limits>
#include <stdexcept>

#include "csrc/tokenizers/utf8.h"

namespace oasr {
namespace {

// Returns whether `beginning` may become a whitespace character of several
// bytes: U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F,
// U+205F, U+3000.
bool MayBeSpace(std::string_view beginning) {
  if (beginning.size() == 1) {
    return beginning == "\xC2" || beginning == "\xE1" || beginning == "\xE2" ||
           beginning == "\xE3";
  }
  return beginning == "\xE1\x9A" || beginning == "\xE2\x80" ||
         beginning == "\xE2\x81" || beginning == "\xE3\x80";
}

// Returns whether the last character of valid, non-empty UTF-8 is no
// whitespace; a quick no is right, too.
bool EndsVisibly(std::string_view text) {
  const unsigned char last = text.back();
  return last > ' ' && last < 0x7F;
}

}  // namespace

std::string PieceStream::Unsettled() const {
  if (pending.empty() || finished) return "";
  const size_t count = marks == Marks::kOne ? 1 : pending.size();
  std::string text = blanks;
  for (size_t k = 0; k < count; ++k) text.append(kReplacement);
  return text;
}

std::string PieceStream::Finish() {
  const std::string rest = Unsettled();
  given_out.append(rest);
  finished = true;
  return rest;
}

void PieceTable::Set(int64_t id, const Piece& piece) {
  Entry& entry = At(id);
  const size_t size = piece.at_start.size() + piece.later.size();
  if (bytes_.size() + size > std::numeric_limits<uint32_t>::max()) {
    throw std::length_error("The pieces of a table may have 4 GiB.");
  }
  const bool whole = IsValidUtf8(piece.at_start) && IsValidUtf8(piece.later);
  entry.state = whole ? State::kWhole : State::kBytes;
  entry.ends_start = piece.ends_start;
  entry.at_start = static_cast<uint32_t>(bytes_.size());
  entry.at_start_size = static_cast<uint32_t>(piece.at_start.size());
  bytes_.append(piece.at_start);
  entry.later = static_cast<uint32_t>(bytes_.size());
  entry.later_size = static_cast<uint32_t>(piece.later.size());
  bytes_.append(piece.later);
}

void PieceTable::Drop(int64_t id) { At(id).state = State::kDropped; }

bool PieceTable::Knows(const std::vector<int64_t>& ids) const {
  for (const int64_t id : ids) {
    if (!Knows(id)) return false;
  }
  return true;
}

std::string_view PieceTable::Feed(const int64_t* ids, size_t count,
                                  PieceStream* stream) const {
  const size_t before = stream->given_out.size();
  for (size_t k = 0; k < count; ++k) {
    if (!Has(ids[k])) continue;
    const Entry& entry = entries_[ids[k]];
    if (entry.state == State::kDropped) continue;
    const std::string_view bytes = BytesOf(entry, stream->past_start);
    stream->past_start = stream->past_start || entry.ends_start;
    if (entry.state == State::kBytes) {
      FeedBytes(bytes, stream);
      continue;
    }
    if (!stream->pending.empty()) {
      GiveMarks(stream->pending.size(), stream);
      stream->pending.clear();
    }
    Give(bytes, stream);
  }
  if (!stream->pending.empty()) GiveBlanksBefore(stream);
  return std::string_view(stream->given_out).substr(before);
}

RenderedPieces PieceTable::Render(const std::vector<int64_t>& ids) const {
  RenderedPieces pieces;
  pieces.ends.reserve(ids.size());
  bool past_start = false;
  bool whole = true;
  std::vector<size_t> breaks;  // Where an id without text ends a run of bytes.
  for (const int64_t id : ids) {
    if (Has(id) && entries_[id].state != State::kDropped) {
      const Entry& entry = entries_[id];
      const std::string_view bytes = BytesOf(entry, past_start);
      if (bytes.empty()) breaks.push_back(pieces.text.size());
      pieces.text.append(bytes);
      past_start = past_start || entry.ends_start;
      whole = whole && entry.state == State::kWhole;
    }
    pieces.ends.push_back(static_cast<int64_t>(pieces.text.size()));
  }
  if (!whole) Repair(reading_.marks, breaks, &pieces);
  if (reading_.strips_ends) Strip(&pieces);
  return pieces;
}

PieceTable::Entry& PieceTable::At(int64_t id) {
  if (!Has(id)) {
    throw std::out_of_range("The id " + std::to_string(id) +
                            " is outside the table of " +
                            std::to_string(entries_.size()) + ".");
  }
  return entries_[id];
}

// Gives whole characters out, but for blanks that a strip may take.
void PieceTable::Give(std::string_view text, PieceStream* stream) const {
  if (!reading_.strips_ends) {
    stream->given_out.append(text);
    return;
  }
  if (!stream->begun) text.remove_prefix(LeadingSpace(text));
  if (text.empty()) return;
  const size_t visible = EndsVisibly(text) ? text.size() : TrailingSpace(text);
  if (visible > 0) {
    stream->given_out.append(stream->blanks);
    stream->given_out.append(text, 0, visible);
    stream->blanks.clear();
    stream->begun = true;
  }
  stream->blanks.append(text, visible);
}

// Gives the marks of a character out of which `broken` bytes came.
void PieceTable::GiveMarks(size_t broken, PieceStream* stream) const {
  const size_t marks = reading_.marks == Marks::kOne ? 1 : broken;
  for (size_t k = 0; k < marks; ++k) Give(kReplacement, stream);
}

void PieceTable::FeedBytes(std::string_view bytes, PieceStream* stream) const {
  std::string joined = std::move(stream->pending);
  joined.append(bytes);
  stream->pending.clear();
  for (size_t position = 0; position < joined.size();) {
    const Utf8Unit unit = NextUtf8(joined, position);
    if (unit.open) {
      stream->pending = joined.substr(position);
      return;
    }
    if (unit.valid) {
      Give(std::string_view(joined).substr(position, unit.length), stream);
    } else {
      GiveMarks(unit.length, stream);
    }
    position += unit.length;
  }
}

// What cannot become whitespace keeps the blanks before it from the strip.
void PieceTable::GiveBlanksBefore(PieceStream* stream) const {
  if (!reading_.strips_ends || MayBeSpace(stream->pending)) return;
  stream->given_out.append(stream->blanks);
  stream->blanks.clear();
  stream->begun = true;
}

}  // namespace oasr
