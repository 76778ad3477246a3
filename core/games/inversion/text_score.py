"""The score of inversion on whole texts: how many are read word for word, and how near the others come."""

from collections.abc import Callable, Sequence
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.runtime.seeding import generator
from core.statistics.intervals import mean_of
from core.statistics.unit_length import scaled
from core.text.words import folded_words

_DEALT = "Chance gives each vector the text that was read from another."
_UNIT = "mean over victims, from 0 to 1"


def estimates(victims: Sequence[str], read: Sequence[str], seed: int) -> dict[str, Estimate]:
    """Return the share of texts that are read word for word, and the mean BLEU of a text.

    Case and marks between words do not count for the first. BLEU is that of single texts, of up to four words in a row,
    regardless of case, smoothed, and of as many as a short text has (sacrebleu 2: exponential smoothing, effective
    order). Chance is what the answers get when each is dealt to the next victim.
    """
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(lowercase=True, effective_order=True)
    same = _scored(victims, read, lambda text, guess: folded_words(text) == folded_words(guess))
    near = _scored(victims, read, lambda text, guess: min(bleu.sentence_score(guess, [text]).score / 100, 1.0))
    exactly = "Share of texts that are read word for word, in the right order."
    wording = "How much of the wording and order of a text is read, BLEU."
    return {
        "exact_match": _estimate("exact_match", same, "share of texts", exactly, seed),
        "bleu": _estimate("bleu", near, _UNIT, wording, seed),
    }


def overlap(victims: Sequence[str], read: Sequence[str], seed: int) -> dict[str, Estimate]:
    """Return the mean ROUGE-L of a text; arguments and chance are those of `estimates`.

    ROUGE-L is the harmonic mean of two shares: of the words that were read, and of the words of the text, that both
    have in the same order, with gaps (their longest common subsequence; Lin 2004, section 3). Case and marks between
    words do not count.
    """
    common = "How much of a text is read in the right order, with gaps, ROUGE-L."
    return {"rouge_l": _estimate("rouge_l", _scored(victims, read, rouge_l), _UNIT, common, seed)}


def closeness(victims: NDArray[np.float32], read: NDArray[np.float32], seed: int) -> dict[str, Estimate]:
    """Return the mean cosine of each victim's vector with that of the text that was read from it.

    Args:
        victims: (victims, dimension) their vectors as released.
        read: (victims, dimension) vectors of the texts that were read, as the encoder makes them.
        seed: Source of the resampling.
    """
    # Not by a matrix product, whose last bits depend on the number of threads.
    pairs = [np.einsum("vd,vd->v", scaled(victims), scaled(some)) for some in (read, np.roll(read, -1, axis=0))]
    near = "Cosine of a text’s vector with that of what was read from it."
    return {"cosine": _estimate("cosine", np.array(pairs, np.float64), "mean over victims, from -1 to 1", near, seed)}


def rouge_l(text: str, guess: str) -> float:
    """Return the ROUGE-L of one text.

    >>> round(rouge_l("The quick brown fox jumps over the lazy dog", "The quick brown dog jumps on the log."), 4)
    0.5882
    """
    from rapidfuzz.distance import LCSseq

    words, guessed = folded_words(text), folded_words(guess)
    return 2 * LCSseq.similarity(words, guessed) / max(len(words) + len(guessed), 1)


def _scored(victims: Sequence[str], read: Sequence[str], score: Callable[[str, str], float]) -> NDArray[np.float64]:
    """Return the score of each text with what was read of it, and with what is dealt to it, (2, texts)."""
    pairs = (zip(victims, some, strict=True) for some in (read, [*read[1:], *read[:1]]))
    return np.array([list(starmap(score, each)) for each in pairs], np.float64)


def _estimate(name: str, values: NDArray[np.float64], unit: str, meaning: str, seed: int) -> Estimate:
    """Return the mean over the texts; ``values`` are those of `_scored`."""
    return Estimate(
        **mean_of(values[0], generator(seed, "whole texts", name))._asdict(),
        chance=float(values[1].mean()),
        unit=unit,
        decisions=values.shape[1],
        help=f"{meaning} {_DEALT}",
    )
