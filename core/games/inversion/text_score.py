"""The score of inversion on whole texts: how many are read word for word, and how near the others come, by BLEU."""

from collections.abc import Callable, Sequence
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.runtime.seeding import generator
from core.statistics.intervals import mean_of
from core.text.words import folded_words

_DEALT = "Chance gives each vector the text that was read from another."


def estimates(victims: Sequence[str], read: Sequence[str], seed: int) -> dict[str, Estimate]:
    """Return the share of texts that are read word for word, and the mean BLEU of a text.

    Case and marks between words do not count for the first. BLEU is that of single texts, of up to four words in a row,
    regardless of case, smoothed, and of as many as a short text has (sacrebleu 2: exponential smoothing, effective
    order). Chance is what the answers get when each is dealt to the next victim.

    Args:
        victims: The victims' texts.
        read: The text that was read from each one's vector.
        seed: Source of the resampling.
    """
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(lowercase=True, effective_order=True)
    dealt = [*read[1:], *read[:1]]

    def scored(score: Callable[[str, str], float]) -> NDArray[np.float64]:
        """Return the score of each text with what was read of it, and with what is dealt to it, (2, texts)."""
        pairs = (zip(victims, some, strict=True) for some in (read, dealt))
        return np.array([list(starmap(score, each)) for each in pairs], np.float64)

    same = scored(lambda text, guess: folded_words(text) == folded_words(guess))
    near = scored(lambda text, guess: min(bleu.sentence_score(guess, [text]).score / 100, 1.0))
    return {
        name: Estimate(
            **mean_of(values[0], generator(seed, "whole texts", name))._asdict(),
            chance=float(values[1].mean()),
            unit=unit,
            decisions=len(victims),
            help=f"{said} {_DEALT}",
        )
        for name, values, unit, said in (
            ("exact_match", same, "share of texts", "Share of texts that are read word for word, in the right order."),
            (
                "bleu",
                near,
                "mean over victims, from 0 to 1",
                "How much of the wording and order of a text is read, BLEU.",
            ),
        )
    }
