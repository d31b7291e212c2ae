// Looking through many floats at once, with the widest instructions at hand.

#ifndef OASR_CSRC_DECODERS_FLOAT_BLOCKS_H_
#define OASR_CSRC_DECODERS_FLOAT_BLOCKS_H_

#include <cstddef>

namespace oasr {

// The highest of some values.
struct Highest {
  float value;
  size_t place;    // The first that has it.
  bool is_proper;  // False if a value is NaN or infinity, or their sum
                   // overflows.
};

// Returns the highest of `size` values, at least one. A sum that overflows
// makes it improper, too, and is worth a closer look.
Highest FindHighest(const float* values, size_t size);

// How many values a block has; the last one of a row may have fewer.
inline constexpr size_t kBlock = 32;

// Returns where the first block starts that has a value not below `floor`, as
// NaN never is; `size` if none has. The blocks are counted from `begin`.
size_t FindBlockNotBelow(const float* values, size_t begin, size_t size,
                         float floor);

// The same for any processor: what the above use where there is no AVX2.
Highest FindHighestPortably(const float* values, size_t size);
size_t FindBlockNotBelowPortably(const float* values, size_t begin, size_t size,
                                 float floor);

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_FLOAT_BLOCKS_H_
