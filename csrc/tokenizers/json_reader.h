// Reads JSON from bytes, value by value, without a copy of the text.
//
// The grammar is the one of Python's `json.loads`, which takes NaN, Infinity
// and halves of surrogate pairs as well, but nesting is bounded, and so are the
// digits of a number.

#ifndef OASR_CSRC_TOKENIZERS_JSON_READER_H_
#define OASR_CSRC_TOKENIZERS_JSON_READER_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace oasr {

// A tokenizer nests ten brackets.
inline constexpr size_t kMostJsonDepth = 128;

// What Python converts to an int at most.
inline constexpr size_t kMostJsonDigits = 4300;

// Takes the values of a document in its order. Texts are UTF-8, in which half
// of a surrogate pair is written as a character of three bytes; a view is valid
// during the call only. What it throws passes through.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void Null() = 0;
  virtual void Bool(bool value) = 0;
  virtual void Integer(std::string_view digits) = 0;
  virtual void Real(std::string_view spelled) = 0;
  virtual void String(std::string_view text) = 0;
  virtual void Key(std::string_view text) = 0;
  virtual void BeginObject() = 0;
  virtual void EndObject() = 0;
  virtual void BeginArray() = 0;
  virtual void EndArray() = 0;
};

// Why a document cannot be read.
struct JsonFault {
  enum class Kind { kSyntax, kUtf8, kDepth };
  size_t position;  // In bytes.
  Kind kind;
  const char* message;  // Static; for a fault of syntax, what was expected.
};

// Reads one document, blanks around it; returns the first fault, if there is
// one. The handler has taken what stands before the fault.
std::optional<JsonFault> ReadJson(std::string_view document,
                                  JsonHandler* handler);

}  // namespace oasr

#endif  // OASR_CSRC_TOKENIZERS_JSON_READER_H_
