// Symbol tables: the text that each token id adds.

#ifndef OASR_CSRC_TOKENIZERS_SYMBOL_TABLE_H_
#define OASR_CSRC_TOKENIZERS_SYMBOL_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "csrc/tokenizers/rendered_pieces.h"

namespace oasr {

// Maps ids to the bytes they render. Immutable, so threads may share it.
//
//   SymbolTable table({{3, " a"}, {4, "\xE4\xBD"}, {5, "\xA0"}});
//   table.Render({3, 4, 5})  ->  "a你" with the pieces "a", "" and "你"
class SymbolTable {
 public:
  explicit SymbolTable(std::vector<std::pair<int64_t, std::string>> pieces);

  // A copy would view the pieces of the original; moving keeps them in place.
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;
  SymbolTable(SymbolTable&&) = default;
  SymbolTable& operator=(SymbolTable&&) = default;

  // Returns the pieces of `ids`: what Python's `decode("utf-8",
  // "replace").strip()` makes of their bytes, cut by who wrote what.
  //
  // A character belongs to the id with its last byte, a mark for broken bytes
  // to the last id that gave one of them, whitespace at both ends to nobody. An
  // id that is not in the table renders nothing.
  RenderedPieces Render(const std::vector<int64_t>& ids) const;

  // Returns whether the table has `id`, if only to render nothing.
  bool Has(int64_t id) const;

 private:
  std::string_view Find(int64_t id) const;

  std::unordered_map<int64_t, std::string> pieces_;
  std::vector<std::string_view> dense_;  // By id; views into pieces_.
  bool whole_characters_ = true;         // Whether each piece is valid UTF-8.
};

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_SYMBOL_TABLE_H_
