"""Tests for session: its frames are known as long as all of them are."""

from oasr.engine import request as requests
from oasr.engine.executor import session as sessions


def test_frames_are_known_as_long_as_all_of_them_are():
    session = sessions.Session(requests.Request("a", None), None, None)
    session.count(3)
    session.count(0)
    assert session.frames == 3
    session.count(None)
    session.count(3)
    assert session.frames is None
