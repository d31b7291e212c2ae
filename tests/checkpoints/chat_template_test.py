"""Tests for chat_template: ids of segments against transformers' own."""

import itertools
import random

import pytest
import transformers

from oasr import tokenizers
from oasr.checkpoints import chat_messages
from oasr.checkpoints import chat_template
from oasr.checkpoints import prompt_template as prompts
from tests import conftest
from tests.checkpoints import chat_templates
from tests.tokenizers import languages
from tests.tokenizers import qwen2_audio
from tests.tokenizers import small_tokenizers as small

AUDIO = chat_messages.AudioMarkup("<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
# Texts without markup, with all that may matter at the border of a slot.
TEXTS = [
    *languages.SENTENCES.values(),
    "\nline",
    "line\n",
    " blank ",
    "\n\n\n",
    "\t",
    "'s",
    "1",
    "\u3000",
]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return qwen2_audio.write(tmp_path_factory.mktemp("qwen"))[0]


@pytest.fixture(scope="module", params=chat_templates.CONTROLS)
def published(request, base, tmp_path_factory):
    return chat_templates.load(request.param, base, tmp_path_factory.mktemp("one"))


def compile_(source, tokenizer, *, audio=None, variables=None):
    return chat_template.compile_chat_template(
        source, tokenizer, place="here", audio=audio, variables=variables
    )


@pytest.fixture(scope="module")
def compiled(published):
    return compile_(
        published.source, published.tokenizer, variables=published.variables
    )


@pytest.fixture(scope="module")
def hearing(published):
    return compile_(
        published.source,
        published.tokenizer,
        audio=AUDIO,
        variables=published.variables,
    )


@pytest.fixture(scope="module")
def transformer(published):
    return transformers.PreTrainedTokenizerFast(
        tokenizer_file=published.path, **published.variables
    )


def expected(transformer, source, slots, content, turns=()):
    messages = []
    for said, reply in turns:
        messages.append({"role": "user", "content": said})
        messages.append({"role": "assistant", "content": reply})
    messages.append({"role": "user", "content": content})
    if "system" in slots:
        messages.insert(0, {"role": "system", "content": slots["system"]})
    return transformer.apply_chat_template(
        messages, chat_template=source, add_generation_prompt=True, return_dict=False
    )


def test_the_ids_are_those_of_transformers(published, compiled, transformer):
    for shape in compiled.shapes:
        for text in TEXTS:
            slots = dict.fromkeys(shape, text)
            assert compiled.encode(published.tokenizer, slots) == expected(
                transformer, published.source, slots, text
            ), (shape, text)


def test_the_ids_around_audio_are_those_of_transformers(
    published, hearing, transformer
):
    audio_id = published.tokenizer.encode(AUDIO.token)[0]
    parts = "audio_url" in published.source
    for shape in hearing.shapes:
        for text in TEXTS:
            slots = dict.fromkeys(shape, text)
            content = AUDIO.before + AUDIO.token + AUDIO.after + slots.get("prompt", "")
            if parts:
                content = [{"type": "audio", "audio_url": "x"}]
                if "prompt" in slots:
                    content.append({"type": "text", "text": text})
            ids = hearing.encode(published.tokenizer, slots)
            assert ids.count(prompts.AUDIO) == 1
            ids = [audio_id if i is prompts.AUDIO else i for i in ids]
            assert ids == expected(transformer, published.source, slots, content)


def test_the_ids_behind_earlier_turns_are_those_of_transformers(
    published, compiled, hearing, transformer
):
    source, tokenizer = random.Random(5), published.tokenizer
    audio_id = tokenizer.encode(AUDIO.token)[0]
    parts = "audio_url" in published.source
    assert compiled.turns.keys() == compiled.shapes.keys()
    assert compiled.refused_turns == hearing.refused_turns == {}
    for template, shape in itertools.product((compiled, hearing), compiled.turns):
        for count in (1, 2, 3, 4, 7):
            turns = [tuple(source.choices(TEXTS, k=2)) for _ in range(count)]
            slots = {name: source.choice(TEXTS) for name in shape}
            content = slots["prompt"]
            if template is hearing and parts:
                content = [
                    {"type": "audio", "audio_url": "x"},
                    {"type": "text", "text": content},
                ]
            elif template is hearing:
                content = f"{AUDIO.before}{AUDIO.token}{AUDIO.after}{content}"
            ids = template.encode(tokenizer, slots, turns)
            ids = [audio_id if i is prompts.AUDIO else i for i in ids]
            assert ids == expected(
                transformer, published.source, slots, content, turns
            ), (shape, turns)


def adversarial(source, names):
    """Returns a text of control tokens, parts of them, and what may join them."""
    pieces = [*names, *languages.HOSTILE, "<|", "|>", "im_start", "<", " ", "\n", "é"]
    text = "".join(source.choices(pieces, k=source.randrange(1, 8)))
    start = source.randrange(len(text) + 1)
    return text if source.random() < 0.7 else text[start:]


def test_no_control_id_comes_out_of_a_slot(published, compiled, hearing):
    tokenizer, source = published.tokenizer, random.Random(3)
    names = [
        *chat_templates.LISTENING,
        *{name for found in chat_templates.CONTROLS.values() for name in found},
    ]
    for template in (compiled, hearing):
        for shape in template.shapes:
            plain = dict.fromkeys(shape, "x")
            wanted = controls(tokenizer, template.encode(tokenizer, plain))
            for _ in range(60 * conftest.SCALE):
                slots = {name: adversarial(source, names) for name in shape}
                ids = template.encode(tokenizer, slots)
                assert controls(tokenizer, ids) == wanted, slots
        for shape in template.turns:
            plain = dict.fromkeys(shape, "x")
            turns = [("x", "x")] * 2
            wanted = controls(tokenizer, template.encode(tokenizer, plain, turns))
            for _ in range(30 * conftest.SCALE):
                slots = {name: adversarial(source, names) for name in shape}
                turns = [
                    (adversarial(source, names), adversarial(source, names))
                    for _ in range(2)
                ]
                ids = template.encode(tokenizer, slots, turns)
                assert controls(tokenizer, ids) == wanted, (slots, turns)


def controls(tokenizer, ids):
    return [i for i in ids if i is prompts.AUDIO or i in tokenizer.special_ids]


def test_segments_survive_json(compiled, hearing):
    for template in (compiled, hearing):
        assert prompts.PromptTemplate.from_json(template.to_json()) == template


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "tokenizer.json"
    first = len(small.byte_level().get_vocab())
    names = ["<|im_start|>", "<|im_end|>", "<|AUDIO|>", "<|audio_bos|>"]
    names += ["<|audio_eos|>"]
    added = [small.added(first + n, name) for n, name in enumerate(names)]
    added[1] |= {"lstrip": True}
    return tokenizers.HuggingFaceTokenizer(small.write(path, small.byte_level(), added))


CONTENT = "messages[-1].content"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (f"{{{{ {CONTENT} | tojson }}}}", "depends on what a user types"),
        (f"{{{{ {CONTENT} | upper }}}}", "does not write the prompt"),
        (f"{{{{ {CONTENT} | replace('<', '') }}}}", "depends on what a user types"),
        (f"{{{{ {CONTENT}[:20] }}}}", "depends on what a user types"),
        (
            f"{{% if '</think>' in {CONTENT} %}}x{{% endif %}}{{{{ {CONTENT} }}}}",
            "depends on what a user types: with the prompt '</think>",
        ),
        (f"{{{{ {CONTENT} | length }}}}", "does not write the prompt"),
        ("nothing", "does not write the prompt"),
        ("{{ raise_exception('never') }}", "never"),
        # The token takes the blanks before it, and so of the slot.
        (f"{{{{ {CONTENT} }}}}<|im_end|>", "not those of the whole text"),
    ],
)
def test_a_template_that_is_no_segments_is_refused(tokenizer, source, reason):
    with pytest.raises(tokenizers.AssetError, match="here: expected") as caught:
        compile_(source, tokenizer)
    assert reason in str(caught.value)


