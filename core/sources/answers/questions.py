"""A file of questions: a first line that says what they are, and a line for each text to put to the service."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import Field

from core.errors import InvalidAnswers
from core.sources.answers import lines
from core.sources.answers.forms import Checksum, Id, Kind, Line, Name

FORMAT = 1
"""Version of both files; part of the checksum."""
ROUNDS = 2
"""Rounds of questions."""
MOST = 200_000
"""Questions in a file."""
_WRITTEN_BY = "QUESTIONS is the file that 'audit ask -o FILE' wrote."


class Asked(Line):
    """The first line of a file of questions."""

    questions: Checksum
    format: int = Field(description="Version of the format.", ge=1, le=FORMAT)
    kind: Kind = Field(description="What is asked.")
    count: int = Field(description="Number of questions.", ge=1, le=MOST)
    classes: tuple[Name, ...] = Field(
        description="Classes of the documents; none but of a classifier.", max_length=MOST
    )
    experiment: dict[str, Any] = Field(description="The audit that the answers are for, as Telltale wrote it.")
    round: int = Field(1, description="2 where the questions were chosen by answers to the first.", ge=1, le=ROUNDS)


class Question(Line):
    """One question."""

    id: Id
    text: str = Field(description="The text to put to the service, as it is.")


def id_of(text: str) -> str:
    """Return the id of the question with a text, which depends on nothing else.

    >>> id_of("Which documents were in?")
    '4dc104dbf75e7b3a'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def checksum_of(kind: Kind, ids: Iterable[str]) -> str:
    """Return the checksum of questions, whatever their order."""
    named = "\n".join([f"telltale questions {FORMAT} {kind}", *sorted(set(ids))])
    return hashlib.sha256(named.encode()).hexdigest()


@dataclass(frozen=True)
class Questions:
    """Questions in the order of their ids, which says nothing about them.

    Attributes:
        kind: What is asked.
        texts: The text of each question by its id.
        checksum: Of all questions.
        classes: Classes of the documents.
        experiment: The audit that the answers are for.
        numbers: Line of each question in its file.
        round: The round that they are of.
    """

    kind: Kind
    texts: dict[str, str]
    checksum: str
    classes: tuple[str, ...]
    experiment: dict[str, Any]
    numbers: dict[str, int]
    round: int = 1

    @classmethod
    def about(
        cls,
        kind: Kind,
        texts: Iterable[str],
        experiment: dict[str, Any],
        classes: Iterable[str] = (),
        number: int = 1,
    ) -> Self:
        """Return the questions about texts, of a round by its number; equal texts are one question."""
        asked = dict(sorted((id_of(text), text) for text in texts))
        numbers = {name: number for number, name in enumerate(asked, 2)}
        return cls(kind, asked, checksum_of(kind, asked), tuple(sorted(set(classes))), experiment, numbers, number)

    def written(self, ids: Iterable[str] | None = None) -> Iterator[str]:
        """Yield the lines of the file, without line breaks.

        Args:
            ids: Questions to write, such as those that lack an answer; None for all. The first line stays the same.
        """
        first = Asked(
            questions=self.checksum,
            format=FORMAT,
            kind=self.kind,
            count=len(self.texts),
            classes=self.classes,
            experiment=self.experiment,
            round=self.round,
        )
        yield json.dumps(first.model_dump(exclude={"round"} if self.round == 1 else None))
        for name in self.texts if ids is None else ids:
            yield json.dumps({"id": name, "text": self.texts[name]})


def read(path: Path) -> Questions:
    """Return all questions of a file.

    Raises:
        InvalidAnswers: It is no such file, a line was changed or is missing.
    """
    problems = lines.Problems(path.name, _WRITTEN_BY)
    rows = lines.objects(path, problems)
    number, values = next(rows, (1, {}))
    first = lines.validated(Asked, {**values, "classes": _tuple(values.get("classes"))})
    if isinstance(first, str):
        problems.refuse()
        exchanged = " The questions are named first, then the answers." if "id" in values or len(values) == 1 else ""
        raise InvalidAnswers(f"{path.name} is no file of questions. Line {number:,}: {first} {_WRITTEN_BY}{exchanged}")
    texts: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for number, values in rows:
        question = lines.validated(Question, values)
        if isinstance(question, str):
            problems.add(number, question)
        elif question.id != id_of(question.text):
            problems.add(number, f"The text was changed; it is not that of question {question.id}.")
        elif question.id in texts:
            problems.add(number, f"Line {numbers[question.id]:,} is the same question.")
        else:
            texts[question.id], numbers[question.id] = question.text, number
    problems.refuse()
    if checksum_of(first.kind, texts) != first.questions:
        raise InvalidAnswers(
            f"{path.name} holds {len(texts):,} of {first.count:,} questions, or others than it was written with. Give "
            "the file with all of them, as 'audit ask' wrote it."
        )
    return Questions(first.kind, texts, first.questions, first.classes, first.experiment, numbers, first.round)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
