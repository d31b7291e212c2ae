#include "csrc/decoders/ctc_prefix_beam.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "csrc/decoders/beam_entry.h"
#include "csrc/decoders/beam_step.h"
#include "csrc/decoders/emission_chain.h"
#include "csrc/decoders/prefix_tree.h"
#include "csrc/decoders/scaled.h"

namespace oasr {
namespace {

constexpr int32_t kNone = PrefixTree::kNone;
constexpr int64_t kLargest = std::numeric_limits<int32_t>::max() - 1;

void CheckWithin(const char* name, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument(
      std::string(name) + " is " + std::to_string(value) + "; expected " +
      std::to_string(least) + " to " + std::to_string(most) + ".");
}

const CtcPrefixBeamOptions& Checked(const CtcPrefixBeamOptions& options) {
  CheckWithin("blank_id", options.blank_id, 0, kLargest);
  CheckWithin("beam_size", options.beam_size, 1, kLargest);
  CheckWithin("candidates_per_frame", options.candidates_per_frame, 0,
              kLargest);
  if (!(options.candidate_margin >= 0)) {
    throw std::invalid_argument("candidate_margin is " +
                                std::to_string(options.candidate_margin) +
                                "; expected at least 0.");
  }
  if (options.context != nullptr &&
      options.context->HasToken(static_cast<int32_t>(options.blank_id))) {
    throw std::invalid_argument("A phrase holds blank_id " +
                                std::to_string(options.blank_id) +
                                "; expected ids of tokens.");
  }
  return options;
}

BeamStep::Options StepOptions(const CtcPrefixBeamOptions& options) {
  return {static_cast<int32_t>(options.blank_id),
          static_cast<size_t>(options.beam_size),
          static_cast<size_t>(options.candidates_per_frame),
          options.candidate_margin, options.context.get()};
}

}  // namespace

// Holds the beam: its prefixes in a tree, their paths in chains.
class CtcPrefixBeam::Search {
 public:
  explicit Search(const CtcPrefixBeamOptions& options)
      : options_(Checked(options)), step_(StepOptions(options), &tree_) {
    BeamEntry empty;
    empty.in_blank = empty.total = {1, 0};
    empty.blank_path.score = 0;
    beam_.push_back(empty);
    tree_.SetSlot(empty.node, 0);
  }

  // step_ refers to tree_.
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  void Feed(const LogProbs& log_probs);
  std::vector<CtcHypothesis> NBest(int64_t count) const;
  size_t StableLength() { return tree_.depth(tree_.Stem()); }
  int64_t frames() const { return frames_; }
  size_t node_count() const { return tree_.size() + chains_.size(); }

 private:
  // The links of the last emissions of an entry's paths; kOpen until needed.
  struct Closed {
    static constexpr int32_t kOpen = -2;
    int32_t blank = kOpen;
    int32_t label = kOpen;
  };

  void CheckLabels(const LogProbs& log_probs) const;
  void Survive();
  BeamEntry Stayed(int32_t place);
  BeamEntry Extended(const RankedPrefix& ranked);
  BestPath Entered(int32_t place, int32_t token, float log_prob);
  BestPath Hold(const BestPath& path);
  void Release(const BeamEntry& entry);
  void EarnFor(int32_t parent_state, BeamEntry* entry) const;
  CtcHypothesis Hypothesis(const BeamEntry& entry) const;

