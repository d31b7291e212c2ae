"""What the `config.yaml` of a FunASR checkpoint says, for all of its models."""

from collections.abc import Mapping
from typing import Any

from oasr.checkpoints import directory as directories
from oasr.checkpoints import settings

CONFIG = "config.yaml"

# All published models: features every 10 ms, six of which make a step
# (`frontend_conf.frame_shift` and `lfr_n`), and no subsampling behind that.
_FRAME_SHIFT = 10
_STEP = 6


def config(directory: directories.CheckpointDirectory) -> dict[str, Any]:
    """Returns the configuration, empty if there is none."""
    return directory.yaml(CONFIG) if CONFIG in directory else {}


def model(found: Mapping[str, Any]) -> str:
    """Returns the name of the model that a configuration is of, "" without one."""
    return settings.text(found, "model") or ""


def seconds_per_frame(found: Mapping[str, Any]) -> float:
    """Returns the seconds between the encoder's frames."""
    shift = settings.number(found, "frontend_conf.frame_shift") or _FRAME_SHIFT
    step = settings.number(found, "frontend_conf.lfr_n") or _STEP
    return settings.product(shift, step, 0.001)
