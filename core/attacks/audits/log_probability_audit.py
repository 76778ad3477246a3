"""Log-probability audit: texts that a language model was trained on surprise it less than their kind suggests."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from core.access import Access
from core.access.answers import AnsweredDistributions, AnsweredTexts, AnsweredTokens
from core.adversaries.text_difficulty import Unexplained, difficulties
from core.adversaries.text_scores import MedianAdversary, MinK, MinKPlus, Score, loss, zlib_ratio
from core.games.answers.contract import AnswersAttack, AnswersBriefing
from core.games.membership.contract import Adversary
from core.runtime.context import RunContext
from core.spec import parameter


class LogProbabilityAudit(AnswersAttack):
    """Membership by the least likely tokens of a text, less what the text itself lets expect (Watson et al. 2022).

    The statistic is the mean log-probability of the least likely tokens of a document (Min-K%, Shi et al. 2024), or of
    all where answers tell the whole text only. A regression over all documents in question predicts it from what is
    known of them without the model: length, compressed size, number of tokens, and how frequent the words are in the
    adversary's own documents. The score is what is left over. The paper takes the loss of reference models for
    difficulty; here none like the target model can be trained. The threshold is the median: half are members.

    Variants, from the same answers, each with its median as threshold:

    - ``loss`` is the mean log-probability of a token (Yeom et al. 2018);
    - ``zlib_ratio`` divides the log-probability by the bytes of the compressed text (Carlini et al. 2021);
    - ``min_k``, where answers tell each token, is the statistic alone;
    - ``min_k_plus``, where they tell mean and deviation, too, is the same in deviations (Zhang et al. 2024).
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
    variants: ClassVar[tuple[str, ...]] = ("loss", "zlib_ratio", "min_k", "min_k_plus")
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
        documents = [(text,) for text in asked]
        sizes = np.array([target.size for target in briefing.targets])
        scores: dict[str, Score] = {"loss": loss, "zlib_ratio": zlib_ratio}
        if issubclass(briefing.access, AnsweredTokens):
            scores["min_k"] = MinK(self.lowest)
        if issubclass(briefing.access, AnsweredDistributions):
            scores["min_k_plus"] = MinKPlus(self.lowest)
        known = difficulties(asked, [texts[row] for row in briefing.auxiliary])
        scores[self.part_name()] = Unexplained(known, scores.get("min_k", loss))
        for variant, score in scores.items():
            yield MedianAdversary(variant, score=score, documents=documents, sizes=sizes)
