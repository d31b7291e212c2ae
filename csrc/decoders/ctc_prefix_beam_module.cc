// Binds ctc_greedy.h, ctc_prefix_beam.h and context_graph.h.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "csrc/decoders/context_graph.h"
#include "csrc/decoders/ctc_greedy.h"
#include "csrc/decoders/ctc_hypothesis.h"
#include "csrc/decoders/ctc_prefix_beam.h"
#include "csrc/decoders/label_rows.h"

namespace py = pybind11;

namespace oasr {
namespace {

using Scores = py::array_t<float, py::array::c_style>;

// Scores as the searches read them, and the array that owns them.
struct Frames {
  Scores owner;
  LogProbs log_probs;
};

// Takes contiguous float32 as it is, copies what is only not contiguous.
Frames ToFrames(const py::array& array) {
  if (!py::isinstance<py::array_t<float>>(array)) {
    throw std::invalid_argument("log_probs is of dtype " +
                                py::str(array.dtype()).cast<std::string>() +
                                "; expected float32.");
  }
  if (array.ndim() != 2) {
    throw std::invalid_argument("log_probs has " +
                                std::to_string(array.ndim()) +
                                " dimensions; expected 2, [T, V].");
  }
  Scores owner = Scores::ensure(array);
  if (!owner) throw py::error_already_set();
  const LogProbs log_probs = {owner.data(), static_cast<size_t>(owner.shape(0)),
                              static_cast<size_t>(owner.shape(1))};
  return {std::move(owner), log_probs};
}

template <typename T>
py::tuple ToTuple(const std::vector<T>& values) {
  py::tuple tuple(values.size());
  for (size_t k = 0; k < values.size(); ++k) tuple[k] = values[k];
  return tuple;
}

// A CtcHypothesis as Python reads it.
struct Hypothesis {
  explicit Hypothesis(const CtcHypothesis& found)
      : ids(ToTuple(found.ids)),
        score(found.score),
        boosted(found.boosted),
        frames(ToTuple(found.frames)),
        confidences(ToTuple(found.confidences)) {}

  py::tuple ids;
  double score;
  double boosted;
  py::tuple frames;
  py::tuple confidences;
};

std::vector<Hypothesis> ToHypotheses(const std::vector<CtcHypothesis>& found) {
  return std::vector<Hypothesis>(found.begin(), found.end());
}

Hypothesis Greedy(const py::array& array, int64_t blank_id) {
  const Frames frames = ToFrames(array);
  CtcHypothesis found;
  {
    const py::gil_scoped_release unlocked;
    found = CtcGreedy(frames.log_probs, blank_id);
  }
  return Hypothesis(found);
}

CtcPrefixBeamOptions ToOptions(int64_t blank_id, int64_t beam_size,
                               std::optional<int64_t> candidates_per_frame,
                               std::optional<double> candidate_margin,
                               std::shared_ptr<ContextGraph> context) {
  CtcPrefixBeamOptions options;
  options.blank_id = blank_id;
  options.beam_size = beam_size;
  if (candidates_per_frame) {
    if (*candidates_per_frame < 1) {
      throw std::invalid_argument("candidates_per_frame is " +
                                  std::to_string(*candidates_per_frame) +
                                  "; expected at least 1, or None.");
    }
    options.candidates_per_frame = *candidates_per_frame;
  }
  if (candidate_margin) {
    options.candidate_margin = static_cast<float>(*candidate_margin);
  }
  options.context = std::move(context);
  return options;
}

// A search that tells when a second thread comes in.
class Beam {
 public:
  explicit Beam(const CtcPrefixBeamOptions& options) : beam_(options) {}

  void Feed(const py::array& array) {
    const Frames frames = ToFrames(array);
    const Use use(this);
    const py::gil_scoped_release unlocked;
    beam_.Feed(frames.log_probs);
  }

  std::vector<Hypothesis> NBest(int64_t n) {
    const Use use(this);
    return ToHypotheses(beam_.NBest(n));
  }

  Hypothesis Best() {
    const Use use(this);
    return Hypothesis(beam_.NBest(1)[0]);
  }

  size_t StableLength() {
    const Use use(this);
    return beam_.StableLength();
  }

  int64_t FrameCount() {
    const Use use(this);
    return beam_.Frames();
  }

  size_t NodeCount() {
    const Use use(this);
    return beam_.NodeCount();
  }

