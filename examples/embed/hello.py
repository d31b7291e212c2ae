"""An engine of its own that renders ids with OASR."""

import pathlib

from oasr import tokenizers

_UNITS = pathlib.Path(__file__).with_name("units.txt")


def main() -> None:
    """Prints the text of a few ids, whole and as it streams."""
    spec = tokenizers.TokenizerSpec("symbol_table", {"table": str(_UNITS)})
    tokenizer = tokenizers.build_tokenizer(spec)
    ids = [3, 4, 5, 6]
    print(tokenizer.decode(ids))

    state = tokenizer.new_decode_state()
    for token_id in ids:
        print(repr(tokenizer.decode_incremental([token_id], state)))
    print(repr(tokenizer.flush_incremental(state)))


if __name__ == "__main__":
    main()
