"""Tests for chat_sandbox: what transformers gives to templates, and limits."""

import time

import pytest

from oasr import tokenizers
from oasr.checkpoints import chat_sandbox

# Blocks that are trimmed as transformers trims them.
INDENTED = """{% for m in messages %}
    {% if m.role == 'user' %}
<|user|>{{ m.content }}
    {% endif %}
{% endfor %}
<|assistant|>"""
HELLO = [{"role": "user", "content": "hi"}]


def render(source, messages=HELLO, **limits):
    context = {"messages": messages}
    (found,) = chat_sandbox.render(source, [context], place="here", **limits)
    return found


@pytest.mark.parametrize(
    ("source", "content", "text"),
    [
        pytest.param(INDENTED, "hi", "<|user|>hi\n<|assistant|>", id="CASE-060"),
        pytest.param(
            "{{ messages[0].content | tojson }}",
            "<b>'é\"",
            '"<b>\'é\\""',
            id="CASE-061",
        ),
        pytest.param(
            "{% for n in [1, 2, 3] %}{% if n > 2 %}{% break %}{% endif %}{{ n }}"
            "{% endfor %}",
            "hi",
            "12",
            id="break",
        ),
        pytest.param(
            "a{% generation %}{{ messages[0].content }}{% endgeneration %}b",
            "hi",
            "ahib",
            id="generation",
        ),
        pytest.param(
            "{% set n = namespace(x=1) %}{% set n.x = 2 %}{{ n.x }}",
            "hi",
            "2",
            id="namespace",
        ),
        pytest.param("", "hi", "", id="empty"),
        pytest.param("{{ messages[0].content }}", "😀\x00", "😀\x00", id="any text"),
    ],
)
def test_a_template_writes(source, content, text):
    assert render(source, [{"role": "user", "content": content}]).text == text


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("{{ raise_exception('no system') }}", "no system"),
        ("{{ strftime_now('%d') }}", "'strftime_now' is undefined"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ messages.append(1) }}", "unsafe"),
        ("{% set n = namespace(_x=1) %}", "private name"),
        ("{% set n = namespace() %}{% set n._x = 1 %}", "private name"),
        ("{% include 'etc/passwd' %}", "no loader"),
        ("{{ 'x' * 2000000 }}", "more than 1048576 characters"),
        ("{{ 'x' * 999999999999 }}", "memory"),
        ("{% for n in range(10**9) %}{% endfor %}", "Range too big"),
    ],
)
def test_a_rendering_that_fails_says_why(source, error):
    found = render(source)
    assert found.text == ""
    assert error in found.error


def test_each_context_has_its_own_rendering():
    source = "{% if x %}{{ x }}{% else %}{{ raise_exception('none') }}{% endif %}"
    found = chat_sandbox.render(source, [{"x": 1}, {}, {"x": 2}], place="here")
    assert [one.text for one in found] == ["1", "", "2"]
    assert [one.error for one in found] == [None, "TemplateError: none", None]


def test_no_template_is_an_asset_error():
    with pytest.raises(tokenizers.AssetError, match=r"here: expected .* in Jinja"):
        render("{% if %}")


def test_time_is_bounded():
    # Nested loops stay below the sandbox's own bound on ranges.
    loop = "{% for n in range(99999) %}"
    source = loop * 3 + "{% endfor %}" * 3
    start = time.monotonic()
    with pytest.raises(tokenizers.AssetError, match="within 1 s"):
        render(source, seconds=1)
    assert time.monotonic() - start < 10


def test_memory_is_bounded():
    doubled = "{% set n = namespace(x=[1] * 99999) %}"
    doubled += "{% for _ in range(30) %}{% set n.x = n.x + n.x %}{% endfor %}"
    found = render(doubled, max_bytes=256 << 20)
    assert found.error == "it takes more memory than a template may"
