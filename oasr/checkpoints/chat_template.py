"""Compiles a chat template to segments, so that none runs per request.

The template is rendered with marks in place of what a user types. What it writes
around them are its literals; that other texts in their place change nothing else is
tried, and so is that the segments have the ids of the whole.
"""

from collections.abc import Mapping, Sequence
import dataclasses
import itertools
import re
from typing import Any, TypeAlias

from oasr import tokenizers
from oasr.checkpoints import chat_messages
from oasr.checkpoints import chat_sandbox
from oasr.checkpoints import chat_turns
from oasr.checkpoints import prompt_ids
from oasr.checkpoints import prompt_template as prompts
from oasr.tokenizers import errors

# The one shape that every template has.
_PROMPT = ("prompt",)

_MARKS = {"system": "Mark7Of8System", "prompt": "Mark9Of5Prompt"}
_MARKS |= {
    name: f"Mark{3 + place}Of6Turn"
    for place, name in enumerate(chat_turns.slots((), chat_turns.MANY))
}
_BLANKS = " \n\t"
# What replaces the marks: the first shows what is stripped; the others hold what a
# template may escape, change or look for.
_SPACED = {name: f"{_BLANKS}{mark}{_BLANKS}" for name, mark in _MARKS.items()}
_OTHERS = (
    {"system": "s", "prompt": "p"},
    {"system": 'it\'s a "test"\\n', "prompt": "<b>&amp;'\"\\u00e9 é漢😀</b>"},
    {"system": "{{ 7 * 7 }} {% if %}", "prompt": "</think> [INST] %s {0} x\n\ny"},
    {"system": "UPPER lower 12", "prompt": "lower  UPPER " * 40 + "."},
)
# The other texts of a turn are those of the prompt.
_VALUES = (
    _MARKS,
    _SPACED,
    *(dict.fromkeys(_MARKS, values["prompt"]) | values for values in _OTHERS),
)
# What is in the slots of a prompt, and how many turns go before.
_Asked: TypeAlias = tuple[tuple[str, ...], int]


class _RefusedError(Exception):
    """Why a shape has no segments."""


def compile_chat_template(
    source: str,
    tokenizer: tokenizers.Tokenizer,
    *,
    place: str,
    variables: Mapping[str, str] | None = None,
    audio: chat_messages.AudioMarkup | None = None,
) -> prompts.PromptTemplate:
    """Returns the segments of a chat template.

    Args:
      source: the template, in Jinja.
      tokenizer: of the model.
      place: names the template in messages.
      variables: what else the template may read, e.g. `bos_token`.
      audio: how a recording stands in a prompt, for models that hear.

    Raises:
      AssetError: if it is no template, does not end, or not even a turn with a prompt
        can be written as segments, saying why.
    """
    shapes = chat_messages.shapes(audio)
    styles = chat_messages.styles(audio)
    asked: list[_Asked] = [(shape, 0) for shape in shapes]
    asked += [
        (shape, turns)
        for shape in shapes
        if "prompt" in shape
        for turns in (*range(1, chat_turns.TRIED + 1), chat_turns.MANY)
    ]
    contexts = [
        chat_messages.context(style, shape, values, audio, turns)
        | dict(variables or {})
        for style in styles
        for shape, turns in asked
        for values in _VALUES
    ]
    found = iter(chat_sandbox.render(source, contexts, place=place))
    compiler = _Compiler(tokenizer, audio)
    for _ in styles:  # The first that the template understands.
        compiled = compiler.compile(
            {one: list(itertools.islice(found, len(_VALUES))) for one in asked}
        )
        if _PROMPT in compiled.shapes:
            return compiled
    given = (reason.rstrip(".") for reason in compiled.refused.values())
    reasons = "; ".join(dict.fromkeys(given))
    raise errors.AssetError(
        f"{place}: expected a chat template that can be written as segments, found:"
        f" {reasons}."
    )


