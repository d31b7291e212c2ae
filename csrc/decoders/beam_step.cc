#include "csrc/decoders/beam_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oasr {
namespace {

constexpr int32_t kNone = PrefixTree::kNone;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

void BeamStep::Run(const std::vector<BeamEntry>& beam,
                   const LogProbs& log_probs, size_t row) {
  beam_ = &beam;
  const float* values = log_probs.Row(row);
  Stay(values);
  RankStayed();
  FindCandidates(log_probs, row);
  const auto places = static_cast<int32_t>(beam.size());
  for (int32_t place = 0; place < places; ++place) ExtendByCandidates(place);
  if (options_.context != nullptr) {
    FindPhraseTokens(values);
    for (int32_t place = 0; place < places; ++place)
      ExtendByPhraseTokens(place);
  }
  // What is possible goes on with any label that is.
  if (ranked_.empty()) ThrowImpossible(row);
}

void BeamStep::Stay(const float* row) {
  const float blank = row[options_.blank_id];
  const Scaled blank_probability = ScaledExp(blank);
  const size_t places = beam_->size();
  stayed_.resize(places);
  first_child_.assign(places, kNone);
  for (size_t place = 0; place < places; ++place) {
    const BeamEntry& entry = (*beam_)[place];
    StayedPrefix& stayed = stayed_[place];
    stayed.in_blank = entry.total * blank_probability;
    stayed.blank_score = entry.best_path().score + blank;
    stayed.log_prob = entry.token == kNone ? -kInfinity : row[entry.token];
    StayInLabel(entry, static_cast<int32_t>(place), &stayed);
    stayed.total = stayed.in_blank + stayed.in_label;
  }
}

void BeamStep::StayInLabel(const BeamEntry& entry, int32_t place,
                           StayedPrefix* stayed) {
  const Scaled probability = ScaledExp(stayed->log_prob);
  stayed->in_label = entry.in_label * probability;
  stayed->label_score = entry.label_path.score + stayed->log_prob;
  stayed->label_entered = false;
  stayed->next_sibling = kNone;
  stayed->parent = kNone;
  if (entry.token == kNone) return;
  const int32_t parent_place = tree_.slot(tree_.parent(entry.node));
  stayed->parent = parent_place;
  if (parent_place == kNone) return;

  stayed->next_sibling = first_child_[parent_place];
  first_child_[parent_place] = place;
  const BeamEntry& parent = (*beam_)[parent_place];
  stayed->in_label =
      stayed->in_label + parent.Before(entry.token) * probability;
  const double entering =
      parent.PathBefore(entry.token).score + stayed->log_prob;
  stayed->label_entered = entering > stayed->label_score;
  if (stayed->label_entered) stayed->label_score = entering;
}

void BeamStep::RankStayed() {
  ranked_.clear();
  for (size_t place = 0; place < stayed_.size(); ++place) {
    Scaled rank = stayed_[place].total;
    if (options_.context != nullptr) rank = rank * (*beam_)[place].weight;
    if (rank.IsZero()) continue;
    Insert({rank, static_cast<int32_t>(place), kNone, 0});
  }
}

void BeamStep::FindCandidates(const LogProbs& log_probs, size_t row) {
  // A prefix with a label is beaten by the prefix with any better label, its
  // last token aside. So of the labels besides blank the first beam_size + 1
  // suffice; not of the tokens of phrases, but those are looked for apart.
  size_t count = options_.beam_size + 1;
  double gain = 0;
  if (IsRestricted() && options_.context != nullptr) {
    count = options_.candidates == 0 ? log_probs.labels : options_.candidates;
    gain = options_.context->largest_gain();
  } else if (options_.candidates != 0) {
    count = std::min(count, options_.candidates);
  }
  float floor = Floor(gain);
  if (options_.margin != kInfinity) {
    floor =
        std::max(floor, BestLabel(log_probs, row).log_prob - options_.margin);
  }
  candidates_.clear();
  probabilities_.clear();
  BestLabels(log_probs, row, options_.blank_id, count, floor, &candidates_);
}

float BeamStep::Floor(double gain) const {
  if (!IsFull()) return -kInfinity;
  Scaled most;
  for (const BeamEntry& entry : *beam_) {
    most = std::max(most, entry.total * entry.factor);
  }
  // The quotient of two values is more than half that of their powers of two.
  // The rest is room for rounding.
  const double halvings = ranked_.back().rank.exponent - most.exponent - 1;
  return std::nextafter(static_cast<float>(halvings * kLn2 - gain - 1e-3),
                        -kInfinity);
}

void BeamStep::ExtendByCandidates(int32_t place) {
  const BeamEntry& entry = (*beam_)[place];
  for (size_t k = 0; k < candidates_.size(); ++k) {
    const Label& label = candidates_[k];
    const Scaled change = ProbabilityOf(k) * entry.factor;
    const Scaled most = entry.total * change;
    if (FallsBelow(most)) break;  // And so do the labels behind it.
    if (IsPhraseToken(label.id)) continue;
    TryExtend(place, label,
              label.id == entry.token ? entry.in_blank * change : most);
  }
}

void BeamStep::FindPhraseTokens(const float* row) {
  phrase_tokens_.clear();
  if (IsRestricted()) {
    for (const Label& label : candidates_) {
      if (IsPhraseToken(label.id)) phrase_tokens_.push_back(label);
    }
    return;
  }
  const float floor = Floor(options_.context->largest_gain());
  for (const int32_t token : options_.context->tokens()) {
    if (row[token] >= floor) phrase_tokens_.push_back({token, row[token]});
  }
}

void BeamStep::ExtendByPhraseTokens(int32_t place) {
  const BeamEntry& entry = (*beam_)[place];
  const ContextGraph& context = *options_.context;
  for (const Label& label : phrase_tokens_) {
    const int32_t state = context.Next(entry.context_state, label.id);
    const double earned =
        entry.completed + context.Completed(state) + context.Partial(state);
    TryExtend(
        place, label,
        entry.Before(label.id) * ScaledExp(label.log_prob) * ScaledExp(earned));
  }
}

void BeamStep::TryExtend(int32_t place, Label label, const Scaled& rank) {
  const RankedPrefix extended = {rank, place, label.id, label.log_prob};
  if (rank.IsZero() || (IsFull() && !Precedes(extended, ranked_.back())))
    return;
  // What leads to a prefix of the beam is counted there.
  if (!InBeam(place, label.id)) Insert(extended);
}

bool BeamStep::InBeam(int32_t parent, int32_t token) const {
  int32_t child = first_child_[parent];
  while (child != kNone && (*beam_)[child].token != token) {
    child = stayed_[child].next_sibling;
  }
  return child != kNone;
}

const Scaled& BeamStep::ProbabilityOf(size_t candidate) {
  for (size_t k = probabilities_.size(); k <= candidate; ++k) {
    probabilities_.push_back(ScaledExp(candidates_[k].log_prob));
  }
  return probabilities_[candidate];
}

bool BeamStep::IsPhraseToken(int32_t token) const {
  return options_.context != nullptr && options_.context->HasToken(token);
}

bool BeamStep::FallsBelow(const Scaled& rank) const {
  return IsFull() && rank < ranked_.back().rank;
}

bool BeamStep::Precedes(const RankedPrefix& a, const RankedPrefix& b) const {
  if (!(a.rank == b.rank)) return b.rank < a.rank;
  return tree_.IdsLess(PrefixOf(a), PrefixOf(b));
}

PrefixTree::Prefix BeamStep::PrefixOf(const RankedPrefix& ranked) const {
  const int32_t node = (*beam_)[ranked.place].node;
  if (ranked.token == kNone) return tree_.PrefixOf(node);
  return {node, ranked.token};
}

void BeamStep::Insert(const RankedPrefix& ranked) {
  auto place = ranked_.end();
  if (!ranked_.empty() && Precedes(ranked, ranked_.back())) {
    place = std::upper_bound(
        ranked_.begin(), ranked_.end(), ranked,
        [this](const auto& a, const auto& b) { return Precedes(a, b); });
  }
  ranked_.insert(place, ranked);
  if (ranked_.size() > options_.beam_size) ranked_.pop_back();
}

}  // namespace oasr
