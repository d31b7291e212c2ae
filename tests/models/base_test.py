"""Tests for base: a model has what a family calls, or is refused with its names."""

import pytest

from oasr.models import base
from oasr.models import paraformer
from oasr.models import recorded
from oasr.models import rescoring
from oasr.models import transducer


class Scores:
    def scores(self, inputs):
        return inputs


class Attribute:
    """Has `scores`, which cannot be called."""

    scores = ()


class Recurrent:
    def encode(self, inputs): ...
    def join(self, frames, predictions): ...
    def start(self): ...
    def advance(self, ids, states): ...


KINDS = (transducer.StatelessTransducer, transducer.RecurrentTransducer)


def test_a_model_of_one_of_the_protocols_will_do():
    base.check_model(Scores(), base.ScoreModel)
    base.check_model(recorded.RecordedScores(), base.ScoreModel)
    base.check_model(Recurrent(), *KINDS)


@pytest.mark.parametrize("model", [None, object(), "x.npz", Scores, Attribute(), 0])
def test_what_is_no_model_is_refused(model):
    with pytest.raises(
        TypeError,
        match=r"^A model is an object with scores\(inputs\), an"
        r" oasr\.models\.base\.ScoreModel; got ",
    ):
        base.check_model(model, base.ScoreModel)


@pytest.mark.parametrize(
    ("protocols", "wanted"),
    [
        (
            KINDS,
            "encode(inputs), join(frames, predictions) and predict(contexts), an"
            " oasr.models.transducer.StatelessTransducer, or one with encode(inputs),"
            " join(frames, predictions), start() and advance(ids, states), an"
            " oasr.models.transducer.RecurrentTransducer",
        ),
        (
            (paraformer.Paraformer,),
            "one_shot(inputs), an oasr.models.paraformer.Paraformer",
        ),
        (
            (rescoring.RescoringModel,),
            "encode(inputs) and left_to_right(memory, hypotheses), an"
            " oasr.models.rescoring.RescoringModel",
        ),
        (
            (rescoring.BidirectionalRescoringModel,),
            "encode(inputs), left_to_right(memory, hypotheses) and"
            " right_to_left(memory, hypotheses), an"
            " oasr.models.rescoring.BidirectionalRescoringModel",
        ),
    ],
)
def test_all_that_is_wanted_is_named(protocols, wanted):
    with pytest.raises(TypeError) as caught:
        base.check_model(7, *protocols)
    assert str(caught.value) == f"A model is an object with {wanted}; got 7."