@dataclasses.dataclass(frozen=True)
class _Compiler:
    """Makes segments of renderings.

    Attributes:
      tokenizer: of the model.
      audio: how a recording stands in a prompt.
    """

    tokenizer: tokenizers.Tokenizer
    audio: chat_messages.AudioMarkup | None

    def compile(
        self, renderings: Mapping[_Asked, Sequence[chat_sandbox.Rendering]]
    ) -> prompts.PromptTemplate:
        """Returns the segments of each shape that has some.

        Args:
          renderings: of what is asked, with each of `_VALUES`.
        """
        shapes, refused = {}, {}
        turns, refused_turns = {}, {}
        for shape, count in renderings:
            if count:
                continue
            try:
                shapes[shape] = self._compile_shape(shape, renderings[shape, 0])
            except _RefusedError as error:
                refused[shape] = str(error)
        for shape in shapes:
            if "prompt" not in shape:
                continue
            try:
                turns[shape] = self._compile_turns(shape, renderings)
            except _RefusedError as error:
                refused_turns[shape] = str(error)
        return prompts.PromptTemplate(shapes, refused, turns, refused_turns)

    def _compile_shape(
        self, shape: tuple[str, ...], found: Sequence[chat_sandbox.Rendering]
    ) -> tuple[prompts.Segment, ...]:
        segments = self._segments(shape, found)
        refined = prompt_ids.refine(self.tokenizer, segments)
        self._check_ids(refined, shape)
        return refined

    def _compile_turns(
        self,
        shape: tuple[str, ...],
        renderings: Mapping[_Asked, Sequence[chat_sandbox.Rendering]],
    ) -> prompts.Turns:
        one, two, three, many = (
            self._segments(chat_turns.slots(shape, count), renderings[shape, count])
            for count in (*range(1, chat_turns.TRIED + 1), chat_turns.MANY)
        )
        found = chat_turns.find(one, two, three)
        if found is None or found.segments(chat_turns.MANY) != many:
            raise _RefusedError("it does not write all of them alike")
        refined = prompts.Turns(
            *(
                prompt_ids.refine(self.tokenizer, part)
                for part in (found.first, found.again, found.last)
            )
        )
        self._check_ids(refined.segments(2), chat_turns.slots(shape, 2))
        return refined

    def _check_ids(
        self, segments: tuple[prompts.Segment, ...], slots: tuple[str, ...]
    ) -> None:
        reason = prompt_ids.difference(self.tokenizer, segments, slots, self._token)
        if reason is not None:
            raise _RefusedError(reason)

    def _segments(
        self, slots: tuple[str, ...], found: Sequence[chat_sandbox.Rendering]
    ) -> tuple[prompts.Segment, ...]:
        """Returns the segments of renderings with each of `_VALUES`, all markup."""
        for rendering in found:
            if rendering.error is not None:
                raise _RefusedError(rendering.error)
        texts = [rendering.text for rendering in found]
        segments = self._cut(slots, texts[0], texts[1])
        for values, text in zip(_VALUES, texts, strict=True):
            written = prompts.write(segments, values, self._token)
            if written != text:
                raise _RefusedError(
                    "what it writes depends on what a user types: with"
                    f" {_shown(slots, values)} it writes {text[-160:]!r}"
                )
        return segments

    @property
    def _token(self) -> str:
        return self.audio.token if self.audio else ""

    def _cut(
        self, slots: tuple[str, ...], marked: str, spaced: str
    ) -> tuple[prompts.Segment, ...]:
        """Returns the segments of one rendering; its literals are all markup.

        Args:
          slots: their names.
          marked: what was written with `_MARKS`.
          spaced: the same with `_SPACED`.
        """
        if chat_messages.ADDRESS in marked:
            raise _RefusedError("it writes the address of the audio")
        kinds = {_MARKS[name]: _slot(name, spaced) for name in slots}
        if self.audio:
            kinds[self.audio.token] = prompts.Segment("audio")
        for name in slots:
            if _MARKS[name] not in marked:
                raise _RefusedError(f"it does not write the {name}")
        if self.audio and marked.count(self.audio.token) != 1:
            raise _RefusedError(
                f"it writes {self.audio.token} {marked.count(self.audio.token)} times"
                " for one recording"
            )
        if not kinds:
            raise _RefusedError("there is nothing to say")
        border = "|".join(map(re.escape, kinds))
        return tuple(
            kinds.get(part) or prompts.Segment("markup", part)
            for part in re.split(f"({border})", marked)
            if part
        )


def _slot(name: str, spaced: str) -> prompts.Segment:
    value = _SPACED[name]
    if value in spaced:
        return prompts.Segment("slot", name)
    if value.rstrip() in spaced:
        return prompts.Segment("slot", name, "end")
    return prompts.Segment("slot", name, "both")


def _shown(slots: tuple[str, ...], values: Mapping[str, Any]) -> str:
    return " and ".join(f"the {name} {values[name]!r}" for name in slots) or "no text"
