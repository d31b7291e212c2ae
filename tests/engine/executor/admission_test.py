"""Tests for admission: what a deployment cannot do is refused by name."""

import logging

import pytest

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.executor import admission
from tests.engine.executor import fakes


def admit(options, *, strategy=None, **fields):
    checker = admission.Admission(
        engine_config.EngineConfig(**fields), strategy or fakes.EchoStrategy()
    )
    checker.check(request.Request("a", None, options))
    return checker


@pytest.mark.parametrize(
    ("name", "value"),
    [("task", "translate"), ("language", "de"), ("prompt", "Names:")],
)
def test_content_that_is_not_honoured_is_refused(name, value):
    with pytest.raises(
        ValueError,
        match=rf"^Request 'a' asks for {name}='{value}', which the family 'ctc' cannot"
        r" honour in offline mode\.$",
    ):
        admit({name: value})
    admit({name: value}, strategy=fakes.EchoStrategy([name]))


class OnlyOffline(fakes.EchoStreamingStrategy):
    """Honours what it was told offline, and in a stream nothing."""

    def honours(self, mode):
        return super().honours(mode) if mode == "offline" else frozenset()


def test_the_modes_that_can_are_named():
    strategy = OnlyOffline(["language"])
    admit({"language": "de"}, strategy=strategy)
    with pytest.raises(
        ValueError, match=r"cannot honour in streaming mode; it can in offline mode\.$"
    ):
        admit({"language": "de"}, strategy=strategy, mode="streaming")
    with pytest.raises(ValueError, match=r"cannot honour in streaming mode\.$"):
        admit({"task": "translate"}, strategy=strategy, mode="streaming")


def test_words_need_a_family_with_frames_and_a_clock():
    with pytest.raises(ValueError, match=r"needs EngineConfig\.seconds_per_frame\.$"):
        admit({"word_timestamps": True})
    with pytest.raises(
        ValueError, match="word_timestamps=True, which the family 'ctc'"
    ):
        admit(
            {"word_timestamps": True},
            strategy=fakes.EchoStrategy([]),
            seconds_per_frame=0.04,
        )
    admit({"word_timestamps": True}, seconds_per_frame=0.04)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", 0.5),
        ("top_k", 3),
        ("top_p", 0.5),
        ("seed", 1),
        ("max_new_tokens", 9),
    ],
)
def test_a_knob_without_effect_is_said_once(name, value, caplog):
    with caplog.at_level(logging.WARNING, logger="oasr.engine"):
        checker = admit({name: value})
        checker.check(request.Request("b", None, {name: value}))
    (record,) = caplog.records
    assert record.message == f"The option {name} has no effect on the family 'ctc'."


def test_honoured_options_are_not_mentioned(caplog):
    with caplog.at_level(logging.WARNING, logger="oasr.engine"):
        admit({"n_best": 3, "temperature": None})
    assert not caplog.records


def test_a_mode_the_family_lacks_is_refused():
    with pytest.raises(
        ValueError,
        match=r"^Family 'ctc' decodes in .* \['offline'\], not in 'streaming'\.$",
    ):
        admit({}, mode="streaming")


def test_what_is_no_request_is_refused():
    checker = admit({})
    with pytest.raises(TypeError, match=r"^Expected an oasr\.engine\.Request, got 'a'"):
        checker.check("a")
