// What searches look for in a frame: the best labels of a row of scores.

#ifndef OASR_CSRC_DECODERS_LABEL_ROWS_H_
#define OASR_CSRC_DECODERS_LABEL_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oasr {

// The log-probabilities of some frames, row by row, in memory that the caller
// owns: that of label v at frame t is data[t * labels + v].
struct LogProbs {
  const float* data = nullptr;
  size_t frames = 0;
  size_t labels = 0;

  const float* Row(size_t frame) const { return data + frame * labels; }
};

// A label and its log-probability.
struct Label {
  int32_t id;
  float log_prob;
};

// Returns the best label of row `frame`, the lowest of equals.
//
// Throws std::invalid_argument when a value of the row is NaN or infinity, or
// all are -infinity.
Label BestLabel(const LogProbs& log_probs, size_t frame);

// Appends to `labels` the `count` best labels of row `frame`, blank aside, best
// first, the lowest first of equals; only those of at least `floor`, and none
// that is impossible.
//
// Throws std::invalid_argument when a value of the row is NaN or infinity.
void BestLabels(const LogProbs& log_probs, size_t frame, int32_t blank_id,
                size_t count, float floor, std::vector<Label>* labels);

// Throws std::invalid_argument when `blank_id` is not one of the labels.
void CheckBlank(const LogProbs& log_probs, int64_t blank_id);

// Throws the std::invalid_argument that row `frame` holds no possible label.
[[noreturn]] void ThrowImpossible(size_t frame);

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_LABEL_ROWS_H_
