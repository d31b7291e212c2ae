// Any symbol table and any ids: the pieces join to what Python would decode.

#include "csrc/tokenizers/symbol_table.h"
#include "tests/csrc/fuzz/input.h"
#include "tests/csrc/fuzz/pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using oasr::Require;
  oasr::Input input(data, size);
  std::vector<std::pair<int64_t, std::string>> entries(input.UpTo(16));
  for (auto& [id, bytes] : entries) {
    id = input.Id();
    bytes = input.Bytes(6);
  }
  const std::vector<int64_t> ids = input.Ids(32);
  const oasr::SymbolTable table(entries);
  const oasr::RenderedPieces pieces = table.Render(ids);
  oasr::CheckPieces(pieces, ids.size());
  std::string bytes;
  for (const int64_t id : ids) {
    // The last of equal ids counts.
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (entry->first != id) continue;
      bytes += entry->second;
      break;
    }
  }
  Require(pieces.text == oasr::Stripped(oasr::Replaced(bytes)),
          "the text is the bytes of the ids, replaced and stripped");
  return 0;
}
