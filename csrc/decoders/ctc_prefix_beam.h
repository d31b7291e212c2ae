// CTC prefix beam search, of whole utterances or frame by frame.
//
// A path gives each frame a label; merging its repeats and dropping its blanks
// leaves a prefix. Of each prefix the search keeps the probability of the paths
// that end in blank and of those that end in its last token, exact sums of what
// led there, and beside each the best single path, which says when the tokens
// were emitted. After each frame the `beam_size` most probable prefixes
// survive; of equal ones those whose ids are lower, compared id by id.
// Impossible prefixes do not survive.
//
// By default no label is left out that could matter: the result is that of
// trying every label behind every prefix. With `candidates_per_frame` or
// `candidate_margin` some labels make no new prefixes; they still lead from one
// surviving prefix to another.

#ifndef OASR_CSRC_DECODERS_CTC_PREFIX_BEAM_H_
#define OASR_CSRC_DECODERS_CTC_PREFIX_BEAM_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "csrc/decoders/context_graph.h"
#include "csrc/decoders/ctc_hypothesis.h"
#include "csrc/decoders/label_rows.h"

namespace oasr {

struct CtcPrefixBeamOptions {
  int64_t blank_id = 0;
  int64_t beam_size = 10;

  // How many labels of a frame, the best besides blank, may make new prefixes;
  // 0 for all that can matter.
  int64_t candidates_per_frame = 0;

  // How far below the best label of the frame, in nats, a label may be to make
  // new prefixes.
  float candidate_margin = std::numeric_limits<float>::infinity();

  // Phrases to prefer: a prefix ranks by its probability times e to what it
  // earned. Null for none.
  std::shared_ptr<const ContextGraph> context;
};

// The state of one search.
//
//   CtcPrefixBeam beam(options);
//   beam.Feed(first);           // However the frames are cut, the result is
//   the beam.Feed(second);          // same, bit by bit. beam.NBest(1)[0].ids;
//   // At any time: a partial, or the end.
//
// Memory is bounded by the live prefixes and their paths, not by the frames.
// Not to be used by two threads at once.
class CtcPrefixBeam {
 public:
  // Throws std::invalid_argument when an option is out of range.
  explicit CtcPrefixBeam(const CtcPrefixBeamOptions& options);
  ~CtcPrefixBeam();

  // Advances over the next frames, of which there may be none.
  //
  // Throws std::invalid_argument when blank or an id of a phrase is none of the
  // labels, blank is an id of a phrase, the number of labels changed, a value
  // is NaN or infinity, or a row all -infinity. The frames before the row at
  // fault count as fed; it and those behind it do not.
  void Feed(const LogProbs& log_probs);

  // Returns the best prefixes, best first: all that survive if fewer than
  // `count`.
  //
  // They rank as if the utterance ended here: what a partly heard phrase earned
  // does not count. Before the first frame the empty prefix is all there is,
  // with a score of 0. Throws std::invalid_argument when `count` is not 1 to
  // `beam_size`.
  std::vector<CtcHypothesis> NBest(int64_t count) const;

  // Returns how many ids all live prefixes begin with: those that are final.
  size_t StableLength();

  // Returns how many frames were fed.
  int64_t Frames() const;

  // Returns how many nodes hold the prefixes and their paths.
  size_t NodeCount() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_CTC_PREFIX_BEAM_H_
