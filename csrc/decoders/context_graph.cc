#include "csrc/decoders/context_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace oasr {
namespace {

constexpr int64_t kLargestId = std::numeric_limits<int32_t>::max() - 1;

void CheckPhrase(const Phrase& phrase, size_t place) {
  const std::string name = "phrases[" + std::to_string(place) + "]";
  if (phrase.ids.empty()) {
    throw std::invalid_argument(name + " is empty; expected at least one id.");
  }
  for (const int64_t id : phrase.ids) {
    if (id >= 0 && id <= kLargestId) continue;
    throw std::invalid_argument(name + " holds the id " + std::to_string(id) +
                                "; expected 0 to " +
                                std::to_string(kLargestId) + ".");
  }
  if (!(phrase.boost > 0) || !std::isfinite(phrase.boost)) {
    throw std::invalid_argument(name + " has the boost " +
                                std::to_string(phrase.boost) +
                                "; expected a finite number above 0.");
  }
}

}  // namespace

ContextGraph::ContextGraph(const std::vector<Phrase>& phrases) : states_(1) {
  for (size_t place = 0; place < phrases.size(); ++place) {
    CheckPhrase(phrases[place], place);
    Add(phrases[place]);
  }
  AddFallbacks();
  CollectTokens();
  for (const State& state : states_) {
    largest_gain_ = std::max(largest_gain_, state.completed + state.partial);
  }
}

int32_t ContextGraph::Next(int32_t state, int32_t token) const {
  while (true) {
    const auto& next = states_[state].next;
    const auto found = next.find(token);
    if (found != next.end()) return found->second;
    if (state == kStart) return kStart;
    state = states_[state].fallback;
  }
}

bool ContextGraph::HasToken(int32_t token) const {
  return std::binary_search(tokens_.begin(), tokens_.end(), token);
}

void ContextGraph::Add(const Phrase& phrase) {
  int32_t state = kStart;
  for (const int64_t id : phrase.ids) {
    // Passed on the way to the end of the phrase, so only partly heard.
    states_[state].partial =
        std::max(states_[state].partial, phrase.boost * states_[state].depth);
    const auto fresh = static_cast<int32_t>(states_.size());
    const auto [place, added] =
        states_[state].next.try_emplace(static_cast<int32_t>(id), fresh);
    const int32_t next = place->second;
    if (added) {
      states_.emplace_back();
      states_[next].depth = states_[state].depth + 1;
    }
    state = next;
  }
  // A phrase given twice counts once, with its larger boost.
  states_[state].completed =
      std::max(states_[state].completed, phrase.boost * states_[state].depth);
}

void ContextGraph::AddFallbacks() {
  std::vector<int32_t> queue = {kStart};  // By depth: fallbacks are shorter.
  for (size_t head = 0; head < queue.size(); ++head) {
    const int32_t parent = queue[head];
    for (const auto& [token, state] : states_[parent].next) {
      State& child = states_[state];
      if (parent != kStart)
        child.fallback = Next(states_[parent].fallback, token);
      const State& fallback = states_[child.fallback];
      child.completed += fallback.completed;
      child.partial = std::max(child.partial, fallback.partial);
      queue.push_back(state);
    }
  }
}

void ContextGraph::CollectTokens() {
  for (const State& state : states_) {
    for (const auto& [token, next] : state.next) tokens_.push_back(token);
  }
  std::sort(tokens_.begin(), tokens_.end());
  tokens_.erase(std::unique(tokens_.begin(), tokens_.end()), tokens_.end());
}

}  // namespace oasr
