"""What a classifier said of texts as an access, once it is plain that it calls classes as the documents do."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.access.answers import ClassLabels, ClassLabelsAgain, ClassProbabilities
from core.errors import InvalidAnswers, excerpt, suggestion

_MOST_EXCHANGED = 200
"""Classes among which an exchange is looked for, at most."""
_UNLIKELY = 1e-6
"""How rarely guesses agree as little as answers that are refused for it."""
_LEAST_NAMED = 0.5
"""Share of the texts whose class must be named by some answer."""


def class_access(
    name: str, packed: Mapping[str, Any], classes: Sequence[str], *, labels: bool
) -> ClassLabels | ClassProbabilities:
    """Return access to answers about texts.

    Args:
        name: What messages call the answers.
        packed: By text, the class, or the probabilities of classes.
        classes: The class of each text, in the same order.
        labels: Whether the class alone is named.

    Raises:
        InvalidAnswers: They call classes otherwise than the documents do, or by each other's names.
    """
    given = _certain(packed) if labels else packed
    named = {each for answer in given.values() for each in answer}
    lacking = [each for each in classes if each not in named]
    if len(lacking) > (1 - _LEAST_NAMED) * len(classes):
        raise InvalidAnswers(
            f"{name} never names the class {excerpt(lacking[0])!r} of the documents."
            f"{suggestion(lacking[0], map(excerpt, named))} "
            "Answers must call classes as the documents do."
        )
    _refuse_exchanged(name, [max(answer, key=lambda each: answer[each]) for answer in given.values()], classes)
    return (ClassLabels if labels else ClassProbabilities)(given)


def class_access_again(packed: Mapping[str, str]) -> ClassLabelsAgain:
    """Return access to the classes that both rounds named, by text."""
    return ClassLabelsAgain(_certain(packed))


def _certain(packed: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return classes as answers with probability 1.

    >>> _certain({"text": "sport"})
    {'text': {'sport': 1.0}}
    """
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
    number_of = {each: number for number, each in enumerate(names)}
    together = np.zeros((len(names), len(names)), np.int64)
    np.add.at(together, ([number_of[each] for each in answered], [number_of[each] for each in classes]), 1)
    agreeing = int(np.trace(together))
    rows, columns = linear_sum_assignment(together, maximize=True)
    otherwise = int(together[rows, columns].sum())
    if otherwise <= count / 2 or agreeing > binom.ppf(_UNLIKELY, count, 1 / len(set(classes))):
        return
    moved = next((row, column) for row, column in zip(rows, columns, strict=True) if row != column)
    answer, meant = (excerpt(names[number]) for number in moved)
    raise InvalidAnswers(
        f"The likeliest class in {name} is that of the document in {agreeing:,} of {count:,} answers. If {answer!r} is "
        f"called {meant!r}, and others likewise, it is in {otherwise:,}: their columns look exchanged. Take the "
        "classes in the order in which the classifier has them, such as classes_ of scikit-learn."
    )
