// Choices made of the bytes of a fuzzer.

#ifndef OASR_TESTS_CSRC_FUZZ_INPUT_H_
#define OASR_TESTS_CSRC_FUZZ_INPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace oasr {

// Ends the process, which is what a fuzzer calls a finding, unless `holds`.
inline void Require(bool holds, const char* fact) {
  if (holds) return;
  std::fprintf(stderr, "It does not hold that %s.\n", fact);
  std::abort();
}

// Reads values from the front of some bytes; zeros when they are used up.
class Input {
 public:
  Input(const uint8_t* data, size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool Empty() const { return rest_.empty(); }

  uint8_t Byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return byte;
  }

  // Returns an integer in [0, most], from one byte.
  size_t UpTo(size_t most) { return Byte() % (most + 1); }

  // Returns mostly small integers, now and then any.
  int64_t Id() {
    const uint8_t byte = Byte();
    if (byte < 250) return byte % 16;
    if (byte == 250) return -1;
    return Raw<int64_t>();
  }

  template <typename T>
  T Raw() {
    T value = {};
    const size_t size = std::min(sizeof value, rest_.size());
    std::memcpy(&value, rest_.data(), size);
    rest_.remove_prefix(size);
    return value;
  }

  // Returns the next bytes, at most `most`.
  std::string_view Bytes(size_t most) {
    const std::string_view bytes = rest_.substr(0, UpTo(most));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  std::string_view Rest() const { return rest_; }

  std::vector<int64_t> Ids(size_t most) {
    std::vector<int64_t> ids(UpTo(most));
    for (int64_t& id : ids) id = Id();
    return ids;
  }

 private:
  std::string_view rest_;
};

}  // namespace oasr

#endif  // OASR_TESTS_CSRC_FUZZ_INPUT_H_
