#include "csrc/decoders/emission_chain.h"

#include <algorithm>

namespace oasr {

int32_t EmissionChains::Add(int32_t before, Emission emission) {
  Hold(before);
  const Link link = {emission, before, 1};
  if (free_.empty()) {
    links_.push_back(link);
    return static_cast<int32_t>(links_.size() - 1);
  }
  const int32_t place = free_.back();
  free_.pop_back();
  links_[place] = link;
  return place;
}

void EmissionChains::Release(int32_t link) {
  while (link != kNone && --links_[link].holds == 0) {
    free_.push_back(link);
    link = links_[link].before;
  }
}

std::vector<Emission> EmissionChains::Path(int32_t link) const {
  std::vector<Emission> path;
  for (; link != kNone; link = links_[link].before) {
    path.push_back(links_[link].emission);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace oasr
