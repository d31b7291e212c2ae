// What CTC searches find.

#ifndef OASR_CSRC_DECODERS_CTC_HYPOTHESIS_H_
#define OASR_CSRC_DECODERS_CTC_HYPOTHESIS_H_

#include <cmath>
#include <cstdint>
#include <vector>

namespace oasr {

// A sequence of labels, repeats merged and blanks dropped.
//
// `frames` and `confidences` are of one path, the best: for each id the frame
// at which the path enters it, and its highest posterior until the path leaves
// it.
struct CtcHypothesis {
  std::vector<int64_t> ids;
  double score = 0;    // The log-probability of the paths that were kept.
  double boosted = 0;  // `score`, and what phrases in `ids` earned.
  std::vector<int64_t> frames;      // From 0.
  std::vector<double> confidences;  // In [0, 1].
};

// Returns the posterior of a log-posterior that may be rounded up.
inline double Confidence(float log_posterior) {
  return log_posterior < 0 ? std::exp(static_cast<double>(log_posterior)) : 1;
}

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_CTC_HYPOTHESIS_H_
