"""Renders a chat template in a process of its own, which may be killed.

It reads a JSON object from its input, `{"source", "contexts", "seconds", "bytes"}`,
and writes one to its output: `{"renderings": [{"text"} or {"error"}, ...]}`, a
rendering per context, or `{"error"}`. It imports nothing of OASR, so that it starts
quickly.

The environment is the one that transformers gives to templates: blocks are trimmed,
`tojson` escapes no HTML, and there are `break`, `raise_exception` and
`{% generation %}`. It has no clock: a template cannot ask for today's date.
"""

from collections.abc import Mapping
import json
import resource
import sys
from typing import Any

import jinja2
from jinja2 import ext
from jinja2 import nodes
from jinja2 import parser as parsers
from jinja2 import sandbox
from jinja2 import utils

# A thousand times what a prompt of one turn has.
MAX_CHARACTERS = 1 << 20


class _Namespace(utils.Namespace):
    """A namespace without private names, which lead out of the sandbox."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        for name in dict(*args[1:], **kwargs):
            _check_name(name)
        utils.Namespace.__init__(*args, **kwargs)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


class _Generation(ext.Extension):
    """The tag that marks what an assistant said; it writes its content only."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 declares it so.

    def parse(self, parser: parsers.Parser) -> nodes.Node | list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _check_name(name: object) -> None:
    if str(name).startswith("_"):
        raise jinja2.TemplateError(f"a namespace takes no private name, got {name!r}")


def _raise_exception(message: object) -> None:
    raise jinja2.TemplateError(str(message))


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _environment() -> sandbox.ImmutableSandboxedEnvironment:
    environment = sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_Generation, ext.loopcontrols],
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _raise_exception
    environment.globals["namespace"] = _Namespace
    return environment


def _render(template: jinja2.Template, context: Mapping[str, Any]) -> dict[str, str]:
    parts, size = [], 0
    try:
        for part in template.generate(context):
            parts.append(part)
            size += len(part)
            if size > MAX_CHARACTERS:
                return {"error": f"it writes more than {MAX_CHARACTERS} characters"}
            part.encode()
    except UnicodeEncodeError as error:
        return {"error": f"it writes {error.object[error.start]!r}, which is no text"}
    except MemoryError:
        return {"error": "it takes more memory than a template may"}
    except Exception as error:  # Whatever a template provokes is its own fault.
        return {"error": f"{type(error).__name__}: {error}"}
    return {"text": "".join(parts)}


def main() -> None:
    """Answers the one question on the input."""
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (asked["bytes"], asked["bytes"]))
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # It writes to no file.
    answer: dict[str, Any]
    try:
        template = _environment().from_string(asked["source"])
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    else:
        renderings = [_render(template, context) for context in asked["contexts"]]
        answer = {"renderings": renderings}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
