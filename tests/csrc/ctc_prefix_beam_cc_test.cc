// Tests of the CTC searches that a sanitizer watches; the Python tests compare
// them with their definitions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "csrc/decoders/context_graph.h"
#include "csrc/decoders/ctc_greedy.h"
#include "csrc/decoders/ctc_prefix_beam.h"
#include "csrc/decoders/emission_chain.h"
#include "csrc/decoders/float_blocks.h"
#include "csrc/decoders/label_rows.h"
#include "csrc/decoders/prefix_tree.h"
#include "csrc/decoders/scaled.h"

namespace oasr {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> RandomRows(std::mt19937* random, size_t size) {
  std::vector<float> values(size);
  for (float& value : values) {
    value = -static_cast<float>((*random)() % 64) / 8;
    if ((*random)() % 8 == 0) value = -kInfinity;
  }
  return values;
}

TEST(ScaledTest, AgreesWithDoubles) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> logs(-300, 300);
  for (int round = 0; round < 20000; ++round) {
    const double a = logs(random);
    const double b = round % 2 == 0 ? logs(random) : a + logs(random) / 100;
    EXPECT_NEAR(Log(ScaledExp(a)), a, 1e-13 * 300);
    EXPECT_NEAR(Log(ScaledExp(a) * ScaledExp(b)), a + b, 1e-13 * 600);
    const double high = std::max(a, b);
    const double sum = high + std::log1p(std::exp(std::min(a, b) - high));
    EXPECT_NEAR(Log(ScaledExp(a) + ScaledExp(b)), sum, 1e-13 * 300);
    EXPECT_EQ(ScaledExp(a) < ScaledExp(b), a < b);
    const double fraction = (ScaledExp(a) + ScaledExp(b)).fraction;
    EXPECT_TRUE(fraction >= 1 && fraction < 2);
  }
}

TEST(ScaledTest, ZeroIsNeutralAndAbsorbs) {
  const Scaled zero = ScaledExp(-std::numeric_limits<double>::infinity());
  const Scaled one = {1, 0};
  EXPECT_TRUE(zero == Scaled());
  EXPECT_TRUE(zero * ScaledExp(3e38) == zero);
  EXPECT_TRUE(zero + zero == zero);
  EXPECT_TRUE(zero + one == one);
  EXPECT_TRUE(zero < ScaledExp(-3e38));
  EXPECT_EQ(Log(zero), -std::numeric_limits<double>::infinity());
}

// The functions that the processor gets, and those for all others.
struct Finders {
  Highest (*highest)(const float*, size_t);
  size_t (*block)(const float*, size_t, size_t, float);
};

class FloatBlocksTest : public testing::TestWithParam<Finders> {};

INSTANTIATE_TEST_SUITE_P(
    Both, FloatBlocksTest,
    testing::Values(Finders{FindHighest, FindBlockNotBelow},
                    Finders{FindHighestPortably, FindBlockNotBelowPortably}));

TEST_P(FloatBlocksTest, FindsWhatALoopFinds) {
  const Finders find = GetParam();
  std::mt19937 random(2);
  for (size_t size = 1; size < 1200; size += 1 + random() % 7) {
    std::vector<float> values = RandomRows(&random, size);
    const auto highest = std::max_element(values.begin(), values.end());
    const Highest found = find.highest(values.data(), size);
    EXPECT_EQ(found.value, *highest);
    EXPECT_EQ(found.place, static_cast<size_t>(highest - values.begin()));
    EXPECT_TRUE(found.is_proper);

    const float floor = -static_cast<float>(random() % 64) / 512;
    const size_t begin = random() % size;
    size_t first = begin;
    while (first < size && values[first] < floor) ++first;
    const size_t block =
        first == size ? size : begin + (first - begin) / kBlock * kBlock;
    EXPECT_EQ(find.block(values.data(), begin, size, floor), block);

    values[random() % size] = random() % 2 == 0 ? kNan : kInfinity;
    EXPECT_FALSE(find.highest(values.data(), size).is_proper);
    EXPECT_LT(find.block(values.data(), 0, size, 1), size);
  }
}