def test_a_template_that_says_the_audio_twice_is_refused(tokenizer):
    with pytest.raises(tokenizers.AssetError, match="2 times for one recording"):
        compile_(f"{{{{ {CONTENT} }}}}{{{{ {CONTENT} }}}}", tokenizer, audio=AUDIO)


TURNS = "{% for m in messages %}"
MESSAGE = "<|im_start|>{{ m.role }}: {{ m.content }}<|audio_eos|>"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        # Each is numbered.
        (f"{TURNS}{{{{ loop.index }}}}{MESSAGE}{{% endfor %}}", "all of them alike"),
        # Older ones are left out.
        (f"{{% for m in messages[-3:] %}}{MESSAGE}{{% endfor %}}", "the user 1"),
        (f"{{% for m in messages[-20:] %}}{MESSAGE}{{% endfor %}}", "the user 1"),
        # A long conversation begins otherwise.
        (
            f"{{% if messages|length > 30 %}}long {{% endif %}}"
            f"{TURNS}{MESSAGE}{{% endfor %}}",
            "all of them alike",
        ),
        (
            f"{TURNS}{{% if '</think>' not in m.content or loop.last %}}{MESSAGE}"
            "{% endif %}{% endfor %}",
            "what it writes depends on what a user types",
        ),
        (f"{{{{ messages[0].content }}}}{TURNS}{{% endfor %}}", "not write the reply"),
        (
            "{% if messages[1] %}{{ raise_exception('no') }}{% endif %}x{{ "
            + CONTENT
            + " }}",
            "no",
        ),
    ],
)
def test_turns_that_are_no_parts_are_refused(tokenizer, source, reason):
    template = compile_(source, tokenizer)
    assert reason in template.refused_turns["prompt",]
    assert template.encode(tokenizer, {"prompt": "x"})
    with pytest.raises(ValueError, match="no prompt with prompt behind earlier turns"):
        template.encode(tokenizer, {"prompt": "x"}, [("a", "b")])
    assert prompts.PromptTemplate.from_json(template.to_json()) == template


