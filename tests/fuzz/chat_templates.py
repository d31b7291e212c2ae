"""Chat templates: refused, or segments that write what the template writes.

They are rendered here by the code of the sandbox's child, as a process for each would
take most of the time; so it is a clock that stops those that do not end, and this
process that has less memory meanwhile.
"""

from collections.abc import Iterator
import contextlib
import functools
import json
import pathlib
import resource
import signal
from unittest import mock

from oasr import tokenizers
from oasr.checkpoints import chat_sandbox
from oasr.checkpoints import chat_sandbox_child as child
from oasr.checkpoints import chat_template
from oasr.tokenizers import errors
from tests.fuzz import files
from tests.fuzz import target
from tests.tokenizers import small_tokenizers as small

_SECONDS = 0.5
_BYTES = 256 << 20
_CHATML = """\
{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}\
{{ message['content'] | trim }}{{ '<|im_end|>' + '\n' }}{% endfor %}\
{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"""
_STRICT = """\
{{ bos_token }}{%- if messages[0].role == 'system' -%}{%- set ns = namespace(a=1) -%}
{{- messages[0].content -}}{%- set messages = messages[1:] -%}{%- endif -%}
{%- for m in messages -%}{%- if m.role not in ('user', 'assistant') -%}
{{- raise_exception('No such role: ' ~ m.role) -}}{%- endif -%}
[{{ loop.index0 }}|{{ m.role | upper }}]{{ m['content'] | replace('<|', '< |') }}
{%- generation -%}!{%- endgeneration -%}{%- break -%}{%- endfor -%}"""
_LOOKING = """\
{{ (messages | tojson(indent=2)) ~ ''.__class__ ~ cycler.__init__.__globals__ }}\
{% for i in range(99999) %}{{ i }}{% endfor %}{{ 'x' * 1000000 }}"""


@contextlib.contextmanager
def _memory_limit() -> Iterator[None]:
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(pathlib.Path("/proc/self/statm").read_text("ascii").split()[0])
    room = pages * resource.getpagesize() + _BYTES
    resource.setrlimit(resource.RLIMIT_AS, (room, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


class _TooLongError(BaseException):
    """The time is over."""


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def stop(*_):
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        yield
    except _TooLongError:
        raise errors.AssetError("The template does not end.") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _render(source, contexts, *, place, **_):
    """Renders as `chat_sandbox.render` does, in this process."""
    with _time_limit(), _memory_limit():
        try:
            template = child._environment().from_string(source)
        except Exception as error:
            raise errors.AssetError(f"{place}: expected Jinja: {error}.") from error
        found = [child._render(template, context) for context in contexts]
    for one in json.loads(json.dumps(found)):
        assert one.keys() in ({"text"}, {"error"})
        assert len(one.get("text", "")) <= child.MAX_CHARACTERS
    return [chat_sandbox.Rendering(**one) for one in found]


@functools.cache
def _tokenizer() -> tokenizers.Tokenizer:
    content = json.loads(small.byte_level().to_str())
    size = len(content["model"]["vocab"])
    names = ["<|im_start|>", "<|im_end|>", "<s>"]
    content["added_tokens"] = [small.added(size + n, t) for n, t in enumerate(names)]
    path = files.put("chat/tokenizer.json", json.dumps(content).encode())
    return tokenizers.HuggingFaceTokenizer(path)


def _chat_template(data: bytes) -> None:
    source = data.decode("utf-8", "replace")
    with mock.patch.object(chat_sandbox, "render", _render):
        compiled = chat_template.compile_chat_template(
            source, _tokenizer(), place="template", variables={"bos_token": "<s>"}
        )
    assert ("prompt",) in compiled.shapes


CHAT_TEMPLATE = target.Target(
    run=_chat_template,
    seeds=lambda: [_CHATML.encode(), _STRICT.encode(), _LOOKING.encode()],
    short=100,
)
