#include "csrc/decoders/ctc_greedy.h"

#include <algorithm>

namespace oasr {

CtcHypothesis CtcGreedy(const LogProbs& log_probs, int64_t blank_id) {
  CtcHypothesis found;
  if (log_probs.frames == 0) return found;
  CheckBlank(log_probs, blank_id);
  std::vector<float> highest;  // Of each token's run.
  int64_t previous = blank_id;
  for (size_t frame = 0; frame < log_probs.frames; ++frame) {
    const Label best = BestLabel(log_probs, frame);
    found.score += best.log_prob;
    if (best.id != blank_id) {
      if (best.id == previous) {
        highest.back() = std::max(highest.back(), best.log_prob);
      } else {
        found.ids.push_back(best.id);
        found.frames.push_back(static_cast<int64_t>(frame));
        highest.push_back(best.log_prob);
      }
    }
    previous = best.id;
  }
  found.boosted = found.score;
  for (const float value : highest)
    found.confidences.push_back(Confidence(value));
  return found;
}

}  // namespace oasr
