// One frame of a prefix beam search: which prefixes survive it.

#ifndef OASR_CSRC_DECODERS_BEAM_STEP_H_
#define OASR_CSRC_DECODERS_BEAM_STEP_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "csrc/decoders/beam_entry.h"
#include "csrc/decoders/context_graph.h"
#include "csrc/decoders/label_rows.h"
#include "csrc/decoders/prefix_tree.h"
#include "csrc/decoders/scaled.h"

namespace oasr {

// A prefix of the beam one frame later, without a new token.
struct StayedPrefix {
  Scaled in_blank;
  Scaled in_label;
  Scaled total;
  double blank_score;  // Of the best paths.
  double label_score;
  float log_prob;  // Of its last token at this frame.
  bool
      label_entered;  // Whether the best path ending in the token came from the
  int32_t parent;     // parent; its place in the beam, or kNone.
  int32_t next_sibling;  // The next place with this parent, or kNone.
};

// A prefix that may survive the frame.
struct RankedPrefix {
  Scaled rank;
  int32_t place;   // In the beam: its own or, with a new token, its parent's.
  int32_t token;   // The new token, or kNone.
  float log_prob;  // Of the new token.
};

// Ranks what a beam becomes. Kept from frame to frame for its memory only.
class BeamStep {
 public:
  struct Options {
    int32_t blank_id;
    size_t beam_size;
    size_t candidates;  // 0 for all that can matter.
    float margin;
    const ContextGraph* context;  // May be null.
  };

  BeamStep(const Options& options, const PrefixTree* tree)
      : options_(options), tree_(*tree) {}

  // Ranks what `beam` becomes by row `row`; throws what BestLabels does, and
  // for a row that is all -infinity.
  void Run(const std::vector<BeamEntry>& beam, const LogProbs& log_probs,
           size_t row);

  // The survivors, best first.
  const std::vector<RankedPrefix>& survivors() const { return ranked_; }

  const StayedPrefix& stayed(int32_t place) const { return stayed_[place]; }

 private:
  void Stay(const float* row);
  void StayInLabel(const BeamEntry& entry, int32_t place, StayedPrefix* stayed);
  void RankStayed();
  void FindCandidates(const LogProbs& log_probs, size_t row);
  void ExtendByCandidates(int32_t place);
  void FindPhraseTokens(const float* row);
  void ExtendByPhraseTokens(int32_t place);
  void TryExtend(int32_t place, Label label, const Scaled& rank);
  bool InBeam(int32_t parent, int32_t token) const;
  const Scaled& ProbabilityOf(size_t candidate);
  bool IsPhraseToken(int32_t token) const;
  bool IsRestricted() const {
    return options_.candidates != 0 ||
           options_.margin != std::numeric_limits<float>::infinity();
  }

  // Returns the log-probability below which no label leads to a survivor, given
  // the most that it can earn.
  float Floor(double gain) const;

  bool IsFull() const { return ranked_.size() == options_.beam_size; }
  bool FallsBelow(const Scaled& rank) const;
  bool Precedes(const RankedPrefix& a, const RankedPrefix& b) const;
  PrefixTree::Prefix PrefixOf(const RankedPrefix& ranked) const;
  void Insert(const RankedPrefix& ranked);

  const Options options_;
  const PrefixTree& tree_;
  const std::vector<BeamEntry>* beam_ = nullptr;  // During Run.
  std::vector<StayedPrefix> stayed_;
  std::vector<int32_t>
      first_child_;  // By place: of those in the beam, or kNone.
  std::vector<RankedPrefix> ranked_;
  std::vector<Label> candidates_;
  std::vector<Scaled> probabilities_;  // Of the first candidates.
  std::vector<Label> phrase_tokens_;
};

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_BEAM_STEP_H_
