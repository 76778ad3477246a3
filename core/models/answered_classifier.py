"""A classifier of texts that the user holds or may query, known by its answers."""

from collections.abc import Sequence
from typing import Any, ClassVar

from core.access import Access
from core.access.answers import ClassLabels, ClassProbabilities
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Kind, Label
from core.targets.answered_model import AnsweredModel
from core.targets.class_answers import class_access, class_access_again


class AnsweredClassifier(AnsweredModel):
    """A classifier of texts by its answers: the probabilities of classes, or the likeliest class alone."""

    title: ClassVar[str] = "A classifier, by its answers"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({ClassLabels, ClassProbabilities})
    answering: ClassVar[Kind] = "classifier"

    def _access(self, read: Answers, packed: dict[str, Any], classes: Sequence[str]) -> Access:
        return class_access(read.name, packed, classes, labels=read.form is Label)

    def _access_again(self, packed: dict[str, Any]) -> Access:
        return class_access_again(packed)
