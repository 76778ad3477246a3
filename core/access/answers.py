"""Accesses to models that are known by their answers alone, to texts that were chosen before."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import Access


class ClassLabels(Access):
    """A classifier that gives a class to each text in question.

    Args:
        answers: The probabilities of classes by text; the class alone has probability 1.
    """

    title = "the class of each text in question"
    queried = "Texts"

    def __init__(self, answers: Mapping[str, Mapping[str, float]]) -> None:
        super().__init__()
        self._answers = answers

    def probabilities(self, texts: Sequence[str], classes: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each text is of the class beside it, (texts,). One query a text.

        A class that an answer leaves out is at most as likely as the least likely one in it, and as what is missing
        to 1.
        """
        self.queries += len(texts)
        return np.array([_probability(self._answers[text], name) for text, name in zip(texts, classes, strict=True)])


class ClassLabelsAgain(ClassLabels):
    """A classifier that also gives a class to texts that were chosen after these answers."""

    title = "the class of each text in question, and of texts chosen after these answers"


class ClassProbabilities(ClassLabels):
    """A classifier that gives probabilities of classes to each text in question."""

    title = "the probabilities of classes of each text in question"


class AnsweredTexts(Access):
    """A language model that gives the log-probability of each text in question.

    Args:
        answers: By text, log-probabilities of tokens, (1, tokens), or these with their means and deviations over all
            tokens at each place, (3, tokens); NaN where a first token has none.
    """

    title = "the log-probability of each text in question"
    queried = "Texts"

    def __init__(self, answers: Mapping[str, NDArray[np.float64]]) -> None:
        super().__init__()
        self._answers = answers

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the loss of each token, in nats, (tokens,) each. One query a document, whose one word is its text."""
        self.queries += len(documents)
        return [-self._answers[text][0] for (text,) in documents]


class AnsweredTokens(AnsweredTexts):
    """A language model that gives the log-probability of each token of each text in question."""

    title = "the log-probability of each token of each text in question"


class AnsweredDistributions(AnsweredTokens):
    """A language model that also tells mean and deviation of the log-probability of all tokens at each place."""

    title = "the log-probability of each token of each text in question, beside those of all others"

    def standings(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return loss, mean and deviation of log-probabilities there, (tokens, 3) each. One query a document."""
        self.queries += len(documents)
        return [(self._answers[text] * [[-1], [1], [1]]).T for (text,) in documents]


def _probability(answer: Mapping[str, float], name: str) -> float:
    if name in answer:
        return min(answer[name], 1.0)
    return min(max(1 - sum(answer.values()), 0.0), min(answer.values()))
