"""Added tokens whose declarations disagree: in ids, in files, in flags."""

from collections.abc import Iterable

from oasr import tokenizers
from oasr.checkpoints import finding
from oasr.checkpoints import huggingface_files
from oasr.checkpoints import tokenizer_files
from oasr.tokenizers import added_tokens

_RULE = "added_token_drift"


def lint(
    spec: tokenizers.TokenizerSpec, files: tokenizer_files.TokenizerFiles
) -> Iterable[finding.Finding]:
    """Returns the findings about the added tokens of a `tokenizer.json`.

    Args:
      spec: of the tokenizer.
      files: reads its files.
    """
    if spec.kind not in ("huggingface", "whisper"):
        return
    path = spec.file("tokenizer")
    declared = files.added(path)
    more = files.declared(spec.files.get("tokenizer_config"))
    known = {token.content: token for token in declared}
    texts = files.ids(path)
    missing = [t for t in more if t.content not in known and t.content not in texts]
    if missing:
        yield finding.Finding(
            _RULE,
            "note",
            f"{len(missing)} added tokens are in tokenizer_config.json only, e.g."
            f" {missing[0].content!r} with the id {missing[0].id}; a runtime that reads"
            " tokenizer.json alone splits them into text",
            "keep tokenizer_config.json with it, as the spec does",
            tuple(token.id for token in missing),
        )
    yield from _renumbered(spec, texts, [*declared, *more])
    disagreed = [
        token
        for token in more
        if token.content in known and token.special != known[token.content].special
    ]
    if disagreed:
        yield finding.Finding(
            _RULE,
            "warning",
            f"tokenizer.json and tokenizer_config.json disagree on whether"
            f" {len(disagreed)} added tokens are special, e.g."
            f" {disagreed[0].content!r}; they are",
            'make "special" equal in both files',
            tuple(token.id for token in disagreed),
        )


def _renumbered(
    spec: tokenizers.TokenizerSpec,
    texts: dict[str, int],
    tokens: list[added_tokens.AddedToken],
) -> Iterable[finding.Finding]:
    drift = huggingface_files.drifting(texts, tokens)
    if not drift:
        return
    text, token_id, actual = drift[0]
    filled = spec.options.get("on_id_mismatch") == "fill"
    yield finding.Finding(
        _RULE,
        "note" if filled else "error",
        f"{len(drift)} added tokens declare other ids than the runtime gives them, e.g."
        f" {text!r} {token_id}, and not {actual}",
        "none is needed: on_id_mismatch='fill' keeps the declared ids"
        if filled
        else "set the option on_id_mismatch='fill'",
        tuple(token_id for _, token_id, _ in drift),
    )
