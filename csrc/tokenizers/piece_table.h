// Exact streams of text from a table of bytes per id, without the runtime.
//
// Where the text of an id depends on nothing but whether the start of the text
// lies behind, a stream needs no more than the bytes of each id, and a few
// bytes of state. The table is filled as ids come: who owns it asks the runtime
// once for each.

#ifndef OASR_CSRC_TOKENIZERS_PIECE_TABLE_H_
#define OASR_CSRC_TOKENIZERS_PIECE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "csrc/tokenizers/rendered_pieces.h"

namespace oasr {

// What a stream keeps: a constant size beside the text.
struct PieceStream {
  Marks marks = Marks::kOne;  // As the table that reads it has them.
  bool strips_ends = false;   // So, too.
  std::string first_dropped;  // So, too.
  std::string given_out;      // The deltas, joined.
  std::string blanks;         // Whitespace that a strip of the end would take.
  std::string pending;    // The bytes, at most 3, of an incomplete character.
  std::string run;        // The finished characters of an open run of byte ids
                          // that a bad byte would undo.
  size_t run_length = 0;  // The bytes of that run, pending ones included.
  bool run_at_start = false;  // Whether it began at the start of the text.
  bool run_broken = false;    // Whether a bad byte came.
  bool past_start = false;    // Whether the rules for the start lie behind.
  bool begun = false;         // Whether a visible character was given out.
  bool finished = false;

  // Returns how the text that is held back renders now.
  std::string Unsettled() const;

  // Ends the stream; returns the text held back until now.
  std::string Finish();

  // Ends the run of byte ids; gives its text out.
  void CloseRun();
};

// The bytes of each id, and how a stream reads them.
//
//   PieceTable table(6, {Marks::kOne, /*strips_ends=*/false});
//   table.Set(3, {"a"}); table.Set(4, {"\xE4\xBD"}); table.Set(5, {"\xA0"});
//   PieceStream stream;
//   table.Feed({3, 4}, &stream)  ->  "a"
//   table.Feed({5}, &stream)     ->  "你"
class PieceTable {
 public:
  struct Reading {
    Marks marks;
    bool strips_ends;  // Whether the text is stripped at both ends.
    std::string first_dropped = "";  // The character that is left out if a run
                                     // of byte ids begins the text with it.
  };

  // What an id renders at the start of a text and behind it. Either is whole
  // characters in both places, or the same bytes in both.
  struct Piece {
    std::string_view at_start;
    std::string_view later;
    bool ends_start;       // Whether what follows is beyond the start.
    bool is_byte = false;  // Whether it is of a run that a bad byte undoes,
                           // even where it is a whole character.
  };

  // Ids outside [0, size) render nothing.
  PieceTable(size_t size, const Reading& reading)
      : reading_(reading), entries_(size) {}

  // Throws std::out_of_range for an id outside the table.
  void Set(int64_t id, const Piece& piece);

  // Says that an id renders nothing and changes nothing, wherever it stands.
  void Drop(int64_t id);

  // Returns whether every one of `ids` was set, dropped, or is outside.
  bool Knows(const std::vector<int64_t>& ids) const;
  bool Knows(int64_t id) const {
    return !Has(id) || entries_[id].state != State::kUnknown;
  }

  // Takes ids in; returns the text that they settle. Requires Knows(ids).
  std::string_view Feed(const int64_t* ids, size_t count,
                        PieceStream* stream) const;

  // Returns the stream of a text of which nothing was decoded.
  PieceStream NewStream() const {
    PieceStream stream;
    stream.marks = reading_.marks;
    stream.strips_ends = reading_.strips_ends;
    stream.first_dropped = reading_.first_dropped;
    return stream;
  }

  // Returns whether a stream is of a table that reads as this one does.
  bool Reads(const PieceStream& stream) const {
    return stream.marks == reading_.marks &&
           stream.strips_ends == reading_.strips_ends &&
           stream.first_dropped == reading_.first_dropped;
  }

  // Returns the pieces of a whole hypothesis. Requires Knows(ids).
  RenderedPieces Render(const std::vector<int64_t>& ids) const;

  // How an id takes part in a text.
  enum class Part {
    kNone,   // It renders nothing and changes nothing.
    kWhole,  // It renders whole characters, whatever stands around it.
    kBytes,  // It may hold parts of characters.
  };
  Part PartOf(int64_t id) const;

  // Returns what an id renders. Requires a part that is not kNone.
  Piece PieceOf(int64_t id) const {
    const Entry& entry = entries_[id];
    return {BytesOf(entry, false), BytesOf(entry, true), entry.ends_start,
            entry.state == State::kBytes};
  }

  // Returns the pieces of the run of byte ids that begins at `*place`, up to
  // the next id of whole characters; moves `*place` there. Requires Knows(ids).
  RenderedPieces RenderRun(const std::vector<int64_t>& ids, size_t* place,
                           bool* past_start) const;

  bool strips_ends() const { return reading_.strips_ends; }

 private:
  enum class State : uint8_t { kUnknown, kDropped, kWhole, kBytes };

  // Views into bytes_, by offset, so that it may grow.
  struct Entry {
    uint32_t at_start = 0;
    uint32_t at_start_size = 0;
    uint32_t later = 0;
    uint32_t later_size = 0;
    State state = State::kUnknown;
    bool ends_start = false;
  };

  bool Has(int64_t id) const {
    return id >= 0 && static_cast<size_t>(id) < entries_.size();
  }
  std::string_view BytesOf(const Entry& entry, bool past_start) const {
    const std::string_view bytes = bytes_;
    return past_start ? bytes.substr(entry.later, entry.later_size)
                      : bytes.substr(entry.at_start, entry.at_start_size);
  }
  Entry& At(int64_t id);
  void Give(std::string_view text, PieceStream* stream) const;
  void GiveMarks(size_t broken, PieceStream* stream) const;
  void FeedBytes(std::string_view bytes, PieceStream* stream) const;
  void FeedRun(std::string_view bytes, bool at_start,
               PieceStream* stream) const;
  void GiveBlanksBefore(PieceStream* stream) const;

  const Reading reading_;
  std::vector<Entry> entries_;
  std::string bytes_;
};

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_PIECE_TABLE_H_
