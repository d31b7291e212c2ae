// Any scores and options: the beam refuses them, or finds distinct hypotheses,
// the same ones however the frames are cut.

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "csrc/decoders/context_graph.h"
#include "csrc/decoders/ctc_greedy.h"
#include "csrc/decoders/ctc_prefix_beam.h"
#include "tests/csrc/fuzz/input.h"

namespace oasr {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Returns mostly log-probabilities, with equal ones and impossible ones.
float Score(Input* input) {
  const uint8_t byte = input->Byte();
  if (byte < 200) return -static_cast<float>(byte % 50) / 8;
  if (byte < 230) return -kInfinity;
  if (byte < 240) return -std::numeric_limits<float>::denorm_min();
  if (byte < 250) return std::ldexp(-1.f, byte - 140);  // Up to -2^109.
  return input->Raw<float>();
}

CtcPrefixBeamOptions ReadOptions(Input* input, size_t labels) {
  CtcPrefixBeamOptions options;
  const uint8_t flags = input->Byte();
  options.blank_id = flags < 250 ? flags % labels : input->Raw<int64_t>();
  options.beam_size = flags < 252 ? 1 + input->UpTo(20) : -input->Id();
  if (flags & 1) options.candidates_per_frame = input->UpTo(8);
  if (flags & 2) options.candidate_margin = -Score(input);
  if (flags & 4) {
    std::vector<Phrase> phrases(1 + input->UpTo(3));
    for (Phrase& phrase : phrases) {
      phrase.ids = {1 + input->Id() % 4};
      for (const int64_t id : input->Ids(3)) phrase.ids.push_back(id);
      const uint8_t boost = input->Byte();
      phrase.boost = boost < 250 ? (1 + boost) / 16.0 : input->Raw<double>();
    }
    options.context = std::make_shared<ContextGraph>(phrases);
  }
  return options;
}

void CheckHypothesis(const CtcHypothesis& found, size_t labels) {
  Require(found.frames.size() == found.ids.size(), "each id has a frame");
  Require(found.confidences.size() == found.ids.size(),
          "each id has a confidence");
  Require(!std::isnan(found.score), "a score is a number");
  for (size_t k = 0; k < found.ids.size(); ++k) {
    Require(found.ids[k] >= 0 && found.ids[k] < static_cast<int64_t>(labels),
            "ids are labels");
    Require(k == 0 || found.frames[k - 1] < found.frames[k], "frames ascend");
    Require(found.confidences[k] >= 0 && found.confidences[k] <= 1,
            "confidences are probabilities");
  }
}

bool Same(const CtcHypothesis& a, const CtcHypothesis& b) {
  return a.ids == b.ids && a.score == b.score && a.boosted == b.boosted &&
         a.frames == b.frames && a.confidences == b.confidences;
}

// Returns the n-best list after feeding in steps of `step` frames.
std::vector<CtcHypothesis> Run(const CtcPrefixBeamOptions& options,
                               const LogProbs& scores, size_t step) {
  CtcPrefixBeam beam(options);
  for (size_t first = 0; first < scores.frames; first += step) {
    const size_t count = std::min(step, scores.frames - first);
    beam.Feed({scores.Row(first), count, scores.labels});
    Require(beam.NBest(1)[0].ids.size() >= beam.StableLength(),
            "the stable ids are those of the best");
  }
  return beam.NBest(options.beam_size);
}

void Check(Input* input) {
  const size_t labels = 1 + input->UpTo(11);
  const size_t frames = input->UpTo(24);
  const size_t step = 1 + input->UpTo(6);
  const CtcPrefixBeamOptions options = ReadOptions(input, labels);
  std::vector<float> values(labels * frames);
  for (float& value : values) value = Score(input);
  const LogProbs scores = {values.data(), frames, labels};
  const auto whole = Run(options, scores, std::max<size_t>(frames, 1));
  const auto cut = Run(options, scores, step);
  Require(!whole.empty(), "there is a hypothesis");
  Require(whole.size() == cut.size(), "chunks change nothing");
  std::set<std::vector<int64_t>> distinct;
  for (size_t k = 0; k < whole.size(); ++k) {
    CheckHypothesis(whole[k], labels);
    Require(Same(whole[k], cut[k]), "chunks change nothing");
    Require(distinct.insert(whole[k].ids).second, "hypotheses are distinct");
    Require(options.context != nullptr || k == 0 ||
                whole[k].score <= whole[k - 1].score,
            "the best come first");
  }
  CheckHypothesis(CtcGreedy(scores, options.blank_id), labels);
}

}  // namespace
}  // namespace oasr

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  oasr::Input input(data, size);
  try {
    oasr::Check(&input);
  } catch (const std::invalid_argument&) {
    // As the headers promise for options and values that cannot be.
  }
  return 0;
}
