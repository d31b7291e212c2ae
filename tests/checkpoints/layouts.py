"""Directories laid out as checkpoints are published."""

import json

ICEFALL = "<blk> 0\n<sos/eos> 1\n<unk> 2\n▁he 3\nllo 4\n▁你 5\n😀 6\n#0 7\n#1 8\n"
WENET = "<blank> 0\n<unk> 1\n▁he 2\nllo 3\n你 4\n😀 5\n<sos/eos> 6\n"
TRAIN_YAML = """
encoder: conformer
encoder_conf: {input_layer: conv2d, output_size: 256}
dataset_conf: {fbank_conf: {frame_shift: 10, num_mel_bins: 80}}
model_conf: {ctc_weight: 0.3, reverse_weight: 0.5}
output_dim: 7
"""
PARAFORMER = ["<blank>", "<s>", "</s>", "你", "好", "hel@@", "lo", "😀", "<unk>"]
SENSEVOICE_YAML = """
model: SenseVoiceSmall
model_conf: {sos: 1, eos: 2}
frontend_conf: {frame_shift: 10, lfr_m: 7, lfr_n: 6}
"""


def lay(folder, files):
    """Writes files by their relative names; returns the folder.

    A text or bytes are written as they are, anything else as JSON.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str | bytes):
            content = json.dumps(content, ensure_ascii=False)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def hub_cache(folder, files):
    """Writes files as a Hugging Face cache has them; returns the snapshot.

    The files are in `blobs`, and the snapshot holds links to them.
    """
    model = folder / "models--somebody--something"
    snapshot = model / "snapshots" / "0123abcd"
    for number, (name, content) in enumerate(files.items()):
        lay(model / "blobs", {f"blob{number}": content})
        link = snapshot / name
        link.parent.mkdir(parents=True, exist_ok=True)
        ups = "../" * (2 + name.count("/"))
        link.symlink_to(f"{ups}blobs/blob{number}")
    return snapshot
