#include "csrc/tokenizers/symbol_table.h"

#include <algorithm>

#include "csrc/tokenizers/utf8.h"

namespace oasr {

SymbolTable::SymbolTable(std::vector<std::pair<int64_t, std::string>> pieces) {
  int64_t largest = -1;
  for (auto& [id, bytes] : pieces) {
    largest = std::max(largest, id);
    whole_characters_ = whole_characters_ && IsValidUtf8(bytes);
    pieces_[id] = std::move(bytes);
  }
  // Few, large ids would leave a list mostly empty: a hash finds those.
  if (largest >= static_cast<int64_t>(4 * pieces_.size() + 1024)) return;
  dense_.resize(largest + 1);
  for (const auto& [id, bytes] : pieces_) {
    if (id >= 0) dense_[id] = bytes;
  }
}

RenderedPieces SymbolTable::Render(const std::vector<int64_t>& ids) const {
  RenderedPieces pieces;
  pieces.ends.reserve(ids.size());
  for (const int64_t id : ids) {
    pieces.text.append(Find(id));
    pieces.ends.push_back(static_cast<int64_t>(pieces.text.size()));
  }
  if (!whole_characters_) Repair(Marks::kOne, &pieces);
  Strip(&pieces);
  return pieces;
}

bool SymbolTable::Has(int64_t id) const { return pieces_.count(id) > 0; }

std::string_view SymbolTable::Find(int64_t id) const {
  if (id >= 0 && static_cast<size_t>(id) < dense_.size()) return dense_[id];
  const auto found = pieces_.find(id);
  return found == pieces_.end() ? std::string_view() : found->second;
}

}  // namespace oasr