  const CtcPrefixBeamOptions options_;
  PrefixTree tree_;
  EmissionChains chains_;
  BeamStep step_;
  std::vector<BeamEntry> beam_;  // Best first.
  std::vector<BeamEntry> next_;
  std::vector<Closed> closed_;  // By place.
  std::vector<char> stays_;     // By place.
  int64_t frames_ = 0;
  size_t labels_ = 0;  // Of a frame; 0 before the first.
};

void CtcPrefixBeam::Search::Feed(const LogProbs& log_probs) {
  if (log_probs.frames == 0) return;
  CheckLabels(log_probs);
  labels_ = log_probs.labels;
  for (size_t row = 0; row < log_probs.frames; ++row) {
    step_.Run(beam_, log_probs, row);
    Survive();
    ++frames_;
  }
}

void CtcPrefixBeam::Search::CheckLabels(const LogProbs& log_probs) const {
  CheckBlank(log_probs, options_.blank_id);
  if (labels_ != 0 && log_probs.labels != labels_) {
    throw std::invalid_argument(
        "log_probs has " + std::to_string(log_probs.labels) +
        " labels; expected " + std::to_string(labels_) + ", as before.");
  }
  if (options_.context == nullptr || options_.context->tokens().empty()) return;
  const int32_t largest = options_.context->tokens().back();
  if (static_cast<size_t>(largest) < log_probs.labels) return;
  throw std::invalid_argument(
      "A phrase holds the id " + std::to_string(largest) + "; expected 0 to " +
      std::to_string(log_probs.labels - 1) + ", the labels of log_probs.");
}

// Makes the survivors of the step the beam. All that is new is held before
// anything old is let go.
void CtcPrefixBeam::Search::Survive() {
  next_.clear();
  closed_.assign(beam_.size(), Closed());
  stays_.assign(beam_.size(), 0);
  for (const RankedPrefix& ranked : step_.survivors()) {
    const bool stays = ranked.token == kNone;
    if (stays) stays_[ranked.place] = 1;
    next_.push_back(stays ? Stayed(ranked.place) : Extended(ranked));
    tree_.SetSlot(next_.back().node, static_cast<int32_t>(next_.size() - 1));
  }
  for (size_t place = 0; place < beam_.size(); ++place) {
    Release(beam_[place]);
    if (!stays_[place]) tree_.ClearSlot(beam_[place].node);
  }
  for (const Closed& closed : closed_) {
    if (closed.blank != Closed::kOpen) chains_.Release(closed.blank);
    if (closed.label != Closed::kOpen) chains_.Release(closed.label);
  }
  beam_.swap(next_);
}

BeamEntry CtcPrefixBeam::Search::Stayed(int32_t place) {
  const StayedPrefix& stayed = step_.stayed(place);
  BeamEntry entry = beam_[place];
  entry.blank_path = Hold(entry.best_path());
  entry.blank_path.score = stayed.blank_score;
  if (stayed.label_entered) {
    entry.label_path = Entered(stayed.parent, entry.token, stayed.log_prob);
  } else {
    BestPath path = Hold(beam_[place].label_path);
    path.last.highest = std::max(path.last.highest, stayed.log_prob);
    entry.label_path = path;
  }
  entry.label_path.score = stayed.label_score;
  entry.in_blank = stayed.in_blank;
  entry.in_label = stayed.in_label;
  entry.total = stayed.total;
  return entry;
}

BeamEntry CtcPrefixBeam::Search::Extended(const RankedPrefix& ranked) {
  const BeamEntry& parent = beam_[ranked.place];
  BeamEntry entry;
  entry.node = tree_.Extend(parent.node, ranked.token);
  entry.token = ranked.token;
  entry.in_label = parent.Before(ranked.token) * ScaledExp(ranked.log_prob);
  entry.total = entry.in_label;
  entry.label_path = Entered(ranked.place, ranked.token, ranked.log_prob);
  if (options_.context != nullptr) {
    const ContextGraph& context = *options_.context;
    entry.context_state = context.Next(parent.context_state, ranked.token);
    entry.completed = parent.completed + context.Completed(entry.context_state);
    entry.factor = ScaledExp(entry.completed);
    entry.weight =
        ScaledExp(entry.completed + context.Partial(entry.context_state));
  }
  return entry;
}

// Returns the best path that enters `token` behind the prefix at `place`.
BestPath CtcPrefixBeam::Search::Entered(int32_t place, int32_t token,
                                        float log_prob) {
  const BestPath& path = beam_[place].PathBefore(token);
  Closed& closed = closed_[place];
  int32_t& link =
      &path == &beam_[place].blank_path ? closed.blank : closed.label;
  if (link == Closed::kOpen) {
    link = path.last.frame == BestPath::kNoFrame
               ? EmissionChains::kNone
               : chains_.Add(path.before, path.last);
  }
  chains_.Hold(link);
  return {path.score + log_prob, link, {frames_, log_prob}};
}

BestPath CtcPrefixBeam::Search::Hold(const BestPath& path) {
  chains_.Hold(path.before);
  return path;
}

void CtcPrefixBeam::Search::Release(const BeamEntry& entry) {
  chains_.Release(entry.blank_path.before);
  chains_.Release(entry.label_path.before);
}

std::vector<CtcHypothesis> CtcPrefixBeam::Search::NBest(int64_t count) const {
  CheckWithin("n", count, 1, options_.beam_size);
  std::vector<const BeamEntry*> order;
  for (const BeamEntry& entry : beam_) order.push_back(&entry);
  if (options_.context != nullptr) {
    std::sort(order.begin(), order.end(), [this](const auto* a, const auto* b) {
      const Scaled a_rank = a->total * a->factor;
      const Scaled b_rank = b->total * b->factor;
      if (!(a_rank == b_rank)) return b_rank < a_rank;
      return tree_.IdsLess(tree_.PrefixOf(a->node), tree_.PrefixOf(b->node));
    });
  }
  order.resize(std::min(order.size(), static_cast<size_t>(count)));
  std::vector<CtcHypothesis> found;
  for (const BeamEntry* entry : order) found.push_back(Hypothesis(*entry));
  return found;
}

CtcHypothesis CtcPrefixBeam::Search::Hypothesis(const BeamEntry& entry) const {
  CtcHypothesis found;
  found.ids = tree_.Ids(entry.node);
  found.score = Log(entry.total);
  found.boosted = found.score + entry.completed;
  if (found.ids.empty()) return found;
  const BestPath& path = entry.best_path();
  std::vector<Emission> emissions = chains_.Path(path.before);
  emissions.push_back(path.last);
  for (const Emission& emission : emissions) {
    found.frames.push_back(emission.frame);
    found.confidences.push_back(Confidence(emission.highest));
  }
  return found;
}

CtcPrefixBeam::CtcPrefixBeam(const CtcPrefixBeamOptions& options)
    : search_(std::make_unique<Search>(options)) {}

CtcPrefixBeam::~CtcPrefixBeam() = default;

void CtcPrefixBeam::Feed(const LogProbs& log_probs) {
  search_->Feed(log_probs);
}

std::vector<CtcHypothesis> CtcPrefixBeam::NBest(int64_t count) const {
  return search_->NBest(count);
}

size_t CtcPrefixBeam::StableLength() { return search_->StableLength(); }

int64_t CtcPrefixBeam::Frames() const { return search_->frames(); }

size_t CtcPrefixBeam::NodeCount() const { return search_->node_count(); }

}  // namespace oasr
