// What a prefix beam search knows of a prefix.

#ifndef OASR_CSRC_DECODERS_BEAM_ENTRY_H_
#define OASR_CSRC_DECODERS_BEAM_ENTRY_H_

#include <cstdint>
#include <limits>

#include "csrc/decoders/context_graph.h"
#include "csrc/decoders/emission_chain.h"
#include "csrc/decoders/prefix_tree.h"
#include "csrc/decoders/scaled.h"

namespace oasr {

// The best of some paths. Its last emission is not in a chain yet: its run may
// still go on.
struct BestPath {
  static constexpr int64_t kNoFrame = -1;

  double score = -std::numeric_limits<double>::infinity();  // Log-probability.
  int32_t before = EmissionChains::kNone;  // The emissions before the last.
  Emission last = {kNoFrame, 0};           // kNoFrame if it emitted nothing.
};

// A prefix in the beam.
struct BeamEntry {
  int32_t node = PrefixTree::kRoot;
  int32_t token = PrefixTree::kNone;  // Its last.
  Scaled in_blank;  // The probability of its paths that end in
  Scaled in_label;  // blank, of those that end in its last token,
  Scaled total;     // and of both.
  BestPath blank_path;
  BestPath label_path;
  int32_t context_state = ContextGraph::kStart;
  double completed = 0;    // What phrases earned for good,
  Scaled factor = {1, 0};  // e to that,
  Scaled weight = {1, 0};  // and e to all that they earned.

  // Of two equal paths the one that ends in the token is taken.
  const BestPath& best_path() const {
    return label_path.score >= blank_path.score ? label_path : blank_path;
  }

  // Returns the probability of the paths that `next` makes one token longer: a
  // token follows itself only behind a blank.
  const Scaled& Before(int32_t next) const {
    return next == token ? in_blank : total;
  }
  const BestPath& PathBefore(int32_t next) const {
    return next == token ? blank_path : best_path();
  }
};

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_BEAM_ENTRY_H_
