"""The contract of converters: which directories one knows, and what they are."""

import abc
from typing import ClassVar

from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import directory as directories


class CheckpointConverter(abc.ABC):
    """Knows the checkpoints of one family of publishers.

    Attributes:
      looks_for: the files it knows a directory by, in a few words; the message says
        so when no converter claims a directory.
    """

    looks_for: ClassVar[str]

    @abc.abstractmethod
    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns how sure it is that it knows `directory`, and why.

        Raises:
          AssetError: if a file that decides it is malformed; it counts as no claim.
        """

    @abc.abstractmethod
    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns what a claimed directory is.

        Raises:
          AssetError: if a file is malformed or contradicts another.
        """
