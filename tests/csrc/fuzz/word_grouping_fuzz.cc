// Any text cut anywhere: words are its visible parts, in order.

#include <cmath>
#include <stdexcept>

#include "csrc/tokenizers/unicode.h"
#include "csrc/tokenizers/word_grouping.h"
#include "tests/csrc/fuzz/input.h"

namespace oasr {
namespace {

template <typename T>
ArrayView<T> View(const std::vector<T>& values) {
  return {values.data(), values.size()};
}

// Requires that `words` are parts of `text`, in order, with blanks between.
void CheckWords(std::string_view text,
                const std::vector<std::string_view>& words) {
  size_t position = 0;
  const auto skip = [&](const char* until) {
    while (position < text.size() && text.data() + position < until) {
      const CodePoint next = DecodeUtf8(text, position);
      Require(IsSpace(next.value), "what is no word is a blank");
      position += next.length;
    }
  };
  for (const std::string_view word : words) {
    Require(!word.empty(), "a word has a character");
    skip(word.data());
    Require(text.data() + position == word.data(), "words follow each other");
    for (size_t k = 0; k < word.size();) {
      const CodePoint next = DecodeUtf8(word, k);
      Require(!IsSpace(next.value), "no word holds a blank");
      k += next.length;
    }
    position += word.size();
  }
  skip(text.data() + text.size());
}

struct Arguments {
  std::vector<int64_t> ends;
  std::vector<uint8_t> lends;
  std::vector<double> starts, stops, confidences;
};

double Time(Input* input) {
  const uint8_t byte = input->Byte();
  return byte < 250 ? byte / 8.0 : input->Raw<double>();
}

// Reads tokens that cut a text of `size` bytes, now and then wrongly.
Arguments ReadTokens(Input* input, size_t size) {
  Arguments read;
  int64_t end = 0;
  const size_t count = input->UpTo(24);
  for (size_t k = 0; k < count; ++k) {
    const uint8_t byte = input->Byte();
    const auto left = static_cast<int64_t>(size) - std::max<int64_t>(end, 0);
    end = byte < 250 ? end + std::min<int64_t>(byte % 7, std::abs(left))
                     : input->Raw<int64_t>() / 2;
    if (k + 1 == count && byte < 200) end = static_cast<int64_t>(size);
    read.ends.push_back(end);
    read.lends.push_back(input->Byte() & 1);
    read.starts.push_back(Time(input));
    read.stops.push_back(byte < 240 ? read.starts[k] + 1 : Time(input));
    read.confidences.push_back(Time(input) / 32);
  }
  if (input->Byte() > 250) read.lends.push_back(1);
  return read;
}

void CheckGroups(std::string_view text, const Arguments& read) {
  const Pieces pieces = {text, View(read.ends), View(read.lends)};
  std::vector<std::string_view> words;
  for (const WordSpan& span : WordSpans(pieces)) {
    Require(span.first <= span.last && span.last < read.ends.size(),
            "the tokens of a word are there");
    words.push_back(span.text);
  }
  CheckWords(text, words);
  Require(words == SplitWords(text), "tokens do not change the words");
  const TokenTimes times = {View(read.starts), View(read.stops),
                            View(read.confidences)};
  size_t k = 0;
  for (const TimedWord& word : GroupWords(pieces, times)) {
    Require(word.text == words[k++], "times do not change the words");
    Require(std::isfinite(word.start) && std::isfinite(word.end),
            "times are numbers");
    Require(word.start <= word.end, "a word ends behind its start");
  }
  Require(k == words.size(), "each word has times");
}

}  // namespace
}  // namespace oasr

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  oasr::Input input(data, size);
  const std::string text(input.Bytes(64));
  oasr::CheckWords(text, oasr::SplitWords(text));
  const oasr::Arguments read = oasr::ReadTokens(&input, text.size());
  try {
    oasr::CheckGroups(text, read);
  } catch (const std::invalid_argument&) {
    // As the header promises for lengths, ends and times that cannot be.
  }
  return 0;
}
