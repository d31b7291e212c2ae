// When the tokens of the best paths were emitted, shared between paths.

#ifndef OASR_CSRC_DECODERS_EMISSION_CHAIN_H_
#define OASR_CSRC_DECODERS_EMISSION_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oasr {

// The run of frames in which a path stays on one token.
struct Emission {
  int64_t frame;  // The first of the run.
  float highest;  // The highest log-posterior of the token in the run.
};

// Stores paths as chains of emissions, last first, that may share what is
// before.
//
// A link lives while it is held, by another link or by the caller. kNone stands
// for the path that emitted nothing and may be held and released as any other.
class EmissionChains {
 public:
  static constexpr int32_t kNone = -1;

  // How many links live.
  size_t size() const { return links_.size() - free_.size(); }

  // Returns a link, held once, that comes after `before`, which it holds.
  int32_t Add(int32_t before, Emission emission);

  void Hold(int32_t link) {
    if (link != kNone) ++links_[link].holds;
  }

  void Release(int32_t link);

  // Returns the emissions that end with `link`, first first.
  std::vector<Emission> Path(int32_t link) const;

 private:
  struct Link {
    Emission emission;
    int32_t before;
    int32_t holds;
  };

  std::vector<Link> links_;
  std::vector<int32_t> free_;
};

}  // namespace oasr

#endif  // OASR_CSRC_DECODERS_EMISSION_CHAIN_H_
