"""Models that are known by their answers alone: a user put questions to them, and brings the answers in a file."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from core.access import Access
from core.errors import InvalidAnswers, InvalidDocuments
from core.sources import user_files
from core.sources.answers import answers
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Kind
from core.sources.answers.questions import checksum_of, id_of
from core.spec import parameter
from core.targets.model import Model
from core.text.marked import MarkedDocuments

_NAMED = 3
"""Missing answers that a message names."""


class AnsweredModel(Model):
    """A model whose answers to questions lie in a file; it is neither loaded nor run.

    Attributes:
        answering: What kind of questions it answers.
    """

    reads: ClassVar[type | None] = MarkedDocuments
    answering: ClassVar[Kind]

    source: str = parameter(
        "", "Path of the answers, a file of JSON lines, where Telltale runs.", label="Answers", max_length=4096
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: what the answers say, wherever they lie and in whatever order."""
        fields = super().identity()
        del fields["source"]
        try:
            content = self.read().digest
        except (InvalidAnswers, InvalidDocuments):
            content = "none"
        return {**fields, "content": content}

    def path(self) -> Path:
        """Return the file of the answers.

        Raises:
            InvalidDocuments: There is none.
        """
        if not self.source.strip():
            raise InvalidDocuments("No answers are given. Set 'source' to the file that holds them.")
        return user_files.located(self.source)

    def read(self) -> Answers:
        """Return the answers.

        Raises:
            InvalidAnswers: The file holds none of this kind, or a line is malformed.
            InvalidDocuments: There is no such file.
        """
        return answers.read(self.path(), self.answering)

    def opened(self, texts: Sequence[str], classes: Sequence[str]) -> Access:
        """Return access to the answers about texts.

        Args:
            texts: The texts that were asked about.
            classes: The class of each; none where documents have none.

        Raises:
            InvalidAnswers: They are answers to other questions, or some are missing.
        """
        read, by_id = self.read(), {id_of(text): text for text in texts}
        read.check(checksum_of(self.answering, by_id), by_id)
        if missing := read.missing(sorted(by_id)):
            named = ", ".join(missing[:_NAMED])
            raise InvalidAnswers(
                f"{len(missing):,} of {len(by_id):,} questions have no answer in {read.name}: {named}"
                f"{', …' if len(missing) > _NAMED else ''}. Answer them, and add the lines to the file."
            )
        return self._access(read, {text: read.by_id[name].packed for name, text in by_id.items()}, classes)

    @abstractmethod
    def _access(self, read: Answers, packed: dict[str, Any], classes: Sequence[str]) -> Access:
        """Return access to answers by their text."""
