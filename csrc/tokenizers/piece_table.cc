#include "csrc/tokenizers/piece_table.h"

#include <algorithm>
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

// Appends as many marks.
void AppendMarks(size_t count, std::string* text) {
  for (size_t k = 0; k < count; ++k) text->append(kReplacement);
}

// Takes the character that a start leaves out.
void DropFirst(std::string_view dropped, std::string* text) {
  if (text->compare(0, dropped.size(), dropped) == 0) {
    text->erase(0, dropped.size());
  }
}

}  // namespace

std::string PieceStream::Unsettled() const {
  if (finished) return "";
  if (run_length > 0) {
    std::string text;
    if (run_broken) return text;
    if (!pending.empty()) {
      AppendMarks(run_length, &text);
      return text;
    }
    text = run;
    if (run_at_start) DropFirst(first_dropped, &text);
    return text;
  }
  if (pending.empty()) return "";
  const size_t count = marks == Marks::kOne ? 1 : pending.size();
  std::string text = blanks;
  AppendMarks(count, &text);
  return text;
}

void PieceStream::CloseRun() {
  given_out.append(Unsettled());
  run.clear();
  pending.clear();
  run_length = 0;
  run_broken = false;
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
  const bool whole =
      !piece.is_byte && IsValidUtf8(piece.at_start) && IsValidUtf8(piece.later);
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
    const bool at_start = !stream->past_start;
    const std::string_view bytes = BytesOf(entry, stream->past_start);
    stream->past_start = stream->past_start || entry.ends_start;
    if (entry.state == State::kBytes) {
      if (reading_.marks == Marks::kWholeRun) {
        FeedRun(bytes, at_start, stream);
      } else {
        FeedBytes(bytes, stream);
      }
      continue;
    }
    if (stream->run_length > 0) {
      stream->CloseRun();
    } else if (!stream->pending.empty()) {
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
  for (size_t k = 0; k < ids.size();) {
    const Part part = PartOf(ids[k]);
    if (part == Part::kBytes) {
      const RenderedPieces run = RenderRun(ids, &k, &past_start);
      const auto before = static_cast<int64_t>(pieces.text.size());
      for (const int64_t end : run.ends) pieces.ends.push_back(before + end);
      pieces.text.append(run.text);
      continue;
    }
    if (part == Part::kWhole) {
      const Entry& entry = entries_[ids[k]];
      pieces.text.append(BytesOf(entry, past_start));
      past_start = past_start || entry.ends_start;
    }
    pieces.ends.push_back(static_cast<int64_t>(pieces.text.size()));
    ++k;
  }
  if (reading_.strips_ends) Strip(&pieces);
  return pieces;
}

PieceTable::Part PieceTable::PartOf(int64_t id) const {
  if (!Has(id)) return Part::kNone;
  const State state = entries_[id].state;
  if (state == State::kDropped) return Part::kNone;
  return state == State::kWhole ? Part::kWhole : Part::kBytes;
}

RenderedPieces PieceTable::RenderRun(const std::vector<int64_t>& ids,
                                     size_t* place, bool* past_start) const {
  RenderedPieces pieces;
  const bool at_start = !*past_start;
  for (; *place < ids.size(); ++*place) {
    const Part part = PartOf(ids[*place]);
    if (part == Part::kWhole) break;
    if (part == Part::kBytes) {
      // Bytes are the same at the start of a text and behind it.
      const Entry& entry = entries_[ids[*place]];
      pieces.text.append(BytesOf(entry, true));
      *past_start = *past_start || entry.ends_start;
    }
    pieces.ends.push_back(static_cast<int64_t>(pieces.text.size()));
  }
  Repair(reading_.marks, &pieces);
  if (at_start) {
    const size_t before = pieces.text.size();
    DropFirst(reading_.first_dropped, &pieces.text);
    const auto dropped = static_cast<int64_t>(before - pieces.text.size());
    for (int64_t& end : pieces.ends) end = std::max<int64_t>(end - dropped, 0);
  }
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

void PieceTable::FeedRun(std::string_view bytes, bool at_start,
                         PieceStream* stream) const {
  for (const char byte : bytes) {
    if (stream->run_length++ == 0) stream->run_at_start = at_start;
    if (stream->run_broken) {
      stream->given_out.append(kReplacement);
      continue;
    }
    stream->pending.push_back(byte);
    const Utf8Unit unit = NextUtf8(stream->pending, 0);
    if (unit.open) continue;
    if (unit.valid) {
      stream->run.append(stream->pending);
    } else {
      AppendMarks(stream->run_length, &stream->given_out);
      stream->run.clear();
      stream->run_broken = true;
    }
    stream->pending.clear();
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
