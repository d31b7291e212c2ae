"""What the `model_config.yaml` of a NeMo model says: family, labels, frames.

A `.nemo` file is an archive of it, the weights, and the files of the tokenizer under
names that begin with a checksum; the configuration names those as "nemo:NAME".
"""

from collections.abc import Mapping
from typing import Any

from oasr import showing
from oasr.checkpoints import directory as directories
from oasr.checkpoints import settings
from oasr.tokenizers import errors

NAME = "model_config.yaml"

_PACKAGE = "nemo.collections.asr."
# By the beginnings of the classes' names; a hybrid has a CTC head beside.
_FAMILIES = {
    "EncDecCTC": "ctc",
    "EncDecRNNT": "transducer",
    "EncDecHybridRNNTCTC": "transducer",
}
# Where each of them says how many labels it has, the blank not counted. -1 there
# stands for the length of the list beside.
_SIZES = ("joint.num_classes", "decoder.vocab_size", "decoder.num_classes")
_LISTS = ("joint.vocabulary", "decoder.vocabulary", "labels")
_PREFIX = "nemo:"
# SentencePiece models, whichever way their pieces were found.
_SENTENCEPIECE = "bpe"


def read(directory: directories.CheckpointDirectory) -> dict[str, Any]:
    """Returns the configuration, empty if there is none."""
    return directory.yaml(NAME) if NAME in directory else {}


def model(config: Mapping[str, Any]) -> str:
    """Returns the class of the model, "" if the configuration is not of NeMo's ASR."""
    target = settings.text(config, "target") or ""
    return target.rpartition(".")[2] if target.startswith(_PACKAGE) else ""


def family(config: Mapping[str, Any]) -> str | None:
    """Returns the way of decoding, None for a model of another way."""
    name = model(config)
    return next((f for n, f in _FAMILIES.items() if name.startswith(n)), None)


def labels(config: Mapping[str, Any]) -> int | None:
    """Returns how many labels there are before the blank, None if it is not said.

    Raises:
      AssetError: if no model has so many.
    """
    for place in _SIZES:
        if size := settings.vocab_size(config, place):
            return size
    found = characters(config)
    return len(found) if found else None


def characters(config: Mapping[str, Any]) -> list[str]:
    """Returns the labels that the configuration lists, none if it lists none.

    Raises:
      AssetError: if one is no text.
    """
    for place in _LISTS:
        found = settings.find(config, place)
        if isinstance(found, list) and found:
            _check_labels(found, place)
            return found
    return []


def tokenizer_model(
    directory: directories.CheckpointDirectory, config: Mapping[str, Any]
) -> str | None:
    """Returns the name of the SentencePiece model, None of a model of characters.

    Raises:
      AssetError: if the tokenizer is of another type, or its file is not there.
    """
    said = settings.find(config, "tokenizer")
    if said is None:
        return None
    kind = settings.text(config, "tokenizer.type")
    if kind != _SENTENCEPIECE:
        raise errors.AssetError(
            f"{directory.file(NAME)}: tokenizer.type is {showing.shown(kind)}; of"
            f" NeMo's types only {_SENTENCEPIECE!r}, a SentencePiece model, is read."
            " A table of its pieces, as sherpa-onnx exports it, will do."
        )
    path = settings.text(config, "tokenizer.model_path") or ""
    name = path.removeprefix(_PREFIX)
    if path.startswith(_PREFIX) and name in directory:
        return name
    found = directory.find("*tokenizer.model")
    if len(found) != 1:
        raise errors.AssetError(
            f"{directory.path}: expected {name or 'one *tokenizer.model'}, which"
            f" {NAME} names, found {found or 'none'}; it is in the .nemo archive."
        )
    return found[0]


def seconds_per_frame(config: Mapping[str, Any]) -> float | None:
    """Returns the encoder's, if the configuration says both of its factors.

    Models differ (QuartzNet 0.02 s, Conformer 0.04 s, FastConformer 0.08 s), so
    without it nothing is known.
    """
    stride = settings.number(config, "preprocessor.window_stride")
    factor = settings.number(config, "encoder.subsampling_factor")
    return (
        None if stride is None or factor is None else settings.product(stride, factor)
    )


def durations(config: Mapping[str, Any]) -> list[int]:
    """Returns the durations of a token-and-duration transducer, none of others."""
    found = settings.find(config, "model_defaults.tdt_durations")
    values = found if isinstance(found, list) else []
    return [value for value in values if type(value) is int]


def _check_labels(found: list[Any], place: str) -> None:
    """Raises for what is no text, as an unquoted `no` is none in YAML."""
    for label_id, label in enumerate(found):
        if not isinstance(label, str):
            raise errors.AssetError(
                f"{NAME}: {place}[{label_id}] must be a string, found"
                f" {showing.shown(label)}; in quotes it is one."
            )