TEST(LabelRowsTest, RanksTheBestLabels) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const size_t labels = 1 + random() % 150;
    const std::vector<float> row = RandomRows(&random, labels);
    const auto blank = static_cast<int32_t>(random() % labels);
    const size_t count = 1 + random() % 12;
    const float floor = random() % 2 == 0 ? -kInfinity : -4.5f;
    std::vector<int32_t> expected;
    for (size_t k = 0; k < labels; ++k) {
      const auto id = static_cast<int32_t>(k);
      if (id != blank && row[k] >= floor && row[k] > -kInfinity)
        expected.push_back(id);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [&](int32_t a, int32_t b) { return row[a] > row[b]; });
    expected.resize(std::min(expected.size(), count));

    std::vector<Label> found;
    BestLabels({row.data(), 1, labels}, 0, blank, count, floor, &found);
    std::vector<int32_t> ids;
    for (const Label& label : found) ids.push_back(label.id);
    EXPECT_EQ(ids, expected);
  }
}

TEST(PrefixTreeTest, FreesWhatNothingNeeds) {
  PrefixTree tree;
  tree.SetSlot(PrefixTree::kRoot, 0);
  const int32_t a = tree.Extend(PrefixTree::kRoot, 5);
  const int32_t ab = tree.Extend(a, 6);
  tree.SetSlot(ab, 1);
  EXPECT_EQ(tree.Extend(PrefixTree::kRoot, 5), a);
  EXPECT_EQ(tree.Ids(ab), (std::vector<int64_t>{5, 6}));
  EXPECT_EQ(tree.size(), 3);
  EXPECT_EQ(tree.Stem(), PrefixTree::kRoot);
  tree.ClearSlot(PrefixTree::kRoot);
  EXPECT_EQ(tree.Stem(), ab);
  tree.ClearSlot(ab);
  EXPECT_EQ(tree.size(), 1);
}

TEST(PrefixTreeTest, ComparesAsSequencesDo) {
  std::mt19937 random(4);
  PrefixTree tree;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::vector<int64_t>> ids(2);
    std::vector<PrefixTree::Prefix> prefixes;
    for (std::vector<int64_t>& sequence : ids) {
      int32_t node = PrefixTree::kRoot;
      PrefixTree::Prefix prefix = tree.PrefixOf(node);
      for (size_t length = random() % 5; length > 0; --length) {
        const int32_t token = random() % 3;
        prefix = {node, token};
        node = tree.Extend(node, token);
        sequence.push_back(token);
      }
      prefixes.push_back(prefix);
    }
    EXPECT_EQ(tree.IdsLess(prefixes[0], prefixes[1]), ids[0] < ids[1]);
  }
}

TEST(EmissionChainsTest, SharesAndFrees) {
  EmissionChains chains;
  const int32_t first = chains.Add(EmissionChains::kNone, {3, -0.5f});
  const int32_t second = chains.Add(first, {7, -0.25f});
  const int32_t other = chains.Add(first, {9, -1});
  chains.Release(first);
  EXPECT_EQ(chains.size(), 3);
  EXPECT_EQ(chains.Path(second)[0].frame, 3);
  EXPECT_EQ(chains.Path(second)[1].frame, 7);
  chains.Release(second);
  chains.Release(EmissionChains::kNone);
  EXPECT_EQ(chains.size(), 2);
  chains.Release(other);
  EXPECT_EQ(chains.size(), 0);
}

