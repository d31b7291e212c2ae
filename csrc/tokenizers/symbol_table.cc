#include "csrc/tokenizers/symbol_table.h"

#include <algorithm>

#include "csrc/tokenizers/unicode.h"
#include "csrc/tokenizers/utf8.h"

namespace oasr {
namespace {

// Replaces what is no character; moves each end to where its bytes went.
RenderedPieces Repair(const RenderedPieces& raw) {
  RenderedPieces repaired;
  repaired.text.reserve(raw.text.size());
  repaired.ends.reserve(raw.ends.size());
  size_t token = 0;
  for (size_t position = 0; position < raw.text.size();) {
    const Utf8Unit unit = NextUtf8(raw.text, position);
    position += unit.length;
    // A token that ends before this unit does has no part in it to show.
    while (static_cast<size_t>(raw.ends[token]) < position) {
      repaired.ends.push_back(repaired.text.size());
      ++token;
    }
    if (unit.valid) {
      repaired.text.append(raw.text, position - unit.length, unit.length);
    } else {
      repaired.text.append(kReplacement);
    }
  }
  repaired.ends.resize(raw.ends.size(), repaired.text.size());
  return repaired;
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

// Returns where the whitespace at the end of `text` begins.
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

void Strip(RenderedPieces* pieces) {
  const size_t begin = LeadingSpace(pieces->text);
  const size_t end = std::max(begin, TrailingSpace(pieces->text));
  pieces->text = pieces->text.substr(begin, end - begin);
  for (int64_t& piece_end : pieces->ends) {
    const auto clamped = std::clamp<size_t>(piece_end, begin, end);
    piece_end = static_cast<int64_t>(clamped - begin);
  }
}

}  // namespace

SymbolTable::SymbolTable(std::vector<std::pair<int64_t, std::string>> pieces) {
  int64_t largest = -1;
  for (auto& [id, bytes] : pieces) {
    largest = std::max(largest, id);
    pieces_[id] = std::move(bytes);
  }
  // Few, large ids would leave a list mostly empty: those are looked up by
  // hash.
  if (largest >= static_cast<int64_t>(4 * pieces_.size() + 1024)) return;
  dense_.resize(largest + 1);
  for (const auto& [id, bytes] : pieces_) {
    if (id >= 0) dense_[id] = bytes;
  }
}

RenderedPieces SymbolTable::Render(const std::vector<int64_t>& ids) const {
  RenderedPieces raw;
  raw.ends.reserve(ids.size());
  for (const int64_t id : ids) {
    raw.text.append(Find(id));
    raw.ends.push_back(static_cast<int64_t>(raw.text.size()));
  }
  RenderedPieces pieces = Repair(raw);
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
