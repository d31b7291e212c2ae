// Any document: what is read of it, written again, reads the same.

#include <string>
#include <vector>

#include "csrc/tokenizers/json_reader.h"
#include "csrc/tokenizers/unicode.h"
#include "tests/csrc/fuzz/input.h"

namespace oasr {
namespace {

// Writes the values that it takes as JSON.
class Writer : public JsonHandler {
 public:
  void Null() override { Value("null"); }
  void Bool(bool value) override { Value(value ? "true" : "false"); }
  void Integer(std::string_view digits) override {
    Require(digits.size() <= kMostJsonDigits + 1, "integers are short");
    Value(digits);
  }
  void Real(std::string_view spelled) override {
    // What is no number in JSON is spelled for C.
    if (spelled == "nan") return Value("NaN");
    if (spelled == "inf") return Value("Infinity");
    if (spelled == "-inf") return Value("-Infinity");
    Value(spelled);
  }
  void String(std::string_view text) override { Value(Quoted(text)); }
  void Key(std::string_view text) override {
    Require(!open_.empty() && open_.back() == '}', "keys are of objects");
    Value(Quoted(text));
    written_.back() = ':';  // In place of the comma.
  }
  void BeginObject() override { Begin('{', '}'); }
  void EndObject() override { End('}'); }
  void BeginArray() override { Begin('[', ']'); }
  void EndArray() override { End(']'); }

  std::string Written() const {
    Require(open_.empty(), "what begins has an end");
    Require(!written_.empty(), "a document has a value");
    return written_.substr(0, written_.size() - 1);
  }

 private:
  void Value(std::string_view text) {
    written_.append(text);
    written_.push_back(',');
  }

  void Begin(char begin, char end) {
    written_.push_back(begin);
    open_.push_back(end);
    Require(open_.size() <= kMostJsonDepth, "nesting is bounded");
  }

  void End(char end) {
    Require(!open_.empty() && open_.back() == end, "brackets match");
    open_.pop_back();
    if (written_.back() == ',') written_.pop_back();
    written_.push_back(end);
    written_.push_back(',');
  }

  std::string Quoted(std::string_view text) {
    std::string quoted = "\"";
    for (size_t position = 0; position < text.size();) {
      const CodePoint next = DecodeUtf8(text, position);
      Require(next.length > 1 || next.value < 0x80, "texts are UTF-8");
      char escape[8];
      const bool plain = next.value >= 0x20 && next.value < 0xD800 &&
                         next.value != '"' && next.value != '\\';
      const bool half = next.value >= 0xD800 && next.value < 0xE000;
      if (!plain && (next.value < 0x80 || half)) {
        std::snprintf(escape, sizeof escape, "\\u%04x",
                      static_cast<unsigned>(next.value));
        quoted.append(escape);
      } else {
        quoted.append(text.substr(position, next.length));
      }
      position += next.length;
    }
    return quoted + "\"";
  }

  std::string written_;
  std::vector<char> open_;  // The brackets that end what has begun.
};

}  // namespace
}  // namespace oasr

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using oasr::Require;
  const std::string_view document = oasr::Input(data, size).Rest();
  oasr::Writer first;
  const auto fault = oasr::ReadJson(document, &first);
  if (fault) {
    Require(fault->position <= document.size(), "a fault is inside");
    Require(fault->message != nullptr, "a fault is explained");
    return 0;
  }
  const std::string written = first.Written();
  oasr::Writer again;
  Require(!oasr::ReadJson(written, &again), "what was written can be read");
  Require(written == again.Written(), "what was written reads the same");
  return 0;
}