TEST(ContextGraphTest, EarnsForOccurrencesAndBeginnings) {
  const ContextGraph graph({{{7, 8, 9}, 1.5}, {{8}, 0.25}});
  const auto earned = [&](const std::vector<int32_t>& ids) {
    int32_t state = ContextGraph::kStart;
    double completed = 0;
    for (const int32_t id : ids) {
      state = graph.Next(state, id);
      completed += graph.Completed(state);
    }
    return std::vector<double>{completed, graph.Partial(state)};
  };
  EXPECT_EQ(earned({}), (std::vector<double>{0, 0}));
  EXPECT_EQ(earned({7}), (std::vector<double>{0, 1.5}));
  EXPECT_EQ(earned({7, 8}), (std::vector<double>{0.25, 3}));
  EXPECT_EQ(earned({7, 8, 9}), (std::vector<double>{4.75, 0}));
  EXPECT_EQ(earned({7, 8, 7}), (std::vector<double>{0.25, 1.5}));
  EXPECT_EQ(graph.tokens(), (std::vector<int32_t>{7, 8, 9}));
}

std::vector<std::vector<int64_t>> Ids(const std::vector<CtcHypothesis>& found) {
  std::vector<std::vector<int64_t>> ids;
  for (const CtcHypothesis& hypothesis : found) ids.push_back(hypothesis.ids);
  return ids;
}

TEST(CtcPrefixBeamTest, ChunksGiveWhatTheWholeGives) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const size_t frames = 1 + random() % 60;
    const size_t labels = 2 + random() % 70;
    std::vector<float> values = RandomRows(&random, frames * labels);
    for (size_t t = 0; t < frames; ++t) values[t * labels + 1] = -1;
    CtcPrefixBeamOptions options;
    options.beam_size = 1 + static_cast<int64_t>(random() % 12);
    if (round % 3 == 0) {
      options.context = std::make_shared<ContextGraph>(
          std::vector<Phrase>{{{1, 1}, 0.5}, {{1}, 0.25}});
    }
    CtcPrefixBeam whole(options);
    whole.Feed({values.data(), frames, labels});
    CtcPrefixBeam chunked(options);
    for (size_t t = 0; t < frames;) {
      const size_t size = std::min<size_t>(random() % 8, frames - t);
      chunked.Feed({values.data() + t * labels, size, labels});
      t += size;
    }
    const auto expected = whole.NBest(options.beam_size);
    const auto found = chunked.NBest(options.beam_size);
    EXPECT_EQ(Ids(found), Ids(expected));
    EXPECT_EQ(chunked.NodeCount(), whole.NodeCount());
    std::set<std::vector<int64_t>> distinct;
    for (size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].score, expected[k].score);
      EXPECT_EQ(found[k].frames, expected[k].frames);
      EXPECT_EQ(found[k].confidences, expected[k].confidences);
      EXPECT_EQ(found[k].frames.size(), found[k].ids.size());
      EXPECT_LE(chunked.StableLength(), found[k].ids.size());
      EXPECT_TRUE(distinct.insert(found[k].ids).second);
    }
  }
}

TEST(CtcPrefixBeamTest, RefusesARowAndKeepsWhatCameBefore) {
  std::vector<float> values = {-1, -2, -3, -1, kNan, -1, -1, -1, -1};
  CtcPrefixBeam beam(CtcPrefixBeamOptions{});
  EXPECT_THROW(beam.Feed({values.data(), 3, 3}), std::invalid_argument);
  EXPECT_EQ(beam.Frames(), 1);
  EXPECT_EQ(beam.NBest(1)[0].ids, std::vector<int64_t>());
  EXPECT_THROW(beam.Feed({values.data(), 1, 2}), std::invalid_argument);
  EXPECT_THROW(beam.NBest(11), std::invalid_argument);
}

TEST(CtcGreedyTest, MergesRepeatsAndDropsBlanks) {
  const std::vector<float> values = {-9, -1, -9, -2, -1, -9, -9, -2, -3};
  const CtcHypothesis found = CtcGreedy({values.data(), 3, 3}, 0);
  EXPECT_EQ(found.ids, std::vector<int64_t>{1});
  EXPECT_EQ(found.frames, std::vector<int64_t>{0});
  EXPECT_EQ(found.score, -4);
  EXPECT_EQ(found.confidences, std::vector<double>{std::exp(-1.0)});
}

}  // namespace
}  // namespace oasr
