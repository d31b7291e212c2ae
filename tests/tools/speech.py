"""Real speech, and the model tiny.en where the program looks for it."""

import shutil

from tests.tokenizers import package_files
from tools.cli import models_cache
from tools.cli import models_table

TEXT = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."


def clip():
    """Returns the path of ten seconds of speech, in which `TEXT` is said."""
    return package_files.find("beckett_clip", "beckett.wav")


def model():
    """Returns the directory of tiny.en."""
    # The files are links of Bazel's, which lead out of the folder of the links.
    return package_files.find("whisper_tiny_en", "model/config.json").resolve().parent


def lay(folder, monkeypatch):
    """Lays the clip there as talk.wav, and tiny.en into the cache of programs."""
    shutil.copy(clip(), folder / "talk.wav")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    named = models_table.MODELS["tiny.en"]
    kept = f"{named.package}-{named.version}-{named.sha256[:12]}"
    place = models_cache.folder() / kept / named.folder
    place.parent.mkdir(parents=True)
    place.symlink_to(model(), target_is_directory=True)
