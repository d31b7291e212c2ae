"""Asks a chat model what was said: its template is compiled, its tokens stream."""

import json
import pathlib
import tempfile

import numpy as np

from examples import small
from oasr import engine

_WORDS = ["hello", "\u0120world", "say", "\u0120it"]  # U+0120 is a byte-level blank.
_CONTROLS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
_AUDIO = ["<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"]
_TEMPLATE = """
{%- for message in messages -%}
    <|im_start|>{{ message.role }}
    {%- for part in message.content -%}
        {%- if part.type == 'audio' -%}
            <|audio_bos|><|AUDIO|><|audio_eos|>
        {%- else -%}
            {{- part.text -}}
        {%- endif -%}
    {%- endfor -%}
    <|im_end|>
{%- endfor -%}
<|im_start|>assistant"""


class TinyChat:
    """Answers "hello world" whatever is asked; a state is how much was said."""

    def __init__(self, answer, labels):
        self._answer = answer
        self._labels = labels

    def encode(self, inputs):
        """Returns the audio as it came: each value takes up a place of the prompt."""
        return list(inputs)

    def prefill(self, encoded, prompts):
        """Prints the prompts; returns what follows them."""
        for prompt in prompts:
            print(f"prompt      {prompt.tolist()}")
        return self._scores([0] * len(prompts)), [0] * len(prompts)

    def step(self, states, ids):
        """Returns what follows the tokens."""
        states = [said + 1 for said in states]
        return self._scores(states), states

    def select(self, states, rows):
        """Returns the states of rows."""
        return [states[row] for row in rows]

    def _scores(self, states):
        logits = np.zeros((len(states), self._labels))
        for row, said in enumerate(states):  # The last token is the end.
            logits[row, self._answer[min(said, len(self._answer) - 1)]] = 5.0
        return logits


def write_checkpoint(folder: str) -> dict[str, int]:
    """Writes files like those of Qwen2-Audio; returns the id of each token."""
    letters = sorted({letter for word in _WORDS for letter in word})
    steps = [[word[:n], word[n]] for word in _WORDS for n in range(1, len(word))]
    pieces = dict.fromkeys([*letters, *("".join(step) for step in steps)])
    ids = {piece: n for n, piece in enumerate([*pieces, *_CONTROLS, *_AUDIO])}
    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    level["trim_offsets"] = True
    model = {"type": "BPE", "vocab": {piece: ids[piece] for piece in pieces}}
    model["merges"] = list(map(list, dict.fromkeys(map(tuple, steps))))
    declared = {
        str(ids[name]): {"content": name, "special": True}
        for name in [*_CONTROLS, *_AUDIO]
    }
    contents = {
        "tokenizer.json": {
            "version": "1.0",
            "pre_tokenizer": level,
            "decoder": level,
            "model": model,
        },
        "tokenizer_config.json": {
            "added_tokens_decoder": declared,
            "chat_template": _TEMPLATE,
        },
        "config.json": {"model_type": "qwen2_audio", "vocab_size": len(ids)},
    }
    for name, content in contents.items():
        pathlib.Path(folder, name).write_text(json.dumps(content), encoding="utf-8")
    return ids


def main() -> None:
    """Prints the prompt, the transcript as it grows, and its alternatives."""
    with tempfile.TemporaryDirectory() as folder:
        ids = write_checkpoint(folder)
        answer = [ids["hello"], ids["\u0120world"], ids["<|im_end|>"]]
        with engine.ASREngine.from_checkpoint(
            folder,
            model=TinyChat(answer, len(ids)),
            scores="logits",
            decode_options={"steps_per_tick": 1},
        ) as asr:
            asked = {"prompt": "say it<|im_end|>"}  # What is typed is text.
            asr.add_request(engine.Request("utterance", np.zeros(3), asked))
            while asr.has_unfinished_requests():
                for output in asr.step():
                    print(f"partial     {output.text}")
            again = engine.Request("again", np.zeros(3), {**asked, "n_best": 3})
            [output] = asr.transcribe([again])
    small.show(output)


if __name__ == "__main__":
    main()
