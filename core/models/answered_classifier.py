"""A classifier of texts that the user holds or may query, known by its answers."""

from collections.abc import Sequence
from typing import Any, ClassVar

from core.access import Access
from core.access.answers import ClassLabels, ClassProbabilities
from core.errors import InvalidAnswers, suggestion
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Kind, Label
from core.targets.answered_model import AnsweredModel

_LEAST_NAMED = 0.5
"""Share of the texts whose class must be named by some answer."""


class AnsweredClassifier(AnsweredModel):
    """A classifier of texts by its answers: the probabilities of classes, or the likeliest class alone."""

    title: ClassVar[str] = "A classifier, by its answers"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({ClassLabels, ClassProbabilities})
    answering: ClassVar[Kind] = "classifier"

    def _access(self, read: Answers, packed: dict[str, Any], classes: Sequence[str]) -> Access:
        if read.form is Label:
            packed = {text: {label: 1.0} for text, label in packed.items()}
        named = {name for answer in packed.values() for name in answer}
        lacking = [name for name in classes if name not in named]
        if len(lacking) > (1 - _LEAST_NAMED) * len(classes):
            raise InvalidAnswers(
                f"{read.name} never names the class {lacking[0]!r} of the documents.{suggestion(lacking[0], named)} "
                "Answers must call classes as the documents do."
            )
        return (ClassLabels if read.form is Label else ClassProbabilities)(packed)
