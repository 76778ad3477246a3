"""A language model that the user holds or may query, known by its answers."""

from collections.abc import Sequence
from typing import Any, ClassVar

from core.access import Access
from core.access.answers import AnsweredDistributions, AnsweredTexts, AnsweredTokens
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Distributions, Kind, Total
from core.targets.answered_model import AnsweredModel


class AnsweredLanguageModel(AnsweredModel):
    """A language model by its answers: log-probabilities of whole texts or of their tokens."""

    title: ClassVar[str] = "A language model, by its answers"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({AnsweredTexts, AnsweredTokens, AnsweredDistributions})
    answering: ClassVar[Kind] = "language_model"

    def _access(self, read: Answers, packed: dict[str, Any], classes: Sequence[str]) -> Access:
        if read.form is Total:
            return AnsweredTexts(packed)
        return (AnsweredDistributions if read.form is Distributions else AnsweredTokens)(packed)
