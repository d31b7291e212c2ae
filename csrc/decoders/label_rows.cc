#include "csrc/decoders/label_rows.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "csrc/decoders/float_blocks.h"

namespace oasr {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void CheckValue(size_t frame, size_t label, float value) {
  if (value < kInfinity) return;
  throw std::invalid_argument("log_probs[" + std::to_string(frame) + ", " +
                              std::to_string(label) + "] is " +
                              std::to_string(value) +
                              "; expected the logarithm of a probability.");
}

void CheckRow(const LogProbs& log_probs, size_t frame) {
  const float* row = log_probs.Row(frame);
  for (size_t k = 0; k < log_probs.labels; ++k) CheckValue(frame, k, row[k]);
}

// The best labels found so far, best first.
class Ranking {
 public:
  Ranking(size_t count, float floor, std::vector<Label>* labels)
      : labels_(labels), start_(labels->size()), count_(count), floor_(floor) {}

  // What a value must reach, or exceed if the ranking is full.
  float floor() const { return floor_; }

  void Add(Label label) {
    const bool full = labels_->size() - start_ == count_;
    const bool below =
        full ? label.log_prob <= floor_ : label.log_prob < floor_;
    if (below || label.log_prob == -kInfinity) return;
    if (full) labels_->pop_back();
    auto place = labels_->end();
    const auto first = labels_->begin() + start_;
    while (place != first && place[-1].log_prob < label.log_prob) --place;
    labels_->insert(place, label);
    if (labels_->size() - start_ == count_) floor_ = labels_->back().log_prob;
  }

 private:
  std::vector<Label>* const labels_;
  const size_t start_;
  const size_t count_;
  float floor_;
};

}  // namespace

Label BestLabel(const LogProbs& log_probs, size_t frame) {
  const Highest highest = FindHighest(log_probs.Row(frame), log_probs.labels);
  if (!highest.is_proper) CheckRow(log_probs, frame);
  if (highest.value == -kInfinity) ThrowImpossible(frame);
  return {static_cast<int32_t>(highest.place), highest.value};
}

void BestLabels(const LogProbs& log_probs, size_t frame, int32_t blank_id,
                size_t count, float floor, std::vector<Label>* labels) {
  const float* row = log_probs.Row(frame);
  const size_t size = log_probs.labels;
  Ranking ranking(count, floor, labels);
  size_t k = 0;
  while (k < size) {
    k = FindBlockNotBelow(row, k, size, ranking.floor());
    const size_t end = std::min(size, k + kBlock);
    for (; k < end; ++k) {
      if (row[k] < ranking.floor()) continue;
      CheckValue(frame, k, row[k]);
      const auto id = static_cast<int32_t>(k);
      if (id != blank_id) ranking.Add({id, row[k]});
    }
  }
}

void CheckBlank(const LogProbs& log_probs, int64_t blank_id) {
  const auto labels = static_cast<int64_t>(log_probs.labels);
  if (labels == 0) throw std::invalid_argument("log_probs has no labels.");
  if (blank_id >= 0 && blank_id < labels) return;
  throw std::invalid_argument("blank_id is " + std::to_string(blank_id) +
                              "; expected 0 to " + std::to_string(labels - 1) +
                              ", the labels of log_probs.");
}

void ThrowImpossible(size_t frame) {
  throw std::invalid_argument("log_probs[" + std::to_string(frame) +
                              "] is -inf for every label; expected one that is "
                              "possible.");
}

}  // namespace oasr
