"""A classifier of texts that the user holds or may query, known by its answers."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from core.access import Access
from core.access.answers import ClassLabels, ClassLabelsAgain, ClassProbabilities
from core.errors import InvalidAnswers, suggestion
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Kind, Label
from core.targets.answered_model import AnsweredModel

_MOST_EXCHANGED = 200
"""Classes among which an exchange is looked for, at most."""
_UNLIKELY = 1e-6
"""How rarely guesses agree as little as answers that are refused for it."""
_LEAST_NAMED = 0.5
"""Share of the texts whose class must be named by some answer."""


class AnsweredClassifier(AnsweredModel):
    """A classifier of texts by its answers: the probabilities of classes, or the likeliest class alone."""

    title: ClassVar[str] = "A classifier, by its answers"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({ClassLabels, ClassProbabilities})
    answering: ClassVar[Kind] = "classifier"

    def _access(self, read: Answers, packed: dict[str, Any], classes: Sequence[str]) -> Access:
        if read.form is Label:
            packed = _certain(packed)
        named = {name for answer in packed.values() for name in answer}
        lacking = [name for name in classes if name not in named]
        if len(lacking) > (1 - _LEAST_NAMED) * len(classes):
            raise InvalidAnswers(
                f"{read.name} never names the class {lacking[0]!r} of the documents.{suggestion(lacking[0], named)} "
                "Answers must call classes as the documents do."
            )
        _refuse_exchanged(
            read.name, [max(answer, key=lambda name: answer[name]) for answer in packed.values()], classes
        )
        return (ClassLabels if read.form is Label else ClassProbabilities)(packed)

    def _access_again(self, packed: dict[str, Any]) -> Access:
        return ClassLabelsAgain(_certain(packed))


def _certain(packed: dict[str, Any]) -> dict[str, Any]:
    """Return classes as answers with probability 1."""
    return {text: {label: 1.0} for text, label in packed.items()}


def _refuse_exchanged(name: str, answered: Sequence[str], classes: Sequence[str]) -> None:
    """Refuse answers that name the documents' classes by each other's names.

    Raises:
        InvalidAnswers: The likeliest class is that of a document far more rarely than by guessing, and mostly is if
            classes are called otherwise.
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.stats import binom

    names, count = sorted({*classes, *answered}), len(classes)
    if not classes or not 2 <= len(names) <= _MOST_EXCHANGED:
        return
    place = {each: number for number, each in enumerate(names)}
    together = np.zeros((len(names), len(names)), np.int64)
    np.add.at(together, ([place[each] for each in answered], [place[each] for each in classes]), 1)
    agreeing = int(np.trace(together))
    rows, columns = linear_sum_assignment(together, maximize=True)
    otherwise = int(together[rows, columns].sum())
    if otherwise <= count / 2 or agreeing > binom.ppf(_UNLIKELY, count, 1 / len(set(classes))):
        return
    moved = next((row, column) for row, column in zip(rows, columns, strict=True) if row != column)
    answer, meant = (names[number] for number in moved)
    raise InvalidAnswers(
        f"The likeliest class in {name} is that of the document in {agreeing:,} of {count:,} answers. If {answer!r} is "
        f"called {meant!r}, and others likewise, it is in {otherwise:,}: their columns look exchanged. Take the "
        "classes in the order in which the classifier has them, such as classes_ of scikit-learn."
    )
