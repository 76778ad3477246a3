"""Answers dealt to other victims: the chance level of the same adversary, and how far matched pairs exceed it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import RESAMPLES, Interval, middle


class Dealt(NamedTuple):
    """Answers beside the same answers dealt to other victims.

    Attributes:
        mismatched: Share of right answers when each answer is compared with the truth of every other victim.
        lead: How much larger the share is with its own victim, paired: both shares come from the same resample.
    """

    mismatched: Interval
    lead: Interval


def dealt(
    guesses: NDArray[np.int64],
    truths: NDArray[np.int64],
    rng: np.random.Generator,
    counted: NDArray[np.bool_] | None = None,
) -> Dealt:
    """Compare answers with those of other victims, averaged over the secrets, with 95% bootstrap intervals.

    All pairs of an answer and another victim count, so that no permutation is drawn. Victims are resampled; two copies
    of one victim are no mismatched pair. An adversary who gives everyone the same answer has a lead of exactly 0.

    Args:
        guesses: (secrets, victims) number of the predicted value.
        truths: (secrets, victims) number of the true value.
        rng: Source of the resampling.
        counted: (secrets, victims) whether that answer counts; None where all do.
    """
    victims, counted = guesses.shape[1], np.ones(guesses.shape, np.bool_) if counted is None else counted
    counts = rng.multinomial(victims, np.full(victims, 1 / victims), size=RESAMPLES).astype(np.float64)
    right, mismatched = _shares(guesses, truths, np.ones((1, victims)), counted)
    drawn_right, drawn_mismatched = _shares(guesses, truths, counts, counted)
    usable = np.isfinite(drawn_mismatched)  # a resample of one victim alone has no other
    if not usable.any():
        return Dealt(Interval(float(mismatched[0])), Interval(float(right[0] - mismatched[0])))
    return Dealt(
        Interval(float(mismatched[0]), *middle(drawn_mismatched[usable])),
        Interval(float(right[0] - mismatched[0]), *middle((drawn_right - drawn_mismatched)[usable])),
    )


def _shares(
    guesses: NDArray[np.int64], truths: NDArray[np.int64], counts: NDArray[np.float64], counted: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of right answers with their own victims and with others, (resamples,) each.

    Guesses, truths and whether an answer is counted are (secrets, victims); counts of draws are (resamples, victims).
    """
    matched, mismatched = np.zeros(len(counts)), np.zeros(len(counts))
    values = np.arange(max(int(guesses.max()), int(truths.max())) + 1)
    for guess, truth, among in zip(guesses, truths, counted, strict=True):
        hits, drawn = (guess == truth).astype(np.float64), counts * among
        total, squares = drawn.sum(axis=1), (drawn**2).sum(axis=1)
        guessed = drawn @ (guess[:, None] == values)  # (resamples, values)
        true = drawn @ (truth[:, None] == values)
        with np.errstate(invalid="ignore"):
            matched += drawn @ hits / total
            mismatched += ((guessed * true).sum(axis=1) - drawn**2 @ hits) / (total**2 - squares)
    return matched / len(guesses), mismatched / len(guesses)
