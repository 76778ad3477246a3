"""Models that are known by their answers alone: a user put questions to them, and brings the answers in a file."""

import operator
from abc import abstractmethod
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.access import Access
from core.errors import Incompatible, InvalidAnswers, InvalidDocuments
from core.sources import user_files
from core.sources.answers import answers
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Kind
from core.sources.answers.questions import checksum_of, id_of
from core.spec import path_parameter
from core.targets.model import Model
from core.text.marked import MarkedDocuments

_NAMED = 3
"""Missing answers that a message names."""


class AskedModel(Model):
    """A model that is asked about texts, once or in two rounds.

    Attributes:
        answering: What kind of questions it answers.
    """

    reads: ClassVar[type | None] = MarkedDocuments
    answering: ClassVar[Kind]

    @abstractmethod
    def opened(self, texts: Sequence[str], classes: Sequence[str], known: Collection[str] = ()) -> Access:
        """Return access to the answers about texts.

        Args:
            texts: The texts that were asked about.
            classes: The class of each; none where documents have none.
            known: All classes that documents have.

        Raises:
            InvalidAnswers: They are answers to other questions, some are missing, all are the same, or one names a
                class that no document has.
            ModelRefused: The model cannot be read safely.
        """

    @abstractmethod
    def asked_again(self, access: Access) -> bool:
        """Tell whether there is a second round after the answers of the first."""

    @abstractmethod
    def opened_again(self, texts: Sequence[str], again: Sequence[str], known: Collection[str] = ()) -> Access:
        """Return access to the answers of both rounds.

        Args:
            texts: The texts that were asked about first.
            again: Those of the second round.
            known: All classes that documents have.

        Raises:
            InvalidAnswers: As for `opened`, or answers of the second round are of another form than the first.
        """


class AnsweredModel(AskedModel):
    """A model whose answers to questions lie in a file; it is neither loaded nor run."""

    source: str = path_parameter(
        "",
        "Path of the answers, a file of JSON lines, where Telltale runs.",
        label="Answers",
    )

    second: str = path_parameter(
        "",
        "Path of the answers of a second round, whose questions follow from the first answers; empty for none.",
        label="Answers of the second round",
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: what the answers say, wherever they lie and in whatever order."""
        fields = super().identity()
        del fields["source"], fields["second"]
        identity = {**fields, "content": self._content(self.source)}
        return {**identity, "second": self._content(self.second)} if self.second.strip() else identity

    def _content(self, source: str) -> str:
        try:
            return answers.read(_located(source), self.answering).digest
        except (InvalidAnswers, InvalidDocuments):
            return "none"

    def read(self) -> Answers:
        """Return the answers.

        Raises:
            InvalidAnswers: The file holds none of this kind, or a line is malformed.
            InvalidDocuments: There is no such file.
        """
        return answers.read(_located(self.source), self.answering)

    def opened(self, texts: Sequence[str], classes: Sequence[str], known: Collection[str] = ()) -> Access:
        """Return access to the answers about texts; see `AskedModel`."""
        read = self.read()
        packed = self._packed(read, texts)
        refuse_uniform(read.name, list(packed.values()))
        access = self._access(read, packed, classes)
        read.check_classes(known)
        return access

    def asked_again(self, access: Access) -> bool:
        """Tell whether answers of a second round are given."""
        return bool(self.second.strip())

    def opened_again(self, texts: Sequence[str], again: Sequence[str], known: Collection[str] = ()) -> Access:
        """Return access to the answers of both rounds; see `AskedModel`."""
        first, second = self.read(), answers.read(_located(self.second), self.answering)
        if second.form is not first.form:
            raise InvalidAnswers(f"{second.name} gives {second.form.gives}; {first.name} gives {first.form.gives}.")
        packed = {**self._packed(first, texts), **self._packed(second, again)}
        second.check_classes(known)
        return self._access_again(packed)

    def _packed(self, read: Answers, texts: Sequence[str]) -> dict[str, Any]:
        """Return the answers by their text."""
        by_id = {id_of(text): text for text in texts}
        read.check(checksum_of(self.answering, by_id), by_id)
        if missing := read.missing(sorted(by_id)):
            named = ", ".join(missing[:_NAMED])
            raise InvalidAnswers(
                f"{len(missing):,} of {len(by_id):,} questions have no answer in {read.name}: {named}"
                f"{', …' if len(missing) > _NAMED else ''}. Answer them, and add the lines to the file."
            )
        return {text: read.by_id[name].packed for name, text in by_id.items()}

    def _access_again(self, packed: dict[str, Any]) -> Access:
        """Return access to the answers of both rounds by their text.

        Raises:
            Incompatible: No attack chooses questions by such answers.
        """
        raise Incompatible(f"No attack asks {self.part_name()} again: the first answers tell all that it uses.")

    @abstractmethod
    def _access(self, read: Answers, packed: dict[str, Any], classes: Sequence[str]) -> Access:
        """Return access to answers by their text."""


def _located(source: str) -> Path:
    """Return a file of answers.

    Raises:
        InvalidDocuments: There is none.
    """
    if not source.strip():
        raise InvalidDocuments("No answers are given. Set 'source' to the file that holds them.")
    return user_files.located(source)


def refuse_uniform(name: str, packed: Sequence[Any]) -> None:
    """Refuse answers that are the same to every question.

    Raises:
        InvalidAnswers: They are.
    """
    first = packed[0]
    same = np.array_equal if isinstance(first, np.ndarray) else operator.eq
    if all(same(first, other) for other in packed[1:]):
        raise InvalidAnswers(
            f"All {len(packed):,} answers in {name} are the same, so that nothing can be concluded from them. Put each "
            "text to the model, and write down what it answers to that text."
        )
