"""A file of answers: a line that names the questions, and a line for each answer, in any order."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import InvalidAnswers, excerpt, suggestion
from core.sources.answers import forms, lines, mistakes
from core.sources.answers.forms import Checksum, Form, Kind, Line

_NAMED = 3
"""Ids that a message names."""


class Answering(Line):
    """The line of an answers file that names the questions; files that are put together repeat it."""

    questions: Checksum


@dataclass(frozen=True)
class Answer:
    """One answer.

    Attributes:
        line: Its line.
        packed: What it says, as the form packs it.
    """

    line: int
    packed: Any


@dataclass(frozen=True)
class Answers:
    """Answers to questions.

    Attributes:
        name: What messages call the file.
        questions: Checksum of the questions that they answer.
        form: The form of all of them.
        by_id: Each by the id of its question.
        digest: SHA-256 of what they say, whatever their order.
    """

    name: str
    questions: str
    form: type[Form]
    by_id: Mapping[str, Answer]
    digest: str

    def check(self, checksum: str, ids: Collection[str]) -> None:
        """Refuse answers to other questions.

        Raises:
            InvalidAnswers: They answer others, or one that is not asked.
        """
        if self.questions != checksum:
            raise InvalidAnswers(
                f"{self.name} answers the questions {self.questions[:12]}…, not {checksum[:12]}…. The documents, their "
                "marks or the settings have changed since these were asked, or the answers are to another file."
            )
        problems, asked = lines.Problems(self.name), frozenset(ids)
        for name, answer in self.by_id.items():
            if name not in asked:
                problems.add(answer.line, f"It answers {name}, which is no question.")
        problems.refuse()

    def check_classes(self, classes: Collection[str]) -> None:
        """Refuse answers that name a class that no document has; without classes, all are right.

        Raises:
            InvalidAnswers: One does.
        """
        if not classes or self.form.kind != "classifier":
            return
        problems, known = lines.Problems(self.name), sorted(classes)
        for answer in self.by_id.values():
            named = [answer.packed] if isinstance(answer.packed, str) else answer.packed
            if unknown := next((name for name in named if name not in classes), None):
                nearest = suggestion(unknown, map(excerpt, known))
                problems.add(answer.line, f"No document is of the class {excerpt(unknown)!r}.{nearest}")
        problems.refuse()

    def missing(self, ids: Collection[str]) -> list[str]:
        """Return the ids of questions without an answer, in their order."""
        return [name for name in ids if name not in self.by_id]


def read(path: Path, kind: Kind) -> Answers:
    """Return the answers of a file; it is not read again while its size and time stay.

    Raises:
        InvalidAnswers: A line is malformed, or answers what another line answers; no line names the questions; answers
            differ in form.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise InvalidAnswers(f"{path.name} cannot be read: {error}.") from None
    return _read(path, kind, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=2)
def _read(path: Path, kind: Kind, size: int, time: int) -> Answers:
    problems = lines.Problems(path.name)
    by_id: dict[str, Answer] = {}
    digests: dict[str, str] = {}
    checksums: dict[str, int] = {}
    form: type[Form] | None = None
    first = 0
    for number, values in lines.objects(path, problems):
        if "questions" in values and "id" not in values:
            naming = lines.validated(Answering, values)
            if isinstance(naming, str):
                problems.add(number, naming)
            else:
                checksums.setdefault(naming.questions, number)
            continue
        line_form = forms.form_of(values, kind)
        if isinstance(line_form, str):
            problems.add(number, line_form)
            continue
        answer = lines.validated(line_form, values)
        if isinstance(answer, str) or (wrong := answer.wrong()):
            broken = answer if isinstance(answer, str) else wrong
            problems.add(number, f"{broken} {mistakes.seen(values)}".rstrip())
            continue
        form, first = form or line_form, first or number
        if answer.id in by_id:
            problems.add(number, f"Line {by_id[answer.id].line:,} answers {answer.id} already. Keep one of them.")
        elif line_form is not form:
            problems.add(
                number, f"It gives {line_form.gives}; line {first:,} gives {form.gives}. Give the same for all."
            )
        else:
            by_id[answer.id] = Answer(number, answer.packed())
            digests[answer.id] = hashlib.sha256(json.dumps(dict(values), sort_keys=True).encode()).hexdigest()
    problems.refuse()
    if form is None:
        raise InvalidAnswers(f"{path.name} holds no answer.")
    _refuse_uneven(path.name, form, by_id)
    digest = hashlib.sha256("\n".join(digests[name] for name in sorted(digests)).encode()).hexdigest()
    return Answers(path.name, _one(path.name, checksums), form, by_id, digest)


def _one(name: str, checksums: Mapping[str, int]) -> str:
    """Return the checksum that a file names."""
    if not checksums:
        raise InvalidAnswers(
            f'No line of {name} names the questions. Add one such as {{"questions": "…"}}, with the value of '
            "'questions' in the first line of the questions."
        )
    if len(checksums) > 1:
        places = " and ".join(f"{number:,}" for number in [*checksums.values()][:2])
        raise InvalidAnswers(f"Lines {places} of {name} name different questions. Keep the answers to one file.")
    return next(iter(checksums))


def _refuse_uneven(name: str, form: type[Form], by_id: Mapping[str, Answer]) -> None:
    if form is not forms.Embedding:
        return
    first = next(iter(by_id.values()))
    for answer in by_id.values():
        if len(answer.packed) != len(first.packed):
            raise InvalidAnswers(
                f"Line {answer.line:,} of {name} has a vector of {len(answer.packed):,} dimensions, line "
                f"{first.line:,} one of {len(first.packed):,}."
            )
