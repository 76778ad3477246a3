"""What a game of inversion reports besides the sets of words: sensitive words, keywords, and whole texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Encode
from core.games.inversion import sensitive_score, text_score
from core.games.inversion.contract import Answer
from core.result import Estimate

Report = Literal["words", "texts", "full"]


@dataclass(frozen=True)
class Further:
    """What is asked for.

    Attributes:
        report: Whether whole texts that are read back are compared, and numbers by their length.
        sensitive: Whether names and numbers are.
        keywords: Words whose recall is reported apart.
    """

    report: Report
    sensitive: bool
    keywords: tuple[str, ...]

    def estimates(
        self,
        victims: Sequence[str],
        vectors: NDArray[np.float32],
        answer: Answer,
        frequent: Sequence[str],
        encode: Encode | None,
        seed: int,
    ) -> dict[str, Estimate]:
        """Return the figures.

        Args:
            victims: The victims' texts.
            vectors: (victims, dimension) their embeddings as released.
            answer: What the adversary read.
            frequent: The words that the frequency baseline names.
            encode: The public encoder; None where the encoder is unknown.
            seed: Source of the resampling.
        """
        found: dict[str, Estimate] = {}
        if self.sensitive:
            lengths = self.report != "words"
            found |= sensitive_score.estimates(victims, answer, frequent, seed, lengths=lengths)
        if self.keywords:
            found |= sensitive_score.of_keywords(self.keywords, victims, answer, frequent, seed)
        if self.report != "words" and answer.texts:
            found |= text_score.estimates(victims, answer.texts, seed)
        if self.report == "texts" and answer.texts:
            found |= text_score.overlap(victims, answer.texts, seed)
            if encode is not None:
                found |= text_score.closeness(vectors, encode(answer.texts), seed)
        return found
