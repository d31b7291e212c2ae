#include "csrc/tokenizers/json_reader.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "csrc/tokenizers/utf8.h"

namespace oasr {
namespace {

using Kind = JsonFault::Kind;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsLead(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsTrail(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Reader {
 public:
  Reader(std::string_view document, JsonHandler* handler)
      : document_(document), handler_(*handler) {}

  std::optional<JsonFault> Read() {
    SkipBlanks();
    if (!ReadValue()) return fault_;
    SkipBlanks();
    if (position_ < document_.size()) Fail(position_, "Extra data");
    return fault_;
  }

 private:
  bool AtEnd() const { return position_ == document_.size(); }
  char Next() const { return AtEnd() ? '\0' : document_[position_]; }

  // Returns false, so that callers can return it.
  bool Fail(size_t position, const char* message, Kind kind = Kind::kSyntax) {
    // What is no UTF-8 is no fault of syntax, wherever it stands.
    if (position < document_.size() && !NextUtf8(document_, position).valid) {
      kind = Kind::kUtf8;
    }
    fault_ = JsonFault{position, kind, message};
    return false;
  }

  void SkipBlanks() {
    while (!AtEnd() && IsBlank(document_[position_])) ++position_;
  }

  bool Take(char expected) {
    if (AtEnd() || document_[position_] != expected) return false;
    ++position_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    if (document_.substr(position_, word.size()) != word) return false;
    position_ += word.size();
    return true;
  }

  bool ReadValue() {
    switch (Next()) {
      case '{':
        return ReadObject();
      case '[':
        return ReadArray();
      case '"':
        return ReadString(/*is_key=*/false);
    }
    if (TakeWord("null")) {
      handler_.Null();
    } else if (TakeWord("true")) {
      handler_.Bool(true);
    } else if (TakeWord("false")) {
      handler_.Bool(false);
    } else if (TakeWord("NaN")) {
      handler_.Real("nan");
    } else if (TakeWord("Infinity")) {
      handler_.Real("inf");
    } else if (TakeWord("-Infinity")) {
      handler_.Real("-inf");
    } else {
      return ReadNumber();
    }
    return true;
  }

  bool ReadNumber() {
    const size_t start = position_;
    Take('-');
    const size_t digits = position_;
    if (!Take('0')) SkipDigits();
    if (position_ == digits) return Fail(start, "Expecting value");
    bool real = false;
    // As in Python, a number ends before a point or an exponent without digits.
    if (Next() == '.' && IsDigit(At(position_ + 1))) {
      real = true;
      ++position_;
      SkipDigits();
    }
    if (Next() == 'e' || Next() == 'E') {
      const char sign = At(position_ + 1);
      const size_t exponent = position_ + (sign == '+' || sign == '-' ? 2 : 1);
      if (IsDigit(At(exponent))) {
        real = true;
        position_ = exponent;
        SkipDigits();
      }
    }
    const std::string_view spelled = document_.substr(start, position_ - start);
    if (real) {
      handler_.Real(spelled);
    } else if (spelled.size() <= kMostJsonDigits) {
      handler_.Integer(spelled);
    } else {
      return Fail(start, "Expecting a number of at most 4300 digits");
    }
    return true;
  }

  char At(size_t position) const {
    return position < document_.size() ? document_[position] : '\0';
  }

  void SkipDigits() {
    while (IsDigit(Next())) ++position_;
  }

  bool ReadObject() {
    if (!Enter()) return false;
    handler_.BeginObject();
    SkipBlanks();
    while (!Take('}')) {
      if (Next() != '"') {
        return Fail(position_,
                    "Expecting property name enclosed in double quotes");
      }
      if (!ReadString(/*is_key=*/true)) return false;
      SkipBlanks();
      if (!Take(':')) return Fail(position_, "Expecting ':' delimiter");
      SkipBlanks();
      if (!ReadValue() || !ReadDelimiter('}')) return false;
    }
    --depth_;
    handler_.EndObject();
    return true;
  }

  bool ReadArray() {
    if (!Enter()) return false;
    handler_.BeginArray();
    SkipBlanks();
    while (!Take(']')) {
      if (!ReadValue() || !ReadDelimiter(']')) return false;
    }
    --depth_;
    handler_.EndArray();
    return true;
  }

  // Passes the bracket that opens.
  bool Enter() {
    if (++depth_ > kMostJsonDepth) {
      return Fail(position_, "brackets are nested deep", Kind::kDepth);
    }
    ++position_;
    return true;
  }

  // Passes a comma and the blanks behind it, or stops before the bracket that
  // closes; no bracket closes behind a comma.
  bool ReadDelimiter(char closing) {
    SkipBlanks();
    if (Next() == closing && !AtEnd()) return true;
    if (!Take(',')) return Fail(position_, "Expecting ',' delimiter");
    const size_t comma = position_ - 1;
    SkipBlanks();
    if (Next() != closing || AtEnd()) return true;
    return Fail(comma, "Illegal trailing comma");
  }

  bool ReadString(bool is_key) {
    const size_t quote = position_++;
    const size_t start = position_;
    if (!PassPlain(quote)) return false;
    std::string_view text = document_.substr(start, position_ - start);
    if (Next() != '"') {
      unescaped_.assign(text);
      while (!Take('"')) {
        const size_t plain = position_;
        if (Next() == '\\') {
          if (!ReadEscape()) return false;
        } else {
          if (!PassPlain(quote)) return false;
          unescaped_.append(document_, plain, position_ - plain);
        }
      }
      text = unescaped_;
    } else {
      ++position_;
    }
    if (is_key) {
      handler_.Key(text);
    } else {
      handler_.String(text);
    }
    return true;
  }

  // Passes characters up to a quote or a backslash.
  bool PassPlain(size_t quote) {
    while (!AtEnd()) {
      const char c = document_[position_];
      if (c == '"' || c == '\\') return true;
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) return Fail(position_, "Invalid control character at");
      if (byte < 0x80) {
        ++position_;
        continue;
      }
      const Utf8Unit unit = NextUtf8(document_, position_);
      if (!unit.valid) return Fail(position_, "UTF-8", Kind::kUtf8);
      position_ += unit.length;
    }
    return Fail(quote, "Unterminated string starting at");
  }

  bool ReadEscape() {
    const size_t start = position_++;
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (Take('u')) return ReadUnicodeEscape();
    const size_t found = AtEnd() ? kLetters.npos : kLetters.find(Next());
    if (found == kLetters.npos) return Fail(start, "Invalid \\escape");
    unescaped_.push_back(kMeanings[found]);
    ++position_;
    return true;
  }

  bool ReadUnicodeEscape() {
    uint32_t value = 0;
    if (!ReadUnit(&value)) return false;
    if (IsLead(value) && document_.substr(position_, 2) == "\\u") {
      const size_t behind = position_;
      uint32_t trail = 0;
      position_ += 2;
      if (!ReadUnit(&trail)) return false;
      if (IsTrail(trail)) {
        value = 0x10000 + ((value - 0xD800) << 10) + (trail - 0xDC00);
      } else {
        position_ = behind;  // A unit of its own.
      }
    }
    AppendUtf8(value, &unescaped_);
    return true;
  }

  bool ReadUnit(uint32_t* value) {
    const size_t start = position_;
    for (size_t k = 0; k < 4; ++k) {
      const int digit = HexValue(At(start + k));
      if (digit < 0) return Fail(start - 1, "Invalid \\uXXXX escape");
      *value = *value << 4 | static_cast<uint32_t>(digit);
    }
    position_ += 4;
    return true;
  }

  const std::string_view document_;
  JsonHandler& handler_;
  size_t position_ = 0;
  size_t depth_ = 0;
  std::string unescaped_;
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> ReadJson(std::string_view document,
                                  JsonHandler* handler) {
  return Reader(document, handler).Read();
}

}  // namespace oasr
