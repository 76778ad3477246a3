"""Log-probability audit: texts that a language model was trained on surprise it less than their kind suggests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.answers import AnsweredDistributions, AnsweredTexts, AnsweredTokens
from core.access.language_models import GivesLosses
from core.adversaries.own_sets import Text
from core.adversaries.text_difficulty import difficulties, unexplained
from core.adversaries.text_scores import MinK, MinKPlus, Parts, Score, loss, zlib_ratio
from core.games.answers.contract import AnswersAttack, AnswersBriefing
from core.games.membership.contract import Adversary, Answer
from core.runtime.context import RunContext
from core.spec import parameter


class LogProbabilityAudit(AnswersAttack):
    """Membership by the least likely tokens of a text, less what the text itself lets expect (Watson et al. 2022).

    The statistic is the mean log-probability of the least likely tokens of a document (Min-K%, Shi et al. 2024), or of
    all of them where answers tell the whole text only. An ordinary regression predicts it, over all documents in
    question, from what is known of them without the model: their length, their compressed size, how many tokens they
    have, and how frequent their words are in the adversary's own documents. The score is what the regression leaves
    over. The paper takes the loss of reference models for difficulty; here none like the target model can be trained.
    The threshold is the median of the scores, as half of the documents in question are members.

    Variants, from the same answers, each with its median as threshold:

    - ``loss`` is the mean log-probability of a token (Yeom et al. 2018);
    - ``zlib_ratio`` divides the log-probability by the bytes of the compressed text (Carlini et al. 2021);
    - ``min_k``, where answers tell each token, is the statistic alone;
    - ``min_k_plus``, where they tell mean and deviation at each place too, is the same in deviations (Zhang et al.
      2024).
    """

    title: ClassVar[str] = "Log-probability audit"
    question: ClassVar[str] = "Which documents give away that your language model was trained on them?"
    claim: ClassVar[str] = (
        "Given the log-probability that your language model gives a document, the adversary tells whether it was "
        "trained on it"
    )
    threat: ClassVar[str] = (
        "The adversary holds the documents in question and others of their kind, half of your training documents among "
        "them but unmarked, and asks your model once for the log-probability of each document."
    )
    needs: ClassVar[type[Access]] = AnsweredTexts
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {"dataset": {"part": "marked_documents"}, "model": {"part": "answered_language_model"}}
    }

    lowest: float = parameter(
        0.2, "Share of the least likely tokens that Min-K% looks at.", label="Min-K", gt=0, le=1, advanced=True
    )

    def prepare(self, briefing: AnswersBriefing, context: RunContext) -> Iterator[Adversary]:
        """Look at the texts, and yield the variants that the answers allow, and then the attack."""
        texts = briefing.documents.texts
        asked = tuple(texts[row] for row in briefing.asked)
        sizes = np.array([target.size for target in briefing.targets])
        scores: dict[str, Score] = {"loss": loss, "zlib_ratio": zlib_ratio}
        if issubclass(briefing.access, AnsweredTokens):
            scores["min_k"] = MinK(self.lowest)
        if issubclass(briefing.access, AnsweredDistributions):
            scores["min_k_plus"] = MinKPlus(self.lowest)
        known = difficulties(asked, [texts[row] for row in briefing.auxiliary])
        scores[self.part_name()] = _Unexplained(known, scores.get("min_k", loss))
        for variant, score in scores.items():
            yield _Halving(variant, score=score, texts=asked, sizes=sizes)


@dataclass(frozen=True, eq=False)
class _Unexplained:
    """Scores documents by what their difficulty does not explain of another score.

    Attributes:
        known: (documents, columns) what is known of them without the model.
        score: The other score.
    """

    known: NDArray[np.float64]
    score: Score

    def __call__(self, access: GivesLosses, text: Text) -> Parts:
        """Return the score of documents, each with the weight that the other score gives it."""
        losses = access.losses(text)
        density = [np.isfinite(nats).sum() / max(len(words[0]), 1) for nats, words in zip(losses, text, strict=True)]
        parts = self.score(_Read(losses), text)
        left = unexplained(parts.above / parts.below, np.column_stack([self.known, density]))
        return Parts(left * parts.below, parts.below)


@dataclass(frozen=True, eq=False)
class _Read:
    """Losses that were asked for already."""

    read: list[NDArray[np.float64]]

    def losses(self, documents: Text) -> list[NDArray[np.float64]]:
        """Return them."""
        return self.read


@dataclass(frozen=True, eq=False)
class _Halving(Adversary):
    """Calls the half of the targets with the higher scores members.

    Attributes:
        score: How documents are scored.
        texts: The texts of the targets' documents, target by target.
        sizes: (targets,) number of documents of each.
        read: The score of each target less the median, for each access; filled on first use.
    """

    variant: str
    shadows: int = 0
    penalty: float = float("nan")
    score: Score = field(kw_only=True)
    texts: tuple[str, ...] = field(kw_only=True)
    sizes: NDArray[np.int64] = field(kw_only=True)
    read: dict[Access, NDArray[np.float64]] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Score a target less the median of all."""
        if not isinstance(access, AnsweredTexts):
            raise TypeError(f"log-probabilities are those of a language model, not of {type(access).__name__}")
        if access not in self.read:
            parts = self.score(access, [(text,) for text in self.texts])
            ends = np.cumsum(self.sizes)
            quotients = np.array(
                [parts.of(slice(end - size, end)).quotient for size, end in zip(self.sizes, ends, strict=True)]
            )
            self.read[access] = quotients - np.median(quotients)
        return Answer(float(self.read[access][target]))
