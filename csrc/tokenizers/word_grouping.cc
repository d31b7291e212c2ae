#include "csrc/tokenizers/word_grouping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "csrc/tokenizers/unicode.h"

namespace oasr {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cuts one chunk into words, cluster by cluster.
class ChunkCutter {
 public:
  ChunkCutter(std::string_view chunk, std::vector<std::string_view>* words)
      : chunk_(chunk), words_(words) {}

  void Cut() {
    for (size_t position = 0; position < chunk_.size();) {
      Add(GetWordClass(DecodeUtf8(chunk_, position).value), position);
      position = GraphemeEnd(chunk_, position);
    }
    CutAt(chunk_.size());
  }

 private:
  static constexpr size_t kNone = std::string_view::npos;

  void Add(WordClass cluster, size_t position) {
    if (cluster == WordClass::kClose) return;
    if (cluster == WordClass::kOpen) {
      if (first_open_ == kNone) first_open_ = position;
      return;
    }
    const bool spaceless = cluster == WordClass::kSpaceless;
    if (has_unit_ && (spaceless || last_is_spaceless_)) {
      CutAt(first_open_ == kNone ? position : first_open_);
    }
    has_unit_ = true;
    last_is_spaceless_ = spaceless;
    first_open_ = kNone;
  }

  void CutAt(size_t end) {
    words_->push_back(chunk_.substr(word_start_, end - word_start_));
    word_start_ = end;
  }

  const std::string_view chunk_;
  std::vector<std::string_view>* const words_;
  size_t word_start_ = 0;
  size_t first_open_ = kNone;  // The first opening mark since the last unit.
  bool has_unit_ = false;
  bool last_is_spaceless_ = false;
};

std::string Place(const char* name, size_t k) {
  return std::string(name) + "[" + std::to_string(k) + "]";
}

void CheckLength(const char* name, size_t length, size_t expected) {
  if (length == expected) return;
  throw std::invalid_argument(std::string(name) + " has " +
                              std::to_string(length) + " values; expected " +
                              std::to_string(expected) + ", one per piece.");
}

void CheckPieces(const Pieces& pieces) {
  CheckLength("lends", pieces.lends.size, pieces.ends.size);
  int64_t previous = 0;
  for (size_t k = 0; k < pieces.ends.size; ++k) {
    if (pieces.ends[k] < previous) {
      throw std::invalid_argument(
          Place("piece_ends", k) + " is " + std::to_string(pieces.ends[k]) +
          "; expected at least " + std::to_string(previous) +
          ", the end of the piece before.");
    }
    previous = pieces.ends[k];
  }
  if (static_cast<uint64_t>(previous) != pieces.text.size()) {
    throw std::invalid_argument("The last of piece_ends is " +
                                std::to_string(previous) + "; expected " +
                                std::to_string(pieces.text.size()) +
                                ", the length of the text in bytes.");
  }
}

void CheckFinite(const char* name, ArrayView<double> values, size_t expected) {
  CheckLength(name, values.size, expected);
  for (size_t k = 0; k < values.size; ++k) {
    if (std::isfinite(values[k])) continue;
    throw std::invalid_argument(Place(name, k) + " is " +
                                std::to_string(values[k]) +
                                "; expected a finite number.");
  }
}

void CheckTimes(const TokenTimes& times, size_t tokens) {
  CheckFinite("starts", times.starts, tokens);
  CheckFinite("ends", times.ends, tokens);
  if (times.confidences) CheckFinite("confidences", *times.confidences, tokens);
  for (size_t k = 0; k < tokens; ++k) {
    if (times.ends[k] >= times.starts[k]) continue;
    throw std::invalid_argument(Place("ends", k) + " is " +
                                std::to_string(times.ends[k]) +
                                "; expected at least " + Place("starts", k) +
                                ", " + std::to_string(times.starts[k]) + ".");
  }
}

// Calls visit(word, token) for every token of every word; of one word, and of
// one token, in increasing order. Each is passed once, so the time is linear.
template <typename Visit>
void VisitTokens(const Pieces& pieces,
                 const std::vector<std::string_view>& words, Visit visit) {
  if (words.empty()) return;
  const auto begin_of = [&](size_t word) {
    return static_cast<size_t>(words[word].data() - pieces.text.data());
  };
  const auto end_of = [&](size_t word) {
    return begin_of(word) + words[word].size();
  };
  const auto lend = [&](size_t from, size_t to, size_t word) {
    for (size_t k = from; k < to; ++k) {
      const bool empty = pieces.ends[k] == (k == 0 ? 0 : pieces.ends[k - 1]);
      if (empty && pieces.lends[k] != 0) visit(word, k);
    }
  };

  size_t word = 0;     // The first word that ends behind the piece's start.
  size_t waiting = 0;  // Tokens from here on touched nothing yet.
  size_t begin = 0;
  for (size_t k = 0; k < pieces.ends.size; ++k) {
    const size_t end = static_cast<size_t>(pieces.ends[k]);
    while (word < words.size() && end_of(word) <= begin) ++word;
    if (begin < end && word < words.size() && begin_of(word) < end) {
      lend(waiting, k, word);
      waiting = k + 1;
      for (size_t w = word; w < words.size() && begin_of(w) < end; ++w)
        visit(w, k);
    }
    begin = end;
  }
  lend(waiting, pieces.ends.size, words.size() - 1);
}

}  // namespace