def test_the_first_turn_may_be_written_in_its_own_way(tokenizer):
    begin = "{% if loop.first %}<|audio_bos|>{% endif %}"
    template = compile_(f"{TURNS}{begin}{MESSAGE}{{% endfor %}}", tokenizer)
    ids = template.encode(tokenizer, {"prompt": "c"}, [("a", "b")] * 2)
    whole = "<|audio_bos|>" + "".join(
        f"<|im_start|>{role}: {text}<|audio_eos|>"
        for role, text in [("user", "a"), ("assistant", "b")] * 2 + [("user", "c")]
    )
    assert ids == tokenizer.encode(whole)


def test_a_template_may_say_the_prompt_twice(tokenizer):
    template = compile_(f"a{{{{ {CONTENT} }}}}b{{{{ {CONTENT} }}}}", tokenizer)
    segments = template.segments({"prompt": "x"})
    assert prompts.write(segments, {"prompt": "x"}, "") == "axbx"


def test_a_vocabulary_that_writes_the_start_otherwise_is_refused(tmp_path):
    # Metaspace puts a blank before a text, yet none behind a control token.
    path = small.write(
        tmp_path / "tokenizer.json", small.metaspace("first"), small.CONTROLS
    )
    plain = tokenizers.HuggingFaceTokenizer(path)
    with pytest.raises(tokenizers.AssetError, match="not those of the whole text"):
        compile_(f"<s>{{{{ {CONTENT} }}}}</s>", plain)


def test_a_shape_that_is_refused_says_why(published, compiled):
    if compiled.refused:
        with pytest.raises(ValueError, match="System role not supported"):
            compiled.encode(published.tokenizer, {"system": "s", "prompt": "p"})
    with pytest.raises(ValueError, match="no prompt with neither system nor prompt"):
        compiled.encode(published.tokenizer, {})


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"shapes": {"prompt": 7}},
        {"shapes": {"prompt": [{}]}},
        {"shapes": {"prompt": [{"plain": "x", "slot": "prompt"}]}},
        {"shapes": {"prompt": [{"slot": "other"}]}},
        {"shapes": {"prompt": [{"plain": 7}]}},
        {"shapes": {"prompt": [{"slot": "prompt", "strip": "start"}]}},
        {"shapes": {"prompt": [{"slot": "user"}]}},
        {"shapes": {}, "turns": {"prompt": {"first": [], "again": []}}},
        {"shapes": {}, "turns": {"prompt": {"last": [{"slot": "user 1"}]}}},
        {"shapes": {"prompt": [{"slot": "system"}]}},
        {"shapes": {}, "turns": {"prompt": {"last": [{"slot": "user"}]}}},
        {
            "shapes": {},
            "turns": {
                "prompt": {"first": [{"slot": "system"}], "again": [], "last": []}
            },
        },
        {"shapes": {}, "turns": 7},
    ],
)
def test_other_values_are_no_template(value):
    with pytest.raises(ValueError, match="Expected the segments of a prompt"):
        prompts.PromptTemplate.from_json(value)
