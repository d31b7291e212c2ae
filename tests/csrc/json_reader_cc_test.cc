#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "csrc/tokenizers/json_reader.h"

namespace oasr {
namespace {

// Writes what it takes as one line.
class Writer : public JsonHandler {
 public:
  std::string line;

  void Null() override { line += "null "; }
  void Bool(bool value) override { line += value ? "true " : "false "; }
  void Integer(std::string_view digits) override { Write("int:", digits); }
  void Real(std::string_view spelled) override { Write("real:", spelled); }
  void String(std::string_view text) override { Write("str:", text); }
  void Key(std::string_view text) override { Write("key:", text); }
  void BeginObject() override { line += "{ "; }
  void EndObject() override { line += "} "; }
  void BeginArray() override { line += "[ "; }
  void EndArray() override { line += "] "; }

 private:
  void Write(const char* sort, std::string_view text) {
    line += sort;
    line.append(text);
    line += " ";
  }
};

std::string LineOf(std::string_view document) {
  Writer writer;
  EXPECT_FALSE(ReadJson(document, &writer)) << document;
  return writer.line;
}

TEST(ReadJson, HandsOverTheValuesInOrder) {
  EXPECT_EQ(LineOf(" {\"a\": [1, -2.5e3, true, null], \"b\\n\": \"\\u00e9\"} "),
            "{ key:a [ int:1 real:-2.5e3 true null ] key:b\n "
            "str:\xC3\xA9 } ");
  EXPECT_EQ(LineOf("[NaN, -Infinity, \"\\ud83d\\ude00\"]"),
            "[ real:nan real:-inf str:\xF0\x9F\x98\x80 ] ");
}

// Under the sanitizers: no read beyond the end, wherever a document is cut.
TEST(ReadJson, RefusesADocumentThatIsCutAnywhere) {
  const std::string document =
      "{\"a\": [1.5e+3, true, null, -Infinity, {}], "
      "\"\\ud83d\\ude00\\n\": \"\xE4\xBD\xA0\"}";
  for (size_t length = 0; length < document.size(); ++length) {
    const std::string cut = document.substr(0, length);  // Its end is its own.
    Writer writer;
    const std::optional<JsonFault> fault = ReadJson(cut, &writer);
    ASSERT_TRUE(fault) << cut;
    EXPECT_LE(fault->position, cut.size());
  }
}

TEST(ReadJson, BoundsTheNesting) {
  const std::string brackets(1000, '[');
  Writer writer;
  const std::optional<JsonFault> fault = ReadJson(brackets, &writer);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, JsonFault::Kind::kDepth);
  EXPECT_EQ(fault->position, kMostJsonDepth);
}

}  // namespace
}  // namespace oasr
