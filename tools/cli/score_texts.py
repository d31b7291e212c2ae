"""References and hypotheses: read from files, and paired."""

from collections.abc import Callable, Container, Iterable, Sequence
import dataclasses
import json
import os
from typing import Any

from oasr import showing
from tools.cli import inputs
from tools.cli import messages

_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
_ID_FIELDS = ("request_id", "id")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Utterance:
    """A transcript in a file.

    Attributes:
      name: its id, if the file has ids.
      place: where it stands, for messages.
      text: the transcript.
    """

    name: str | None
    place: str
    text: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pair:
    """A reference and what was recognised.

    Attributes:
      name: the id, or the number of the line, from 1.
      reference: the transcript that is right.
      hypothesis: the transcript that is scored.
    """

    name: str
    reference: str
    hypothesis: str


def read(path: str, *, ids: bool) -> list[Utterance]:
    """Returns the transcripts of a file.

    Args:
      path: of JSON lines if its suffix says so, else of lines of text; "-" for stdin.
      ids: whether each line of text begins with an id.

    Raises:
      OSError: if it cannot be read.
      ValueError: naming the line that is malformed.
    """
    found = []
    as_json = path.lower().endswith(_JSON_SUFFIXES)
    for place, line in inputs.lines(path):
        try:
            text = inputs.text_of(line)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from error
        if as_json or ids:
            if text.strip():
                make = _of_object if as_json else _of_words
                found.append(make(text, place))
        else:
            found.append(Utterance(name=None, place=place, text=text))
    return found


def paired(
    paths: tuple[str, str], references: list[Utterance], hypotheses: list[Utterance]
) -> list[Pair]:
    """Returns each reference with its hypothesis: by id, or else line by line.

    Args:
      paths: of references and hypotheses, for messages.
      references: the transcripts that are right.
      hypotheses: those that are scored.

    Raises:
      ValueError: if one is without the other, or an id stands twice.
    """
    if all(one.name is not None for one in [*references, *hypotheses]):
        return _by_id(paths, references, hypotheses)
    if len(references) != len(hypotheses):
        raise ValueError(
            f"{inputs.name_of(paths[0])} has {len(references)} transcripts and"
            f" {inputs.name_of(paths[1])} {len(hypotheses)}; without ids in both, line"
            " k of one belongs to line k of the other. If lines of text begin with ids,"
            " say so with --ids."
        )
    return [
        Pair(name=str(number), reference=one.text, hypothesis=other.text)
        for number, (one, other) in enumerate(
            zip(references, hypotheses, strict=True), start=1
        )
    ]


def _of_words(text: str, place: str) -> Utterance:
    name, *rest = text.split(maxsplit=1)
    return Utterance(name=name, place=place, text="".join(rest))


def _of_object(line: str, place: str) -> Utterance:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}: expected a JSON object: {error}") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
        raise ValueError(
            f"{place}: expected a JSON object with a 'text', found"
            f" {showing.shown(fields)}."
        )
    name = _id_of(fields, place)
    if fields.get("error"):
        messages.say(
            f"warning: {place}: recognition failed, and counts as an empty transcript:"
            f" {showing.shown(fields['error'], 200)}"
        )
    return Utterance(name=name, place=place, text=fields["text"])


def _id_of(fields: dict[str, Any], place: str) -> str | None:
    for field in _ID_FIELDS:
        name = fields.get(field)
        if isinstance(name, str | int) and not isinstance(name, bool):
            return str(name)
        if name is not None:
            raise ValueError(
                f"{place}: expected text as {field!r}, found {showing.shown(name)}."
            )
    return None


def _by_id(
    paths: tuple[str, str],
    references: Sequence[Utterance],
    hypotheses: Sequence[Utterance],
) -> list[Pair]:
    right, scored = _indexed(references), _indexed(hypotheses)
    partner: dict[str, str] = {}
    # Outputs are named by the paths of the audio, references often by what its files
    # are called without folder and suffix.
    for of_right, of_scored in ((str, str), (str, _stem), (_stem, _stem)):
        rest = [name for name in right if name not in partner]
        free = set(scored) - set(partner.values())
        ours, theirs = _unique(rest, of_right), _unique(free, of_scored)
        partner |= {name: theirs[key] for key, name in ours.items() if key in theirs}
    _check_all_there(paths[1], right, partner)
    _check_all_there(paths[0], scored, set(partner.values()))
    return [
        Pair(name=name, reference=one.text, hypothesis=scored[partner[name]].text)
        for name, one in right.items()
    ]


def _indexed(utterances: Sequence[Utterance]) -> dict[str, Utterance]:
    found: dict[str, Utterance] = {}
    for one in utterances:
        name = one.name or ""
        if name in found:
            raise ValueError(
                f"{one.place}: the id {showing.shown(name)} is at {found[name].place},"
                " too; expected each id once."
            )
        found[name] = one
    return found


def _stem(name: str) -> str:
    return os.path.splitext(os.path.basename(name))[0]


def _unique(names: Iterable[str], key: Callable[[str], str]) -> dict[str, str]:
    """Returns the names by their keys, without keys that several have."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(key(name), []).append(name)
    return {one: several[0] for one, several in found.items() if len(several) == 1}


def _check_all_there(
    path: str, utterances: dict[str, Utterance], known: Container[str]
) -> None:
    absent = [name for name in utterances if name not in known]
    if absent:
        place = utterances[absent[0]].place
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        raise ValueError(
            f"{inputs.name_of(path)}: has no {showing.shown(absent[0])}, which is at"
            f" {place}{more}."
        )
