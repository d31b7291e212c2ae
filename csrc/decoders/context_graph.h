// Phrases that a search is asked to prefer, as an Aho-Corasick automaton over
// ids.

#ifndef OASR_CSRC_DECODERS_CONTEXT_GRAPH_H_
#define OASR_CSRC_DECODERS_CONTEXT_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace oasr {

// A phrase, and what each of its tokens adds to the log-probability of a
// hypothesis that holds it.
struct Phrase {
  std::vector<int64_t> ids;
  double boost;
};

// Says what a sequence of ids has earned.
//
// - Every occurrence of a phrase earns its boost times its length, for good;
//   occurrences may overlap.
// - On top of that, an end that a phrase may yet complete earns the phrase's
// boost
//   times the tokens it has of it; of several such ends and phrases the one
//   that earns most counts. The next token renews that or takes it back.
//
//   ContextGraph graph({{{7, 8, 9}, 1.5}});
//   ids 7, 8     ->  complete 0, partial 3
//   ids 7, 8, 9  ->  complete 4.5, partial 0
//   ids 7, 8, 5  ->  complete 0, partial 0
//
// Immutable, so threads and searches may share it.
class ContextGraph {
 public:
  static constexpr int32_t kStart = 0;  // The state of the empty sequence.

  // Throws std::invalid_argument when a phrase is empty or holds an id that no
  // label can be, or a boost is not above 0 and finite.
  explicit ContextGraph(const std::vector<Phrase>& phrases);

  // Returns the state one token later.
  int32_t Next(int32_t state, int32_t token) const;

  // Returns what is earned for good on entering `state`.
  double Completed(int32_t state) const { return states_[state].completed; }

  // Returns what is earned until the next token.
  double Partial(int32_t state) const { return states_[state].partial; }

  // The most that one token can add to what a sequence has earned.
  double largest_gain() const { return largest_gain_; }

  // The ids of all phrases, ascending. Any other leads to the start, which
  // earns no more than another state does.
  const std::vector<int32_t>& tokens() const { return tokens_; }

  bool HasToken(int32_t token) const;

 private:
  struct State {
    std::unordered_map<int32_t, int32_t> next;
    int32_t depth = 0;
    int32_t fallback = kStart;  // The longest proper ending that is a state.
    double completed = 0;
    double partial = 0;
  };

  void Add(const Phrase& phrase);
  void AddFallbacks();
  void CollectTokens();

  std::vector<State> states_;
  std::vector<int32_t> tokens_;
  double largest_gain_ = 0;
};

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_CONTEXT_GRAPH_H_
