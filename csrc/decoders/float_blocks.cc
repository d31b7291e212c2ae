#include "csrc/decoders/float_blocks.h"

#include <cstdint>
#include <cstring>
#include <limits>

// The code is written once, in the vector extension of GCC and Clang, and
// compiled for the baseline and, where a processor may have it, for AVX2.
#if defined(__x86_64__)
#define OASR_HAS_AVX2_TWIN 1
#endif
#define OASR_INLINE inline __attribute__((always_inline))

namespace oasr {
namespace {

constexpr size_t kLanes = 8;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t Flags __attribute__((vector_size(kLanes * sizeof(float))));

constexpr size_t kVectors = 4;  // Of a block.
static_assert(kVectors * kLanes == kBlock);
// Long enough that a reduction is cheap, short enough to search it again.
constexpr size_t kChunk = 16 * kBlock;

OASR_INLINE void Load(const float* values, Floats* vector) {
  std::memcpy(vector, values, sizeof(*vector));
}

OASR_INLINE bool All(const Flags& flags) {
  int64_t halves[sizeof(Flags) / sizeof(int64_t)];
  std::memcpy(halves, &flags, sizeof(halves));
  return (halves[0] & halves[1] & halves[2] & halves[3]) == -1;
}

// Returns the lanes of a block in which all values are below `bound`.
OASR_INLINE void CompareBlock(const float* block, const Floats& bound,
                              Flags* below) {
  Floats x[kVectors];
  Load(block, &x[0]);
  Load(block + kLanes, &x[1]);
  Load(block + 2 * kLanes, &x[2]);
  Load(block + 3 * kLanes, &x[3]);
  *below =
      ((x[0] < bound) & (x[1] < bound)) & ((x[2] < bound) & (x[3] < bound));
}

OASR_INLINE size_t FindBlockNotBelowBody(const float* values, size_t begin,
                                         size_t size, float floor) {
  const Floats bound = Floats{} + floor;
  Flags below[4];
  size_t k = begin;
  for (; k + 4 * kBlock <= size; k += 4 * kBlock) {  // A reduction for four.
    CompareBlock(values + k, bound, &below[0]);
    CompareBlock(values + k + kBlock, bound, &below[1]);
    CompareBlock(values + k + 2 * kBlock, bound, &below[2]);
    CompareBlock(values + k + 3 * kBlock, bound, &below[3]);
    if (!All((below[0] & below[1]) & (below[2] & below[3]))) break;
  }
  for (; k + kBlock <= size; k += kBlock) {
    CompareBlock(values + k, bound, &below[0]);
    if (!All(below[0])) return k;
  }
  for (size_t rest = k; rest < size; ++rest) {
    if (!(values[rest] < floor)) return k;
  }
  return size;
}

OASR_INLINE float HighestLane(const Floats& lanes) {
  float lane[kLanes];
  std::memcpy(lane, &lanes, sizeof(lane));
  const auto max = [](float a, float b) { return a > b ? a : b; };
  return max(max(max(lane[0], lane[1]), max(lane[2], lane[3])),
             max(max(lane[4], lane[5]), max(lane[6], lane[7])));
}

// Returns the highest of at least one block of values. The sums of the lanes
// are not below infinity if a value is not.
OASR_INLINE float HighestOfChunk(const float* values, size_t size,
                                 bool* proper) {
  Floats high[2], sum[2], x[kVectors];
  Load(values, &high[0]);
  Load(values, &high[1]);
  sum[0] = sum[1] = Floats{};
  for (size_t k = 0; k < size; k += kBlock) {
    // The last block may take some of the one before.
    const float* block = values + (k + kBlock <= size ? k : size - kBlock);
    Load(block, &x[0]);
    Load(block + kLanes, &x[1]);
    Load(block + 2 * kLanes, &x[2]);
    Load(block + 3 * kLanes, &x[3]);
    sum[0] += x[0] + x[1];
    sum[1] += x[2] + x[3];
    x[0] = x[0] > x[1] ? x[0] : x[1];
    x[2] = x[2] > x[3] ? x[2] : x[3];
    high[0] = x[0] > high[0] ? x[0] : high[0];
    high[1] = x[2] > high[1] ? x[2] : high[1];
  }
  const Floats bound = Floats{} + std::numeric_limits<float>::infinity();
  *proper &= All(sum[0] + sum[1] < bound);
  high[0] = high[0] > high[1] ? high[0] : high[1];
  return HighestLane(high[0]);
}

OASR_INLINE Highest FindHighestOfFew(const float* values, size_t size) {
  Highest found = {values[0], 0, true};
  for (size_t k = 0; k < size; ++k) {
    if (values[k] > found.value) found = {values[k], k, found.is_proper};
    found.is_proper &= values[k] < std::numeric_limits<float>::infinity();
  }
  return found;
}

OASR_INLINE Highest FindHighestBody(const float* values, size_t size) {
  if (size < kBlock) return FindHighestOfFew(values, size);
  Highest found = {-std::numeric_limits<float>::infinity(), 0, true};
  for (size_t start = 0; start < size; start += kChunk) {
    size_t length = size - start < kChunk ? size - start : kChunk;
    // The last chunk takes some of the one before, if it has no block of its
    // own.
    const size_t first = length < kBlock ? size - kBlock : start;
    length += start - first;
    const float highest =
        HighestOfChunk(values + first, length, &found.is_proper);
    if (highest > found.value) {
      found.value = highest;
      found.place = first;
    }
  }
  found.place = FindBlockNotBelowBody(values, found.place, size, found.value);
  while (found.place < size && values[found.place] < found.value) ++found.place;
  return found;
}

#ifdef OASR_HAS_AVX2_TWIN
__attribute__((target("avx2"))) Highest FindHighestAvx2(const float* values,
                                                        size_t size) {
  return FindHighestBody(values, size);
}

__attribute__((target("avx2"))) size_t FindBlockNotBelowAvx2(
    const float* values, size_t begin, size_t size, float floor) {
  return FindBlockNotBelowBody(values, begin, size, floor);
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

Highest FindHighest(const float* values, size_t size) {
#ifdef OASR_HAS_AVX2_TWIN
  if (kHasAvx2) return FindHighestAvx2(values, size);
#endif
  return FindHighestPortably(values, size);
}

size_t FindBlockNotBelow(const float* values, size_t begin, size_t size,
                         float floor) {
#ifdef OASR_HAS_AVX2_TWIN
  if (kHasAvx2) return FindBlockNotBelowAvx2(values, begin, size, floor);
#endif
  return FindBlockNotBelowPortably(values, begin, size, floor);
}

Highest FindHighestPortably(const float* values, size_t size) {
  return FindHighestBody(values, size);
}

size_t FindBlockNotBelowPortably(const float* values, size_t begin, size_t size,
                                 float floor) {
  return FindBlockNotBelowBody(values, begin, size, floor);
}

}  // namespace oasr