std::vector<std::string_view> SplitWords(std::string_view text) {
  std::vector<std::string_view> words;
  size_t chunk = 0;
  bool ascii = true;  // Whether the chunk is, so far.
  const auto cut = [&](size_t end) {
    if (chunk == end) return;
    const std::string_view found = text.substr(chunk, end - chunk);
    if (ascii) {
      words.push_back(found);  // ASCII has no script that is cut.
    } else {
      ChunkCutter(found, &words).Cut();
    }
  };
  for (size_t position = 0; position < text.size();) {
    const auto byte = static_cast<unsigned char>(text[position]);
    if (byte > ' ' && byte < 0x7F) {  // Visible: most of most texts.
      ++position;
      continue;
    }
    const CodePoint next = DecodeUtf8(text, position);
    if (IsSpace(next.value)) {
      cut(position);
      chunk = position + next.length;
      ascii = true;
    } else if (next.length > 1 || next.value >= 0x80) {
      ascii = false;
    }
    position += next.length;
  }
  cut(text.size());
  return words;
}

std::vector<WordSpan> WordSpans(const Pieces& pieces) {
  CheckPieces(pieces);
  const std::vector<std::string_view> words = SplitWords(pieces.text);
  std::vector<WordSpan> spans;
  spans.reserve(words.size());
  for (const std::string_view word : words)
    spans.push_back({word, pieces.ends.size, 0});
  VisitTokens(pieces, words, [&](size_t word, size_t token) {
    spans[word].first = std::min(spans[word].first, token);
    spans[word].last = token;
  });
  return spans;
}

std::vector<TimedWord> GroupWords(const Pieces& pieces,
                                  const TokenTimes& times) {
  CheckPieces(pieces);
  CheckTimes(times, pieces.ends.size);
  const std::vector<std::string_view> words = SplitWords(pieces.text);
  std::vector<TimedWord> timed;
  timed.reserve(words.size());
  for (const std::string_view word : words) {
    timed.push_back({word, kInfinity, -kInfinity, 0.0});
  }
  std::vector<size_t> tokens(words.size(), 0);
  VisitTokens(pieces, words, [&](size_t word, size_t token) {
    timed[word].start = std::min(timed[word].start, times.starts[token]);
    timed[word].end = std::max(timed[word].end, times.ends[token]);
    if (times.confidences)
      timed[word].confidence += (*times.confidences)[token];
    ++tokens[word];
  });
  for (size_t word = 0; word < words.size(); ++word) {
    timed[word].confidence /= static_cast<double>(tokens[word]);
  }
  return timed;
}

}  // namespace oasr
