// CTC along the best label of each frame.

#ifndef OASR_CSRC_DECODERS_CTC_GREEDY_H_
#define OASR_CSRC_DECODERS_CTC_GREEDY_H_

#include <cstdint>

#include "csrc/decoders/ctc_hypothesis.h"
#include "csrc/decoders/label_rows.h"

namespace oasr {

// Returns the path of the best label of each frame, the lowest of equals; its
// score is that of this path alone.
//
// Throws std::invalid_argument when a value is NaN or infinity, a row is all
// -infinity, or `blank_id` is not one of the labels.
CtcHypothesis CtcGreedy(const LogProbs& log_probs, int64_t blank_id);

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_CTC_GREEDY_H_