 private:
  class Use {
   public:
    explicit Use(Beam* beam) : beam_(beam) {
      if (!beam->in_use_.test_and_set()) return;
      throw std::runtime_error("A CtcPrefixBeam is in use by another thread.");
    }
    ~Use() { beam_->in_use_.clear(); }

   private:
    Beam* const beam_;
  };

  CtcPrefixBeam beam_;
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
};

std::vector<Hypothesis> Search(const py::array& array, int64_t n,
                               const CtcPrefixBeamOptions& options) {
  const Frames frames = ToFrames(array);
  std::vector<CtcHypothesis> found;
  {
    const py::gil_scoped_release unlocked;
    CtcPrefixBeam beam(options);
    beam.Feed(frames.log_probs);
    found = beam.NBest(n);
  }
  return ToHypotheses(found);
}

}  // namespace
}  // namespace oasr

PYBIND11_MODULE(ctc_prefix_beam, m) {
  m.doc() = "CTC searches: greedy, and prefix beams whole or in chunks.";

  py::class_<oasr::Hypothesis>(m, "Hypothesis", "What a CTC search finds.")
      .def_readonly("ids", &oasr::Hypothesis::ids)
      .def_readonly("score", &oasr::Hypothesis::score)
      .def_readonly("boosted", &oasr::Hypothesis::boosted)
      .def_readonly("frames", &oasr::Hypothesis::frames)
      .def_readonly("confidences", &oasr::Hypothesis::confidences);

  py::class_<oasr::ContextGraph, std::shared_ptr<oasr::ContextGraph>>(
      m, "ContextGraph", "Phrases that a search is asked to prefer.")
      .def(py::init(
               [](const std::vector<std::pair<std::vector<int64_t>, double>>&
                      phrases) {
                 std::vector<oasr::Phrase> checked;
                 for (const auto& [ids, boost] : phrases) {
                   checked.push_back({ids, boost});
                 }
                 return std::make_shared<oasr::ContextGraph>(checked);
               }),
           py::arg("phrases"));

  py::class_<oasr::Beam>(m, "CtcPrefixBeam", "The state of one search.")
      .def(py::init([](int64_t blank_id, int64_t beam_size,
                       std::optional<int64_t> candidates_per_frame,
                       std::optional<double> candidate_margin,
                       std::shared_ptr<oasr::ContextGraph> context) {
             return std::make_unique<oasr::Beam>(
                 oasr::ToOptions(blank_id, beam_size, candidates_per_frame,
                                 candidate_margin, std::move(context)));
           }),
           py::kw_only(), py::arg("blank_id") = 0, py::arg("beam_size") = 10,
           py::arg("candidates_per_frame") = py::none(),
           py::arg("candidate_margin") = py::none(),
           py::arg("context") = py::none())
      .def("feed", &oasr::Beam::Feed, py::arg("log_probs"),
           "Advances over the next frames.")
      .def("best", &oasr::Beam::Best, "Returns the best hypothesis so far.")
      .def("n_best", &oasr::Beam::NBest, py::arg("n"),
           "Returns at most the `n` best hypotheses so far, best first.")
      .def_property_readonly("stable_length", &oasr::Beam::StableLength)
      .def_property_readonly("frames", &oasr::Beam::FrameCount)
      .def_property_readonly("node_count", &oasr::Beam::NodeCount);

  m.def(
      "greedy", &oasr::Greedy, py::arg("log_probs"), py::kw_only(),
      py::arg("blank_id") = 0,
      "Returns the best label of each frame, repeats merged, blanks dropped.");
  m.def(
      "search",
      [](const py::array& log_probs, int64_t n_best, int64_t blank_id,
         int64_t beam_size, std::optional<int64_t> candidates_per_frame,
         std::optional<double> candidate_margin,
         std::shared_ptr<oasr::ContextGraph> context) {
        return oasr::Search(
            log_probs, n_best,
            oasr::ToOptions(blank_id, beam_size, candidates_per_frame,
                            candidate_margin, std::move(context)));
      },
      py::arg("log_probs"), py::kw_only(), py::arg("n_best") = 1,
      py::arg("blank_id") = 0, py::arg("beam_size") = 10,
      py::arg("candidates_per_frame") = py::none(),
      py::arg("candidate_margin") = py::none(), py::arg("context") = py::none(),
      "Returns at most the `n_best` best hypotheses of an utterance, best "
      "first.");
}
