// Any table of pieces and any stream: deltas join to the text of the whole.

#include "csrc/tokenizers/piece_table.h"
#include "csrc/tokenizers/utf8.h"
#include "tests/csrc/fuzz/input.h"
#include "tests/csrc/fuzz/pieces.h"

namespace oasr {
namespace {

void Fill(Input* input, size_t size, PieceTable* table) {
  for (size_t id = 0; id < size; ++id) {
    const uint8_t flags = input->Byte();
    if (flags % 8 == 0) {
      table->Drop(static_cast<int64_t>(id));
      continue;
    }
    const std::string_view later = input->Bytes(5);
    std::string_view at_start = later;
    // Only whole characters may differ at the start of a text.
    if (flags % 8 == 1 && IsValidUtf8(later)) {
      at_start = later.substr(std::min(later.size(), LeadingSpace(later)));
    }
    table->Set(static_cast<int64_t>(id), {at_start, later, flags % 16 > 3});
  }
}

}  // namespace
}  // namespace oasr

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using oasr::Require;
  oasr::Input input(data, size);
  const uint8_t flags = input.Byte();
  const auto marks = flags & 1 ? oasr::Marks::kPerByte : oasr::Marks::kOne;
  const size_t count = input.UpTo(15);
  oasr::PieceTable table(count, {marks, (flags & 2) != 0});
  oasr::Fill(&input, count, &table);
  const std::vector<int64_t> ids = input.Ids(32);
  Require(table.Knows(ids), "a filled table knows all ids");
  oasr::PieceStream stream = table.NewStream();
  std::string text;
  for (size_t first = 0; first < ids.size();) {
    const size_t step = std::min(ids.size() - first, 1 + input.UpTo(4));
    text += table.Feed(ids.data() + first, step, &stream);
    Require(stream.pending.size() <= 3, "a beginning has at most 3 bytes");
    first += step;
    const std::vector<int64_t> heard(ids.begin(), ids.begin() + first);
    const oasr::RenderedPieces pieces = table.Render(heard);
    oasr::CheckPieces(pieces, heard.size());
    Require(text + stream.Unsettled() == pieces.text,
            "a stream has the text of its ids at any time");
  }
  text += stream.Finish();
  Require(text == table.Render(ids).text, "the deltas join to the text");
  Require(text == stream.given_out, "the stream keeps what it gave out");
  return 0;
}
